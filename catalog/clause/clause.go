// Package clause reads what the query languages of third parties have in
// common: conditions joined by AND, OR and NOT, and grouped by parentheses. What
// one condition means is left to the language. The rules of the catalog and the
// sandbox read queries with it. It imports nothing of ours.
package clause

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// The kinds of tokens.
const (
	End      = byte(0)
	Word     = byte('w')
	Quoted   = byte('s') // a text in quotes, which are removed
	Operator = byte('o')
	Mark     = byte('p') // a parenthesis, bracket, brace or comma
)

// Token is a piece of a query.
type Token struct {
	Text string
	Kind byte
	// Start and End are byte offsets in the query.
	Start, End int
	// Open is set on a quoted text whose quote never closes.
	Open bool
}

// Is compares a word, operator or mark, ignoring case.
func (t Token) Is(words ...string) bool {
	for _, w := range words {
		if t.Kind != Quoted && t.Kind != End && strings.EqualFold(t.Text, w) {
			return true
		}
	}
	return false
}

const (
	spaces = " \t\r\n"
	quotes = `"'`
	marks  = "(),{}[]"
)

// Lex cuts a query; operators are the characters that operators consist of.
func Lex(query, operators string) []Token {
	var tokens []Token
	for i := 0; i < len(query); {
		t := Token{Kind: Word, Start: i}
		switch c := query[i]; {
		case strings.IndexByte(spaces, c) >= 0:
			i++
			continue
		case strings.IndexByte(quotes, c) >= 0:
			t.Kind = Quoted
			t.Text, i, t.Open = quoted(query, i)
		case strings.IndexByte(operators, c) >= 0:
			t.Kind = Operator
			i += span(query[i:], func(c byte) bool { return strings.IndexByte(operators, c) >= 0 })
		case strings.IndexByte(marks, c) >= 0:
			t.Kind = Mark
			i++
		default:
			i += span(query[i:], func(c byte) bool { return strings.IndexByte(spaces+quotes+marks+operators, c) < 0 })
		}
		if t.End = i; t.Kind != Quoted {
			t.Text = query[t.Start:i]
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// span is how many bytes from the first on are of a class.
func span(s string, is func(byte) bool) int {
	n := 1
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

// quoted reads a text from its opening quote; the backslash escapes. A text that
// never closes runs to the end.
func quoted(query string, open int) (text string, end int, unclosed bool) {
	var b strings.Builder
	for i := open + 1; i < len(query); i++ {
		switch {
		case query[i] == '\\' && i+1 < len(query):
			i++
			b.WriteByte(query[i])
		case query[i] == query[open]:
			return b.String(), i + 1, false
		default:
			b.WriteByte(query[i])
		}
	}
	return b.String(), len(query), true
}

// Character is the number of the character at a byte offset, from 1 on.
func Character(query string, offset int) int { return utf8.RuneCountInString(query[:offset]) + 1 }

// Op is what a node of a query does.
type Op byte

// The operations of nodes.
const (
	Condition Op = iota // its Tokens are one condition
	And
	Or
	Not
)

// Node is a part of a query: a condition, or others joined.
type Node struct {
	Op     Op
	Of     []*Node
	Tokens []Token
}

// What is wrong with the structure of a query.
var (
	ErrDeep     = errors.New("the query nests too deeply to be read")
	ErrOpen     = errors.New("the query opens a parenthesis that it never closes")
	ErrBreak    = errors.New("the query breaks off where a condition is expected")
	maxNesting  = 200
	conjunction = []string{"and", "&&", "&"}
	disjunction = []string{"or", "||", "|"}
)

// Parse reads conditions up to the tokens that tail recognizes, or to those that
// cannot continue a query, and returns what is left. The node on top is an Or of
// Ands, each with its Tokens.
func Parse(tokens []Token, tail func([]Token) bool) (*Node, []Token, error) {
	p := &parser{tokens: tokens, tail: tail}
	n, err := p.or(0)
	return n, p.tokens, err
}

type parser struct {
	tokens []Token
	tail   func([]Token) bool
}

func (p *parser) done() bool { return len(p.tokens) == 0 || p.tail != nil && p.tail(p.tokens) }

func (p *parser) accept(words ...string) bool {
	if p.done() || !p.tokens[0].Is(words...) {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

func (p *parser) or(depth int) (*Node, error) {
	return p.joined(Or, disjunction, func() (*Node, error) {
		return p.joined(And, conjunction, func() (*Node, error) { return p.part(depth) })
	})
}

// joined reads parts with one of the words between them.
func (p *parser) joined(op Op, words []string, part func() (*Node, error)) (*Node, error) {
	all, n := p.tokens, &Node{Op: op}
	for {
		one, err := part()
		if err != nil {
			return nil, err
		}
		n.Of = append(n.Of, one)
		if !p.accept(words...) {
			n.Tokens = all[:len(all)-len(p.tokens)]
			return n, nil
		}
	}
}

// part reads a condition or a group, perhaps negated.
func (p *parser) part(depth int) (n *Node, err error) {
	negated := false
	for p.accept("not", "!") {
		negated = !negated
	}
	switch {
	case !p.accept("("):
		n, err = p.condition()
	case depth >= maxNesting:
		err = ErrDeep
	default:
		if n, err = p.or(depth + 1); err == nil && !p.accept(")") {
			err = ErrOpen
		}
	}
	if err == nil && negated {
		n = &Node{Op: Not, Of: []*Node{n}}
	}
	return n, err
}

// condition reads up to the next AND, OR or closing parenthesis.
func (p *parser) condition() (*Node, error) {
	all, depth := p.tokens, 0
	for ; !p.done(); p.tokens = p.tokens[1:] {
		t := p.tokens[0]
		if depth == 0 && t.Is(")", "and", "or", "&&", "||", "&", "|") {
			break
		}
		if t.Is("(") {
			depth++
		} else if t.Is(")") {
			depth--
		}
	}
	n := &Node{Tokens: all[:len(all)-len(p.tokens)]}
	if len(n.Tokens) == 0 {
		return nil, ErrBreak
	}
	return n, nil
}
