package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
	"patchbay/client/sandbox/lang"
	"patchbay/client/search"
)

// search runs context_store_search over the replica of an entity.
func (op *operation) search() *answer {
	query, err := search.Decode(rawjson.Encode(op.params))
	refuseSearch(err, "params.query")
	limit := query.Limit
	if limit <= 0 {
		limit = search.DefaultLimit
	}
	offset, t := openCursor("params.cursor", query.Cursor), op.d.replica(op.e)
	hits := op.d.match(t, query)
	s := op.call.pageFault(len(hits), slice{from: min(offset, len(hits)), to: min(offset+limit, len(hits)),
		size: limit, total: len(hits)})
	token := func(offset int) any { return sealCursor(offset) }
	next := any(nil)
	if s.more() {
		next = token(s.to)
	}
	next, more := op.call.lead(s, next, op.params.Value("cursor"), token)
	meta := rawjson.NewMap("has_more", more, "cursor", next, "took_ms", nil)
	return op.searchAnswer(op.searchBody(t, recordFault(op.call, s, hits[s.from:s.to]), query.Fields), meta)
}

// refuseSearch refuses what is wrong with a search.
func refuseSearch(err error, field string) {
	if err != nil {
		panic(refuseField(http.StatusBadRequest, field, "invalid_query", "%v", err))
	}
}

// joinFields writes the selected fields as dotted paths; the service's SDK sends
// each as an array of its segments.
func (op *operation) joinFields() {
	list, _ := op.params.Value("fields").([]any)
	for i, v := range list {
		if segments, nested := v.([]any); nested {
			names := make([]string, len(segments))
			for j, s := range segments {
				names[j] = rawjson.TextOf(s)
			}
			list[i] = strings.Join(names, ".")
		}
	}
}

// searchAnswer is the documented bare answer, or nested as the API definition shows
// it. The service's own command line and SDK read everything, searches too, from
// under result.
func (op *operation) searchAnswer(found []byte, meta *rawjson.Map) *answer {
	c := op.call
	meta.Set("took_ms", c.s.opts.Now().Sub(c.started).Milliseconds())
	body := rawjson.NewMap("data", json.RawMessage(found), "meta", meta)
	if c.s.opts.Shape == ShapeAPI || c.r.Header.Get("X-Adp-Agent-Cli")+c.r.Header.Get("X-Adp-Agent-Sdk") != "" {
		return c.envelope(body, nil)
	}
	return ok(body)
}

func (op *operation) searchBody(t *data.Table, hits []int, fields []string) []byte {
	names := make([]any, len(fields))
	for i, f := range fields {
		names[i] = f
	}
	b := append(make([]byte, 0, 1024*len(hits)+2), '[')
	for i, n := range hits {
		if i > 0 {
			b = append(b, ',')
		}
		r := t.Rows[n]
		switch {
		case len(names) > 0:
			b = rawjson.Append(b, op.present(selectFields(r.Whole(), names)))
		case op.reshapes():
			b = rawjson.Append(b, op.present(r.Whole()))
		case r.Extra.Len() == 0:
			b = append(b, r.JSON()...)
		default:
			b = rawjson.Append(b, r.Whole())
		}
	}
	return append(b, ']')
}

// replica is the table with every searchable field present.
func (d *dataset) replica(e *catalog.Entity) *data.Table {
	t := d.table(e.Name)
	missing := d.replicas.of(e.Name, func() []catalog.Field { return d.replicaFields(e) })
	if len(missing) == 0 {
		return t
	}
	for _, r := range t.Rows {
		if r.Extra != nil {
			continue
		}
		m := d.maker(t.Entity, r.N)
		r.Extra = &rawjson.Map{}
		for i := range missing {
			m.replicate(r, &missing[i])
		}
	}
	return t
}

// replicate gives the replica of a record a field that the record lacks or has in
// another type.
func (m *maker) replicate(r *data.Record, f *catalog.Field) {
	own, has := r.Obj.Get(f.Name)
	if !has {
		own = m.replicated(r, f)
	}
	if !has || !takes(f, own) {
		r.Extra.Set(f.Name, fitted(f, own))
	}
}

// replicated derives a field that only the replica has from the record.
func (m *maker) replicated(r *data.Record, f *catalog.Field) any {
	n := data.Normal(f.Name)
	for _, path := range []string{replicaPaths[n], "fields." + f.Name, "attributes." + f.Name} {
		if v, ok := data.At(r.Obj, path); ok && path != "" {
			return v
		}
	}
	if strings.HasPrefix(n, "is") && strings.HasSuffix(n, "deleted") {
		return false
	}
	return m.field(f)
}

// replicaPaths are replica fields that repeat a part of the record.
var replicaPaths = map[string]string{
	"accountbalance": "balance", "projectid": "fields.project.id",
	"projectkey": "fields.project.key", "contactid": "id",
	"defaultcard": "default_source", "datetime": "attributes.datetime", "updatedatint": "updated_at",
}

// match finds the positions of the records that a query wants, in its order.
func (d *dataset) match(t *data.Table, query search.Query) []int {
	paths := usedFields(query)
	docs := t.Project(paths)
	m := search.Compile(query.Filter)
	hits := make([]int, 0, len(docs)/4+1)
	for i, doc := range docs {
		if m.Match(doc) {
			hits = append(hits, i)
		}
	}
	if len(query.Sort) == 0 {
		return hits
	}
	chosen := make([][]byte, len(hits))
	for i, n := range hits {
		chosen[i] = docs[n]
	}
	order := search.CompileSort(query.Sort).Order(chosen)
	for i, place := range order {
		order[i] = hits[place]
	}
	return order
}

// usedFields are the top-level members that a query's filter and sort touch.
func usedFields(query search.Query) []string {
	seen := map[string]bool{}
	add := func(path string) {
		first, _, _ := strings.Cut(path, ".")
		seen[strings.TrimSuffix(first, "[]")] = true
		seen[path] = true
	}
	query.Filter.Walk(func(_ []int, n *search.Node) bool {
		if n.Field != "" {
			add(n.Field)
		}
		return true
	})
	for _, k := range query.Sort {
		add(k.Field)
	}
	return slices.Sorted(maps.Keys(seen))
}

// semantic ranks records by the words they share with the prompt. It is no
// language model, and its answer says so.
func (op *operation) semantic() *answer {
	op.joinFields()
	ask := objectIn(op.params, "semantic")
	if ask == nil {
		ask = op.params
	}
	prompt, _ := ask.Value("prompt").(string)
	limit, given := data.Int(op.params.Value("limit"))
	if !given {
		limit = 10
	}
	limit = max(1, min(limit, 100))
	t, keep := op.d.replica(op.e), search.Compile(nil)
	if f := objectIn(ask, "filter"); f != nil {
		node, err := search.DecodeFilter(rawjson.Encode(f))
		refuseSearch(err, "params.semantic.filter")
		keep = search.Compile(node)
	}
	size, _ := data.Int(ask.Value("context_size"))
	found, names := []any{}, data.List(op.params.Value("fields"))
	op.d.refuseUnknown(op.e, op.a, t, "", names)
	for _, h := range rank(t, op.e.Semantic, prompt, keep, int(limit)) {
		o := op.hitEntity(h.r)
		if len(names) > 0 {
			o = selectFields(h.r.Whole(), names)
		}
		found = append(found, op.present(rawjson.NewMap("entity", o, "metadata", op.hitMetadata(h, int(size)))))
	}
	return op.searchAnswer(rawjson.Encode(found), rawjson.NewMap("has_more", false, "cursor", nil, "took_ms", nil,
		"ranking", "word overlap (sandbox)"))
}

// soql runs the query languages that name fields and an object themselves: SOQL
// in lists, SOSL in searches. It is nil where the params hold neither.
func (op *operation) soql() *answer {
	for _, q := range op.d.facts.Query {
		switch {
		case q.Language != "soql" || !op.params.Has(q.Param):
		case op.a.Name == catalog.ActionAPISearch:
			return op.findWords(q.Param)
		default:
			return op.selectFrom(q.Param)
		}
	}
	return nil
}

// selectFrom answers a SOQL query.
func (op *operation) selectFrom(param string) *answer {
	var from *catalog.Entity
	sel, err := lang.SOQL(op.params.Text(param), op.d.now(), func(object string) (columns []string, known bool) {
		from = op.d.entityOf(object)
		if from == nil {
			return nil, strings.EqualFold(object, "Organization")
		}
		for _, f := range op.d.fields(from) {
			columns = append(columns, f.Name)
		}
		return columns, true
	})
	refuseQuery(err, param)
	meta, list := rawjson.NewMap("done", true, "nextRecordsUrl", nil), []any{}
	if from == nil { // the only record of an object that the catalog does not have
		const id = "00D5g00000sandboxEAA"
		return op.shaped([]any{rawjson.NewMap("attributes", rawjson.NewMap("type", "Organization",
			"url", "/services/data/v59.0/sobjects/Organization/"+id), "Id", id, "Name", "Northwind")}, meta)
	}
	q := &query{d: op.d, e: from, a: op.a, params: op.params, t: op.d.table(from.Name), Query: sel.Query}
	rows := q.sorted(q.filter())
	total, size := len(rows), op.d.facts.Paging.Size
	rows = rows[min(sel.Offset, len(rows)):]
	page := slice{to: min(len(rows), sel.Limit, size), total: min(len(rows), sel.Limit), size: size}
	if page.more() {
		meta = rawjson.NewMap("done", false, "nextRecordsUrl", q.nextURL(int64(size)))
	}
	if len(sel.Fields) == 1 && strings.EqualFold(sel.Fields[0], "COUNT()") {
		list, page.to = append(list, rawjson.NewMap("expr0", int64(total))), 0
	}
	for _, r := range rows[:page.to] {
		list = append(list, row(r, sel.Fields))
	}
	return op.shaped(list, meta)
}

// entityOf finds the entity by the third party's name of its records.
func (d *dataset) entityOf(object string) *catalog.Entity {
	for i := range slices.Backward(d.kind.Entities) {
		e := &d.kind.Entities[i]
		if strings.EqualFold(d.object(e), object) && len(e.Record) > 0 && e.Name != "query" {
			return e
		}
	}
	return nil
}

// row has the selected fields and the attributes that every record carries.
func row(r *data.Record, fields []string) *rawjson.Map {
	o := &rawjson.Map{}
	if v, has := r.Obj.Get("attributes"); has {
		o.Set("attributes", v)
	}
	for _, f := range fields {
		if strings.HasPrefix(strings.ToUpper(f), "FIELDS(") {
			for i, k := range r.Obj.Keys {
				o.Set(k, r.Obj.Vals[i])
			}
			continue
		}
		if name, v, has := lang.Member(r.Obj, f); has {
			o.Set(name, v)
		}
	}
	return o
}

// findWords answers a SOSL search: records in their documented fields.
func (op *operation) findWords(param string) *answer {
	words, limit, err := lang.SOSL(op.params.Text(param))
	refuseQuery(err, param)
	list := []any{}
	for _, r := range op.d.table(op.e.Name).Rows {
		if len(list) >= limit || !lang.ContainsWords(r, words) {
			continue
		}
		o := &rawjson.Map{}
		for _, f := range op.e.Record {
			o.Set(f.Name, r.Obj.Value(f.Name))
		}
		list = append(list, o)
	}
	return op.shaped(rawjson.NewMap("searchRecords", list), nil)
}
