package catalog

import (
	"encoding/json"
	"strings"
)

// normalize fills what every file may leave to the reader: the params and meta
// of context_store_search, the place of each param in its request, and the
// sentences of fields that are told once.
func normalize(k *Kind) {
	for i := range k.Entities {
		e := &k.Entities[i]
		inheritDocs(e.Record, e.Search)
		for j := range e.Actions {
			a := &e.Actions[j]
			inheritDocs(e.Record, a.Record)
			if a.Name == ActionContextStoreSearch {
				commonSearch(a)
			}
			if a.Binding != nil {
				placeParams(a)
			}
		}
	}
}

// inheritDocs gives fields without a sentence the one of the record's field of
// the same name: what is searched by, and what one action returns, is that field.
func inheritDocs(record, fields []Field) {
	if len(record) == 0 || len(fields) == 0 {
		return
	}
	docs := make(map[string]string, len(record))
	for i := range record {
		docs[record[i].Name] = record[i].Doc
	}
	for i := range fields {
		if fields[i].Doc == "" {
			fields[i].Doc = docs[fields[i].Name]
		}
	}
}

// commonSearch gives an action the search request and envelope that the platform
// document states for every kind.
func commonSearch(a *Action) {
	a.HostedOnly = true
	if a.Params == nil && !a.ParamsUnknown {
		a.Params = searchParams(a.Source)
	}
	if a.Meta == nil {
		a.Meta = []Field{
			{Name: "has_more", Type: "boolean", Doc: "Whether more pages exist.", Source: a.Source},
			{Name: "cursor", Type: "string", Nullable: true, Doc: "Asks for the next page.", Source: a.Source},
			{Name: "took_ms", Type: "number", Nullable: true, Doc: "How long the query ran, in milliseconds.", Source: a.Source},
		}
	}
	if a.Page == nil {
		a.Page = &Page{Style: "cursor", Send: "cursor", Next: "meta.cursor", Meta: "cursor", More: "has_more",
			Size: "limit", DefaultSize: 1000, Source: a.Source}
	}
}

func searchParams(source Source) []Field {
	object := func() *Field { return &Field{Type: "object", Source: source} }
	return []Field{
		{Name: "query", Type: "object", Required: true, Doc: "Filter and sort conditions.", Source: source, Members: []Field{
			{Name: "filter", Type: "object", Doc: "One operator key over field-to-value pairs; none selects everything.", Source: source},
			{Name: "sort", Type: "array", Items: object(), Upstream: []string{"items"}, Source: source,
				Doc: "Sort keys in order, each {field: asc} or {field: desc}."},
		}},
		{Name: "limit", Type: "integer", Default: json.RawMessage("1000"), Doc: "Most results in one answer.", Source: source},
		{Name: "cursor", Type: "string", Doc: "Next page: cursor of the answer before.", Source: source},
		{Name: "fields", Type: "array", Items: &Field{Type: "string", Source: source}, Upstream: []string{"items"}, Source: source,
			Doc: "Field paths to return; all when left out."},
	}
}

// placeParams says where in the request each param goes whose file does not say.
func placeParams(a *Action) {
	for i := range a.Params {
		p := &a.Params[i]
		if p.In != "" {
			continue
		}
		switch {
		case strings.Contains(a.Binding.Path, "{"+p.HTTPName()+"}"):
			p.In = "path"
		case a.Binding.GraphQL != nil:
			p.In = "variable"
		case a.Binding.Method == "GET" || a.Binding.Method == "DELETE" || a.Binding.Method == "HEAD":
			p.In = "query"
		default:
			p.In = "body"
		}
	}
}
