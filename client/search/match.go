package search

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Matcher tells whether records satisfy a filter. It is made once per filter
// and safe for several goroutines.
type Matcher struct{ test test }

// test looks at a record.
type test func(record []byte) bool

// Compile prepares a filter for matching; disabled and incomplete nodes are
// left out, a nil or empty filter matches everything.
func Compile(filter *Node) *Matcher { return &Matcher{compile(filter)} }

// Match tells whether the record, a JSON value, satisfies the filter. The
// meanings are: eq and neq compare numbers by value (numeric texts too), times
// as instants and everything else exactly; null also means a missing field;
// ranges compare numbers, times, then texts; like is a substring, or a pattern
// when it holds %; fuzzy wants every word, in any order, to begin or be part of
// a word; keyword wants one whole word; the last three ignore case. A condition
// holds for an array when it holds for one of its elements, and neq is never true beside eq.
func (m *Matcher) Match(record []byte) bool { return m.test == nil || m.test(record) }

// Match tells whether a record satisfies a filter. Compile the filter for more than a few records.
func Match(record []byte, filter *Node) bool { return Compile(filter).Match(record) }

// compile returns nil for what does not restrict anything.
func compile(n *Node) test {
	if n == nil || n.Disabled {
		return nil
	}
	switch n.Op {
	case Condition:
		return compileCondition(n)
	case Any:
		return anyOf(compileAll(n.Children))
	}
	all := allOf(compileAll(n.Children))
	if n.Op == Not && all != nil {
		return func(r []byte) bool { return !all(r) }
	}
	return all
}

func compileAll(nodes []*Node) []test {
	var out []test
	for _, n := range nodes {
		if t := compile(n); t != nil {
			out = append(out, t)
		}
	}
	return out
}

func allOf(tests []test) test {
	if len(tests) < 2 {
		return first(tests)
	}
	return func(r []byte) bool {
		for _, t := range tests {
			if !t(r) {
				return false
			}
		}
		return true
	}
}

func anyOf(tests []test) test {
	if len(tests) < 2 {
		return first(tests)
	}
	return func(r []byte) bool {
		for _, t := range tests {
			if t(r) {
				return true
			}
		}
		return false
	}
}

func first(tests []test) test {
	if len(tests) == 0 {
		return nil
	}
	return tests[0]
}

func compileCondition(n *Node) test {
	if n.Field == "" || len(n.Value) == 0 || !known(n.Operator) {
		return nil
	}
	p := parsePath(n.Field)
	holds := comparison(n.Operator, n.Value)
	t := func(r []byte) bool { return p.any(r, holds) }
	if n.Operator == Neq {
		return func(r []byte) bool { return !t(r) }
	}
	return t
}

// comparison returns the test of one value; nil stands for a missing field.
// That of neq is eq's, which the caller turns around.
func comparison(operator string, operand json.RawMessage) func(value []byte) bool {
	switch operator {
	case Eq, Neq, Contains:
		return orElement(newOperand(operand).equal)
	case In:
		return orElement(inList(operand))
	case Gt, Gte, Lt, Lte:
		o := newOperand(operand)
		return orElement(func(v []byte) bool { return inRange(operator, o, v) })
	case Like:
		return orElement(textTest(likeTest(operandText(operand))))
	case Fuzzy:
		return orElement(textTest(fuzzyTest(operandText(operand))))
	case Keyword:
		return orElement(textTest(keywordTest(operandText(operand))))
	}
	return elementTest(operand)
}

// orElement extends a test to arrays: the array itself or one of its elements.
func orElement(holds func([]byte) bool) func([]byte) bool {
	return func(v []byte) bool {
		if holds(v) {
			return true
		}
		if len(v) == 0 || v[0] != '[' {
			return false
		}
		found := false
		eachElement(v, 0, func(from, to int) bool {
			found = holds(v[from:to])
			return !found
		})
		return found
	}
}

func inList(operand json.RawMessage) func([]byte) bool {
	var operands []*operandValue
	eachElement(operand, 0, func(from, to int) bool {
		operands = append(operands, newOperand(operand[from:to]))
		return true
	})
	return func(v []byte) bool {
		for i := range operands {
			if operands[i].equal(v) {
				return true
			}
		}
		return false
	}
}

func inRange(operator string, o *operandValue, v []byte) bool {
	c, ok := o.compare(v)
	if !ok {
		return false
	}
	switch operator {
	case Gt:
		return c > 0
	case Gte:
		return c >= 0
	case Lt:
		return c < 0
	}
	return c <= 0
}

// elementTest is the undocumented operator any: one element satisfies a nested filter.
func elementTest(operand json.RawMessage) func([]byte) bool {
	n, err := DecodeFilter(operand)
	if err != nil {
		return func([]byte) bool { return false }
	}
	m := Compile(n)
	return func(v []byte) bool {
		found := false
		eachElement(v, 0, func(from, to int) bool {
			found = m.Match(v[from:to])
			return !found
		})
		return found
	}
}

func operandText(operand json.RawMessage) string {
	if len(operand) > 0 && operand[0] == '"' {
		return text(operand)
	}
	return string(operand)
}

// textTest runs a test of texts on a scalar value; numbers are seen as they are written.
func textTest(holds func(string) bool) func([]byte) bool {
	return func(v []byte) bool {
		if len(v) == 0 || v[0] == '{' || v[0] == '[' || v[0] == 'n' {
			return false
		}
		if v[0] == '"' {
			return holds(text(v))
		}
		return holds(string(v))
	}
}

func likeTest(pattern string) func(string) bool {
	pattern = strings.ToLower(pattern)
	if !strings.Contains(pattern, "%") {
		return func(s string) bool { return strings.Contains(strings.ToLower(s), pattern) }
	}
	parts := strings.Split(pattern, "%")
	return func(s string) bool { return wildcard(strings.ToLower(s), parts) }
}

// wildcard matches s against literal parts with any text between them.
func wildcard(s string, parts []string) bool {
	last := len(parts) - 1
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

func fuzzyTest(operand string) func(string) bool {
	wanted := words(operand)
	return func(s string) bool {
		s = strings.ToLower(s)
		for _, w := range wanted {
			if !strings.Contains(s, w) {
				return false
			}
		}
		return len(wanted) > 0
	}
}

func keywordTest(operand string) func(string) bool {
	wanted := words(operand)
	return func(s string) bool {
		for _, have := range words(s) {
			for _, w := range wanted {
				if have == w {
					return true
				}
			}
		}
		return false
	}
}

// words splits a text into lower-case runs of letters, digits and marks within words.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !wordRune(r) })
}

// isNull tells whether a value is null or missing.
func isNull(v []byte) bool { return len(v) == 0 || bytes.Equal(v, []byte("null")) }
