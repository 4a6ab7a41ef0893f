package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// operation is an execute request that passed the checks.
type operation struct {
	call   *call
	target *connector
	d      *dataset
	e      *catalog.Entity
	a      *catalog.Action
	params *object
	// selected and excluded are dot paths of record fields.
	selected, excluded []any
}

// result is what an operation gives back before it is wrapped.
type result struct {
	// body is the encoded result, meta the action's meta.
	body []byte
	meta any
	// bare answers are sent as they are: searches and downloads.
	bare *answer
}

// execute runs one operation on a connector.
func (c *call) execute(target *connector) (*answer, error) {
	body, err := c.read(executeMembers)
	if err != nil {
		return nil, err
	}
	entity, action := body.text("entity"), body.text("action")
	c.what = target.about.Name + " " + entity + "." + action
	c.faults = append(append([]Fault(nil), target.faults...), c.s.opts.Faults...)
	op := &operation{call: c, target: target, params: &object{}, selected: asList(body.value("select_fields")), excluded: asList(body.value("exclude_fields"))}
	if params, given := body.value("params").(*object); given {
		op.params = params
	}
	target.mu.Lock()
	defer target.mu.Unlock()
	if err := c.before(target, entity); err != nil {
		return nil, err
	}
	if action == "describe" {
		return c.envelope(target, appendJSON(nil, describe(target.kind())), nil), nil
	}
	if err := op.resolve(entity, action); err != nil {
		return nil, err
	}
	res, err := op.run()
	if err != nil {
		return nil, err
	}
	if res.bare != nil {
		return res.bare, nil
	}
	return c.envelope(target, res.body, res.meta), nil
}

// resolve finds entity and action and checks the params.
func (op *operation) resolve(entity, action string) error {
	op.d = op.target.dataset(op.call.s)
	op.e = op.target.kind().Entity(entity)
	if op.e == nil {
		return &refusal{status: http.StatusNotFound, field: "entity", code: "unknown_entity",
			message: "The connector has no entity " + strconv.Quote(entity) + "; it has " + entityNames(op.target.kind()) + "."}
	}
	op.a = op.e.Action(action)
	if op.a == nil && action == "search" {
		op.a = op.e.Action(catalog.ActionContextStoreSearch)
	}
	if op.a == nil {
		return &refusal{status: http.StatusNotFound, field: "action", code: "unknown_action",
			message: "The entity " + entity + " has no action " + strconv.Quote(action) + "; it has " + actionNames(op.e) + "."}
	}
	if op.a.Name == catalog.ActionContextStoreSearch || op.a.Name == catalog.ActionSemanticSearch {
		return nil
	}
	return op.checkParams()
}

func entityNames(k *catalog.Kind) string {
	var names []string
	for i := range k.Entities {
		names = append(names, k.Entities[i].Name)
	}
	return strings.Join(names, ", ")
}

func actionNames(e *catalog.Entity) string {
	var names []string
	for i := range e.Actions {
		names = append(names, e.Actions[i].Name)
	}
	return strings.Join(names, ", ")
}

// dataset returns the connector's data, empty of tables until they are used.
func (c *connector) dataset(s *Service) *dataset {
	if c.data == nil {
		c.data = newDataset(c.kind(), hash(uint64(s.opts.Seed), c.ws.org, c.ws.name), s.opts.Records, s.opts.Now)
	}
	return c.data
}

// run performs the operation.
func (op *operation) run() (*result, error) {
	switch op.a.Name {
	case catalog.ActionContextStoreSearch:
		if _, semantic := op.params.get("semantic"); semantic {
			return op.semantic()
		}
		return op.search()
	case catalog.ActionSemanticSearch:
		return op.semantic()
	case catalog.ActionDownload:
		return op.download()
	case catalog.ActionList, catalog.ActionAPISearch:
		return op.list()
	case catalog.ActionGet:
		return op.get()
	}
	return op.write()
}

// list answers list and api_search.
func (op *operation) list() (*result, error) {
	if r, handled, err := op.crmQuery(); handled {
		return r, err
	}
	q, rows, err := op.d.query(op.e, op.a, op.params)
	if err != nil {
		return nil, err
	}
	s, err := q.slice(rows)
	if err != nil {
		return nil, err
	}
	s = op.call.pageFault(len(q.t.rows), s)
	op.selectShape(q)
	meta := q.meta(s, rows)
	if o, isObject := meta.(*object); isObject && q.a.Page != nil {
		op.call.metaFault(q.pointer(), s, o)
	}
	page := recordFault(op.call, s, rows[s.from:s.to])
	if b := op.a.Binding; b != nil && b.Records == "" && b.RecordsInBody != "" && b.GraphQL == nil {
		list := []any{}
		for _, r := range page {
			list = append(list, q.form(r))
		}
		return &result{body: appendObject(nil, q.body(s, rows, list)), meta: meta}, nil
	}
	return &result{body: q.encode(page), meta: meta}, nil
}

// selectShape adds the request's own field selection.
func (op *operation) selectShape(q *query) {
	switch {
	case len(op.selected) > 0:
		q.shapes = append(q.shapes, func(o *object) *object { return selectFields(o, op.selected) })
	case len(op.excluded) > 0:
		q.shapes = append(q.shapes, func(o *object) *object {
			for _, p := range op.excluded {
				excludeField(o, asText(p))
			}
			return o
		})
	}
}

// form is a record as the query gives it.
func (q *query) form(r *record) any {
	if o := q.shape(r); o != nil {
		return o
	}
	return json.RawMessage(r.json())
}

func (q *query) encode(rows []*record) []byte {
	size := 2
	if len(rows) > 0 {
		size += (len(rows[0].json()) + 64) * len(rows)
	}
	b := append(make([]byte, 0, size), '[')
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		if len(q.shapes) == 0 {
			b = append(b, r.json()...)
		} else {
			b = appendObject(b, q.shape(r))
		}
	}
	return append(b, ']')
}

// get answers with one record.
func (op *operation) get() (*result, error) {
	r, err := op.find(op.d.keyParam(op.d.base(op.e.Name), op.a))
	if err != nil {
		return nil, err
	}
	q := &query{d: op.d, e: op.e, a: op.a, params: op.params, t: op.d.table(op.e.Name)}
	for i, name := range op.params.keys {
		if h := op.d.specialHandler(op.e, op.a, fieldOrName(op.a, name)); h != nil && shapesOnly(name) && op.params.vals[i] != nil {
			if err := h(q, op.params.vals[i]); err != nil {
				return nil, err
			}
		}
	}
	op.selectShape(q)
	o := r.obj
	if len(op.a.Record) > 0 || op.d.base(op.e.Name) != op.e {
		o = op.d.project(op.e, op.a, r)
	}
	for _, shape := range q.shapes {
		o = shape(o.clone())
	}
	return &result{body: appendObject(nil, o)}, nil
}

func fieldOrName(a *catalog.Action, name string) *catalog.Field {
	if f := fieldNamed(a.Params, name); f != nil {
		return f
	}
	return &catalog.Field{Name: name, Type: "string"}
}

// shapesOnly tells params that change the form of one record.
func shapesOnly(name string) bool {
	switch name {
	case "fields", "expand", "include", "includedData", "properties", "body-format", "description-format":
		return true
	}
	return false
}

// project gives a record the fields that an action's own record names; what the
// record does not have is made the way it would have been.
func (d *dataset) project(e *catalog.Entity, a *catalog.Action, r *record) *object {
	fields := a.Record
	if len(fields) == 0 {
		fields = d.fields(e)
	}
	m := d.maker(d.base(e.Name), r.n)
	o := &object{}
	for i := range fields {
		v, has := r.obj.get(fields[i].Name)
		if !has {
			v = m.field(&fields[i])
		}
		o.set(fields[i].Name, v)
	}
	return o
}

// find returns the record that a param names, within the scopes that are given.
func (op *operation) find(param string) (*record, error) {
	t := op.d.table(op.e.Name)
	if t == nil || len(t.rows) == 0 {
		return nil, refuse(http.StatusNotFound, "The entity %s has no records.", op.e.Name)
	}
	id := op.params.text(param)
	if param == "" || op.e.Name == "file_content" {
		if id == "" {
			return t.rows[0], nil
		}
		return t.rows[hash(1, id)%uint64(len(t.rows))], nil
	}
	if r := op.named(t, param, id); r != nil {
		return r, nil
	}
	return nil, &refusal{status: http.StatusNotFound, field: param, code: "not_found", message: "No record of " + op.e.Name + " has " + param + " " + strconv.Quote(id) + "."}
}

// named looks a record up by the param's own field, then by any identifying one.
func (op *operation) named(t *table, param, id string) *record {
	path, found := op.d.recordField(t.entity, param)
	if found && path != t.key {
		var first *record
		for _, r := range t.rows {
			if v, ok := at(r.obj, path); ok && asText(v) == id {
				if op.inScope(t, r) {
					return r
				}
				if first == nil {
					first = r
				}
			}
		}
		if first != nil {
			return first
		}
	}
	return t.find(id)
}

// inScope tells whether the record belongs to the owner, repository and so on
// that the params name.
func (op *operation) inScope(t *table, r *record) bool {
	for _, s := range op.d.scopesOf(t.entity) {
		if v := op.params.text(s.param); v != "" && !strings.EqualFold(r.hidden.text(s.param), v) {
			return false
		}
	}
	return true
}

// envelope wraps a result as the service does for everything but search.
func (c *call) envelope(target *connector, result []byte, meta any) *answer {
	b := make([]byte, 0, len(result)+256)
	b = append(b, `{"status":"success","result":`...)
	b = append(b, result...)
	b = append(b, `,"connector_metadata":`...)
	b = appendJSON(b, meta)
	b = append(b, `,"execution_metadata":{"connector_instance_id":`...)
	b = appendString(b, target.id)
	b = append(b, `,"execution_time_ms":`...)
	b = strconv.AppendInt(b, int64(3+len(result)%17), 10)
	return &answer{status: http.StatusOK, body: append(b, "}}"...)}
}

// describe tells what the connector can do, in the form of the service's SDK.
func describe(k *catalog.Kind) *object {
	entities := []any{}
	for i := range k.Entities {
		e := &k.Entities[i]
		actions, params := []any{}, &object{}
		for j := range e.Actions {
			a := &e.Actions[j]
			actions = append(actions, a.Name)
			params.set(a.Name, describeParams(a))
		}
		entities = append(entities, newObject("name", e.Name, "entity_name", e.Name, "description", e.Doc, "available_actions", actions, "actions", actions, "parameters", params))
	}
	return newObject("connector_type", k.ConnectorType, "name", k.Title, "entities", entities)
}

func describeParams(a *catalog.Action) []any {
	list := []any{}
	for i := range a.Params {
		f := &a.Params[i]
		in := "body" // GraphQL variables and headers are told as parts of it
		if f.In == "path" || f.In == "query" || f.In == "" {
			in = cmp.Or(f.In, "query")
		}
		p := newObject("name", f.Name, "in", in, "required", f.Required && !f.Injected, "type", f.Type, "description", f.Doc)
		if len(f.Enum) > 0 {
			values := []any{}
			for _, v := range f.Enum {
				values = append(values, json.RawMessage(v))
			}
			p.set("enum", values)
		}
		if f.Items != nil {
			p.set("items", newObject("type", f.Items.Type))
		}
		list = append(list, p)
	}
	return list
}
