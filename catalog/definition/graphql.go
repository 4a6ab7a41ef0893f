package definition

import (
	"encoding/json"
	"regexp"
	"strings"

	"patchbay/catalog"
)

// bodyType is what the definition says of a GraphQL request.
func bodyType(o *operation) node {
	if o.body == nil {
		return node{}
	}
	n := extensions{o.body.Extensions}.node(family + "body-type")
	if n.child("type").text() != "graphql" {
		return node{}
	}
	return n
}

var (
	fieldsMark = regexp.MustCompile(`\{\{\s*fields\s*\}\}`)
	rootField  = regexp.MustCompile(`^\s*(query|mutation)?\b[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)`)
)

// graphQL reads a document with its variables. Its params stand in variables, and fields
// in what is selected.
func (b *builder) graphQL(o *operation, a *catalog.Action) {
	n := bodyType(o)
	query := fieldsMark.ReplaceAllString(n.child("query").text(), "{fields}")
	g := &catalog.GraphQL{Kind: "query", Document: query, Values: templates(n.child("variables").json())}
	if m := rootField.FindStringSubmatch(query); m != nil {
		g.Kind, g.Operation = first(m[1], "query"), m[2]
	}
	fields := n.child("default_fields")
	if texts := fields.texts(); fields.text() == "" && len(texts) > 0 {
		g.Fields = selection(texts)
	} else {
		g.Fields = fields.text()
	}
	a.Binding.GraphQL = g
	used := map[string]bool{}
	for _, m := range variable.FindAllStringSubmatch(string(g.Values), -1) {
		used[m[1]] = true
	}
	for i := range a.Params {
		p := &a.Params[i]
		switch {
		case p.Name == "fields" && strings.Contains(query, "{fields}"):
			p.In = "selection"
			union(p, "array")
		case p.In == "query" && used[p.Name]:
			p.In, p.Send = "variable", p.Default != nil
		}
	}
	if a.Param("fields") == nil && strings.Contains(query, "{fields}") {
		a.Params = append(a.Params, catalog.Field{Name: "fields", Type: "array", In: "selection",
			Items: &catalog.Field{Type: "string"}, Doc: "Fields of the record, dots for nesting."})
	}
	described := map[string]catalog.Field{}
	if o.body != nil && o.body.Content != nil {
		for _, media := range o.body.Content.FromOldest() {
			b.shapes.deep = paramLevels
			f := b.shapes.field(media.Schema)
			for _, m := range f.Members {
				described[m.Name] = m
			}
			if v := catalog.FieldByName(f.Members, "variables"); v != nil {
				for _, m := range v.Members {
					described[m.Name] = m
				}
			}
		}
	}
	for _, m := range variable.FindAllStringSubmatch(string(g.Values), -1) {
		if a.Param(m[1]) == nil {
			f, known := described[m[1]]
			if !known {
				f = catalog.Field{Type: "any"}
			}
			f.Name, f.In = m[1], "variable"
			a.Params = append(a.Params, f)
		}
	}
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][\w.]*)\}`)

// templates writes {{ name }} in the texts of JSON as ${name}.
func templates(values json.RawMessage) json.RawMessage {
	if values == nil {
		return nil
	}
	return json.RawMessage(jinja(string(values)))
}

// selection writes paths of fields as GraphQL: a, b.c is "a b { c }".
func selection(paths []string) string {
	var heads []string
	inner := map[string][]string{}
	for _, path := range paths {
		head, rest, nested := strings.Cut(path, ".")
		if _, seen := inner[head]; !seen {
			heads = append(heads, head)
			inner[head] = nil
		}
		if nested {
			inner[head] = append(inner[head], rest)
		}
	}
	out := make([]string, len(heads))
	for i, head := range heads {
		out[i] = head
		if len(inner[head]) > 0 {
			out[i] += " { " + selection(inner[head]) + " }"
		}
	}
	return strings.Join(out, " ")
}
