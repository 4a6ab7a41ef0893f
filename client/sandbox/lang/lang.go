// Package lang reads the query languages of third parties and runs them over the
// records of the sandbox: JQL, SOQL and SOSL, searches of fielded conditions and
// of qualified words. Which names a language has, and which fields they speak
// of, is told by the catalog. It knows no kind and must not import the sandbox.
package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog/clause"
	"patchbay/client/sandbox/data"
)

// Test reports whether a record satisfies a query or a part of one.
type Test func(*data.Record) bool

// Order is one sort key.
type Order struct {
	Of   func(*data.Record) any
	Desc bool
}

// At reads the value of records at a path.
func At(path string) func(*data.Record) any {
	at := data.NewPath(path)
	return func(r *data.Record) any { v, _ := at.In(r.Obj); return v }
}

// Query is what a search asks for: records that satisfy every test, in an order.
type Query struct {
	Tests  []Test
	Orders []Order
}

// Error refuses a query, in words for the person who wrote it.
type Error struct{ Message string }

// Error implements error.
func (e *Error) Error() string { return e.Message }

// bad is what a reader panics with where it cannot go on; refused catches it.
func bad(format string, args ...any) *Error { return &Error{fmt.Sprintf(format, args...)} }

// refused makes what a reader panicked with the error of its language.
func refused(err *error) {
	switch p := recover().(type) {
	case nil:
	case *Error:
		*err = p
	default:
		panic(p)
	}
}

// reader takes the tokens of a query one by one.
type reader struct {
	query  string
	tokens []clause.Token
}

// read cuts a query whose quotes must all close.
func read(query, operators string) *reader {
	tokens := clause.Lex(query, operators)
	for _, t := range tokens {
		if t.Open {
			panic(bad("The query has a quote at character %d that is never closed.",
				clause.Character(query, t.Start)))
		}
	}
	return &reader{query, tokens}
}

func (r *reader) peek() clause.Token {
	if len(r.tokens) == 0 {
		return clause.Token{Start: len(r.query)}
	}
	return r.tokens[0]
}

func (r *reader) take() clause.Token {
	t := r.peek()
	if len(r.tokens) > 0 {
		r.tokens = r.tokens[1:]
	}
	return t
}

func (r *reader) accept(words ...string) bool {
	if !r.peek().Is(words...) {
		return false
	}
	r.take()
	return true
}

// end refuses what is left of the query.
func (r *reader) end() {
	if len(r.tokens) > 0 {
		panic(bad("The query is not understood from character %d on.",
			clause.Character(r.query, r.tokens[0].Start)))
	}
}

// operand takes the token of a value.
func (r *reader) operand() clause.Token {
	switch t := r.take(); t.Kind {
	case clause.Word, clause.Quoted:
		return t
	case clause.End:
		panic(bad("The query ends where a value is expected."))
	default:
		panic(bad("The query needs a value at character %d.", clause.Character(r.query, t.Start)))
	}
}

// list reads (a, b, c), or a single value.
func (r *reader) list(value func() any) []any {
	if !r.accept("(") {
		return []any{value()}
	}
	for out := []any(nil); ; {
		out = append(out, value())
		if r.accept(")") {
			return out
		}
		if !r.accept(",") {
			panic(bad("A comma or a closing parenthesis is missing in a list of the query."))
		}
	}
}

// orders reads sort keys with commas between them; also are words before a last word of a key.
func (r *reader) orders(key func() func(*data.Record) any, also ...string) (orders []Order) {
	for more := true; more; more = r.accept(",") {
		of, desc := key(), r.accept("desc")
		if !desc {
			r.accept("asc")
		}
		if r.accept(also...) {
			r.take()
		}
		orders = append(orders, Order{of, desc})
	}
	return orders
}

// conditions reads conditions up to the tail, each with one.
func (r *reader) conditions(tail func([]clause.Token) bool, one func() Test) []Test {
	n, rest, err := clause.Parse(r.tokens, tail)
	if err != nil {
		panic(bad("%s.", strings.ToUpper(err.Error()[:1])+err.Error()[1:]))
	}
	r.tokens = rest
	return []Test{r.compile(n, one)}
}

func (r *reader) compile(n *clause.Node, one func() Test) Test {
	if n.Op == clause.Condition {
		rest := r.tokens
		r.tokens = n.Tokens
		test := one()
		r.end()
		r.tokens = rest
		return test
	}
	parts := make([]Test, len(n.Of))
	for i, part := range n.Of {
		parts[i] = r.compile(part, one)
	}
	if len(parts) == 1 {
		return negate(n.Op == clause.Not, parts[0])
	}
	all := n.Op == clause.And
	return func(r *data.Record) bool {
		return slices.ContainsFunc(parts, func(part Test) bool { return part(r) != all }) != all
	}
}

func negate(on bool, t Test) Test {
	if !on {
		return t
	}
	return func(r *data.Record) bool { return !t(r) }
}

// ContainsWords reports whether a record holds every word somewhere.
func ContainsWords(r *data.Record, words []string) bool {
	return containsAll(strings.ToLower(string(r.JSON())), words)
}

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !strings.Contains(text, strings.Trim(w, `"*`))
	})
}

// moments are named by their distance from the current one.
type moments map[string]func(now time.Time) time.Time

// functions are those of JQL.
var functions = moments{
	"now":          func(now time.Time) time.Time { return now },
	"startofday":   startOfDay,
	"endofday":     func(now time.Time) time.Time { return startOfDay(now).Add(24*time.Hour - time.Second) },
	"startofweek":  startOfWeek,
	"endofweek":    func(now time.Time) time.Time { return startOfWeek(now).AddDate(0, 0, 7).Add(-time.Second) },
	"startofmonth": startOfMonth,
	"endofmonth":   func(now time.Time) time.Time { return startOfMonth(now).AddDate(0, 1, 0).Add(-time.Second) },
	"startofyear":  func(now time.Time) time.Time { return time.Date(now.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
}

// literals are those of SOQL.
var literals = moments{
	"TODAY":     startOfDay,
	"YESTERDAY": func(now time.Time) time.Time { return startOfDay(now).AddDate(0, 0, -1) },
	"LAST_WEEK": aWeekAgo, "THIS_WEEK": aWeekAgo, "LAST_MONTH": aMonthAgo, "THIS_MONTH": aMonthAgo,
}

func startOfDay(now time.Time) time.Time   { return now.Truncate(24 * time.Hour) }
func startOfWeek(now time.Time) time.Time  { return startOfDay(now).AddDate(0, 0, -int(now.Weekday())) }
func startOfMonth(now time.Time) time.Time { return startOfDay(now).AddDate(0, 0, 1-now.Day()) }
func aWeekAgo(now time.Time) time.Time     { return startOfDay(now).AddDate(0, 0, -7) }
func aMonthAgo(now time.Time) time.Time    { return startOfDay(now).AddDate(0, -1, 0) }

// units are the letters of relative dates.
var units = map[byte]struct {
	years, months, days int
	time                time.Duration
}{
	'm': {time: time.Minute}, 'h': {time: time.Hour}, 'd': {days: 1}, 'w': {days: 7}, 'M': {months: 1}, 'y': {years: 1},
}

// relative reads -7d, 2w, -30m, +1h as a distance from a moment.
func relative(from time.Time, text string) (time.Time, bool) {
	if len(text) < 2 {
		return from, false
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	unit, known := units[text[len(text)-1]]
	if err != nil || !known {
		return from, false
	}
	return from.AddDate(n*unit.years, n*unit.months, n*unit.days).Add(time.Duration(n) * unit.time), true
}
