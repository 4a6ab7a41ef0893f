package catalog

import (
	"bytes"
	"encoding/json"
	"strings"
)

// ToWire writes params in the names of the connector definition: params and
// their members, enum values, and for context_store_search the fields of filter,
// sort and selection. Order, numbers and everything without another name stay as
// they are; params that are not a JSON object come back unchanged.
func ToWire(k *Kind, e *Entity, a *Action, params []byte) []byte {
	search := a.Name == ActionContextStoreSearch || a.Name == ActionSemanticSearch
	if !renamed(a.Params) && !(search && (renamed(e.Search) || renamed(e.Record))) {
		return params
	}
	if !json.Valid(params) {
		return params
	}
	root := readNode(params)
	if root.kind != '{' {
		return params
	}
	root.rename(a.Params)
	if search {
		e.searchToWire(root)
	}
	var out bytes.Buffer
	root.write(&out)
	return out.Bytes()
}

// WirePath turns a dotted path over fields into wire names, step by step; steps
// that no field describes stay as they are.
func WirePath(fields []Field, path string) string {
	if f := FieldByName(fields, path); f != nil {
		return f.WireName()
	}
	head, rest, dotted := strings.Cut(path, ".")
	f := FieldByName(fields, strings.TrimSuffix(head, "[]"))
	if f == nil {
		return path
	}
	wire := f.WireName() + head[len(strings.TrimSuffix(head, "[]")):]
	if !dotted {
		return wire
	}
	return wire + "." + WirePath(f.below(), rest)
}

// NeutralPath is the way back of WirePath.
func NeutralPath(fields []Field, path string) string {
	if f := FieldByName(fields, path); f != nil {
		return f.Name
	}
	head, rest, dotted := strings.Cut(path, ".")
	f := FieldByName(fields, strings.TrimSuffix(head, "[]"))
	if f == nil {
		return path
	}
	neutral := f.Name + head[len(strings.TrimSuffix(head, "[]")):]
	if !dotted {
		return neutral
	}
	return neutral + "." + NeutralPath(f.below(), rest)
}

// below are the members of an object or of the elements of an array.
func (f *Field) below() []Field {
	for f.Members == nil && f.Items != nil {
		f = f.Items
	}
	return f.Members
}

// renamed tells whether anything in fields has another name or value on the wire.
func renamed(fields []Field) bool {
	for i := range fields {
		f := &fields[i]
		if f.Alias != "" || f.WireValues != nil || renamed(f.Members) {
			return true
		}
		for _, inner := range [...]*Field{f.Items, f.Values} {
			if inner != nil && renamed([]Field{*inner}) {
				return true
			}
		}
	}
	return false
}

// wireField finds a searchable field, else a record field, by its path.
func (e *Entity) wireField(path string) (*Field, string) {
	if f := FieldAt(e.Search, path); f != nil {
		return f, WirePath(e.Search, path)
	}
	return FieldAt(e.Record, path), WirePath(e.Record, path)
}

func (e *Entity) searchToWire(root *node) {
	if query := root.member("query"); query != nil {
		if filter := query.member("filter"); filter != nil {
			e.filterToWire(filter)
		}
		if sort := query.member("sort"); sort != nil {
			for _, key := range sort.values {
				for i, name := range key.keys {
					_, key.keys[i] = e.wireField(name)
				}
			}
		}
	}
	if semantic := root.member("semantic"); semantic != nil {
		if filter := semantic.member("filter"); filter != nil {
			e.filterToWire(filter)
		}
		if field := semantic.member("field"); field != nil {
			e.selectedToWire(field)
		}
	}
	if fields := root.member("fields"); fields != nil {
		for _, f := range fields.values {
			e.selectedToWire(f)
		}
	}
}

// selectedToWire renames a field of a selection: a dotted path, or an array of
// its segments.
func (e *Entity) selectedToWire(f *node) {
	if s, ok := f.text(); ok {
		_, wire := e.wireField(s)
		f.setText(wire)
		return
	}
	var path []string
	for _, segment := range f.values {
		s, isText := segment.text()
		if !isText || f.kind != '[' {
			return
		}
		path = append(path, s)
	}
	_, wire := e.wireField(strings.Join(path, "."))
	if renamed := strings.Split(wire, "."); len(renamed) == len(f.values) {
		for i, segment := range f.values {
			segment.setText(renamed[i])
		}
	}
}

// filterToWire walks {operator: {field: value}} with and, or, not around it.
func (e *Entity) filterToWire(filter *node) {
	if filter.kind == '[' {
		for _, inner := range filter.values {
			e.filterToWire(inner)
		}
		return
	}
	for i, operator := range filter.keys {
		if operator == "and" || operator == "or" || operator == "not" {
			e.filterToWire(filter.values[i])
			continue
		}
		conditions := filter.values[i]
		for j, name := range conditions.keys {
			f, wire := e.wireField(name)
			conditions.keys[j] = wire
			if f != nil {
				conditions.values[j].mapValues(f)
			}
		}
	}
}

// node is a JSON value that keeps the order of its members and every number and
// string that nobody renames byte for byte.
type node struct {
	kind   byte // '{', '[' or 0 for a scalar
	raw    []byte
	keys   []string
	values []*node
}

// readNode parses valid JSON; nil for nothing.
func readNode(data []byte) *node {
	data = bytes.TrimSpace(data)
	n := &node{raw: data}
	if len(data) == 0 || (data[0] != '{' && data[0] != '[') {
		return n
	}
	n.kind = data[0]
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for dec.More() {
		if n.kind == '{' {
			key, err := dec.Token()
			if err != nil {
				return nil
			}
			name, _ := key.(string)
			n.keys = append(n.keys, name)
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return nil
		}
		n.values = append(n.values, readNode(raw))
	}
	return n
}

func (n *node) member(name string) *node {
	for i, key := range n.keys {
		if key == name {
			return n.values[i]
		}
	}
	return nil
}

func (n *node) text() (string, bool) {
	var s string
	if n.kind != 0 || len(n.raw) == 0 || n.raw[0] != '"' || json.Unmarshal(n.raw, &s) != nil {
		return "", false
	}
	return s, true
}

func (n *node) setText(s string) { n.raw = quoteJSON(s) }

func (n *node) rename(fields []Field) {
	for i, key := range n.keys {
		if f := FieldByName(fields, key); f != nil {
			n.keys[i] = f.WireName()
			n.values[i].renameValue(f)
		}
	}
}

// renameValue renames what stands inside a value of the field.
func (n *node) renameValue(f *Field) {
	switch n.kind {
	case '{':
		n.rename(f.Members)
		if f.Values != nil {
			for i, key := range n.keys {
				if FieldByName(f.Members, key) == nil {
					n.values[i].renameValue(f.Values)
				}
			}
		}
	case '[':
		for _, v := range n.values {
			if f.Items != nil {
				v.renameValue(f.Items)
			}
			v.mapValues(f)
		}
	default:
		n.mapValues(f)
	}
}

// mapValues maps enum values, also in lists and in texts with a separator.
func (n *node) mapValues(f *Field) {
	for _, v := range n.values {
		v.mapValues(f)
	}
	s, ok := n.text()
	if !ok || f.WireValues == nil {
		return
	}
	parts := []string{s}
	if f.Separator != "" {
		parts = strings.Split(s, f.Separator)
	}
	changed := false
	for i, part := range parts {
		if wire, ok := f.WireValues[part]; ok {
			parts[i], changed = wire, true
		}
	}
	if changed {
		n.setText(strings.Join(parts, f.Separator))
	}
}

func (n *node) write(out *bytes.Buffer) {
	if n.kind == 0 {
		out.Write(n.raw)
		return
	}
	out.WriteByte(n.kind)
	for i, v := range n.values {
		if i > 0 {
			out.WriteByte(',')
		}
		if n.kind == '{' {
			out.Write(quoteJSON(n.keys[i]))
			out.WriteByte(':')
		}
		v.write(out)
	}
	out.WriteByte(n.kind + 2) // ']' follows '[' and '}' follows '{' by two
}
