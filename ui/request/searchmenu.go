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
	moves := func(in, down int) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { to, why := e.move(i, in, down); return to, said(why) }
	}
	switch r.kind {
	case rowNode:
		return e.nodeMenu(i, r)
	case rowSort:
		return []pick{{"Turn the order", "", stays(func() { e.q.Sort[r.at].Desc = !e.q.Sort[r.at].Desc })},
			{"Move up", "", moves(0, -1)}, {"Move down", "", moves(0, 1)},
			{"Remove", "", func() (int, intent.Intent) { return e.removed(i) }}}
	case rowLimit, rowFields, rowCursor:
		return []pick{{"Leave it out (absent)", "", stays(func() { e.set(i, 0, "") })}}
	case rowAdd:
		return adds(func(op search.Op) (int, intent.Intent) { return i, e.addCondition(r.into(op)) })
	case rowField:
		return []pick{{"Check it, or take that back", "", stays(func() { e.toggleField(r.name) })}}
	}
	return []pick{{"Add one", "", func() (int, intent.Intent) { return i, e.start(i, 0).ask }}}
}

func (e *searchEditor) removed(i int) (int, intent.Intent) {
	to, why := e.remove(i)
	return to, said(why)
}

// said tells why something cannot be; nothing for "".
func said(why string) intent.Intent {
	if why == "" {
		return nil
	}
	return intent.Say{Text: why, Bad: true}
}

// adds are the lines of a menu that add a condition or a group.
func adds(add func(search.Op) (int, intent.Intent)) []pick {
	of := func(op search.Op) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return add(op) }
	}
	return []pick{{"Add a condition", "", of(search.Condition)}, {"Add an any-of group", "", of(search.Any)},
		{"Add an all-of group", "", of(search.All)}, {"Add a none-of group", "", of(search.Not)}}
}

// nodeMenu is the menu of a condition or group in row i.
func (e *searchEditor) nodeMenu(i int, r searchRow) []pick {
	root, path := e.q.Filter, r.path
	to := func(move func() []int) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return e.find(move(), i), nil }
	}
	picks := adds(func(op search.Op) (int, intent.Intent) { return e.insert(i, r, op) })
	if len(path) == 0 {
		return picks
	}
	return append(picks,
		pick{"Disable or enable", "stays here, is not sent",
			to(func() []int { r.node.Disabled = !r.node.Disabled; return path })},
		pick{"Duplicate", "", to(func() []int { return root.Duplicate(path) })},
		pick{"Move up", "", to(func() []int { return root.Move(path, -1) })},
		pick{"Move down", "", to(func() []int { return root.Move(path, 1) })},
		pick{"Move into a group", "", to(func() []int { return root.Indent(path, search.Any) })},
		pick{"Move out of the group", "", to(func() []int {
			if len(path) > 1 {
				return root.Outdent(path)
			}
			return path
		})},
		pick{"Remove", "", func() (int, intent.Intent) { return e.removed(i) }})
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
