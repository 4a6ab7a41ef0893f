package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/strictyaml"
)

// Write writes a kind as a connector file, which Parse reads back equal. What the reader
// fills in by itself is left out. A kind of the user's own files names no sources, since
// everything in it is the user's.
func Write(k *catalog.Kind) []byte {
	w := writer{sources: k.Source != catalog.User}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	node := w.value(reflect.ValueOf(*k), catalog.Documented)
	if err := cmp.Or(enc.Encode(node), enc.Close()); err != nil {
		panic(err) // a tree of plain values always encodes
	}
	return b.Bytes()
}

// writer makes YAML nodes of values; ctx is the source that they inherit.
type writer struct{ sources bool }

func (w writer) value(v reflect.Value, ctx catalog.Source) *yaml.Node {
	switch one := v.Interface().(type) {
	case json.RawMessage:
		return jsonNode(rawjson.Parse(one))
	case catalog.Note:
		if !w.sources || one.Source == ctx {
			return textNode(one.Text)
		}
	case catalog.Field:
		return w.field(&one, ctx)
	case catalog.Action:
		v = reflect.ValueOf(lean(one))
	case catalog.Entity:
		v = reflect.ValueOf(leanEntity(one))
	case catalog.Binding:
		if reflect.DeepEqual(one, catalog.Binding{Method: one.Method, Path: one.Path, Source: one.Source}) &&
			(!w.sources || one.Source == catalog.Upstream) {
			return textNode(one.Method + " " + one.Path)
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return w.value(v.Elem(), ctx)
	case reflect.Struct:
		return w.mapping(v, ctx)
	case reflect.Slice:
		return w.list(v, ctx)
	case reflect.Map:
		out := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int {
			return strings.Compare(a.String(), b.String())
		}) {
			put(out, key.String(), w.value(v.MapIndex(key), ctx))
		}
		return out
	case reflect.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v.Bool())}
	case reflect.Int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(v.Int(), 10)}
	case reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'f', -1, 64)
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	default:
		return textNode(v.String())
	}
}

// mapping writes the fields of a struct that are not zero.
func (w writer) mapping(v reflect.Value, ctx catalog.Source) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	inner := w.source(v, ctx)
	for i, key := range strictyaml.Keys(v.Type()) {
		switch f := v.Field(i); {
		case key == "" || key == "source" || f.IsZero():
		case key == "search_unknown":
			put(out, "search", textNode("unknown"))
		case key == "params_unknown":
			put(out, "params", textNode("unknown"))
		case key == "destructive":
			put(out, key, w.value(f, inner))
			if from := v.FieldByName("DestructiveSource").Interface().(catalog.Source); w.sources &&
				from != catalog.Derived {
				put(out, "destructive_source", sourceNode(from))
			}
		case key == "destructive_source":
		default:
			put(out, key, w.value(f, inner))
		}
	}
	if f := v.FieldByName("Source"); w.sources && f.IsValid() && inner != inherited(v, ctx) {
		put(out, "source", sourceNode(inner))
	}
	return out
}

// source is where the facts in a struct come from.
func (w writer) source(v reflect.Value, ctx catalog.Source) catalog.Source {
	if f := v.FieldByName("Source"); f.IsValid() {
		return f.Interface().(catalog.Source)
	}
	return inherited(v, ctx)
}

// inherited is the source that the reader takes where a file names none.
func inherited(v reflect.Value, ctx catalog.Source) catalog.Source {
	switch v.Interface().(type) {
	case catalog.Relation:
		return catalog.Derived
	case catalog.Binding, catalog.Local, catalog.Page, catalog.Semantic:
		return catalog.Upstream
	}
	return ctx
}

// field writes a type where there is nothing but that.
func (w writer) field(f *catalog.Field, ctx catalog.Source) *yaml.Node {
	kind := f.Type
	if f.Nullable {
		kind += "|null"
	}
	if !w.sources {
		ctx = f.Source
	}
	bare := catalog.Field{Name: f.Name, Type: f.Type, Nullable: f.Nullable, Source: ctx}
	if reflect.DeepEqual(*f, bare) {
		return textNode(kind)
	}
	rest := *f
	rest.Name, rest.Type, rest.Nullable = "", kind, false
	return w.mapping(reflect.ValueOf(rest), ctx)
}

// list writes a slice: as a mapping where its elements have names, else as a list.
func (w writer) list(v reflect.Value, ctx catalog.Source) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	switch all := v.Interface().(type) {
	case []catalog.Pair:
		for _, p := range all {
			put(out, p.Name, textNode(p.Value))
		}
		return out
	case []catalog.GraphQLArgs:
		for _, a := range all {
			put(out, placeKey(a.Path), w.value(reflect.ValueOf(a.Args), ctx))
		}
		return out
	case []catalog.GraphQLSelect:
		for _, s := range all {
			put(out, placeKey(s.Path), w.value(reflect.ValueOf(s.Fields), ctx))
		}
		return out
	case []catalog.GraphQLVariable:
		for _, one := range all {
			name := one.Name
			one.Name = ""
			put(out, name, w.value(reflect.ValueOf(one), ctx))
		}
		return out
	case []catalog.Field, []catalog.Entity, []catalog.Action:
		for i := range v.Len() {
			put(out, v.Index(i).FieldByName("Name").String(), w.value(v.Index(i), ctx))
		}
		return out
	}
	out.Kind = yaml.SequenceNode
	for i := range v.Len() {
		out.Content = append(out.Content, w.value(v.Index(i), ctx))
	}
	return out
}

// placeKey writes the place of a GraphQL selection; $ is the record itself.
func placeKey(path string) string { return cmp.Or(path, "$") }

// leanEntity leaves out the sentences that fields inherit from the record.
func leanEntity(e catalog.Entity) catalog.Entity {
	e.Search = withoutDocs(e.Record, e.Search)
	e.Actions = slices.Clone(e.Actions)
	for i := range e.Actions {
		e.Actions[i].Record = withoutDocs(e.Record, e.Actions[i].Record)
	}
	return e
}

func withoutDocs(record, fields []catalog.Field) []catalog.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		if of := catalog.FieldByName(record, fields[i].Name); of != nil && of.Doc == fields[i].Doc {
			fields[i].Doc = ""
		}
	}
	return fields
}

// lean leaves out what the reader fills in: the request of context_store_search and
// the usual places of params.
func lean(a catalog.Action) catalog.Action {
	if a.Name == catalog.ActionContextStoreSearch {
		common := commonSearch(a.Source)
		a.HostedOnly = false
		if reflect.DeepEqual(a.Params, common.Params) {
			a.Params = nil
		}
		if reflect.DeepEqual(a.Meta, common.Meta) {
			a.Meta = nil
		}
		if reflect.DeepEqual(a.Page, common.Page) {
			a.Page = nil
		}
	}
	if a.Binding == nil {
		return a
	}
	usual := a
	usual.Params, a.Params = slices.Clone(a.Params), slices.Clone(a.Params)
	for i := range usual.Params {
		usual.Params[i].In = ""
	}
	placeParams(&usual)
	for i := range a.Params {
		if a.Params[i].In == usual.Params[i].In {
			a.Params[i].In = ""
		}
	}
	return a
}

func put(mapping *yaml.Node, key string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, textNode(key), value)
}

// textNode is text that no YAML reader takes for anything else.
func textNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	plain := yaml.Node{Kind: yaml.ScalarNode, Value: text}
	if misread(text) || text == "" || plain.ShortTag() != "!!str" {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func misread(word string) bool {
	return slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "<<", "="}, strings.ToLower(word))
}

func sourceNode(s catalog.Source) *yaml.Node { return textNode(string(cmp.Or(s, "spec"))) }

// jsonNode writes JSON in YAML, numbers with the text that they have.
func jsonNode(n rawjson.Node) *yaml.Node {
	switch n.Kind() {
	case rawjson.Object:
		out := &yaml.Node{Kind: yaml.MappingNode}
		for m := range n.Members() {
			put(out, m.Key(), jsonNode(m.Value))
		}
		return out
	case rawjson.Array:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for e := range n.Elems() {
			out.Content = append(out.Content, jsonNode(e))
		}
		return out
	case rawjson.String:
		return textNode(n.Text())
	case rawjson.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: n.Text()}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(n.AppendRaw(nil, 1<<10))}
}
