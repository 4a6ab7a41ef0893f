package catalog

import (
	"fmt"
	"slices"
	"strings"
)

func (c *check) page(path string, e *Entity, a *Action) {
	p := a.Page
	if p == nil {
		return
	}
	styles := []string{"cursor", "token", "link", "offset", "page", "url", "last_id", "none"}
	if !slices.Contains(styles, p.Style) {
		c.bad(path+".style", "unknown style %q: write %s", p.Style, strings.Join(styles, ", "))
	}
	for _, ref := range [...]struct{ key, name string }{{"send", p.Send}, {"back", p.Back}, {"size", p.Size}} {
		if ref.name != "" && a.Param(ref.name) == nil {
			c.bad(path+"."+ref.key, "the action has no param %q%s", ref.name, suggestion(ref.name, namesOf(a.Params)))
		}
	}
	if p.Meta != "" && FieldAt(a.Meta, p.Meta) == nil {
		c.bad(path+".meta", "the action has no meta field %q%s", p.Meta, suggestion(p.Meta, namesOf(a.Meta)))
	}
	for _, end := range [...]string{"last.", "first."} {
		field, ok := strings.CutPrefix(p.Next, end)
		if record := e.RecordOf(a); ok && len(record) > 0 && !e.RecordPartial && FieldAt(record, field) == nil {
			c.bad(path+".next", "the record has no field %q", field)
		}
	}
	if p.NextIs != "" && p.NextIs != "url" && p.NextIs != "path" {
		c.bad(path+".next_is", "unknown word %q: write url or path, or leave it out", p.NextIs)
	}
	if err := checkBodyPath(p.Next); err != nil {
		c.bad(path+".next", "%v", err)
	}
}

func (c *check) binding(path string, a *Action) {
	b := a.Binding
	if b == nil {
		return
	}
	at := path + ".http"
	if a.HostedOnly {
		c.bad(at, "a hosted-only action has no request of its own")
	}
	if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}, b.Method) {
		c.bad(at+".method", "unknown method %q", b.Method)
	}
	if b.Encoding != "" && b.Encoding != "json" && b.Encoding != "form" {
		c.bad(at+".encoding", "unknown encoding %q: write json or form", b.Encoding)
	}
	c.placeholders(path, a)
	for _, p := range [...]struct{ key, value string }{{"records", b.Records}, {"records_in_body", b.RecordsInBody}} {
		if err := checkBodyPath(p.value); err != nil {
			c.bad(at+"."+p.key, "%v", err)
		}
	}
	for _, m := range b.Meta {
		if FieldAt(a.Meta, m.Name) == nil {
			c.bad(at+".meta."+m.Name, "the action has no meta field of this name%s", suggestion(m.Name, namesOf(a.Meta)))
		}
		if err := checkBodyPath(m.Value); err != nil {
			c.bad(at+".meta."+m.Name, "%v", err)
		}
	}
	if b.BodyParam != "" && a.Param(b.BodyParam) == nil {
		c.bad(at+".body_param", "the action has no param %q", b.BodyParam)
	}
	if b.ServerIndex > 0 && (c.kind.Local == nil || b.ServerIndex > len(c.kind.Local.Servers)) {
		c.bad(at+".server", "local.servers has no entry %d", b.ServerIndex)
	}
	c.graphQL(at+".graphql", a)
	if d := b.Download; d != nil && d.RangeParam != "" && a.Param(d.RangeParam) == nil {
		c.bad(at+".download.range_param", "the action has no param %q", d.RangeParam)
	}
}

// placeholders holds the {names} of a path and the params in it together.
func (c *check) placeholders(path string, a *Action) {
	at := path + ".http.path"
	if !strings.HasPrefix(a.Binding.Path, "/") {
		c.bad(at, "a path starts with /, found %q", a.Binding.Path)
	}
	names, err := braces(a.Binding.Path)
	if err != nil {
		c.bad(at, "%v", err)
	}
	used := map[string]bool{}
	for _, name := range names {
		used[name] = true
		if !c.fillsPath(a, name) {
			c.bad(at, "no param (in: path) and no configuration value fills {%s}", name)
		}
	}
	for i := range a.Params {
		p := &a.Params[i]
		if p.In == "path" && !used[p.HTTPName()] && !used[p.Name] && !a.Binding.picks(p.Name) {
			c.bad(path+".params."+p.Name, "the path has no {%s} for this param", p.HTTPName())
		}
	}
}

// picks tells whether a param selects a part of the answer instead of standing
// in the request: an index in the address of a download.
func (b *Binding) picks(name string) bool {
	return b.Download != nil && strings.Contains(b.Download.URLAt, "{"+name+"}")
}

func (c *check) fillsPath(a *Action, name string) bool {
	for i := range a.Params {
		if p := &a.Params[i]; p.In == "path" && (p.HTTPName() == name || p.Name == name) {
			return true
		}
	}
	return c.kind.ConfigField(name) != nil
}

func (c *check) graphQL(path string, a *Action) {
	g := a.Binding.GraphQL
	if g == nil {
		return
	}
	if g.Kind != "query" && g.Kind != "mutation" {
		c.bad(path+".kind", "a document is a query or a mutation, found %q", g.Kind)
	}
	if g.Operation == "" {
		c.bad(path, "the document needs an operation: its root field")
	}
	declared := map[string]bool{}
	for _, v := range g.Variables {
		declared[v.Name] = true
		if v.Type == "" {
			c.bad(path+".variables."+v.Name, "the variable needs a type")
		}
		for _, name := range templateNames(v.From) {
			if a.Param(name) == nil {
				c.bad(path+".variables."+v.Name, "the action has no param %q", name)
			}
		}
	}
	for _, args := range append(slices.Clone(g.Args), g.FieldArgs...) {
		for _, arg := range args.Args {
			if name, ok := strings.CutPrefix(arg.Value, "$"); ok && !declared[name] {
				c.bad(path+".args", "%s.%s uses $%s, which no variable declares", args.Path, arg.Name, name)
			}
		}
	}
}

// local checks addresses and credentials templates against the fields they use.
func (c *check) local() {
	l := c.kind.Local
	if l == nil {
		return
	}
	if l.BaseURL == "" {
		c.bad("local", "the kind needs a base_url to be called directly")
	}
	for _, url := range append([]string{l.BaseURL}, l.Servers...) {
		names, err := braces(url)
		if err != nil {
			c.bad("local.base_url", "%v", err)
		}
		for _, name := range names {
			if c.kind.ConfigField(name) == nil && c.credential(name) == nil {
				c.bad("local.base_url", "no configuration value fills {%s}", name)
			}
		}
	}
	for i := range l.Auth {
		path := fmt.Sprintf("local.auth[%d]", i)
		if _, listed := c.d.lines[path]; !listed {
			path = "local.auth"
		}
		c.auth(path, &l.Auth[i])
	}
}

func (c *check) auth(path string, a *Auth) {
	pairs := append(slices.Clone(a.Headers), a.Query...)
	if a.Refresh != nil {
		pairs = append(append(pairs, a.Refresh.Body...), a.Refresh.Headers...)
		pairs = append(pairs, Pair{Name: "refresh.url", Value: a.Refresh.URL})
		if a.Refresh.Encoding != "form" && a.Refresh.Encoding != "json" {
			c.bad(path+".refresh", "unknown encoding %q: write form or json", a.Refresh.Encoding)
		}
	}
	for _, p := range pairs {
		for _, name := range templateNames(p.Value) {
			known := c.credential(name) != nil || c.kind.ConfigField(name) != nil
			if !known && !(name == "access_token" && a.Refresh != nil) {
				c.bad(path, "%s uses ${%s}, which is no credential field and no configuration value", p.Name, name)
			}
		}
	}
	found := a.Method == "" && a.Option == ""
	for _, m := range c.kind.Credentials {
		found = found || ((a.Method == "" || m.Method == a.Method) && (a.Option == "" || m.Option == a.Option))
	}
	if !found {
		c.bad(path, "no credential method has method %q and option %q", a.Method, a.Option)
	}
}

// braces lists the {names} of a template.
func braces(template string) ([]string, error) {
	var names []string
	for rest := template; ; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			if strings.Contains(rest, "}") {
				return names, fmt.Errorf("%q closes a brace that it never opens", template)
			}
			return names, nil
		}
		end := strings.IndexByte(rest[open:], '}')
		if end < 2 {
			return names, fmt.Errorf("%q opens a brace that it never closes, or names nothing in it", template)
		}
		names = append(names, rest[open+1:open+end])
		rest = rest[open+end+1:]
	}
}

// templateNames lists the ${names} of a template over params or credentials.
func templateNames(template string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(template, "${")
		if !ok {
			return names
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return append(names, rest)
		}
		names = append(names, name)
		template = after
	}
}

// checkBodyPath refuses paths that no reader of answers understands: dotted
// names, with [*] or [n] after a name, or @link.next and @header.NAME.
func checkBodyPath(path string) error {
	if path == "" || strings.HasPrefix(path, "@") {
		return nil
	}
	if strings.HasPrefix(path, "$") {
		return fmt.Errorf("%q: paths start at the body, without $", path)
	}
	for step := range strings.SplitSeq(path, ".") {
		name, index, bracketed := strings.Cut(step, "[")
		if name == "" && !bracketed {
			return fmt.Errorf("%q has an empty step", path)
		}
		if bracketed && (!strings.HasSuffix(index, "]") || len(index) < 2) {
			return fmt.Errorf("%q has a bracket that does not close", path)
		}
	}
	return nil
}
