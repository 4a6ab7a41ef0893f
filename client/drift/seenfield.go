package drift

import (
	"bytes"
	"cmp"
	"slices"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// sort of values told apart: the kinds of rawjson, with whole numbers on their own.
const (
	isNull = iota
	isBool
	isInteger
	isNumber
	isString
	isArray
	isObject
	sorts
)

var sortNames = [sorts]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// sortOf is the sort of a value, less than isNull for what is no JSON.
func sortOf(v rawjson.Node) int {
	switch kind := v.Kind(); {
	case kind < rawjson.Number:
		return int(kind) - int(rawjson.Null) + isNull
	case kind == rawjson.Number && whole(v.Raw()):
		return isInteger
	default:
		return int(kind) - int(rawjson.Number) + isNumber
	}
}

// whole reports whether a number has no fraction: 1 and 1.0, but not 1e3, which
// nobody writes for an integer.
func whole(raw []byte) bool {
	dot := bytes.IndexByte(raw, '.')
	if dot < 0 {
		return !bytes.ContainsAny(raw, "eE")
	}
	return len(bytes.Trim(raw[dot+1:], "0")) == 0
}

// tally counts something and keeps the first places where it was.
type tally struct {
	n     int
	first []spot
}

type spot struct {
	row   int
	value rawjson.Node
}

func (t *tally) add(v rawjson.Node, row int) {
	t.n++
	if len(t.first) < examples {
		t.first = append(t.first, spot{row, v})
	}
}

func (t *tally) merge(o *tally) {
	t.n += o.n
	t.first = firstOf(append(t.first, o.first...))
}

// firstOf are as many spots as a finding gets examples, in the order of the records.
func firstOf(spots []spot) []spot {
	slices.SortStableFunc(spots, func(a, b spot) int { return cmp.Compare(a.row, b.row) })
	return spots[:min(len(spots), examples)]
}

const (
	// most bounds how many unknown names, and new values, one place remembers.
	most = 1000
	// examples is how many examples a finding gets at most.
	examples = 3
)

// seenField is a field where it stands in the record, and what was seen there.
type seenField struct {
	known *catalog.Field // nil when the catalog has no such field
	name  string         // neutral
	wire  string         // as received, where that is another name

	count int
	sorts [sorts]tally
	// allowed are the JSON texts of an enumeration; strange what else was seen.
	allowed map[string]bool
	strange map[string]*tally

	members    []*seenField
	documented int // how many of the members the catalog has: the first
	byName     map[string]int
	guess      int // where the next member is likely to be
	more       int // unknown members beyond most
	elems      *seenField
	values     *seenField
	// objects numbers the objects seen here, seenIn is the number of the last one
	// around this place: of a name that stands twice in an object the first counts.
	objects, seenIn int
}

func newSeenField(f *catalog.Field, name string) *seenField {
	p := &seenField{known: f, name: name}
	if f == nil {
		return p
	}
	p.allow(f)
	if p.documented = len(f.Members); p.documented > 0 {
		p.byName = make(map[string]int, len(f.Members))
		for i := range f.Members {
			m := &f.Members[i]
			p.byName[m.Name] = len(p.members)
			p.members = append(p.members, newSeenField(m, m.Name))
		}
		for i := range f.Members {
			if alias := f.Members[i].Alias; alias != "" {
				if _, taken := p.byName[alias]; !taken {
					p.byName[alias] = i
				}
			}
		}
	}
	if f.Items != nil {
		p.elems = newSeenField(f.Items, "[]")
	}
	if f.Values != nil {
		p.values = newSeenField(f.Values, "*")
	}
	return p
}

// allow notes the values of an enumeration in the specification's words and in
// those of the real service.
func (p *seenField) allow(f *catalog.Field) {
	values := f.Enum
	if f.Const != nil {
		values = append(values[:len(values):len(values)], f.Const)
	}
	if len(values) == 0 || f.Separator != "" {
		return
	}
	p.allowed, p.strange = map[string]bool{}, map[string]*tally{}
	for _, v := range values {
		p.allowed[string(v)] = true
		if n := rawjson.Parse(v); n.Kind() == rawjson.String {
			p.allowed[string(rawjson.AppendQuoted(nil, n.Text()))] = true
			if wire, ok := f.WireValues[n.Text()]; ok {
				p.allowed[string(rawjson.AppendQuoted(nil, wire))] = true
			}
		}
	}
}

// take looks at a value. How deep it goes is bounded by the catalog, not by the data.
func (p *seenField) take(v rawjson.Node, row int) {
	if v.Cut() {
		return
	}
	s := sortOf(v)
	if s < isNull {
		return
	}
	p.count++
	p.sorts[s].add(v, row)
	switch {
	case s == isObject && p.byName != nil:
		p.guess = 0
		p.objects++
		v.Pick(p.member, func(i int, v rawjson.Node) bool {
			if m := p.members[i]; m.seenIn != p.objects || m == p.values {
				m.seenIn = p.objects
				m.take(v, row)
			}
			return true
		})
	case s == isObject && p.values != nil:
		for m := range v.Members() {
			p.values.take(m.Value, row)
		}
	case s == isArray && p.elems != nil:
		for e := range v.Elems() {
			p.elems.take(e, row)
		}
	case p.allowed != nil && s != isNull && s < isArray:
		p.value(v, row)
	}
}

// member finds the place of a member's name, making one for a name that the
// catalog does not have. Records mostly have their members in the same order.
func (p *seenField) member(name []byte) int {
	if p.guess < len(p.members) {
		if m := p.members[p.guess]; string(name) == cmp.Or(m.wire, m.name) {
			p.guess++
			return p.guess - 1
		}
	}
	i, ok := p.byName[string(name)]
	if !ok {
		if i = p.unknown(string(name)); i < 0 {
			return -1
		}
	}
	if m := p.members[i]; m.wire == "" && m.name != string(name) {
		m.wire = string(name)
	}
	p.guess = i + 1
	return i
}

// unknown makes a place for a name that the catalog does not have; -1 when there
// are too many.
func (p *seenField) unknown(name string) int {
	if len(p.byName) >= most+p.documented {
		p.more++
		return -1
	}
	if p.values != nil {
		return p.mapped()
	}
	i := len(p.members)
	p.byName[name] = i
	p.members = append(p.members, newSeenField(nil, name))
	return i
}

// mapped puts all further names of a map that has members of its own in one place.
func (p *seenField) mapped() int {
	i := slices.Index(p.members, p.values)
	if i < 0 {
		i = len(p.members)
		p.members = append(p.members, p.values)
	}
	return i
}

func (p *seenField) value(v rawjson.Node, row int) {
	raw := v.Raw()
	if p.allowed[string(raw)] {
		return
	}
	t := p.strange[string(raw)]
	if t == nil {
		if v.Kind() == rawjson.String && p.allowed[string(rawjson.AppendQuoted(nil, v.Text()))] ||
			len(p.strange) == most {
			return
		}
		t = &tally{}
		p.strange[string(raw)] = t
	}
	t.add(v, row)
}

// merge adds what another worker saw at the same place.
func (p *seenField) merge(o *seenField) {
	p.count += o.count
	p.more += o.more
	if p.wire == "" {
		p.wire = o.wire
	}
	for i := range p.sorts {
		p.sorts[i].merge(&o.sorts[i])
	}
	for text, t := range o.strange {
		if mine := p.strange[text]; mine != nil {
			mine.merge(t)
		} else {
			p.strange[text] = t
		}
	}
	for i, m := range o.members {
		switch {
		case m == o.values:
			p.mapped()
			continue
		case i >= p.documented:
			k, ok := p.byName[m.name]
			if !ok {
				k = p.unknown(m.name)
			}
			if i = k; i < 0 {
				continue
			}
		}
		p.members[i].merge(m)
	}
	if p.elems != nil {
		p.elems.merge(o.elems)
	}
	if p.values != nil {
		p.values.merge(o.values)
	}
}
