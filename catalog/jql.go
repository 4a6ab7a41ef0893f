package catalog

import (
	"fmt"
	"strings"
)

// BoundedJQL tells whether a JQL query restricts the search in every OR branch:
// by project, assignee, reporter, issue key or sprint; a date filter counts only
// together with a project (platform document, Errors). Strings and ORDER BY do
// not count; a field counts whatever its operator. The reason says what is missing, in words for a person.
func BoundedJQL(query string) (ok bool, reason string) {
	p := &jqlParser{query: query, tokens: jqlTokens(query)}
	if p.done() {
		return false, "the query restricts nothing: add " + jqlRestrictions
	}
	result := p.or(0, false)
	if p.bad != "" {
		return false, p.bad
	}
	if !p.done() {
		return false, fmt.Sprintf("the query closes a parenthesis at character %d that it never opens", runesBefore(query, p.tokens[p.at].start)+1)
	}
	return result.bounded, result.reason
}

const jqlRestrictions = "project, assignee, reporter, key or sprint"

// jqlToken is a word, a quoted string or punctuation of a query.
type jqlToken struct {
	text   string // lower case, quotes and escapes removed
	quoted bool
	start  int // byte offset in the query
	end    int
}

func (t *jqlToken) is(words ...string) bool {
	for _, w := range words {
		if !t.quoted && t.text == w {
			return true
		}
	}
	return false
}

func (t *jqlToken) endsClause() bool {
	return t.is(")", "and", "or", "&&", "||", "&", "|")
}

// jqlTokens splits a query; a string that never closes runs to the end.
func jqlTokens(query string) []jqlToken {
	var tokens []jqlToken
	for i := 0; i < len(query); {
		start := i
		switch c := query[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '"' || c == '\'':
			text, end := jqlString(query, i)
			tokens = append(tokens, jqlToken{text: strings.ToLower(text), quoted: true, start: start, end: end})
			i = end
			continue
		case strings.IndexByte("=!~<>&|", c) >= 0:
			for i < len(query) && strings.IndexByte("=!~<>&|", query[i]) >= 0 {
				i++
			}
		case c == '(' || c == ')' || c == ',':
			i++
		default:
			for i < len(query) && strings.IndexByte(" \t\r\n\"'=!~<>&|(),", query[i]) < 0 {
				i++
			}
		}
		tokens = append(tokens, jqlToken{text: strings.ToLower(query[start:i]), start: start, end: i})
	}
	return tokens
}

// jqlString reads a quoted string from its opening quote; the backslash escapes.
func jqlString(query string, open int) (text string, end int) {
	var b strings.Builder
	for i := open + 1; i < len(query); i++ {
		switch {
		case query[i] == '\\' && i+1 < len(query):
			i++
			b.WriteByte(query[i])
		case query[i] == query[open]:
			return b.String(), i + 1
		default:
			b.WriteByte(query[i])
		}
	}
	return b.String(), len(query)
}

// bound is what is known of a part of a query.
type bound struct {
	bounded bool
	dated   bool
	reason  string
}

// jqlParser reads just enough of the grammar to know the branches: OR, AND, NOT,
// parentheses, and clauses by the field they begin with.
type jqlParser struct {
	query  string
	tokens []jqlToken
	at     int
	bad    string
}

const maxJQLDepth = 200

func (p *jqlParser) done() bool {
	return p.at >= len(p.tokens) ||
		(p.tokens[p.at].is("order") && p.at+1 < len(p.tokens) && p.tokens[p.at+1].is("by"))
}

func (p *jqlParser) next(words ...string) bool {
	if !p.done() && p.tokens[p.at].is(words...) {
		p.at++
		return true
	}
	return false
}

// or reads branches; negated, they are conditions that all hold.
func (p *jqlParser) or(depth int, negated bool) bound {
	result := p.and(depth, negated)
	for p.next("or", "||", "|") {
		right := p.and(depth, negated)
		if negated {
			result = both(result, right)
		} else {
			result = either(result, right)
		}
	}
	return result
}

func (p *jqlParser) and(depth int, negated bool) bound {
	start := p.at
	result := p.not(depth, negated)
	for p.next("and", "&&", "&") {
		right := p.not(depth, negated)
		if negated {
			result = either(result, right)
		} else {
			result = both(result, right)
		}
	}
	if !result.bounded && p.bad == "" && p.at > start {
		result.reason = p.missing(start, result.dated)
	}
	return result
}

func (p *jqlParser) missing(start int, dated bool) string {
	part := strings.TrimSpace(p.query[p.tokens[start].start:p.tokens[p.at-1].end])
	if dated {
		return fmt.Sprintf("%q filters by date only: add a project beside the date", part)
	}
	return fmt.Sprintf("%q restricts nothing: add %s", part, jqlRestrictions)
}

func (p *jqlParser) not(depth int, negated bool) bound {
	for p.next("not", "!") {
		negated = !negated
	}
	if !p.next("(") {
		return p.clause()
	}
	if depth >= maxJQLDepth {
		p.bad = "the query nests too deeply to be read"
		p.at = len(p.tokens)
		return bound{}
	}
	result := p.or(depth+1, negated)
	if !p.next(")") && p.bad == "" {
		p.bad = "the query opens a parenthesis that it never closes"
	}
	return result
}

// clause reads one condition: a field, then everything up to the next AND, OR or
// closing parenthesis. A field without an operator restricts nothing.
func (p *jqlParser) clause() bound {
	if p.done() || p.tokens[p.at].endsClause() {
		if p.bad == "" {
			p.bad = "the query breaks off where a condition is expected"
		}
		return bound{}
	}
	field := p.tokens[p.at].text
	start, depth := p.at, 0
	for ; !p.done(); p.at++ {
		t := &p.tokens[p.at]
		if depth == 0 && t.endsClause() {
			break
		}
		if t.is("(") {
			depth++
		} else if t.is(")") {
			depth--
		}
	}
	if p.at-start < 2 {
		return bound{}
	}
	switch field {
	case "project", "assignee", "reporter", "key", "issue", "issuekey", "id", "sprint":
		return bound{bounded: true}
	case "created", "createddate", "updated", "updateddate", "resolved", "resolutiondate",
		"due", "duedate", "lastviewed", "worklogdate":
		return bound{dated: true}
	}
	return bound{}
}

// both joins conditions that must hold together: one restriction is enough.
func both(a, b bound) bound {
	if a.bounded || b.bounded {
		return bound{bounded: true}
	}
	return bound{dated: a.dated || b.dated, reason: a.reason}
}

// either joins branches: each needs its own restriction.
func either(a, b bound) bound {
	switch {
	case !a.bounded:
		return bound{dated: a.dated, reason: a.reason}
	case !b.bounded:
		return bound{dated: b.dated, reason: b.reason}
	}
	return bound{bounded: true}
}
