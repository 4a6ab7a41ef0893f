package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// dataset is everything behind one connector: tables that are made when they
// are first asked for and change with the writes they receive. Its methods are
// called with the connector's lock held.
type dataset struct {
	kind   *catalog.Kind
	facts  *catalog.Sandbox // of the catalog's sandbox section
	seed   uint64
	anchor time.Time // the newest moment of generated records
	now    func() time.Time
	size   int // records of an ordinary entity
	serial int // counts created records
	tables map[string]*data.Table
	kept   *keeper // of the service, or its own

	// What was worked out once, by entity, action or field.
	plans    memo[*catalog.Action, *plan]
	scopes   memo[string, []scope]
	records  memo[string, []catalog.Field]
	replicas memo[string, []catalog.Field]
	recipes  memo[*catalog.Field, *recipe]
	words    memo[*catalog.Entity, *memo[string, *fieldName]]
	ids      memo[string, template]
	items    memo[*catalog.Field, *catalog.Field]
	counts   memo[*catalog.Entity, int]
	draws    memo[string, template]
	unseen   memo[string, template]
	// called are the fields of records by their normalised names.
	called memo[*catalog.Entity, map[string]string]
}

// memo holds what was worked out once.
type memo[K comparable, V any] map[K]V

// of is the value for a key, worked out where it is not known.
func (m *memo[K, V]) of(key K, make func() V) V {
	if v, known := (*m)[key]; known {
		return v
	}
	v := make()
	if *m == nil {
		*m = memo[K, V]{}
	}
	(*m)[key] = v
	return v
}

func newDataset(k *catalog.Kind, seed uint64, size int, now func() time.Time) *dataset {
	d := &dataset{kind: k, facts: k.Sandbox, seed: data.Hash(seed, k.Name),
		anchor: now().UTC().Truncate(24 * time.Hour), now: now, size: size, tables: map[string]*data.Table{},
		kept: &keeper{}}
	if d.facts == nil {
		d.facts = &catalog.Sandbox{}
	}
	return d
}

// factsOf are the facts of an entity.
func (d *dataset) factsOf(e *catalog.Entity) catalog.SandboxEntity { return d.facts.Entities[e.Name] }

// param is what the catalog's sandbox section says of a param.
func (d *dataset) param(e *catalog.Entity, name string) catalog.SandboxParam {
	if p, told := d.factsOf(e).Params[name]; told {
		return p
	}
	return d.facts.Every.Params[name]
}

func (d *dataset) entity(name string) *catalog.Entity { return d.kind.Entity(name) }

// base is the entity whose table holds the records of the named one.
func (d *dataset) base(name string) *catalog.Entity {
	if of := d.facts.Entities[name].ViewOf; of != "" {
		name = of
	}
	return d.entity(name)
}

// table returns the records of an entity, made on first use.
func (d *dataset) table(name string) *data.Table {
	e := d.base(name)
	if e == nil {
		return nil
	}
	if t := d.tables[e.Name]; t != nil {
		t.Used = d.kept.clock.Add(1)
		return t
	}
	d.kept.fresh.Store(true)
	count := d.count(e)
	t := &data.Table{Used: d.kept.clock.Add(1), Entity: e, Key: e.Key, Rows: make([]*data.Record, count),
		ByKey: make(map[string]*data.Record, count)}
	d.tables[e.Name] = t
	for n := range count {
		r := d.make(e, n)
		t.Rows[n] = r
		t.ByKey[r.Obj.Text(t.Key)] = r
	}
	if finish := finishes[d.kind.Name+"."+e.Name]; finish != nil {
		finish(t)
	}
	return t
}

// count is how many records of an entity are generated.
func (d *dataset) count(e *catalog.Entity) int {
	return d.counts.of(e, func() int {
		if key := catalog.FieldByName(e.Record, e.Key); key != nil { // one for each record of another entity
			if of := d.toldReference(e.Name, key).entity; of != nil {
				return d.count(of)
			}
		}
		switch n := d.factsOf(e).Count; {
		case n > 0:
			return n
		case slices.Contains(d.facts.Crowded, e.Name):
			return d.size * 8
		}
		parent := func(p catalog.Field) bool { return p.Required && (scoping(&p) || p.Name == "filter") }
		if a := e.Action(catalog.ActionList); a != nil && slices.ContainsFunc(a.Params, parent) {
			return d.size * 4 // below a parent only: so the first parent has plenty
		}
		return d.size
	})
}

// reference is the entity and field that another entity's field points at.
type reference struct {
	entity *catalog.Entity
	field  string
}

// scope is a param that names what the records of a list belong to, where the
// record itself does not tell.
type scope struct {
	param  string
	parent reference // entity nil when nothing in the catalog has such records
}

// reference finds what a record field points at: told by the catalog, or by the
// field's name being that of an entity.
func (d *dataset) reference(e *catalog.Entity, f *catalog.Field) reference {
	if ref := d.toldReference(e.Name, f); ref.entity != nil {
		return ref
	}
	if f.Type == "boolean" || f.Type == "number" || f.Format != "" || d.roleOf(f.Name) != notTime || f.Type == "array" {
		return reference{}
	}
	n := data.Normal(f.Name)
	stem := strings.TrimSuffix(n, "id")
	object := strings.HasPrefix(f.Type, "object")
	if stem == n && !object && (!d.facts.NamedRefs || !strings.Contains(f.Type, "string")) {
		return reference{}
	}
	ref := d.namedReference(e, stem)
	if ref.entity == nil && among("persons", stem) {
		ref = d.namedReference(e, "user")
	}
	return ref
}

// toldReference follows the catalog's own word about a field or param.
func (d *dataset) toldReference(entity string, f *catalog.Field) reference {
	if f.Ref != "" {
		name, field, _ := strings.Cut(f.Ref, ".")
		if to := d.base(name); to != nil && to.Name != entity {
			return reference{to, cmp.Or(field, to.Key)}
		}
	}
	for _, rel := range d.kind.Relations {
		if rel.From == entity && rel.Field == f.Name {
			if to := d.base(rel.To); to != nil {
				return reference{to, cmp.Or(rel.Key, to.Key)}
			}
		}
	}
	return reference{}
}

// namedReference finds the entity whose singular name the stem is.
func (d *dataset) namedReference(e *catalog.Entity, stem string) reference {
	if stem == "" {
		return reference{}
	}
	for i := range d.kind.Entities {
		to := &d.kind.Entities[i]
		if data.Normal(data.Singular(to.Name)) == stem && to.Name != e.Name && len(to.Record) > 0 &&
			d.base(to.Name) == to {
			return reference{to, to.Key}
		}
	}
	return reference{}
}

// scopesOf lists the params of an entity's list and get that its records do not answer themselves.
func (d *dataset) scopesOf(e *catalog.Entity) []scope {
	return d.scopes.of(e.Name, func() (out []scope) {
		for _, view := range d.kind.Entities {
			for i := range view.Actions {
				a := &view.Actions[i]
				isList := a.Name == catalog.ActionList
				if d.base(view.Name) != e || !isList && a.Name != catalog.ActionGet {
					continue
				}
				for j := range a.Params {
					p := &a.Params[j]
					if _, told := d.recordField(e, p.Name); !told && p.Required && scoping(p) &&
						!hasScope(out, p.Name) && (isList || p.Name != d.keyParam(e, a)) {
						out = append(out, scope{p.Name, d.paramReference(e, p)})
					}
				}
			}
		}
		return out
	})
}

func hasScope(scopes []scope, param string) bool {
	return slices.ContainsFunc(scopes, func(s scope) bool { return s.param == param })
}

// scoping reports params that name a parent from those that ask something.
func scoping(p *catalog.Field) bool {
	if p.Type == "object" || p.Type == "array" || p.Type == "boolean" || p.In == "body" || len(p.Enum) > 0 ||
		p.Format == "jql" || among("asking", p.Name) {
		return false
	}
	return !constantHeader(p) && !strings.HasPrefix(strings.ToLower(p.Name), "marketplaceids")
}

func constantHeader(p *catalog.Field) bool {
	return p.In == "header" || strings.HasPrefix(p.Name, "Amazon-")
}

// paramReference finds the records that a scoping param names.
func (d *dataset) paramReference(e *catalog.Entity, p *catalog.Field) reference {
	if ref := d.toldReference(e.Name, p); ref.entity != nil {
		return ref
	}
	if s, told := d.facts.Scopes[p.Name]; told {
		entity, field, _ := strings.Cut(s.Of, ".")
		return reference{d.entity(entity), field}
	}
	return d.namedReference(e, strings.TrimSuffix(strings.TrimSuffix(data.Normal(p.Name), "id"), "idorkey"))
}

// parentName is how records name the parent that a scoping param speaks of, by
// whatever of its names; a parent that does not exist is refused.
func (d *dataset) parentName(s scope, params *rawjson.Map) string {
	want, told, t := params.Text(s.param), d.facts.Scopes[s.param], d.table(s.parent.entity.Name)
	place := func(told catalog.Scope) string { _, path, _ := strings.Cut(told.Of, "."); return path }
	if path := place(told); told.With != "" { // a name within another scope: a repository of its owner
		outer := params.Text(told.With)
		for _, r := range t.Rows {
			name, _ := data.At(r.Obj, path)
			within, _ := data.At(r.Obj, place(d.facts.Scopes[told.With]))
			if text := rawjson.TextOf(name); strings.EqualFold(text, want) &&
				(outer == "" || strings.EqualFold(rawjson.TextOf(within), outer)) {
				return text
			}
		}
	} else if r := t.Find(want); r != nil {
		return r.Obj.Text(s.parent.field)
	}
	panic(refuseField(http.StatusNotFound, s.param, "not_found",
		"No record of %s is called %s; list them to see which there are.", s.parent.entity.Name, want))
}

// hidden makes what the record belongs to: a parent for the innermost scope,
// and the parent's own scopes for the outer ones; and what it holds unseen.
func (m *maker) hidden() *rawjson.Map {
	scopes, unseen := m.d.scopesOf(m.e), m.d.factsOf(m.e).Hidden
	if len(scopes)+len(unseen) == 0 {
		return nil
	}
	o := &rawjson.Map{}
	for name := range unseen {
		m.r.State = data.Hash(m.seed, "hidden", name)
		o.Set(name, m.fieldBy(m.d.unseen.of(m.e.Name+"."+name, func() template {
			return compile(constant(unseen[name]))
		}), nil))
	}
	for _, s := range slices.Backward(scopes) {
		if !o.Has(s.param) {
			m.belong(o, s, scopes)
		}
	}
	return o
}

// parent is the number of the record that a scope leads to.
func (m *maker) parent(s scope) int {
	m.r.State = data.Hash(m.seed, "scope", s.param)
	return m.r.Skewed(m.d.count(s.parent.entity))
}

// parentOf is the number of the record to which the record belongs without saying so,
// where a field of it speaks of just that one.
func (m *maker) parentOf(f *catalog.Field, entity *catalog.Entity) (n int, found bool) {
	stem := func(name string) string { return strings.TrimSuffix(data.Normal(name), "id") }
	for _, s := range slices.Backward(m.d.scopesOf(m.e)) {
		if s.parent.entity == entity && entity != m.e &&
			(stem(f.Name) == stem(data.Singular(entity.Name)) || stem(f.Name) == stem(s.param)) {
			return m.parent(s), true
		}
	}
	return 0, false
}

func (m *maker) belong(o *rawjson.Map, s scope, scopes []scope) {
	if s.parent.entity == nil || s.parent.entity == m.e {
		o.Set(s.param, cmp.Or(m.d.facts.Scopes[s.param].Value, "1"))
		return
	}
	n := m.parent(s)
	if other := m.d.facts.Scopes[s.param].With; other != "" {
		o.Set(other, m.d.peekAt(s.parent.entity, n, m.d.facts.Scopes[other].Of))
		o.Set(s.param, m.d.peekAt(s.parent.entity, n, m.d.facts.Scopes[s.param].Of))
		return
	}
	o.Set(s.param, m.d.peek(s.parent.entity, n, s.parent.field))
	if hasScope(m.d.scopesOf(s.parent.entity), s.param) {
		return
	}
	for _, outer := range m.d.scopesOf(s.parent.entity) {
		if hasScope(scopes, outer.param) && !o.Has(outer.param) {
			o.Set(outer.param, m.d.maker(s.parent.entity, n).hidden().Value(outer.param))
		}
	}
}

// peekAt is the value at entity.field.member in record n.
func (d *dataset) peekAt(e *catalog.Entity, n int, place string) any {
	_, path, _ := strings.Cut(place, ".")
	field, member, nested := strings.Cut(path, ".")
	v := d.peek(e, n, field)
	if nested {
		v, _ = data.At(v, member)
	}
	return v
}

// keyParam is the param by which an action names one record.
func (d *dataset) keyParam(e *catalog.Entity, a *catalog.Action) string {
	key, last := data.Normal(e.Key), ""
	one := data.Normal(data.Singular(e.Name))
	names := []string{key, "id", one + "id", one + "idorkey", one}
	for i := range a.Params {
		p := &a.Params[i]
		if !p.Required || p.In == "body" || p.Type == "object" || p.Type == "array" || constantHeader(p) {
			continue
		}
		ref, _, _ := strings.Cut(p.Ref, ".")
		if ref == e.Name || slices.Contains(names, data.Normal(p.Name)) {
			return p.Name
		}
		last = p.Name
	}
	return last
}

// recordField finds the record field that a param speaks of.
func (d *dataset) recordField(e *catalog.Entity, param string) (string, bool) {
	if p := d.param(e, param); p.None || p.Path != "" {
		return p.Path, !p.None
	}
	n := data.Normal(param)
	for _, candidate := range []string{n, strings.TrimSuffix(n, "id"), n + "id",
		data.Normal(data.Singular(strings.TrimSuffix(n, "[]"))), data.Normal(data.Singular(n)) + "id", "is" + n,
		strings.TrimSuffix(n, "only")} {
		if name := d.fieldCalled(e, candidate); candidate != "" && name != "" {
			return name, true
		}
	}
	another := func(rel catalog.Relation) bool { // whose records the param names
		return rel.From == e.Name && rel.Field == param && rel.To != e.Name
	}
	if n == data.Normal(data.Singular(e.Name))+"id" || n == "ids" {
		return e.Key, !slices.ContainsFunc(d.kind.Relations, another)
	}
	return "", false
}

// enumOf are the values of a record field that the params of the entity's
// actions tell where the record itself does not.
func (d *dataset) enumOf(e *catalog.Entity, name string) (values []json.RawMessage) {
	for i := range e.Actions {
		for _, p := range e.Actions[i].Params {
			enum := p.Enum
			if len(enum) == 0 && p.Items != nil {
				enum = p.Items.Enum
			}
			if path, found := d.recordField(e, p.Name); len(enum) == 0 || !found || path != name ||
				p.In == "body" && len(values) > 0 {
				continue
			}
			for _, v := range enum {
				same := func(have json.RawMessage) bool { return strings.EqualFold(string(have), string(v)) }
				if text := strings.ToLower(string(v)); text != `""` && text != `"all"` &&
					!slices.ContainsFunc(values, same) {
					values = append(values, v)
				}
			}
		}
	}
	return values
}
