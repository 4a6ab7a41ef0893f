package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
)

// plan is what an action's params do, worked out once per action.
type plan struct {
	handlers map[string]handler
	// defaults are params that act although they were left out.
	defaults *object
	// omit are record fields that the action's answers leave out.
	omit []string
}

// handler lets one param act on a query.
type handler func(q *query, v any) error

// query is one list or search on its way: which records, in what order and form.
type query struct {
	d      *dataset
	e      *catalog.Entity // as asked for; its records may be another entity's
	a      *catalog.Action
	params *object
	t      *table
	tests  []func(*record) bool
	orders []order
	shapes []func(*object) *object
	// scoped is set when a test narrows by a name that a person may make up.
	scoped []any
}

// order is one sort key.
type order struct {
	of   func(*record) any
	desc bool
}

func (q *query) where(test func(*record) bool) { q.tests = append(q.tests, test) }

// plan returns the handlers of an action's params.
func (d *dataset) plan(e *catalog.Entity, a *catalog.Action) *plan {
	if p := d.plans[a]; p != nil {
		return p
	}
	p := &plan{handlers: map[string]handler{}, defaults: &object{}}
	for i := range a.Params {
		f := &a.Params[i]
		if h := d.handler(e, a, f); h != nil {
			p.handlers[f.Name] = h
			if f.Default != nil && !f.Injected && !f.Required {
				p.defaults.set(f.Name, constant(f.Default))
			}
		}
	}
	for i := range e.Record {
		if slices.Contains(e.Record[i].Omitted, a.Name) {
			p.omit = append(p.omit, e.Record[i].Name)
		}
	}
	d.plans[a] = p
	return p
}

// query runs the params of a list or search and returns the matching records in order.
func (d *dataset) query(e *catalog.Entity, a *catalog.Action, params *object) (*query, []*record, error) {
	q := &query{d: d, e: e, a: a, params: params, t: d.table(e.Name)}
	p := d.plan(e, a)
	for i, name := range params.keys {
		if h := p.handlers[name]; h != nil && params.vals[i] != nil {
			if err := h(q, params.vals[i]); err != nil {
				return nil, nil, inParam(err, name)
			}
		}
	}
	for i, name := range p.defaults.keys {
		if !params.has(name) {
			if err := p.handlers[name](q, p.defaults.vals[i]); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(p.omit) > 0 {
		q.shapes = append(q.shapes, func(o *object) *object { return without(o, p.omit) })
	}
	rows := q.filter()
	if len(rows) == 0 && len(q.scoped) > 0 {
		rows = q.madeUp()
	}
	return q, q.sorted(rows), nil
}

func (q *query) filter() []*record {
	if len(q.tests) == 0 {
		return q.t.rows
	}
	var out []*record
next:
	for _, r := range q.t.rows {
		for _, test := range q.tests {
			if !test(r) {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}

// madeUp answers for an owner, organisation or account that no record names: a
// share of the records that depends on the name alone.
func (q *query) madeUp() []*record {
	seed := uint64(1)
	for _, v := range q.scoped {
		seed = hash(seed, asText(v))
	}
	var out []*record
	for _, r := range q.t.rows {
		if mix(seed+uint64(r.n))%3 != 0 {
			out = append(out, r)
		}
	}
	return out
}

func (q *query) sorted(rows []*record) []*record {
	if len(q.orders) == 0 {
		return rows
	}
	n := len(q.orders)
	keys := make([]any, 0, n*len(rows))
	places := make([]int, len(rows))
	for i, r := range rows {
		places[i] = i
		for _, o := range q.orders {
			keys = append(keys, sortable(o.of(r)))
		}
	}
	slices.SortStableFunc(places, func(a, b int) int {
		for i, o := range q.orders {
			if c := compare(keys[a*n+i], keys[b*n+i]); c != 0 {
				if o.desc {
					return -c
				}
				return c
			}
		}
		return 0
	})
	out := make([]*record, len(rows))
	for i, p := range places {
		out[i] = rows[p]
	}
	return out
}

// sortable turns texts of times into numbers, so that they are read once.
func sortable(v any) any {
	if s, isText := v.(string); isText && len(s) >= 10 {
		if t, isTime := moment(s); isTime {
			return t.UnixMilli()
		}
	}
	return v
}

// shape gives a record the form that the params ask for; nil when it stays as it is.
func (q *query) shape(r *record) *object {
	if len(q.shapes) == 0 {
		return nil
	}
	o := r.obj.clone()
	for _, f := range q.shapes {
		o = f(o)
	}
	return o
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
	if stem, op := boundary(f.Name); op != "" {
		return rangeHandler(d.timeField(base, stem), op)
	}
	if path, found := d.recordField(base, f.Name); found {
		return d.equalHandler(base, f, path)
	}
	if hasScope(d.scopesOf(base), f.Name) {
		return d.scopeHandler(base, f.Name)
	}
	if f.Injected || f.Type == "boolean" {
		return nil
	}
	return shareHandler(f)
}

func paging(a *catalog.Action, name string) bool {
	p := a.Page
	return p != nil && (name == p.Send || name == p.Back || name == p.Size)
}

// memberHandler lets the members of an object act: ranges on the object's own
// field (created: {gt, lt}), everything else as params of their own.
func (d *dataset) memberHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	inner := map[string]handler{}
	path, found := d.recordField(d.base(e.Name), f.Name)
	for i := range f.Members {
		m := &f.Members[i]
		switch op := m.Name; {
		case op == "gt" || op == "gte" || op == "lt" || op == "lte":
			inner[op] = rangeHandler(d.timeField(d.base(e.Name), f.Name), op)
		case found:
			member := path + "." + m.Name
			inner[op] = func(q *query, v any) error {
				q.where(func(r *record) bool { got, _ := r.lookup(member); return equal(got, v) })
				return nil
			}
		default:
			inner[op] = d.handler(e, a, m)
		}
	}
	return func(q *query, v any) error {
		o, isObject := v.(*object)
		if !isObject {
			if path != "" {
				q.where(func(r *record) bool { got, _ := r.lookup(path); return equal(got, v) })
			}
			return nil
		}
		for i, name := range o.keys {
			if h := inner[name]; h != nil && o.vals[i] != nil {
				if err := h(q, o.vals[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// equalHandler keeps records whose field has the value, or one of the values.
func (d *dataset) equalHandler(e *catalog.Entity, f *catalog.Field, path string) handler {
	several := f.Type == "array" || f.Separator != ""
	return func(q *query, v any) error {
		wanted := []any{v}
		if several {
			wanted = asList(v)
		}
		q.where(func(r *record) bool {
			got, _ := r.lookup(path)
			for _, w := range wanted {
				if same(got, w) {
					return true
				}
			}
			return false
		})
		if openScope(scope{param: f.Name}) && f.Required && isScopeName(f.Name) {
			q.scoped = append(q.scoped, v)
		}
		return nil
	}
}

func isScopeName(name string) bool {
	switch name {
	case "owner", "repo", "org", "username", "organization_slug", "project_slug":
		return true
	}
	return false
}

// same compares a record's value with a param's; enumerations ignore case.
func same(got, want any) bool {
	if g, ok := got.(string); ok {
		if w, ok := want.(string); ok {
			return g == w || isWord(w) && strings.EqualFold(g, w)
		}
	}
	return equal(got, want)
}

// isWord tells values like OPEN and active from free text such as addresses,
// whose case matters.
func isWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c != '_' && c != 0x7f && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// scopeHandler keeps the records that belong to the named parent.
func (d *dataset) scopeHandler(e *catalog.Entity, param string) handler {
	var s scope
	for _, s = range d.scopesOf(e) {
		if s.param == param {
			break
		}
	}
	return func(q *query, v any) error {
		want := asText(v)
		if openScope(s) {
			q.scoped = append(q.scoped, v)
		} else {
			parent := d.table(s.parent.entity.Name).find(want)
			if parent == nil {
				return &refusal{status: http.StatusNotFound, field: param, code: "not_found",
					message: "No record of " + s.parent.entity.Name + " is called " + want + "; list them to see which there are."}
			}
			want = parent.obj.text(s.parent.field)
		}
		q.where(func(r *record) bool { return strings.EqualFold(r.hidden.text(param), want) })
		return nil
	}
}

// shareHandler stands for params whose meaning needs data that the sandbox does
// not have: a fixed share of the records, chosen by name and value, remains.
func shareHandler(f *catalog.Field) handler {
	usual := string(f.Default)
	return func(q *query, v any) error {
		if text := string(appendJSON(nil, v)); text == usual || strings.EqualFold(text, `"all"`) {
			return nil
		}
		seed := hash(7, f.Name, string(appendJSON(nil, v)))
		q.where(func(r *record) bool { return mix(seed+uint64(r.n))%4 != 0 })
		return nil
	}
}

// rangeHandler keeps records on one side of a bound.
func rangeHandler(of func(*record) any, op string) handler {
	return func(q *query, v any) error {
		if of == nil {
			of = func(r *record) any { return r.at.Unix() }
		}
		if _, isTime := moment(v); !isTime {
			if _, isText := v.(string); isText {
				return &refusal{status: http.StatusBadRequest, code: "invalid_date", message: "The value " + asText(v) + " is not a date that can be compared; use ISO 8601 or Unix time."}
			}
		}
		q.where(func(r *record) bool {
			got := of(r)
			return got != nil && holdsOrder(compareMoments(got, v), op)
		})
		return nil
	}
}

func holdsOrder(c int, op string) bool {
	switch op {
	case "gt":
		return c > 0
	case "gte":
		return c >= 0
	case "lt":
		return c < 0
	}
	return c <= 0
}

// compareMoments compares as points in time where both are, else as values.
func compareMoments(a, b any) int {
	if _, isNumber := a.(int64); isNumber {
		if _, both := b.(int64); both {
			if x, y := a.(int64), b.(int64); x < 1e11 == (y < 1e11) {
				return compare(a, b)
			}
		}
	}
	x, okX := moment(a)
	y, okY := moment(b)
	if okX && okY {
		return x.Compare(y)
	}
	return compare(a, b)
}

// timeField finds the field that a bound with this stem speaks of.
func (d *dataset) timeField(e *catalog.Entity, stem string) func(*record) any {
	stem = normal(stem)
	field := ""
	role := roleOf(stem)
	for i := range e.Record {
		n := normal(e.Record[i].Name)
		switch {
		case n == stem, n == stem+"at", n == "date"+stem, n == stem+"date", n == stem+"time":
			field = e.Record[i].Name
		case field == "" && (stem == "" && roleOf(e.Record[i].Name) == timeCreated || role != notTime && roleOf(e.Record[i].Name) == role || len(stem) > 4 && strings.HasPrefix(n, stem)):
			field = e.Record[i].Name
		}
	}
	if field == "" {
		return func(r *record) any { return r.at.Format(time.RFC3339) }
	}
	return func(r *record) any { v, _ := r.lookup(field); return v }
}

// boundary reads names such as created_after, since_send_time, fromDateTime and
// due_date_gt: the stem, and the comparison that keeps a record.
func boundary(name string) (stem, op string) {
	for _, s := range boundSuffixes {
		if rest, found := strings.CutSuffix(name, s.mark); found {
			return rest, s.op
		}
	}
	for _, p := range boundPrefixes {
		if rest, found := strings.CutPrefix(name, p.mark); found {
			return rest, p.op
		}
	}
	switch name {
	case "from", "fromDateTime", "fromDate", "startDate", "start_date", "since", "start_time", "start":
		return "", "gte"
	case "to", "toDateTime", "toDate", "endDate", "end_date", "end_time", "end":
		return "", "lte"
	}
	return "", ""
}

type bound struct{ mark, op string }

var (
	boundSuffixes = []bound{{"_gte", "gte"}, {"_lte", "lte"}, {"_gt", "gt"}, {"_lt", "lt"}, {"_before", "lt"}, {"_after", "gte"}, {"Before", "lt"}, {"After", "gte"},
		{"Since", "gte"}, {"Until", "lte"}, {"_date_min", "gte"}, {"_date_max", "lte"}}
	boundPrefixes = []bound{{"before_", "lt"}, {"since_", "gte"}}
)

func without(o *object, names []string) *object {
	for _, n := range names {
		o.remove(n)
	}
	return o
}
