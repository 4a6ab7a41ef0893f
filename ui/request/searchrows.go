package request

import (
	"slices"
	"strconv"
	"strings"

	"patchbay/client/search"
	"patchbay/ui/text"
)

type searchKind int

const (
	rowNode searchKind = iota
	rowAdd
	rowSort
	rowAddSort
	rowLimit
	rowCursor
	rowFields
	rowField
)

// searchRow says what a visible row stands for.
type searchRow struct {
	kind searchKind
	// path and node are a condition or group; of the row that adds to one, that group.
	path []int
	node *search.Node
	// at is the place among the sort keys, name a field to return.
	at   int
	name string
}

func (e *searchEditor) rows() []searchRow {
	rows := nodeRows(nil, nil, e.q.Filter)
	for i := range e.q.Sort {
		rows = append(rows, searchRow{kind: rowSort, at: i})
	}
	rows = append(rows, searchRow{kind: rowAddSort}, searchRow{kind: rowLimit}, searchRow{kind: rowFields})
	if e.unfolded {
		for _, name := range e.fieldNames() {
			rows = append(rows, searchRow{kind: rowField, name: name})
		}
	}
	return append(rows, searchRow{kind: rowCursor})
}

// nodeRows adds the rows of a node; those of a group end with the one that adds to it.
func nodeRows(rows []searchRow, path []int, n *search.Node) []searchRow {
	rows = append(rows, searchRow{kind: rowNode, path: path, node: n})
	if n.Op == search.Condition {
		return rows
	}
	for i, c := range n.Children {
		rows = nodeRows(rows, append(slices.Clone(path), i), c)
	}
	return append(rows, searchRow{kind: rowAdd, path: path, node: n})
}

func (e *searchEditor) row(i int) (searchRow, bool) {
	rows := e.rows()
	if i < 0 || i >= len(rows) {
		return searchRow{}, false
	}
	return rows[i], true
}

var groupWords = map[search.Op]text.Safe{search.All: "all of", search.Any: "any of", search.Not: "none of"}

func (e *searchEditor) lines() []line {
	rows := e.rows()
	out := make([]line, len(rows))
	names := e.nameWidth(rows)
	for i, r := range rows {
		out[i] = e.line(r, names)
	}
	for _, p := range slices.Backward(e.problems()) { // the first of a row stays
		if p.row >= 0 {
			out[p.row].problem = text.Sanitize(p.text)
		}
	}
	return out
}

// nameWidth is where the operators of all conditions begin.
func (e *searchEditor) nameWidth(rows []searchRow) int {
	w := 16
	for _, r := range rows {
		if r.kind == rowNode && r.node.Op == search.Condition {
			w = max(w, min(2*len(r.path)+text.Width(text.Sanitize(r.node.Field))+1, 34))
		}
		if r.kind == rowSort {
			w = max(w, min(sortLabel+text.Width(text.Sanitize(e.q.Sort[r.at].Field))+1, 34))
		}
	}
	return w
}

func (e *searchEditor) line(r searchRow, names int) line {
	switch r.kind {
	case rowNode, rowAdd:
		return e.nodeLine(r, names)
	case rowSort:
		k := e.q.Sort[r.at]
		f, exact, _ := search.FindField(e.entity, k.Field)
		l := line{tree: true, label: sortGuide(r.at, false),
			cells: []cell{{text: text.Sanitize(k.Field), width: max(names-sortLabel, 12)},
				{text: text.Sanitize(order(k)), tone: toneWord, width: 8}},
			hint: "←→ field, order  ·  earlier ones win  ·  shift+up and shift+down move it, delete removes it"}
		if exact {
			l.typ = text.Sanitize(f.Type)
		}
		return l
	case rowAddSort:
		return line{tree: true, label: sortGuide(len(e.q.Sort), true), cells: []cell{{text: "+ field", tone: toneWord}},
			hint: "enter adds a field to sort by; without any the service orders as it likes"}
	case rowLimit:
		c := cell{text: text.Sprintf("absent (default %d)", search.DefaultLimit), tone: toneAbsent}
		if e.q.Limit > 0 {
			c = cell{text: text.Sanitize(strconv.Itoa(e.q.Limit))}
		}
		return line{label: "limit", cells: []cell{c}, typ: "integer", hint: "how many results one page holds"}
	case rowFields:
		c := cell{text: "all", tone: toneAbsent}
		if len(e.q.Fields) > 0 {
			c = cell{text: text.Sanitize(strings.Join(e.q.Fields, ", "))}
		}
		return line{label: "fields", cells: []cell{c}, typ: "array", expandable: e.checked(), expanded: e.unfolded,
			hint: "enter unfolds them to check; dot paths are typed, with commas; without any, whole records"}
	case rowField:
		return checkbox(1, text.Sanitize(r.name), slices.Contains(e.q.Fields, r.name))
	}
	c := cell{text: "absent", tone: toneAbsent}
	if e.q.Cursor != "" {
		c = cell{text: text.Sanitize(e.q.Cursor)}
	}
	return line{label: "cursor", cells: []cell{c}, typ: "string",
		hint: "from meta.cursor of the page before; . fills it by itself"}
}

// checkbox is the row of one of several values, of which any may be chosen.
func checkbox(depth int, name text.Safe, on bool) line {
	mark := text.Safe("[ ] ")
	if on {
		mark = "[x] "
	}
	return line{depth: depth, label: mark + name, heading: true, hint: "enter checks it, or takes that back"}
}

// guide draws where a row of depth d hangs; a group ends with the row that adds to it.
func guide(d int, last bool) text.Safe {
	if d == 0 {
		return "where "
	}
	end := text.Safe("├ ")
	if last {
		end = "└ "
	}
	return text.Repeat("│ ", d-1) + end
}

// sortLabel is how wide the label of a sort key is.
const sortLabel = 6

// sortGuide draws where a row of the order hangs; the last one adds to it.
func sortGuide(at int, last bool) text.Safe {
	switch {
	case at == 0:
		return "sort  "
	case last:
		return "    └ "
	}
	return "    ├ "
}

// nodeLine is the row of a condition, of a group, or of what adds to one: names is where
// the operators begin.
func (e *searchEditor) nodeLine(r searchRow, names int) line {
	n := r.node
	l := line{tree: true, label: guide(len(r.path), false), off: e.isOff(r.path)}
	switch {
	case r.kind == rowAdd:
		l.label = guide(len(r.path)+1, true)
		l.cells = []cell{{text: "+ condition", tone: toneWord, width: 12}, {text: "+ group", tone: toneWord, width: 8}}
		l.hint = "enter adds to " + groupWords[n.Op] + ", and ( in its list opens a group; ←→ choose"
		return l
	case n.Op != search.Condition:
		l.cells = []cell{{text: groupWords[n.Op], tone: toneWord}}
		l.hint = "enter switches between all of, any of and none of; shift+arrows move it; x does more"
		return l.switchedOff(n)
	}
	f, exact, known := search.FindField(e.entity, n.Field)
	field, value := cell{text: text.Sanitize(n.Field), width: max(names-2*len(r.path), 6)},
		cell{text: text.Sanitize(string(n.Value))}
	if n.Field == "" {
		field.text, field.tone = "field?", toneAbsent
	}
	if len(n.Value) == 0 {
		value = cell{text: "value?", tone: toneAbsent}
	}
	if at := search.Moment(f, n.Value); exact && at != "" {
		value.note = text.Sanitize("  = " + at)
	}
	l.cells = []cell{field, {text: text.Sanitize(n.Operator), tone: toneWord, width: 8}, value}
	switch {
	case known && exact:
		l.typ = text.Sanitize(f.Type)
	case e.entity.SearchUnknown || len(e.entity.Search) == 0:
		l.typ = "unchecked"
	}
	l.hint = "←→ field, operator (also = ! > >= < <= ~), value"
	if f.Format == "unix" || f.Format == "unix-ms" || strings.HasPrefix(f.Format, "date") {
		l.hint += "  ·  a date: 2026-01-01, today, -365d"
	}
	l.hint += "  ·  shift+arrows move it"
	if doc := text.Sanitize(f.Doc); doc != "" {
		l.hint += "  ·  " + doc
	}
	return l.switchedOff(n)
}

// switchedOff tells that a condition is not sent.
func (l line) switchedOff(n *search.Node) line {
	if n.Disabled {
		l.typ = "off, not sent"
	}
	return l
}

// isOff reports whether the node at a path, or a group that it is in, is disabled.
func (e *searchEditor) isOff(path []int) bool {
	for i := range len(path) + 1 {
		if n := e.q.Filter.At(path[:i]); n != nil && n.Disabled {
			return true
		}
	}
	return false
}
