package lang

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog/clause"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Select is a SOQL query: SELECT fields FROM object [WHERE ...] [ORDER BY ...]
// [LIMIT n] [OFFSET n].
type Select struct {
	Fields []string
	Query
	Limit, Offset int
}

// Columns lists the fields of an object; known is false when there is no such object.
type Columns func(object string) (fields []string, known bool)

type soql struct {
	*reader
	now     time.Time
	columns []string
}

// SOQL reads a query; an object without columns stands for a single record that
// no condition narrows.
func SOQL(query string, now time.Time, columns Columns) (q *Select, err error) {
	defer refused(&err)
	s, q := &soql{reader: read(query, "=!<>"), now: now.UTC()}, &Select{Limit: 1 << 30}
	if s.selection(q, columns); s.columns == nil {
		return q, nil
	}
	if s.accept("where") {
		tail := func(tokens []clause.Token) bool { return tokens[0].Is("order", "limit", "offset") }
		q.Tests = s.conditions(tail, s.condition)
	}
	s.tail(q)
	return q, nil
}

func (s *soql) selection(q *Select, columns Columns) {
	if !s.accept("select") {
		panic(bad("A SOQL query begins with SELECT."))
	}
	for more := true; more; more = s.accept(",") {
		t := s.take()
		if t.Kind != clause.Word {
			panic(bad("SELECT needs the names of fields."))
		}
		name := t.Text
		if s.accept("(") {
			name += "("
			for !s.peek().Is(")") && s.peek().Kind != clause.End {
				name += s.take().Text
			}
			s.accept(")")
			name += ")"
		}
		q.Fields = append(q.Fields, name)
	}
	if !s.accept("from") {
		panic(bad("A SOQL query needs FROM and the name of an object."))
	}
	object, known := s.take().Text, false
	if s.columns, known = columns(object); !known {
		panic(bad("The object %q is not supported; name it as Account, Contact, Opportunity and so on.", object))
	}
	for _, f := range q.Fields {
		if s.columns != nil && !strings.ContainsAny(f, "(.") && !s.column(f) {
			panic(bad("No such column %q on %s.", f, object))
		}
	}
}

func (s *soql) column(name string) bool {
	return slices.ContainsFunc(s.columns, func(c string) bool { return strings.EqualFold(c, name) })
}

// Member finds a member of an object, ignoring case.
func Member(o *rawjson.Map, name string) (string, any, bool) {
	if i := slices.IndexFunc(o.Keys, func(k string) bool { return strings.EqualFold(k, name) }); i >= 0 {
		return o.Keys[i], o.Vals[i], true
	}
	return "", nil, false
}

func memberOf(name string) func(*data.Record) any {
	return func(r *data.Record) any { _, v, _ := Member(r.Obj, name); return v }
}

func (s *soql) condition() Test {
	name := s.take().Text
	if !s.column(name) {
		panic(bad("No such column %q in WHERE.", name))
	}
	of, negated := memberOf(name), s.accept("not")
	switch t := s.take(); {
	case t.Is("in"):
		list := s.list(s.value)
		return negate(negated, func(r *data.Record) bool {
			return slices.ContainsFunc(list, func(w any) bool { return foldEqual(of(r), w) })
		})
	case t.Is("like"):
		pattern := strings.Split(strings.ToLower(rawjson.TextOf(s.value())), "%")
		return func(r *data.Record) bool { return likeParts(strings.ToLower(rawjson.TextOf(of(r))), pattern) }
	case t.Kind != clause.Operator:
		panic(bad("The field %s needs an operator after it.", name))
	default:
		v := s.value()
		switch t.Text {
		case "=", "!=", "<>":
			return negate(t.Text != "=", func(r *data.Record) bool { return foldEqual(of(r), v) })
		case "<", "<=", ">", ">=":
			return func(r *data.Record) bool {
				have := of(r)
				return have != nil && data.Holds(data.CompareMoments(have, v), t.Text)
			}
		}
		panic(bad("The operator %s is not one of SOQL.", t.Text))
	}
}

func foldEqual(have, want any) bool {
	if h, isText := have.(string); isText {
		if w, both := want.(string); both {
			return strings.EqualFold(h, w) || data.CompareMoments(h, w) == 0
		}
	}
	return data.Equal(have, want)
}

// likeParts matches text against parts with anything between them.
func likeParts(text string, parts []string) bool {
	last := len(parts) - 1
	if last == 0 {
		return text == parts[0]
	}
	text, found := strings.CutPrefix(text, parts[0])
	for _, p := range parts[1:last] {
		if found {
			_, text, found = strings.Cut(text, p)
		}
	}
	return found && strings.HasSuffix(text, parts[last])
}

// value reads a text, number, boolean, null or date literal such as TODAY or LAST_N_DAYS:7.
func (s *soql) value() any {
	t := s.operand()
	switch {
	case t.Kind == clause.Quoted:
		return t.Text
	case t.Is("null"):
		return nil
	case t.Is("true", "false"):
		return t.Is("true")
	}
	word, count, _ := strings.Cut(strings.ToUpper(t.Text), ":")
	if word == "LAST_N_DAYS" {
		n, _ := strconv.Atoi(count)
		return startOfDay(s.now).AddDate(0, 0, -n).Format(time.RFC3339)
	}
	if start := literals[word]; start != nil {
		return start(s.now).Format(time.RFC3339)
	}
	if f, err := strconv.ParseFloat(t.Text, 64); err == nil {
		return f
	}
	return t.Text
}

// tail reads ORDER BY, LIMIT and OFFSET.
func (s *soql) tail(q *Select) {
	for len(s.tokens) > 0 {
		rest := *s.reader
		switch t := s.take(); {
		case t.Is("order") && s.accept("by"):
			q.Orders = s.orders(func() func(*data.Record) any { return memberOf(s.take().Text) }, "nulls")
		case t.Is("limit", "offset"):
			n, err := strconv.Atoi(s.take().Text)
			if err != nil || n < 0 {
				panic(bad("%s needs a number.", strings.ToUpper(t.Text)))
			}
			if t.Is("limit") {
				q.Limit = n
			} else {
				q.Offset = n
			}
		default:
			rest.end()
		}
	}
}

// SOSL reads FIND {words} [IN ... FIELDS] [RETURNING Object(fields) [LIMIT n]].
func SOSL(query string) (words []string, limit int, err error) {
	defer refused(&err)
	r := read(query, "=!<>")
	if !r.accept("find") || !r.accept("{") {
		panic(bad("A SOSL search begins with FIND {words}."))
	}
	for !r.accept("}") {
		t := r.take()
		if t.Kind == clause.End {
			panic(bad("The words of FIND need a closing brace."))
		}
		words = append(words, strings.ToLower(strings.Trim(t.Text, "*")))
	}
	limit = 200
	for len(r.tokens) > 0 {
		if r.take().Is("limit") {
			if n, err := strconv.Atoi(r.take().Text); err == nil {
				limit = n
			}
		}
	}
	return words, limit, nil
}
