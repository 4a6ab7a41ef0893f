package described

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// params reads the params of an action, or the fields of a record: a list of names or
// of objects, a JSON Schema, or a map from names to types or schemas. told is false
// where nothing of this kind stands there.
func (b *builder) params(n rawjson.Node) (fields []catalog.Field, told bool) {
	switch n.Kind() {
	case rawjson.Array:
		return b.listed(n), true
	case rawjson.Object:
		if at(n, "properties").Kind() == rawjson.Object || textAt(n, "$ref") != "" || textAt(n, "type") == "object" ||
			member(n, "allOf").Kind() == rawjson.Array {
			return b.schema("", n, 0).Members, true
		}
		if within := member(n, "schema", "json_schema", "jsonSchema"); within.Kind() == rawjson.Object {
			return b.params(within)
		}
		return b.mapped(n), true
	}
	return nil, false
}

// listed reads a list of fields: names, or objects with a name.
func (b *builder) listed(n rawjson.Node) (out []catalog.Field) {
	for one := range n.Elems() {
		var f catalog.Field
		switch one.Kind() {
		case rawjson.String:
			f = catalog.Field{Name: one.Text(), Type: "any", Source: catalog.Live}
		case rawjson.Object:
			f = b.schema(textAt(one, "name", "param", "parameter", "field", "key", "path"), one, 0)
			if s := member(one, "schema"); s.Kind() == rawjson.Object { // as OpenAPI writes it
				of := b.schema(f.Name, s, 0)
				of.Doc, of.Required = cmp.Or(f.Doc, of.Doc), f.Required
				f = of
			}
		}
		out = b.add(out, f)
	}
	return out
}

// mapped reads a map from names to types or schemas.
func (b *builder) mapped(n rawjson.Node) (out []catalog.Field) {
	for m := range n.Members() {
		if strings.HasPrefix(m.Key(), "$") || m.Key() == "additionalProperties" {
			continue
		}
		out = b.add(out, b.schema(m.Key(), m.Value, 0))
	}
	return out
}

// add appends a field that has a usable name of its own.
func (b *builder) add(out []catalog.Field, f catalog.Field) []catalog.Field {
	switch {
	case !usable(f.Name):
		b.skip("fields whose names are empty or too long")
	case catalog.FieldByName(out, f.Name) != nil:
	case len(out) >= mostMembers || b.fields >= mostFields:
		b.skip("fields beyond those that fit")
	default:
		b.fields++
		out = append(out, f)
	}
	return out
}

// schema reads one field: a type in a word, or a JSON Schema in any of its dialects.
func (b *builder) schema(name string, n rawjson.Node, depth int) catalog.Field {
	f := catalog.Field{Name: name, Source: catalog.Live}
	if n.Kind() == rawjson.String {
		typed(&f, n.Text())
		return f
	}
	if n.Kind() != rawjson.Object || depth > mostDepth {
		f.Type = "any"
		return f
	}
	n = b.resolved(n)
	b.typeOf(&f, n, depth)
	f.Doc = short(textAt(n, "description", "doc", "help", "title"))
	for v := range member(n, "enum", "values", "allowed_values", "choices").Elems() {
		if len(f.Enum) < mostMembers && v.Size() <= mostName {
			f.Enum = append(f.Enum, json.RawMessage(slices.Clone(v.Raw())))
		}
	}
	f.Const = value(member(n, "const"))
	f.Default = value(member(n, "default"))
	f.Min, f.Max = number(member(n, "minimum", "min")), number(member(n, "maximum", "max"))
	if most := number(member(n, "maxItems", "max_items")); most != nil && *most > 0 && *most < 1e9 {
		f.MaxItems = int(*most)
	}
	f.Format = cmp.Or(f.Format, known(textAt(n, "format"), formats))
	f.Required = isTrue(member(n, "required"))
	f.Nullable = f.Nullable || isTrue(member(n, "nullable"))
	f.Secret = isTrue(member(n, "writeOnly")) || isTrue(member(n, "secret"))
	b.below(&f, n, depth)
	return f
}

// formats are the refinements that the form and the views know; others say nothing.
var formats = []string{"date-time", "date", "time", "unix", "unix-ms", "uuid", "email", "uri", "binary"}

func known(text string, words []string) string {
	if slices.Contains(words, text) {
		return text
	}
	return ""
}

// typeOf finds the type of a field, also among several that it may have.
func (b *builder) typeOf(f *catalog.Field, n rawjson.Node, depth int) {
	switch t := member(n, "type", "data_type", "dataType"); t.Kind() {
	case rawjson.String:
		typed(f, t.Text())
		return
	case rawjson.Array:
		for one := range t.Elems() {
			typed(f, one.Text())
		}
		return
	}
	for one := range member(n, "oneOf", "anyOf").Elems() {
		if textAt(one, "type") == "null" {
			f.Nullable = true
			continue
		}
		of := b.schema(f.Name, one, depth+1)
		joinTypes(f, of.Type)
		f.Nullable = f.Nullable || of.Nullable
		f.Items = cmp.Or(f.Items, of.Items)
		f.Members = append(f.Members, without(of.Members, f.Members)...)
		f.Enum = append(f.Enum, of.Enum...)
		if of.Const != nil {
			f.Enum = append(f.Enum, of.Const)
		}
	}
	if f.Type != "" {
		return
	}
	switch {
	case member(n, "properties").Exists():
		f.Type = "object"
	case member(n, "items").Exists():
		f.Type = "array"
	default:
		f.Type = "any"
	}
}

// below reads the members of an object, the elements of an array and all that a
// schema takes over from others.
func (b *builder) below(f *catalog.Field, n rawjson.Node, depth int) {
	for part := range member(n, "allOf").Elems() {
		of := b.schema(f.Name, part, depth+1)
		if f.Type == "any" {
			f.Type = of.Type
		}
		f.Doc = cmp.Or(f.Doc, of.Doc)
		f.Members = append(f.Members, without(of.Members, f.Members)...)
	}
	for m := range member(n, "properties").Members() {
		f.Members = b.add(f.Members, b.schema(m.Key(), m.Value, depth+1))
	}
	for name := range member(n, "required").Elems() {
		if i := slices.IndexFunc(f.Members, func(m catalog.Field) bool { return m.Name == name.Text() }); i >= 0 {
			f.Members[i].Required = true
		}
	}
	if items := member(n, "items"); items.Exists() && strings.Contains(f.Type, "array") {
		of := b.schema("", items, depth+1)
		f.Items = &of
	}
	if values := member(n, "additionalProperties"); values.Kind() == rawjson.Object && len(f.Members) == 0 {
		of := b.schema("", values, depth+1)
		f.Values = &of
	}
}

// without are the fields that others lack by name.
func without(fields, others []catalog.Field) (out []catalog.Field) {
	for _, f := range fields {
		if catalog.FieldByName(others, f.Name) == nil {
			out = append(out, f)
		}
	}
	return out
}

// resolved follows references within the document; one that leads nowhere is as good
// as nothing.
func (b *builder) resolved(n rawjson.Node) rawjson.Node {
	for range mostDepth {
		ref, local := strings.CutPrefix(textAt(n, "$ref"), "#/")
		if !local {
			return n
		}
		to := b.root
		for step := range strings.SplitSeq(ref, "/") {
			to = member(to, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
		if to.Kind() != rawjson.Object {
			return rawjson.Parse([]byte("{}"))
		}
		n = to
	}
	return rawjson.Parse([]byte("{}"))
}

// typeWords are the types of the catalog by the words that people and programs use.
var typeWords = map[string]string{"string": "string", "str": "string", "text": "string", "varchar": "string",
	"id": "string", "enum": "string", "integer": "integer", "int": "integer", "int32": "integer", "int64": "integer",
	"long": "integer", "bigint": "integer", "number": "number", "float": "number", "double": "number",
	"decimal": "number", "numeric": "number", "boolean": "boolean", "bool": "boolean", "object": "object",
	"dict": "object", "map": "object", "json": "any", "record": "object", "array": "array", "list": "array",
	"any": "any", "unknown": "any", "mixed": "any"}

// formatWords are words for a text of a certain format.
var formatWords = map[string]string{"date-time": "date-time", "datetime": "date-time", "timestamp": "date-time",
	"date": "date", "uuid": "uuid", "email": "email", "uri": "uri", "url": "uri"}

// typed gives a field the type that is told in words: "string", "integer|null",
// "array of string", "list[int]", "Optional[str]", "date-time".
func typed(f *catalog.Field, words string) {
	lower := strings.ToLower(strings.TrimSpace(words))
	if rest, ok := strings.CutPrefix(lower, "optional["); ok {
		lower = strings.TrimSuffix(rest, "]") + "|null"
	}
	if rest, ok := strings.CutSuffix(lower, "?"); ok {
		lower = rest + "|null"
	}
	lower = strings.NewReplacer(" or ", "|", "/", "|", " | ", "|", ",", "|").Replace(lower)
	for one := range strings.SplitSeq(lower, "|") {
		one = strings.TrimSpace(one)
		switch of, isList := listOf(one); {
		case one == "null" || one == "none":
			f.Nullable = true
		case isList:
			joinTypes(f, "array")
			items := catalog.Field{Source: catalog.Live}
			typed(&items, of)
			f.Items = &items
		case formatWords[one] != "":
			joinTypes(f, "string")
			f.Format = formatWords[one]
		case typeWords[one] != "":
			joinTypes(f, typeWords[one])
		case one != "":
			joinTypes(f, "any")
			f.Note = "described as " + strconv.Quote(word(words))
		}
	}
	f.Type = cmp.Or(f.Type, "any")
}

// listOf is the type of the elements where a word tells a list with them.
func listOf(text string) (of string, ok bool) {
	for _, before := range []string{"array of ", "list of ", "array[", "list[", "array<", "list<"} {
		if rest, found := strings.CutPrefix(text, before); found {
			return strings.TrimRight(rest, "]>"), true
		}
	}
	return strings.CutSuffix(text, "[]")
}

// joinTypes adds a type to those that a field may have; any swallows the others.
func joinTypes(f *catalog.Field, t string) {
	switch {
	case f.Type == "any" || t == "any":
		f.Type = "any"
	case f.Type == "":
		f.Type = t
	default:
		for one := range strings.SplitSeq(t, "|") {
			if !slices.Contains(strings.Split(f.Type, "|"), one) {
				f.Type += "|" + one
			}
		}
	}
}

// value is a short JSON value; nil for none.
func value(n rawjson.Node) json.RawMessage {
	if !n.Exists() || n.Size() > mostText || n.Kind() == rawjson.Object && n.Len() > mostMembers {
		return nil
	}
	return slices.Clone(n.Raw())
}

func number(n rawjson.Node) *float64 {
	v, err := strconv.ParseFloat(n.Text(), 64)
	if n.Kind() != rawjson.Number || err != nil {
		return nil
	}
	return &v
}

func isTrue(n rawjson.Node) bool { return n.Kind() == rawjson.Bool && n.Text() == "true" }
