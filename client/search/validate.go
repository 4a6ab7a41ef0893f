package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/strictyaml"
)

// Severity reports whether a problem should keep a request from being sent.
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
	v.problems = append(v.problems, q.Odd...)
	for i, k := range q.Sort {
		v.index = i
		if k.Field == "" {
			v.add(Wrong, "sort", "", "choose a field to sort by")
		} else {
			v.field("sort", k.Field)
		}
		if slices.ContainsFunc(q.Sort[:i], func(o SortKey) bool { return o.Field == k.Field }) {
			v.add(Notice, "sort", k.Field, "%s is already a sort key: this one has no effect", k.Field)
		}
	}
	v.index = 0
	v.rest(q)
	asks := len(q.Sort) > 0
	q.Filter.Walk(func(_ []int, n *Node) bool {
		asks = asks || n.Op == Condition && !n.Disabled
		return !n.Disabled
	})
	switch {
	case asks && e.SearchUnknown:
		v.add(Notice, "filter", "", "the searchable fields of %s are not known: field names are sent unchecked", e.Name)
	case asks && v.unchecked:
		v.add(Wrong, "filter", "", "%s has no searchable field: its documented list is empty", e.Name)
	}
	return v.problems
}

type validator struct {
	entity    *catalog.Entity
	unchecked bool
	path      []int // of the filter node at hand
	index     int   // of the sort key at hand
	problems  []Problem
}

func (v *validator) add(s Severity, where, field, format string, args ...any) {
	v.problems = append(v.problems, Problem{Severity: s, Where: where, Path: v.path, Index: v.index, Field: field,
		Text: fmt.Sprintf(format, args...)})
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
		v.wrong(n, "the operator %s is not one of the documented: %s, not, and, or", n.Operator,
			strings.Join(documented[:], ", "))
		return
	}
	f, ok := v.field("filter", n.Field)
	switch {
	case !ok:
		v.value(n, catalog.Field{Type: "any"})
	case !slices.Contains(Operators(f), n.Operator):
		v.add(v.unsuited(n.Operator, f), "filter", n.Field, "%s does not suit %s (%s): use %s", n.Operator, n.Field,
			f.Type, strings.Join(Operators(f), ", "))
	default:
		v.value(n, f)
	}
}

// unsuited is how grave it is that an operator stands with a field of another type.
// The specification leaves open whether in takes booleans, and what an array's order is.
func (v *validator) unsuited(operator string, f catalog.Field) Severity {
	told := v.recorded(f)
	if operator == In && f.Type == "boolean" || told != nil && slices.Contains(Operators(*told), operator) ||
		f.Type == "array" && slices.Contains([]string{Gt, Gte, Lt, Lte}, operator) {
		return Notice
	}
	return Wrong
}

// recorded is the field of the record that a searchable field is, where their types
// differ: nobody knows which of them holds. nil where they do not.
func (v *validator) recorded(f catalog.Field) *catalog.Field {
	told := catalog.FieldAt(v.entity.Record, f.Name)
	if told == nil || told.Type == f.Type {
		return nil
	}
	return told
}

// field finds a searchable field and reports names that do not exist.
func (v *validator) field(where, name string) (catalog.Field, bool) {
	if v.unchecked {
		return catalog.Field{}, false
	}
	f, exact, ok := FindField(v.entity, name)
	if !ok {
		suggestion := ""
		if near := strictyaml.Nearest(name, catalog.FieldNames(v.entity.Search), 3); len(near) > 0 {
			suggestion = "; did you mean " + strings.Join(near, ", ") + "?"
		}
		v.add(Wrong, where, name, "%s has no searchable field %q%s", v.entity.Name, name, suggestion)
	}
	return f, exact
}

func (v *validator) value(n *Node, f catalog.Field) {
	raw := bytes.TrimSpace(n.Value)
	switch {
	case len(raw) == 0:
		v.wrong(n, "%s needs a value", n.Field)
	case n.Operator == In && raw[0] != '[':
		v.wrong(n, "in wants a list of values")
	case n.Operator == In:
		count := 0
		for e := range elements(raw) {
			count++
			if what := mismatch(f, e); what != "" && !isNull(e) {
				v.add(v.unfit(f, e), "filter", n.Field, "%s (value %d of in) %s", n.Field, count, what)
				break
			}
		}
		if count == 0 {
			v.wrong(n, "in has no values: add one, or leave the condition out")
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
			v.add(v.unfit(f, raw), "filter", n.Field, "%s %s", n.Field, what)
		}
	}
}

// unfit is how grave it is that a value has another type than its field. Ids are
// numbers in one place and texts in another.
func (v *validator) unfit(f catalog.Field, raw []byte) Severity {
	if told := v.recorded(f); told != nil && mismatch(*told, raw) == "" {
		return Notice
	}
	id := f.Name == "id" || strings.HasSuffix(f.Name, "_id") || strings.HasSuffix(f.Name, "Id")
	if id && (raw[0] == '"' || raw[0] >= '0' && raw[0] <= '9') {
		return Notice
	}
	return Wrong
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
		return "wants " + catalog.TypeInWords(f.Type) + ", not " + typeName(raw)
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

// fields checks a list of fields that is not one of texts alone: the service's SDK
// writes a dot path as a list of its parts.
func (v *validator) fields(raw json.RawMessage) {
	if isNull(raw) {
		v.add(Wrong, "fields", "", "fields is null: leave it out for every field")
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		v.add(Wrong, "fields", "", "fields is %s: give a list of dot paths, such as [\"id\"]", typeName(raw))
		return
	}
	for i, part := range list {
		var parts []string
		if v.index = i; json.Unmarshal(part, &parts) != nil {
			var name string
			if json.Unmarshal(part, &name) != nil {
				v.add(Wrong, "fields", "", "fields[%d] is %s: give a dot path, such as \"id\"", i, typeName(part))
				continue
			}
			parts = []string{name}
		}
		v.returned(strings.Join(parts, "."))
	}
	v.index = 0
}

// returned checks a field that the answer should hold.
func (v *validator) returned(name string) {
	if v.unchecked || catalog.FieldAt(v.entity.Record, name) != nil {
		return
	}
	v.field("fields", name)
}

func (v *validator) rest(q Query) {
	for i, name := range q.Fields {
		v.index = i
		v.returned(name)
	}
	v.index = 0
	if q.Limit < 0 {
		v.add(Wrong, "limit", "", "the limit is %d: use 1 or more, or leave it out for %d", q.Limit, DefaultLimit)
	}
	for _, m := range q.Extra {
		switch m.Name {
		case "limit":
			v.add(Wrong, "limit", "", "the limit is %s: use a whole number of 1 or more", short(string(m.Value)))
		case "cursor":
			if isNull(m.Value) {
				v.add(Wrong, "cursor", "", "the cursor is null: leave it out for the first page")
			} else if string(m.Value) != `""` {
				v.add(Wrong, "cursor", "", "the cursor is %s: use the text of meta.cursor", typeName(m.Value))
			}
		case "fields":
			v.fields(m.Value)
		case "semantic":
			v.add(Notice, "query", "", "semantic replaces query and sort")
			prompt, _ := rawjson.Parse(m.Value).Get("prompt")
			if prompt.Kind() != rawjson.String || strings.TrimSpace(prompt.Text()) == "" {
				v.add(Wrong, "semantic", "", "semantic.prompt is required: what to look for, in plain words")
			}
		default:
			v.add(Notice, "query", m.Name, "%q is not a documented param: it is sent as it is", m.Name)
		}
	}
	for _, m := range q.QueryExtra {
		v.add(Notice, "query", m.Name, "%q is not a documented member of query: it is sent as it is", m.Name)
	}
}

// typeName names the JSON type of a raw value for people.
func typeName(raw []byte) string {
	n := rawjson.Parse(raw)
	if n.Kind() == rawjson.Invalid {
		return "nothing"
	}
	return catalog.TypeInWords(n.Kind().String())
}

// Operators returns the documented operators that suit a field, the likeliest
// first. A field of unknown type takes all of them.
func Operators(f catalog.Field) []string {
	switch {
	case f.Type == "" || hasType(f, "any"):
		return slices.Clone(documented[:])
	case f.Type == "boolean":
		return []string{Eq, Neq}
	case f.Type == "integer" || f.Type == "number" || f.Type == "integer|number":
		return []string{Eq, Neq, Gt, Gte, Lt, Lte, In}
	case f.Type == "object":
		return []string{Eq, Neq, Like, Fuzzy, Keyword}
	case f.Type == "array":
		return []string{Eq, Neq, In, Like, Fuzzy, Keyword}
	case strings.HasPrefix(f.Format, "date"):
		return []string{Gte, Lt, Gt, Lte, Eq, Neq, In, Like}
	case len(f.Enum) > 0:
		return []string{Eq, In, Neq, Like, Fuzzy, Keyword, Gt, Gte, Lt, Lte}
	}
	return []string{Eq, Like, In, Neq, Fuzzy, Keyword, Gt, Gte, Lt, Lte}
}

func hasType(f catalog.Field, name string) bool {
	return slices.Contains(strings.Split(f.Type, "|"), name)
}

// FindField returns the searchable field that a typed name refers to: the
// field itself, or the object or array that a dot path starts in (exact is then
// false and the members' types unknown unless the catalog lists them).
func FindField(e *catalog.Entity, name string) (f catalog.Field, exact, ok bool) {
	for _, f := range e.Search {
		if f.Name == name {
			return f, true, true
		}
	}
	for _, f := range e.Search {
		rest, inside := strings.CutPrefix(name, f.Name)
		rest = strings.TrimPrefix(rest, "[]")
		if inside && strings.HasPrefix(rest, ".") && len(rest) > 1 {
			if f, exact, ok := findMember(f, rest[1:]); ok {
				return f, exact, true
			}
		}
	}
	return catalog.Field{}, false, false
}

func findMember(f catalog.Field, rest string) (catalog.Field, bool, bool) {
	if f.Items != nil {
		f = *f.Items
	}
	if !hasType(f, "object") && !hasType(f, "array") && !hasType(f, "any") {
		return f, false, false
	}
	for _, m := range f.Members {
		if m.Name == rest {
			return m, true, true
		}
		after := strings.TrimPrefix(strings.TrimPrefix(rest, m.Name), "[]")
		if strings.HasPrefix(rest, m.Name) && strings.HasPrefix(after, ".") {
			return findMember(m, after[1:])
		}
	}
	return catalog.Field{Name: rest, Type: "any"}, false, true
}
