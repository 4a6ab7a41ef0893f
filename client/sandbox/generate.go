package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// maker makes the fields of one record. Each field draws from its own stream,
// seeded by the record and the field's name, so any field of any record can be
// known without making the rest.
type maker struct {
	d       *dataset
	e       *catalog.Entity
	n       int
	seed    uint64
	r       random
	p       *persona
	created time.Time
	updated time.Time
}

func (d *dataset) maker(e *catalog.Entity, n int) *maker {
	m := &maker{d: d, e: e, n: n, seed: hash(d.seed+uint64(n)*0x9e3779b97f4a7c15, e.Name)}
	m.r.state = m.seed
	m.p = newPersona(&m.r, n)
	step := 2 * 365 * 24 * time.Hour / time.Duration(d.count(e)+1)
	m.created = d.anchor.Add(-step*time.Duration(n) - time.Duration(m.r.below(int(step/time.Second)))*time.Second)
	age := d.anchor.Sub(m.created)
	m.updated = m.created.Add(time.Duration(float64(age) * float64(m.r.below(1000)) / 1000))
	return m
}

// make builds record n of an entity.
func (d *dataset) make(e *catalog.Entity, n int) *record {
	m := d.maker(e, n)
	fields := m.d.fields(e)
	o := &object{keys: make([]string, 0, len(fields)), vals: make([]any, 0, len(fields))}
	for i := range fields {
		o.keys = append(o.keys, fields[i].Name)
		o.vals = append(o.vals, m.field(&fields[i]))
	}
	r := &record{obj: o, n: n, hidden: m.hidden(), at: m.created}
	if drifts(d.kind.Name, e.Name) {
		addDrift(m, r)
	}
	return r
}

// fields are those of an entity's records. A CRM object has its searchable
// fields too, of which a query selects; where no source tells the record, the
// searchable fields or an id and a name stand in.
func (d *dataset) fields(e *catalog.Entity) []catalog.Field {
	if f, ok := d.records[e.Name]; ok {
		return f
	}
	fields := e.Record
	switch {
	case d.kind.Name == "crm" && len(fields) > 0:
		fields = slices.Clone(fields)
		for _, f := range append(slices.Clone(e.Search), crmColumns(e)...) {
			if !hasField(fields, f.Name) {
				fields = append(fields, f)
			}
		}
	case len(fields) == 0 && len(e.Search) > 0:
		fields = e.Search
	case len(fields) == 0:
		fields = []catalog.Field{{Name: "id", Type: "string"}, {Name: "name", Type: "string"}, {Name: "created_at", Type: "string"}}
	}
	d.records[e.Name] = fields
	return fields
}

// crmColumns are the columns that every CRM object has, and those that the
// catalog's own example query of the entity selects.
func crmColumns(e *catalog.Entity) []catalog.Field {
	names := []string{"CreatedDate", "LastModifiedDate", "SystemModstamp"}
	if a := e.Action(catalog.ActionList); a != nil {
		if q := fieldNamed(a.Params, "q"); q != nil && q.Default != nil {
			text := strings.TrimPrefix(asText(constant(q.Default)), "SELECT ")
			columns, _, _ := strings.Cut(text, " FROM ")
			names = append(names, strings.Split(columns, ", ")...)
		}
	}
	var out []catalog.Field
	for _, n := range names {
		if n = strings.TrimSpace(n); n != "" && !strings.ContainsAny(n, "(. ") {
			out = append(out, catalog.Field{Name: n, Type: "string"})
		}
	}
	return out
}

// peek returns one top-level field of record n without making the record.
func (d *dataset) peek(e *catalog.Entity, n int, name string) any {
	if t := d.tables[e.Name]; t != nil && n < len(t.rows) && t.rows[n] != nil && t.rows[n].n == n {
		return t.rows[n].obj.value(name)
	}
	m := d.maker(e, n)
	if f := fieldNamed(d.fields(e), name); f != nil {
		return m.field(f)
	}
	if s := m.hidden(); s != nil {
		return s.value(name)
	}
	return nil
}

// recipe is how a top-level field is made, worked out once per field.
type recipe struct {
	made func(*maker, *catalog.Field) any
	key  bool
	ref  reference
	enum []json.RawMessage
}

func (m *maker) recipe(f *catalog.Field) *recipe {
	r := m.d.recipes[f]
	if r != nil {
		return r
	}
	r = &recipe{made: special(m.d.kind.Name + "." + m.e.Name + "." + f.Name), key: f.Name == keyField(m.e)}
	if r.made == nil && !r.key {
		if r.made = special(m.d.kind.Name + ".*." + f.Name); r.made == nil {
			r.ref = m.d.reference(m.e, f)
		}
	}
	if len(f.Enum) == 0 && (strings.HasPrefix(f.Type, "string") || strings.HasPrefix(f.Type, "integer")) {
		r.enum = m.d.enumOf(m.e, f.Name)
	}
	m.d.recipes[f] = r
	return r
}

// field makes a top-level field.
func (m *maker) field(f *catalog.Field) any {
	m.r.state = hash(m.seed, f.Name)
	if f.Const != nil {
		return constant(f.Const)
	}
	switch r := m.recipe(f); {
	case r.made != nil:
		return r.made(m, f)
	case r.key:
		return m.key(f)
	case r.ref.entity != nil:
		return m.foreign(f, r.ref)
	case len(r.enum) > 0:
		return constant(r.enum[m.r.below(len(r.enum))])
	}
	return m.value(f, 0)
}

// fieldName is what a field's name says, worked out once per name.
type fieldName struct {
	normal string
	words  []string
	role   timeRole
	rule   func(m *maker, n string) any
}

func (d *dataset) word(name string) *fieldName {
	w := d.words[name]
	if w != nil {
		return w
	}
	w = &fieldName{normal: normal(name), role: roleOf(name)}
	for i := range textRules {
		if textRules[i].match(w.normal) {
			w.rule = textRules[i].make
			break
		}
	}
	if w.words = words()[d.kind.Name+"."+w.normal]; w.words == nil {
		w.words = words()[w.normal]
	}
	d.words[name] = w
	return w
}

// constant reads a value of the catalog; plain texts need no parser.
func constant(raw json.RawMessage) any {
	if n := len(raw); n >= 2 && raw[0] == '"' && raw[n-1] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : n-1])
	}
	v, err := parseJSON(raw)
	if err != nil {
		return nil
	}
	return v
}

// key makes the record's own identifier.
func (m *maker) key(f *catalog.Field) any {
	return typedID(f, idStyles(m.d.kind.Name)(&m.r, m.e.Name, m.n, m.d.count(m.e)), &m.r)
}

// foreign points at a record of another entity: half of all at the first one,
// so that a person who opens it finds plenty.
func (m *maker) foreign(f *catalog.Field, ref reference) any {
	if f.Nullable && m.r.chance(10) {
		return nil
	}
	n := m.r.skewed(m.d.count(ref.entity))
	v := m.d.peek(ref.entity, n, ref.field)
	if strings.Contains(f.Type, "object") && !strings.Contains(f.Type, "string") {
		return m.embedded(f, ref, n)
	}
	if f.Type == "array" {
		return []any{v, m.d.peek(ref.entity, n+1, ref.field)}
	}
	if f.Type == "integer" {
		if i, ok := asInt(v); ok {
			return i
		}
	}
	if f.Type == "string" {
		return asText(v)
	}
	return v
}

// embedded is a short form of another record, as vendors nest it.
func (m *maker) embedded(f *catalog.Field, ref reference, n int) any {
	names := []string{ref.field, "key", "slug", "name", "self", "email", "username"}
	for _, member := range f.Members {
		names = append(names, member.Name)
	}
	o := &object{}
	for _, name := range names {
		if len(f.Members) > 0 && name != ref.field && !hasField(f.Members, name) {
			continue
		}
		if hasField(ref.entity.Record, name) && !o.has(name) {
			o.set(name, m.d.peek(ref.entity, n, name))
		}
	}
	for i := range f.Members {
		if !o.has(f.Members[i].Name) {
			o.set(f.Members[i].Name, m.value(&f.Members[i], 1))
		}
	}
	return o
}

func hasField(fields []catalog.Field, name string) bool { return fieldNamed(fields, name) != nil }

func fieldNamed(fields []catalog.Field, name string) *catalog.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// value makes a field by its declaration and name.
func (m *maker) value(f *catalog.Field, depth int) any {
	if f.Const != nil {
		return constant(f.Const)
	}
	if f.Nullable && m.r.chance(12) && m.d.word(f.Name).role != timeCreated {
		return nil
	}
	if len(f.Enum) > 0 {
		return constant(f.Enum[m.pickEnum(len(f.Enum))])
	}
	switch t, _, _ := strings.Cut(f.Type, "|"); t {
	case "integer":
		return m.integer(f)
	case "number":
		return m.amount(m.d.word(f.Name).normal)
	case "boolean":
		return m.boolean(f)
	case "object":
		return m.object(f, depth)
	case "array":
		return m.array(f, depth)
	case "any":
		return m.anything(f, depth)
	}
	return m.text(f)
}

// pickEnum prefers the first values, which vendors list by importance.
func (m *maker) pickEnum(n int) int {
	if m.r.chance(40) {
		return 0
	}
	return m.r.below(n)
}

func (m *maker) anything(f *catalog.Field, depth int) any {
	if len(f.Members) > 0 || objectByName(m.d.word(f.Name).normal) {
		return m.object(f, depth)
	}
	return m.text(f)
}

// object makes an object from its members, or from what objects of that name hold.
func (m *maker) object(f *catalog.Field, depth int) any {
	if depth > 5 {
		return &object{}
	}
	if len(f.Members) == 0 {
		if f.Values != nil {
			return newObject(m.r.pick(nouns), m.value(f.Values, depth+1))
		}
		return m.namedObject(f)
	}
	n := len(f.Members)
	o := &object{keys: make([]string, 0, n), vals: make([]any, 0, n)}
	place := hasField(f.Members, "city") || hasField(f.Members, "country") && hasField(f.Members, "state")
	for i := range f.Members {
		o.keys = append(o.keys, f.Members[i].Name)
		o.vals = append(o.vals, m.value(&f.Members[i], depth+1))
		if place && f.Members[i].Name == "state" {
			o.set("state", m.r.pick(regions))
		}
		if f.Members[i].Name == "object" && f.Members[i].Const == nil && len(f.Members[i].Enum) == 0 {
			o.set("object", singular(f.Name))
		}
	}
	return o
}

func (m *maker) array(f *catalog.Field, depth int) any {
	out := []any{}
	if depth > 5 {
		return out
	}
	if f.Items == nil || f.Items.Type == "any" {
		return m.r.tags()
	}
	item := *f.Items
	if item.Name == "" {
		item.Name = singular(f.Name)
	}
	for range m.r.below(4) {
		out = append(out, m.value(&item, depth+1))
	}
	return out
}

func (m *maker) boolean(f *catalog.Field) any {
	switch n := m.d.word(f.Name).normal; {
	case n == "livemode", n == "isdeleted", n == "archived", n == "intrash", n == "isarchived", n == "deleted", n == "hidden", n == "istest":
		return n == "livemode" && m.r.chance(90) || n != "livemode" && m.r.chance(8)
	case n == "active", n == "isactive", n == "enabled", n == "paid", n == "captured":
		return m.r.chance(80)
	}
	return m.r.chance(35)
}

func (m *maker) integer(f *catalog.Field) any {
	n := m.d.word(f.Name).normal
	if role := m.d.word(f.Name).role; role != notTime && !strings.Contains(n, "hour") {
		return writeTime(m.d.kind.Name, f, m.moment(role))
	}
	switch {
	case f.Min != nil && f.Max != nil:
		return int64(m.r.between(int(*f.Min), int(*f.Max)))
	case strings.HasSuffix(n, "id"):
		return int64(m.r.between(1000, 999999))
	case strings.HasSuffix(n, "attemptcount"), strings.HasSuffix(n, "retrycount"), strings.HasSuffix(n, "rating"):
		return int64(m.r.below(6))
	case m.d.kind.Name == "payments" && (n == "start" || n == "end"):
		return m.moment(timeLater).Unix()
	case n == "timeestimate" || n == "timespent":
		return int64(m.r.between(1, 40)) * 900000
	case strings.HasSuffix(n, "count"):
		return int64(m.r.below(5000))
	case strings.Contains(n, "amount"), strings.Contains(n, "total"), strings.Contains(n, "price"), n == "fee", n == "net", strings.Contains(n, "subtotal"):
		return int64(m.r.between(3, 900)) * 50
	case n == "balance", n == "accountbalance", strings.HasSuffix(n, "balance"):
		return int64(m.r.between(-20, 60)) * 100
	case n == "number", n == "orderindex", n == "position":
		return int64(m.d.count(m.e) - m.n)
	case strings.Contains(n, "duration"), strings.HasSuffix(n, "seconds"):
		return int64(m.r.between(60, 5400))
	case strings.Contains(n, "percent"), strings.Contains(n, "rating"), strings.Contains(n, "hour"):
		return int64(m.r.below(24))
	case strings.Contains(n, "count"), strings.Contains(n, "size"), strings.HasPrefix(n, "num"):
		return int64(m.r.below(5000))
	}
	return int64(m.r.below(400))
}

// amount is a number that may have a fraction. Payments counts money in cents.
func (m *maker) amount(n string) any {
	switch {
	case n == "probability":
		return int64(m.r.below(21)) * 5
	case strings.Contains(n, "percent"), strings.HasSuffix(n, "rate"), strings.HasSuffix(n, "ratio"), n == "ctr":
		return float64(m.r.below(2500)) / 100
	case n == "points", strings.Contains(n, "rating"), strings.HasSuffix(n, "score"):
		return int64(m.r.below(14))
	case m.d.kind.Name == "payments" && (strings.Contains(n, "amount") || strings.Contains(n, "total") || strings.Contains(n, "price")):
		return int64(m.r.between(3, 900)) * 50
	}
	return float64(m.r.between(100, 900000)) / 100
}

// moment is a point in time for a role.
func (m *maker) moment(role timeRole) time.Time {
	switch role {
	case timeCreated:
		return m.created
	case timeUpdated:
		return m.updated
	case timeFuture:
		return m.created.Add(time.Duration(m.r.between(5, 120)) * 24 * time.Hour)
	}
	return m.created.Add(time.Duration(m.r.below(int(max(m.d.anchor.Sub(m.created)/time.Second, 1)))) * time.Second)
}

func (m *maker) number() string { return strconv.Itoa(m.d.count(m.e) - m.n) }
