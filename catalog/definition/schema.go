package definition

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// shapes turns schemas into fields. Recursive schemas end where they meet themselves.
type shapes struct {
	// inside are the references that lead to what is being read.
	inside []string
	// deep is how deep fields may nest here, and left how many more there may be.
	deep, left int
	// cut is set where something was left out for its depth or number.
	cut bool
	// source is what fields inherit.
	source catalog.Source
	// known are the fields of references that were read before, at a depth.
	known map[shapeKey]catalog.Field
}

type shapeKey struct {
	ref    string
	deep   int
	source catalog.Source
}

// most is how many fields a kind may hold, so that its file can be read back.
const most = 60_000

// levels of nesting that are kept of a record and of a param.
const (
	recordLevels = 3
	paramLevels  = 6
)

// schema opens a schema, and says whether it stands inside itself.
func (s *shapes) schema(p *base.SchemaProxy) (schema *base.Schema, leave func()) {
	if p == nil {
		return nil, func() {}
	}
	ref := p.GetReference()
	if ref != "" && slices.Contains(s.inside, ref) || len(s.inside) > deepest {
		return nil, func() {}
	}
	s.inside = append(s.inside, ref)
	return p.Schema(), func() { s.inside = s.inside[:len(s.inside)-1] }
}

// field describes the value of a schema; an unknown one may be anything.
func (s *shapes) field(p *base.SchemaProxy) catalog.Field {
	key := shapeKey{deep: s.deep, source: s.source}
	if p != nil {
		key.ref = p.GetReference()
	}
	if f, ok := s.known[key]; ok && key.ref != "" && !slices.Contains(s.inside, key.ref) {
		s.left -= count(&f)
		return f
	}
	schema, leave := s.schema(p)
	defer leave()
	if schema == nil {
		return s.again(p)
	}
	f := s.of(schema)
	if key.ref != "" && s.left > 0 {
		s.known[key] = f
	}
	return f
}

// again describes a schema that stands inside itself, without what is in it.
func (s *shapes) again(p *base.SchemaProxy) catalog.Field {
	f := catalog.Field{Source: s.source}
	if p != nil && len(s.inside) <= deepest {
		if schema := p.Schema(); schema != nil {
			s.types(&f, schema)
		}
	}
	if f.Type == "" {
		f.Type = "any"
	}
	return f
}

// count is how many fields stand in a field.
func count(f *catalog.Field) int {
	n := len(f.Members)
	for i := range f.Members {
		n += count(&f.Members[i])
	}
	if f.Items != nil {
		n += count(f.Items)
	}
	return n
}

func (s *shapes) of(schema *base.Schema) catalog.Field {
	ext, outer := extensions{schema.Extensions}, s.source
	s.source = sourceOf(ext.node(ours+"source"), outer)
	defer func() { s.source = outer }()
	f := catalog.Field{Doc: sentence(first(schema.Description, schema.Title)), Source: s.source}
	s.types(&f, schema)
	values(&f, schema)
	f.Format = format(schema.Format, &f)
	if schema.UniqueItems != nil {
		f.Unique = *schema.UniqueItems && f.Accepts("array")
	}
	s.parts(&f, schema)
	own(&f, ext)
	settle(&f)
	return f
}

// types finds the types of a schema, those of its variants where it names none.
func (s *shapes) types(f *catalog.Field, schema *base.Schema) {
	var names []string
	for _, t := range schema.Type {
		names = append(names, strings.ToLower(t))
	}
	switch {
	case len(names) > 0:
	case schema.Properties != nil && schema.Properties.Len() > 0 || isMap(schema):
		names = []string{"object"}
	case schema.Items != nil:
		names = []string{"array"}
	}
	f.Nullable = schema.Nullable != nil && *schema.Nullable
	union(f, names...)
}

// union adds names of types to a field.
func union(f *catalog.Field, names ...string) {
	var have []string
	if f.Type != "" {
		have = strings.Split(f.Type, "|")
	}
	for _, name := range names {
		switch {
		case name == "null":
			f.Nullable = true
		case name == "file":
			name = "string"
			fallthrough
		case slices.Contains([]string{"string", "integer", "number", "boolean", "object", "array", "any"}, name):
			if !slices.Contains(have, name) {
				have = append(have, name)
			}
		}
	}
	f.Type = strings.Join(have, "|")
}

// parts reads what stands in an object or array, and what a schema is put together from.
func (s *shapes) parts(f *catalog.Field, schema *base.Schema) {
	if s.deep > 0 && s.left > 0 {
		s.deep--
		if schema.Items != nil && schema.Items.N == 0 && f.Accepts("array") {
			item := s.field(schema.Items.A)
			item.Doc = ""
			f.Items = &item
		}
		s.members(f, schema)
		if isMap(schema) && (schema.Properties == nil || schema.Properties.Len() == 0) {
			value := s.field(schema.AdditionalProperties.A)
			f.Values = &value
		}
		s.deep++
	} else if schema.Items != nil || schema.Properties != nil && schema.Properties.Len() > 0 {
		s.cut = true
	}
	for _, part := range schema.AllOf {
		s.mix(f, s.field(part), true)
	}
	for _, list := range [][]*base.SchemaProxy{schema.OneOf, schema.AnyOf} {
		for _, part := range list {
			variant := s.field(part)
			variant.Members = slices.Clone(variant.Members)
			for i := range variant.Members {
				variant.Members[i].Required = false
			}
			s.mix(f, variant, false)
		}
	}
}

// isMap reports whether an object takes members of any name with one schema.
func isMap(schema *base.Schema) bool {
	return schema.AdditionalProperties != nil && schema.AdditionalProperties.N == 0 &&
		schema.AdditionalProperties.A != nil
}

func (s *shapes) members(f *catalog.Field, schema *base.Schema) {
	if schema.Properties == nil {
		return
	}
	for name, p := range schema.Properties.FromOldest() {
		if s.left--; s.left < 0 {
			s.cut = true
			return
		}
		m := s.field(p)
		m.Name, m.Required = name, m.Required || slices.Contains(schema.Required, name)
		if catalog.FieldByName(f.Members, name) == nil {
			f.Members = append(f.Members, m)
		}
	}
}

// mix puts a part or variant of a schema into a field. A part narrows, a variant adds.
func (s *shapes) mix(f *catalog.Field, part catalog.Field, all bool) {
	if part.Type != "any" || f.Type == "" && !all {
		union(f, strings.Split(part.Type, "|")...)
	}
	f.Nullable = f.Nullable || part.Nullable && !all
	for _, m := range part.Members {
		if old := catalog.FieldByName(f.Members, m.Name); old == nil {
			f.Members = append(f.Members, m)
		} else if !all {
			union(old, strings.Split(m.Type, "|")...)
			old.Const, old.Enum = nil, nil
		}
	}
	if f.Items == nil {
		f.Items = part.Items
	}
	if f.Values == nil {
		f.Values = part.Values
	}
	if f.Doc == "" && all {
		f.Doc = part.Doc
	}
	switch {
	case len(part.Enum) > 0 && all && f.Enum == nil:
		f.Enum = part.Enum
	case !all && len(part.Enum) > 0:
		f.Open = true
		for _, v := range part.Enum {
			if !slices.ContainsFunc(f.Enum, func(e json.RawMessage) bool { return bytes.Equal(e, v) }) {
				f.Enum = append(f.Enum, v)
			}
		}
	}
	if f.Format == "" && all {
		f.Format = part.Format
	}
	if f.Default == nil && all {
		f.Default = part.Default
	}
}

// values reads what a schema says of its values.
func values(f *catalog.Field, schema *base.Schema) {
	if schema.Const != nil {
		f.Const = node{schema.Const}.json()
	}
	for _, e := range schema.Enum {
		v := node{e}.json()
		switch {
		case string(v) == "null":
			f.Nullable = true
		case v != nil && !slices.ContainsFunc(f.Enum, func(o json.RawMessage) bool { return bytes.Equal(o, v) }):
			f.Enum = append(f.Enum, v)
		}
	}
	if schema.Default != nil {
		f.Default = node{schema.Default}.json()
	}
	f.Min, f.Max = schema.Minimum, schema.Maximum
	if e := schema.ExclusiveMinimum; e != nil && e.N == 1 && f.Min == nil && f.Type == "integer" {
		f.Min = new(e.B + 1)
	}
	if e := schema.ExclusiveMaximum; e != nil && e.N == 1 && f.Max == nil && f.Type == "integer" {
		f.Max = new(e.B - 1)
	}
	if schema.MaxItems != nil && *schema.MaxItems > 0 {
		f.MaxItems = int(*schema.MaxItems)
	}
}

// settle leaves out what contradicts itself, so that the kind is one that can be read.
func settle(f *catalog.Field) {
	if f.Type == "" {
		f.Type = "any"
		for _, v := range append(slices.Clone(f.Enum), f.Default, f.Const) {
			if v != nil && string(v) != "null" {
				f.Type = ""
				union(f, typeOf(v))
				break
			}
		}
	}
	holds := func(v json.RawMessage) bool {
		t := typeOf(v)
		return t == "null" && f.Nullable || f.Accepts(t)
	}
	if f.Const != nil && !holds(f.Const) {
		f.Const = nil
	}
	for i, v := range f.Enum { // numbers that were meant as text
		if !holds(v) && f.Accepts("string") {
			f.Enum[i] = rawjson.AppendQuoted(nil, string(v))
		}
	}
	f.Enum = slices.DeleteFunc(f.Enum, func(v json.RawMessage) bool { return !holds(v) })
	if len(f.Enum) == 0 {
		f.Enum, f.Open = nil, false
	}
	closed := len(f.Enum) > 0 && !f.Open && f.Separator == "" && f.Default != nil && typeOf(f.Default) == "string"
	if f.Default != nil && (!holds(f.Default) || string(f.Default) == "null" || closed &&
		!slices.ContainsFunc(f.Enum, func(v json.RawMessage) bool { return bytes.Equal(v, f.Default) })) {
		f.Default = nil
	}
	number := f.Accepts("number") || f.Accepts("integer")
	if !number || f.Min != nil && f.Max != nil && *f.Min > *f.Max {
		f.Min, f.Max = nil, nil
	}
	if !f.Accepts("array") {
		f.Items, f.Unique = nil, false
		if f.Separator == "" {
			f.MaxItems = 0
		}
	}
	if !f.Accepts("object") {
		f.Members, f.Values = nil, nil
	}
}

// typeOf is the type of a JSON value in the catalog's words.
func typeOf(v json.RawMessage) string {
	if n := rawjson.Parse(v); n.Kind() != rawjson.Number || bytes.ContainsAny(v, ".eE") {
		return n.Kind().String()
	}
	return "integer"
}

// formats are those of the catalog, and what definitions call them.
var formats = map[string]string{"date-time": "date-time", "datetime": "date-time", "date": "date", "time": "time",
	"duration": "duration", "uuid": "uuid", "guid": "uuid", "email": "email", "uri": "uri", "url": "uri",
	"hostname": "hostname", "ipv4": "ip", "ipv6": "ip", "ip": "ip", "phone": "phone", "color": "color",
	"int32": "int32", "int64": "int64", "float": "float", "double": "double", "binary": "binary",
	"base64": "base64", "byte": "byte", "html": "html", "markdown": "markdown", "json": "json",
	"password": "password", "unix-time": "unix", "timestamp": "unix", "country": "country", "currency": "currency",
	"language": "language", "timezone": "timezone", "unix": "unix", "unix-ms": "unix-ms", "jql": "jql",
	"document": "document", "query": "query", "range": "range", "digits-3-7-7": "digits-3-7-7"}

func format(name string, f *catalog.Field) string {
	out := formats[strings.ToLower(name)]
	if out == "unix" && !f.Accepts("integer") && !f.Accepts("number") {
		return ""
	}
	return out
}
