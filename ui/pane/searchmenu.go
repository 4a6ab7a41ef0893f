package pane

import (
	"slices"

	"patchbay/client/search"
	"patchbay/ui/intent"
)

// The choices of the condition menu.
const (
	pickCondition = "condition"
	pickGroupAny  = "any"
	pickGroupNot  = "not"
	pickIndent    = "indent"
	pickOutdent   = "outdent"
	pickCopy      = "duplicate"
	pickDisable   = "disable"
)

func (e *searchEditor) menu(i int) []intent.Option {
	r, ok := e.row(i)
	if !ok {
		return nil
	}
	switch r.kind {
	case rowNode:
		opts := []intent.Option{
			{Title: "Add a condition", Value: pickCondition},
			{Title: "Add an any-of group", Value: pickGroupAny}, {Title: "Add a none-of group", Value: pickGroupNot},
		}
		if len(r.path) == 0 {
			return opts
		}
		return append(opts, intent.Option{Title: "Disable or enable", Note: "stays here, is not sent", Value: pickDisable},
			intent.Option{Title: "Duplicate", Value: pickCopy}, intent.Option{Title: "Move up", Value: pickUp},
			intent.Option{Title: "Move down", Value: pickDown}, intent.Option{Title: "Indent into an any-of group", Value: pickIndent},
			intent.Option{Title: "Outdent", Value: pickOutdent}, intent.Option{Title: "Remove", Value: pickRemove})
	case rowSort:
		return []intent.Option{{Title: "Turn the order", Value: pickDisable}, {Title: "Move up", Value: pickUp},
			{Title: "Move down", Value: pickDown}, {Title: "Remove", Value: pickRemove}}
	case rowLimit, rowFields, rowCursor:
		return []intent.Option{{Title: "Leave it out (absent)", Value: pickUnset}}
	}
	return []intent.Option{{Title: "Add a condition", Value: pickCondition}}
}

func (e *searchEditor) choose(i int, option string) (int, intent.Intent) {
	r, ok := e.row(i)
	if !ok {
		return i, nil
	}
	switch r.kind {
	case rowSort:
		return i, e.chooseSort(r.at, option)
	case rowLimit, rowFields, rowCursor:
		e.set(i, 0, "")
		return i, nil
	case rowAdd, rowAddSort:
		_, _, in, _ := e.start(i, 0)
		return i, in
	}
	return e.chooseNode(i, r, option)
}

func (e *searchEditor) chooseSort(at int, option string) intent.Intent {
	s := e.q.Sort
	switch option {
	case pickDisable:
		s[at].Desc = !s[at].Desc
	case pickUp:
		if at > 0 {
			s[at-1], s[at] = s[at], s[at-1]
		}
	case pickDown:
		if at < len(s)-1 {
			s[at+1], s[at] = s[at], s[at+1]
		}
	case pickRemove:
		e.q.Sort = slices.Delete(s, at, at+1)
	}
	return nil
}

func (e *searchEditor) chooseNode(i int, r searchRow, option string) (int, intent.Intent) {
	root, path := e.q.Filter, r.path
	switch option {
	case pickCondition, pickGroupAny, pickGroupNot:
		return e.insert(r, option)
	case pickDisable:
		r.node.Disabled = !r.node.Disabled
	case pickCopy:
		path = root.Duplicate(path)
	case pickUp:
		path = root.Move(path, -1)
	case pickDown:
		path = root.Move(path, 1)
	case pickIndent:
		path = root.Indent(path, search.Any)
	case pickOutdent:
		if len(path) > 1 {
			path = root.Outdent(path)
		}
	case pickRemove:
		root.Remove(path)
		return max(i-1, 0), nil
	}
	return e.find(path, i), nil
}

// insert adds a condition or group inside a group, or behind a condition.
func (e *searchEditor) insert(r searchRow, option string) (int, intent.Intent) {
	cond := search.Where("", search.Eq, nil)
	n := cond
	switch option {
	case pickGroupAny:
		n = search.Group(search.Any, cond)
	case pickGroupNot:
		n = search.Group(search.Not, cond)
	}
	var at []int
	if r.node.Op == search.Condition {
		at = slices.Clone(r.path)
		at[len(at)-1]++
		e.q.Filter.Insert(at, n)
	} else {
		r.node.Children = append(r.node.Children, n)
		at = append(slices.Clone(r.path), len(r.node.Children)-1)
	}
	if n != cond {
		at = append(at, 0)
	}
	return e.find(at, 0), e.chooseField(cond)
}
