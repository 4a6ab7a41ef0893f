package sandbox

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// fields are those of an entity's records, with all that can be searched below them.
// Where the kind has columns of its own, records have their searchable fields too;
// where no source tells the record, the searchable fields or an id and a name stand in.
func (d *dataset) fields(e *catalog.Entity) []catalog.Field {
	return d.records.of(e.Name, func() []catalog.Field {
		fields := slices.Clone(e.Record)
		switch {
		case len(e.Record) == 0 && len(e.Search) == 0:
			return []catalog.Field{{Name: "id", Type: "string"}, {Name: "name", Type: "string"},
				{Name: "created_at", Type: "string"}}
		case len(e.Record) == 0, len(d.facts.Columns) > 0 && !d.factsOf(e).Plain:
			for _, f := range e.Search {
				fields = catalog.WithPath(fields, f.Name, f)
			}
			for _, name := range slices.Concat(d.facts.Columns, d.factsOf(e).Columns) {
				if len(e.Record) > 0 {
					fields = catalog.WithPath(fields, name, catalog.Field{Type: "string"})
				}
			}
			return fields
		}
		for _, f := range e.Search {
			root, _, deeper := strings.Cut(f.Name, ".")
			if deeper && hasField(fields, strings.TrimSuffix(root, "[]")) {
				fields = catalog.WithPath(fields, f.Name, f)
			}
		}
		return fields
	})
}

// replicaFields are the searchable fields at the top of a record that only its
// replica has, or has in another type.
func (d *dataset) replicaFields(e *catalog.Entity) (out []catalog.Field) {
	var tree []catalog.Field
	for _, f := range e.Search {
		tree = catalog.WithPath(tree, f.Name, f)
	}
	for _, f := range tree {
		if own := catalog.FieldByName(d.fields(d.base(e.Name)), f.Name); own == nil || own.Type != f.Type {
			out = append(out, f)
		}
	}
	return out
}

// takes reports whether a field may hold a value, by its type.
func takes(f *catalog.Field, v any) bool {
	kind := "number"
	switch v.(type) {
	case nil:
		return true
	case bool:
		kind = "boolean"
	case string:
		kind = "string"
	case []any:
		kind = "array"
	case *rawjson.Map:
		kind = "object"
	case int64:
		if strings.Contains(f.Type, "integer") {
			return true
		}
	}
	return strings.Contains(f.Type, kind) || strings.Contains(f.Type, "any")
}

// fitted gives a value the type that a field declares.
func fitted(f *catalog.Field, v any) any {
	if takes(f, v) {
		return v
	}
	kind, _, _ := strings.Cut(f.Type, "|")
	switch of := v.(type) {
	case string:
		return fittedText(kind, of)
	case *rawjson.Map:
		return fittedObject(f, kind, of)
	case bool:
		if kind == "integer" || kind == "number" {
			return int64(data.BoolInt(of))
		}
	}
	switch kind {
	case "string":
		return rawjson.TextOf(v)
	case "boolean":
		n, _ := data.Number(v)
		return n != 0
	}
	return v
}

// fittedText is a text in another type: a number, a moment, or what holds it.
func fittedText(kind, text string) any {
	n, isInt := data.Int(text)
	x, isNumber := data.Number(text)
	switch {
	case (kind == "integer" || kind == "number") && isInt:
		return n
	case kind == "number" && isNumber:
		return x
	case kind == "integer" || kind == "number":
		if when, isMoment := data.Moment(text); isMoment {
			return when.Unix()
		}
		return int64(data.Hash(1, text) >> 33)
	case kind == "boolean":
		return text == "true"
	case kind == "array":
		return []any{text}
	case kind == "object":
		return rawjson.NewMap("value", text)
	}
	return text
}

// fittedObject is an object in another type: its name or number, or the list
// of its members.
func fittedObject(f *catalog.Field, kind string, o *rawjson.Map) any {
	switch {
	case kind == "array" && o.Has("nodes"):
		return o.Value("nodes")
	case kind == "array":
		list := make([]any, len(o.Keys))
		for i, name := range o.Keys {
			list[i] = rawjson.NewMap("name", name, "value", o.Vals[i])
		}
		return list
	case kind == "integer" && o.Has("totalCount"):
		return o.Value("totalCount")
	case kind == "string":
		for _, name := range []string{"name", "displayName", "login", "id"} {
			if text := o.Text(name); text != "" {
				return text
			}
		}
		return string(rawjson.Encode(o))
	case o.Has("id"):
		return fitted(f, o.Value("id"))
	}
	return nil
}
