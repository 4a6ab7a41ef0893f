package definition

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"

	"patchbay/catalog"
)

// familyOperations takes the operations as their extension keys say. Of a pair that
// stands twice the later operation wins.
func (b *builder) familyOperations() {
	rows := map[string]int{}
	for _, o := range b.doc.operations {
		entity, action := o.ext.node(family+"entity").text(), o.ext.node(family+"action").text()
		row := Row{Operation: o.name(), ID: o.id, Entity: entity, Action: action, Confidence: "sure", Line: o.line,
			Why: "the definition says so"}
		choice := b.choice(row)
		row.Entity, row.Action = first(choice.Entity, entity), first(choice.Action, action)
		if row.Entity != "" && snake(row.Entity) != row.Entity {
			b.leave("the entity %s is called %s here", row.Entity, snake(row.Entity))
			row.Entity = snake(row.Entity)
		}
		if row.Action == "search" {
			row.Action, row.Why = catalog.ActionAPISearch, "the definition says search, the later name of it"
		}
		switch {
		case row.Entity == "" || row.Action == "":
			row.Out, row.Why = true, "it names no entity or no action"
		case choice.Out:
			row.Out, row.Why = true, "left out by choice"
		default:
			pair := row.Entity + "." + row.Action
			if i, twice := rows[pair]; twice {
				b.result.Rows[i].Out = true
				b.result.Rows[i].Why = "a later operation has the same entity and action"
			}
			rows[pair] = len(b.result.Rows)
			b.current = row.Entity
			b.entity(row.Entity)
			put(b.entity(row.Entity), b.action(o, row))
		}
		b.result.Rows = append(b.result.Rows, row)
	}
}

// knownActions are those whose names say whether they read.
var knownActions = []string{catalog.ActionList, catalog.ActionGet, catalog.ActionCreate, catalog.ActionUpdate,
	catalog.ActionDelete, catalog.ActionAPISearch, catalog.ActionContextStoreSearch, catalog.ActionDownload,
	catalog.ActionSemanticSearch}

// action describes an operation: params, request, answer and pages.
func (b *builder) action(o *operation, row Row) catalog.Action {
	said := o.ext.node(ours + "action")
	a := catalog.Action{Name: row.Action, Doc: sentence(o.doc),
		Source: sourceOf(said.child("source"), b.entity(row.Entity).Source)}
	b.shapes.source = a.Source
	if !slices.Contains(knownActions, a.Name) { // of unknown nature: a write
		a.Reads = new(false)
	}
	a.Destructive = a.Name == catalog.ActionDelete
	override := o.ext.node(family + "path-override").child("path").text()
	bind := &catalog.Binding{Source: catalog.Upstream, Method: o.method, Path: first(override, o.path)}
	if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}, o.method) {
		bind.Method = "POST"
		b.leave("%s uses a method that cannot be sent", o.name())
	}
	a.Binding = bind
	b.params(o, &a)
	if bodyType(o).exists() {
		b.graphQL(o, &a)
	} else if o.body != nil {
		b.body(o, &a)
	}
	b.pathParams(&a)
	b.answer(o, &a, row.Entity)
	attributes(&a, said)
	attributes(a.Binding, said.child("http"))
	if names := said.child("order").texts(); len(names) > 0 {
		a.Params = sorted(a.Params, names)
	}
	return a
}

// params reads those of path, query and header. The defaults of headers are sent.
func (b *builder) params(o *operation, a *catalog.Action) {
	for _, p := range o.params {
		place := strings.ToLower(p.In)
		if place == "cookie" || p.Name == "" {
			b.leave("%s: the param %s stands in a cookie, which is not sent", o.name(), p.Name)
			continue
		}
		proxy := p.Schema
		if proxy == nil && p.Content != nil {
			for _, media := range p.Content.FromOldest() {
				proxy = media.Schema
			}
		}
		b.shapes.deep = paramLevels
		f := b.shapes.field(proxy)
		if proxy == nil {
			f.Type = "string"
		}
		f.Name, f.In, f.Doc = p.Name, place, sentence(first(p.Description, f.Doc))
		f.Required = place == "path" || p.Required != nil && *p.Required
		f.Send = place == "header" && f.Default != nil
		if f.Accepts("array") && place == "query" {
			b.style(&f, p.Style, p.Explode)
		}
		if p.Content != nil && p.Schema == nil {
			f.Style = "json"
		}
		b.inject(&f, extensions{p.Extensions})
		own(&f, extensions{p.Extensions})
		if old := a.Param(f.Name); old != nil {
			b.leave("%s: the param %s stands twice, in %s and %s", o.name(), f.Name, old.In, f.In)
			continue
		}
		a.Params = append(a.Params, f)
	}
}

// style says how lists stand in a query.
func (b *builder) style(f *catalog.Field, style string, explode *bool) {
	switch {
	case style == "pipeDelimited":
		f.Separator = "|"
	case style == "spaceDelimited":
		f.Separator = " "
	case explode != nil && !*explode:
		f.Style = "comma"
	}
	if f.Separator != "" && !f.Accepts("string") {
		union(f, "string")
	}
}

// inject takes a param from configuration.
func (b *builder) inject(f *catalog.Field, ext extensions) {
	n := ext.node(family + "param-config-inject")
	source := n.child("source").text()
	if source == "" {
		return
	}
	source = source[strings.LastIndex(source, ".")+1:]
	f.Inject = &catalog.Inject{Config: source}
	table := map[string]string{}
	n.child("map").each(func(from string, to node) { table[from] = to.text() })
	if len(table) > 0 {
		f.Inject.Table = f.Name
		l := b.kind().Local
		if l.Tables == nil {
			l.Tables = map[string]map[string]string{}
		}
		l.Tables[f.Name] = table
	}
	b.configured(source)
}

// configured adds a configuration value that something needs, unless it is there.
func (b *builder) configured(name string) {
	k := b.kind()
	if catalog.FieldByName(k.Config, name) == nil {
		k.Config = append(k.Config, catalog.Field{Name: name, Type: "string"})
	}
}

// medias are the types of bodies, the preferred first.
var medias = []string{"application/x-www-form-urlencoded", "multipart/form-data", "multipart/related"}

// body reads the params of a body: the members of its schema.
func (b *builder) body(o *operation, a *catalog.Action) {
	media, proxy := "", (*base.SchemaProxy)(nil)
	for name, m := range o.body.Content.FromOldest() {
		name, _, _ = strings.Cut(strings.ToLower(name), ";")
		json := strings.HasSuffix(name, "json")
		if media == "" || json && !slices.Contains(medias, media) && !strings.HasSuffix(media, "json") ||
			b.result.Family && slices.Contains(medias, name) {
			media, proxy = name, m.Schema
		}
	}
	switch {
	case media == "":
		return
	case media == "application/x-www-form-urlencoded":
		a.Binding.Encoding = "form"
	case strings.HasPrefix(media, "multipart/"):
		b.leave("%s: files of a %s body are not sent", o.name(), media)
	case media != "application/json":
		if strings.HasSuffix(media, "json") {
			a.Binding.Headers = append(a.Binding.Headers, catalog.Pair{Name: "Content-Type", Value: media})
		} else if media != "*/*" {
			b.leave("%s: a body of type %s is not sent", o.name(), media)
			return
		}
	}
	b.shapes.deep = paramLevels + 1
	f := b.shapes.field(proxy)
	needed := o.body.Required != nil && *o.body.Required
	if len(f.Members) == 0 && (f.Accepts("array") || f.Values != nil) {
		f.Name, f.In, f.Required = "body", "body", needed
		if a.Param("body") == nil {
			a.Binding.BodyParam = "body"
			a.Params = append(a.Params, f)
		}
		return
	}
	a.FreeBody = len(f.Members) == 0
	for _, m := range f.Members {
		m.In = "body"
		m.Send = m.Default != nil && !unsent(proxy, m.Name)
		if !b.result.Family { // a plain definition's default says what the server does by itself
			m.Send = false
		}
		if a.Param(m.Name) != nil {
			b.leave("%s: the body's member %s has the name of another param", o.name(), m.Name)
			continue
		}
		a.Params = append(a.Params, m)
	}
}

// unsent reports whether a key of our own says that a member's default is not sent.
func unsent(body *base.SchemaProxy, name string) bool {
	schema := body.Schema()
	if schema == nil || schema.Properties == nil {
		return false
	}
	p, ok := schema.Properties.Get(name)
	if !ok || p.Schema() == nil {
		return false
	}
	n := extensions{p.Schema().Extensions}.node(ours + "send")
	return n.exists() && !n.flag()
}

// pathParams holds the {names} of a path and the params in it together.
func (b *builder) pathParams(a *catalog.Action) {
	path := a.Binding.Path
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	path, _, _ = strings.Cut(path, "#")
	named := map[string]bool{}
	for _, m := range braces.FindAllStringSubmatch(path, -1) {
		named[m[1]] = true
		if f := a.Param(m[1]); f != nil {
			f.In, f.Required = "path", true
		} else if catalog.FieldByName(b.kind().Config, m[1]) == nil && m[1] != "" {
			a.Params = append(a.Params, catalog.Field{Name: m[1], Type: "string", In: "path", Required: true})
		}
	}
	fileAt := ""
	if d := a.Binding.Download; d != nil {
		fileAt = d.URLAt
	}
	for i := range a.Params {
		p := &a.Params[i]
		if p.In == "path" && !named[p.HTTPName()] && !strings.Contains(fileAt, "{"+p.Name+"}") {
			b.leave("%s %s: the path has no place for its param %s", a.Binding.Method, path, p.Name)
			p.In, p.Required = "query", false
		}
	}
	a.Binding.Path = path
}

var step = regexp.MustCompile(`\[['"]([^'"]+)['"]\]`)

// place turns a JSONPath into a path of the catalog. ok is false for what has no such form.
func place(jsonPath string) (path string, ok bool) {
	if strings.HasPrefix(jsonPath, "@link.") || strings.HasPrefix(jsonPath, "@header.") {
		return jsonPath, true
	}
	path = strings.TrimPrefix(strings.TrimSpace(jsonPath), "$")
	path = strings.TrimPrefix(path, ".")
	if strings.ContainsAny(path, "?()") || strings.Contains(path, "..") {
		return "", false
	}
	path = step.ReplaceAllString(path, `["$1"]`)
	return strings.ReplaceAll(path, ".*", "[*]"), true
}

// answer reads where records, meta fields and files stand in what comes back.
func (b *builder) answer(o *operation, a *catalog.Action, entity string) {
	schema := b.response(o)
	records := o.ext.node(family + "record-extractor").text()
	if path, ok := place(records); ok {
		a.Binding.Records = path
	} else {
		b.leave("%s: the records at %s cannot be read; the whole answer is shown", o.name(), records)
	}
	if records == "" && a.Name == catalog.ActionList {
		if path, ok := listIn(b.shapes, schema, entity); ok {
			a.Binding.RecordsInBody = path
		}
	}
	b.meta(o, a, schema)
	b.record(entity, a, schema)
	b.file(o, a)
	if o.ext.node(family + "record-transform").exists() {
		b.leave("%s: its records are changed by a template before they are shown, which is not done here", o.name())
	}
	if filter := o.ext.node(family + "record-filter"); filter.exists() {
		if drop := dropWhen(filter.text()); drop != "" {
			a.Binding.DropWhen = drop
		} else {
			b.leave("%s: its records are filtered by a template, which is not done here", o.name())
		}
	}
	a.Binding.Probe = o.ext.node(family + "preferred-for-check").flag()
	a.Binding.Untested = o.ext.node(family + "untested").flag()
	b.pages(o, a, schema)
}

var notField = regexp.MustCompile(`^\{\{\s*(?:not\s+record\.(\w+)|record\.(\w+)\s*(?:==|!=)\s*(\w+)\s*|` +
	`not\s+record\.get\(['"](\w+)['"](?:,\s*\w+)?\)\s*)\s*\}\}$`)

// dropWhen turns the filter that keeps records into the condition that drops them.
func dropWhen(filter string) string {
	m := notField.FindStringSubmatch(strings.TrimSpace(filter))
	switch {
	case m == nil:
	case m[1]+m[4] != "":
		return m[1] + m[4] + " == true"
	case strings.Contains(filter, "!="):
		return m[2] + " == " + strings.ToLower(m[3])
	case strings.EqualFold(m[3], "false"):
		return m[2] + " == true"
	case strings.EqualFold(m[3], "true"):
		return m[2] + " == false"
	}
	return ""
}

// response is the schema of the answer: that of 200, else of 201, else of any success.
func (b *builder) response(o *operation) *base.SchemaProxy {
	if o.responses == nil {
		return nil
	}
	for _, want := range []string{"200", "201", "202", "203", "206", "2XX", "2xx", "default"} {
		r, ok := o.responses.Get(want)
		if !ok || r == nil || r.Content == nil {
			continue
		}
		var any *base.SchemaProxy
		for name, m := range r.Content.FromOldest() {
			name, _, _ = strings.Cut(strings.ToLower(name), ";")
			if m.Schema != nil && strings.HasSuffix(name, "json") {
				return m.Schema
			}
			if m.Schema != nil && (name == "*/*" || name == "") {
				any = m.Schema
			}
		}
		if any != nil {
			return any
		}
	}
	return nil
}

// meta reads the fields beside the records.
func (b *builder) meta(o *operation, a *catalog.Action, schema *base.SchemaProxy) {
	o.ext.node(family + "meta-extractor").each(func(name string, v node) {
		path, ok := place(v.text())
		if !ok || path == "" {
			b.leave("%s: the meta field %s at %s cannot be read", o.name(), name, v.text())
			return
		}
		f := catalog.Field{Type: "string", Nullable: true, Source: a.Source}
		if !strings.HasPrefix(path, "@") {
			f = b.shapes.at(schema, path, 1)
		}
		f.Name, f.Required, f.Members, f.Items = name, false, nil, nil
		a.Meta = append(a.Meta, f)
		a.Binding.Meta = append(a.Binding.Meta, catalog.Pair{Name: name, Value: path})
	})
}

// file reads how a download finds its file.
func (b *builder) file(o *operation, a *catalog.Action) {
	if a.Name != catalog.ActionDownload {
		return
	}
	d := &catalog.Download{Steps: 1, Headers: []catalog.Pair{{Name: "Accept", Value: "*/*"}}}
	if at := o.ext.node(family + "file-url").text(); at != "" {
		d.Steps, d.URLAt = 2, at
	}
	for _, name := range []string{"range_header", "Range", "range"} {
		if a.Param(name) != nil {
			d.RangeParam = name
			d.Headers = append(d.Headers, catalog.Pair{Name: "Range", Value: "${" + name + "}"})
			break
		}
	}
	a.Binding.Download = d
	b.pathParams(a)
}
