package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// jqlPaths are the fields of an issue by their names in JQL.
var jqlPaths = map[string][]string{
	"project": {"fields.project.key", "fields.project.name", "fields.project.id"}, "key": {"key", "id"}, "issuekey": {"key", "id"}, "issue": {"key", "id"}, "id": {"id", "key"},
	"status": {"fields.status.name", "fields.status.id"}, "statuscategory": {"fields.status.statusCategory.name", "fields.status.statusCategory.key"},
	"assignee": {"fields.assignee.accountId", "fields.assignee.displayName", "fields.assignee.emailAddress"},
	"reporter": {"fields.reporter.accountId", "fields.reporter.displayName", "fields.reporter.emailAddress"},
	"creator":  {"fields.reporter.accountId", "fields.reporter.displayName", "fields.reporter.emailAddress"},
	"priority": {"fields.priority.name", "fields.priority.id"}, "issuetype": {"fields.issuetype.name", "fields.issuetype.id"}, "type": {"fields.issuetype.name", "fields.issuetype.id"},
	"labels": {"fields.labels"}, "summary": {"fields.summary"}, "description": {"fields.description"}, "text": {"fields.summary", "fields.description"},
	"created": {"fields.created"}, "createddate": {"fields.created"}, "updated": {"fields.updated"}, "updateddate": {"fields.updated"},
	"duedate": {"fields.duedate"}, "due": {"fields.duedate"}, "resolution": {"fields.resolution.name"}, "parent": {"fields.parent.key", "fields.parent.id"},
	"sprint": {"fields.sprint.name"},
}

// jqlHandler runs the JQL of issues api_search; an unbounded query is refused.
func jqlHandler(q *query, v any) error {
	text := asText(v)
	if bounded, reason := catalog.BoundedJQL(text); !bounded {
		return &refusal{status: http.StatusBadRequest, field: "params.jql", code: "unbounded_jql", message: "Unbounded JQL queries are not allowed here: " + reason}
	}
	tokens, err := lex(text, "=!<>~")
	if err != nil {
		return err
	}
	j := &jql{d: q.d}
	p := &boolean{tokens: tokens, clause: j.clause}
	if !p.peek().is("order") {
		condition, err := p.expression()
		if err != nil {
			return err
		}
		q.where(condition)
	}
	return j.orders(p, q)
}

type jql struct{ d *dataset }

func jqlField(t token) ([]string, error) {
	paths, known := jqlPaths[strings.ToLower(t.text)]
	if !known {
		return nil, badQuery("The field %q does not exist in JQL, or the sandbox does not know it.", t.text)
	}
	return paths, nil
}

func (j *jql) clause(p *boolean) (test, error) {
	paths, err := jqlField(p.peek())
	if err != nil {
		return nil, err
	}
	field := strings.ToLower(p.take().text)
	var found [4]any
	values := func(r *record) []any {
		out := found[:0]
		for _, path := range paths {
			if v, ok := at(r.obj, path); ok && v != nil {
				out = append(out, v)
			}
		}
		return out
	}
	negated := p.accept("not")
	switch op := p.take(); {
	case op.is("in"):
		list, err := p.list(func() (any, error) { return j.value(p) })
		return negate(negated, func(r *record) bool { return anyEqual(values(r), list) }), err
	case op.is("is"):
		negated = p.accept("not")
		if !p.accept("empty", "null") {
			return nil, badQuery("After IS the query needs EMPTY or NULL.")
		}
		return negate(negated, func(r *record) bool { return isEmpty(values(r)) }), nil
	case op.kind == 'o' && !negated:
		v, err := j.value(p)
		if err != nil {
			return nil, err
		}
		return j.comparison(field, op.text, v, values)
	}
	return nil, badQuery("The field %s needs an operator such as =, !=, ~, IN or IS after it.", field)
}

func negate(on bool, t test) test {
	if !on {
		return t
	}
	return func(r *record) bool { return !t(r) }
}

func isEmpty(values []any) bool {
	for _, v := range values {
		if list, isList := v.([]any); !isList || len(list) > 0 {
			return false
		}
	}
	return true
}

func anyEqual(have, wanted []any) bool {
	for _, h := range have {
		for _, w := range wanted {
			if list, isList := h.([]any); isList && anyEqual(list, []any{w}) {
				return true
			}
			if t, isText := h.(string); isText && strings.EqualFold(t, asText(w)) {
				return true
			}
		}
	}
	return false
}

func (j *jql) comparison(field, op string, v any, values func(*record) []any) (test, error) {
	switch op {
	case "=", "!=":
		if t, isTime := v.(time.Time); isTime {
			return negate(op == "!=", func(r *record) bool { return firstOrder(values(r), t) == 0 && len(values(r)) > 0 }), nil
		}
		if empty := asText(v); strings.EqualFold(empty, "empty") || strings.EqualFold(empty, "null") {
			return negate(op == "!=", func(r *record) bool { return isEmpty(values(r)) }), nil
		}
		return negate(op == "!=", func(r *record) bool { return anyEqual(values(r), []any{v}) }), nil
	case "~", "!~":
		words := strings.Fields(strings.ToLower(strings.Trim(asText(v), `"*`)))
		return negate(op == "!~", func(r *record) bool { return holdsWords(values(r), words) }), nil
	case "<", "<=", ">", ">=":
		name := map[string]string{"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}[op]
		if t, isTime := v.(time.Time); isTime {
			return func(r *record) bool { have := values(r); return len(have) > 0 && holdsOrder(firstOrder(have, t), name) }, nil
		}
		return func(r *record) bool { return holdsOrder(rank(field, values(r))-rank(field, []any{v}), name) }, nil
	}
	return nil, badQuery("The operator %s is not one of JQL.", op)
}

// firstOrder compares the first value, as a point in time.
func firstOrder(have []any, t time.Time) int {
	if len(have) == 0 {
		return -1
	}
	m, _ := moment(have[0])
	return m.Compare(t)
}

func holdsWords(have []any, words []string) bool {
	text := strings.ToLower(string(appendJSON(nil, have)))
	for _, w := range words {
		if !strings.Contains(text, strings.Trim(w, `"*`)) {
			return false
		}
	}
	return len(have) > 0
}

// rank orders priorities and other named values; the number of a key otherwise.
func rank(field string, have []any) int {
	if len(have) == 0 {
		return -1
	}
	text := asText(have[0])
	if field == "priority" {
		return slices.Index([]string{"Lowest", "Low", "Medium", "High", "Highest"}, text)
	}
	if _, number, found := cutLast(text, '-'); found {
		n, _ := strconv.Atoi(number)
		return n
	}
	n, _ := strconv.Atoi(text)
	return n
}

// value reads a text, a number, a date (2024-01-31, -7d) or a function.
func (j *jql) value(p *boolean) (any, error) {
	t := p.take()
	if t.kind == 0 || t.kind == 'o' || t.kind == 'p' {
		return nil, noValue(t)
	}
	if t.kind == 'w' && p.peek().is("(") {
		return j.function(p, t.text)
	}
	if when, isTime := relative(j.d.now(), t.text); isTime {
		return when, nil
	}
	if len(t.text) >= 10 && strings.Count(t.text, "-")+strings.Count(t.text, "/") == 2 {
		if when, isTime := moment(t.text); isTime {
			return when, nil
		}
	}
	return t.text, nil
}

// function evaluates currentUser(), now() and the starts and ends of periods.
func (j *jql) function(p *boolean, name string) (any, error) {
	p.take()
	shift := ""
	if !p.peek().is(")") {
		shift = p.take().text
	}
	if !p.accept(")") {
		return nil, badQuery("The function %s misses its closing parenthesis.", name)
	}
	now := j.d.now().UTC()
	day := now.Truncate(24 * time.Hour)
	var base time.Time
	switch strings.ToLower(name) {
	case "currentuser":
		return asText(j.d.peek(j.d.entity("users"), 0, "accountId")), nil
	case "now":
		base = now
	case "startofday":
		base = day
	case "endofday":
		base = day.Add(24*time.Hour - time.Second)
	case "startofweek":
		base = day.AddDate(0, 0, -int(day.Weekday()))
	case "endofweek":
		base = day.AddDate(0, 0, 7-int(day.Weekday())).Add(-time.Second)
	case "startofmonth":
		base = day.AddDate(0, 0, 1-day.Day())
	case "endofmonth":
		base = day.AddDate(0, 1, 1-day.Day()).Add(-time.Second)
	case "startofyear":
		base = time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		return nil, badQuery("The function %s() does not exist in JQL, or the sandbox does not know it.", name)
	}
	if shift == "" {
		return base, nil
	}
	moved, isShift := relative(base, shift)
	if !isShift {
		return nil, badQuery("The function %s does not take %q; write a shift such as -1d.", name, shift)
	}
	return moved, nil
}

// relative reads -7d, 2w, -30m, +1h as a distance from a moment.
func relative(from time.Time, text string) (time.Time, bool) {
	if len(text) < 2 {
		return from, false
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil {
		return from, false
	}
	switch text[len(text)-1] {
	case 'm':
		return from.Add(time.Duration(n) * time.Minute), true
	case 'h':
		return from.Add(time.Duration(n) * time.Hour), true
	case 'd':
		return from.AddDate(0, 0, n), true
	case 'w':
		return from.AddDate(0, 0, 7*n), true
	case 'M':
		return from.AddDate(0, n, 0), true
	case 'y':
		return from.AddDate(n, 0, 0), true
	}
	return from, false
}

// orders reads ORDER BY with several keys.
func (j *jql) orders(p *boolean, q *query) error {
	if p.peek().kind == 0 {
		return nil
	}
	if !p.accept("order") || !p.accept("by") {
		return badQuery("The query is not understood from character %d on.", p.peek().offset+1)
	}
	for {
		paths, err := jqlField(p.peek())
		if err != nil {
			return err
		}
		field := strings.ToLower(p.take().text)
		desc := p.accept("desc")
		if !desc {
			p.accept("asc")
		}
		path := paths[0]
		q.orders = append(q.orders, order{func(r *record) any {
			v, _ := at(r.obj, path)
			if field == "priority" {
				return int64(rank(field, []any{v}))
			}
			if paths[0] == "key" {
				prefix, number, _ := cutLast(asText(v), '-')
				n, _ := strconv.Atoi(number)
				return prefix + "-" + strings.Repeat("0", max(0, 9-len(strconv.Itoa(n)))) + strconv.Itoa(n)
			}
			return v
		}, desc})
		if !p.accept(",") {
			break
		}
	}
	if p.peek().kind != 0 {
		return badQuery("The query is not understood from character %d on.", p.peek().offset+1)
	}
	return nil
}
