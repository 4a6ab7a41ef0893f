package clause

import (
	"errors"
	"strings"
	"testing"
)

// shape writes a query's structure: conditions as their tokens, the rest as calls.
func shape(n *Node) string {
	if n.Op == Condition {
		var words []string
		for _, t := range n.Tokens {
			words = append(words, t.Text)
		}
		return strings.Join(words, " ")
	}
	var parts []string
	for _, part := range n.Of {
		parts = append(parts, shape(part))
	}
	if len(parts) == 1 && n.Op != Not {
		return parts[0]
	}
	return map[Op]string{And: "and", Or: "or", Not: "not"}[n.Op] + "(" + strings.Join(parts, ", ") + ")"
}

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		`a = 1`:                        `a = 1`,
		`a = 1 and b = 2 or c = 3`:     `or(and(a = 1, b = 2), c = 3)`,
		`a=1 AND (b=2 || NOT c=3)`:     `and(a = 1, or(b = 2, not(c = 3)))`,
		`not not a = 1`:                `a = 1`,
		`a in (1, 2) & b`:              `and(a in ( 1 , 2 ), b)`,
		`a ~ "x and \"y" and b = 'or'`: `and(a ~ x and "y, b = or)`,
		`! (a = 1)`:                    `not(a = 1)`,
	} {
		n, rest, err := Parse(Lex(query, "=!~<>&|"), nil)
		if err != nil || len(rest) > 0 || shape(n) != want {
			t.Errorf("%s: %v, %d tokens left, %v; want %s", query, shape(n), len(rest), err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for query, want := range map[string]error{
		"(a = 1": ErrOpen, "a = 1 and": ErrBreak, "": ErrBreak, "or a": ErrBreak,
		strings.Repeat("(", 300) + "a" + strings.Repeat(")", 300): ErrDeep,
	} {
		if _, _, err := Parse(Lex(query, "="), nil); !errors.Is(err, want) {
			t.Errorf("%.20s: %v, want %v", query, err, want)
		}
	}
}

func TestParseLeavesTheRest(t *testing.T) {
	for query, want := range map[string]int{"a = 1 order by b": 10, "a = 1) b": 9} {
		tail := func(tokens []Token) bool { return tokens[0].Is("order") }
		_, rest, err := Parse(Lex("   "+query, "="), tail)
		if err != nil || len(rest) == 0 || Character("   "+query, rest[0].Start) != want {
			t.Errorf("%s: %v left, %v", query, rest, err)
		}
	}
}

// Tokens lie in the query one behind the other, whatever it holds.
func FuzzParse(f *testing.F) {
	f.Add(`a = "b\" c" AND NOT (d in (1,2)) order by é`)
	f.Add(`"`)
	f.Fuzz(func(t *testing.T, query string) {
		tokens, end := Lex(query, "=!~<>&|"), 0
		for _, token := range tokens {
			if token.Start < end || token.End <= token.Start || token.End > len(query) {
				t.Fatalf("%q: token %+v behind %d", query, token, end)
			}
			end = token.End
		}
		if n, rest, err := Parse(tokens, nil); err == nil && len(n.Tokens)+len(rest) != len(tokens) {
			t.Fatalf("%q: %d tokens became %d and %d", query, len(tokens), len(n.Tokens), len(rest))
		}
	})
}
