package catalog

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// field takes a type ("string|null") or a mapping of attributes.
func (d *decoder) field(n *yaml.Node, v reflect.Value, at place) {
	f := v.Addr().Interface().(*Field)
	if n.Kind == yaml.ScalarNode || child(n, "type") != nil {
		f.Nullable = false
	}
	if n.Kind == yaml.ScalarNode {
		f.Source = at.source
		d.scalar(n, reflect.ValueOf(&f.Type).Elem(), at)
	} else {
		d.structure(n, v, at)
		if f.Type == "" {
			f.Type = impliedType(f)
		}
	}
	if f.Type == "" {
		d.problem(n.Line, at.path, "a field needs a type: string, integer, number, boolean, object, array, any, or several joined with |")
		return
	}
	d.splitType(f, n.Line, at)
}

// impliedType is the type that other attributes leave no doubt about.
func impliedType(f *Field) string {
	switch {
	case f.Items != nil:
		return "array"
	case f.Members != nil, f.Values != nil:
		return "object"
	}
	return ""
}

// splitType checks the names of a union and moves null into Nullable.
func (d *decoder) splitType(f *Field, line int, at place) {
	var kept []string
	for _, t := range strings.Split(f.Type, "|") {
		switch t = strings.TrimSpace(t); t {
		case "null":
			f.Nullable = true
		case "string", "integer", "number", "boolean", "object", "array", "any":
			kept = append(kept, t)
		default:
			d.problem(line, at.path, "unknown type %q%s", t, suggestion(t, typeNames[:]))
		}
	}
	f.Type = strings.Join(kept, "|")
}

var typeNames = [...]string{"string", "integer", "number", "boolean", "object", "array", "any", "null"}

// fields takes an ordered mapping from name to field, or a list of fields with names.
func (d *decoder) fields(n *yaml.Node, v reflect.Value, at place) {
	if v.IsNil() {
		v.Set(reflect.ValueOf([]Field{}))
	}
	if n.Kind == yaml.SequenceNode {
		d.fieldList(n, v, at)
		return
	}
	d.mapping(n, at, func(key string, child *yaml.Node) {
		element := namedElement(v, key)
		element.FieldByName("Name").SetString("")
		d.value(child, element, at.to(key))
		if element.FieldByName("Name").String() != "" {
			d.problem(child.Line, at.to(key).path, "the name stands before the colon: remove the key name")
		}
		element.FieldByName("Name").SetString(key)
	})
}

func (d *decoder) fieldList(n *yaml.Node, v reflect.Value, at place) {
	var listed []Field
	for i, child := range n.Content {
		f := d.listedField(child, listed, at.at(i))
		listed = append(listed, f)
		namedElement(v, f.Name).Set(reflect.ValueOf(f))
	}
}

func (d *decoder) listedField(n *yaml.Node, before []Field, at place) Field {
	var f Field
	d.value(n, reflect.ValueOf(&f).Elem(), at)
	if f.Name == "" {
		d.problem(n.Line, at.path, "a field in a list needs a name")
	}
	for i := range before {
		if before[i].Name == f.Name {
			d.problem(n.Line, at.path, "the field %q stands twice", f.Name)
		}
	}
	return f
}

// raw keeps any value as JSON, keys in the order of the file.
func (d *decoder) raw(n *yaml.Node, v reflect.Value, at place) {
	var out bytes.Buffer
	d.writeJSON(&out, n, at)
	if json.Valid(out.Bytes()) {
		v.SetBytes(out.Bytes())
	}
}

func (d *decoder) writeJSON(out *bytes.Buffer, n *yaml.Node, at place) {
	if n = d.enter(n, at); n == nil {
		return
	}
	switch n.Kind {
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, child := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			d.writeJSON(out, child, at.at(i))
		}
		out.WriteByte(']')
	case yaml.MappingNode:
		out.WriteByte('{')
		first := true
		d.mapping(n, at, func(key string, child *yaml.Node) {
			if !first {
				out.WriteByte(',')
			}
			first = false
			out.Write(quoteJSON(key))
			out.WriteByte(':')
			d.writeJSON(out, child, at.to(key))
		})
		out.WriteByte('}')
	default:
		d.writeScalar(out, n, at)
	}
}

func (d *decoder) writeScalar(out *bytes.Buffer, n *yaml.Node, at place) {
	switch n.ShortTag() {
	case "!!null":
		out.WriteString("null")
	case "!!bool":
		out.WriteString(strings.ToLower(n.Value))
	case "!!int":
		i, err := strconv.ParseInt(n.Value, 0, 64)
		if err != nil {
			d.problem(n.Line, at.path, "%q is not an integer that every reader understands", n.Value)
		}
		out.WriteString(strconv.FormatInt(i, 10))
	case "!!float":
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			d.problem(n.Line, at.path, "%q is not a number that JSON can hold", n.Value)
			f = 0
		}
		number, _ := json.Marshal(f)
		out.Write(number)
	default:
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 && misread(n.Value) {
			d.problem(n.Line, at.path, "YAML readers may take %s for a truth value: write %q", n.Value, n.Value)
		}
		out.Write(quoteJSON(n.Value))
	}
}

// quoteJSON writes text as JSON without escaping <, > and &.
func quoteJSON(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
