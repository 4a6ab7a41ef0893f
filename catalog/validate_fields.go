package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func (c *check) fields(path string, fields []Field) {
	for i := range fields {
		at := path + "." + fields[i].Name
		if _, mapped := c.d.lines[at]; !mapped {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		c.field(at, &fields[i])
	}
}

func (c *check) field(path string, f *Field) {
	c.shape(path, f)
	c.values(path, f)
	c.words(path, f)
	c.fields(path+".members", f.Members)
	if f.Items != nil {
		c.field(path+".items", f.Items)
	}
	if f.Values != nil {
		c.field(path+".values", f.Values)
	}
}

func (c *check) shape(path string, f *Field) {
	if f.Items != nil && !f.Accepts("array") {
		c.bad(path, "items belong to an array, the type is %s", f.Type)
	}
	if (f.Members != nil || f.Values != nil || f.OneOf) && !f.Accepts("object") {
		c.bad(path, "members, values and one_of belong to an object, the type is %s", f.Type)
	}
	if f.Min != nil && f.Max != nil && *f.Min > *f.Max {
		c.bad(path, "min is above max")
	}
	if (f.Min != nil || f.Max != nil) && !f.Accepts("number") && !f.Accepts("integer") {
		c.bad(path, "min and max belong to a number, the type is %s", f.Type)
	}
	if f.MaxItems > 0 && !f.Accepts("array") && f.Separator == "" {
		c.bad(path, "max_items belongs to an array or to text with a separator")
	}
	if f.Separator != "" && !f.Accepts("string") {
		c.bad(path, "separator belongs to text, the type is %s", f.Type)
	}
}

// values checks that const, enum and default are values of the type.
func (c *check) values(path string, f *Field) {
	if f.Const != nil && !f.holds(f.Const) {
		c.bad(path+".const", "%s is no %s", f.Const, f.Type)
	}
	seen := map[string]bool{}
	for _, v := range f.Enum {
		if !f.holds(v) {
			c.bad(path+".enum", "%s is no %s: quote it if text is meant", v, f.Type)
		}
		if seen[string(v)] {
			c.bad(path+".enum", "%s stands twice", v)
		}
		seen[string(v)] = true
	}
	if f.Default != nil && !f.holds(f.Default) {
		c.bad(path+".default", "%s is no %s: quote it if text is meant", f.Default, f.Type)
	}
	if f.Default != nil && len(f.Enum) > 0 && !f.Open && f.Separator == "" && jsonType(f.Default) == "string" && !seen[string(f.Default)] {
		c.bad(path+".default", "%s is not one of the enum", f.Default)
	}
	for from := range f.WireValues {
		if len(f.Enum) > 0 && !seen[string(quoteJSON(from))] {
			c.bad(path+".wire_values", "%q is not one of the enum", from)
		}
	}
}

// words checks the attributes that take one of a few words.
func (c *check) words(path string, f *Field) {
	if f.Format != "" && !slices.Contains(formats[:], f.Format) {
		c.bad(path+".format", "unknown format %q%s", f.Format, suggestion(f.Format, formats[:]))
	}
	if f.In != "" && !slices.Contains(placeNames[:], f.In) {
		c.bad(path+".in", "unknown place %q: write %s", f.In, strings.Join(placeNames[:], ", "))
	}
	if f.Style != "" && f.Style != "comma" && f.Style != "json" {
		c.bad(path+".style", "unknown style %q: write comma or json, or leave it out", f.Style)
	}
	for _, name := range f.Upstream {
		if !slices.Contains(attributeNames(), name) {
			c.bad(path+".upstream", "%q is no attribute of a field", name)
		}
	}
	if f.Ref != "" {
		entity, field, dotted := strings.Cut(f.Ref, ".")
		target := c.kind.Entity(entity)
		if target == nil {
			c.bad(path+".ref", "no entity is called %q%s", entity, suggestion(entity, c.entityNames()))
		} else if dotted && !target.mentions(field) {
			c.bad(path+".ref", "%s has no field %q", entity, field)
		}
	}
}

var placeNames = [...]string{"path", "query", "header", "body", "variable", "selection"}

var formats = [...]string{"date-time", "date", "time", "unix", "unix-ms", "duration", "timezone",
	"uuid", "email", "uri", "hostname", "ip", "phone", "color", "country", "currency", "language",
	"int32", "int64", "float", "double", "binary", "base64", "byte", "html", "markdown", "json",
	"jql", "document", "password", "query", "range"}

// holds tells whether a JSON value is one of the field's types.
func (f *Field) holds(v json.RawMessage) bool {
	t := jsonType(v)
	return (t == "null" && f.Nullable) || f.Accepts(t)
}

// jsonType names the type of a JSON value; a number without fraction and
// exponent is an integer.
func jsonType(v json.RawMessage) string {
	v = bytes.TrimLeft(v, " \t\r\n")
	if len(v) == 0 {
		return ""
	}
	switch v[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if bytes.ContainsAny(v, ".eE") {
		return "number"
	}
	return "integer"
}
