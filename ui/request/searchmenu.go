package request

import (
	"slices"

	"patchbay/client/search"
	"patchbay/ui/intent"
)

func (e *searchEditor) menu(i int) []pick {
	r, ok := e.row(i)
	if !ok {
		return nil
	}
	stays := func(do func()) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { do(); return i, nil }
	}
	switch r.kind {
	case rowNode:
		return e.nodeMenu(i, r)
	case rowSort:
		s, at := e.q.Sort, r.at
		moves := func(d int) func() (int, intent.Intent) {
			return stays(func() {
				if to := at + d; to >= 0 && to < len(s) {
					s[at], s[to] = s[to], s[at]
				}
			})
		}
		return []pick{{"Turn the order", "", stays(func() { s[at].Desc = !s[at].Desc })},
			{"Move up", "", moves(-1)}, {"Move down", "", moves(1)},
			{"Remove", "", stays(func() { e.q.Sort = slices.Delete(s, at, at+1) })}}
	case rowLimit, rowFields, rowCursor:
		return []pick{{"Leave it out (absent)", "", stays(func() { e.set(i, 0, "") })}}
	}
	return []pick{{"Add a condition", "", func() (int, intent.Intent) { return i, e.start(i, 0).ask }}}
}

// nodeMenu is the menu of a condition or group in row i.
func (e *searchEditor) nodeMenu(i int, r searchRow) []pick {
	root, path := e.q.Filter, r.path
	inserts := func(op search.Op) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return e.insert(i, r, op) }
	}
	to := func(move func() []int) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return e.find(move(), i), nil }
	}
	picks := []pick{{"Add a condition", "", inserts(search.Condition)},
		{"Add an any-of group", "", inserts(search.Any)}, {"Add a none-of group", "", inserts(search.Not)}}
	if len(path) == 0 {
		return picks
	}
	return append(picks,
		pick{"Disable or enable", "stays here, is not sent",
			to(func() []int { r.node.Disabled = !r.node.Disabled; return path })},
		pick{"Duplicate", "", to(func() []int { return root.Duplicate(path) })},
		pick{"Move up", "", to(func() []int { return root.Move(path, -1) })},
		pick{"Move down", "", to(func() []int { return root.Move(path, 1) })},
		pick{"Indent into an any-of group", "", to(func() []int { return root.Indent(path, search.Any) })},
		pick{"Outdent", "", to(func() []int {
			if len(path) > 1 {
				return root.Outdent(path)
			}
			return path
		})},
		pick{"Remove", "", func() (int, intent.Intent) { root.Remove(path); return max(i-1, 0), nil }})
}

// insert adds a condition, or a group of that kind with one, inside a group or behind a condition.
func (e *searchEditor) insert(i int, r searchRow, op search.Op) (int, intent.Intent) {
	return i, e.addCondition(func(n *search.Node) {
		if op != search.Condition {
			n = search.Group(op, n)
		}
		if r.node.Op != search.Condition {
			r.node.Children = append(r.node.Children, n)
			return
		}
		at := slices.Clone(r.path)
		at[len(at)-1]++
		e.q.Filter.Insert(at, n)
	})
}
