package search

import (
	"bytes"
	"encoding/json"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Params returns the params object of the request in the documented shape:
// query with filter and sort, then limit, cursor, fields and whatever else was
// kept. A filter without enabled conditions is left out.
func (q Query) Params() json.RawMessage { return q.params(sent) }

// Draft is Params for keeping: disabled conditions stand in it as
// {"disabled": CONDITION}, which Decode reads back and no service is sent.
func (q Query) Draft() json.RawMessage { return q.params(kept) }

// Sent is what is sent of params that were kept: those of a search without its
// disabled conditions, all others as they are.
func Sent(params json.RawMessage) json.RawMessage {
	if !bytes.Contains(params, quote(disabledKey)) {
		return params
	}
	q, err := Decode(params)
	if err != nil {
		return params
	}
	return q.Params()
}

// disabledKey marks a disabled condition where it is kept.
const disabledKey = "disabled"

// purpose says whether disabled nodes are written too.
type purpose bool

const (
	sent purpose = false
	kept purpose = true
)

func (q Query) params(p purpose) json.RawMessage {
	query := &rawjson.Map{}
	if f := p.node(q.Filter); f != nil {
		query.Add("filter", f)
	}
	keys := make([]any, len(q.Sort))
	for i, k := range q.Sort {
		keys[i] = wrap(k.Field, map[bool]string{false: "asc", true: "desc"}[k.Desc])
	}
	if len(keys) > 0 {
		query.Add("sort", keys)
	}
	m := rawjson.NewMap("query", addAll(query, q.QueryExtra))
	if q.Limit != 0 {
		m.Add("limit", q.Limit)
	}
	if q.Cursor != "" {
		m.Add("cursor", q.Cursor)
	}
	if len(q.Fields) > 0 {
		m.Add("fields", q.Fields)
	}
	return addAll(m, q.Extra).JSON()
}

func addAll(m *rawjson.Map, members []Member) *rawjson.Map {
	for _, one := range members {
		m.Add(one.Name, json.RawMessage(compact(one.Value)))
	}
	return m
}

// EncodeFilter returns the filter object, or nil when nothing in the tree is
// enabled and complete enough to be sent.
func EncodeFilter(n *Node) json.RawMessage { return sent.node(n) }

func (p purpose) node(n *Node) json.RawMessage {
	if n == nil || n.Disabled && p == sent {
		return nil
	}
	out := p.enabled(n)
	if n.Disabled && out != nil {
		return wrap(disabledKey, out)
	}
	return out
}

// enabled writes a node as if it was not disabled itself.
func (p purpose) enabled(n *Node) json.RawMessage {
	if n.Op == Condition {
		if n.Field == "" || n.Operator == "" || len(n.Value) == 0 {
			return nil
		}
		return wrap(n.Operator, wrap(n.Field, json.RawMessage(compact(n.Value))))
	}
	var items []any
	for _, c := range n.Children {
		if f := p.node(c); f != nil {
			items = append(items, f)
		}
	}
	switch {
	case len(items) == 0:
		return nil
	case n.Op == Any:
		return wrap("or", items)
	case n.Op != Not:
		return wrap("and", items)
	case len(items) == 1:
		return wrap("not", items[0])
	}
	// The service takes one condition: none of several is not any of them.
	return wrap("not", wrap("or", items))
}

func wrap(name string, value any) json.RawMessage { return rawjson.NewMap(name, value).JSON() }

// list writes values as a JSON array.
func list(values []json.RawMessage) json.RawMessage {
	items := make([]any, len(values))
	for i, v := range values {
		items[i] = v
	}
	return rawjson.Encode(items)
}

// quote writes a JSON string.
func quote(s string) json.RawMessage { return rawjson.AppendQuoted(nil, s) }

// InWireNames is the filter with fields and values as records in wire names
// carry them; its shape stays, disabled nodes included. An entity that cannot be
// searched has no names for filters: its filter stays as it is.
func InWireNames(k *catalog.Kind, e *catalog.Entity, filter *Node) *Node {
	find := e.Action(catalog.ActionContextStoreSearch)
	if find == nil || filter == nil {
		return filter
	}
	out := filter.Clone()
	out.Walk(func(_ []int, n *Node) bool {
		if n.Op != Condition {
			return true
		}
		alone := Where(n.Field, n.Operator, n.Value)
		q, err := Decode(catalog.ToWire(k, e, find, Query{Filter: alone}.Params()))
		if err == nil && q.Filter != nil && q.Filter.Op == Condition {
			n.Field, n.Value = q.Filter.Field, q.Filter.Value
		}
		return true
	})
	return out
}
