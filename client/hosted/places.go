package hosted

import (
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// places lists where the catalog says that a third party's whole body has its records.
func (r *reader) places() []string {
	if r.action == nil || r.action.Binding == nil {
		return nil
	}
	var out []string
	for _, path := range []string{r.action.Binding.RecordsInBody, r.action.Binding.Records} {
		if path = strings.TrimPrefix(path, "$."); path != "" {
			out = append(out, path)
		}
	}
	return out
}

// nested finds records whose place leads through the elements of arrays:
// boards[*].items, or teams[0]. It tells whether there are any.
func (r *reader) nested(o *member) bool {
	for _, place := range r.places() {
		if !strings.Contains(place, "[") {
			continue
		}
		whole := join(o.path, place)
		path, err := rawjson.ParsePath(whole)
		if err != nil {
			continue
		}
		at, branches := untilAny(path)
		n, ok := rawjson.Root(r.body).Lookup(path[:at])
		if !ok || n.Kind() != rawjson.Array && n.Kind() != rawjson.Object {
			continue
		}
		found := &member{path: whole}
		found.span.From, found.span.To = n.Span()
		r.records(found, n.Kind() == rawjson.Object && !branches)
		if r.env.Meta.Empty() {
			r.env.MetaJSON = r.meta(o, found)
		}
		return true
	}
	return false
}

// untilAny is the length of a path before its first step over all children.
func untilAny(path rawjson.Path) (int, bool) {
	for i, step := range path {
		if step.Index == rawjson.Any {
			return i, true
		}
	}
	return len(path), false
}

// place is where a value of the body lies, also within the elements of an array.
func (r *reader) place(path string) client.Span {
	if m := r.s.at(path); m != nil {
		return m.span
	}
	if !strings.Contains(path, "[") {
		return client.Span{}
	}
	steps, err := rawjson.ParsePath(path)
	if err != nil {
		return client.Span{}
	}
	n, ok := rawjson.Root(r.body).Lookup(steps)
	if !ok {
		return client.Span{}
	}
	from, to := n.Span()
	return client.Span{From: from, To: to}
}
