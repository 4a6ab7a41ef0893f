package definition

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/catalog"
)

// objectSchema is the schema of an object with these members.
func objectSchema(members []catalog.Field, from catalog.Source) *yaml.Node {
	properties, required := object(), []string(nil)
	for i := range members {
		add(properties, members[i].Name, fieldSchema(&members[i], from))
		if members[i].Required {
			required = append(required, members[i].Name)
		}
	}
	return object("type", "object", "required", required, "properties", properties)
}

// said are the attributes of a field that OpenAPI has words for.
var said = []string{"name", "type", "nullable", "items", "members", "values", "const", "enum", "required", "default",
	"min", "max", "format", "unique", "doc", "in", "send", "source", "max_items"}

// fieldSchema is the schema of a field; from is the source that it inherits.
func fieldSchema(f *catalog.Field, from catalog.Source) *yaml.Node {
	n := object()
	types := strings.Split(f.Type, "|")
	if f.Nullable {
		types = append(types, "null")
	}
	switch {
	case f.Type == "any":
		add(n, ours+"type", "any")
		if f.Nullable {
			add(n, ours+"nullable", true)
		}
	case len(types) == 1:
		add(n, "type", types[0])
	default:
		add(n, "type", types)
	}
	if sentence(f.Doc) == f.Doc {
		add(n, "description", f.Doc)
	} else {
		add(n, ours+"doc", f.Doc)
	}
	if formats[f.Format] == f.Format {
		add(n, "format", f.Format)
	}
	valueKeys(n, f)
	add(n, "uniqueItems", f.Unique)
	if f.Items != nil {
		add(n, "items", fieldSchema(f.Items, f.Source))
	}
	if f.Members != nil {
		inner := objectSchema(f.Members, f.Source)
		add(n, "properties", child(inner, "properties"))
		if r := child(inner, "required"); r != nil {
			add(n, "required", r)
		}
		if len(f.Members) == 0 {
			add(n, ours+"members", list())
		}
	}
	if f.Values != nil {
		if f.Members == nil {
			add(n, "additionalProperties", fieldSchema(f.Values, f.Source))
		} else {
			add(n, ours+"values", plainNode(reflect.ValueOf(*f.Values)))
		}
	}
	if f.In == "body" && f.Default != nil {
		add(n, ours+"send", plainNode(reflect.ValueOf(f.Send)))
	} else {
		add(n, ours+"send", f.Send && f.In != "header")
	}
	ownAttributes(n, f, from)
	return n
}

// valueKeys adds what is said of the values themselves.
func valueKeys(n *yaml.Node, f *catalog.Field) {
	add(n, "const", f.Const)
	if f.Enum != nil {
		add(n, "enum", plainNode(reflect.ValueOf(f.Enum)))
	}
	add(n, "default", f.Default)
	if f.Min != nil {
		add(n, "minimum", plainNode(reflect.ValueOf(*f.Min)))
	}
	if f.Max != nil {
		add(n, "maximum", plainNode(reflect.ValueOf(*f.Max)))
	}
	if f.MaxItems > 0 {
		add(n, "maxItems", plainNode(reflect.ValueOf(f.MaxItems)))
	}
}

// ownAttributes adds the attributes of a field that OpenAPI has no words for.
func ownAttributes(n *yaml.Node, f *catalog.Field, from catalog.Source) {
	v := reflect.ValueOf(*f)
	for i := range v.NumField() {
		name := jsonName(v.Type().Field(i))
		if name != "" && !slices.Contains(said, name) && !v.Field(i).IsZero() {
			add(n, ours+strings.ReplaceAll(name, "_", "-"), plainNode(v.Field(i)))
		}
	}
	if f.Source != from {
		add(n, ours+"source", first(string(f.Source), "spec"))
	}
}

// branch is a field of a GraphQL document with what is selected below it.
type branch struct {
	name, args string
	below      []*branch
}

// at finds the branch at a path, adding what is missing; "a<T>" is a fragment on T.
func (b *branch) at(path string) *branch {
	for step := range strings.SplitSeq(strings.ReplaceAll(path, "<", ".<"), ".") {
		if step == "" {
			continue
		}
		name := step
		if kind, ok := strings.CutPrefix(step, "<"); ok {
			name = "... on " + strings.TrimSuffix(kind, ">")
		}
		i := slices.IndexFunc(b.below, func(o *branch) bool { return o.name == name })
		if i < 0 {
			b.below = append(b.below, &branch{name: name})
			i = len(b.below) - 1
		}
		b = b.below[i]
	}
	return b
}

func (b *branch) String() string {
	out := b.name + b.args
	if len(b.below) == 0 {
		return out
	}
	out += " {"
	for _, c := range b.below {
		out += " " + c.String()
	}
	return out + " }"
}

// documentOf writes a GraphQL document from its parts, as others can read it.
func documentOf(g *catalog.GraphQL) string {
	root := &branch{name: g.Kind}
	root.at(g.Operation)
	for _, a := range g.Args {
		root.at(a.Path).args = inParentheses(a.Args, "")
	}
	for _, s := range g.Select {
		for _, name := range s.Fields {
			root.at(s.Path + "." + name)
		}
	}
	var declared []catalog.Pair
	for _, v := range g.Variables {
		declared = append(declared, catalog.Pair{Name: v.Name, Value: v.Type})
	}
	if len(declared) > 0 {
		root.args = inParentheses(declared, "$")
	}
	return root.String()
}

func inParentheses(pairs []catalog.Pair, sign string) string {
	texts := make([]string, len(pairs))
	for i, p := range pairs {
		texts[i] = sign + p.Name + ": " + p.Value
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// variablesOf are the variables of a document as the family writes them.
func variablesOf(g *catalog.GraphQL) *yaml.Node {
	out := object()
	for _, v := range g.Variables {
		add(out, v.Name, variable.ReplaceAllString(v.From, "{{ $1 }}"))
	}
	if g.Values != nil {
		add(out, "x", g.Values)
		out = child(out, "x")
		walkText(out, func(s string) string { return variable.ReplaceAllString(s, "{{ $1 }}") })
	}
	if out == nil || len(out.Content) == 0 {
		return nil
	}
	return out
}

// walkText changes every text below a value.
func walkText(n *yaml.Node, change func(string) string) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		n.Value = change(n.Value)
	}
	for _, c := range n.Content {
		walkText(c, change)
	}
}
