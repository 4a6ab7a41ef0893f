package source

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
)

func (c *check) page(path string, e *catalog.Entity, a *catalog.Action) {
	p := a.Page
	if p == nil {
		return
	}
	styles := []string{"cursor", "token", "link", "offset", "page", "url", "last_id", "none"}
	c.badIf(!slices.Contains(styles, p.Style),
		path+".style", "unknown style %q: write %s", p.Style, strings.Join(styles, ", "))
	for _, ref := range [...]struct{ key, name string }{{"send", p.Send}, {"back", p.Back}, {"size", p.Size}} {
		if ref.name != "" && a.Param(ref.name) == nil {
			c.unknown(path+"."+ref.key, ref.name, catalog.FieldNames(a.Params), "the action has no param %q", ref.name)
		}
	}
	for _, also := range p.Also {
		record := e.RecordOf(a)
		c.badIf(a.Param(also.Name) == nil, path+".also", "the action has no param %q", also.Name)
		c.badIf(len(record) > 0 && !e.RecordPartial && catalog.FieldAt(record, also.Value) == nil,
			path+".also."+also.Name, "the record has no field %q", also.Value)
	}
	if p.Meta != "" && catalog.FieldAt(a.Meta, p.Meta) == nil {
		c.unknown(path+".meta", p.Meta, catalog.FieldNames(a.Meta), "the action has no meta field %q", p.Meta)
	}
	for _, end := range [...]string{"last.", "first."} {
		field, ok := strings.CutPrefix(p.Next, end)
		if record := e.RecordOf(a); ok && len(record) > 0 && !e.RecordPartial && catalog.FieldAt(record, field) == nil {
			c.bad(path+".next", "the record has no field %q", field)
		}
	}
	c.badIf(p.NextIs != "" && p.NextIs != "url" && p.NextIs != "path",
		path+".next_is", "unknown word %q: write url or path, or leave it out", p.NextIs)
	c.badIf(p.Alone && p.Send == "", path+".alone", "no param carries the next value: name it in send")
	c.bodyPath(path+".next", p.Next)
}

// sending holds the defaults that local calls send against what a request can carry.
func (c *check) sending(path string, a *catalog.Action) {
	for i := range a.Params {
		f := &a.Params[i]
		at := path + ".params." + f.Name
		c.badIf(f.Send && f.Default == nil, at+".send", "there is no default to send")
		c.badIf(f.Unless != "" && (!f.Send || a.Param(f.Unless) == nil),
			at+".unless", "name a param of the action, on a field whose default is sent")
		c.badIf(reshapes(f) && (f.In != "body" || a.Binding == nil || a.Binding.Encoding == "form"),
			at, "wire_type and wire_case belong to a JSON body")
	}
}

// reshapes reports whether a field or anything in it has another form in the request.
func reshapes(f *catalog.Field) bool {
	return f.WireType != "" || f.WireCase != "" || f.Items != nil && reshapes(f.Items) ||
		slices.ContainsFunc(f.Members, func(m catalog.Field) bool { return reshapes(&m) })
}

func (c *check) binding(path string, a *catalog.Action) {
	b := a.Binding
	if b == nil {
		return
	}
	at := path + ".http"
	c.badIf(a.HostedOnly, at, "a hosted-only action has no request of its own")
	c.badIf(!slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}, b.Method),
		at+".method", "unknown method %q", b.Method)
	c.badIf(b.Encoding != "" && b.Encoding != "json" && b.Encoding != "form",
		at+".encoding", "unknown encoding %q: write json or form", b.Encoding)
	c.placeholders(path, a)
	c.sending(path, a)
	c.bodyPath(at+".records", b.Records)
	c.bodyPath(at+".records_in_body", b.RecordsInBody)
	for _, m := range b.Meta {
		if catalog.FieldAt(a.Meta, m.Name) == nil {
			c.unknown(at+".meta."+m.Name, m.Name, catalog.FieldNames(a.Meta),
				"the action has no meta field of this name")
		}
		c.bodyPath(at+".meta."+m.Name, m.Value)
	}
	c.badIf(b.BodyParam != "" && a.Param(b.BodyParam) == nil,
		at+".body_param", "the action has no param %q", b.BodyParam)
	c.badIf(b.ServerIndex > 0 && (c.kind.Local == nil || b.ServerIndex > len(c.kind.Local.Servers)),
		at+".server", "local.servers has no entry %d", b.ServerIndex)
	c.graphQL(at+".graphql", a)
	if d := b.Download; d != nil && d.RangeParam != "" && a.Param(d.RangeParam) == nil {
		c.bad(at+".download.range_param", "the action has no param %q", d.RangeParam)
	}
}

// placeholders holds the {names} of a path and the params in it together.
func (c *check) placeholders(path string, a *catalog.Action) {
	at := path + ".http.path"
	c.badIf(!strings.HasPrefix(a.Binding.Path, "/"), at, "a path starts with /, found %q", a.Binding.Path)
	used := map[string]bool{}
	for _, name := range c.braces(at, a.Binding.Path) {
		used[name] = true
		given := slices.ContainsFunc(a.Params, func(p catalog.Field) bool {
			return p.In == "path" && (p.HTTPName() == name || p.Name == name)
		})
		c.badIf(!given && c.kind.ConfigField(name) == nil,
			at, "no param (in: path) and no configuration value fills {%s}", name)
	}
	for i := range a.Params {
		p := &a.Params[i]
		// A download may take an index in the address instead: it picks a part of the answer.
		picks := a.Binding.Download != nil && strings.Contains(a.Binding.Download.URLAt, "{"+p.Name+"}")
		c.badIf(p.In == "path" && !used[p.HTTPName()] && !used[p.Name] && !picks,
			path+".params."+p.Name, "the path has no {%s} for this param", p.HTTPName())
	}
}

func (c *check) graphQL(path string, a *catalog.Action) {
	g := a.Binding.GraphQL
	if g == nil {
		return
	}
	c.badIf(g.Kind != "query" && g.Kind != "mutation",
		path+".kind", "a document is a query or a mutation, found %q", g.Kind)
	c.badIf(g.Operation == "" && g.Document == "", path, "the document needs an operation: its root field")
	c.badIf(g.Values != nil && g.Document == "", path+".values", "values belong to a document that is written as text")
	for _, name := range templateNames(string(g.Values)) {
		c.badIf(a.Param(name) == nil, path+".values", "the action has no param %q", name)
	}
	declared := map[string]bool{}
	for _, v := range g.Variables {
		declared[v.Name] = true
		c.badIf(v.Type == "", path+".variables."+v.Name, "the variable needs a type")
		for _, name := range templateNames(v.From) {
			c.badIf(a.Param(name) == nil, path+".variables."+v.Name, "the action has no param %q", name)
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
	c.badIf(l.BaseURL == "", "local", "the kind needs a base_url to be called directly")
	for _, url := range append([]string{l.BaseURL}, l.Servers...) {
		for _, name := range c.braces("local.base_url", url) {
			c.badIf(!c.filled(name), "local.base_url", "no configuration value fills {%s}", name)
		}
	}
	for i := range l.Auth {
		path := fmt.Sprintf("local.auth[%d]", i)
		if !c.file.Has(path) {
			path = "local.auth"
		}
		c.auth(path, &l.Auth[i])
	}
}

func (c *check) auth(path string, a *catalog.Auth) {
	pairs := append(slices.Clone(a.Headers), a.Query...)
	if a.Refresh != nil {
		pairs = append(append(pairs, a.Refresh.Body...), a.Refresh.Headers...)
		pairs = append(pairs, catalog.Pair{Name: "refresh.url", Value: a.Refresh.URL})
		c.badIf(a.Refresh.Encoding != "form" && a.Refresh.Encoding != "json",
			path+".refresh", "unknown encoding %q: write form or json", a.Refresh.Encoding)
	}
	for _, p := range pairs {
		for _, name := range templateNames(p.Value) {
			c.badIf(!c.filled(name) && !(name == "access_token" && a.Refresh != nil),
				path, "%s uses ${%s}, which is no credential field and no configuration value", p.Name, name)
		}
	}
	found := a.Method == "" && a.Option == ""
	for _, m := range c.kind.Credentials {
		found = found || ((a.Method == "" || m.Method == a.Method) && (a.Option == "" || m.Option == a.Option))
	}
	c.badIf(!found, path, "no credential method has method %q and option %q", a.Method, a.Option)
}

// braces lists the {names} of a template.
func (c *check) braces(path, template string) (names []string) {
	for rest := template; ; {
		before, inside, opens := strings.Cut(rest, "{")
		if !opens {
			c.badIf(strings.Contains(before, "}"), path, "%q closes a brace that it never opens", template)
			return names
		}
		name, after, closes := strings.Cut(inside, "}")
		if !closes || name == "" {
			c.bad(path, "%q opens a brace that it never closes, or names nothing in it", template)
			return names
		}
		names, rest = append(names, name), after
	}
}

// templateNames lists the ${names} of a template over params or credentials.
func templateNames(template string) []string {
	var names []string
	for _, part := range strings.Split(template, "${")[1:] {
		name, _, _ := strings.Cut(part, "}")
		names = append(names, name)
	}
	return names
}

// bodyPath refuses paths that no reader of answers understands: dotted names, with
// [*] or [n] after a name, or @link.next and @header.NAME.
func (c *check) bodyPath(at, path string) {
	if path == "" || strings.HasPrefix(path, "@") {
		return
	}
	if strings.HasPrefix(path, "$") {
		c.bad(at, "%q: paths start at the body, without $", path)
		return
	}
	for step := range strings.SplitSeq(path, ".") {
		name, index, bracketed := strings.Cut(step, "[")
		c.badIf(name == "" && !bracketed, at, "%q has an empty step", path)
		c.badIf(bracketed && (!strings.HasSuffix(index, "]") || len(index) < 2),
			at, "%q has a bracket that does not close", path)
	}
}

// sandbox checks that what the sandbox is told speaks of what the kind has.
func (c *check) sandbox() {
	s := c.kind.Sandbox
	if s == nil {
		return
	}
	if s.First.Entity != "" {
		c.known("sandbox.first.entity", s.First.Entity)
	}
	for _, name := range s.Crowded {
		c.known("sandbox.crowded", name)
	}
	for name, scope := range s.Scopes {
		path := "sandbox.scopes." + name
		c.paramOf(path, name, c.kind.Entities)
		c.place(path+".of", scope.Of)
		if _, told := s.Scopes[scope.With]; scope.With != "" && !told {
			c.bad(path+".with", "no scope is called %q", scope.With)
		}
	}
	for i := range s.Query {
		c.paramOf("sandbox.query", s.Query[i].Param, c.kind.Entities)
		c.place("sandbox.query", s.Query[i].Self)
	}
	c.sandboxEntity("sandbox.every", s.Every, c.kind.Entities)
	for name, e := range s.Entities {
		path := "sandbox.entities." + name
		if of := c.known(path, name); of != nil {
			// What is told of an entity holds for those that show its records, too.
			all := []catalog.Entity{*of}
			for _, view := range c.kind.Entities {
				if s.Entities[view.Name].ViewOf == of.Name {
					all = append(all, view)
				}
			}
			c.sandboxEntity(path, e, all)
		}
	}
}

// known finds an entity that the sandbox section names.
func (c *check) known(path, name string) *catalog.Entity {
	if c.entities == nil {
		c.entities = make(map[string]*catalog.Entity, len(c.kind.Entities))
		for i := range c.kind.Entities {
			c.entities[c.kind.Entities[i].Name] = &c.kind.Entities[i]
		}
	}
	e := c.entities[name]
	if e == nil {
		var names []string
		if c.guesses < maxGuesses {
			names = c.kind.EntityNames()
		}
		c.unknown(path, name, names, "no entity is called %q", name)
	}
	return e
}

// place checks an "entity.field".
func (c *check) place(path, place string) {
	if place == "" {
		return
	}
	name, field, _ := strings.Cut(place, ".")
	if e := c.known(path, name); e != nil {
		c.fieldOf(path, field, []catalog.Entity{*e})
	}
}

// sandboxEntity checks what is told of one entity, or of all of them.
func (c *check) sandboxEntity(path string, s catalog.SandboxEntity, of []catalog.Entity) {
	if s.ViewOf != "" {
		c.known(path+".view_of", s.ViewOf)
	}
	for name := range s.Fields {
		c.fieldOf(path+".fields."+name, name, of)
	}
	for name := range s.New {
		c.fieldOf(path+".new."+name, name, of)
	}
	for name, p := range s.Params {
		c.paramOf(path+".params."+name, name, of)
		for _, parent := range p.Parents {
			c.known(path+".params."+name+".parents", parent)
		}
	}
	for name, w := range s.Writes {
		at := path + ".writes." + name
		c.badIf(!slices.ContainsFunc(of, func(e catalog.Entity) bool { return e.Action(name) != nil }),
			at, "the entity has no action %q", name)
		c.badIf((w.From != nil || w.Except != nil) && w.Refuse == "",
			at, "a write that some states refuse needs a refuse that tells people why")
		for _, param := range w.Take {
			c.paramOf(at+".take", param, of)
		}
	}
}

// fieldOf checks that one of the entities has the field.
func (c *check) fieldOf(path, field string, of []catalog.Entity) {
	c.badIf(!slices.ContainsFunc(of, func(e catalog.Entity) bool { return mentions(&e, field) }),
		path, "no record here has a field %q", field)
}

// paramOf checks that an action of one of the entities takes the param.
func (c *check) paramOf(path, param string, of []catalog.Entity) {
	member := func(f catalog.Field) bool { return catalog.FieldByName(f.Members, param) != nil }
	if !slices.ContainsFunc(of, func(e catalog.Entity) bool {
		return slices.ContainsFunc(e.Actions, func(a catalog.Action) bool {
			return a.ParamsUnknown || a.Param(param) != nil || slices.ContainsFunc(a.Params, member)
		})
	}) {
		c.bad(path, "no action here has a param %q", param)
	}
}
