package request

import (
	"slices"

	"patchbay/client/search"
)

// move implements editor for conditions, groups and sort keys.
func (e *searchEditor) move(i, in, down int) (int, string) {
	r, _ := e.row(i)
	root := e.q.Filter
	switch {
	case r.kind == rowSort && down != 0:
		if to := r.at + down; to >= 0 && to < len(e.q.Sort) {
			s := slices.Clone(e.q.Sort)
			s[r.at], s[to] = s[to], s[r.at]
			e.q.Sort = s
			return i + down, ""
		}
		return i, ""
	case r.kind != rowNode || len(r.path) == 0:
		return i, "only conditions, groups in others and sort keys move"
	case in > 0:
		return e.find(root.Indent(r.path, within(root.At(r.path[:len(r.path)-1]).Op)), i), ""
	case in < 0 && len(r.path) < 2:
		return i, "it is in no group that it could leave"
	case in < 0:
		return e.find(root.Outdent(r.path), i), ""
	}
	return e.find(root.Move(r.path, down), i), ""
}

// remove implements editor.
func (e *searchEditor) remove(i int) (int, string) {
	r, _ := e.row(i)
	switch {
	case r.kind == rowNode && len(r.path) > 0:
		e.q.Filter.Remove(r.path)
		return i, ""
	case r.kind == rowSort:
		e.q.Sort = slices.Delete(slices.Clone(e.q.Sort), r.at, r.at+1)
		return i, ""
	case r.kind == rowNode, r.kind == rowAdd, r.kind == rowAddSort, r.kind == rowField:
		return i, "this row cannot be removed"
	}
	e.set(i, 0, "")
	return i, ""
}

// drag moves the condition or group in a row to where another row is, and returns the row
// where it is then; the same where it cannot go there.
func (e *searchEditor) drag(from, to int) int {
	r, ok := e.row(from)
	target, there := e.row(to)
	if ok && there && r.kind == rowSort && target.kind == rowSort {
		s := slices.Clone(e.q.Sort)
		e.q.Sort = slices.Insert(slices.Delete(s, r.at, r.at+1), target.at, e.q.Sort[r.at])
		return to
	}
	if !ok || !there || r.kind != rowNode || len(r.path) == 0 || target.node == nil || target.node == r.node {
		return from
	}
	at := target.path
	switch {
	case target.kind == rowAdd:
		at = append(slices.Clone(at), len(target.node.Children))
	case target.node.Op != search.Condition:
		at = append(slices.Clone(at), 0)
	}
	return e.find(e.q.Filter.Relocate(r.path, at), from)
}
