package sandbox

import (
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// crmQuery runs the query languages of the CRM: SOQL in lists, SOSL in searches.
func (op *operation) crmQuery() (r *result, handled bool, err error) {
	if op.d.kind.Name != "crm" || !op.params.has("q") {
		return nil, false, nil
	}
	text := op.params.text("q")
	if op.a.Name == catalog.ActionAPISearch {
		r, err = op.sosl(text)
		return r, true, inParam(err, "q")
	}
	tokens, err := lex(text, "=!<>")
	if err != nil {
		return nil, true, inParam(err, "q")
	}
	s := &soql{op: op, p: &boolean{tokens: tokens}}
	r, err = s.run()
	return r, true, inParam(err, "q")
}

type soql struct {
	op     *operation
	p      *boolean
	fields []any
	from   *catalog.Entity
	q      *query
}

// run executes SELECT fields FROM object [WHERE ...] [ORDER BY ...] [LIMIT n] [OFFSET n].
func (s *soql) run() (*result, error) {
	if err := s.selection(); err != nil {
		return nil, err
	}
	if s.from == nil {
		own := newObject("attributes", newObject("type", "Organization", "url", "/services/data/v59.0/sobjects/Organization/00D5g00000sandboxEAA"), "Id", "00D5g00000sandboxEAA", "Name", "Northwind")
		return &result{body: appendJSON(nil, []any{own}), meta: newObject("done", true, "nextRecordsUrl", nil)}, nil
	}
	s.q = &query{d: s.op.d, e: s.from, a: s.op.a, params: s.op.params, t: s.op.d.table(s.from.Name)}
	s.p.clause = s.clause
	if s.p.accept("where") {
		condition, err := s.p.expression()
		if err != nil {
			return nil, err
		}
		s.q.where(condition)
	}
	limit, offset, err := s.tail()
	if err != nil {
		return nil, err
	}
	rows := s.q.sorted(s.q.filter())
	total := len(rows)
	rows = rows[min(offset, len(rows)):]
	page := slice{to: min(len(rows), limit, 2000), total: min(len(rows), limit), size: 2000}
	meta := newObject("done", !page.more(), "nextRecordsUrl", nil)
	if page.more() {
		meta.set("nextRecordsUrl", "/services/data/v59.0/query/01g5g00000sandbox-2000")
	}
	if len(s.fields) == 1 && strings.EqualFold(asText(s.fields[0]), "COUNT()") {
		return &result{body: appendJSON(nil, []any{newObject("expr0", int64(total))}), meta: meta}, nil
	}
	list := []any{}
	for _, r := range rows[:page.to] {
		list = append(list, s.row(r))
	}
	return &result{body: appendJSON(nil, list), meta: meta}, nil
}

// row has the selected fields and the attributes that every record carries.
func (s *soql) row(r *record) *object {
	o := &object{}
	if v, has := r.obj.get("attributes"); has {
		o.set("attributes", v)
	}
	for _, f := range s.fields {
		if strings.HasPrefix(strings.ToUpper(asText(f)), "FIELDS(") {
			for i, k := range r.obj.keys {
				o.set(k, r.obj.vals[i])
			}
			continue
		}
		if name, v, has := foldedMember(r.obj, asText(f)); has {
			o.set(name, v)
		}
	}
	return o
}

func foldedMember(o *object, name string) (string, any, bool) {
	for i, k := range o.keys {
		if strings.EqualFold(k, name) {
			return k, o.vals[i], true
		}
	}
	return "", nil, false
}

func (s *soql) selection() error {
	p := s.p
	if !p.accept("select") {
		return badQuery("A SOQL query begins with SELECT.")
	}
	for {
		t := p.take()
		if t.kind != 'w' {
			return badQuery("SELECT needs the names of fields.")
		}
		name := t.text
		if p.accept("(") {
			name += "("
			for !p.peek().is(")") && p.peek().kind != 0 {
				name += p.take().text
			}
			p.accept(")")
			name += ")"
		}
		s.fields = append(s.fields, name)
		if !p.accept(",") {
			break
		}
	}
	if !p.accept("from") {
		return badQuery("A SOQL query needs FROM and the name of an object.")
	}
	object := p.take().text
	for i := range s.op.d.kind.Entities {
		e := &s.op.d.kind.Entities[i]
		if strings.EqualFold(crmObject(e.Name), object) && len(e.Record) > 0 && e.Name != "query" {
			s.from = e
		}
	}
	if strings.EqualFold(object, "Organization") {
		return nil
	}
	if s.from == nil {
		return badQuery("The object %q is not supported; name it as Account, Contact, Opportunity and so on.", object)
	}
	known := s.op.d.fields(s.from)
	for _, f := range s.fields {
		if name := asText(f); !strings.Contains(name, "(") && !strings.Contains(name, ".") && !foldedField(known, name) {
			return badQuery("No such column %q on %s.", name, object)
		}
	}
	return nil
}

func foldedField(fields []catalog.Field, name string) bool {
	for i := range fields {
		if strings.EqualFold(fields[i].Name, name) {
			return true
		}
	}
	return false
}

func (s *soql) clause(p *boolean) (test, error) {
	name := p.take().text
	if !foldedField(s.op.d.fields(s.from), name) {
		return nil, badQuery("No such column %q in WHERE.", name)
	}
	of := func(r *record) any { _, v, _ := foldedMember(r.obj, name); return v }
	negated := p.accept("not")
	switch t := p.take(); {
	case t.is("in"):
		list, err := p.list(s.value)
		return negate(negated, func(r *record) bool {
			for _, w := range list {
				if foldEqual(of(r), w) {
					return true
				}
			}
			return false
		}), err
	case t.is("like"):
		v, err := s.value()
		pattern := strings.Split(strings.ToLower(asText(v)), "%")
		return func(r *record) bool { return likeParts(strings.ToLower(asText(of(r))), pattern) }, err
	case t.kind == 'o':
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		return soqlComparison(t.text, v, of)
	}
	return nil, badQuery("The field %s needs an operator after it.", name)
}

func soqlComparison(op string, v any, of func(*record) any) (test, error) {
	switch op {
	case "=", "!=", "<>":
		return negate(op != "=", func(r *record) bool { return foldEqual(of(r), v) }), nil
	case "<", "<=", ">", ">=":
		name := map[string]string{"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}[op]
		return func(r *record) bool { have := of(r); return have != nil && holdsOrder(compareMoments(have, v), name) }, nil
	}
	return nil, badQuery("The operator %s is not one of SOQL.", op)
}

func foldEqual(have, want any) bool {
	if h, isText := have.(string); isText {
		if w, both := want.(string); both {
			return strings.EqualFold(h, w) || compareMoments(h, w) == 0
		}
	}
	return equal(have, want)
}

// likeParts matches text against parts with anything between them.
func likeParts(text string, parts []string) bool {
	if len(parts) == 1 {
		return text == parts[0]
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}

// value reads a text, number, boolean, null or date literal.
func (s *soql) value() (any, error) {
	t := s.p.take()
	switch {
	case t.kind == 's':
		return t.text, nil
	case t.kind != 'w':
		return nil, noValue(t)
	case t.is("null"):
		return nil, nil
	case t.is("true", "false"):
		return t.is("true"), nil
	}
	now := s.op.d.now().UTC()
	day := now.Truncate(24 * time.Hour)
	word, count, _ := strings.Cut(strings.ToUpper(t.text), ":")
	n, _ := strconv.Atoi(count)
	switch word {
	case "TODAY":
		return day.Format(time.RFC3339), nil
	case "YESTERDAY":
		return day.AddDate(0, 0, -1).Format(time.RFC3339), nil
	case "LAST_N_DAYS":
		return day.AddDate(0, 0, -n).Format(time.RFC3339), nil
	case "LAST_WEEK", "THIS_WEEK":
		return day.AddDate(0, 0, -7).Format(time.RFC3339), nil
	case "LAST_MONTH", "THIS_MONTH":
		return day.AddDate(0, -1, 0).Format(time.RFC3339), nil
	}
	if f, err := strconv.ParseFloat(t.text, 64); err == nil {
		return f, nil
	}
	return t.text, nil
}

// tail reads ORDER BY, LIMIT and OFFSET.
func (s *soql) tail() (limit, offset int, err error) {
	limit = 1 << 30
	p := s.p
	for p.peek().kind != 0 {
		switch t := p.take(); {
		case t.is("order") && p.accept("by"):
			for {
				name := p.take().text
				desc := p.accept("desc")
				p.accept("asc")
				if p.accept("nulls") {
					p.take()
				}
				s.q.orders = append(s.q.orders, order{func(r *record) any { _, v, _ := foldedMember(r.obj, name); return v }, desc})
				if !p.accept(",") {
					break
				}
			}
		case t.is("limit"), t.is("offset"):
			n, convErr := strconv.Atoi(p.take().text)
			if convErr != nil || n < 0 {
				return 0, 0, badQuery("%s needs a number.", strings.ToUpper(t.text))
			}
			if t.is("limit") {
				limit = n
			} else {
				offset = n
			}
		default:
			return 0, 0, badQuery("The query is not understood from character %d on.", t.offset+1)
		}
	}
	return limit, offset, nil
}

// sosl runs FIND {words} [IN ... FIELDS] [RETURNING Object(fields) [LIMIT n]].
func (op *operation) sosl(text string) (*result, error) {
	tokens, err := lex(text, "=!<>")
	if err != nil {
		return nil, err
	}
	p := &boolean{tokens: tokens}
	if !p.accept("find") || !p.accept("{") {
		return nil, badQuery("A SOSL search begins with FIND {words}.")
	}
	var words []string
	for !p.peek().is("}") {
		t := p.take()
		if t.kind == 0 {
			return nil, badQuery("The words of FIND need a closing brace.")
		}
		words = append(words, strings.ToLower(strings.Trim(t.text, "*")))
	}
	limit := 200
	for p.peek().kind != 0 {
		if t := p.take(); t.is("limit") {
			if n, err := strconv.Atoi(p.take().text); err == nil {
				limit = n
			}
		}
	}
	list := []any{}
	for _, r := range op.d.table(op.e.Name).rows {
		if len(list) < limit && containsWords(r, words) {
			list = append(list, op.present(op.crmShort(r)))
		}
	}
	return &result{body: appendObject(nil, newObject("searchRecords", list))}, nil
}

// crmShort is the record as searches give it: the documented fields.
func (op *operation) crmShort(r *record) *object {
	o := &object{}
	for _, f := range op.e.Record {
		o.set(f.Name, r.obj.value(f.Name))
	}
	return o
}
