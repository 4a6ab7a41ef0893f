package catalog

import (
	"slices"
	"strings"
)

// Replica are the fields of the records that a search answers with: those of the
// entity and all that can be searched, whose own types win. What only a search names
// may be null.
func (e *Entity) Replica() []Field {
	fields := slices.Clone(e.Record)
	for _, f := range e.Search {
		i := slices.IndexFunc(fields, func(own Field) bool { return own.Name == f.Name })
		if i < 0 {
			f.Nullable = true
			fields = WithPath(fields, f.Name, f)
		} else if own := &fields[i]; own.Type != f.Type {
			*own = f
			own.Nullable = true
		}
	}
	return fields
}

// WithPath adds what stands at a path (status.name, people[].email) to fields that
// lack it. The members of fields that it reaches into are copied, not changed.
func WithPath(fields []Field, path string, leaf Field) []Field {
	step, rest, deeper := strings.Cut(path, ".")
	name, isList := strings.CutSuffix(step, "[]")
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	switch {
	case i >= 0 && !deeper:
		return fields
	case i < 0 && !deeper:
		leaf.Name = name
		return append(fields, leaf)
	case i < 0:
		i, fields = len(fields), append(fields, Field{Name: name, Type: "object"})
		if isList {
			fields[i].Type = "array"
		}
	}
	f := &fields[i]
	switch {
	case strings.Contains(f.Type, "object") || strings.Contains(f.Type, "any"):
		f.Members = WithPath(slices.Clone(f.Members), rest, leaf)
	case strings.Contains(f.Type, "array"):
		items := Field{Type: "object"}
		if f.Items != nil && f.Items.Type != "any" {
			items = *f.Items
		}
		items.Members = WithPath(slices.Clone(items.Members), rest, leaf)
		f.Items = &items
	}
	return fields
}
