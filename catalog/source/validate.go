package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/strictyaml"
)

// check walks one kind and reports what contradicts itself.
type check struct {
	file *strictyaml.File
	kind *catalog.Kind
	// entities are those of the kind by name, made when first asked for.
	entities map[string]*catalog.Entity
	guesses  int
}

// maxGuesses is for how many unknown names the nearest one is looked for, which
// means to look at all there are.
const maxGuesses = 100

func (c *check) all() {
	k := c.kind
	c.badIf(!catalog.IsName(k.Name), "kind", "the kind needs a name in lower snake_case, found %q", k.Name)
	c.badIf(k.Title == "", "", "the kind needs a title")
	c.badIf(k.System == "", "", "the kind needs a system")
	c.badIf(k.ConnectorType == "", "", "the kind needs a connector_type")
	c.badIf(len(k.Entities) == 0, "entities", "the kind needs at least one entity")
	for i := range k.Credentials {
		m, path := &k.Credentials[i], fmt.Sprintf("credentials[%d]", i)
		c.badIf(m.Method != "token" && m.Method != "oauth",
			path, "a credential method is token or oauth, found %q", m.Method)
		c.badIf(m.Unavailable && len(m.Fields) > 0, path, "an unavailable method has no fields")
		c.fields(path+".fields", m.Fields)
	}
	c.fields("config", k.Config)
	for _, f := range k.Config {
		if f.Derive != nil && c.credential(f.Derive.From) == nil {
			c.bad("config."+f.Name+".derive", "no credential field is called %q", f.Derive.From)
		}
	}
	c.local()
	for i := range k.Entities {
		c.entity(&k.Entities[i])
	}
	for i := range k.Relations {
		r, path := &k.Relations[i], fmt.Sprintf("relations[%d]", i)
		if from := c.known(path+".from", r.From); from != nil {
			c.badIf(!mentions(from, r.Field),
				path+".field", "%s has no field %q in record, search or params", r.From, r.Field)
		}
		if to := c.known(path+".to", r.To); to != nil && r.Key != "" {
			c.badIf(!mentions(to, r.Key), path+".key", "%s has no field %q in record, search or params", r.To, r.Key)
		}
	}
	c.sandbox()
}

// bad reports at the line of the deepest part of path that the file holds.
func (c *check) bad(path, format string, args ...any) { c.file.Bad(path, format, args...) }

// badIf reports what is wrong when it is.
func (c *check) badIf(wrong bool, path, format string, args ...any) {
	if wrong {
		c.bad(path, format, args...)
	}
}

// unknown reports a name that is none of the known ones.
func (c *check) unknown(path, name string, known []string, format string, args ...any) {
	near := ""
	if c.guesses++; c.guesses <= maxGuesses {
		near = strictyaml.DidYouMean(name, known)
	}
	c.bad(path, format+"%s", append(args, near)...)
}

// filled reports whether a configuration value or a credential field has the name.
func (c *check) filled(name string) bool {
	return c.kind.ConfigField(name) != nil || c.credential(name) != nil
}

func (c *check) credential(name string) *catalog.Field {
	for i := range c.kind.Credentials {
		if f := catalog.FieldByName(c.kind.Credentials[i].Fields, name); f != nil {
			return f
		}
	}
	return nil
}

func (c *check) entity(e *catalog.Entity) {
	path := "entities." + e.Name
	c.badIf(!catalog.IsName(e.Name), path, "an entity is named in lower snake_case")
	c.badIf(len(e.Actions) == 0, path, "the entity needs at least one action")
	if e.Key != "" && len(e.Record) > 0 && !e.RecordPartial && catalog.FieldAt(e.Record, e.Key) == nil {
		c.unknown(path+".key", e.Key, catalog.FieldNames(e.Record), "the key %q is not in the record", e.Key)
	}
	c.badIf(e.SearchUnknown && len(e.Search) > 0,
		path+".search", "search fields are listed and unknown at once")
	c.badIf(e.Action(catalog.ActionContextStoreSearch) != nil && e.Search == nil && !e.SearchUnknown,
		path, "say which fields search knows: search: {...}, or search: unknown")
	c.fields(path+".record", e.Record)
	c.fields(path+".search", e.Search)
	for _, f := range e.Record {
		for _, name := range f.Omitted {
			c.badIf(e.Action(name) == nil,
				path+".record."+f.Name+".omitted", "the entity has no action %q", name)
		}
	}
	for i := range e.Actions {
		c.action(path+".actions."+e.Actions[i].Name, e, &e.Actions[i])
	}
}

var actionNames = []string{catalog.ActionList, catalog.ActionGet, catalog.ActionCreate, catalog.ActionUpdate,
	catalog.ActionDelete, catalog.ActionAPISearch, catalog.ActionContextStoreSearch, catalog.ActionDownload,
	catalog.ActionSemanticSearch}

// changing are the actions that change data by their names.
var changing = []string{catalog.ActionCreate, catalog.ActionUpdate, catalog.ActionDelete}

func (c *check) action(path string, e *catalog.Entity, a *catalog.Action) {
	switch named := slices.Contains(actionNames, a.Name); {
	case !named && a.Reads == nil:
		c.unknown(path, a.Name, actionNames, "unknown action: where the name is meant, say whether it reads: true or "+
			"false")
	case !named:
		c.badIf(!catalog.IsName(a.Name), path, "an action is named in lower snake_case")
	}
	c.badIf(a.Reads != nil && *a.Reads && (a.Destructive || slices.Contains(changing, a.Name)),
		path+".reads", "an action that changes data does not only read")
	c.badIf(a.ParamsUnknown && len(a.Params) > 0, path+".params", "params are listed and unknown at once")
	c.badIf(a.SentAs != "" && e.Action(a.SentAs) == nil,
		path+".sent_as", "the entity has no action %q", a.SentAs)
	c.fields(path+".params", a.Params)
	c.fields(path+".record", a.Record)
	c.fields(path+".meta", a.Meta)
	for i := range a.Rules {
		c.rule(fmt.Sprintf("%s.rules[%d]", path, i), a, &a.Rules[i])
	}
	for _, f := range a.Params {
		if f.Inject == nil {
			continue
		}
		at, from, table := path+".params."+f.Name+".inject", f.Inject.Config, f.Inject.Table
		c.badIf(!c.filled(from), at, "no configuration value is called %q", from)
		c.badIf(table != "" && (c.kind.Local == nil || c.kind.Local.Tables[table] == nil),
			at, "local.tables has no table %q", table)
	}
	c.page(path+".page", e, a)
	c.binding(path, a)
}

// rules lists how many params a rule speaks of: least and most (0 = any number).
var rules = map[string]struct{ least, most int }{
	"at_least_one": {2, 0}, "exactly_one": {2, 0}, "required_unless": {2, 2},
	"bounded_jql": {1, 1}, "max_entries": {1, 1}, "no_prefix": {1, 1}, "one_of_values": {1, 1},
	"names_one": {1, 1},
}

func (c *check) rule(path string, a *catalog.Action, r *catalog.Rule) {
	arity, ok := rules[r.Rule]
	switch {
	case !ok:
		c.unknown(path, r.Rule, slices.Sorted(maps.Keys(rules)), "unknown rule %q", r.Rule)
	case len(r.Params) < arity.least || (arity.most > 0 && len(r.Params) > arity.most):
		c.bad(path, "the rule %s cannot speak of %d params", r.Rule, len(r.Params))
	}
	c.badIf(r.Text == "", path, "the rule needs a text that tells people what to do")
	c.badIf(r.Rule == "max_entries" && r.Max <= 0, path, "the rule max_entries needs a max above 0")
	c.badIf(r.Rule == "no_prefix" && r.Value == "", path, "the rule no_prefix needs a value")
	c.badIf(r.Rule == "names_one" && len(r.Values) == 0, path, "the rule names_one needs values")
	fields := a.Params
	if r.In != "" {
		holder := a.Param(r.In)
		if holder == nil {
			c.bad(path+".in", "the action has no param %q", r.In)
			return
		}
		fields = holder.Members
	}
	for _, name := range r.Params {
		if catalog.FieldAt(fields, name) == nil && !a.ParamsUnknown && !a.FreeBody {
			c.unknown(path+".params", name, catalog.FieldNames(fields),
				"the rule names %q, which is no param of the action", name)
		}
	}
}

// mentions reports whether a path is, or may well be, a record, search or param
// field of the entity: members of an object that no source describes are believed.
func mentions(e *catalog.Entity, path string) bool {
	return mayHold(e.Record, path) || mayHold(e.Search, path) ||
		slices.ContainsFunc(e.Actions, func(a catalog.Action) bool {
			return mayHold(a.Record, path) || mayHold(a.Params, path)
		})
}

func mayHold(fields []catalog.Field, path string) bool {
	if catalog.FieldAt(fields, path) != nil {
		return true
	}
	head, _, dotted := strings.Cut(path, ".")
	f := catalog.FieldAt(fields, head)
	return dotted && f != nil && open(f)
}

// open reports whether a value may have members that no source names.
func open(f *catalog.Field) bool {
	if f.Items != nil {
		return open(f.Items)
	}
	return f.Members == nil && (f.Accepts("object") || f.Accepts("array"))
}

func (c *check) fields(path string, fields []catalog.Field) {
	for i := range fields {
		at := path + "." + fields[i].Name
		if !c.file.Has(at) {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		c.field(at, &fields[i])
	}
}

func (c *check) field(path string, f *catalog.Field) {
	c.badIf(f.Items != nil && !f.Accepts("array"), path, "items belong to an array, the type is %s", f.Type)
	c.badIf((f.Members != nil || f.Values != nil || f.OneOf) && !f.Accepts("object"),
		path, "members, values and one_of belong to an object, the type is %s", f.Type)
	c.badIf(f.Min != nil && f.Max != nil && *f.Min > *f.Max, path, "min is above max")
	c.badIf((f.Min != nil || f.Max != nil) && !f.Accepts("number") && !f.Accepts("integer"),
		path, "min and max belong to a number, the type is %s", f.Type)
	c.badIf(f.MaxItems > 0 && !f.Accepts("array") && f.Separator == "",
		path, "max_items belongs to an array or to text with a separator")
	c.badIf(f.Separator != "" && !f.Accepts("string"), path, "separator belongs to text, the type is %s", f.Type)
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

// values checks that const, enum and default are values of the type.
func (c *check) values(path string, f *catalog.Field) {
	c.badIf(f.Const != nil && !holds(f, f.Const), path+".const", "%s is no %s", f.Const, f.Type)
	seen := map[string]bool{}
	for _, v := range f.Enum {
		c.badIf(!holds(f, v), path+".enum", "%s is no %s: quote it if text is meant", v, f.Type)
		c.badIf(seen[string(v)], path+".enum", "%s stands twice", v)
		seen[string(v)] = true
	}
	c.badIf(f.Default != nil && !holds(f, f.Default),
		path+".default", "%s is no %s: quote it if text is meant", f.Default, f.Type)
	closed := len(f.Enum) > 0 && !f.Open && f.Separator == ""
	c.badIf(f.Default != nil && closed && jsonType(f.Default) == "string" && !seen[string(f.Default)],
		path+".default", "%s is not one of the enum", f.Default)
	for from := range f.WireValues {
		c.badIf(len(f.Enum) > 0 && !seen[string(rawjson.AppendQuoted(nil, from))],
			path+".wire_values", "%q is not one of the enum", from)
	}
}

// words checks the attributes that take one of a few words.
func (c *check) words(path string, f *catalog.Field) {
	if f.Format != "" && !slices.Contains(formats, f.Format) {
		c.unknown(path+".format", f.Format, formats, "unknown format %q", f.Format)
	}
	c.badIf(f.In != "" && !slices.Contains(requestParts, f.In),
		path+".in", "unknown place %q: write %s", f.In, strings.Join(requestParts, ", "))
	c.badIf(f.Style != "" && f.Style != "comma" && f.Style != "json",
		path+".style", "unknown style %q: write comma or json, or leave it out", f.Style)
	c.badIf(f.WireType != "" && f.WireType != "boolean" && (f.WireType != "array" || f.Separator == "") ||
		f.WireType != "" && !f.Accepts("string"),
		path+".wire_type", "write boolean, or array for text with a separator, and give the field the type string")
	c.badIf(f.WireCase != "" && f.WireCase != "upper", path+".wire_case", "unknown case %q: write upper", f.WireCase)
	for _, name := range f.Upstream {
		c.badIf(name == "" || !slices.Contains(strictyaml.Keys(reflect.TypeFor[catalog.Field]()), name),
			path+".upstream", "%q is no attribute of a field", name)
	}
	if f.Ref != "" {
		entity, field, dotted := strings.Cut(f.Ref, ".")
		if target := c.known(path+".ref", entity); target != nil && dotted {
			c.badIf(!mentions(target, field), path+".ref", "%s has no field %q", entity, field)
		}
	}
}

var requestParts = []string{"path", "query", "header", "body", "variable", "selection"}

var formats = []string{"date-time", "date", "time", "unix", "unix-ms", "duration", "timezone",
	"uuid", "email", "uri", "hostname", "ip", "phone", "color", "country", "currency", "language",
	"int32", "int64", "float", "double", "binary", "base64", "byte", "html", "markdown", "json",
	"jql", "document", "password", "query", "range", "digits-3-7-7"}

// holds reports whether a JSON value is one of the field's types.
func holds(f *catalog.Field, v json.RawMessage) bool {
	t := jsonType(v)
	return (t == "null" && f.Nullable) || f.Accepts(t)
}

// jsonType names the type of a JSON value; a number without fraction and
// exponent is an integer.
func jsonType(v json.RawMessage) string {
	if n := rawjson.Parse(v); n.Kind() != rawjson.Number || bytes.ContainsAny(v, ".eE") {
		return n.Kind().String()
	}
	return "integer"
}
