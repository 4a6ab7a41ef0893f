package pane

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/form"
	"patchbay/client/search"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// searchEditor edits the params of context_store_search: a tree of conditions,
// sort keys, limit, cursor and fields.
type searchEditor struct {
	q      search.Query
	entity *catalog.Entity
	now    func() time.Time
}

func newSearchEditor(e *catalog.Entity, now func() time.Time) *searchEditor {
	return &searchEditor{entity: e, now: now, q: search.Query{Filter: search.Group(search.All)}}
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
	return append(rows, searchRow{kind: rowAddSort}, searchRow{kind: rowLimit}, searchRow{kind: rowFields}, searchRow{kind: rowCursor})
}

func (e *searchEditor) row(i int) (searchRow, bool) {
	rows := e.rows()
	if i < 0 || i >= len(rows) {
		return searchRow{}, false
	}
	return rows[i], true
}

var groupWords = map[search.Op]string{search.All: "all of", search.Any: "any of", search.Not: "none of"}

func (e *searchEditor) lines() []line {
	bad := map[int]string{}
	for _, p := range e.problems() {
		if p.row >= 0 && bad[p.row] == "" {
			bad[p.row] = p.text
		}
	}
	rows := e.rows()
	out := make([]line, 0, len(rows))
	for i, r := range rows {
		l := e.line(r)
		l.problem = bad[i]
		out = append(out, l)
	}
	return out
}

func (e *searchEditor) line(r searchRow) line {
	switch r.kind {
	case rowNode:
		return e.nodeLine(r)
	case rowAdd:
		return line{label: "+ condition", heading: true, hint: "enter adds a condition; x on a row above: groups, move, copy, disable"}
	case rowSort:
		k := e.q.Sort[r.at]
		dir := "asc"
		if k.Desc {
			dir = "desc"
		}
		return line{label: "sort", cells: []cell{{text: text.Sanitize(k.Field), width: 22}, {text: dir, tone: toneWord, width: 6}}, hint: "earlier sort keys win"}
	case rowAddSort:
		return line{label: "+ sort", heading: true, hint: "enter adds a sort key"}
	case rowLimit:
		c := cell{text: "absent (default " + strconv.Itoa(search.DefaultLimit) + ")", tone: toneAbsent}
		if e.q.Limit > 0 {
			c = cell{text: strconv.Itoa(e.q.Limit)}
		}
		return line{label: "limit", cells: []cell{c}, typ: "integer", hint: "how many results one page holds"}
	case rowFields:
		c := cell{text: "all", tone: toneAbsent}
		if len(e.q.Fields) > 0 {
			c = cell{text: text.Sanitize(strings.Join(e.q.Fields, ", "))}
		}
		return line{label: "fields", cells: []cell{c}, typ: "array", hint: "dot paths to return, separated by commas; empty returns whole records"}
	}
	c := cell{text: "absent", tone: toneAbsent}
	if e.q.Cursor != "" {
		c = cell{text: text.Sanitize(e.q.Cursor)}
	}
	return line{label: "cursor", cells: []cell{c}, typ: "string", hint: "from meta.cursor of the page before; . fills it by itself"}
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
	l.cells = []cell{field, {text: n.Operator, tone: toneWord, width: 8}, value}
	switch {
	case known && exact:
		l.typ = f.Type
	case e.entity.SearchUnknown || len(e.entity.Search) == 0:
		l.typ = "unchecked"
	}
	l.hint = f.Doc
	if l.hint == "" {
		l.hint = "h l choose field, operator or value; enter edits it; x moves, nests, copies, disables, removes"
	}
	return l
}

func (e *searchEditor) start(i, c int) (string, bool, intent.Intent, bool) {
	r, ok := e.row(i)
	if !ok {
		return "", false, nil, false
	}
	switch r.kind {
	case rowAdd:
		n := search.Where("", search.Eq, nil)
		e.q.Filter.Children = append(e.q.Filter.Children, n)
		return "", false, e.chooseField(n), false
	case rowAddSort:
		return "", false, e.chooseName("Sort by", func(name string) {
			e.q.Sort = append(e.q.Sort, search.SortKey{Field: name})
		}), false
	case rowSort:
		return e.startSort(r.at, c)
	case rowLimit:
		if e.q.Limit > 0 {
			return strconv.Itoa(e.q.Limit), false, nil, true
		}
		return "", false, nil, true
	case rowFields:
		return strings.Join(e.q.Fields, ", "), false, nil, true
	case rowCursor:
		return e.q.Cursor, false, nil, true
	}
	return e.startNode(r.node, c)
}

func (e *searchEditor) startSort(at, c int) (string, bool, intent.Intent, bool) {
	if c == 1 {
		e.q.Sort[at].Desc = !e.q.Sort[at].Desc
		return "", false, nil, false
	}
	return "", false, e.chooseName("Sort by", func(name string) { e.q.Sort[at].Field = name }), false
}

func (e *searchEditor) startNode(n *search.Node, c int) (string, bool, intent.Intent, bool) {
	if n.Op != search.Condition {
		next := map[search.Op]search.Op{search.All: search.Any, search.Any: search.Not, search.Not: search.All}
		n.Op = next[n.Op]
		return "", false, nil, false
	}
	switch c {
	case 0:
		return "", false, e.chooseField(n), false
	case 1:
		return "", false, e.chooseOperator(n), false
	}
	if in := e.chooseValue(n); in != nil {
		return "", false, in, false
	}
	return valueText(n.Value), false, nil, true
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

func (e *searchEditor) fieldOptions() []intent.Option {
	var opts []intent.Option
	for _, f := range e.entity.Search {
		opts = append(opts, intent.Option{Title: f.Name, Note: f.Type, Detail: f.Doc, Value: f.Name})
	}
	return opts
}

func (e *searchEditor) chooseField(n *search.Node) intent.Intent {
	return intent.Choose{Title: "Field to compare", Options: e.fieldOptions(), Current: n.Field, Free: true, Done: func(v string) intent.Intent {
		n.Field = v
		f, _, _ := search.FindField(e.entity, v)
		if ops := search.Operators(f); len(ops) > 0 && !slices.Contains(ops, n.Operator) {
			n.Operator = ops[0]
		}
		return EditCell{Cell: 2}
	}}
}

// EditCell is an intent of the request pane to itself: go on with a cell of the row under the cursor.
type EditCell struct{ Cell int }

func (e *searchEditor) chooseName(title string, set func(string)) intent.Intent {
	return intent.Choose{Title: title, Options: e.fieldOptions(), Free: true, Done: func(v string) intent.Intent {
		set(v)
		return nil
	}}
}

var operatorWords = map[string]string{
	search.Eq: "equal", search.Neq: "not equal", search.Gt: "greater than", search.Gte: "greater or equal",
	search.Lt: "less than", search.Lte: "less or equal", search.In: "one of several values",
	search.Like: "contains the text; % stands for anything", search.Fuzzy: "every word, in any order, parts of words too",
	search.Keyword: "any of the words",
}

func (e *searchEditor) chooseOperator(n *search.Node) intent.Intent {
	f, _, _ := search.FindField(e.entity, n.Field)
	c := intent.Choose{Title: "Operator", Current: n.Operator, Done: func(v string) intent.Intent {
		n.Operator = v
		return EditCell{Cell: 2}
	}}
	for _, op := range search.Operators(f) {
		c.Options = append(c.Options, intent.Option{Title: op, Note: operatorWords[op], Value: op})
	}
	return c
}

// chooseValue offers the known values of an enumeration or boolean; nil when any text will do.
func (e *searchEditor) chooseValue(n *search.Node) intent.Intent {
	f, exact, ok := search.FindField(e.entity, n.Field)
	if !ok || !exact || n.Operator == search.In || (len(f.Enum) == 0 && f.Type != "boolean") {
		return nil
	}
	c := intent.Choose{Title: n.Field, Current: string(n.Value), Free: len(f.Enum) > 0, Done: func(v string) intent.Intent {
		e.setValue(n, v)
		return nil
	}}
	values := f.Enum
	if f.Type == "boolean" {
		values = []json.RawMessage{json.RawMessage("true"), json.RawMessage("false")}
	}
	for _, v := range values {
		c.Options = append(c.Options, intent.Option{Title: valueText(v), Value: valueText(v)})
	}
	return c
}

// setValue reads typed text by the type of the condition's field.
func (e *searchEditor) setValue(n *search.Node, t string) string {
	f, exact, ok := search.FindField(e.entity, n.Field)
	v := catalog.Field{Name: "value", Type: "any"}
	if ok && exact && !strings.Contains(f.Type, "object") && !strings.Contains(f.Type, "array") {
		v.Type, v.Format, v.Nullable = f.Type, f.Format, true
	}
	if n.Operator == search.In {
		item := v
		item.Name = ""
		v = catalog.Field{Name: "value", Type: "array", Items: &item}
	}
	one := form.New([]catalog.Field{v}, form.Options{Now: e.now})
	var err error
	if n.Operator == search.In {
		err = one.SetRows("/value", splitList(t))
	} else {
		err = one.SetText("/value", t)
	}
	n.Value = one.ValueJSON("/value")
	if t == "" && v.Type == "string" && n.Operator == search.Eq {
		n.Value = json.RawMessage(`""`)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func splitList(t string) []string {
	var out []string
	for _, p := range strings.Split(t, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func (e *searchEditor) check(i, c int, t string) string { return e.set(i, c, t) }

func (e *searchEditor) set(i, _ int, t string) string {
	r, ok := e.row(i)
	if !ok {
		return ""
	}
	switch r.kind {
	case rowNode:
		return e.setValue(r.node, t)
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

func (e *searchEditor) find(path []int, otherwise int) int {
	for i, r := range e.rows() {
		if r.kind == rowNode && slices.Equal(r.path, path) {
			return i
		}
	}
	return otherwise
}

func (e *searchEditor) fold(int) {}

// types tells whether typing on a cell starts something: every cell of a
// condition but a group's word, and the plain values.
func (e *searchEditor) types(i, c int) bool {
	r, ok := e.row(i)
	switch {
	case !ok, r.kind == rowAdd, r.kind == rowAddSort:
		return false
	case r.kind == rowNode:
		return r.node.Op == search.Condition
	case r.kind == rowSort:
		return c == 0
	}
	return true
}

// notice is what the checks found that keeps nothing from being sent.
func (e *searchEditor) notice() string {
	for _, p := range search.Validate(e.q, e.entity) {
		if p.Severity == search.Notice {
			return text.Sanitize(p.Text)
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
	for _, p := range search.Validate(e.q, e.entity) {
		if p.Severity == search.Notice {
			continue
		}
		out = append(out, problem{row: e.rowOf(p), text: text.Sanitize(p.Text)})
	}
	return out
}

func (e *searchEditor) rowOf(p search.Problem) int {
	rows := e.rows()
	for i, r := range rows {
		switch {
		case p.Where == "filter" && r.kind == rowNode && slices.Equal(r.path, p.Path),
			p.Where == "sort" && r.kind == rowSort && r.at == p.Index,
			p.Where == "limit" && r.kind == rowLimit, p.Where == "fields" && r.kind == rowFields, p.Where == "cursor" && r.kind == rowCursor:
			return i
		}
	}
	return -1
}

func (e *searchEditor) target(int) string { return "" }

// Draft are the params for keeping: with the conditions of a search that are disabled.
func (r *Request) Draft() json.RawMessage {
	if e, ok := r.ed.(*searchEditor); ok {
		return e.q.Draft()
	}
	return r.Params()
}
