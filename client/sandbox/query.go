package sandbox

import (
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
	"patchbay/client/sandbox/lang"
)

// plan is what an action's params do, worked out once per action.
type plan struct {
	handlers map[string]handler
	// defaults are params that act although they were left out.
	defaults *rawjson.Map
	// omit are record fields that the action's answers leave out.
	omit []string
}

// handler lets one param act on a query.
type handler func(q *query, v any)

// query is one list or search on its way: which records, in what order and form.
type query struct {
	d      *dataset
	e      *catalog.Entity // as asked for; its records may be another entity's
	a      *catalog.Action
	params *rawjson.Map
	t      *data.Table
	lang.Query
	shapes []func(*rawjson.Map) *rawjson.Map
}

func (q *query) where(test lang.Test) { q.Tests = append(q.Tests, test) }

// plan works out the handlers of an action's params.
func (d *dataset) plan(e *catalog.Entity, a *catalog.Action) *plan {
	p := &plan{handlers: map[string]handler{}, defaults: &rawjson.Map{}}
	for i := range a.Params {
		f := &a.Params[i]
		says := func(also catalog.Pair) bool { return also.Name == f.Name }
		if a.Page != nil && slices.ContainsFunc(a.Page.Also, says) {
			continue // it says where the page begins
		}
		if h := d.handler(e, a, f); h != nil {
			p.handlers[f.Name] = h
			if f.Default != nil && !f.Injected && !f.Required {
				p.defaults.Set(f.Name, constant(f.Default))
			}
		}
	}
	for i := range e.Record {
		if slices.Contains(e.Record[i].Omitted, a.Name) {
			p.omit = append(p.omit, e.Record[i].Name)
		}
	}
	return p
}

// query runs the params of a list or search and returns the matching records in order.
func (d *dataset) query(e *catalog.Entity, a *catalog.Action, params *rawjson.Map) (*query, []*data.Record) {
	q := &query{d: d, e: e, a: a, params: params, t: d.table(e.Name)}
	p := d.plans.of(a, func() *plan { return d.plan(e, a) })
	q.act(p.handlers, params)
	left := &rawjson.Map{}
	for i, name := range p.defaults.Keys {
		if !params.Has(name) {
			left.Set(name, p.defaults.Vals[i])
		}
	}
	q.act(p.handlers, left)
	if len(p.omit) > 0 {
		q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
			for _, name := range p.omit {
				o.Remove(name)
			}
			return o
		})
	}
	rows := q.filter()
	return q, q.sorted(rows)
}

// act lets params act on the query, in their order.
func (q *query) act(handlers map[string]handler, params *rawjson.Map) {
	for i, v := range params.Vals {
		if h := handlers[params.Keys[i]]; h != nil && v != nil {
			h(q, v)
		}
	}
}

func (q *query) filter() []*data.Record {
	if len(q.Tests) == 0 {
		return q.t.Rows
	}
	return slices.DeleteFunc(slices.Clone(q.t.Rows), func(r *data.Record) bool {
		return slices.ContainsFunc(q.Tests, func(test lang.Test) bool { return !test(r) })
	})
}

func (q *query) sorted(rows []*data.Record) []*data.Record {
	if len(q.Orders) == 0 {
		return rows
	}
	n := len(q.Orders)
	keys := make([]any, 0, n*len(rows))
	places := make([]int, len(rows))
	for i, r := range rows {
		places[i] = i
		for _, o := range q.Orders {
			keys = append(keys, sortable(o.Of(r)))
		}
	}
	slices.SortStableFunc(places, func(a, b int) int {
		for i, o := range q.Orders {
			if c := data.Compare(keys[a*n+i], keys[b*n+i]); c != 0 {
				if o.Desc {
					return -c
				}
				return c
			}
		}
		return 0
	})
	out := make([]*data.Record, len(rows))
	for i, p := range places {
		out[i] = rows[p]
	}
	return out
}

// sortable turns texts of times into numbers, so that they are read once.
func sortable(v any) any {
	if s, isText := v.(string); isText && len(s) >= 10 {
		if t, isTime := data.Moment(s); isTime {
			return t.UnixMilli()
		}
	}
	return v
}

// handler finds what a param does.
func (d *dataset) handler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	if paging(a, f.Name) || constantHeader(f) {
		return nil
	}
	base := d.base(e.Name)
	if h := d.specialHandler(e, a, f); h != nil {
		return h
	}
	if f.Type == "object" && len(f.Members) > 0 {
		return d.memberHandler(e, a, f)
	}
	if op, word := match("bounds", f.Name); op != "" {
		stem := strings.TrimPrefix(strings.TrimSuffix(f.Name, word), word)
		return rangeHandler(d.timeField(base, stem), op)
	}
	if path, found := d.recordField(base, f.Name); found {
		return d.equalHandler(f, path)
	}
	for _, s := range d.scopesOf(base) {
		if s.param == f.Name {
			return d.scopeHandler(s)
		}
	}
	return nil
}

func paging(a *catalog.Action, name string) bool {
	p := a.Page
	return p != nil && (name == p.Send || name == p.Back || name == p.Size)
}

// memberHandler lets the members of an object act: ranges on the object's own
// field (created: {gt, lt}), everything else as params of their own.
func (d *dataset) memberHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	inner, base := map[string]handler{}, d.base(e.Name)
	path, found := d.recordField(base, f.Name)
	for i := range f.Members {
		m := &f.Members[i]
		switch op := m.Name; {
		case op == "gt" || op == "gte" || op == "lt" || op == "lte":
			inner[op] = rangeHandler(d.timeField(base, f.Name), op)
		case found:
			inner[op] = equal(path + "." + m.Name)
		default:
			inner[op] = d.handler(e, a, m)
		}
	}
	return func(q *query, v any) {
		if o, isObject := v.(*rawjson.Map); isObject {
			q.act(inner, o)
			q.act(inner, leftOut(f.Members, o))
		} else if path != "" {
			equal(path)(q, v)
		}
	}
}

// leftOut are the defaults of the members that an object does not have.
func leftOut(members []catalog.Field, o *rawjson.Map) *rawjson.Map {
	out := &rawjson.Map{}
	for i := range members {
		if m := &members[i]; m.Default != nil && !o.Has(m.Name) {
			out.Set(m.Name, constant(m.Default))
		}
	}
	return out
}

// equal keeps records that have the value at a path.
func equal(path string) handler {
	return func(q *query, v any) {
		at := data.NewPath(path)
		q.where(func(r *data.Record) bool { return data.Equal(at.Of(r), v) })
	}
}

// equalHandler keeps records whose field has the value, or one of the values.
func (d *dataset) equalHandler(f *catalog.Field, path string) handler {
	several := f.Type == "array" || f.Separator != ""
	return func(q *query, v any) {
		wanted := []any{v}
		if several {
			wanted = data.List(v)
		}
		at := data.NewPath(path)
		q.where(func(r *data.Record) bool {
			got := at.Of(r)
			return slices.ContainsFunc(wanted, func(w any) bool { return same(got, w) })
		})
	}
}

// same compares a record's value with a param's. Values like OPEN and active, other
// than free text such as addresses, compare without case.
func same(got, want any) bool {
	if g, ok := got.(string); ok {
		if w, ok := want.(string); ok {
			return g == w || strings.EqualFold(g, w) && !strings.ContainsFunc(w, func(c rune) bool {
				return c != '_' && (c|0x20 < 'a' || c|0x20 > 'z')
			})
		}
	}
	return data.Equal(got, want)
}

// scopeHandler keeps the records that belong to the named parent. Where the catalog
// has no such parents all records belong to the one that is meant.
func (d *dataset) scopeHandler(s scope) handler {
	return func(q *query, v any) {
		if s.parent.entity == nil {
			return
		}
		want := d.parentName(s, q.params)
		q.where(func(r *data.Record) bool { return strings.EqualFold(r.Hidden.Text(s.param), want) })
	}
}

// rangeHandler keeps records on one side of a bound.
func rangeHandler(of func(*data.Record) any, op string) handler {
	return func(q *query, v any) {
		_, isText := v.(string)
		_, isTime := data.Moment(v)
		q.where(func(r *data.Record) bool { // a text that is no date lies on neither side of any
			got := of(r)
			return got != nil && (isTime || !isText) && data.Holds(data.CompareMoments(got, v), op)
		})
	}
}

// timeField finds the field that a bound with this stem speaks of.
func (d *dataset) timeField(e *catalog.Entity, stem string) func(*data.Record) any {
	stem = data.Normal(stem)
	field, role := "", d.roleOf(stem)
	for i := range e.Record {
		name := e.Record[i].Name
		n, of := data.Normal(name), d.roleOf(name)
		switch {
		case n == stem, n == stem+"at", n == "date"+stem, n == stem+"date", n == stem+"time", n == stem+"starttime":
			field = name
		case field == "" && (stem == "" && of == timeCreated || role != notTime && of == role ||
			len(stem) > 4 && strings.HasPrefix(n, stem)):
			field = name
		}
	}
	if field == "" {
		return func(r *data.Record) any { return r.At.Format(time.RFC3339) }
	}
	return data.NewPath(field).Of
}
