package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// languageHandler finds the query language of a search param.
func (d *dataset) languageHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	switch {
	case d.kind.Name == "issue_tracker" && e.Name == "issues" && f.Name == "jql":
		return jqlHandler
	case d.kind.Name == "payments" && a.Name == catalog.ActionAPISearch && f.Name == "query":
		return paymentsQuery
	case d.kind.Name == "code_hosting" && a.Name == catalog.ActionAPISearch && f.Name == "query":
		return qualifierQuery(hostingQualifier)
	case d.kind.Name == "error_tracking" && f.Name == "query":
		return qualifierQuery(errorQualifier)
	}
	return nil
}

// paymentsQuery runs the search language of payments: field:"value" and
// metadata["key"]:"value" exactly, field~"part", field>number, a leading minus
// negates; AND or OR, not both.
func paymentsQuery(q *query, v any) error {
	tokens, err := lex(asText(v), ":~<>=")
	if err != nil {
		return err
	}
	var and, or bool
	for _, t := range tokens {
		and, or = and || t.is("and"), or || t.is("or")
	}
	if and && or {
		return badQuery("A query combines its conditions with AND or with OR, not with both.")
	}
	p := &boolean{clause: paymentsClause(q.t)}
	p.tokens = joinedByAnd(tokens)
	condition, err := p.expression()
	if err != nil {
		return err
	}
	if p.peek().kind != 0 {
		return badQuery("The query is not understood from character %d on.", p.peek().offset+1)
	}
	q.where(condition)
	return nil
}

// joinedByAnd puts AND between conditions that stand beside each other.
func joinedByAnd(tokens []token) []token {
	var out []token
	for i, t := range tokens {
		if i > 0 && t.kind == 'w' && !t.is("and", "or") && (tokens[i-1].kind == 's' || tokens[i-1].kind == 'w') && !tokens[i-1].is("and", "or") {
			out = append(out, token{"AND", 'w', t.offset})
		}
		out = append(out, t)
	}
	return out
}

func paymentsClause(t *table) func(*boolean) (test, error) {
	return func(p *boolean) (test, error) {
		field := p.take()
		name, negated := strings.CutPrefix(field.text, "-")
		if name == "metadata" && p.accept("[") {
			name = "metadata." + p.take().text
			if !p.accept("]") {
				return nil, badQuery("metadata needs a key in brackets: metadata[\"key\"]:\"value\".")
			}
		} else if field.kind != 'w' || len(t.rows) > 0 && !t.rows[0].obj.has(strings.Split(name, ".")[0]) {
			return nil, badQuery("The field %q cannot be searched.", name)
		}
		op := p.take()
		if op.kind != 'o' {
			return nil, badQuery("After %s the query needs :, ~, < or >.", name)
		}
		value := p.take()
		if value.kind != 's' && value.kind != 'w' {
			return nil, badQuery("After %s%s the query needs a value.", name, op.text)
		}
		holds, err := paymentsComparison(op.text, value)
		if err != nil {
			return nil, err
		}
		return negate(negated, func(r *record) bool { v, _ := at(r.obj, name); return holds(v) }), nil
	}
}

func paymentsComparison(op string, value token) (func(any) bool, error) {
	want := value.text
	switch op {
	case ":":
		if value.kind == 'w' && strings.EqualFold(want, "null") {
			return func(v any) bool { return v == nil }, nil
		}
		return func(v any) bool { return v != nil && strings.EqualFold(asText(v), want) }, nil
	case "~":
		if len(want) < 3 {
			return nil, badQuery("A part to look for has at least three characters.")
		}
		return func(v any) bool { return strings.Contains(strings.ToLower(asText(v)), strings.ToLower(want)) }, nil
	case "<", "<=", ">", ">=":
		n, err := strconv.ParseFloat(want, 64)
		if err != nil {
			return nil, badQuery("The operator %s needs a number, not %q.", op, want)
		}
		name := map[string]string{"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}[op]
		return func(v any) bool { have, isNumber := asNumber(v); return isNumber && holdsOrder(compare(have, n), name) }, nil
	}
	return nil, badQuery("The operator %s is not known; use :, ~, < or >.", op)
}

// qualifier tests one key:value of a search, ok false when the key is unknown.
type qualifier func(q *query, key, value string) (t test, known bool)

// qualifierQuery runs searches of words and key:value pairs; a leading minus or
// an exclamation mark negates, words must all be present.
func qualifierQuery(find qualifier) handler {
	return func(q *query, v any) error {
		words, in := []string{}, []string{}
		for _, term := range terms(asText(v)) {
			text, negated := strings.CutPrefix(term, "-")
			if !negated {
				text, negated = strings.CutPrefix(term, "!")
			}
			key, value, isPair := strings.Cut(text, ":")
			value = strings.Trim(value, `"`)
			if !isPair || strings.Contains(key, "\"") || key == "http" || key == "https" {
				words = append(words, strings.ToLower(strings.Trim(text, `"`)))
				continue
			}
			switch strings.ToLower(key) {
			case "in":
				in = append(in, strings.Split(value, ",")...)
				continue
			case "sort":
				sortBy(q, value)
				continue
			}
			t, known := find(q, strings.ToLower(key), value)
			if !known {
				return &refusal{status: http.StatusBadRequest, field: "params.query", code: "invalid_query", message: "The search does not know the qualifier " + key + ":."}
			}
			q.where(negate(negated, t))
		}
		if len(words) > 0 {
			q.where(wordsIn(words, in))
		}
		return nil
	}
}

// terms cuts a search at spaces outside quotes.
func terms(text string) []string {
	var out []string
	inQuotes, start := false, -1
	for i := 0; i <= len(text); i++ {
		if i == len(text) || text[i] == ' ' && !inQuotes {
			if start >= 0 {
				out = append(out, text[start:i])
			}
			start = -1
			continue
		}
		if text[i] == '"' {
			inQuotes = !inQuotes
		}
		if start < 0 {
			start = i
		}
	}
	return out
}

func wordsIn(words, in []string) test {
	return func(r *record) bool {
		if len(in) == 0 {
			return containsWords(r, words)
		}
		text := ""
		for _, field := range in {
			text += strings.ToLower(asText(r.obj.value(field))) + "\n"
		}
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
}

func sortBy(q *query, value string) {
	name, dir, _ := cutLast(value, '-')
	if dir == "" {
		name, dir = value, "desc"
	}
	path := map[string]string{"created": "createdAt", "updated": "updatedAt", "stars": "stargazerCount", "forks": "forkCount", "comments": "comments.totalCount"}[name]
	if path != "" {
		q.orders = append(q.orders, order{func(r *record) any { v, _ := at(r.obj, path); return v }, dir != "asc"})
	}
}

// hostingPaths are the plain qualifiers of code hosting searches.
var hostingPaths = map[string][]string{
	"author": {"author.login"}, "assignee": {"assignees.nodes.login"}, "label": {"labels.nodes.name"}, "milestone": {"milestone.title"}, "user": {"owner.login"}, "org": {"owner.login"},
	"language": {"primaryLanguage.name"}, "topic": {"repositoryTopics.nodes.topic.name"}, "license": {"licenseInfo.spdxId", "licenseInfo.name"}, "head": {"headRefName"}, "base": {"baseRefName"},
	"stars": {"stargazerCount"}, "forks": {"forkCount"}, "created": {"createdAt"}, "updated": {"updatedAt"}, "closed": {"closedAt"}, "merged": {"mergedAt"}, "pushed": {"pushedAt"},
	"comments": {"comments.totalCount"}, "location": {"location"}, "followers": {"followers.totalCount"}, "repos": {"repositories.totalCount"}, "category": {"category.name"}, "number": {"number"},
}

func hostingQualifier(q *query, key, value string) (test, bool) {
	if paths, plain := hostingPaths[key]; plain {
		if key == "user" || key == "org" {
			return func(r *record) bool {
				v, _ := at(r.obj, "owner.login")
				return equalFold(v, value) || equalFold(r.hidden.value("owner"), value)
			}, true
		}
		return func(r *record) bool {
			for _, p := range paths {
				if v, ok := at(r.obj, p); ok && comparesTo(v, value) {
					return true
				}
			}
			return false
		}, true
	}
	switch key {
	case "is", "state", "type", "archived", "draft", "fork", "no":
		return hostingState(key, strings.ToLower(value)), true
	case "repo":
		return func(r *record) bool {
			return strings.EqualFold(r.hidden.text("owner")+"/"+r.hidden.text("repo"), value) || equalFold(r.obj.value("nameWithOwner"), value)
		}, true
	}
	return nil, false
}

func equalFold(v any, text string) bool { return strings.EqualFold(asText(v), text) && text != "" }

// hostingState tests is:open, is:private, archived:true, no:assignee and the like.
func hostingState(key, value string) test {
	flags := map[string]string{"private": "isPrivate", "archived": "isArchived", "fork": "isFork", "draft": "isDraft", "locked": "locked", "answered": "isAnswered", "template": "isTemplate"}
	if name := flags[key]; name != "" {
		return func(r *record) bool { return (r.obj.value(name) == true) == (value != "false") }
	}
	if key == "no" {
		return func(r *record) bool {
			v, _ := at(r.obj, map[string]string{"assignee": "assignees.nodes", "label": "labels.nodes"}[value])
			list, _ := v.([]any)
			return len(list) == 0
		}
	}
	if name := flags[value]; name != "" {
		return func(r *record) bool { return r.obj.value(name) == true }
	}
	switch value {
	case "public":
		return func(r *record) bool { return r.obj.value("isPrivate") != true }
	case "unanswered":
		return func(r *record) bool { return r.obj.value("isAnswered") != true }
	case "merged":
		return func(r *record) bool { return r.obj.value("merged") == true || r.obj.text("state") == "MERGED" }
	case "issue", "pr", "user", "org", "pull-request":
		return func(r *record) bool { return (value == "pr" || value == "pull-request") == r.obj.has("headRefName") }
	case "closed":
		return func(r *record) bool {
			return r.obj.text("state") == "CLOSED" || r.obj.value("closed") == true || r.obj.text("state") == "MERGED"
		}
	}
	return func(r *record) bool {
		return strings.EqualFold(r.obj.text("state"), value) || value == "open" && r.obj.value("closed") == false
	}
}

// comparesTo reads >n, >=n, <n, a..b and plain values.
func comparesTo(v any, want string) bool {
	if list, isList := v.([]any); isList {
		return slices.ContainsFunc(list, func(e any) bool { return comparesTo(e, want) })
	}
	if low, high, isRange := strings.Cut(want, ".."); isRange {
		return (low == "*" || low == "" || compareText(v, low) >= 0) && (high == "*" || high == "" || compareText(v, high) <= 0)
	}
	for _, op := range []bound{{">=", "gte"}, {"<=", "lte"}, {">", "gt"}, {"<", "lt"}} {
		if rest, found := strings.CutPrefix(want, op.mark); found {
			return v != nil && holdsOrder(compareText(v, rest), op.op)
		}
	}
	if t, isText := v.(string); isText {
		return strings.EqualFold(t, want) || len(want) == 10 && strings.HasPrefix(t, want)
	}
	return v != nil && asText(v) == want
}

func compareText(v any, want string) int {
	if n, isNumber := asNumber(v); isNumber {
		if w, err := strconv.ParseFloat(want, 64); err == nil {
			return compare(n, w)
		}
	}
	return compareMoments(v, want)
}

// errorQualifier tests the structured search of the error tracker.
func errorQualifier(q *query, key, value string) (test, bool) {
	switch key {
	case "is":
		switch value {
		case "unresolved", "resolved", "ignored", "archived":
			return func(r *record) bool { return strings.EqualFold(r.obj.text("status"), value) }, true
		case "assigned", "unassigned":
			return func(r *record) bool { return (r.obj.value("assignedTo") != nil) == (value == "assigned") }, true
		case "bookmarked":
			return func(r *record) bool { return r.obj.value("isBookmarked") == true }, true
		}
		return func(r *record) bool { return strings.EqualFold(r.obj.text("substatus"), value) }, true
	}
	for _, f := range q.d.fields(q.d.base(q.e.Name)) {
		if normal(f.Name) == normal(key) {
			name := f.Name
			return func(r *record) bool { return comparesTo(r.obj.value(name), value) }, true
		}
	}
	return func(r *record) bool { return containsWords(r, []string{strings.ToLower(value)}) }, true
}
