package search

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// Matcher reports whether records satisfy a filter. It is made once per filter
// and safe for several goroutines.
type Matcher struct{ test test }

// test looks at a record.
type test func(record []byte) bool

// Compile prepares a filter for matching; disabled and incomplete nodes are
// left out, a nil or empty filter matches everything.
func Compile(filter *Node) *Matcher { return &Matcher{compile(filter)} }

// Match reports whether the record, a JSON value, satisfies the filter. The
// meanings are: eq and neq compare numbers by value (numeric texts too), times
// as instants and everything else exactly; null also means a missing field;
// ranges compare numbers, times, then texts; like is a substring, or a pattern
// when it holds %; fuzzy wants every word, in any order, to begin or be part of
// a word; keyword wants one whole word; the last three ignore case. A condition
// holds for an array when it holds for one of its elements, and neq is never true beside eq.
func (m *Matcher) Match(record []byte) bool { return m.test == nil || m.test(record) }

// compile returns nil for what does not restrict anything.
func compile(n *Node) test {
	if n == nil || n.Disabled {
		return nil
	}
	if n.Op == Condition {
		if n.Field == "" || len(n.Value) == 0 || !known(n.Operator) {
			return nil
		}
		p, holds, turned := parsePath(n.Field), comparison(n.Operator, n.Value), n.Operator == Neq
		return func(r []byte) bool { return p.any(r, holds) != turned }
	}
	var tests []test
	for _, c := range n.Children {
		if t := compile(c); t != nil {
			tests = append(tests, t)
		}
	}
	group := joined(tests, n.Op != All)
	if n.Op == Not && group != nil {
		return func(r []byte) bool { return !group(r) }
	}
	return group
}

// joined asks tests until one says decisive, which is then the answer.
func joined(tests []test, decisive bool) test {
	switch len(tests) {
	case 0:
		return nil
	case 1:
		return tests[0]
	}
	return func(r []byte) bool {
		for _, t := range tests {
			if t(r) == decisive {
				return decisive
			}
		}
		return !decisive
	}
}

// comparison returns the test of one value, or of an array that holds it; nil
// stands for a missing field. That of neq is eq's, which the caller turns around.
// The undocumented operator any wants one element that satisfies a nested filter.
func comparison(operator string, operand json.RawMessage) func(value []byte) bool {
	one := newOperand(operand)
	holds := one.equal
	switch operator {
	case AnyOf:
		n, err := DecodeFilter(operand)
		m := Compile(n)
		return func(v []byte) bool {
			for e := range elements(v) {
				if err == nil && m.Match(e) {
					return true
				}
			}
			return false
		}
	case In:
		var operands []*operandValue
		for e := range elements(operand) {
			operands = append(operands, newOperand(e))
		}
		holds = func(v []byte) bool {
			return slices.ContainsFunc(operands, func(o *operandValue) bool { return o.equal(v) })
		}
	case Gt, Gte, Lt, Lte:
		less, same := operator == Lt || operator == Lte, operator == Gte || operator == Lte
		holds = func(v []byte) bool {
			c, ok := one.compare(v)
			return ok && (c == 0 && same || c != 0 && c < 0 == less)
		}
	case Like, Fuzzy, Keyword:
		holds = textTest(operator, operandText(operand))
	}
	return func(v []byte) bool {
		if holds(v) {
			return true
		}
		if len(v) > 0 && v[0] == '[' {
			for e := range elements(v) {
				if holds(e) {
					return true
				}
			}
		}
		return false
	}
}

func operandText(operand json.RawMessage) string {
	if len(operand) > 0 && operand[0] == '"' {
		return text(operand)
	}
	return string(operand)
}

// textTest looks with like, fuzzy or keyword into a scalar value; numbers are seen
// as they are written.
func textTest(operator, operand string) func([]byte) bool {
	operand = strings.ToLower(operand)
	parts, wanted := strings.Split(operand, "%"), words(operand)
	return func(v []byte) bool {
		if len(v) == 0 || v[0] == '{' || v[0] == '[' || v[0] == 'n' {
			return false
		}
		s := strings.ToLower(operandText(v))
		switch operator {
		case Like:
			return wildcard(s, parts)
		case Fuzzy:
			missing := func(w string) bool { return !strings.Contains(s, w) }
			return len(wanted) > 0 && !slices.ContainsFunc(wanted, missing)
		}
		return slices.ContainsFunc(words(s), func(have string) bool { return slices.Contains(wanted, have) })
	}
}

// wildcard matches s against literal parts with any text between them; a single
// part may stand anywhere.
func wildcard(s string, parts []string) bool {
	last := len(parts) - 1
	if last == 0 {
		return strings.Contains(s, parts[0])
	}
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	for _, p := range parts[1:last] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return strings.HasSuffix(s, parts[last])
}

// words splits a text into runs of letters, digits and marks within words.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// isNull reports whether a value is null or missing.
func isNull(v []byte) bool { return len(v) == 0 || bytes.Equal(v, []byte("null")) }
