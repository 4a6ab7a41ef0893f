package request

import (
	"encoding/json"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/form"
	"patchbay/client/search"
	"patchbay/ui/intent"
)

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
			e.setField(n, v)
			e.added = n
			if len(n.Value) > 0 {
				return nil
			}
			return intent.EditCell{Cell: 1}
		}}
}

// add asks for what a group gets next: a condition, or a group with one where it should be
// one. Signs in the list open a group, or close this one and go on in that around it.
func (e *searchEditor) add(r searchRow, group bool) intent.Intent {
	if group {
		return e.addCondition(r.into(within(r.node.Op)))
	}
	c := e.addCondition(r.into(search.Condition)).(intent.Choose)
	next := map[string]func() intent.Intent{}
	offer := func(title, note string, do func() intent.Intent) {
		next[title] = do
		c.Options = append(c.Options, intent.Option{Title: title, Note: note, Value: title})
	}
	for _, op := range []search.Op{within(r.node.Op), search.Not, other(within(r.node.Op))} {
		offer("( "+string(groupWords[op]), "open a group", func() intent.Intent { return e.addCondition(r.into(op)) })
	}
	if len(r.path) > 0 {
		around := searchRow{path: r.path[:len(r.path)-1]}
		around.node = e.q.Filter.At(around.path)
		offer(") "+string(groupWords[r.node.Op])+" ends", "go on in "+string(groupWords[around.node.Op]),
			func() intent.Intent { return e.add(around, false) })
	}
	done := c.Done
	c.Done = func(v string) intent.Intent {
		if do := next[v]; do != nil {
			return do()
		}
		return done(v)
	}
	return c
}

// into puts a condition into the group of a row, in a group of its own where op is one.
func (r searchRow) into(op search.Op) func(*search.Node) {
	return func(n *search.Node) {
		if op != search.Condition {
			n = search.Group(op, n)
		}
		r.node.Children = append(r.node.Children, n)
	}
}

// other is the one of all and any that a kind of group is not.
func other(op search.Op) search.Op {
	if op == search.All {
		return search.Any
	}
	return search.All
}

// addCondition asks for the field of a new condition, puts that where it belongs and goes on in it.
func (e *searchEditor) addCondition(put func(*search.Node)) intent.Intent {
	n := search.Where("", search.Eq, nil)
	c := e.chooseField(n).(intent.Choose)
	done := c.Done
	c.Done = func(v string) intent.Intent {
		put(n)
		e.fresh = n
		return done(v)
	}
	return c
}

// setField gives a condition another field, and an operator that suits it.
func (e *searchEditor) setField(n *search.Node, name string) {
	n.Field = name
	f, exact, _ := search.FindField(e.entity, name)
	if ops := search.Operators(f); exact && len(ops) > 0 && !slices.Contains(ops, n.Operator) {
		n.Operator = ops[0]
	}
}

// behind is the row to go to when the condition in a row is complete: that which adds a
// further one where it was just added, else the same.
func (e *searchEditor) behind(i int) int {
	r, ok := e.row(i)
	if !ok || r.node == nil || r.node != e.fresh {
		return i
	}
	e.fresh = nil
	group := r.path[:len(r.path)-1]
	at := slices.IndexFunc(e.rows(), func(o searchRow) bool { return o.kind == rowAdd && slices.Equal(o.path, group) })
	return max(at, 0)
}

// newest is the row of the condition or sort key that was added last, otherwise without one.
func (e *searchEditor) newest(otherwise int) int {
	at := slices.IndexFunc(e.rows(), func(r searchRow) bool {
		return r.node != nil && r.node == e.added || r.kind == rowSort && r.at == e.addedSort-1
	})
	e.added, e.addedSort = nil, 0
	if at < 0 {
		return otherwise
	}
	return at
}

// chooseSort asks for a field to sort by: those that are not sorted by yet, and the one in
// force.
func (e *searchEditor) chooseSort(current string, set func(field string) intent.Intent) intent.Intent {
	opts := slices.DeleteFunc(e.fieldOptions(), func(o intent.Option) bool {
		is := func(k search.SortKey) bool { return k.Field == o.Value }
		return o.Value != current && slices.ContainsFunc(e.q.Sort, is)
	})
	return intent.Choose{Title: "Sort by", Options: opts, Current: current, Free: !e.checked(), Done: set}
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
		if len(n.Value) > 0 {
			return nil
		}
		return intent.EditCell{Cell: 2}
	}}
	for _, op := range search.Operators(f) {
		c.Options = append(c.Options, intent.Option{Title: op, Note: operatorWords[op], Value: op})
	}
	return c
}

// chooseValue offers the known values of an enumeration or boolean; nil when any text will do.
func (e *searchEditor) chooseValue(n *search.Node) intent.Intent {
	values := e.values(n)
	if len(values) == 0 || n.Operator == search.In {
		return nil
	}
	f, _, _ := search.FindField(e.entity, n.Field)
	return intent.Choose{Title: n.Field, Current: string(n.Value), Free: f.Type != "boolean", Options: options(values),
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
