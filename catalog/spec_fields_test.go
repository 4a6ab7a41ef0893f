package catalog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// mismatch is one difference between the specification and the catalog.
type mismatch struct {
	kind, place, path, expected, found, where string
}

func (m mismatch) String() string {
	at := ""
	if m.where != "" {
		at = " (" + m.where + ")"
	}
	return fmt.Sprintf("%s: %s %s: expected %s, found %s%s", m.kind, m.place, m.path, m.expected, m.found, at)
}

// foundField is what the catalog tells of one field.
type foundField struct {
	field *catalog.Field
	kind  string
	// attrs holds the attributes that the catalog tells as documented, filled
	// the names of those that it tells as filled from elsewhere.
	attrs  map[string]string
	filled []string
}

func (f *foundField) documented() bool { return f.field.Source == catalog.Documented }

// flatten lists fields and their members by path.
func flatten(fields []catalog.Field, prefix string, into map[string]*foundField) {
	for i := range fields {
		f := &fields[i]
		path := prefix + f.Name
		into[path] = &foundField{field: f, kind: kindOf(f), attrs: map[string]string{}}
		into[path].fill()
		flatten(f.Members, path+".", into)
		if f.Items != nil {
			flatten(f.Items.Members, path+"[].", into)
		}
	}
}

// kindOf writes the documented type, array<T> where the elements are documented.
func kindOf(f *catalog.Field) string {
	if f.Items == nil || f.Items.Source != catalog.Documented || slices.Contains(f.Upstream, "items") {
		return sortedUnion(f.Type)
	}
	return strings.Replace(sortedUnion(f.Type), "array", "array<"+kindOf(f.Items)+">", 1)
}

func sortedUnion(t string) string {
	if strings.Contains(t, "<") {
		return t
	}
	parts := strings.Split(t, "|")
	slices.Sort(parts)
	return strings.Join(parts, "|")
}

// fill collects the attributes of a field; those of list entries stand at the list.
func (f *foundField) fill() {
	f.add(f.field)
	if items := f.field.Items; items != nil && items.Source == catalog.Documented {
		entry := catalog.Field{Enum: items.Enum, Const: items.Const, Format: items.Format, Min: items.Min,
			Max: items.Max, Upstream: items.Upstream}
		f.add(&entry)
	}
}

func (f *foundField) add(field *catalog.Field) {
	upstream := func(name string) bool {
		return slices.Contains(f.field.Upstream, name) || slices.Contains(field.Upstream, name)
	}
	set := func(name, key, value string, told bool) {
		switch {
		case !told:
		case upstream(key):
			f.filled = append(f.filled, name)
		default:
			f.attrs[name] = value
		}
	}
	set("null", "nullable", "", field.Nullable)
	set("required", "required", "", field.Required)
	set("injected", "injected", "", field.Injected)
	set("one_of", "one_of", "", field.OneOf)
	set("const", "const", plainJSON(field.Const), field.Const != nil)
	set("enum", "enum", enumText(field.Enum), len(field.Enum) > 0)
	set("default", "default", plainJSON(field.Default), field.Default != nil)
	set("min", "min", number(field.Min), field.Min != nil)
	set("max", "max", number(field.Max), field.Max != nil)
	set("max_items", "max_items", strconv.Itoa(field.MaxItems), field.MaxItems > 0)
	set("separator", "separator", field.Separator, field.Separator != "")
	set("format", "format", field.Format, field.Format != "")
	set("unique", "unique", "", field.Unique)
}

func number(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// plainJSON writes a JSON text without its quotes, other values as they are.
func plainJSON(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func enumText(values []json.RawMessage) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, plainJSON(v))
	}
	return strings.Join(texts, ",")
}

// compareFields compares one list of fields in both directions.
func compareFields(place string, want map[string]*wantField, got map[string]*foundField) []mismatch {
	var out []mismatch
	bad := func(path, expected, found, where string) {
		out = append(out, mismatch{place: place, path: path, expected: expected, found: found, where: where})
	}
	for path, w := range want {
		g := got[path]
		switch {
		case g == nil && w.optional:
		case g == nil:
			bad(path, w.kind, "nothing", w.where)
		case !g.documented() && !w.optional:
			bad(path, "told as documented", "source "+string(g.field.Source), w.where)
		case g.documented():
			out = append(out, compareField(place, path, w, g)...)
		}
	}
	for path, g := range got {
		if g.documented() && want[path] == nil {
			bad(path, "nothing told as documented", "documented "+g.kind, "")
		}
	}
	return out
}

func compareField(place, path string, w *wantField, g *foundField) []mismatch {
	var out []mismatch
	bad := func(expected, found string) {
		out = append(out, mismatch{place: place, path: path, expected: expected, found: found, where: w.where})
	}
	if w.kind != "?" && sortedUnion(w.kind) != g.kind {
		bad(w.kind, g.kind)
	}
	for name, a := range w.attrs {
		value, told := g.attrs[name]
		switch {
		case told && sameValue(name, a.value, value), !told && a.optional:
		case told:
			bad(name+"="+a.value, name+"="+value)
		case slices.Contains(g.filled, name):
			bad("documented "+name+" "+a.value, name+" told as filled from elsewhere")
		case !a.optional:
			bad(strings.TrimSuffix(name+"="+a.value, "="), "no "+name)
		}
	}
	for name, value := range g.attrs {
		if _, ok := w.attrs[name]; !ok {
			bad("no documented "+name, strings.TrimSuffix(name+"="+value, "="))
		}
	}
	return out
}

// sameValue compares values; lists of values may stand in any order. An
// optional default without a value accepts any.
func sameValue(name, want, got string) bool {
	if name == "enum" {
		w, g := strings.Split(want, ","), strings.Split(got, ",")
		slices.Sort(w)
		slices.Sort(g)
		return slices.Equal(w, g)
	}
	return want == got || name == "default" && want == ""
}
