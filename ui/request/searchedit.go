package request

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/preflight"
	"patchbay/client/search"
	"patchbay/ui/intent"
)

// searchEditor edits the params of context_store_search: a tree of conditions,
// sort keys, limit, cursor and fields.
type searchEditor struct {
	q      search.Query
	entity *catalog.Entity
	now    func() time.Time
	// added is the condition that was added last: typing goes on there.
	added *search.Node
	// fresh is one that was not completed since it was added.
	fresh *search.Node
	// addedSort is the number of the sort key that was just added; 0 without one.
	addedSort int
	// loaded gives the values of a field in the records shown; nil where none are.
	loaded func(e *catalog.Entity, field string) []string
	// unfolded shows the fields to return one by one.
	unfolded bool
}

func (e *searchEditor) start(i, c int) begun {
	r, ok := e.row(i)
	if !ok {
		return begun{}
	}
	switch r.kind {
	case rowAdd:
		return begun{ask: e.add(r, c == 1)}
	case rowFields:
		if e.checked() {
			e.unfolded = !e.unfolded
			return begun{}
		}
	case rowField:
		e.toggleField(r.name)
		return begun{}
	case rowAddSort:
		return begun{ask: e.chooseSort("", func(name string) intent.Intent {
			e.q.Sort = append(e.q.Sort, search.SortKey{Field: name})
			e.addedSort = len(e.q.Sort)
			return intent.EditCell{Cell: 1}
		})}
	case rowSort:
		if c == 1 {
			e.q.Sort[r.at].Desc = !e.q.Sort[r.at].Desc
			return begun{}
		}
		k := &e.q.Sort[r.at]
		return begun{ask: e.chooseSort(k.Field, func(name string) intent.Intent { k.Field = name; return nil })}
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
	return begun{edit: true, text: valueText(n.Value), known: e.suggested(n)}
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

// suggested are the values that a field takes, or those that the records shown hold.
func (e *searchEditor) suggested(n *search.Node) []string {
	known := e.values(n)
	if len(known) == 0 && e.loaded != nil && n.Field != "" {
		known = e.loaded(e.entity, n.Field)
	}
	return known
}

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
		t = strings.TrimSpace(t)
		n.Operator = cmp.Or(e.operatorOf(n, t), t)
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

func (e *searchEditor) fold(i int) {
	if r, ok := e.row(i); ok && r.kind == rowFields && e.checked() {
		e.unfolded = !e.unfolded
	}
}

// within is the kind of group that is worth having in another.
func within(op search.Op) search.Op {
	if op == search.Any {
		return search.All
	}
	return search.Any
}

// toggleField checks a field to return, or takes that back.
func (e *searchEditor) toggleField(name string) {
	if at := slices.Index(e.q.Fields, name); at >= 0 {
		e.q.Fields = slices.Delete(slices.Clone(e.q.Fields), at, at+1)
		return
	}
	e.q.Fields = append(slices.Clip(e.q.Fields), name)
}

// types implements editor: all but a group's word and the rows that add.
func (e *searchEditor) types(i, _ int) bool {
	r, ok := e.row(i)
	return ok && r.kind != rowAdd && r.kind != rowAddSort && r.kind != rowField &&
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
