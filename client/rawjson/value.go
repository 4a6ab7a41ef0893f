package rawjson

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Map is a JSON object that is built or changed in memory, its members in
// order: the counterpart of Node, which shows bytes as they were received.
//
// A value is nil (null), a bool, string, int, int64, float64, json.Number (a
// number with the text it was written with), []string, []any, *Map, or
// json.RawMessage, which is written as it stands. A member that is null is
// there, one that is absent is not: Get and Has tell them apart. A nil Map can
// be read; it has no members.
type Map struct {
	Keys []string
	Vals []any
}

// NewMap returns an object of alternating names and values.
func NewMap(pairs ...any) *Map {
	m := &Map{Keys: make([]string, 0, len(pairs)/2), Vals: make([]any, 0, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		m.Add(pairs[i].(string), pairs[i+1])
	}
	return m
}

// ParseMap reads the members of an object, each value as it was written and
// repeated names included; nil when data is not one JSON object.
func ParseMap(data []byte) *Map {
	n := Parse(data)
	if n.Kind() != Object || !Valid(data) {
		return nil
	}
	m := &Map{}
	for member := range n.Members() {
		m.Add(member.Key(), json.RawMessage(member.Value.Raw()))
	}
	return m
}

// Decode reads one JSON value and everything in it. Numbers keep their text; of
// a name that stands twice in an object the last value counts. The error is a
// *SyntaxError.
func Decode(data []byte) (any, error) {
	if err := Validate(context.Background(), Bytes(data), 0, len(data)); err != nil {
		return nil, err
	}
	d := decoder{data: data}
	return d.value(), nil
}

// Value is the value that Decode reads; nil where it is no JSON.
func (n Node) Value() any {
	v, _ := Decode(n.Raw())
	return v
}

// decoder reads a document that is valid, each byte once. Its depth is that to which
// documents are valid.
type decoder struct {
	data []byte
	at   int
}

// next returns the next byte that counts.
func (d *decoder) next() byte {
	for isSpace(d.data[d.at]) {
		d.at++
	}
	return d.data[d.at]
}

func (d *decoder) value() any {
	switch d.next() {
	case '{':
		return d.object()
	case '[':
		list := []any{}
		for d.at++; d.next() != ']'; {
			if d.data[d.at] == ',' {
				d.at++
			}
			list = append(list, d.value())
		}
		d.at++
		return list
	case '"':
		return d.text()
	}
	from := d.at
	for d.at < len(d.data) && !endsScalar(d.data[d.at]) {
		d.at++
	}
	switch word := string(d.data[from:d.at]); word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	default:
		return json.Number(word)
	}
}

// fewMembers are as many as are looked through faster than a table of them is made.
const fewMembers = 16

func (d *decoder) object() *Map {
	m := &Map{}
	var known map[string]int
	for d.at++; d.next() != '}'; {
		if d.data[d.at] == ',' {
			d.at++
			d.next()
		}
		name := d.text()
		d.next()
		d.at++ // the colon
		value := d.value()
		if known == nil && len(m.Keys) < fewMembers {
			m.Set(name, value)
			continue
		}
		if known == nil {
			known = make(map[string]int, 2*fewMembers)
			for i, k := range m.Keys {
				known[k] = i
			}
		}
		if i, twice := known[name]; twice {
			m.Vals[i] = value
			continue
		}
		known[name] = len(m.Keys)
		m.Add(name, value)
	}
	d.at++
	return m
}

// text reads a string.
func (d *decoder) text() string {
	from := d.at + 1
	for d.at++; d.data[d.at] != '"'; d.at++ {
		if d.data[d.at] == '\\' {
			d.at++
		}
	}
	raw := d.data[from:d.at]
	d.at++
	return decodedText(raw)
}

func (m *Map) index(name string) int {
	if m == nil {
		return -1
	}
	return slices.Index(m.Keys, name)
}

// Get returns a member and whether it is there.
func (m *Map) Get(name string) (any, bool) {
	if i := m.index(name); i >= 0 {
		return m.Vals[i], true
	}
	return nil, false
}

// Value returns a member, nil when it is absent.
func (m *Map) Value(name string) any {
	v, _ := m.Get(name)
	return v
}

// Text is a member as text, as TextOf writes it.
func (m *Map) Text(name string) string { return TextOf(m.Value(name)) }

// Has reports whether a member is there.
func (m *Map) Has(name string) bool { return m.index(name) >= 0 }

// Len is the number of members.
func (m *Map) Len() int {
	if m == nil {
		return 0
	}
	return len(m.Keys)
}

// Set changes a member, or adds it behind the others.
func (m *Map) Set(name string, value any) {
	if i := m.index(name); i >= 0 {
		m.Vals[i] = value
		return
	}
	m.Add(name, value)
}

// Add adds a member behind the others, also where one has its name.
func (m *Map) Add(name string, value any) {
	m.Keys = append(m.Keys, name)
	m.Vals = append(m.Vals, value)
}

// Remove drops a member.
func (m *Map) Remove(name string) {
	if i := m.index(name); i >= 0 {
		m.Keys = append(m.Keys[:i:i], m.Keys[i+1:]...)
		m.Vals = append(m.Vals[:i:i], m.Vals[i+1:]...)
	}
}

// Clone copies the object and everything in it.
func (m *Map) Clone() *Map {
	if m == nil {
		return nil
	}
	c := &Map{Keys: slices.Clone(m.Keys), Vals: make([]any, len(m.Vals))}
	for i, v := range m.Vals {
		c.Vals[i] = CloneValue(v)
	}
	return c
}

// CloneValue copies a value and everything in it.
func CloneValue(v any) any {
	switch v := v.(type) {
	case *Map:
		return v.Clone()
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = CloneValue(v[i])
		}
		return c
	}
	return v
}

// JSON writes the object compact; a nil Map is null.
func (m *Map) JSON() json.RawMessage { return m.Append(nil) }

// Append appends the object as compact JSON.
func (m *Map) Append(dst []byte) []byte {
	if m == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i, key := range m.Keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendQuoted(dst, key), ':')
		dst = Append(dst, m.Vals[i])
	}
	return append(dst, '}')
}

// TextOf is a text as it is, and any other value as its JSON; "" for null, lists
// and objects.
func TextOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool, int, int64, float64, json.Number:
		return string(Append(nil, v))
	}
	return ""
}

// Encode writes a value as compact JSON.
func Encode(v any) json.RawMessage { return Append(nil, v) }

// Append appends a value as compact JSON. A type that Map does not name, and a
// number that JSON cannot hold, is written as null.
func Append(dst []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return AppendQuoted(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return strconv.AppendFloat(dst, v, 'f', -1, 64)
		}
	case json.Number:
		return append(dst, v...)
	case json.RawMessage:
		return append(dst, v...)
	case []string:
		return appendList(dst, v)
	case []any:
		return appendList(dst, v)
	case *Map:
		return v.Append(dst)
	}
	return append(dst, "null"...)
}

func appendList[T any](dst []byte, list []T) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = Append(dst, any(v))
	}
	return append(dst, ']')
}

// AppendQuoted appends text as a JSON string: control characters, quotes and
// backslashes escaped, everything else as it is, invalid UTF-8 as U+FFFD.
func AppendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	kept := 0 // bytes before are written
	for i := 0; i < len(text); {
		c, size := text[i], 1
		switch {
		case c >= utf8.RuneSelf:
			var r rune
			if r, size = utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
				dst = utf8.AppendRune(append(dst, text[kept:i]...), r)
				kept = i + size
			}
		case c < ' ' || c == '"' || c == '\\' || c == 0x7f:
			dst = append(dst, text[kept:i]...)
			kept = i + size
			if k := strings.IndexByte("\"\\\n\r\t", c); k >= 0 {
				dst = append(dst, '\\', `"\nrt`[k])
			} else {
				dst = appendHex(dst, rune(c), "0123456789abcdef")
			}
		}
		i += size
	}
	return append(append(dst, text[kept:]...), '"')
}

// CompactObject returns an object without the white space between its parts; nil
// for nothing, null and an object without members.
func CompactObject(data []byte) (json.RawMessage, error) {
	n := Parse(data)
	if !n.Exists() || n.Kind() == Null {
		return nil, nil
	}
	if err := Validate(context.Background(), Bytes(data), 0, len(data)); err != nil {
		return nil, err
	}
	if n.Kind() != Object {
		return nil, fmt.Errorf("it is no object but %s", n.Kind())
	}
	out, _ := n.AppendCompact(nil, 0)
	if len(out) == len("{}") {
		return nil, nil
	}
	return out, nil
}
