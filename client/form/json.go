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
	items, brackets := in.children, "[]"
	switch {
	case in.state == Null:
		return append(b, "null"...)
	case in.bad:
		return rawjson.AppendQuoted(b, in.text)
	case in.kind == "object":
		items, brackets = in.order, "{}"
	case in.kind != "array":
		return append(b, in.raw...)
	}
	b = append(b, brackets[0])
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if in.kind == "object" {
			b = append(rawjson.AppendQuoted(b, item.name), ':')
		}
		b = item.appendJSON(b)
	}
	return append(b, brackets[1])
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
	seen := map[string]bool{}
	for name, value := range n.Children() {
		key := "0"
		if name.Exists() {
			if key = name.Text(); seen[key] {
				return fmt.Errorf("the key %q stands twice in %s: keep one of them", key, place(at))
			}
			seen[key] = true
		}
		if err := repeatedKey(value, at.Child(key)); err != nil {
			return err
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
		for m := range n.Members() {
			c := in.member(m.Key())
			if c == nil {
				c = in.addUnknown(m.Key())
			}
			c.load(m.Value)
			in.order = append(in.order, c)
		}
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
	in.grow()
}

// kindFor names the type of a value, in the word that the field uses for it.
func (in *input) kindFor(n rawjson.Node) string {
	switch n.Kind() {
	case rawjson.Object:
		in.growAnyway()
	case rawjson.Array:
		in.children = nil
	case rawjson.Number:
		whole := !bytes.ContainsAny(n.Raw(), ".eE")
		if in.takes("integer") && !in.takes("number") || whole && slices.Contains(in.types, "integer") {
			return "integer"
		}
	}
	return n.Kind().String()
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
		row.err = wrong(element, row.raw)
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
	in.bad = false
	in.rowError()
}

// rowError is the error of such a text: that of its first wrong row.
func (in *input) rowError() {
	in.err = ""
	if i := slices.IndexFunc(in.children, func(c *input) bool { return c.err != "" }); i >= 0 {
		in.err = in.children[i].err
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

// enumTexts are the values that a field lists, as they are typed.
func enumTexts(f *catalog.Field) []string {
	var texts []string
	for _, e := range f.Enum {
		texts = append(texts, decodeText(e))
	}
	return texts
}

// Document returns plain text as the structured document object of the issue
// tracker: blank lines part paragraphs, line ends within one are hard breaks.
func Document(text string) json.RawMessage {
	content := []any{}
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		inside := []any{}
		for i, line := range strings.Split(paragraph, "\n") {
			if i > 0 {
				inside = append(inside, rawjson.NewMap("type", "hardBreak"))
			}
			if line != "" {
				inside = append(inside, rawjson.NewMap("type", "text", "text", line))
			}
		}
		content = append(content, rawjson.NewMap("type", "paragraph", "content", inside))
	}
	return rawjson.NewMap("type", "doc", "version", 1, "content", content).JSON()
}

type docNode struct {
	Type    string    `json:"type"`
	Text    string    `json:"text"`
	Content []docNode `json:"content"`
}

// DocumentText returns the plain text of a structured document. plain is false
// when the document holds more than the text says (marks, lists, tables), so
// that editing the text would lose something.
func DocumentText(doc json.RawMessage) (text string, plain bool) {
	var root docNode
	if json.Unmarshal(doc, &root) != nil || root.Type != "doc" {
		return "", false
	}
	parts := make([]string, len(root.Content))
	for i, n := range root.Content {
		var b strings.Builder
		n.write(&b)
		parts[i] = b.String()
	}
	text = strings.Join(parts, "\n\n")
	return text, sameJSON(Document(text), doc)
}

func (n docNode) write(b *strings.Builder) {
	switch n.Type {
	case "text":
		b.WriteString(n.Text)
	case "hardBreak":
		b.WriteByte('\n')
	}
	for i, c := range n.Content {
		if i > 0 && c.Type != "text" && c.Type != "hardBreak" {
			b.WriteByte('\n')
		}
		c.write(b)
	}
}

// sameJSON compares two values; the order of keys does not matter.
func sameJSON(a, b []byte) bool {
	return bytes.Equal(sorted(a), sorted(b))
}

func sorted(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}
