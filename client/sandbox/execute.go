package sandbox

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/preflight"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
	"patchbay/client/sandbox/lang"
)

// operation is an execute request that passed the checks.
type operation struct {
	call   *call
	d      *dataset
	e      *catalog.Entity
	a      *catalog.Action
	params *rawjson.Map
	// selected and excluded are dot paths of record fields.
	selected, excluded []string
}

// execute runs one operation on a connector.
func (c *call) execute() *answer {
	target, entity, action := c.target, c.in.Text("entity"), c.in.Text("action")
	c.what = target.about.Name + " " + entity + "." + action
	c.faults = slices.Concat(target.faults, c.s.opts.Faults)
	target.mu.Lock()
	defer target.mu.Unlock()
	c.s.keeper.trim(target)
	c.before(entity)
	if action == "describe" {
		return c.envelope(c.describe(target.kind()), nil)
	}
	op := c.operation(entity, action)
	return op.says(op.run())
}

// envelope answers with the result of an operation, and its meta, as the service does for
// everything but searches and downloads.
func (c *call) envelope(result, meta any) *answer { return ok(c.enveloped(result, meta)) }

// enveloped wraps the result of an operation, and its meta.
func (c *call) enveloped(result, meta any) *rawjson.Map {
	body, encoded := result.(json.RawMessage)
	if !encoded {
		body = rawjson.Encode(result)
	}
	return rawjson.NewMap("status", "success", "result", body, "connector_metadata", meta,
		"execution_metadata", rawjson.NewMap("connector_instance_id", c.target.id,
			"execution_time_ms", 3+len(body)%17))
}

// wordsOf are the texts of a list.
func wordsOf(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i := range list {
		out[i] = rawjson.TextOf(list[i])
	}
	return out
}

// operation finds entity and action and checks the params.
func (c *call) operation(entity, action string) *operation {
	t, k := c.target, c.target.kind()
	if t.data == nil {
		t.data = newDataset(k, data.Hash(uint64(c.s.opts.Seed), t.ws.org, t.ws.name), c.s.opts.Records, c.s.opts.Now)
		t.data.kept = &c.s.keeper
		c.s.keeper.own(t)
	}
	op := &operation{call: c, d: t.data, e: k.Entity(entity), params: objectIn(c.in, "params"),
		selected: wordsOf(c.in.Value("select_fields")), excluded: wordsOf(c.in.Value("exclude_fields"))}
	if op.params == nil {
		op.params = &rawjson.Map{}
	}
	if action == "search" {
		action = catalog.ActionContextStoreSearch
	}
	c.op = op
	if op.e != nil {
		op.hears(op.e.Action(action))
	}
	op.checked(entity, action)
	op.a = op.e.Action(action)
	return op
}

// checked refuses what the explorer and the command line would not send.
func (op *operation) checked(entity, action string) {
	list := preflight.Check(preflight.Call{Kind: op.d.kind, Entity: entity, Action: action,
		Params: rawjson.Encode(op.params)})
	for _, v := range preflight.Errors(list) {
		status := http.StatusBadRequest // for well-formed params that a rule forbids
		switch v.Rule {
		case "json", "required", "type", "min", "max", "max_items", "enum", "const", "format", "one_of":
			status = http.StatusUnprocessableEntity
		}
		panic(refuseField(cmp.Or(v.Status, status), v.Place, v.Rule, "%s", v.Text))
	}
	if action == catalog.ActionContextStoreSearch || action == catalog.ActionSemanticSearch {
		op.joinFields()
	}
}

// run performs the operation.
func (op *operation) run() *answer {
	switch op.a.Name {
	case catalog.ActionContextStoreSearch:
		if _, semantic := op.params.Get("semantic"); semantic {
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
func (op *operation) list() *answer {
	if r := op.soql(); r != nil {
		return r
	}
	op.resume()
	q, rows := op.d.query(op.e, op.a, op.params)
	s := op.call.pageFault(len(q.t.Rows), q.slice(rows))
	meta := q.meta(op.call, s, rows)
	page := recordFault(op.call, s, rows[s.from:s.to])
	if b := op.a.Binding; b != nil && b.Records == "" && b.RecordsInBody != "" && b.GraphQL == nil {
		list, form := []any{}, q.form
		if op.reshapes() {
			form = func(r *data.Record) any { return q.object(r) }
		}
		for _, r := range page {
			list = append(list, form(r))
		}
		return op.shaped(q.body(s, rows, list), meta)
	}
	op.selectShape(q)
	size := 2
	if len(page) > 0 {
		size += (len(page[0].JSON()) + 64) * len(page)
	}
	b := append(make([]byte, 0, size), '[')
	for i, r := range page {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.Append(b, q.form(r))
	}
	return op.call.envelope(json.RawMessage(append(b, ']')), meta)
}

// selectShape adds the request's own field selection.
func (op *operation) selectShape(q *query) {
	if op.reshapes() {
		q.shapes = append(q.shapes, op.present)
	}
}

// form is a record in the form that the params ask for.
func (q *query) form(r *data.Record) any {
	if len(q.shapes) == 0 && !q.ownRecord() {
		return json.RawMessage(r.JSON())
	}
	return q.object(r)
}

// object is a record in the form that the params ask for, to be changed.
func (q *query) object(r *data.Record) *rawjson.Map {
	o := (*rawjson.Map)(nil)
	if q.ownRecord() {
		o = q.d.project(q.e, q.a, r)
	} else {
		o = r.Obj.Clone()
	}
	for _, f := range q.shapes {
		o = f(o)
	}
	return o
}

// get answers with one record.
func (op *operation) get() *answer {
	base := op.d.base(op.e.Name)
	r := op.find(op.d.keyParam(base, op.a))
	q := &query{d: op.d, e: op.e, a: op.a, params: op.params, t: op.d.table(op.e.Name)}
	handlers := map[string]handler{}
	for _, name := range op.params.Keys {
		if told := op.d.param(op.e, name); among("shaping", name) || told.Shows != nil || told.Parents != nil {
			handlers[name] = op.d.specialHandler(op.e, op.a, &catalog.Field{Name: name})
		}
	}
	q.act(handlers, op.params)
	op.selectShape(q)
	return op.call.envelope(q.form(r), nil)
}

// ownRecord reports whether the action has records of its own form.
func (q *query) ownRecord() bool {
	return len(q.a.Record) > 0 || len(q.e.Record) > 0 && q.d.base(q.e.Name) != q.e
}

// project gives a record the fields that an action's own record names; what the
// record does not have is made the way it would have been.
func (d *dataset) project(e *catalog.Entity, a *catalog.Action, r *data.Record) *rawjson.Map {
	fields := a.Record
	if len(fields) == 0 {
		fields = d.fields(e)
	}
	m := d.maker(d.base(e.Name), r.N)
	o := &rawjson.Map{}
	for i := range fields {
		v, has := r.Obj.Get(fields[i].Name)
		if !has {
			v = m.field(&fields[i])
		}
		o.Set(fields[i].Name, fitted(&fields[i], v))
	}
	return o
}

// find returns the record that a param names, within the scopes that are given.
func (op *operation) find(param string) *data.Record {
	t := op.d.table(op.e.Name)
	if t == nil || len(t.Rows) == 0 {
		panic(refuse(http.StatusNotFound, "The entity %s has no records.", op.e.Name))
	}
	id := op.params.Text(param)
	if param == "" || op.e.Name == "file_content" {
		if id == "" {
			return t.Rows[0]
		}
		return t.Rows[data.Hash(1, id)%uint64(len(t.Rows))]
	}
	if r := op.named(t, param, id); r != nil && op.within(r, param) {
		return r
	}
	panic(refuseField(http.StatusNotFound, param, "not_found", "No record of %s has %s %q.", op.e.Name, param, id))
}

// within reports whether a record lies in the owner, repository and so on that the
// params beside its key name.
func (op *operation) within(r *data.Record, key string) bool {
	q := &query{d: op.d, e: op.e, a: op.a, params: op.params, t: op.d.table(op.e.Name)}
	for i := range op.a.Params {
		f := &op.a.Params[i]
		v := op.params.Value(f.Name)
		if f.Required && !f.Injected && f.Name != key && scoping(f) && v != nil {
			if h := op.d.handler(op.e, op.a, f); h != nil {
				h(q, v)
			}
		}
	}
	return !slices.ContainsFunc(q.Tests, func(test lang.Test) bool { return !test(r) })
}

// named looks a record up by the param's own field, then by any identifying one.
func (op *operation) named(t *data.Table, param, id string) *data.Record {
	path, found := op.d.recordField(t.Entity, param)
	if !found || path == t.Key {
		return t.Find(id)
	}
	for _, r := range t.Rows {
		if v, ok := data.At(r.Obj, path); ok && rawjson.TextOf(v) == id && op.within(r, param) {
			return r
		}
	}
	return t.Find(id)
}

// describe says what the connector can do, in the form of the service's SDK.
func (c *call) describe(k *catalog.Kind) *rawjson.Map {
	entities := []any{}
	for i := range k.Entities {
		e := &k.Entities[i]
		if told := c.tellsOtherwise(k, e); told != nil {
			entities = append(entities, told)
			continue
		}
		params := &rawjson.Map{}
		for j := range e.Actions {
			params.Set(e.Actions[j].Name, c.describeParams(&e.Actions[j]))
		}
		entities = append(entities, rawjson.NewMap("name", e.Name, "entity_name", e.Name, "description", e.Doc,
			"available_actions", params.Keys, "actions", params.Keys, "parameters", params))
	}
	return rawjson.NewMap("connector_type", k.ConnectorType, "name", k.Title, "entities", entities)
}

// enumOf are the values that a field takes.
func enumOf(f *catalog.Field) []any {
	values := make([]any, len(f.Enum))
	for i, v := range f.Enum {
		values[i] = v
	}
	return values
}

func (c *call) describeParams(a *catalog.Action) []any {
	list := []any{}
	for i := range a.Params {
		f := &a.Params[i]
		if c.speaksWire() {
			f = wireField(f)
		}
		in := "body" // GraphQL variables and headers are told as parts of it
		if f.In == "path" || f.In == "query" || f.In == "" {
			in = cmp.Or(f.In, "query")
		}
		p := rawjson.NewMap("name", f.Name, "in", in, "required", f.Required && !f.Injected, "type", f.Type,
			"description", f.Doc)
		if len(f.Enum) > 0 {
			p.Set("enum", enumOf(f))
		}
		if f.Items != nil {
			p.Set("items", rawjson.NewMap("type", f.Items.Type))
		}
		list = append(list, p)
	}
	return list
}

// download answers with a small real file of the kind that the entity holds.
func (op *operation) download() *answer {
	f := op.file()
	if op.params.Text(catalog.WindowType) == "json" {
		return op.window(f)
	}
	a := &answer{status: http.StatusOK, body: f.data, header: [][2]string{{"Content-Type", f.mime},
		{"Content-Disposition", `attachment; filename="` + f.name + `"`}, {"Accept-Ranges", "bytes"},
		{"ETag", f.tag()}, {"Last-Modified", written.Format(http.TimeFormat)}}}
	header := cmp.Or(op.params.Text("range_header"), op.call.r.Header.Get("Range"))
	if is := op.call.r.Header.Get("If-Range"); header == "" ||
		is != "" && is != f.tag() && is != written.Format(http.TimeFormat) {
		return a
	}
	w := &recorder{header: http.Header{}}
	http.ServeContent(w, &http.Request{Method: http.MethodGet, Header: http.Header{"Range": {header}}}, f.name,
		time.Time{}, bytes.NewReader(f.data))
	if w.status != http.StatusPartialContent || strings.Contains(header, ",") {
		r := refuse(http.StatusRequestedRangeNotSatisfiable, "The range %s does not lie within the file of %d bytes.",
			header, len(f.data))
		r.header = [][2]string{{"Content-Range", "bytes */" + strconv.Itoa(len(f.data))}}
		panic(r)
	}
	a.status, a.body = w.status, w.body.Bytes()
	a.header = append(a.header, [2]string{"Content-Range", w.header.Get("Content-Range")})
	return a
}

// file makes the file of the record that the params name.
func (op *operation) file() *file {
	id := op.params.Text("id")
	if ids := data.List(objectIn(op.params, "filter").Value("callIds")); len(ids) > 0 {
		id = rawjson.TextOf(ids[0])
	}
	t := op.d.table(op.e.Name)
	r := t.Rows[0]
	if id != "" {
		if r = t.Find(id); r == nil {
			panic(refuseField(http.StatusNotFound, "params.id", "not_found",
				"No record has the id %q; there is nothing to download.", id))
		}
	}
	list, _ := r.Obj.Value("attachments").([]any)
	if n, _ := data.Int(op.params.Value("attachment_index")); n < 0 || len(list) > 0 && int(n) >= len(list) {
		panic(refuseField(http.StatusNotFound, "params.attachment_index", "not_found",
			"The record has no attachment with index %d.", n))
	}
	return makeFile(op.e.Name, r.Obj.Text(t.Key), r.Obj.Text("FileExtension"))
}
