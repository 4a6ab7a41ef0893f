package drift

import (
	"bytes"
	"sort"

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

func sortOf(v rawjson.Node) int {
	switch v.Kind() {
	case rawjson.Null:
		return isNull
	case rawjson.Bool:
		return isBool
	case rawjson.Number:
		if whole(v.Raw()) {
			return isInteger
		}
		return isNumber
	case rawjson.String:
		return isString
	case rawjson.Array:
		return isArray
	case rawjson.Object:
		return isObject
	}
	return -1
}

// whole tells whether a number has no fraction: 1 and 1.0, but not 1e3, which
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

func (t *tally) add(v rawjson.Node, row, keep int) {
	t.n++
	if len(t.first) < keep {
		t.first = append(t.first, spot{row, v})
	}
}

func (t *tally) merge(o *tally, keep int) {
	t.n += o.n
	t.first = append(t.first, o.first...)
	sort.SliceStable(t.first, func(i, j int) bool { return t.first[i].row < t.first[j].row })
	t.first = t.first[:min(len(t.first), keep)]
}

// most bounds how many unknown names, and new values, one place remembers.
const most = 1000

// place is a field where it stands in the record, and what was seen there.
type place struct {
	known *catalog.Field // nil when the catalog has no such field
	name  string         // neutral
	wire  string         // as received, where that is another name
	keep  int

	count int
	sorts [sorts]tally
	// allowed are the JSON texts of an enumeration; strange what else was seen.
	allowed map[string]bool
	strange map[string]*tally

	members []*place
	byName  map[string]int
	guess   int // where the next member is likely to be
	more    int // unknown members beyond most
	elems   *place
	values  *place
	// objects numbers the objects seen here, seenIn is the number of the last one
	// around this place: of a name that stands twice in an object the first counts.
	objects, seenIn int
}

func newRoot(fields []catalog.Field, keep int) *place {
	p := newPlace(&catalog.Field{Type: "object", Members: fields}, "", keep)
	if p.byName == nil {
		p.byName = map[string]int{}
	}
	return p
}

func newPlace(f *catalog.Field, name string, keep int) *place {
	p := &place{known: f, name: name, keep: keep}
	if f == nil {
		return p
	}
	p.allow(f)
	if len(f.Members) > 0 {
		p.byName = make(map[string]int, len(f.Members))
		for i := range f.Members {
			m := &f.Members[i]
			p.byName[m.Name] = len(p.members)
			p.members = append(p.members, newPlace(m, m.Name, keep))
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
		p.elems = newPlace(f.Items, "[]", keep)
	}
	if f.Values != nil {
		p.values = newPlace(f.Values, "*", keep)
	}
	return p
}

// allow notes the values of an enumeration in the specification's words and in
// those of the real service.
func (p *place) allow(f *catalog.Field) {
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
func (p *place) take(v rawjson.Node, row int) {
	if v.Cut() {
		return
	}
	s := sortOf(v)
	if s < 0 {
		return
	}
	p.count++
	p.sorts[s].add(v, row, p.keep)
	switch {
	case s == isObject && p.byName != nil:
		p.object(v, row)
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

func (p *place) object(v rawjson.Node, row int) {
	p.guess = 0
	p.objects++
	v.Pick(p.member, func(i int, v rawjson.Node) bool {
		m := p.members[i]
		if m.seenIn == p.objects && m != p.values {
			return true
		}
		m.seenIn = p.objects
		m.take(v, row)
		return true
	})
}

// member finds the place of a member's name, making one for a name that the
// catalog does not have. Records mostly have their members in the same order.
func (p *place) member(name []byte) int {
	if p.guess < len(p.members) && p.members[p.guess].is(name) {
		p.guess++
		return p.guess - 1
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

func (p *place) is(name []byte) bool {
	return p.wire == "" && p.name == string(name) || p.wire != "" && p.wire == string(name)
}

func (p *place) unknown(name string) int {
	if len(p.byName) >= most+len(p.knownFields()) {
		p.more++
		return -1
	}
	if p.values != nil {
		return p.mapped(name)
	}
	i := len(p.members)
	p.byName[name] = i
	p.members = append(p.members, newPlace(nil, name, p.keep))
	return i
}

// mapped puts all further names of a map that has members of its own in one place.
func (p *place) mapped(name string) int {
	for i, m := range p.members {
		if m == p.values {
			return i
		}
	}
	p.members = append(p.members, p.values)
	return len(p.members) - 1
}

func (p *place) knownFields() []catalog.Field {
	if p.known == nil {
		return nil
	}
	return p.known.Members
}

func (p *place) value(v rawjson.Node, row int) {
	raw := v.Raw()
	if p.allowed[string(raw)] {
		return
	}
	t := p.strange[string(raw)]
	if t == nil {
		if v.Kind() == rawjson.String && p.allowed[string(rawjson.AppendQuoted(nil, v.Text()))] || len(p.strange) == most {
			return
		}
		t = &tally{}
		p.strange[string(raw)] = t
	}
	t.add(v, row, p.keep)
}

// merge adds what another worker saw at the same place.
func (p *place) merge(o *place) {
	p.count += o.count
	p.more += o.more
	if p.wire == "" {
		p.wire = o.wire
	}
	for i := range p.sorts {
		p.sorts[i].merge(&o.sorts[i], p.keep)
	}
	for text, t := range o.strange {
		if mine := p.strange[text]; mine != nil {
			mine.merge(t, p.keep)
		} else {
			p.strange[text] = t
		}
	}
	p.mergeMembers(o)
	if p.elems != nil {
		p.elems.merge(o.elems)
	}
	if p.values != nil {
		p.values.merge(o.values)
	}
}

func (p *place) mergeMembers(o *place) {
	for i, m := range o.members {
		switch {
		case m == o.values:
			p.mapped("")
		case i < len(p.knownFields()):
			p.members[i].merge(m)
		default:
			k, ok := p.byName[m.name]
			if !ok {
				k = p.unknown(m.name)
			}
			if k >= 0 {
				p.members[k].merge(m)
			}
		}
	}
}
