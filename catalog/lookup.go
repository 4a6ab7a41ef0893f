package catalog

import (
	"cmp"
	"strings"

	"patchbay/client/rawjson"
)

// ToWire writes params in the names of the connector definition: params and
// their members, enum values, and for context_store_search the fields of filter,
// sort and selection. Order, numbers and everything without another name stay as
// they are; params that are not a JSON object come back unchanged.
func ToWire(k *Kind, e *Entity, a *Action, params []byte) []byte {
	search := a.Name == ActionContextStoreSearch || a.Name == ActionSemanticSearch
	if !Renamed(a.Params) && !(search && (Renamed(e.Search) || Renamed(e.Record))) {
		return params
	}
	value, err := rawjson.Decode(params)
	root, ok := value.(*rawjson.Map)
	if err != nil || !ok {
		return params
	}
	rename(root, a.Params)
	if search {
		e.searchToWire(root)
	}
	return root.JSON()
}

// WirePath turns a dotted path over fields into wire names, step by step; steps
// that no field describes stay as they are.
func WirePath(fields []Field, path string) string {
	if f := FieldByName(fields, path); f != nil {
		return f.WireName()
	}
	head, rest, dotted := strings.Cut(path, ".")
	f := FieldByName(fields, strings.TrimSuffix(head, "[]"))
	if f == nil {
		return path
	}
	wire := f.WireName() + head[len(strings.TrimSuffix(head, "[]")):]
	if !dotted {
		return wire
	}
	return wire + "." + WirePath(f.Below(), rest)
}

// Below are the members of an object or of the elements of an array; none of no field.
func (f *Field) Below() []Field {
	if f == nil {
		return nil
	}
	for f.Members == nil && f.Items != nil {
		f = f.Items
	}
	return f.Members
}

// Renamed reports whether anything in fields has another name or value on the wire.
func Renamed(fields []Field) bool {
	for i := range fields {
		f := &fields[i]
		if f.Alias != "" || f.WireValues != nil || Renamed(f.Members) {
			return true
		}
		for _, inner := range [...]*Field{f.Items, f.Values} {
			if inner != nil && Renamed([]Field{*inner}) {
				return true
			}
		}
	}
	return false
}

// wireField finds a searchable field, else a record field, by its path.
func (e *Entity) wireField(path string) (*Field, string) {
	if f := FieldAt(e.Search, path); f != nil {
		return f, WirePath(e.Search, path)
	}
	return FieldAt(e.Record, path), WirePath(e.Record, path)
}

func (e *Entity) searchToWire(root *rawjson.Map) {
	query, _ := root.Value("query").(*rawjson.Map)
	e.filterToWire(query.Value("filter"))
	for _, key := range listIn(query, "sort") {
		key, _ := key.(*rawjson.Map)
		for i := range key.Len() {
			_, key.Keys[i] = e.wireField(key.Keys[i])
		}
	}
	if semantic, ok := root.Value("semantic").(*rawjson.Map); ok {
		e.filterToWire(semantic.Value("filter"))
		if semantic.Has("field") {
			semantic.Set("field", e.selectedToWire(semantic.Value("field")))
		}
	}
	fields := listIn(root, "fields")
	for i := range fields {
		fields[i] = e.selectedToWire(fields[i])
	}
}

// listIn is a member that is an array; nil for any other.
func listIn(m *rawjson.Map, name string) []any {
	list, _ := m.Value(name).([]any)
	return list
}

// selectedToWire renames a field of a selection: a dotted path, or an array of
// its segments.
func (e *Entity) selectedToWire(field any) any {
	if s, ok := field.(string); ok {
		_, wire := e.wireField(s)
		return wire
	}
	segments, _ := field.([]any)
	var path []string
	for _, segment := range segments {
		s, ok := segment.(string)
		if !ok {
			return field
		}
		path = append(path, s)
	}
	_, wire := e.wireField(strings.Join(path, "."))
	if renamed := strings.Split(wire, "."); len(renamed) == len(segments) {
		for i := range segments {
			segments[i] = renamed[i]
		}
	}
	return field
}

// filterToWire walks {operator: {field: value}} with and, or, not around it.
func (e *Entity) filterToWire(filter any) {
	if list, ok := filter.([]any); ok {
		for _, inner := range list {
			e.filterToWire(inner)
		}
	}
	operators, _ := filter.(*rawjson.Map)
	for i := range operators.Len() {
		switch operators.Keys[i] {
		case "and", "or", "not":
			e.filterToWire(operators.Vals[i])
			continue
		}
		conditions, _ := operators.Vals[i].(*rawjson.Map)
		for j := range conditions.Len() {
			f, wire := e.wireField(conditions.Keys[j])
			conditions.Keys[j] = wire
			if f != nil {
				conditions.Vals[j] = mapValues(conditions.Vals[j], f)
			}
		}
	}
}

// rename gives the members of an object their wire names, and what stands in them.
func rename(m *rawjson.Map, fields []Field) {
	for i, key := range m.Keys {
		if f := FieldByName(fields, key); f != nil {
			m.Keys[i] = f.WireName()
			m.Vals[i] = renameValue(m.Vals[i], f)
		}
	}
}

// renameValue renames what stands inside a value of the field.
func renameValue(v any, f *Field) any {
	switch inner := v.(type) {
	case *rawjson.Map:
		rename(inner, f.Members)
		for i, key := range inner.Keys {
			if f.Values != nil && FieldByName(f.Members, key) == nil {
				inner.Vals[i] = renameValue(inner.Vals[i], f.Values)
			}
		}
		return v
	case []any:
		for i := range inner {
			if f.Items != nil {
				inner[i] = renameValue(inner[i], f.Items)
			}
		}
	}
	return mapValues(v, f)
}

// mapValues maps enum values, also in lists and in texts with a separator.
func mapValues(v any, f *Field) any {
	switch inner := v.(type) {
	case *rawjson.Map:
		for i := range inner.Vals {
			inner.Vals[i] = mapValues(inner.Vals[i], f)
		}
	case []any:
		for i := range inner {
			inner[i] = mapValues(inner[i], f)
		}
	case string:
		if f.WireValues == nil {
			return v
		}
		parts := []string{inner}
		if f.Separator != "" {
			parts = strings.Split(inner, f.Separator)
		}
		for i, part := range parts {
			if wire, ok := f.WireValues[part]; ok {
				parts[i] = wire
			}
		}
		return strings.Join(parts, f.Separator)
	}
	return v
}

// HTTPName is the name of a param in the third party's own request.
func (f *Field) HTTPName() string { return cmp.Or(f.Wire, f.WireName()) }

// WireName is the name that a hosted call with wire names and received bodies
// use: the Alias, else the Name.
func (f *Field) WireName() string { return cmp.Or(f.Alias, f.Name) }

// Is reports whether name is the neutral or the wire name of the field.
func (f *Field) Is(name string) bool {
	return name != "" && (f.Name == name || f.Alias == name)
}

// Accepts reports whether the field's union holds the JSON type t; any holds all.
func (f *Field) Accepts(t string) bool {
	for part := range strings.SplitSeq(f.Type, "|") {
		if part == t || part == "any" || (t == "integer" && part == "number") {
			return true
		}
	}
	return false
}

// first finds the first of a list for which is holds; nil when there is none.
func first[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// FieldByName finds a field by its neutral or wire name; nil when there is none.
func FieldByName(fields []Field, name string) *Field {
	if f := first(fields, func(f *Field) bool { return f.Name == name }); f != nil {
		return f
	}
	return first(fields, func(f *Field) bool { return f.Is(name) })
}

// namesOf lists the names of things in their order.
func namesOf[T any](list []T, name func(*T) string) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = name(&list[i])
	}
	return names
}

// FieldNames lists the names of fields in their order.
func FieldNames(fields []Field) []string {
	return namesOf(fields, func(f *Field) string { return f.Name })
}

// EntityNames lists the names of the entities in their order.
func (k *Kind) EntityNames() []string {
	return namesOf(k.Entities, func(e *Entity) string { return e.Name })
}

// ActionNames lists the names of the actions in their order.
func (e *Entity) ActionNames() []string {
	return namesOf(e.Actions, func(a *Action) string { return a.Name })
}

// FieldAt finds a nested field by its dotted path, neutral or wire names:
// "fields.project.key", "attachments[].type" (the brackets may be left out). A
// name that itself holds a dot is found too. It returns nil when no file knows it.
func FieldAt(fields []Field, path string) *Field {
	if f := FieldByName(fields, path); f != nil {
		return f
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		if f := FieldByName(fields, strings.TrimSuffix(path[:i], "[]")); f != nil {
			if inner := f.inside(path[i+1:]); inner != nil {
				return inner
			}
		}
	}
	if bare := strings.TrimSuffix(path, "[]"); bare != path {
		if f := FieldByName(fields, bare); f != nil {
			return f.Items
		}
	}
	return nil
}

// inside finds a path below an object, the elements of an array or a free map.
func (f *Field) inside(path string) *Field {
	if found := FieldAt(f.Members, path); found != nil {
		return found
	}
	if f.Items != nil {
		return f.Items.inside(path)
	}
	if f.Values != nil {
		if _, rest, ok := strings.Cut(path, "."); ok {
			return f.Values.inside(rest)
		}
		return f.Values
	}
	return nil
}

// Entity finds an entity by name; nil when the kind has none of that name.
func (k *Kind) Entity(name string) *Entity {
	return first(k.Entities, func(e *Entity) bool { return e.Name == name })
}

// Action finds an action by name; nil when the entity has none of that name.
func (e *Entity) Action(name string) *Action {
	return first(e.Actions, func(a *Action) bool { return a.Name == name })
}

// Reading finds an action that only reads by name; nil when the entity has none.
func (e *Entity) Reading(name string) *Action {
	return first(e.Actions, func(a *Action) bool { return a.Name == name && !a.Writes() })
}

// RecordOf are the fields of the records that an action returns: its own where
// they differ, else the entity's. Empty means that nobody knows.
func (e *Entity) RecordOf(a *Action) []Field {
	if a != nil && a.Record != nil {
		return a.Record
	}
	return e.Record
}

// RecordField finds a record field by its dotted neutral or wire path, first in
// the action's record, then in the entity's; a may be nil.
func (e *Entity) RecordField(a *Action, path string) *Field {
	if f := FieldAt(e.RecordOf(a), path); f != nil {
		return f
	}
	return FieldAt(e.Record, path)
}

// Param finds a param by its dotted neutral or wire path.
func (a *Action) Param(path string) *Field { return FieldAt(a.Params, path) }

// ConfigField finds a configuration value by name; nil when there is none.
func (k *Kind) ConfigField(name string) *Field { return FieldByName(k.Config, name) }

// ActionCount is the number of actions over all entities.
func (k *Kind) ActionCount() int {
	n := 0
	for i := range k.Entities {
		n += len(k.Entities[i].Actions)
	}
	return n
}

// IsName reports whether a text can name a kind, an entity or an action: lower snake_case.
func IsName(s string) bool {
	for i := range len(s) {
		lower := s[i] >= 'a' && s[i] <= 'z'
		if !lower && (i == 0 || (s[i] != '_' && (s[i] < '0' || s[i] > '9'))) {
			return false
		}
	}
	return s != ""
}
