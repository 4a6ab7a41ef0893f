package catalog

import "strings"

// HTTPName is the name of a param in the third party's own request.
func (f *Field) HTTPName() string {
	if f.Wire != "" {
		return f.Wire
	}
	return f.WireName()
}

// WireName is the name that a hosted call with wire names and received bodies
// use: the Alias, else the Name.
func (f *Field) WireName() string {
	if f.Alias != "" {
		return f.Alias
	}
	return f.Name
}

// Is tells whether name is the neutral or the wire name of the field.
func (f *Field) Is(name string) bool {
	return name != "" && (f.Name == name || f.Alias == name)
}

// Accepts tells whether the field's union holds the JSON type t; any holds all.
func (f *Field) Accepts(t string) bool {
	for part := range strings.SplitSeq(f.Type, "|") {
		if part == t || part == "any" || (t == "integer" && part == "number") {
			return true
		}
	}
	return false
}

// FieldByName finds a field by its neutral or wire name; nil when there is none.
func FieldByName(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	for i := range fields {
		if fields[i].Is(name) {
			return &fields[i]
		}
	}
	return nil
}

// FieldAt finds a nested field by its dotted path, neutral or wire names:
// "fields.project.key", "attachments[].type" (the brackets may be left out). A
// name that itself holds a dot is found too. It returns nil when no file knows it.
func FieldAt(fields []Field, path string) *Field {
	if f := FieldByName(fields, path); f != nil {
		return f
	}
	for i := 0; i < len(path); i++ {
		if path[i] != '.' {
			continue
		}
		f := FieldByName(fields, strings.TrimSuffix(path[:i], "[]"))
		if f == nil {
			continue
		}
		if inner := f.inside(path[i+1:]); inner != nil {
			return inner
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
	for i := range k.Entities {
		if k.Entities[i].Name == name {
			return &k.Entities[i]
		}
	}
	return nil
}

// Action finds an action by name; nil when the entity has none of that name.
func (e *Entity) Action(name string) *Action {
	for i := range e.Actions {
		if e.Actions[i].Name == name {
			return &e.Actions[i]
		}
	}
	return nil
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

// SearchField finds a searchable field by its dotted neutral or wire path.
func (e *Entity) SearchField(path string) *Field { return FieldAt(e.Search, path) }

// Param finds a param by its dotted neutral or wire path.
func (a *Action) Param(path string) *Field { return FieldAt(a.Params, path) }

// ConfigField finds a configuration value by name; nil when there is none.
func (k *Kind) ConfigField(name string) *Field { return FieldByName(k.Config, name) }

// CredentialFields are the fields of the first available method.
func (k *Kind) CredentialFields() []Field {
	for i := range k.Credentials {
		if !k.Credentials[i].Unavailable {
			return k.Credentials[i].Fields
		}
	}
	return nil
}

// RelationsOf are the relations that start at an entity.
func (k *Kind) RelationsOf(entity string) []Relation {
	var out []Relation
	for _, r := range k.Relations {
		if r.From == entity {
			out = append(out, r)
		}
	}
	return out
}

// ActionCount is the number of actions over all entities.
func (k *Kind) ActionCount() int {
	n := 0
	for i := range k.Entities {
		n += len(k.Entities[i].Actions)
	}
	return n
}
