package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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
		return q.takeQuery(m.Value)
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

func (q *Query) takeQuery(raw json.RawMessage) error {
	all, err := members(raw, "query")
	if err != nil {
		return err
	}
	for _, m := range all {
		switch m.Name {
		case "filter":
			q.Filter, err = DecodeFilter(m.Value)
		case "sort":
			q.Sort, err = decodeSort(m.Value)
		default:
			q.QueryExtra = append(q.QueryExtra, m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// into decodes a value that is not null; it tells whether the type fitted.
func into(raw json.RawMessage, v any) bool {
	return !bytes.Equal(raw, []byte("null")) && json.Unmarshal(raw, v) == nil
}

// DecodeFilter reads a filter object. Several operator keys in one object, and
// several fields under one operator, all have to hold. An empty object and null give nil.
func DecodeFilter(raw json.RawMessage) (*Node, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	return decodeNode(raw, "filter", 0)
}

// maxDepth bounds the nesting of a filter, so that hostile text cannot exhaust the stack.
const maxDepth = 200

func decodeNode(raw json.RawMessage, at string, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s is nested more than %d levels deep: make the filter flatter", short(at), maxDepth)
	}
	all, err := members(raw, at)
	if err != nil {
		return nil, err
	}
	var parts []*Node
	for _, m := range all {
		nodes, err := decodeOperator(m, at+"."+m.Name, depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, nodes...)
	}
	return join(parts), nil
}

// join makes one node of parts that all have to hold.
func join(parts []*Node) *Node {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return Group(All, parts...)
}

func decodeOperator(m Member, at string, depth int) ([]*Node, error) {
	switch m.Name {
	case "and", "or":
		children, err := decodeList(m.Value, at, depth)
		if err != nil || len(children) == 0 {
			return nil, err
		}
		op := All
		if m.Name == "or" {
			op = Any
		}
		return []*Node{Group(op, children...)}, nil
	case "not":
		child, err := decodeNode(m.Value, at, depth+1)
		if err != nil || child == nil {
			return nil, err
		}
		return []*Node{Group(Not, child)}, nil
	case disabledKey:
		child, err := decodeNode(m.Value, at, depth+1)
		if err != nil || child == nil {
			return nil, err
		}
		child.Disabled = true
		return []*Node{child}, nil
	}
	return decodeConditions(m, at)
}

// decodeList reads the conditions of and/or: a list, or one condition by itself.
func decodeList(raw json.RawMessage, at string, depth int) ([]*Node, error) {
	items := []json.RawMessage{raw}
	isList := len(raw) > 0 && raw[0] == '['
	if isList {
		items = nil
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, fmt.Errorf("%s is not a list of conditions: %w", short(at), err)
		}
	}
	var out []*Node
	for i, it := range items {
		where := at
		if isList {
			where = fmt.Sprintf("%s[%d]", at, i)
		}
		n, err := decodeNode(it, where, depth+1)
		if err != nil {
			return nil, err
		}
		if n != nil {
			out = append(out, n)
		}
	}
	return out, nil
}

func decodeConditions(m Member, at string) ([]*Node, error) {
	if !known(m.Name) {
		return nil, fmt.Errorf("%s: there is no operator %q; use one of %s, not, and, or",
			short(at), m.Name, strings.Join(documented[:], ", "))
	}
	fields, err := members(m.Value, at)
	if err != nil {
		return nil, fmt.Errorf("%w; the operator is the outer key: {%q: {\"field\": value}}", err, m.Name)
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
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, fmt.Errorf(`sort is not a list; write [{"field": "asc"}]`)
	}
	var keys []SortKey
	for i, it := range items {
		fields, err := members(it, fmt.Sprintf("sort[%d]", i))
		if err != nil {
			return nil, fmt.Errorf(`%w; write {"field": "asc"}`, err)
		}
		for _, f := range fields {
			desc, err := decodeOrder(f.Value)
			if err != nil {
				return nil, fmt.Errorf("sort[%d].%s: %w", i, f.Name, err)
			}
			keys = append(keys, SortKey{Field: f.Name, Desc: desc})
		}
	}
	return keys, nil
}

func decodeOrder(raw json.RawMessage) (desc bool, err error) {
	var order string
	if json.Unmarshal(raw, &order) == nil {
		switch strings.ToLower(order) {
		case "asc":
			return false, nil
		case "desc":
			return true, nil
		}
	}
	return false, fmt.Errorf(`the order is %s; use "asc" or "desc"`, short(string(raw)))
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
	eachMember(raw, 0, func(key []byte, from, to int) bool {
		out = append(out, Member{Name: strings.ToValidUTF8(text(key), "\ufffd"), Value: raw[from:to:to]})
		return true
	})
	return out, nil
}

func short(s string) string {
	if len(s) > 120 {
		return strings.ToValidUTF8(s[:117], "") + "..."
	}
	return s
}
