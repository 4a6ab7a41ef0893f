package request

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/form"
	"patchbay/client/preflight"
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
		n := search.Where("", search.Eq, nil)
		e.q.Filter.Children = append(e.q.Filter.Children, n)
		return begun{ask: e.chooseField(n)}
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
	case rowLimit:
		if e.q.Limit > 0 {
			return begun{edit: true, text: strconv.Itoa(e.q.Limit)}
		}
		return begun{edit: true}
	case rowFields:
		return begun{edit: true, text: strings.Join(e.q.Fields, ", ")}
	case rowCursor:
		return begun{edit: true, text: e.q.Cursor}
	}
	return e.startNode(r.node, c)
}

func (e *searchEditor) startNode(n *search.Node, c int) begun {
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
	return begun{edit: true, text: valueText(n.Value)}
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
	return intent.Choose{Title: "Field to compare", Options: e.fieldOptions(), Current: n.Field, Free: true,
		Done: func(v string) intent.Intent {
			n.Field = v
			f, _, _ := search.FindField(e.entity, v)
			if ops := search.Operators(f); len(ops) > 0 && !slices.Contains(ops, n.Operator) {
				n.Operator = ops[0]
			}
			return intent.EditCell{Cell: 2}
		}}
}

func (e *searchEditor) chooseSort(set func(field string)) intent.Intent {
	return intent.Choose{Title: "Sort by", Options: e.fieldOptions(), Free: true,
		Done: func(v string) intent.Intent { set(v); return nil }}
}

var operatorWords = map[string]string{
	search.Eq: "equal", search.Neq: "not equal", search.Gt: "greater than", search.Gte: "greater or equal",
	search.Lt: "less than", search.Lte: "less or equal", search.In: "one of several values",
	search.Like:    "contains the text; % stands for anything",
	search.Fuzzy:   "every word, in any order, parts of words too",
	search.Keyword: "any of the words",
}

func (e *searchEditor) chooseOperator(n *search.Node) intent.Intent {
	f, _, _ := search.FindField(e.entity, n.Field)
	c := intent.Choose{Title: "Operator", Current: n.Operator, Done: func(v string) intent.Intent {
		n.Operator = v
		return intent.EditCell{Cell: 2}
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
	values := []string{"true", "false"}
	if f.Type != "boolean" {
		values = nil
		for _, v := range f.Enum {
			values = append(values, valueText(v))
		}
	}
	return intent.Choose{Title: n.Field, Current: string(n.Value), Free: len(f.Enum) > 0, Options: options(values),
		Done: func(v string) intent.Intent { e.setValue(n, v); return nil }}
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
	for p := range strings.SplitSeq(t, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

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

// types reports whether typing on a cell starts something: every cell of a
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
