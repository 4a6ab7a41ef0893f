package asked

import (
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/search"
)

// ofSearch says what a search asks for: which records, in which order, how many.
func ofSearch(e *catalog.Entity, q search.Query) string {
	var parts []string
	if which := condition(e, q.Filter, false); which != "" {
		parts = append(parts, "where "+which)
	}
	for i, k := range q.Sort {
		way := " rising"
		if k.Desc {
			way = " falling"
		}
		if i == 0 {
			way = "sorted by " + k.Field + way
		} else {
			way = "then by " + k.Field + way
		}
		parts = append(parts, way)
	}
	if q.Limit > 0 {
		parts = append(parts, "limit "+strconv.Itoa(q.Limit))
	}
	if len(q.Fields) > 0 {
		parts = append(parts, "only "+strings.Join(q.Fields, " and "))
	}
	if q.Cursor != "" {
		parts = append(parts, "from a cursor on")
	}
	for _, m := range append(q.QueryExtra[:len(q.QueryExtra):len(q.QueryExtra)], q.Extra...) {
		parts = append(parts, m.Name+" "+text(nil, rawjson.Parse(m.Value)))
	}
	return strings.Join(parts, ", ")
}

// joins are the words between the parts of a group.
var joins = map[search.Op]string{search.All: " and ", search.Any: " or ", search.Not: " or "}

// condition says which records a filter keeps; nested is set inside another group.
func condition(e *catalog.Entity, n *search.Node, nested bool) string {
	switch {
	case n == nil, n.Disabled:
		return ""
	case n.Op == search.Condition:
		return compared(e, n)
	}
	var parts []string
	inner := len(n.Children) > 1
	for _, c := range n.Children {
		if t := condition(e, c, inner || n.Op == search.Not); t != "" {
			parts = append(parts, t)
		}
	}
	t := strings.Join(parts, joins[n.Op])
	switch {
	case t == "":
		return ""
	case n.Op == search.Not:
		return "not (" + t + ")"
	case nested && len(parts) > 1:
		return "(" + t + ")"
	}
	return t
}

// operators are the words between a field and its value.
var operators = map[string]string{search.Eq: "is", search.Neq: "is not", search.In: "is one of", search.Like: "is like",
	search.Fuzzy: "has words like", search.Keyword: "has a word of", search.Contains: "contains",
	search.AnyOf: "holds one of"}

func compared(e *catalog.Entity, n *search.Node) string {
	if n.Field == "" || n.Operator == "" {
		return ""
	}
	var of *catalog.Field
	if f, _, ok := search.FindField(e, n.Field); ok {
		of = &f
	}
	v := rawjson.Parse(n.Value)
	if word, bound := bounds[n.Operator]; bound {
		return n.Field + " " + bounded(word, of, v)
	}
	word, known := operators[n.Operator]
	if !known {
		word = n.Operator
	}
	if v.Kind() == rawjson.Array && n.Operator == search.In {
		if list, ok := listed(of, v, " or "); ok {
			return n.Field + " is " + list
		}
	}
	return n.Field + " " + word + " " + text(of, v)
}
