package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// recipe is how a top-level field is made, worked out once per field: by a template,
// as the key, by reference to another entity, or from values that params tell.
type recipe struct {
	made   template
	key    bool
	ref    reference
	enum   []json.RawMessage
	inside []insideRef
	// needed is set when a param cannot do without the field; via is another field, or
	// scope, whose record tells what this one points at.
	needed bool
	via    *detour
}

// detour leads from a field (or scope) over the record it points at to a field of that one.
type detour struct {
	field *catalog.Field
	scope *scope
	over  reference
	then  *catalog.Field
}

// insideRef is a path inside of a field that names records of another entity.
type insideRef struct {
	path string
	ref  reference
}

func (m *maker) recipe(f *catalog.Field) *recipe {
	r := &recipe{key: f.Name == m.e.Key, needed: m.d.addressed(m.e, f.Name)}
	every := m.d.facts.Every.Fields[f.Name]
	if raw := m.d.factsOf(m.e).Fields[f.Name]; raw != nil {
		r.made = compile(constant(raw))
	} else if every != nil && !r.key {
		r.made = compile(constant(every))
	} else if !r.key {
		r.ref = m.d.reference(m.e, f)
		if strings.Contains(f.Type, "object") && len(f.Members) > 0 && !hasField(f.Members, r.ref.field) {
			r.ref = reference{}
		}
		r.via = m.d.detour(m.e, f, r.ref.entity)
	}
	if r.key {
		r.ref = m.d.toldReference(m.e.Name, f)
	}
	for _, rel := range m.d.kind.Relations {
		path, inside := strings.CutPrefix(rel.Field, f.Name+".")
		if to := m.d.base(rel.To); inside && rel.From == m.e.Name && to != nil && len(to.Record) > 0 && to != m.e {
			r.inside = append(r.inside, insideRef{path, reference{to, cmp.Or(rel.Key, to.Key)}})
		}
	}
	if len(f.Enum) == 0 && (strings.HasPrefix(f.Type, "string") || strings.HasPrefix(f.Type, "integer")) {
		r.enum = m.d.enumOf(m.e, f.Name)
	}
	return r
}

// recipe is how a field of the maker's entity is made.
func (d *dataset) recipe(m *maker, f *catalog.Field) *recipe {
	return d.recipes.of(f, func() *recipe { return m.recipe(f) })
}

// addressed reports whether a param that a list or get requires speaks of a field.
func (d *dataset) addressed(e *catalog.Entity, field string) bool {
	return slices.ContainsFunc(e.Actions, func(a catalog.Action) bool {
		return !a.Writes() && slices.ContainsFunc(a.Params, func(p catalog.Field) bool {
			if !p.Required {
				return false
			}
			path, found := d.recordField(e, p.Name)
			return found && strings.SplitN(path, ".", 2)[0] == field
		})
	})
}

// detour finds a field or scope whose record points at an entity, too: the list of a
// task tells its folder. Records that point back tell nothing.
func (d *dataset) detour(e *catalog.Entity, f *catalog.Field, to *catalog.Entity) *detour {
	if to == nil {
		return nil
	}
	over := func(by detour) *detour {
		if by.over.entity == nil || by.over.entity == to || by.over.entity == e {
			return nil
		}
		fields := d.fields(by.over.entity)
		for i := range fields {
			switch next := d.reference(by.over.entity, &fields[i]); {
			case next.entity == e:
				return nil
			case next.entity == to && by.then == nil && !among("persons", data.Normal(fields[i].Name)):
				by.then = &fields[i]
			}
		}
		if by.then == nil {
			return nil
		}
		return &by
	}
	if to.Name == "users" {
		return nil // a person of one record is not that of another
	}
	for _, s := range d.scopesOf(e) {
		if by := over(detour{scope: &s, over: s.parent}); by != nil {
			return by
		}
	}
	fields := d.fields(e)
	for i := range fields {
		if g := &fields[i]; g.Name != f.Name && d.factsOf(e).Fields[g.Name] == nil {
			if by := over(detour{field: g, over: d.reference(e, g)}); by != nil {
				return by
			}
		}
	}
	return nil
}

// number is that of the record which a field points at.
func (m *maker) number(f *catalog.Field, ref reference, depth int) int {
	if n, own := m.parentOf(f, ref.entity); own {
		return n
	}
	if by := m.d.recipe(m, f).via; by != nil && depth < 4 {
		var n int
		if by.scope != nil {
			n = m.parent(*by.scope)
		} else {
			n = m.number(by.field, by.over, depth+1)
		}
		return m.d.maker(by.over.entity, n).number(by.then, ref, depth+1)
	}
	m.r.State = data.Hash(m.seed, f.Name)
	if f.Nullable {
		m.r.Chance(10) // which says whether there is none at all
	}
	return m.r.Skewed(m.d.count(ref.entity))
}

// foreign points at a record of another entity: half of all at the first one,
// so that a person who opens it finds plenty.
func (m *maker) foreign(f *catalog.Field, ref reference) any {
	none := f.Nullable && m.r.Chance(10)
	if _, own := m.parentOf(f, ref.entity); none && !own && !m.d.recipe(m, f).needed {
		return nil
	}
	n := m.number(f, ref, 0)
	v := m.d.peek(ref.entity, n, ref.field)
	if strings.Contains(f.Type, "object") && !strings.Contains(f.Type, "string") {
		return m.embedded(f, ref, n)
	}
	switch i, isInt := data.Int(v); {
	case f.Type == "array":
		return []any{v, m.d.peek(ref.entity, (n+1)%m.d.count(ref.entity), ref.field)}
	case f.Type == "integer" && isInt:
		return i
	case f.Type == "string":
		return rawjson.TextOf(v)
	}
	return v
}

// embedded is a short form of another record, as vendors nest it.
func (m *maker) embedded(f *catalog.Field, ref reference, n int) any {
	names, o := []string{ref.field, "key", "slug", "name", "self", "email", "username"}, &rawjson.Map{}
	for _, name := range slices.Concat(names, catalog.FieldNames(f.Members)) {
		if len(f.Members) > 0 && !hasField(f.Members, name) {
			continue
		}
		if hasField(ref.entity.Record, name) && !o.Has(name) {
			o.Set(name, m.d.peek(ref.entity, n, name))
		}
	}
	for i := range f.Members {
		if !o.Has(f.Members[i].Name) {
			o.Set(f.Members[i].Name, m.value(&f.Members[i]))
		}
	}
	return o
}

// point lets what stands at a path inside of a value name a record of another entity,
// and an object that is its short form repeat what it says of itself.
func (m *maker) point(v any, path string, ref reference, number func() int) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			m.point(one, path, ref, number)
		}
	case *rawjson.Map:
		step, rest, deeper := strings.Cut(path, ".")
		old := v.Value(step)
		if deeper {
			m.point(old, rest, ref, number)
			return
		}
		if old == nil {
			return
		}
		n := number()
		for i, name := range v.Keys {
			told := hasField(ref.entity.Record, name) && step == ref.field
			switch key := name == step; {
			case key && isList(old):
				v.Vals[i] = []any{m.d.peek(ref.entity, n, ref.field)}
			case key:
				v.Vals[i] = asType(old, m.d.peek(ref.entity, n, ref.field))
			case told && v.Vals[i] != nil:
				if now := m.d.peek(ref.entity, n, name); sameKind(now, v.Vals[i]) {
					v.Vals[i] = now
				}
			}
		}
	}
}

func isList(v any) bool { _, is := v.([]any); return is }

// asType is a value as a number or a text, whatever old is.
func asType(old, v any) any {
	kind := "string"
	if _, isNumber := old.(int64); isNumber {
		kind = "integer"
	}
	return fitted(&catalog.Field{Type: kind}, v)
}

func sameKind(a, b any) bool { return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) }
