package lang

import (
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/catalog/clause"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Fielded reads searches such as field:"value" AND metadata["key"]:"value",
// field~"part" and field>number; a leading minus negates, and a query has AND or
// OR, not both. known reports whether records have a field.
func Fielded(query string, known func(name string) bool) (q *Query, err error) {
	defer refused(&err)
	r := read(query, ":~<>=")
	var and, or, follows bool
	var joined []clause.Token // with AND between conditions that stand beside each other
	for _, t := range r.tokens {
		and, or = and || t.Is("and"), or || t.Is("or")
		joins := t.Is("and", "or")
		if follows && t.Kind == clause.Word && !joins {
			joined = append(joined, clause.Token{Text: "AND", Kind: clause.Word, Start: t.Start, End: t.Start})
		}
		joined = append(joined, t)
		follows = !joins && (t.Kind == clause.Quoted || t.Kind == clause.Word)
	}
	if and && or {
		panic(bad("A query combines its conditions with AND or with OR, not with both."))
	}
	r.tokens = joined
	q = &Query{Tests: r.conditions(nil, func() Test { return fielded(r, known) })}
	r.end()
	return q, nil
}

func fielded(r *reader, known func(string) bool) Test {
	field := r.take()
	name, negated := strings.CutPrefix(field.Text, "-")
	if name == "metadata" && r.accept("[") {
		name = "metadata." + r.take().Text
		if !r.accept("]") {
			panic(bad("metadata needs a key in brackets: metadata[\"key\"]:\"value\"."))
		}
	} else if field.Kind != clause.Word || !known(strings.Split(name, ".")[0]) {
		panic(bad("The field %q cannot be searched.", name))
	}
	op := r.take()
	if op.Kind != clause.Operator {
		panic(bad("After %s the query needs :, ~, < or >.", name))
	}
	value := r.take()
	if value.Kind != clause.Quoted && value.Kind != clause.Word {
		panic(bad("After %s%s the query needs a value.", name, op.Text))
	}
	of, holds := At(name), fieldedComparison(op.Text, value)
	return negate(negated, func(r *data.Record) bool { return holds(of(r)) })
}

func fieldedComparison(op string, value clause.Token) func(any) bool {
	want := value.Text
	switch op {
	case ":":
		null := value.Is("null")
		return func(v any) bool {
			return (v == nil) == null && (null || strings.EqualFold(rawjson.TextOf(v), want))
		}
	case "~":
		if len(want) < 3 {
			panic(bad("A part to look for has at least three characters."))
		}
		return func(v any) bool {
			return strings.Contains(strings.ToLower(rawjson.TextOf(v)), strings.ToLower(want))
		}
	case "<", "<=", ">", ">=":
		n, err := strconv.ParseFloat(want, 64)
		if err != nil {
			panic(bad("The operator %s needs a number, not %q.", op, want))
		}
		return func(v any) bool {
			have, isNumber := data.Number(v)
			return isNumber && data.Holds(data.Compare(have, n), op)
		}
	}
	panic(bad("The operator %s is not known; use :, ~, < or >.", op))
}

// Qualified reads searches of words and key:value pairs; a leading minus or an
// exclamation mark negates, words must all be present. fields are those of the
// records, by which a language without names of its own searches.
func Qualified(query string, names *catalog.SandboxQuery, fields []catalog.Field) (*Query, error) {
	q, words, in := &Query{}, []string{}, []string{}
	l := &qualified{names, fields}
	inQuotes := false
	for _, term := range strings.FieldsFunc(query, func(c rune) bool {
		inQuotes = inQuotes != (c == '"')
		return c == ' ' && !inQuotes
	}) {
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
		switch name := strings.ToLower(key); name {
		case "in":
			in = append(in, strings.Split(value, ",")...)
		case "sort":
			by, dir, found := data.CutLast(value, '-')
			if !found {
				by = value
			}
			if path := names.Sorts[by]; path != "" {
				q.Orders = append(q.Orders, Order{At(path), dir != "asc"})
			}
		default:
			test := l.qualifier(name, value)
			if test == nil {
				return nil, bad("The search does not know the qualifier %s:.", key)
			}
			q.Tests = append(q.Tests, negate(negated, test))
		}
	}
	if len(words) > 0 {
		q.Tests = append(q.Tests, func(r *data.Record) bool {
			if len(in) == 0 {
				return ContainsWords(r, words)
			}
			text := ""
			for _, field := range in {
				text += strings.ToLower(r.Obj.Text(field)) + "\n"
			}
			return containsAll(text, words)
		})
	}
	return q, nil
}

type qualified struct {
	names  *catalog.SandboxQuery
	fields []catalog.Field
}

// qualifier tests one key:value of a search, nil when the key is unknown.
func (l *qualified) qualifier(key, value string) Test {
	switch paths := l.names.Fields[key]; {
	case paths != nil:
		return func(r *data.Record) bool {
			return slices.ContainsFunc(paths, func(path string) bool { return comparesTo(lookup(r, path), value) })
		}
	case key == "is" || (key == "state" || key == "type") && l.names.Empty != nil:
		return l.state(strings.ToLower(value))
	case key == "no" && l.names.Empty != nil:
		path := l.names.Empty[strings.ToLower(value)]
		return func(r *data.Record) bool {
			list, _ := lookup(r, path).([]any)
			return len(list) == 0
		}
	case !l.names.AnyField:
		return nil
	}
	for _, f := range l.fields {
		if data.Normal(f.Name) == data.Normal(key) {
			return func(r *data.Record) bool { return comparesTo(r.Obj.Value(f.Name), value) }
		}
	}
	return func(r *data.Record) bool { return ContainsWords(r, []string{strings.ToLower(value)}) }
}

// lookup finds a value in the record or in what it belongs to; a path with
// slashes joins several.
func lookup(r *data.Record, path string) any {
	if !strings.Contains(path, "/") {
		v, _ := r.Lookup(path)
		return v
	}
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		parts = append(parts, rawjson.TextOf(lookup(r, part)))
	}
	return strings.Join(parts, "/")
}

// state tests is:open, is:private and the like by path, !path and path=value.
func (l *qualified) state(value string) Test {
	conditions := l.names.States[value]
	if conditions == nil {
		conditions = []string{l.names.State + "=" + value}
	}
	return func(r *data.Record) bool {
		return slices.ContainsFunc(conditions, func(condition string) bool {
			if path, value, compares := strings.Cut(condition, "="); compares {
				v, has := data.At(r.Obj, path)
				return has && strings.EqualFold(rawjson.TextOf(v), value)
			}
			path, negated := strings.CutPrefix(condition, "!")
			v, _ := data.At(r.Obj, path)
			return (v != nil && v != false) != negated
		})
	}
}

// comparesTo reads >n, >=n, <n, a..b and plain values.
func comparesTo(v any, want string) bool {
	if list, isList := v.([]any); isList {
		return slices.ContainsFunc(list, func(e any) bool { return comparesTo(e, want) })
	}
	if low, high, isRange := strings.Cut(want, ".."); isRange {
		return (low == "*" || low == "" || compareText(v, low) >= 0) &&
			(high == "*" || high == "" || compareText(v, high) <= 0)
	}
	for _, op := range []string{">=", "<=", ">", "<"} {
		if rest, found := strings.CutPrefix(want, op); found {
			return v != nil && data.Holds(compareText(v, rest), op)
		}
	}
	if t, isText := v.(string); isText {
		return strings.EqualFold(t, want) || len(want) == 10 && strings.HasPrefix(t, want)
	}
	return v != nil && rawjson.TextOf(v) == want
}

func compareText(v any, want string) int {
	if n, isNumber := data.Number(v); isNumber {
		if w, err := strconv.ParseFloat(want, 64); err == nil {
			return data.Compare(n, w)
		}
	}
	return data.CompareMoments(v, want)
}
