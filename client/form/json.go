package form

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// JSON returns the value of the form: members in the order in which they were
// given, numbers and texts as they were written, "{}" when nothing is filled
// in. Inputs that cannot be read stand as the text that was typed.
func (f *Form) JSON() json.RawMessage { return f.root.appendJSON(nil) }

// ValueJSON returns the value of one input; nil when it is absent or there is none.
func (f *Form) ValueJSON(p Path) json.RawMessage {
	in := f.at(p)
	if in == nil || in.state == Absent {
		return nil
	}
	return in.appendJSON(nil)
}

func (in *input) appendJSON(b []byte) []byte {
	switch {
	case in.state == Null:
		return append(b, "null"...)
	case in.bad:
		return rawjson.AppendQuoted(b, in.text)
	case in.kind == "object":
		return in.appendObject(b)
	case in.kind == "array":
		return in.appendArray(b)
	}
	return append(b, in.raw...)
}

func (in *input) appendObject(b []byte) []byte {
	b = append(b, '{')
	for i, m := range in.order {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.AppendQuoted(b, m.name)
		b = append(b, ':')
		b = m.appendJSON(b)
	}
	return append(b, '}')
}

func (in *input) appendArray(b []byte) []byte {
	b = append(b, '[')
	for i, row := range in.children {
		if i > 0 {
			b = append(b, ',')
		}
		b = row.appendJSON(b)
	}
	return append(b, ']')
}

// SetJSON replaces the whole value by a JSON object. An error tells the
// position (a *rawjson.SyntaxError where the text is no JSON); the form is then unchanged.
func (f *Form) SetJSON(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}")
	}
	if err := checkJSON(data); err != nil {
		return err
	}
	n := rawjson.Parse(data)
	if n.Kind() != rawjson.Object {
		return fmt.Errorf("params are an object, not %s: write {\"name\": value}", n.Kind())
	}
	f.root.load(n)
	f.root.implied = false
	f.touch()
	return nil
}

// SetValue replaces the value of one input by a JSON value.
func (f *Form) SetValue(p Path, data []byte) error {
	if p == "" {
		return f.SetJSON(data)
	}
	in, err := f.find(p)
	if err != nil {
		return err
	}
	if err := checkJSON(data); err != nil {
		return err
	}
	in.load(rawjson.Parse(data))
	in.arrive()
	return nil
}

func checkJSON(data []byte) error {
	if err := rawjson.Validate(context.Background(), rawjson.Bytes(data), 0, len(data)); err != nil {
		return err
	}
	return repeatedKey(rawjson.Parse(data), "")
}

// repeatedKey finds a key that stands twice in one object: only one of the two could be kept.
func repeatedKey(n rawjson.Node, at Path) error {
	switch n.Kind() {
	case rawjson.Object:
		seen := map[string]bool{}
		for m := range n.Members() {
			key := m.Key()
			if seen[key] {
				return fmt.Errorf("the key %q stands twice in %s: keep one of them", key, place(at))
			}
			seen[key] = true
			if err := repeatedKey(m.Value, at.Child(key)); err != nil {
				return err
			}
		}
	case rawjson.Array:
		for e := range n.Elems() {
			if err := repeatedKey(e, at.Child("0")); err != nil {
				return err
			}
		}
	}
	return nil
}

func place(p Path) string {
	if p == "" {
		return "the params"
	}
	return p.String()
}

// load takes over a value that is valid JSON.
func (in *input) load(n rawjson.Node) {
	in.clear()
	if n.Kind() == rawjson.Null {
		in.state = Null
		return
	}
	in.state = Value
	in.kind = in.kindFor(n)
	switch n.Kind() {
	case rawjson.Object:
		in.loadObject(n)
	case rawjson.Array:
		for e := range n.Elems() {
			row := newInput(in.form, in, "", in.element(), Value)
			row.load(e)
			in.children = append(in.children, row)
		}
	default:
		in.raw = slices.Clone(n.Raw())
		in.splitRows()
	}
}

// clear forgets the value, not what the person folded or chose.
func (in *input) clear() {
	in.state, in.raw, in.text, in.bad, in.err, in.implied = Absent, nil, "", false, "", false
	in.order = nil
	if in.isList() {
		in.children = nil
	}
	in.children = slices.DeleteFunc(in.children, func(c *input) bool { return c.unknown })
	for _, c := range in.children {
		c.clear()
	}
	if len(in.types) > 1 || in.types[0] == "any" {
		in.kind = ""
	} else {
		in.kind = in.types[0]
	}
	in.grow()
}

// kindFor names the type of a value, in the word that the field uses for it.
func (in *input) kindFor(n rawjson.Node) string {
	switch n.Kind() {
	case rawjson.Object:
		in.children = nil
		in.grow()
		if len(in.children) == 0 && len(in.field.Members) > 0 {
			in.growAnyway()
		}
		return "object"
	case rawjson.Array:
		in.children = nil
		return "array"
	case rawjson.String:
		return "string"
	case rawjson.Bool:
		return "boolean"
	}
	if in.takes("integer") && !in.takes("number") || isWhole(n.Raw()) && slices.Contains(in.types, "integer") {
		return "integer"
	}
	return "number"
}

func (in *input) growAnyway() {
	for i := range in.field.Members {
		m := &in.field.Members[i]
		in.children = append(in.children, newInput(in.form, in, m.Name, m, Absent))
	}
}

func isWhole(raw []byte) bool { return !bytes.ContainsAny(raw, ".eE") }

func (in *input) loadObject(n rawjson.Node) {
	for m := range n.Members() {
		c := in.member(m.Key())
		if c == nil {
			c = in.addUnknown(m.Key())
		}
		c.load(m.Value)
		in.order = append(in.order, c)
	}
}

// addUnknown makes the input of a key that no field describes; in a map that is every key.
func (in *input) addUnknown(name string) *input {
	field := &anyField
	if in.isMap() || in.field.Values != nil {
		field = in.element()
	}
	c := newInput(in.form, in, name, field, Absent)
	c.unknown = true
	in.children = append(in.children, c)
	return c
}

// splitRows makes the rows of a text that holds several values.
func (in *input) splitRows() {
	if !in.isJoined() {
		return
	}
	in.children = nil
	text := decodeText(in.raw)
	if text == "" {
		return
	}
	element := in.element()
	for _, part := range strings.Split(text, in.field.Separator) {
		row := newInput(in.form, in, "", element, Value)
		row.setRaw("string", rawjson.AppendQuoted(nil, part))
		row.err = enumProblem(element, part)
		in.children = append(in.children, row)
	}
}

// joinRows writes the rows of such a text back into it.
func (in *input) joinRows() {
	parts := make([]string, len(in.children))
	for i, c := range in.children {
		parts[i] = c.shown()
	}
	in.raw = rawjson.AppendQuoted(nil, strings.Join(parts, in.field.Separator))
	in.bad, in.err = false, ""
	for _, c := range in.children {
		if c.err != "" && in.err == "" {
			in.err = c.err
		}
	}
}

func (in *input) setRaw(kind string, raw []byte) {
	in.state, in.kind, in.raw, in.bad, in.text, in.err = Value, kind, raw, false, "", ""
}

// decodeText returns the text of a raw JSON string, other scalars as they stand.
func decodeText(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	return rawjson.Parse(raw).Text()
}

// shown is what the person sees and edits of a scalar.
func (in *input) shown() string {
	if in.bad {
		return in.text
	}
	if in.state != Value {
		return ""
	}
	return decodeText(in.raw)
}

func enumProblem(f *catalog.Field, text string) string {
	if len(f.Enum) == 0 || f.Open {
		return ""
	}
	for _, e := range f.Enum {
		if decodeText(e) == text {
			return ""
		}
	}
	return "use one of " + enumText(f)
}

func enumText(f *catalog.Field) string {
	names := make([]string, len(f.Enum))
	for i, e := range f.Enum {
		names[i] = decodeText(e)
	}
	return strings.Join(names, ", ")
}
