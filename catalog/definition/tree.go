package definition

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/client/rawjson"
)

// object begins a mapping with keys and values in turn; values of nil are left out.
func object(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(pairs); i += 2 {
		add(n, pairs[i].(string), pairs[i+1])
	}
	return n
}

// add puts a value behind a key, unless it is empty.
func add(n *yaml.Node, key string, value any) {
	var v *yaml.Node
	switch value := value.(type) {
	case nil:
	case *yaml.Node:
		v = value
	case json.RawMessage:
		if value != nil {
			v = fromJSON(rawjson.Parse(value))
		}
	case string:
		if value != "" {
			v = text(value)
		}
	case []string:
		if len(value) > 0 {
			v = &yaml.Node{Kind: yaml.SequenceNode}
			for _, one := range value {
				v.Content = append(v.Content, text(one))
			}
		}
	case bool:
		if value {
			v = plainNode(reflect.ValueOf(value))
		}
	default:
		v = plainNode(reflect.ValueOf(value))
	}
	if v != nil {
		n.Content = append(n.Content, text(key), v)
	}
}

// text is a scalar that no reader takes for anything else than text.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if slices.Contains([]string{"", "y", "n", "yes", "no", "on", "off"}, strings.ToLower(s)) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func fromJSON(n rawjson.Node) *yaml.Node {
	switch n.Kind() {
	case rawjson.Object:
		out := object()
		for m := range n.Members() {
			add(out, m.Key(), fromJSON(m.Value))
		}
		return out
	case rawjson.Array:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for e := range n.Elems() {
			out.Content = append(out.Content, fromJSON(e))
		}
		return out
	case rawjson.String:
		return text(n.Text())
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(n.AppendRaw(nil, 1<<10))}
}

// plainNode writes a value by the JSON names of its fields. What is zero is left out, but
// an empty list is one.
func plainNode(v reflect.Value) *yaml.Node {
	if raw, ok := v.Interface().(json.RawMessage); ok {
		return fromJSON(rawjson.Parse(raw))
	}
	scalar := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }
	switch v.Kind() {
	case reflect.Pointer:
		return plainNode(v.Elem())
	case reflect.Struct:
		out := object()
		for i := range v.NumField() {
			if name := jsonName(v.Type().Field(i)); name != "" && !v.Field(i).IsZero() {
				add(out, name, plainNode(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			out.Content = append(out.Content, plainNode(v.Index(i)))
		}
		return out
	case reflect.Map:
		out := object()
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int {
			return cmp.Compare(a.String(), b.String())
		}) {
			add(out, key.String(), plainNode(v.MapIndex(key)))
		}
		return out
	case reflect.Bool:
		return scalar(strconv.FormatBool(v.Bool()))
	case reflect.Int:
		return scalar(strconv.FormatInt(v.Int(), 10))
	case reflect.Float64:
		return scalar(strconv.FormatFloat(v.Float(), 'f', -1, 64))
	}
	return text(v.String())
}

// jsonName is the JSON name of a field of a struct; empty for none.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// different is a mapping of the attributes of want that got has not, or has otherwise;
// nil where there is none. skip are attributes that are told elsewhere.
func different(want, got any, skip ...string) *yaml.Node {
	w, g := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	out := object()
	for i := range w.NumField() {
		name := jsonName(w.Type().Field(i))
		switch {
		case name == "" || slices.Contains(skip, name) ||
			reflect.DeepEqual(w.Field(i).Interface(), g.Field(i).Interface()):
		case w.Field(i).IsZero():
			add(out, name, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
		default:
			add(out, name, plainNode(w.Field(i)))
		}
	}
	if len(out.Content) == 0 {
		return nil
	}
	return out
}

func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := cmp.Or(enc.Encode(n), enc.Close())
	return b.Bytes(), err
}
