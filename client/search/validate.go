package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// Severity tells whether a problem should keep a request from being sent.
type Severity string

// A Wrong request is not sent unless forced; a Notice is only shown.
const (
	Wrong  Severity = "wrong"
	Notice Severity = "notice"
)

// Problem is something to know about a query before it is sent.
type Problem struct {
	Severity Severity
	// Where is filter, sort, limit, cursor, fields or query.
	Where string
	// Path are the child indexes of the filter node, Index the place in sort or fields.
	Path  []int
	Index int
	Field string
	Text  string
}

// Validate says what is wrong with a query on an entity. Field names of an
// entity whose searchable fields are unknown are not checked, which one notice says.
func Validate(q Query, e *catalog.Entity) []Problem {
	v := validator{entity: e, unchecked: e.SearchUnknown || len(e.Search) == 0}
	q.Filter.Walk(func(path []int, n *Node) bool {
		if n.Disabled {
			return false
		}
		v.path = slices.Clone(path)
		v.node(n)
		return true
	})
	v.path = nil
	v.sortKeys(q.Sort)
	v.rest(q)
	if v.unchecked && (q.Filter != nil || len(q.Sort) > 0) {
		v.add(Notice, "filter", "", "the searchable fields of %s are not known: field names are sent unchecked", e.Name)
	}
	return v.problems
}

type validator struct {
	entity    *catalog.Entity
	unchecked bool
	path      []int
	problems  []Problem
}

func (v *validator) add(s Severity, where, field, format string, args ...any) {
	v.problems = append(v.problems, Problem{Severity: s, Where: where, Path: v.path, Field: field, Text: fmt.Sprintf(format, args...)})
}

func (v *validator) wrong(n *Node, format string, args ...any) {
	v.add(Wrong, "filter", n.Field, format, args...)
}

func (v *validator) node(n *Node) {
	if n.Op != Condition {
		if len(n.Children) == 0 {
			v.add(Notice, "filter", "", "an empty group is not sent")
		}
		return
	}
	switch {
	case n.Field == "":
		v.wrong(n, "choose a field")
		return
	case !known(n.Operator):
		v.wrong(n, "there is no operator %q", n.Operator)
		return
	case !Documented(n.Operator):
		v.add(Notice, "filter", n.Field, "the operator %s is not documented: other servers may refuse it", n.Operator)
	}
	f, ok := v.field("filter", n.Field)
	if ok && Documented(n.Operator) && !slices.Contains(Operators(f), n.Operator) {
		v.wrong(n, "%s does not suit %s (%s): use %s", n.Operator, n.Field, f.Type, strings.Join(Operators(f), ", "))
		return
	}
	if !ok {
		f = catalog.Field{Type: "any"}
	}
	v.value(n, f)
}

// field finds a searchable field and reports names that do not exist.
func (v *validator) field(where, name string) (catalog.Field, bool) {
	if v.unchecked {
		return catalog.Field{}, false
	}
	f, exact, ok := FindField(v.entity, name)
	if !ok {
		v.add(Wrong, where, name, "%s has no searchable field %q%s", v.entity.Name, name, v.suggest(name))
		return f, false
	}
	return f, exact
}

func (v *validator) suggest(name string) string {
	near := Nearest(v.entity, name, 3)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}

func (v *validator) value(n *Node, f catalog.Field) {
	raw := bytes.TrimSpace(n.Value)
	switch {
	case len(raw) == 0:
		v.wrong(n, "%s needs a value", n.Field)
	case n.Operator == In:
		v.inValue(n, f, raw)
	case n.Operator == AnyOf:
		if _, err := DecodeFilter(raw); err != nil {
			v.wrong(n, "%s", err)
		}
	case n.Operator == Like || n.Operator == Fuzzy || n.Operator == Keyword:
		if raw[0] != '"' || strings.TrimSpace(text(raw)) == "" {
			v.wrong(n, "%s wants a text that is not empty", n.Operator)
		}
	case raw[0] == 'n':
		if n.Operator != Eq && n.Operator != Neq {
			v.wrong(n, "%s cannot compare with null", n.Operator)
		}
	default:
		if what := mismatch(f, raw); what != "" {
			v.wrong(n, "%s %s", n.Field, what)
		}
	}
}

func (v *validator) inValue(n *Node, f catalog.Field, raw []byte) {
	if raw[0] != '[' {
		v.wrong(n, "in wants a list of values")
		return
	}
	count := 0
	eachElement(raw, 0, func(from, to int) bool {
		count++
		what := ""
		if !isNull(raw[from:to]) {
			what = mismatch(f, raw[from:to])
		}
		if what != "" {
			v.wrong(n, "%s (value %d of in) %s", n.Field, count, what)
		}
		return what == ""
	})
	if count == 0 {
		v.wrong(n, "in has no values: add one, or leave the condition out")
	}
}

// mismatch says why a value does not fit a field, or nothing.
func mismatch(f catalog.Field, raw []byte) string {
	if f.Type == "array" {
		// A condition on an array may name one of its elements.
		if raw[0] == '[' || f.Items == nil {
			return ""
		}
		return mismatch(*f.Items, raw)
	}
	if f.Type != "" && !hasType(f, "any") && !fits(f, raw) {
		return "wants " + wanted(f.Type) + ", not " + typeName(raw)
	}
	if len(f.Enum) > 0 && !f.Open && !enumHas(f.Enum, raw) {
		names := make([]string, 0, len(f.Enum))
		for _, e := range f.Enum {
			names = append(names, operandText(e))
		}
		return "is one of " + strings.Join(names, ", ")
	}
	return ""
}

func enumHas(enum []json.RawMessage, raw []byte) bool {
	o := newOperand(raw)
	return slices.ContainsFunc(enum, func(v json.RawMessage) bool { return o.equal(v) })
}

func fits(f catalog.Field, raw []byte) bool {
	switch raw[0] {
	case '{':
		return hasType(f, "object")
	case '[':
		return hasType(f, "array")
	case '"':
		return hasType(f, "string")
	case 't', 'f':
		return hasType(f, "boolean")
	case 'n':
		return true
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return hasType(f, "number") || hasType(f, "integer") && err == nil && n == math.Trunc(n)
}

func wanted(types string) string {
	names := map[string]string{"string": "a text", "integer": "a whole number", "number": "a number",
		"boolean": "true or false", "object": "an object", "array": "a list"}
	parts := strings.Split(types, "|")
	for i, p := range parts {
		parts[i] = cmp.Or(names[p], p)
	}
	return strings.Join(parts, " or ")
}

func (v *validator) sortKeys(keys []SortKey) {
	for i, k := range keys {
		from := len(v.problems)
		if k.Field == "" {
			v.add(Wrong, "sort", "", "choose a field to sort by")
		} else {
			v.field("sort", k.Field)
		}
		if slices.ContainsFunc(keys[:i], func(o SortKey) bool { return o.Field == k.Field }) {
			v.add(Notice, "sort", k.Field, "%s is already a sort key: this one has no effect", k.Field)
		}
		for j := from; j < len(v.problems); j++ {
			v.problems[j].Index = i
		}
	}
}

func (v *validator) rest(q Query) {
	if q.Limit < 0 {
		v.add(Wrong, "limit", "", "the limit is %d: use 1 or more, or leave it out for %d", q.Limit, DefaultLimit)
	}
	for _, m := range q.Extra {
		switch m.Name {
		case "limit":
			v.add(Wrong, "limit", "", "the limit is %s: use a whole number of 1 or more", short(string(m.Value)))
		case "cursor", "fields":
			if !isNull(m.Value) && m.Name == "cursor" {
				v.add(Wrong, "cursor", "", "the cursor is %s: use the text of meta.cursor", typeName(m.Value))
			}
		case "semantic":
			v.add(Notice, "query", "", "semantic replaces query and sort")
		default:
			v.add(Notice, "query", m.Name, "%q is not a documented param: it is sent as it is", m.Name)
		}
	}
	for _, m := range q.QueryExtra {
		v.add(Notice, "query", m.Name, "%q is not a documented member of query: it is sent as it is", m.Name)
	}
}

// Nearest returns up to n searchable fields whose names are like the given one, the closest first.
func Nearest(e *catalog.Entity, name string, n int) []string {
	type hit struct {
		name     string
		distance int
	}
	var hits []hit
	lower := strings.ToLower(name)
	for _, f := range e.Search {
		other := strings.ToLower(f.Name)
		d := distance(lower, other)
		if len(lower) > 2 && (strings.Contains(other, lower) || strings.Contains(lower, other) && len(other) > 2) {
			d = min(d, 2)
		}
		if d <= max(2, len(lower)/3) {
			hits = append(hits, hit{f.Name, d})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return a.distance - b.distance })
	var out []string
	for _, h := range hits[:min(n, len(hits))] {
		out = append(out, h.name)
	}
	return out
}

// distance counts the single-byte edits between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			edit := diagonal
			if a[i] != b[j] {
				edit++
			}
			diagonal = row[j+1]
			row[j+1] = min(edit, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
