package sandbox

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// token is a piece of a query: a word, a quoted text, an operator or a mark.
type token struct {
	text   string
	kind   byte // 'w' word, 's' quoted, 'o' operator, 'p' mark, 0 the end
	offset int  // in characters
}

// is compares a word or mark, ignoring case.
func (t token) is(words ...string) bool {
	for _, w := range words {
		if t.kind != 's' && strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// lex cuts a query; operators are the characters that belong to operators.
func lex(text, operators string) ([]token, error) {
	var out []token
	for i := 0; i < len(text); {
		c := text[i]
		start, offset := i, utf8.RuneCountInString(text[:i])
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '"' || c == '\'':
			s, end, closed := quoted(text, i)
			if !closed {
				return nil, badQuery("The query has a quote at character %d that is never closed.", offset+1)
			}
			out, i = append(out, token{s, 's', offset}), end
			continue
		case strings.IndexByte(operators, c) >= 0:
			for i < len(text) && strings.IndexByte(operators, text[i]) >= 0 {
				i++
			}
			out = append(out, token{text[start:i], 'o', offset})
			continue
		case strings.IndexByte("(),{}[]", c) >= 0:
			i++
			out = append(out, token{text[start:i], 'p', offset})
			continue
		}
		for i < len(text) && strings.IndexByte(" \t\n\r\"'(),{}[]"+operators, text[i]) < 0 {
			i++
		}
		out = append(out, token{text[start:i], 'w', offset})
	}
	return out, nil
}

func quoted(text string, i int) (s string, end int, closed bool) {
	quote := text[i]
	var b strings.Builder
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case text[i] == quote:
			return b.String(), i + 1, true
		default:
			b.WriteByte(text[i])
		}
	}
	return "", i, false
}

func badQuery(format string, args ...any) error {
	return &refusal{status: http.StatusBadRequest, field: "params.query", code: "invalid_query", message: fmt.Sprintf(format, args...)}
}

// noValue refuses a query at a token that is no value.
func noValue(t token) error {
	if t.kind == 0 {
		return badQuery("The query ends where a value is expected.")
	}
	return badQuery("The query needs a value at character %d.", t.offset+1)
}

// inParam names the param that holds a refused query.
func inParam(err error, name string) error {
	if r, ok := errors.AsType[*refusal](err); ok && r.code == "invalid_query" {
		r.field = "params." + name
	}
	return err
}

// test tells whether a record satisfies a part of a query.
type test func(*record) bool

// boolean parses AND, OR, NOT and parentheses around clauses of a language.
type boolean struct {
	tokens []token
	pos    int
	depth  int
	clause func(*boolean) (test, error)
}

func (p *boolean) peek() token {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return token{}
}

func (p *boolean) take() token {
	t := p.peek()
	p.pos++
	return t
}

func (p *boolean) accept(words ...string) bool {
	if p.peek().is(words...) {
		p.pos++
		return true
	}
	return false
}

// maxNesting bounds the parentheses of a query.
const maxNesting = 100

func (p *boolean) expression() (test, error) {
	left, err := p.conjunction()
	for err == nil && p.accept("or") {
		var right test
		if right, err = p.conjunction(); err == nil {
			a := left
			left = func(r *record) bool { return a(r) || right(r) }
		}
	}
	return left, err
}

func (p *boolean) conjunction() (test, error) {
	left, err := p.factor()
	for err == nil && p.accept("and") {
		var right test
		if right, err = p.factor(); err == nil {
			a := left
			left = func(r *record) bool { return a(r) && right(r) }
		}
	}
	return left, err
}

func (p *boolean) factor() (test, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, badQuery("The query is nested too deeply.")
	}
	defer func() { p.depth-- }()
	if p.accept("not") || p.accept("!") {
		inner, err := p.factor()
		if err != nil {
			return nil, err
		}
		return func(r *record) bool { return !inner(r) }, nil
	}
	if p.accept("(") {
		inner, err := p.expression()
		if err == nil && !p.accept(")") {
			return nil, badQuery("A closing parenthesis is missing in the query.")
		}
		return inner, err
	}
	if p.peek().kind == 0 {
		return nil, badQuery("The query ends where a condition is expected.")
	}
	return p.clause(p)
}

// list reads (a, b, c), or a single value.
func (p *boolean) list(value func() (any, error)) ([]any, error) {
	if !p.accept("(") {
		v, err := value()
		return []any{v}, err
	}
	var out []any
	for {
		v, err := value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if p.accept(")") {
			return out, nil
		}
		if !p.accept(",") {
			return nil, badQuery("A comma or a closing parenthesis is missing in a list of the query.")
		}
	}
}
