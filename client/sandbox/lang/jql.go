package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/catalog/clause"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// jql reads queries of the issue tracker's language.
type jql struct {
	*reader
	names *catalog.SandboxQuery
	now   time.Time
	self  string
}

// JQL reads a query; now is the moment that relative dates start from, self what
// currentUser() gives.
func JQL(query string, names *catalog.SandboxQuery, now time.Time, self string) (q *Query, err error) {
	defer refused(&err)
	j, q := &jql{read(query, catalog.JQLOperators), names, now.UTC(), self}, &Query{}
	if len(j.tokens) > 0 && !catalog.JQLTail(j.tokens) {
		q.Tests = j.conditions(catalog.JQLTail, j.condition)
	}
	if j.accept("order") && j.accept("by") {
		q.Orders = j.orders(j.sortKey)
	}
	j.end()
	return q, nil
}

// field reads the name of a field; paths are empty for one that issues have and the
// generated ones do not.
func (j *jql) field() (name string, paths []string) {
	t := j.take()
	name = strings.ToLower(t.Text)
	if name == "cf" && j.accept("[") {
		j.take()
		if !j.accept("]") {
			panic(bad("The custom field misses its closing bracket."))
		}
		return name, nil
	}
	if paths = j.names.Fields[name]; paths == nil && !slices.Contains(j.names.Bare, name) {
		panic(bad("The field %q does not exist in JQL, or the sandbox does not know it.", t.Text))
	}
	return name, paths
}

// values gives the values of a record at the paths.
type values func(*data.Record) []any

func (j *jql) condition() Test {
	field, paths := j.field()
	found := make([]any, 0, len(paths)) // the same memory for each record: a test does not keep them
	at := make([]*data.Path, len(paths))
	for i, path := range paths {
		at[i] = data.NewPath(path)
	}
	have := func(r *data.Record) []any {
		out := found[:0]
		for _, path := range at {
			if v, ok := path.In(r.Obj); ok && v != nil {
				out = append(out, v)
			}
		}
		return out
	}
	negated := j.accept("not")
	switch op := j.take(); {
	case len(paths) == 0:
		j.skip()
		return func(*data.Record) bool { return true }
	case op.Is("was"): // generated issues have no history: what they are they always were
		negated = j.accept("not") || negated
		if !j.accept("in") {
			return negate(negated, j.comparison(field, "=", j.value(), have))
		}
		list := j.list(j.value)
		return negate(negated, func(r *data.Record) bool { return anyEqual(have(r), list) })
	case op.Is("changed"):
		j.skip()
		return func(r *data.Record) bool { return !isEmpty(have(r)) }
	case op.Is("in"):
		list := j.list(j.value)
		return negate(negated, func(r *data.Record) bool { return anyEqual(have(r), list) })
	case op.Is("is"):
		negated = j.accept("not")
		if !j.accept("empty", "null") {
			panic(bad("After IS the query needs EMPTY or NULL."))
		}
		return negate(negated, func(r *data.Record) bool { return isEmpty(have(r)) })
	case op.Kind == clause.Operator && !negated:
		return j.comparison(field, op.Text, j.value(), have)
	}
	panic(bad("The field %s needs an operator such as =, !=, ~, IN or IS after it.", field))
}

func isEmpty(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool {
		list, isList := v.([]any)
		return !isList || len(list) > 0
	})
}

func anyEqual(have, wanted []any) bool {
	return slices.ContainsFunc(have, func(h any) bool {
		if list, isList := h.([]any); isList {
			return anyEqual(list, wanted)
		}
		t, isText := h.(string)
		return isText && slices.ContainsFunc(wanted, func(w any) bool {
			return w == anything{} || strings.EqualFold(t, rawjson.TextOf(w))
		})
	})
}

func (j *jql) comparison(field, op string, v any, have values) Test {
	when, isTime := v.(time.Time)
	compare := func(found []any) int { // as a point in time
		m, _ := data.Moment(found[0])
		return m.Compare(when)
	}
	switch word := strings.ToLower(rawjson.TextOf(v)); {
	case op == "~", op == "!~":
		words := strings.Fields(strings.Trim(word, `"*`))
		return negate(op == "!~", func(r *data.Record) bool {
			found := have(r)
			return len(found) > 0 && containsAll(strings.ToLower(string(rawjson.Encode(found))), words)
		})
	case op == "=" || op == "!=":
		return negate(op == "!=", func(r *data.Record) bool {
			found := have(r)
			switch {
			case isTime:
				return len(found) > 0 && compare(found) == 0
			case word == "empty", word == "null":
				return isEmpty(found)
			}
			return anyEqual(found, []any{v})
		})
	case !slices.Contains([]string{"<", "<=", ">", ">="}, op):
		panic(bad("The operator %s is not one of JQL.", op))
	case isTime:
		return func(r *data.Record) bool {
			found := have(r)
			return len(found) > 0 && data.Holds(compare(found), op)
		}
	}
	wanted := j.rank(field, []any{v})
	return func(r *data.Record) bool { return data.Holds(j.rank(field, have(r))-wanted, op) }
}

// rank orders values that the language ranks by name; the number of a key otherwise.
func (j *jql) rank(field string, have []any) int {
	if len(have) == 0 {
		return -1
	}
	text := rawjson.TextOf(have[0])
	if ranks := j.names.Ranks[field]; ranks != nil {
		return slices.Index(ranks, text)
	}
	if _, number, found := data.CutLast(text, '-'); found {
		text = number
	}
	n, _ := strconv.Atoi(text)
	return n
}

// value reads a text, a number, a date (2024-01-31, -7d) or a function.
func (j *jql) value() any {
	t := j.operand()
	if t.Kind == clause.Word && j.accept("(") {
		return j.function(t.Text)
	}
	if when, isTime := relative(j.now, t.Text); isTime {
		return when
	}
	if len(t.Text) >= 10 && strings.Count(t.Text, "-")+strings.Count(t.Text, "/") == 2 {
		if when, isTime := data.Moment(t.Text); isTime {
			return when
		}
	}
	return t.Text
}

// skip leaves out what is left of a condition.
func (j *jql) skip() {
	for len(j.tokens) > 0 && !catalog.JQLTail(j.tokens) && !j.peek().Is("and", "or") {
		j.take()
	}
}

// anything is the value of functions that speak of what generated issues lack, such
// as openSprints(): every value is one of them.
type anything struct{}

// function evaluates currentUser(), now() and the starts and ends of periods.
func (j *jql) function(name string) any {
	shift := ""
	for len(j.tokens) > 0 && !j.peek().Is(")") {
		shift = j.take().Text
	}
	if !j.accept(")") {
		panic(bad("The function %s misses its closing parenthesis.", name))
	}
	if strings.EqualFold(name, "currentUser") {
		return j.self
	}
	if slices.Contains(listFunctions, strings.ToLower(name)) {
		return anything{}
	}
	start, known := functions[strings.ToLower(name)]
	if !known {
		panic(bad("The function %s() does not exist in JQL, or the sandbox does not know it.", name))
	}
	when, isShift := relative(start(j.now), shift)
	if shift != "" && !isShift {
		panic(bad("The function %s does not take %q; write a shift such as -1d.", name, shift))
	}
	return when
}

func (j *jql) sortKey() func(*data.Record) any {
	field, paths := j.field()
	if len(paths) == 0 {
		return func(*data.Record) any { return nil }
	}
	at := data.NewPath(paths[0])
	return func(r *data.Record) any {
		v, _ := at.In(r.Obj)
		switch {
		case j.names.Ranks[field] != nil:
			return int64(j.rank(field, []any{v}))
		case paths[0] == "key":
			prefix, number, _ := data.CutLast(rawjson.TextOf(v), '-')
			n, _ := strconv.Atoi(number)
			return fmt.Sprintf("%s-%09d", prefix, n)
		}
		return v
	}
}

// listFunctions are those of JQL that give several values.
var listFunctions = []string{"opensprints", "closedsprints", "futuresprints", "membersof", "linkedissues",
	"issuehistory", "updatedby", "votedissues", "watchedissues", "standardissuetypes", "subtaskissuetypes",
	"releasedversions", "unreleasedversions", "latestreleasedversion", "earliestunreleasedversion",
	"componentsleadbyuser", "projectsleadbyuser", "projectswhereuserhaspermission", "projectswhereuserhasrole",
	"issueswithremotelinksbyglobalid", "parentepic"}
