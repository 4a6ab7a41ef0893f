package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
	"patchbay/client/sandbox/lang"
)

// toldHandler finds the handlers of params whose meaning the catalog tells.
func (d *dataset) toldHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	for i := range d.facts.Query {
		names := &d.facts.Query[i]
		if names.Param == f.Name && (names.Action == "" || names.Action == a.Name) {
			return func(q *query, v any) {
				read, err := d.read(q.t, names, rawjson.TextOf(v))
				refuseQuery(err, names.Param)
				q.Tests, q.Orders = append(q.Tests, read.Tests...), append(q.Orders, read.Orders...)
			}
		}
	}
	switch p := d.param(e, f.Name); {
	case p.Parents != nil:
		return parentsHandler(f.Name, p)
	case p.Shows != nil:
		return showsHandler(p)
	case len(p.Stretch) == 2:
		return stretchHandler(p.Stretch[0], p.Stretch[1])
	case p.Match != "":
		return matchHandler(p)
	case p.Phrase != nil:
		return phraseHandler(p)
	case p.Only != nil:
		return onlyHandler(p, d.equalHandler(f, p.Path))
	case p.Values != nil:
		return valuesHandler(p)
	case p.Via != "":
		return d.viaHandler(p)
	case p.Holds != "":
		return func(q *query, v any) {
			at := data.NewPath(p.Holds + "." + rawjson.TextOf(v))
			q.where(func(r *data.Record) bool { return at.Of(r) != nil })
		}
	case p.Span != "":
		return spanHandler(p.Span)
	case p.Mentions != nil:
		return mentionsHandler(p)
	case p.Member != "" && !p.Exact: // a list of values in a member of the param
		keep := d.equalHandler(&catalog.Field{Name: f.Name, Separator: ","}, p.Path)
		return func(q *query, v any) {
			if o, _ := v.(*rawjson.Map); o.Value(p.Member) != nil {
				keep(q, o.Value(p.Member))
			}
		}
	case p.Parts != nil:
		return partsHandler(p)
	case p.Exact: // the value, or that of a member of the param
		return func(q *query, v any) {
			if p.Member != "" {
				o, _ := v.(*rawjson.Map)
				v = o.Value(p.Member)
			}
			if v != nil && (v != "" || p.Member == "") {
				equal(p.Path)(q, v)
			}
		}
	}
	return nil
}

// valuesHandler takes words that stand for one or several values of a field, or for all.
func valuesHandler(p catalog.SandboxParam) handler {
	return func(q *query, v any) {
		var wanted []string
		for _, word := range data.List(v) {
			values, told := p.Values[rawjson.TextOf(word)]
			if told && len(values) == 0 {
				return
			}
			if !told {
				values = []string{rawjson.TextOf(word)}
			}
			wanted = append(wanted, values...)
		}
		at := data.NewPath(p.Path)
		q.where(func(r *data.Record) bool {
			got := at.Of(r)
			return slices.ContainsFunc(wanted, func(w string) bool { return data.Equal(got, w) })
		})
	}
}

// viaHandler keeps the records that others, which have the value, point at.
func (d *dataset) viaHandler(p catalog.SandboxParam) handler {
	entity, field, _ := strings.Cut(p.Via, ".")
	return func(q *query, v any) {
		keys, at := map[string]bool{}, data.NewPath(field)
		for _, r := range d.table(entity).Rows {
			if data.Equal(at.Of(r), v) {
				keys[r.Obj.Text(p.Gives)] = true
			}
		}
		q.where(func(r *data.Record) bool { return keys[r.Obj.Text(q.t.Key)] })
	}
}

// spanHandler keeps records of a time: one of the usual words (last_30d), or an object
// or text {"since": ..., "until": ...}.
func spanHandler(path string) handler {
	of := data.NewPath(path).Of
	return func(q *query, v any) {
		from, to := data.Span(rawjson.TextOf(v), q.d.now())
		o, isObject := v.(*rawjson.Map)
		if parsed, err := data.Parse([]byte(rawjson.TextOf(v))); err == nil && !isObject {
			o, isObject = parsed.(*rawjson.Map)
		}
		if isObject {
			from, to = o.Text("since"), o.Text("until")
		}
		if from != "" {
			rangeHandler(of, "gte")(q, from)
		}
		if to != "" {
			rangeHandler(of, "lte")(q, to)
		}
	}
}

// read reads a query in the language of its param.
func (d *dataset) read(t *data.Table, names *catalog.SandboxQuery, text string) (*lang.Query, error) {
	switch names.Language {
	case "jql":
		entity, field, _ := strings.Cut(names.Self, ".")
		return lang.JQL(text, names, d.now(), rawjson.TextOf(d.peek(d.entity(entity), 0, field)))
	case "fielded":
		return lang.Fielded(text, func(name string) bool { return len(t.Rows) == 0 || t.Rows[0].Obj.Has(name) })
	}
	return lang.Qualified(text, names, d.fields(t.Entity))
}

// refuseQuery refuses what a language could not read, naming the param that holds it.
func refuseQuery(err error, param string) {
	if err != nil {
		panic(refuseParam(http.StatusBadRequest, param, "invalid_query", "%v", err))
	}
}

// partsHandler leaves out the parts of records that a param does not name; true names
// all, and an object the members of its Member that are not false.
func partsHandler(p catalog.SandboxParam) handler {
	parts := p.Parts
	return func(q *query, v any) {
		named := data.List(v)
		if o, isObject := v.(*rawjson.Map); isObject {
			named = nil
			if exposed := objectIn(o, p.Member); exposed != nil {
				for i, name := range exposed.Keys {
					if exposed.Vals[i] != false {
						named = append(named, name)
					}
				}
			}
		}
		if slices.Contains(named, any("true")) || slices.Contains(named, any(true)) {
			return
		}
		q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
			for _, part := range parts {
				if !slices.Contains(named, any(part)) {
					o.Remove(part)
				}
			}
			return o
		})
	}
}

// mentionsHandler keeps what has the value that a text names: equals(messages.channel,'email').
func mentionsHandler(p catalog.SandboxParam) handler {
	return func(q *query, v any) {
		text := strings.ToLower(rawjson.TextOf(v))
		for _, value := range p.Mentions {
			if strings.Contains(text, value) {
				at := data.NewPath(p.Path)
				q.where(func(r *data.Record) bool { return strings.EqualFold(rawjson.TextOf(at.Of(r)), value) })
				return
			}
		}
		q.where(func(*data.Record) bool { return false })
	}
}

// parentsHandler keeps what belongs to a record of one of several entities.
func parentsHandler(param string, p catalog.SandboxParam) handler {
	return func(q *query, v any) {
		id := rawjson.TextOf(v)
		if _, all := p.Values[id]; all {
			return
		}
		if !slices.ContainsFunc(p.Parents, func(e string) bool { return q.d.table(e).Find(id) != nil }) {
			panic(refuseParam(http.StatusNotFound, param, "not_found", "No record of %s is called %s.",
				strings.Join(p.Parents, " or "), id))
		}
		if !p.Shared {
			q.where(func(r *data.Record) bool { return r.Hidden.Text(param) == id })
		}
	}
}

// specialHandler finds the handlers of params whose meaning is their own.
func (d *dataset) specialHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	if h := d.toldHandler(e, a, f); h != nil {
		return h
	}
	switch f.Name {
	case "fields":
		return fieldsHandler
	case "expand", "include", "properties":
		return func(q *query, v any) {
			q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
				for _, n := range data.List(v) {
					q.expand(o, f.Name, rawjson.TextOf(n))
				}
				return o
			})
		}
	case "body-format", "description-format":
		return func(q *query, v any) { // a text in the asked representation
			format := rawjson.TextOf(v)
			q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
				o.Set(strings.TrimSuffix(f.Name, "-format"), rawjson.NewMap(format, rawjson.NewMap(
					"representation", format, "value", "<p>"+o.Text("title")+o.Text("name")+"</p>")))
				return o
			})
		}
	case "sort", "orderBy", "sort_field", "sort_dir":
		return d.sortHandler(e, f.Name)
	case "query", "search", "searchString", "keywords", "search_terms", "bylines", "name":
		if a.Name == catalog.ActionList || f.Name != "name" && a.Name == catalog.ActionAPISearch {
			return textHandler
		}
	case "updateHistory", "notifyUsers", "failFast", "fieldsByKeys":
		return func(*query, any) {} // these change nothing
	}
	return nil
}

func direction(dir string) string {
	if strings.EqualFold(dir, "desc") {
		return "-"
	}
	return ""
}

// sortKey reads the sort params of the kinds as a field with a leading minus; it is
// empty where another param says it all.
func (q *query) sortKey(param string, v any) string {
	text := strings.TrimPrefix(rawjson.TextOf(v), "+")
	o, isObject := v.(*rawjson.Map)
	switch {
	case isObject:
		dir := "-"
		if strings.HasPrefix(strings.ToLower(o.Text("direction")), "asc") {
			dir = ""
		}
		return dir + cmp.Or(o.Text("timestamp"), "last_edited_time")
	case param == "sort_field":
		return direction(q.params.Text("sort_dir")) + text
	case param == "sort_dir" && q.params.Has("sort_field"):
		return ""
	case param == "sort_dir", text == "asc", text == "desc":
		return direction(text) + "created"
	}
	return text
}

// sortHandler orders by the field that a sort word speaks of.
func (d *dataset) sortHandler(e *catalog.Entity, param string) handler {
	base, paths := d.base(e.Name), d.param(e, param).Sorts
	return func(q *query, v any) {
		name, desc := strings.CutPrefix(q.sortKey(param, v), "-")
		if name == "" {
			return
		}
		of := d.timeField(base, name)
		if path := cmp.Or(paths[name], q.d.fieldCalled(base, name)); path != "" {
			of = lang.At(path)
		}
		q.Orders = append(q.Orders, lang.Order{Of: of, Desc: desc})
	}
}

// fieldCalled is the record field of that name, however its words are joined.
func (d *dataset) fieldCalled(e *catalog.Entity, name string) string {
	return d.called.of(e, func() map[string]string {
		names := make(map[string]string, len(e.Record))
		for i := range e.Record {
			if normal := data.Normal(e.Record[i].Name); names[normal] == "" {
				names[normal] = e.Record[i].Name
			}
		}
		return names
	})[data.Normal(name)]
}

// textHandler keeps records that hold every word somewhere.
func textHandler(q *query, v any) {
	words := strings.Fields(strings.ToLower(rawjson.TextOf(v)))
	if list, isList := v.([]any); isList {
		for _, w := range list {
			words = append(words, strings.ToLower(rawjson.TextOf(w)))
		}
	}
	q.where(func(r *data.Record) bool { return lang.ContainsWords(r, words) })
}

// fieldsHandler keeps the named fields of each record and what identifies it.
func fieldsHandler(q *query, v any) {
	names, member := data.List(v), q.d.param(q.e, "fields").Inside
	if len(names) == 0 {
		return
	}
	q.d.refuseUnknown(q.e, q.a, q.t, member, names)
	q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
		if member == "" {
			return selectFields(o, names)
		}
		return selectInside(o, member, names)
	})
}

// selectInside narrows the members of a member: names, *all, *navigable, -name.
func selectInside(o *rawjson.Map, member string, names []any) *rawjson.Map {
	inner, keep := objectIn(o, member), &rawjson.Map{}
	if inner == nil {
		return o
	}
	all := strings.HasPrefix(rawjson.TextOf(names[0]), "-")
	for _, n := range names {
		name := rawjson.TextOf(n)
		if name == "*all" || name == "*navigable" {
			all = true
		} else if v, ok := inner.Get(name); ok {
			keep.Set(name, v)
		}
	}
	if all {
		keep = inner
		for _, n := range names {
			if name, drop := strings.CutPrefix(rawjson.TextOf(n), "-"); drop {
				keep.Remove(name)
			}
		}
	}
	o.Set(member, keep)
	return o
}

// selectFields keeps dot paths of an object, in its own order.
func selectFields(o *rawjson.Map, names []any) *rawjson.Map {
	tree := map[string][]any{}
	for _, n := range names {
		name := rawjson.TextOf(n)
		first, rest, _ := strings.Cut(name, ".")
		first, _, _ = strings.Cut(strings.TrimSuffix(first, "[]"), "{")
		if o.Has(name) {
			first, rest = name, ""
		}
		tree[first] = append(tree[first], rest)
	}
	out := &rawjson.Map{}
	for i, k := range o.Keys {
		if paths, wanted := tree[k]; wanted {
			out.Set(k, selectIn(o.Vals[i], paths))
		}
	}
	return out
}

func selectIn(v any, paths []any) any {
	if slices.Contains(paths, any("")) {
		return v
	}
	switch v := v.(type) {
	case *rawjson.Map:
		return selectFields(v, paths)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = selectIn(v[i], paths)
		}
		return out
	}
	return v
}

// excludeField removes a dot path from an object.
func excludeField(v any, path string) {
	switch v := v.(type) {
	case *rawjson.Map:
		if first, rest, deeper := strings.Cut(path, "."); deeper && !v.Has(path) {
			excludeField(v.Value(strings.TrimSuffix(first, "[]")), rest)
		} else {
			v.Remove(path)
		}
	case []any:
		for _, e := range v {
			excludeField(e, path)
		}
	}
}

// expand adds what was asked for beside the record.
func (q *query) expand(o *rawjson.Map, param, name string) {
	raw := q.d.factsOf(q.e).Expand[name]
	if raw == nil {
		raw = q.d.facts.Every.Expand[name]
	}
	switch {
	case raw != nil:
		o.Set(name, q.d.maker(q.d.base(q.e.Name), 0).fill(raw, o))
	case param == "properties":
		o.Set("properties", rawjson.NewMap(name, rawjson.NewMap("value", "sandbox")))
	}
}
