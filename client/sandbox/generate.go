package sandbox

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// maker makes the fields of one record. Each field draws from its own stream,
// seeded by the record and the field's name, so any field of any record can be
// known without making the rest.
type maker struct {
	d       *dataset
	e       *catalog.Entity
	n       int
	seed    uint64
	r       data.Random
	p       *data.Persona
	created time.Time
	updated time.Time
	// words are what names of fields say in the entity.
	words *memo[string, *fieldName]
	// current is the evaluation of a template that runs.
	current making
}

func (d *dataset) maker(e *catalog.Entity, n int) *maker {
	m := &maker{d: d, e: e, n: n, seed: data.Hash(d.seed+uint64(n)*0x9e3779b97f4a7c15, e.Name)}
	m.words = d.words.of(e, func() *memo[string, *fieldName] { return &memo[string, *fieldName]{} })
	m.r.State = m.seed
	m.p = data.NewPersona(&m.r, n)
	step := 2 * 365 * 24 * time.Hour / time.Duration(d.count(e)+1)
	m.created = d.anchor.Add(-step*time.Duration(n) - time.Duration(m.r.Below(int(step/time.Second)))*time.Second)
	age := d.anchor.Sub(m.created)
	m.updated = m.created.Add(time.Duration(float64(age) * float64(m.r.Below(1000)) / 1000))
	return m
}

// make builds record n of an entity.
func (d *dataset) make(e *catalog.Entity, n int) *data.Record {
	m := d.maker(e, n)
	fields := m.d.fields(e)
	o := &rawjson.Map{Keys: make([]string, 0, len(fields)), Vals: make([]any, 0, len(fields))}
	for i := range fields {
		o.Keys = append(o.Keys, fields[i].Name)
		o.Vals = append(o.Vals, m.field(&fields[i]))
	}
	return &data.Record{Obj: o, N: n, Hidden: m.hidden(), At: m.created}
}

// peek returns one top-level field of record n without making the record.
func (d *dataset) peek(e *catalog.Entity, n int, name string) any {
	if t := d.tables[e.Name]; t != nil && n >= 0 && n < len(t.Rows) && t.Rows[n] != nil && t.Rows[n].N == n {
		return t.Rows[n].Obj.Value(name)
	}
	if f := catalog.FieldByName(d.fields(e), name); f != nil {
		return d.maker(e, n).field(f)
	}
	return nil
}

// field makes a top-level field.
func (m *maker) field(f *catalog.Field) any {
	m.r.State = data.Hash(m.seed, f.Name)
	if f.Const != nil {
		return constant(f.Const)
	}
	switch r := m.d.recipe(m, f); {
	case r.made != nil:
		return m.fieldBy(r.made, f)
	case r.key && r.ref.entity != nil: // records of the other entity, one for one
		return fitted(f, m.d.peek(r.ref.entity, m.n, r.ref.field))
	case r.key && strings.HasSuffix(m.word(f.Name).normal, "email"):
		return m.p.Email(m.n)
	case r.key:
		return typedID(f, m.id(m.e.Name, m.n, m.d.count(m.e)), &m.r)
	case r.ref.entity != nil:
		return m.foreign(f, r.ref)
	case len(r.enum) > 0:
		return constant(r.enum[m.r.Below(len(r.enum))])
	case len(r.inside) > 0:
		v := m.value(f)
		for _, in := range r.inside {
			n, own := m.parentOf(f, in.ref.entity)
			m.point(v, in.path, in.ref, func() int {
				if own {
					return n
				}
				return m.r.Skewed(m.d.count(in.ref.entity))
			})
		}
		return v
	}
	return m.value(f)
}

// fieldName is what a field's name says, worked out once per name and entity.
type fieldName struct {
	normal string
	role   timeRole
	// words make texts, where the catalog, the vocabulary or the rules of texts know the name.
	words template
	// ruled makes values of the type whose rules are section.
	ruled   template
	section string
}

func (m *maker) word(name string) *fieldName {
	return m.words.of(name, func() *fieldName {
		n, own, every := data.Normal(name), m.d.factsOf(m.e), &m.d.facts.Every
		w := &fieldName{normal: n, role: m.d.roleOf(name)}
		ruled, _ := match("texts", n)
		text := cmp.Or(own.Words[n], every.Words[n], ruled)
		if text == "{state}" {
			text = cmp.Or(own.States, every.States, "{active|active|archived|pending}")
		}
		if text != "" {
			w.words = compileText(text)
		}
		return w
	})
}

// constant reads a value of the catalog; plain texts need no parser.
func constant(raw json.RawMessage) any {
	if n := len(raw); n >= 2 && raw[0] == '"' && raw[n-1] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : n-1])
	}
	v, err := data.Parse(raw)
	if err != nil {
		return nil
	}
	return v
}

func hasField(fields []catalog.Field, name string) bool {
	return catalog.FieldByName(fields, name) != nil
}

// value makes a field by its declaration and name.
func (m *maker) value(f *catalog.Field) any {
	if f.Const != nil {
		return constant(f.Const)
	}
	if f.Nullable && m.r.Chance(12) && m.word(f.Name).role != timeCreated {
		return nil
	}
	if len(f.Enum) > 0 {
		return constant(f.Enum[m.r.Early(len(f.Enum))])
	}
	w := m.word(f.Name)
	switch t, _, _ := strings.Cut(f.Type, "|"); {
	case t == "integer" && w.role != notTime && !strings.Contains(w.normal, "hour"),
		t == "integer" && strings.HasPrefix(f.Format, "unix"):
		return m.d.writeTime(f, m.moment(cmp.Or(w.role, timeLater)))
	case t == "integer" && f.Min != nil && f.Max != nil:
		return int64(m.r.Between(int(*f.Min), int(*f.Max)))
	case t == "integer":
		return m.ruled("integers", f)
	case t == "number":
		return m.ruled("numbers", f)
	case t == "boolean":
		return m.ruled("booleans", f)
	case t == "object", t == "any" && len(f.Members) > 0:
		return m.object(f)
	case t == "array" && (f.Items == nil || f.Items.Type == "any"):
		return m.r.Tags()
	case t == "array":
		out, item := []any{}, m.d.items.of(f, func() *catalog.Field {
			named := *f.Items // an element is called by the array's name in the singular
			named.Name = cmp.Or(named.Name, data.Singular(f.Name))
			return &named
		})
		for range m.r.Below(4) {
			out = append(out, m.value(item))
		}
		return out
	}
	return m.text(f)
}

// object makes an object from its members, or from what objects of that name hold.
func (m *maker) object(f *catalog.Field) any {
	n := len(f.Members)
	switch {
	case n == 0 && f.Values != nil:
		return rawjson.NewMap(m.r.Pick(data.Words("noun")), m.value(f.Values))
	case n == 0:
		return m.ruled("objects", f)
	}
	o := &rawjson.Map{Keys: make([]string, 0, n), Vals: make([]any, 0, n)}
	place := hasField(f.Members, "city") || hasField(f.Members, "country") && hasField(f.Members, "state")
	for i := range f.Members {
		of := &f.Members[i]
		v := m.value(of)
		switch {
		case of.Name == "state" && place:
			v = m.r.Pick(data.Words("region"))
		case of.Name == "object" && of.Const == nil && len(of.Enum) == 0:
			v = data.Singular(f.Name)
		}
		o.Add(of.Name, v)
	}
	return o
}

// ruled makes a value by the rules of its type.
func (m *maker) ruled(section string, f *catalog.Field) any {
	w := m.word(f.Name)
	if w.ruled == nil || w.section != section {
		text, _ := match(section, w.normal)
		w.section, w.ruled = section, compileText(text)
		if section == "objects" {
			w.ruled = compile(constant(json.RawMessage(text)))
		}
	}
	return m.fieldBy(w.ruled, f)
}

// moment is a point in time for a role.
func (m *maker) moment(role timeRole) time.Time {
	switch role {
	case timeCreated:
		return m.created
	case timeUpdated:
		return m.updated
	case timeFuture:
		return m.created.Add(time.Duration(m.r.Between(5, 120)) * 24 * time.Hour)
	}
	return m.created.Add(time.Duration(m.r.Below(int(max(m.d.anchor.Sub(m.created)/time.Second, 1)))) * time.Second)
}

// object is the third party's name of an entity's records.
func (d *dataset) object(e *catalog.Entity) string {
	if name := d.factsOf(e).Object; name != "" {
		return name
	}
	s := data.Singular(e.Name)
	return strings.ToUpper(s[:1]) + s[1:]
}
