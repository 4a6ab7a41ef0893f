package source

import (
	"cmp"
	_ "embed"
	"reflect"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/strictyaml"
)

func note(n strictyaml.Node, v reflect.Value) {
	if n.IsMapping() {
		n.FillStruct(v)
		return
	}
	one := v.Addr().Interface().(*catalog.Note)
	*one = catalog.Note{Source: n.Context.(catalog.Source)}
	n.Decode(&one.Text)
}

// named reads entities or actions: a mapping from name to description. It says
// where the mark of a destructive action comes from when its file does not.
func (r *reader) named(n strictyaml.Node, v reflect.Value) {
	all := elementsOf(v)
	n.Each(func(key string, value strictyaml.Node) {
		element := all.named(key)
		value.Fill(element)
		element.FieldByName("Name").SetString(key)
		a, ok := element.Addr().Interface().(*catalog.Action)
		switch {
		case !ok || !a.Destructive || !value.Child("destructive").Exists():
		case r.force != "":
			a.DestructiveSource = r.force
		case !value.Child("destructive_source").Exists():
			a.DestructiveSource = catalog.Derived
		}
	})
}

// elements are those of a slice by their names.
type elements struct {
	slice reflect.Value
	at    map[string]int
}

func elementsOf(slice reflect.Value) elements {
	e := elements{slice, make(map[string]int, slice.Len())}
	for i := range slice.Len() {
		name := slice.Index(i).FieldByName("Name").String()
		if _, taken := e.at[name]; !taken {
			e.at[name] = i
		}
	}
	return e
}

// named is the element that has the name, added when missing.
func (e elements) named(name string) reflect.Value {
	i, ok := e.at[name]
	if !ok {
		i = e.slice.Len()
		e.at[name] = i
		e.slice.Set(reflect.Append(e.slice, reflect.Zero(e.slice.Type().Elem())))
	}
	return e.slice.Index(i)
}

func pairs(n strictyaml.Node, v reflect.Value) {
	all := elementsOf(v)
	n.Each(func(key string, value strictyaml.Node) {
		if !value.IsScalar() {
			value.Bad("expected a single value for the name before the colon")
			return
		}
		all.named(key).Set(reflect.ValueOf(catalog.Pair{Name: key, Value: value.Value()}))
	})
}

// auths takes one mapping or a list of them.
func auths(n strictyaml.Node, v reflect.Value) {
	if n.IsList() {
		n.FillSlice(v)
		return
	}
	var one catalog.Auth
	n.Decode(&one)
	v.Set(reflect.ValueOf([]catalog.Auth{one}))
}

// auth understands the short form {header: NAME, value: TEMPLATE}.
func auth(n strictyaml.Node, v reflect.Value) {
	header, value := n.Child("header"), n.Child("value")
	if header.Exists() != value.Exists() {
		n.Bad("header and value belong together")
		return
	}
	if !header.Exists() {
		n.FillStruct(v)
		return
	}
	n.Without("header", "value").FillStruct(v)
	one := v.Addr().Interface().(*catalog.Auth)
	one.Headers = append(one.Headers, catalog.Pair{Name: header.Value(), Value: value.Value()})
}

// listed reads a mapping into a list, in order; parts are the places in an element
// of a key and of its value. "$" stands for the record itself.
func listed[T any](parts func(*T) (key *string, value any)) func(strictyaml.Node, reflect.Value) {
	return func(n strictyaml.Node, v reflect.Value) {
		var all []T
		n.Each(func(key string, value strictyaml.Node) {
			var one T
			name, target := parts(&one)
			value.Decode(target)
			*name = strings.TrimPrefix(strings.TrimPrefix(key, "$"), ".")
			all = append(all, one)
		})
		v.Set(reflect.ValueOf(all))
	}
}

// page takes a mapping or just the style: "page: none".
func page(n strictyaml.Node, v reflect.Value) {
	p := v.Addr().Interface().(*catalog.Page)
	if n.IsScalar() {
		*p = catalog.Page{Source: n.Context.(catalog.Source)}
		n.Decode(&p.Style)
		return
	}
	n.FillStruct(v)
	switch {
	case p.Style != "":
	case strings.HasPrefix(p.Next, "last."):
		p.Style = "last_id"
	case strings.HasPrefix(p.Next, "@link."):
		p.Style = "link"
	case p.Send != "":
		p.Style = "cursor"
	default:
		p.Style = "none"
	}
}

// binding takes a mapping or the short form "GET /v1/customers".
func (r *reader) binding(n strictyaml.Node, v reflect.Value) {
	if !n.IsScalar() {
		n.FillStruct(v)
		return
	}
	method, path, ok := strings.Cut(n.Value(), " ")
	if !ok {
		n.Bad("expected a method and a path, such as \"GET /v1/customers\", found %q", n.Value())
		return
	}
	b := catalog.Binding{Method: method, Path: strings.TrimSpace(path), Source: catalog.Upstream}
	if r.force != "" {
		b.Source = r.force
	}
	v.Set(reflect.ValueOf(b))
}

var typeNames = []string{"string", "integer", "number", "boolean", "object", "array", "any", "null"}

// field takes a type ("string|null") or a mapping of attributes. Null in a union
// moves into Nullable.
func (r *reader) field(n strictyaml.Node, v reflect.Value) {
	f := v.Addr().Interface().(*catalog.Field)
	if n.IsScalar() || n.Child("type").Exists() {
		f.Nullable = false
	}
	if n.IsScalar() {
		f.Source = n.Context.(catalog.Source)
		n.Decode(&f.Type)
	} else {
		n.FillStruct(v)
		switch { // a type that other attributes leave no doubt about may be left out
		case f.Type != "":
		case f.Items != nil:
			f.Type = "array"
		case f.Members != nil, f.Values != nil:
			f.Type = "object"
		}
	}
	if f.Type == "" {
		n.Bad("a field needs a type: string, integer, number, boolean, object, array, any, or several joined with |")
		return
	}
	var kept []string
	for _, t := range strings.Split(f.Type, "|") {
		switch t = strings.TrimSpace(t); {
		case t == "null":
			f.Nullable = true
		case slices.Contains(typeNames, t):
			kept = append(kept, t)
		default:
			n.Bad("unknown type %q%s", t, strictyaml.DidYouMean(t, typeNames))
		}
	}
	f.Type = strings.Join(kept, "|")
}

// fields takes an ordered mapping from name to field, or a list of fields with names.
func (r *reader) fields(n strictyaml.Node, v reflect.Value) {
	if v.IsNil() {
		v.Set(reflect.ValueOf([]catalog.Field{}))
	}
	if n.IsList() {
		fieldList(n, v)
		return
	}
	all := elementsOf(v)
	n.Each(func(key string, value strictyaml.Node) {
		f := all.named(key).Addr().Interface().(*catalog.Field)
		f.Name = ""
		value.Decode(f)
		if f.Name != "" {
			value.BadKey("the name stands before the colon: remove the key name")
		}
		f.Name = key
	})
}

func fieldList(n strictyaml.Node, v reflect.Value) {
	seen, all := map[string]bool{}, elementsOf(v)
	for _, item := range n.Items() {
		var f catalog.Field
		item.Decode(&f)
		switch {
		case f.Name == "":
			item.Bad("a field in a list needs a name")
		case seen[f.Name]:
			item.Bad("the field %q stands twice", f.Name)
		}
		seen[f.Name] = true
		all.named(f.Name).Set(reflect.ValueOf(f))
	}
}

// Complete fills what every file may leave to the reader: the params and meta
// of context_store_search, the place of each param in its request, and the
// sentences of fields that are given once.
func Complete(k *catalog.Kind) {
	searches := map[catalog.Source]catalog.Action{}
	for i := range k.Entities {
		e := &k.Entities[i]
		inheritDocs(e.Record, e.Search)
		for j := range e.Actions {
			a := &e.Actions[j]
			inheritDocs(e.Record, a.Record)
			if a.Name == catalog.ActionContextStoreSearch {
				if _, read := searches[a.Source]; !read {
					searches[a.Source] = commonSearch(a.Source)
				}
				a.HostedOnly = true
				if a.Params == nil && !a.ParamsUnknown {
					a.Params = searches[a.Source].Params
				}
				if a.Meta == nil {
					a.Meta = searches[a.Source].Meta
				}
				a.Page = cmp.Or(a.Page, searches[a.Source].Page)
			}
			if a.Binding != nil {
				placeParams(a)
			}
		}
	}
}

// commonSearch is what every search has, as a fact of a source.
func commonSearch(from catalog.Source) (common catalog.Action) {
	newReader("search.yaml", searchYAML).file.Root().With(from).Decode(&common)
	common.Page.Source = from
	return common
}

// inheritDocs gives fields without a sentence the one of the record's field of
// the same name: what is searched by, and what one action returns, is that field.
func inheritDocs(record, fields []catalog.Field) {
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

// searchYAML is the search request and envelope that the platform document states
// for every kind.
//
//go:embed search.yaml
var searchYAML []byte

// placeParams says where in the request each param goes whose file does not say.
func placeParams(a *catalog.Action) {
	for i := range a.Params {
		p := &a.Params[i]
		switch {
		case p.In != "":
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
