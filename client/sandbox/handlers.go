package sandbox

import (
	"strings"

	"patchbay/catalog"
)

// specialHandler finds the handlers of params whose meaning is their own.
func (d *dataset) specialHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	if h := d.kindHandler(e, a, f); h != nil {
		return h
	}
	switch f.Name {
	case "fields":
		return fieldsHandler
	case "expand", "include", "includeExtendedDataFields", "properties", "full", "includedData":
		return expandHandler(f.Name)
	case "body-format", "description-format":
		return formatHandler(strings.TrimSuffix(f.Name, "-format"))
	case "sort_field":
		return d.sortHandler(e, func(q *query, v any) string { return direction(q.params.text("sort_dir")) + asText(v) })
	case "sort_dir":
		return d.sortHandler(e, func(q *query, v any) string {
			if q.params.has("sort_field") {
				return ""
			}
			return direction(asText(v)) + "created"
		})
	case "sort", "orderBy":
		return d.sortHandler(e, sortKey)
	case "query", "search", "searchString", "keywords", "search_terms", "bylines", "name":
		if d.kind.Name != "error_tracking" && a.Name == catalog.ActionList || f.Name != "name" && a.Name == catalog.ActionAPISearch {
			return d.textHandler()
		}
	case "contentSelector", "version", "updateHistory", "notifyUsers", "failFast", "fieldsByKeys":
		return ignore
	}
	return nil
}

func ignore(*query, any) error { return nil }

func direction(dir string) string {
	if strings.EqualFold(dir, "desc") {
		return "-"
	}
	return ""
}

// sortKey reads the sort params of the kinds as a field with a leading minus.
func sortKey(_ *query, v any) string {
	if o, isObject := v.(*object); isObject {
		dir := "-"
		if strings.HasPrefix(strings.ToLower(o.text("direction")), "asc") {
			dir = ""
		}
		if by := o.text("timestamp"); by != "" {
			return dir + by
		}
		return dir + "last_edited_time"
	}
	switch text := strings.TrimPrefix(asText(v), "+"); text {
	case "asc":
		return "created"
	case "desc":
		return "-created"
	default:
		return text
	}
}

// sortHandler orders by the field that a sort word speaks of.
func (d *dataset) sortHandler(e *catalog.Entity, key func(*query, any) string) handler {
	base := d.base(e.Name)
	return func(q *query, v any) error {
		word := key(q, v)
		if word == "" {
			return nil
		}
		name, desc := strings.CutPrefix(word, "-")
		q.orders = append(q.orders, order{d.sortField(base, name), desc})
		return nil
	}
}

func (d *dataset) sortField(e *catalog.Entity, name string) func(*record) any {
	n := normal(name)
	switch n {
	case "createddate":
		n = "created"
	case "modifieddate":
		n = "updated"
	case "issuecount":
		n = "id"
	}
	for i := range e.Record {
		if normal(e.Record[i].Name) == n {
			field := e.Record[i].Name
			return func(r *record) any { return r.obj.value(field) }
		}
	}
	if n == "updated" && hasField(e.Record, "version") {
		return func(r *record) any { v, _ := at(r.obj, "version.createdAt"); return v }
	}
	if inner, found := strings.CutPrefix(n, "category"); found && inner == "" {
		return func(r *record) any { v, _ := at(r.obj, "projectCategory.name"); return v }
	}
	return d.timeField(e, n)
}

// textHandler keeps records that hold every word somewhere.
func (d *dataset) textHandler() handler {
	return func(q *query, v any) error {
		words := strings.Fields(strings.ToLower(asText(v)))
		if list, isList := v.([]any); isList {
			words = nil
			for _, w := range list {
				words = append(words, strings.ToLower(asText(w)))
			}
		}
		q.where(func(r *record) bool { return containsWords(r, words) })
		return nil
	}
}

func containsWords(r *record, words []string) bool {
	text := strings.ToLower(string(r.json()))
	for _, w := range words {
		if !strings.Contains(text, strings.Trim(w, `"`)) {
			return false
		}
	}
	return true
}

// fieldsHandler keeps the named fields of each record and what identifies it.
func fieldsHandler(q *query, v any) error {
	names := asList(v)
	if len(names) == 0 {
		return nil
	}
	if q.d.kind.Name == "issue_tracker" && q.e.Name == "issues" {
		q.shapes = append(q.shapes, func(o *object) *object { return issueSelection(o, names) })
		return nil
	}
	q.shapes = append(q.shapes, func(o *object) *object { return selectFields(o, names) })
	return nil
}

// issueSelection narrows the inner fields of an issue: names, *all, *navigable, -name.
func issueSelection(o *object, names []any) *object {
	inner, isObject := o.value("fields").(*object)
	if !isObject {
		return o
	}
	keep := &object{}
	all := strings.HasPrefix(asText(names[0]), "-")
	for _, n := range names {
		name := asText(n)
		if name == "*all" || name == "*navigable" {
			all = true
		} else if v, ok := inner.get(name); ok {
			keep.set(name, v)
		}
	}
	if all {
		keep = inner
		for _, n := range names {
			if name, drop := strings.CutPrefix(asText(n), "-"); drop {
				keep.remove(name)
			}
		}
	}
	o.set("fields", keep)
	return o
}

// selectFields keeps dot paths of an object, in its own order.
func selectFields(o *object, names []any) *object {
	tree := map[string][]any{}
	for _, n := range names {
		first, rest, deeper := strings.Cut(asText(n), ".")
		first = strings.TrimSuffix(first, "[]")
		if cut := strings.IndexByte(first, '{'); cut >= 0 {
			first = first[:cut]
		}
		if o.has(asText(n)) {
			first, deeper = asText(n), false
		}
		if deeper {
			tree[first] = append(tree[first], rest)
		} else {
			tree[first] = append(tree[first], "")
		}
	}
	out := &object{}
	for i, k := range o.keys {
		if paths, wanted := tree[k]; wanted {
			out.set(k, selectIn(o.vals[i], paths))
		}
	}
	return out
}

func selectIn(v any, paths []any) any {
	for _, p := range paths {
		if p == "" {
			return v
		}
	}
	switch v := v.(type) {
	case *object:
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
	case *object:
		if v.has(path) {
			v.remove(path)
			return
		}
		first, rest, deeper := strings.Cut(path, ".")
		if deeper {
			excludeField(v.value(strings.TrimSuffix(first, "[]")), rest)
		}
	case []any:
		for _, e := range v {
			excludeField(e, path)
		}
	}
}

// expandHandler adds what was asked for beside the record.
func expandHandler(param string) handler {
	return func(q *query, v any) error {
		names := asList(v)
		q.shapes = append(q.shapes, func(o *object) *object {
			for _, n := range names {
				expand(q, o, param, asText(n))
			}
			return o
		})
		return nil
	}
}

func expand(q *query, o *object, param, name string) {
	switch {
	case name == "transcript":
		o.set("transcript", []any{newObject("speaker", newObject("source", "microphone"), "text", sentences[0]), newObject("speaker", newObject("source", "speaker"), "text", sentences[1])})
	case param == "properties":
		o.set("properties", newObject(name, newObject("value", "sandbox")))
	case name == "changelog":
		o.set("changelog", newObject("startAt", int64(0), "maxResults", int64(1), "total", int64(1), "histories", []any{newObject("id", "1", "items", []any{newObject("field", "status", "fromString", "To Do", "toString", "In Progress")})}))
	case name == "renderedFields":
		summary, _ := at(o, "fields.summary")
		o.set("renderedFields", newObject("description", "<p>"+asText(summary)+"</p>"))
	case name == "names" || name == "schema":
		inner := &object{}
		if f, isObject := o.value("fields").(*object); isObject {
			for _, k := range f.keys {
				if name == "names" {
					inner.set(k, strings.ToUpper(k[:1])+k[1:])
				} else {
					inner.set(k, newObject("type", "any", "system", k))
				}
			}
		}
		o.set(name, inner)
	case name == "transitions":
		o.set(name, transitionList())
	case o.has(name) && o.value(name) != nil:
		o.set("expanded", name)
	default:
		o.set(name, newObject("expanded", true))
	}
}

// formatHandler gives a text in the asked representation.
func formatHandler(field string) handler {
	return func(q *query, v any) error {
		format := asText(v)
		q.shapes = append(q.shapes, func(o *object) *object {
			o.set(field, newObject(format, newObject("representation", format, "value", "<p>"+o.text("title")+o.text("name")+"</p>")))
			return o
		})
		return nil
	}
}

func transitionList() []any {
	list := []any{}
	for i, name := range transitions {
		list = append(list, newObject("id", asText(int64(11+10*i)), "name", name, "to", ranked(issueStatus, i)))
	}
	return list
}
