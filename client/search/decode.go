package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// Decode reads the params of a context_store_search request. What is not a
// filter or sort of the known shape is an error that names the place; other
// params that have no place in Query are kept in Extra.
func Decode(params json.RawMessage) (Query, error) {
	var q Query
	if len(bytes.TrimSpace(params)) == 0 {
		return q, nil
	}
	all, err := members(params, "params")
	if err != nil {
		return q, err
	}
	for _, m := range all {
		if err := q.take(m); err != nil {
			return Query{}, err
		}
	}
	return q, nil
}

// take puts one param where it belongs, or into Extra when it has another type.
func (q *Query) take(m Member) error {
	switch m.Name {
	case "query":
		all, err := members(m.Value, "query")
		for _, m := range all {
			switch m.Name {
			case "filter":
				var odd []Problem
				q.Filter, odd, err = decodeFilter(m.Value)
				q.Odd = append(q.Odd, odd...)
			case "sort":
				if q.Sort, err = decodeSort(m.Value); isNull(m.Value) {
					q.Odd = append(q.Odd, Problem{Severity: Wrong, Where: "query", Text: "sort is null: leave it out"})
				}
			default:
				q.QueryExtra = append(q.QueryExtra, m)
			}
			if err != nil {
				return err
			}
		}
		return err
	case "limit":
		if into(m.Value, &q.Limit) && q.Limit != 0 {
			return nil
		}
		q.Limit = 0
	case "cursor":
		if into(m.Value, &q.Cursor) && q.Cursor != "" {
			return nil
		}
	case "fields":
		if into(m.Value, &q.Fields) && len(q.Fields) > 0 {
			return nil
		}
		q.Fields = nil
	}
	q.Extra = append(q.Extra, m)
	return nil
}

// into decodes a value that is not null; it reports whether the type fitted.
func into(raw json.RawMessage, v any) bool {
	return !bytes.Equal(raw, []byte("null")) && json.Unmarshal(raw, v) == nil
}

// DecodeFilter reads a filter object. Several operator keys in one object, and
// several fields under one operator, all have to hold. An empty object and null give nil.
func DecodeFilter(raw json.RawMessage) (*Node, error) {
	n, _, err := decodeFilter(raw)
	return n, err
}

func decodeFilter(raw json.RawMessage) (*Node, []Problem, error) {
	raw = bytes.TrimSpace(raw)
	d := &decoder{}
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		d.note("filter", "is null: leave it out to match everything")
		return nil, d.odd, nil
	}
	n, err := d.node(raw, "filter", 0)
	if n == nil && err == nil && len(d.odd) == 0 {
		d.note("filter", "is empty: leave it out to match everything")
	}
	return n, d.odd, err
}

// decoder reads a filter and notes what in it is not as documented.
type decoder struct{ odd []Problem }

func (d *decoder) note(at, format string, args ...any) {
	text := short(at) + " " + fmt.Sprintf(format, args...)
	d.odd = append(d.odd, Problem{Severity: Wrong, Where: "filter", Text: text})
}

// maxDepth bounds the nesting of a filter, so that hostile text cannot exhaust the stack.
const maxDepth = 200

func (d *decoder) node(raw json.RawMessage, at string, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s is nested more than %d levels deep: make the filter flatter", short(at), maxDepth)
	}
	all, err := members(raw, at)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		d.note(at, "has %d operators: put each into an object of its own, in a list under and", len(all))
	}
	var parts []*Node
	for _, m := range all {
		nodes, err := d.operator(m, at+"."+m.Name, depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, nodes...)
	}
	return join(parts...), nil
}

// join makes one node of parts that all have to hold; nil restricts nothing.
func join(parts ...*Node) *Node {
	parts = slices.DeleteFunc(parts, func(n *Node) bool { return n == nil })
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return Group(All, parts...)
}

func (d *decoder) operator(m Member, at string, depth int) ([]*Node, error) {
	switch m.Name {
	case "and", "or":
		// A list of conditions, or one by itself.
		items, isList := []json.RawMessage{m.Value}, m.Value[0] == '['
		if isList {
			items = listed(m.Value)
		} else {
			d.note(at, "is %s, not a list of conditions", typeName(m.Value))
		}
		var children []*Node
		for i, it := range items {
			where := at
			if isList {
				where = fmt.Sprintf("%s[%d]", at, i)
			}
			n, err := d.node(it, where, depth+1)
			if err != nil {
				return nil, err
			}
			if n != nil {
				children = append(children, n)
			}
		}
		if len(children) == 0 {
			return nil, nil
		}
		return []*Node{Group(map[string]Op{"and": All, "or": Any}[m.Name], children...)}, nil
	case "not", disabledKey:
		child, err := d.node(m.Value, at, depth+1)
		if err != nil || child == nil {
			return nil, err
		}
		if m.Name == "not" {
			return []*Node{Group(Not, child)}, nil
		}
		child.Disabled = true
		return []*Node{child}, nil
	}
	return d.conditions(m, at)
}

func (d *decoder) conditions(m Member, at string) ([]*Node, error) {
	if !known(m.Name) {
		return nil, fmt.Errorf("%s: there is no operator %q; use one of %s, not, and, or",
			short(at), m.Name, strings.Join(documented[:], ", "))
	}
	fields, err := members(m.Value, at)
	if err != nil {
		return nil, fmt.Errorf("%w; the operator is the outer key: {%q: {\"field\": value}}", err, m.Name)
	}
	if len(fields) == 0 {
		d.note(at, "names no field: write {%q: {\"field\": value}}", m.Name)
	} else if len(fields) > 1 {
		d.odd = append(d.odd, Problem{Severity: Notice, Where: "filter",
			Text: fmt.Sprintf("%s names %d fields: all have to hold", short(at), len(fields))})
	}
	out := make([]*Node, 0, len(fields))
	for _, f := range fields {
		out = append(out, Where(f.Name, m.Name, compact(f.Value)))
	}
	return out, nil
}

func decodeSort(raw json.RawMessage) ([]SortKey, error) {
	if bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, fmt.Errorf(`sort is not a list; write [{"field": "asc"}]`)
	}
	var keys []SortKey
	for i, it := range listed(raw) {
		fields, err := members(it, fmt.Sprintf("sort[%d]", i))
		if err != nil {
			return nil, fmt.Errorf(`%w; write {"field": "asc"}`, err)
		}
		for _, f := range fields {
			var order string
			_ = json.Unmarshal(f.Value, &order) // what is no text is no order either
			if order = strings.ToLower(order); order != "asc" && order != "desc" {
				return nil, fmt.Errorf(`sort[%d].%s: the order is %s; use "asc" or "desc"`, i, f.Name,
					short(string(f.Value)))
			}
			keys = append(keys, SortKey{Field: f.Name, Desc: order == "desc"})
		}
	}
	return keys, nil
}

// members splits a JSON object, keeping order; a repeated key stands twice.
func members(raw json.RawMessage, what string) ([]Member, error) {
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) {
		return nil, fmt.Errorf("%s is not valid JSON", short(what))
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, fmt.Errorf("%s is %s, not an object", short(what), typeName(raw))
	}
	var out []Member
	for m := range rawjson.Parse(raw).Members() {
		out = append(out, Member{Name: m.Key(), Value: m.Value.Raw()})
	}
	return out, nil
}

func short(s string) string {
	if len(s) > 120 {
		return strings.ToValidUTF8(s[:117], "") + "..."
	}
	return s
}
