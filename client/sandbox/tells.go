package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// How much a connector describes of itself.
const (
	tellsSchema = "schema"
	tellsDocs   = "docs"
	tellsNames  = "names"
)

func tells(k *catalog.Kind) string {
	if k.Sandbox == nil {
		return ""
	}
	return k.Sandbox.Tells
}

// tellsOtherwise is the description of an entity whose kind tells more than lists, or
// less; nil for any other.
func (c *call) tellsOtherwise(k *catalog.Kind, e *catalog.Entity) *rawjson.Map {
	switch tells(k) {
	case tellsDocs:
		return rawjson.NewMap("name", e.Name)
	case tellsNames:
		return rawjson.NewMap("name", e.Name, "actions", anyOf(e.ActionNames()))
	case tellsSchema:
		actions := []any{}
		for i := range e.Actions {
			a := &e.Actions[i]
			actions = append(actions, rawjson.NewMap("name", a.Name, "description", a.Doc,
				"parameters", objectSchema(a.Params)))
		}
		search := []any{}
		for i := range e.Search {
			f := fieldSchema(&e.Search[i])
			f.Set("name", e.Search[i].Name)
			search = append(search, f)
		}
		return rawjson.NewMap("name", e.Name, "description", e.Doc, "primary_key", e.Key, "actions", actions,
			"schema", objectSchema(e.Record), "searchable_fields", search)
	}
	return nil
}

func anyOf(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}

// objectSchema is the JSON Schema of an object with these members.
func objectSchema(fields []catalog.Field) *rawjson.Map {
	properties, required := &rawjson.Map{}, []any{}
	for i := range fields {
		properties.Set(fields[i].Name, fieldSchema(&fields[i]))
		if fields[i].Required && !fields[i].Injected {
			required = append(required, fields[i].Name)
		}
	}
	return rawjson.NewMap("type", "object", "properties", properties, "required", required)
}

// fieldSchema is the JSON Schema of a field.
func fieldSchema(f *catalog.Field) *rawjson.Map {
	o := &rawjson.Map{}
	types := anyOf(strings.Split(f.Type, "|"))
	if f.Nullable {
		types = append(types, "null")
	}
	switch {
	case f.Type == "any" || f.Type == "":
	case len(types) == 1:
		o.Set("type", types[0])
	default:
		o.Set("type", types)
	}
	for name, text := range map[string]string{"description": f.Doc, "format": f.Format} {
		if text != "" {
			o.Set(name, text)
		}
	}
	if len(f.Enum) > 0 {
		values := make([]any, len(f.Enum))
		for i, v := range f.Enum {
			values[i] = v
		}
		o.Set("enum", values)
	}
	for name, limit := range map[string]*float64{"minimum": f.Min, "maximum": f.Max} {
		if limit != nil {
			o.Set(name, json.RawMessage(strconv.FormatFloat(*limit, 'f', -1, 64)))
		}
	}
	if f.Default != nil {
		o.Set("default", f.Default)
	}
	if f.Items != nil {
		o.Set("items", fieldSchema(f.Items))
	}
	if len(f.Members) > 0 {
		members := objectSchema(f.Members)
		o.Set("properties", members.Value("properties"))
		o.Set("required", members.Value("required"))
	}
	return o
}

// documents are the skill of a connector that documents itself in words and tables: an
// outline with a section for each action, and the section that is asked for.
func (c *call) documents(target *connector, section string) *rawjson.Map {
	k, outline, content := target.kind(), []any{}, []any{}
	for i := range k.Entities {
		e := &k.Entities[i]
		for j := range e.Actions {
			a := &e.Actions[j]
			id := "actions." + e.Name + "." + a.Name
			outline = append(outline, rawjson.NewMap("id", id, "title", e.Name+" "+a.Name, "summary", a.Doc,
				"available", true))
			if id == section {
				content = sectionOf(e, a)
			}
		}
	}
	if section == "" {
		content = []any{rawjson.NewMap("type", "paragraph", "text", k.Doc)}
	} else if len(content) == 0 {
		panic(refuse(http.StatusNotFound, "The skill has no section %q; its outline lists them.", section))
	}
	return rawjson.NewMap("metadata", target.skill(), "outline", outline, "section_id", orNull(section),
		"content", content)
}

// sectionOf documents one action.
func sectionOf(e *catalog.Entity, a *catalog.Action) []any {
	heading := func(text string) *rawjson.Map { return rawjson.NewMap("type", "heading", "level", 3, "text", text) }
	out := []any{rawjson.NewMap("type", "paragraph", "text", cmp.Or(a.Doc, e.Doc))}
	if a.Name == catalog.ActionContextStoreSearch {
		return append(out, heading("Searchable fields"), tableOf(e.Search))
	}
	out = append(out, heading("Parameters"), tableOf(a.Params))
	if len(a.Meta) > 0 {
		out = append(out, heading("Meta"), tableOf(a.Meta))
	}
	return append(out, heading("Record"), tableOf(e.Record))
}

// tableOf lists fields as a table.
func tableOf(fields []catalog.Field) *rawjson.Map {
	rows := []any{}
	for i := range fields {
		f := &fields[i]
		var values []string
		for _, v := range f.Enum {
			values = append(values, rawjson.Parse(v).Text())
		}
		kind := f.Type
		if f.Nullable {
			kind += "|null"
		}
		if f.Format != "" && slices.Contains([]string{"date-time", "date"}, f.Format) {
			kind = f.Format
		}
		required := map[bool]string{true: "yes", false: "no"}[f.Required]
		rows = append(rows, []any{f.Name, kind, required, strings.Join(values, ", "), f.Doc})
	}
	heads := anyOf([]string{"Name", "Type", "Required", "Allowed values", "Description"})
	return rawjson.NewMap("type", "table", "headers", heads, "rows", rows)
}
