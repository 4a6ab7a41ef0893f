package request

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/preflight"
	"patchbay/client/search"
	"patchbay/ui/text"
)

// searchEditor edits the params of context_store_search: a tree of conditions,
// sort keys, limit, cursor and fields.
type searchEditor struct {
	q      search.Query
	entity *catalog.Entity
	now    func() time.Time
	// added is the condition that was added last: typing goes on there.
	added *search.Node
}

type searchKind int

const (
	rowNode searchKind = iota
	rowAdd
	rowSort
	rowAddSort
	rowLimit
	rowCursor
	rowFields
)

// searchRow says what a visible row stands for.
type searchRow struct {
	kind searchKind
	path []int
	node *search.Node
	at   int
}

func (e *searchEditor) rows() []searchRow {
	var rows []searchRow
	e.q.Filter.Walk(func(path []int, n *search.Node) bool {
		rows = append(rows, searchRow{kind: rowNode, path: slices.Clone(path), node: n})
		return true
	})
	rows = append(rows, searchRow{kind: rowAdd})
	for i := range e.q.Sort {
		rows = append(rows, searchRow{kind: rowSort, at: i})
	}
	return append(rows, searchRow{kind: rowAddSort}, searchRow{kind: rowLimit}, searchRow{kind: rowFields},
		searchRow{kind: rowCursor})
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
	for i, r := range rows {
		out[i] = e.line(r)
	}
	for _, p := range slices.Backward(e.problems()) { // the first of a row stays
		if p.row >= 0 {
			out[p.row].problem = text.Sanitize(p.text)
		}
	}
	return out
}

func (e *searchEditor) line(r searchRow) line {
	switch r.kind {
	case rowNode:
		return e.nodeLine(r)
	case rowAdd:
		return line{label: "+ condition", heading: true,
			hint: "enter adds a condition; x on a row above: groups, move, copy, disable"}
	case rowSort:
		k := e.q.Sort[r.at]
		dir := text.Safe("asc")
		if k.Desc {
			dir = "desc"
		}
		return line{label: "sort", hint: "earlier sort keys win",
			cells: []cell{{text: text.Sanitize(k.Field), width: 22}, {text: dir, tone: toneWord, width: 6}}}
	case rowAddSort:
		return line{label: "+ sort", heading: true, hint: "enter adds a sort key"}
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
		return line{label: "fields", cells: []cell{c}, typ: "array",
			hint: "dot paths to return, separated by commas; empty returns whole records"}
	}
	c := cell{text: "absent", tone: toneAbsent}
	if e.q.Cursor != "" {
		c = cell{text: text.Sanitize(e.q.Cursor)}
	}
	return line{label: "cursor", cells: []cell{c}, typ: "string",
		hint: "from meta.cursor of the page before; . fills it by itself"}
}

func (e *searchEditor) nodeLine(r searchRow) line {
	n := r.node
	l := line{depth: len(r.path), off: n.Disabled}
	l.label = "·"
	switch {
	case len(r.path) == 0:
		l.label = "where"
	case n.Disabled:
		l.label = "off"
	}
	if n.Op != search.Condition {
		l.cells = []cell{{text: groupWords[n.Op], tone: toneWord}}
		l.hint = "enter switches between all of, any of and none of; x adds to the group"
		return l
	}
	f, exact, known := search.FindField(e.entity, n.Field)
	field, value := cell{text: text.Sanitize(n.Field), width: 22}, cell{text: text.Sanitize(string(n.Value))}
	if n.Field == "" {
		field = cell{text: "field?", tone: toneAbsent, width: 22}
	}
	if len(n.Value) == 0 {
		value = cell{text: "value?", tone: toneAbsent}
	}
	l.cells = []cell{field, {text: text.Sanitize(n.Operator), tone: toneWord, width: 8}, value}
	switch {
	case known && exact:
		l.typ = text.Sanitize(f.Type)
	case e.entity.SearchUnknown || len(e.entity.Search) == 0:
		l.typ = "unchecked"
	}
	l.hint = text.Sanitize(f.Doc)
	if l.hint == "" {
		l.hint = "h l choose field, operator or value; enter edits it; x moves, nests, copies, disables, removes"
	}
	return l
}

func (e *searchEditor) start(i, c int) begun {
	r, ok := e.row(i)
	if !ok {
		return begun{}
	}
	switch r.kind {
	case rowAdd:
		return begun{ask: e.addCondition(func(n *search.Node) {
			e.q.Filter.Children = append(e.q.Filter.Children, n)
		})}
	case rowAddSort:
		return begun{ask: e.chooseSort(func(name string) {
			e.q.Sort = append(e.q.Sort, search.SortKey{Field: name})
		})}
	case rowSort:
		if c == 1 {
			e.q.Sort[r.at].Desc = !e.q.Sort[r.at].Desc
			return begun{}
		}
		return begun{ask: e.chooseSort(func(name string) { e.q.Sort[r.at].Field = name })}
	case rowNode:
		return e.startNode(r.node, i, c)
	}
	return e.text(i, c)
}

// text implements editor.
func (e *searchEditor) text(i, c int) begun {
	r, ok := e.row(i)
	if !ok {
		return begun{}
	}
	b := begun{edit: true}
	switch r.kind {
	case rowNode:
		return e.nodeText(r.node, c)
	case rowSort:
		if c == 1 {
			return begun{edit: true, text: order(e.q.Sort[r.at]), offered: true, known: orders, only: true}
		}
		b.text, b.known, b.only = e.q.Sort[r.at].Field, e.fieldNames(), e.checked()
	case rowLimit:
		if e.q.Limit > 0 {
			b.text = strconv.Itoa(e.q.Limit)
		}
	case rowFields:
		b.text = strings.Join(e.q.Fields, ", ")
	case rowCursor:
		b.text = e.q.Cursor
	}
	return b
}

// nodeText types field, operator or value of a condition.
func (e *searchEditor) nodeText(n *search.Node, c int) begun {
	switch c {
	case 0:
		return begun{edit: true, text: n.Field, known: e.fieldNames(), only: e.checked()}
	case 1:
		f, _, _ := search.FindField(e.entity, n.Field)
		return begun{edit: true, text: n.Operator, offered: true, known: search.Operators(f), only: true}
	}
	return begun{edit: true, text: valueText(n.Value), known: e.values(n)}
}

// next implements editor: a condition without a value goes on from field to operator to value.
func (e *searchEditor) next(i, c int) (int, bool) {
	r, ok := e.row(i)
	return c + 1, ok && r.kind == rowNode && r.node.Op == search.Condition && c < 2 && len(r.node.Value) == 0
}

var orders = []string{"asc", "desc"}

func order(k search.SortKey) string {
	if k.Desc {
		return "desc"
	}
	return "asc"
}

// fieldNames are the searchable fields; checked reports whether there are no others.
func (e *searchEditor) fieldNames() []string { return catalog.FieldNames(e.entity.Search) }

func (e *searchEditor) checked() bool { return !e.entity.SearchUnknown && len(e.entity.Search) > 0 }

// values are those that an enumeration or boolean takes.
func (e *searchEditor) values(n *search.Node) []string {
	f, exact, ok := search.FindField(e.entity, n.Field)
	switch {
	case !ok || !exact:
		return nil
	case f.Type == "boolean":
		return []string{"true", "false"}
	}
	var out []string
	for _, v := range f.Enum {
		out = append(out, valueText(v))
	}
	return out
}

func (e *searchEditor) startNode(n *search.Node, i, c int) begun {
	switch {
	case n.Op != search.Condition:
		next := map[search.Op]search.Op{search.All: search.Any, search.Any: search.Not, search.Not: search.All}
		n.Op = next[n.Op]
		return begun{}
	case c == 0:
		return begun{ask: e.chooseField(n)}
	case c == 1:
		return begun{ask: e.chooseOperator(n)}
	}
	if in := e.chooseValue(n); in != nil {
		return begun{ask: in}
	}
	return e.text(i, c)
}

// valueText is a value as a person types it: texts without quotes, lists with commas.
func valueText(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		parts := make([]string, len(list))
		for i, x := range list {
			parts[i] = valueText(x)
		}
		return strings.Join(parts, ", ")
	}
	return string(v)
}

func (e *searchEditor) set(i, c int, t string) string {
	r, ok := e.row(i)
	if !ok {
		return ""
	}
	switch r.kind {
	case rowNode:
		return e.setCell(r.node, c, t)
	case rowSort:
		return e.setSort(&e.q.Sort[r.at], c, t)
	case rowLimit:
		n, err := strconv.Atoi(strings.TrimSpace(t))
		e.q.Limit = n
		if t == "" {
			e.q.Limit = 0
		} else if err != nil || n < 1 {
			e.q.Limit = 0
			return "limit is a whole number from 1"
		}
	case rowFields:
		e.q.Fields = splitList(t)
	case rowCursor:
		e.q.Cursor = strings.TrimSpace(t)
	}
	return ""
}

// setCell stores what is typed into a cell of a condition.
func (e *searchEditor) setCell(n *search.Node, c int, t string) string {
	switch c {
	case 0:
		e.setField(n, strings.TrimSpace(t))
	case 1:
		n.Operator = strings.TrimSpace(t)
	default:
		return e.setValue(n, t)
	}
	return ""
}

func (e *searchEditor) setSort(k *search.SortKey, c int, t string) string {
	if t = strings.TrimSpace(t); c == 0 {
		k.Field = t
		return ""
	}
	k.Desc = t == orders[1]
	if !slices.Contains(orders, t) {
		return "the order is asc or desc"
	}
	return ""
}

func (e *searchEditor) find(path []int, otherwise int) int {
	for i, r := range e.rows() {
		if r.kind == rowNode && slices.Equal(r.path, path) {
			return i
		}
	}
	return otherwise
}

func (e *searchEditor) fold(int) {}

// types implements editor: all but a group's word and the rows that add.
func (e *searchEditor) types(i, _ int) bool {
	r, ok := e.row(i)
	return ok && r.kind != rowAdd && r.kind != rowAddSort &&
		(r.kind != rowNode || r.node.Op == search.Condition)
}

// notice is what the checks found that keeps nothing from being sent.
func (e *searchEditor) notice() string {
	for _, v := range e.verdicts() {
		if v.Severity == catalog.SeverityWarning {
			return v.Text
		}
	}
	return ""
}

func (e *searchEditor) params() json.RawMessage { return e.q.Params() }

func (e *searchEditor) setParams(p json.RawMessage) error {
	if len(p) == 0 {
		p = json.RawMessage("{}")
	}
	q, err := search.Decode(p)
	if err != nil {
		return err
	}
	for _, odd := range q.Odd { // it would be written otherwise than it came
		if odd.Severity == search.Wrong {
			return errors.New(odd.Text)
		}
	}
	q.Odd = nil
	switch {
	case q.Filter == nil:
		q.Filter = search.Group(search.All)
	case q.Filter.Op == search.Condition || q.Filter.Op == search.Not || q.Filter.Disabled:
		q.Filter = search.Group(search.All, q.Filter)
	}
	e.q = q
	return nil
}

func (e *searchEditor) problems() []problem {
	var out []problem
	rows := e.rows()
	for _, v := range preflight.Errors(e.verdicts()) {
		p := v.Search
		row := slices.IndexFunc(rows, func(r searchRow) bool {
			switch r.kind {
			case rowNode:
				return p.Where == "filter" && slices.Equal(r.path, p.Path)
			case rowSort:
				return p.Where == "sort" && r.at == p.Index
			}
			return p.Where != "" && p.Where == map[searchKind]string{rowLimit: "limit", rowFields: "fields",
				rowCursor: "cursor"}[r.kind]
		})
		out = append(out, problem{row: row, text: v.Text})
	}
	return out
}

// verdicts are what the checks of every call say of the search.
func (e *searchEditor) verdicts() []preflight.Verdict { return preflight.Query(e.q, e.entity, "") }

// Draft are the params for keeping: with the conditions of a search that are disabled.
func (r *Pane) Draft() json.RawMessage {
	if e, ok := r.ed.(*searchEditor); ok {
		return e.q.Draft()
	}
	return r.Params()
}
