package definition

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

// Export writes a kind as a definition of the service's family, in OpenAPI 3.1. What
// neither has a word for stands under keys of our own, and nothing else does: Import
// reads the kind back equal.
func Export(k *catalog.Kind) ([]byte, error) {
	x := &exporter{kind: k, operations: map[*catalog.Action]*yaml.Node{}}
	doc := x.document()
	bare, err := encode(doc)
	if err != nil {
		return nil, err
	}
	read, err := Import(bare, Options{From: k.Name})
	if read == nil {
		return nil, err
	}
	// As it is once its file is read.
	got, _ := source.Parse(k.Name, source.Write(read.Kind))
	x.own(doc, got)
	return encode(doc)
}

// exporter makes a definition of a kind.
type exporter struct {
	kind       *catalog.Kind
	operations map[*catalog.Action]*yaml.Node
	paths      *yaml.Node
}

func (x *exporter) document() *yaml.Node {
	k := x.kind
	info := object("title", first(k.System, k.Name), "version", "1", "description", k.Doc,
		family+"connector-name", k.ConnectorType, family+"connector-definition-id", k.DefinitionID,
		family+"context-store", x.store(), family+"entity-relationships", x.relations(),
		family+"replication-config", x.configuration())
	x.paths = object()
	schemas := object()
	for i := range k.Entities {
		e := &k.Entities[i]
		if len(e.Record) > 0 {
			record := objectSchema(e.Record, e.Source)
			add(record, "description", e.Doc)
			add(record, family+"entity-name", e.Name)
			add(schemas, e.Name, record)
		}
		for j := range e.Actions {
			if e.Actions[j].Binding != nil {
				x.operation(e, &e.Actions[j])
			}
		}
	}
	doc := object("openapi", "3.1.0", "info", info)
	if servers := x.servers(); len(servers.Content) > 0 {
		add(doc, "servers", servers)
	}
	add(doc, "paths", x.paths)
	add(doc, "components", object("schemas", schemas, "securitySchemes", x.schemes()))
	add(doc, ours+"kind", object())
	return doc
}

func list(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

// store tells which fields the service's own search knows.
func (x *exporter) store() *yaml.Node {
	all := list()
	for i := range x.kind.Entities {
		e := &x.kind.Entities[i]
		if e.Action(catalog.ActionContextStoreSearch) == nil || len(e.Search) == 0 {
			continue
		}
		fields := list()
		for j := range e.Search {
			f := &e.Search[j]
			one := fieldSchema(f, e.Source)
			one.Content = append([]*yaml.Node{text("name"), text(f.Name)}, one.Content...)
			fields.Content = append(fields.Content, one)
		}
		all.Content = append(all.Content, object("entity", e.Name, "fields", fields))
	}
	if len(all.Content) == 0 {
		return nil
	}
	return object("entities", all)
}

func (x *exporter) relations() *yaml.Node {
	all := list()
	for _, r := range x.kind.Relations {
		all.Content = append(all.Content, object("source_entity", r.From, "target_entity", r.To, "foreign_key", r.Field,
			"target_key", r.Key))
	}
	if len(all.Content) == 0 {
		return nil
	}
	return all
}

// configuration tells the values that stand in no address.
func (x *exporter) configuration() *yaml.Node {
	properties, required := object(), []string(nil)
	for i := range x.kind.Config {
		if f := &x.kind.Config[i]; !f.ServerVariable {
			add(properties, f.Name, fieldSchema(f, x.kind.Source))
			if f.Required {
				required = append(required, f.Name)
			}
		}
	}
	if len(properties.Content) == 0 {
		return nil
	}
	return object("title", x.kind.Title, "properties", properties, "required", required)
}

func (x *exporter) servers() *yaml.Node {
	all := list()
	if x.kind.Local == nil {
		return all
	}
	for _, at := range append([]string{x.kind.Local.BaseURL}, x.kind.Local.Servers...) {
		variables := object()
		for _, m := range braces.FindAllStringSubmatch(at, -1) {
			f := x.kind.ConfigField(m[1])
			if f == nil {
				continue
			}
			v := object("default", first(strings.Trim(string(f.Default), `"`), "your-"+m[1]), "description", f.Doc)
			if enum := list(); len(f.Enum) > 0 {
				for _, e := range f.Enum {
					enum.Content = append(enum.Content, text(strings.Trim(string(e), `"`)))
				}
				add(v, "enum", enum)
			}
			add(variables, m[1], v)
		}
		server := object("url", at)
		if len(variables.Content) > 0 {
			add(server, "variables", variables)
		}
		all.Content = append(all.Content, server)
	}
	return all
}

// schemes tell the ways to sign calls.
func (x *exporter) schemes() *yaml.Node {
	all := object()
	if x.kind.Local == nil {
		return all
	}
	for i := range x.kind.Local.Auth {
		a := &x.kind.Local.Auth[i]
		var m catalog.Method
		for _, one := range x.kind.Credentials {
			fits := (a.Method == "" || one.Method == a.Method) && (a.Option == "" || one.Option == a.Option)
			if fits && !one.Unavailable {
				m = one
				break
			}
		}
		add(all, first(a.Option, m.Option, first(a.Method, m.Method, "credentials")), schemeNode(a, &m))
	}
	return all
}

func schemeNode(a *catalog.Auth, m *catalog.Method) *yaml.Node {
	properties, required := object(), []string(nil)
	for i := range m.Fields {
		f := &m.Fields[i]
		add(properties, f.Name, object("type", f.Type, "description", f.Doc))
		if f.Required {
			required = append(required, f.Name)
		}
	}
	config := object("type", "object", "title", m.Title, "properties", properties, "required", required)
	mapping := func(pairs ...string) {
		targets := object()
		for i := 0; i < len(pairs); i += 2 {
			add(targets, pairs[i], pairs[i+1])
		}
		add(config, "auth_mapping", targets)
	}
	var scheme *yaml.Node
	name, value := "Authorization", ""
	if len(a.Headers) > 0 {
		name, value = a.Headers[0].Name, a.Headers[0].Value
	}
	basic, isBasic := strings.CutPrefix(value, "Basic base64(")
	token, isBearer := strings.CutPrefix(value, "Bearer ")
	switch {
	case a.Refresh != nil:
		scopes := object()
		for _, s := range m.Scopes {
			add(scopes, s, text(s))
		}
		url := strings.ReplaceAll(a.Refresh.URL, "${", "{")
		scheme = object("type", "oauth2", "flows", object("authorizationCode",
			object("authorizationUrl", url, "tokenUrl", url, "refreshUrl", url, "scopes", scopes)))
		mapping("refresh_token", "${refresh_token}", "client_id", "${client_id}", "client_secret", "${client_secret}")
	case isBasic && name == "Authorization":
		user, password, _ := strings.Cut(strings.TrimSuffix(basic, ")"), ":")
		scheme = object("type", "http", "scheme", "basic")
		mapping("username", user, "password", password)
	case isBearer && name == "Authorization":
		scheme = object("type", "http", "scheme", "bearer")
		mapping("token", token)
	case len(a.Query) > 0:
		scheme = object("type", "apiKey", "in", "query", "name", a.Query[0].Name)
		mapping("api_key", a.Query[0].Value)
	default:
		scheme = object("type", "apiKey", "in", "header", "name", name)
		mapping("api_key", value)
	}
	add(scheme, family+"auth-config", config)
	return scheme
}

// operation adds the request of an action.
func (x *exporter) operation(e *catalog.Entity, a *catalog.Action) {
	b := a.Binding
	o := object("operationId", e.Name+"_"+a.Name, "description", a.Doc, family+"entity", e.Name,
		family+"action", a.Name)
	path, method := b.Path, strings.ToLower(b.Method)
	item := child(x.paths, path)
	if item != nil && child(item, method) != nil || b.GraphQL != nil {
		add(o, family+"path-override", object("path", path))
		path += ":" + e.Name + ":" + a.Name
		item = nil
	}
	if b.Records != "" {
		add(o, family+"record-extractor", jsonPath(b.Records))
	}
	meta := object()
	for _, m := range b.Meta {
		add(meta, m.Name, jsonPath(m.Value))
	}
	if len(meta.Content) > 0 {
		add(o, family+"meta-extractor", meta)
	}
	add(o, family+"preferred-for-check", b.Probe)
	add(o, family+"untested", b.Untested)
	if b.Download != nil {
		add(o, family+"file-url", b.Download.URLAt)
	}
	if a.Page != nil && a.Page.Style == "none" && len(b.Meta) == 0 {
		add(o, family+"no-pagination", "there is one page")
	}
	x.params(o, a)
	add(o, "responses", object("200", object("description", "ok",
		"content", object("application/json", object("schema", x.answer(e, a))))))
	x.operations[a] = o
	if item == nil {
		item = object()
		add(x.paths, path, item)
	}
	add(item, method, o)
}

// jsonPath writes a path of the catalog as the family does.
func jsonPath(path string) string {
	switch {
	case strings.HasPrefix(path, "@"):
		return path
	case strings.HasPrefix(path, "["):
		return "$" + path
	}
	return "$." + path
}

// params adds those of path, query and header, and the body.
func (x *exporter) params(o *yaml.Node, a *catalog.Action) {
	params, members := list(), []catalog.Field(nil)
	for i := range a.Params {
		f := &a.Params[i]
		if f.In == "body" {
			members = append(members, *f)
			continue
		}
		in := f.In
		if in != "path" && in != "header" {
			in = "query"
		}
		p := object("name", f.Name, "in", in)
		add(p, "required", f.Required)
		add(p, "schema", fieldSchema(f, a.Source))
		if f.In != in {
			add(p, ours+"in", f.In)
		}
		if in == "header" && f.Default != nil && !f.Send {
			add(p, ours+"send", plainNode(reflect.ValueOf(false)))
		}
		params.Content = append(params.Content, p)
	}
	if len(params.Content) > 0 {
		add(o, "parameters", params)
	}
	if g := a.Binding.GraphQL; g != nil {
		query := first(g.Document, documentOf(g))
		body := object("type", "graphql", "query", strings.ReplaceAll(query, "{fields}", "{{ fields }}"))
		add(body, "variables", variablesOf(g))
		add(body, "default_fields", g.Fields)
		add(o, "requestBody", object(family+"body-type", body, "content", object("application/json",
			object("schema", object("type", "object")))))
		return
	}
	if len(members) == 0 && !a.FreeBody {
		return
	}
	schema := objectSchema(members, a.Source)
	if a.Binding.Encoding == "form" {
		add(o, "requestBody", object("content", object("application/x-www-form-urlencoded", object("schema", schema))))
		return
	}
	add(o, "requestBody", object("content", object("application/json", object("schema", schema))))
}

// answer describes what comes back: the records at their place.
func (x *exporter) answer(e *catalog.Entity, a *catalog.Action) *yaml.Node {
	leaf := object("type", "object")
	if len(e.Record) > 0 {
		leaf = object("$ref", "#/components/schemas/"+e.Name)
	}
	if a.Name == catalog.ActionList || a.Name == catalog.ActionAPISearch {
		leaf = object("type", "array", "items", leaf)
	}
	steps := strings.Split(strings.ReplaceAll(cmp.Or(a.Binding.Records, a.Binding.RecordsInBody), "[*]", ""), ".")
	for _, step := range slices.Backward(steps) {
		if step != "" && !strings.Contains(step, "[") {
			leaf = object("type", "object", "properties", object(step, leaf))
		}
	}
	return leaf
}

// own adds what the definition does not say yet, under keys of our own.
func (x *exporter) own(doc *yaml.Node, got *catalog.Kind) {
	entities := object()
	for i := range x.kind.Entities {
		e := &x.kind.Entities[i]
		g := got.Entity(e.Name)
		if g == nil {
			g = &catalog.Entity{Name: e.Name}
		}
		keys := different(e, g, "actions", "name")
		if keys == nil {
			keys = object()
		}
		more, order := list(), []string(nil)
		for j := range e.Actions {
			a := &e.Actions[j]
			order = append(order, a.Name)
			has := g.Action(a.Name)
			if o := x.operations[a]; o != nil && has != nil {
				x.ownAction(o, a, has)
			} else if has == nil || !reflect.DeepEqual(*a, *has) {
				more.Content = append(more.Content, plainNode(reflect.ValueOf(*a)))
			}
		}
		if len(more.Content) > 0 {
			add(keys, "more", more)
		}
		if names := g.ActionNames(); !slices.Equal(names, order) {
			add(keys, "order", order)
		}
		add(entities, e.Name, keys)
	}
	kind := different(x.kind, got, "entities")
	if kind == nil {
		kind = object()
	}
	for i := 0; i+1 < len(doc.Content); i += 2 {
		if doc.Content[i].Value == ours+"kind" {
			doc.Content[i+1] = kind
		}
	}
	add(doc, ours+"entities", entities)
}

func (x *exporter) ownAction(o *yaml.Node, a, got *catalog.Action) {
	skip := []string{"name", "binding"}
	order := catalog.FieldNames(a.Params)
	if !slices.Equal(order, catalog.FieldNames(got.Params)) && len(order) == len(got.Params) {
		got.Params = sorted(got.Params, order)
	} else {
		order = nil
	}
	keys := different(a, got, skip...)
	if keys == nil {
		keys = object()
	}
	add(keys, "order", order)
	if http := different(a.Binding, got.Binding); http != nil {
		add(keys, "http", http)
	}
	if len(keys.Content) > 0 {
		add(o, ours+"action", keys)
	}
}

// sorted are fields in the order of names.
func sorted(fields []catalog.Field, names []string) []catalog.Field {
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b catalog.Field) int {
		return slices.Index(names, a.Name) - slices.Index(names, b.Name)
	})
	return fields
}
