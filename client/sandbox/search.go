package sandbox

import (
	"net/http"
	"slices"
	"sort"
	"strings"

	"patchbay/catalog"
	"patchbay/client/search"
)

// projection holds the encoded members of all records that a search looks at,
// so that matching does not read whole records.
type projection struct{ docs [][]byte }

// search runs context_store_search over the replica of an entity.
func (op *operation) search() (*result, error) {
	started := op.call.s.opts.Now()
	op.joinFields()
	raw := appendObject(nil, op.params)
	if _, isObject := op.params.value("query").(*object); !isObject {
		return nil, invalid("params.query", "The param query is required and must be an object.")
	}
	if f, has := op.params.value("query").(*object).get("filter"); has {
		if o, isObject := f.(*object); !isObject || o.len() == 0 {
			return nil, invalid("params.query.filter", "query.filter must be an object with one operator; leave it out to match everything.")
		}
	}
	query, err := search.Decode(raw)
	if err != nil {
		return nil, &refusal{status: http.StatusBadRequest, field: "params.query", code: "invalid_query", message: err.Error()}
	}
	base := op.d.base(op.e.Name)
	for _, p := range search.Validate(query, base) {
		if p.Severity == search.Wrong {
			return nil, &refusal{status: http.StatusBadRequest, field: "params.query", code: "invalid_query", message: p.Text}
		}
	}
	limit := query.Limit
	if v, given := op.params.get("limit"); given && v != nil {
		if n, isInt := asInt(v); !isInt || n < 1 {
			return nil, invalid("params.limit", "limit must be an integer of at least 1.")
		}
	}
	if limit <= 0 {
		limit = search.DefaultLimit
	}
	offset, err := openCursor(query.Cursor)
	if err != nil {
		return nil, err
	}
	t := op.d.replica(op.e)
	hits := op.d.match(t, query)
	s := op.call.pageFault(len(hits), slice{from: min(offset, len(hits)), to: min(offset+limit, len(hits)), size: limit, total: len(hits)})
	meta := op.searchMeta(s)
	body := op.searchBody(t, recordFault(op.call, s, hits[s.from:s.to]), query.Fields)
	meta.set("took_ms", op.call.s.opts.Now().Sub(started).Milliseconds())
	return op.searchAnswer(body, meta), nil
}

// searchMeta says whether and where a search goes on.
func (op *operation) searchMeta(s slice) *object {
	meta := newObject("has_more", s.more(), "cursor", nil, "took_ms", nil)
	if s.more() {
		meta.set("cursor", sealCursor(s.to))
	}
	p := pointer{sent: op.params.value("cursor"), name: "cursor", token: func(offset int) any { return sealCursor(offset) }}
	op.call.metaFault(p, s, meta)
	return meta
}

// joinFields writes the selected fields as dotted paths; the service's SDK sends
// each as an array of its segments.
func (op *operation) joinFields() {
	list, isList := op.params.value("fields").([]any)
	if !isList {
		return
	}
	paths := make([]any, len(list))
	for i, v := range list {
		paths[i] = v
		if segments, nested := v.([]any); nested {
			var names []string
			for _, s := range segments {
				names = append(names, asText(s))
			}
			paths[i] = strings.Join(names, ".")
		}
	}
	op.params.set("fields", paths)
}

// fromOwnClient tells a request of the service's own command line or SDK: they
// read everything, searches too, from under result.
func (c *call) fromOwnClient() bool {
	return c.r.Header.Get("X-Adp-Agent-Cli") != "" || c.r.Header.Get("X-Adp-Agent-Sdk") != ""
}

// searchAnswer is the documented bare answer, or nested as the API definition shows it.
func (op *operation) searchAnswer(data []byte, meta *object) *result {
	b := append([]byte(`{"data":`), data...)
	b = append(appendObject(append(b, `,"meta":`...), meta), '}')
	if op.call.s.opts.Shape == ShapeAPI || op.call.fromOwnClient() {
		return &result{body: b}
	}
	return &result{bare: &answer{status: http.StatusOK, body: b}}
}

func (op *operation) searchBody(t *table, hits []int, fields []string) []byte {
	names := make([]any, len(fields))
	for i, f := range fields {
		names[i] = f
	}
	b := append(make([]byte, 0, 1024*len(hits)+2), '[')
	for i, n := range hits {
		if i > 0 {
			b = append(b, ',')
		}
		r := t.rows[n]
		switch {
		case len(names) > 0:
			b = appendObject(b, selectFields(r.whole(), names))
		case r.extra == nil:
			b = append(b, r.json()...)
		default:
			b = appendObject(b, r.whole())
		}
	}
	return append(b, ']')
}

// whole is the record with the fields that only its replica has.
func (r *record) whole() *object {
	if r.extra == nil {
		return r.obj
	}
	return &object{keys: append(slices.Clip(r.obj.keys), r.extra.keys...), vals: append(slices.Clip(r.obj.vals), r.extra.vals...)}
}

// replica is the table with every searchable field present.
func (d *dataset) replica(e *catalog.Entity) *table {
	t := d.table(e.Name)
	var missing []catalog.Field
	for _, f := range e.Search {
		if len(t.rows) > 0 && !strings.Contains(f.Name, ".") && !strings.Contains(f.Name, "[") && !t.rows[0].obj.has(f.Name) {
			missing = append(missing, f)
		}
	}
	if len(missing) == 0 {
		return t
	}
	for _, r := range t.rows {
		if r.extra != nil {
			continue
		}
		m := d.maker(t.entity, r.n)
		r.extra = &object{}
		for i := range missing {
			if !r.obj.has(missing[i].Name) {
				r.extra.set(missing[i].Name, m.replicated(r, &missing[i]))
			}
		}
	}
	return t
}

// replicated derives a field that only the replica has from the record.
func (m *maker) replicated(r *record, f *catalog.Field) any {
	n := normal(f.Name)
	for _, path := range []string{replicaPaths[n], "fields." + f.Name, "attributes." + f.Name} {
		if path == "" || path == "fields." {
			continue
		}
		if v, ok := at(r.obj, path); ok {
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
	"accountbalance": "balance", "projectid": "fields.project.id", "projectkey": "fields.project.key", "contactid": "id",
	"defaultcard": "default_source", "datetime": "attributes.datetime", "updatedatint": "updated_at",
}

// match finds the positions of the records that a query wants, in its order.
func (d *dataset) match(t *table, query search.Query) []int {
	paths := usedFields(query)
	docs := t.project(paths)
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
	return ordered(t, docs, hits, query.Sort)
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
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// project returns the encoded members of every record, kept until a write.
func (t *table) project(names []string) [][]byte {
	key := strings.Join(names, "\x00")
	if p := t.flat[key]; p != nil {
		return p.docs
	}
	docs := make([][]byte, len(t.rows))
	var b []byte
	for i, r := range t.rows {
		start := len(b)
		b = append(b, '{')
		for _, name := range names {
			v, has := r.obj.get(name)
			if !has {
				if v, has = r.extra.get(name); !has {
					continue
				}
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(appendString(b, name), ':')
			b = appendJSON(b, v)
		}
		b = append(b, '}')
		docs[i] = b[start:len(b):len(b)]
		if len(b) > 1<<20 {
			b = nil
		}
	}
	if t.flat == nil || len(t.flat) > 8 {
		t.flat = map[string]*projection{}
	}
	t.flat[key] = &projection{docs}
	return docs
}

// semantic ranks records by the words they share with the prompt. It is no
// language model, and its answer says so.
func (op *operation) semantic() (*result, error) {
	started := op.call.s.opts.Now()
	op.joinFields()
	ask, isObject := op.params.value("semantic").(*object)
	if !isObject {
		ask = op.params
	}
	prompt, isText := ask.value("prompt").(string)
	if !isText || strings.TrimSpace(prompt) == "" {
		return nil, invalid("params.semantic.prompt", "semantic.prompt is required and must be a string.")
	}
	if op.params.has("query") {
		return nil, refuse(http.StatusBadRequest, "params.query and params.semantic cannot be given together.")
	}
	limit := int64(10)
	if n, given := asInt(op.params.value("limit")); given {
		limit = n
	}
	if limit < 1 || limit > 100 {
		return nil, invalid("params.limit", "limit must be between 1 and 100 for a semantic search.")
	}
	t := op.d.replica(op.e)
	keep := search.Compile(nil)
	if f, has := ask.value("filter").(*object); has {
		node, err := search.DecodeFilter(appendObject(nil, f))
		if err != nil {
			return nil, &refusal{status: http.StatusBadRequest, field: "params.semantic.filter", code: "invalid_query", message: err.Error()}
		}
		keep = search.Compile(node)
	}
	size, _ := asInt(ask.value("context_size"))
	data := []any{}
	for _, h := range wordRanking(t, prompt, keep, int(limit)) {
		data = append(data, h.object(op.params, int(size)))
	}
	meta := newObject("has_more", false, "cursor", nil, "took_ms", op.call.s.opts.Now().Sub(started).Milliseconds(), "ranking", "word overlap (sandbox)")
	return op.searchAnswer(appendJSON(nil, data), meta), nil
}

// hit is a record with the share of the prompt's words that it holds.
type hit struct {
	r     *record
	score float64
	text  string
}

func wordRanking(t *table, prompt string, keep *search.Matcher, limit int) []hit {
	words := strings.Fields(strings.ToLower(prompt))
	var hits []hit
	for _, r := range t.rows {
		raw := r.json()
		text := strings.ToLower(string(raw))
		found := 0
		for _, w := range words {
			found += boolInt(strings.Contains(text, strings.Trim(w, ".,;:?!\"'")))
		}
		if found > 0 && keep.Match(raw) {
			hits = append(hits, hit{r, float64(found) / float64(len(words)), firstText(r.obj)})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	return hits[:min(limit, len(hits))]
}

func (h hit) object(params *object, size int) *object {
	o := h.r.whole()
	if names := asList(params.value("fields")); len(names) > 0 {
		o = selectFields(o, names)
	}
	text := []rune(h.text)
	if size > 0 && len(text) > size {
		text = text[:size]
	}
	return newObject("entity", o, "metadata", newObject("score", h.score, "context", string(text)))
}

// firstText is the longest text directly in a record.
func firstText(o *object) string {
	best := ""
	for _, v := range o.vals {
		switch v := v.(type) {
		case string:
			if len(v) > len(best) {
				best = v
			}
		case []any:
			if s := string(appendJSON(nil, v)); best == "" {
				best = s
			}
		}
	}
	return best
}
