package search

import "patchbay/catalog"

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
