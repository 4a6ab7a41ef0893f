package search

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
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
	w := newObject()
	w.raw("query", q.query(p))
	if q.Limit != 0 {
		w.raw("limit", strconv.AppendInt(nil, int64(q.Limit), 10))
	}
	if q.Cursor != "" {
		w.raw("cursor", quote(q.Cursor))
	}
	if len(q.Fields) > 0 {
		w.raw("fields", quoteAll(q.Fields))
	}
	for _, m := range q.Extra {
		w.raw(m.Name, compact(m.Value))
	}
	return w.close()
}

func (q Query) query(p purpose) []byte {
	w := newObject()
	if f := p.node(q.Filter); f != nil {
		w.raw("filter", f)
	}
	if len(q.Sort) > 0 {
		w.raw("sort", encodeSort(q.Sort))
	}
	for _, m := range q.QueryExtra {
		w.raw(m.Name, compact(m.Value))
	}
	return w.close()
}

// EncodeFilter returns the filter object, or nil when nothing in the tree is
// enabled and complete enough to be sent.
func EncodeFilter(n *Node) json.RawMessage { return sent.node(n) }

func (p purpose) node(n *Node) json.RawMessage {
	switch {
	case n == nil || n.Disabled && p == sent:
		return nil
	case n.Disabled:
		if inner := p.enabled(n); inner != nil {
			return wrap(disabledKey, inner)
		}
		return nil
	}
	return p.enabled(n)
}

// enabled writes a node as if it was not disabled itself.
func (p purpose) enabled(n *Node) json.RawMessage {
	switch n.Op {
	case Condition:
		return encodeCondition(n)
	case Not:
		return p.negated(n)
	}
	items := p.children(n)
	if len(items) == 0 {
		return nil
	}
	name := "and"
	if n.Op == Any {
		name = "or"
	}
	return wrap(name, list(items))
}

func (p purpose) children(n *Node) [][]byte {
	var items [][]byte
	for _, c := range n.Children {
		if f := p.node(c); f != nil {
			items = append(items, f)
		}
	}
	return items
}

// negated negates all children together, because the service takes one condition.
func (p purpose) negated(n *Node) []byte {
	items := p.children(n)
	switch len(items) {
	case 0:
		return nil
	case 1:
		return wrap("not", items[0])
	}
	return wrap("not", wrap("and", list(items)))
}

func encodeCondition(n *Node) []byte {
	if n.Field == "" || n.Operator == "" || len(n.Value) == 0 {
		return nil
	}
	return wrap(n.Operator, wrap(n.Field, compact(n.Value)))
}

func encodeSort(keys []SortKey) []byte {
	items := make([][]byte, len(keys))
	for i, k := range keys {
		order := `"asc"`
		if k.Desc {
			order = `"desc"`
		}
		items[i] = wrap(k.Field, []byte(order))
	}
	return list(items)
}

func wrap(name string, value []byte) []byte {
	w := newObject()
	w.raw(name, value)
	return w.close()
}

func list(items [][]byte) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, it := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(it)
	}
	b.WriteByte(']')
	return b.Bytes()
}

type object struct{ b bytes.Buffer }

func newObject() *object {
	w := &object{}
	w.b.WriteByte('{')
	return w
}

func (w *object) raw(name string, value []byte) {
	if w.b.Len() > 1 {
		w.b.WriteByte(',')
	}
	w.b.Write(quote(name))
	w.b.WriteByte(':')
	w.b.Write(value)
}

func (w *object) close() []byte {
	w.b.WriteByte('}')
	return w.b.Bytes()
}

// quote writes a JSON string without escaping <, > and &, which people read.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(strings.ToValidUTF8(s, "\ufffd")) != nil {
		return []byte(`""`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func quoteAll(texts []string) []byte {
	items := make([][]byte, len(texts))
	for i, t := range texts {
		items[i] = quote(t)
	}
	return list(items)
}
