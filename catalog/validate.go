package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// check walks one kind and reports what contradicts itself.
type check struct {
	d    *decoder
	kind *Kind
}

func (d *decoder) validate(k *Kind) {
	c := &check{d: d, kind: k}
	c.identity()
	for i := range k.Credentials {
		c.method(fmt.Sprintf("credentials[%d]", i), &k.Credentials[i])
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
		c.relation(fmt.Sprintf("relations[%d]", i), &k.Relations[i])
	}
}

// bad reports at the line of the deepest part of path that the file holds.
func (c *check) bad(path, format string, args ...any) {
	c.d.problem(c.d.lineOf(path), path, format, args...)
}

func (d *decoder) lineOf(path string) int {
	for path != "" {
		if line, ok := d.lines[path]; ok {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return d.lines[""]
}

func (c *check) identity() {
	k := c.kind
	if !snakeCase(k.Name) {
		c.bad("kind", "the kind needs a name in lower snake_case, found %q", k.Name)
	}
	for _, must := range [...]struct{ key, value string }{
		{"title", k.Title}, {"system", k.System}, {"connector_type", k.ConnectorType},
	} {
		if must.value == "" {
			c.bad("", "the kind needs a %s", must.key)
		}
	}
	if len(k.Entities) == 0 {
		c.bad("entities", "the kind needs at least one entity")
	}
}

func (c *check) method(path string, m *Method) {
	if m.Method != "token" && m.Method != "oauth" {
		c.bad(path, "a credential method is token or oauth, found %q", m.Method)
	}
	if m.Unavailable && len(m.Fields) > 0 {
		c.bad(path, "an unavailable method has no fields")
	}
	c.fields(path+".fields", m.Fields)
}

func (c *check) credential(name string) *Field {
	for i := range c.kind.Credentials {
		if f := FieldByName(c.kind.Credentials[i].Fields, name); f != nil {
			return f
		}
	}
	return nil
}

func (c *check) entity(e *Entity) {
	path := "entities." + e.Name
	if !snakeCase(e.Name) {
		c.bad(path, "an entity is named in lower snake_case")
	}
	if len(e.Actions) == 0 {
		c.bad(path, "the entity needs at least one action")
	}
	if e.Key != "" && len(e.Record) > 0 && !e.RecordPartial && FieldAt(e.Record, e.Key) == nil {
		c.bad(path+".key", "the key %q is not in the record%s", e.Key, suggestion(e.Key, namesOf(e.Record)))
	}
	if e.SearchUnknown && len(e.Search) > 0 {
		c.bad(path+".search", "search fields are listed and unknown at once")
	}
	if e.Action(ActionContextStoreSearch) != nil && e.Search == nil && !e.SearchUnknown {
		c.bad(path, "say which fields search knows: search: {...}, or search: unknown")
	}
	c.fields(path+".record", e.Record)
	c.fields(path+".search", e.Search)
	for _, f := range e.Record {
		for _, name := range f.Omitted {
			if e.Action(name) == nil {
				c.bad(path+".record."+f.Name+".omitted", "the entity has no action %q", name)
			}
		}
	}
	for i := range e.Actions {
		c.action(path+".actions."+e.Actions[i].Name, e, &e.Actions[i])
	}
}

var actionNames = [...]string{ActionList, ActionGet, ActionCreate, ActionUpdate, ActionDelete,
	ActionAPISearch, ActionContextStoreSearch, ActionDownload, ActionSemanticSearch}

func (c *check) action(path string, e *Entity, a *Action) {
	if !slices.Contains(actionNames[:], a.Name) {
		c.bad(path, "unknown action%s", suggestion(a.Name, actionNames[:]))
	}
	if a.ParamsUnknown && len(a.Params) > 0 {
		c.bad(path+".params", "params are listed and unknown at once")
	}
	if a.SentAs != "" && e.Action(a.SentAs) == nil {
		c.bad(path+".sent_as", "the entity has no action %q", a.SentAs)
	}
	c.fields(path+".params", a.Params)
	c.fields(path+".record", a.Record)
	c.fields(path+".meta", a.Meta)
	for i := range a.Rules {
		c.rule(fmt.Sprintf("%s.rules[%d]", path, i), a, &a.Rules[i])
	}
	for i := range a.Params {
		c.inject(path+".params."+a.Params[i].Name, &a.Params[i])
	}
	c.page(path+".page", e, a)
	c.binding(path, a)
}

func (c *check) inject(path string, f *Field) {
	if f.Inject == nil {
		return
	}
	if c.kind.ConfigField(f.Inject.Config) == nil && c.credential(f.Inject.Config) == nil {
		c.bad(path+".inject", "no configuration value is called %q", f.Inject.Config)
	}
	if table := f.Inject.Table; table != "" && (c.kind.Local == nil || c.kind.Local.Tables[table] == nil) {
		c.bad(path+".inject", "local.tables has no table %q", table)
	}
}

// ruleArity tells how many params a rule speaks of: least and most (0 = any number).
func ruleArity(name string) (least, most int, ok bool) {
	switch name {
	case "at_least_one", "exactly_one":
		return 2, 0, true
	case "bounded_jql", "max_entries", "no_prefix", "one_of_values":
		return 1, 1, true
	case "required_unless":
		return 2, 2, true
	}
	return 0, 0, false
}

func (c *check) rule(path string, a *Action, r *Rule) {
	least, most, ok := ruleArity(r.Rule)
	switch {
	case !ok:
		c.bad(path, "unknown rule %q%s", r.Rule, suggestion(r.Rule, []string{"at_least_one", "exactly_one", "bounded_jql",
			"max_entries", "no_prefix", "one_of_values", "required_unless"}))
	case len(r.Params) < least || (most > 0 && len(r.Params) > most):
		c.bad(path, "the rule %s cannot speak of %d params", r.Rule, len(r.Params))
	}
	if r.Text == "" {
		c.bad(path, "the rule needs a text that tells people what to do")
	}
	if r.Rule == "max_entries" && r.Max <= 0 {
		c.bad(path, "the rule max_entries needs a max above 0")
	}
	if r.Rule == "no_prefix" && r.Value == "" {
		c.bad(path, "the rule no_prefix needs a value")
	}
	fields := a.Params
	if r.In != "" {
		object := a.Param(r.In)
		if object == nil {
			c.bad(path+".in", "the action has no param %q", r.In)
			return
		}
		fields = object.Members
	}
	for _, name := range r.Params {
		if FieldAt(fields, name) == nil && !a.ParamsUnknown && !a.FreeBody {
			c.bad(path+".params", "the rule names %q, which is no param of the action%s", name, suggestion(name, namesOf(fields)))
		}
	}
}

func (c *check) relation(path string, r *Relation) {
	from, to := c.kind.Entity(r.From), c.kind.Entity(r.To)
	if from == nil {
		c.bad(path+".from", "no entity is called %q%s", r.From, suggestion(r.From, c.entityNames()))
	} else if !from.mentions(r.Field) {
		c.bad(path+".field", "%s has no field %q in record, search or params", r.From, r.Field)
	}
	if to == nil {
		c.bad(path+".to", "no entity is called %q%s", r.To, suggestion(r.To, c.entityNames()))
	} else if r.Key != "" && !to.mentions(r.Key) {
		c.bad(path+".key", "%s has no field %q in record, search or params", r.To, r.Key)
	}
}

// mentions tells whether a path is, or may well be, a record, search or param
// field of the entity: members of an object that no source describes are believed.
func (e *Entity) mentions(path string) bool {
	if mayHold(e.Record, path) || mayHold(e.Search, path) {
		return true
	}
	for i := range e.Actions {
		if mayHold(e.Actions[i].Record, path) || mayHold(e.Actions[i].Params, path) {
			return true
		}
	}
	return false
}

func mayHold(fields []Field, path string) bool {
	if FieldAt(fields, path) != nil {
		return true
	}
	head, _, dotted := strings.Cut(path, ".")
	f := FieldAt(fields, head)
	return dotted && f != nil && f.open()
}

// open tells whether a value may have members that no source names.
func (f *Field) open() bool {
	if f.Items != nil {
		return f.Items.open()
	}
	return f.Members == nil && (f.Accepts("object") || f.Accepts("array"))
}

func (c *check) entityNames() []string {
	names := make([]string, len(c.kind.Entities))
	for i := range c.kind.Entities {
		names[i] = c.kind.Entities[i].Name
	}
	return names
}

func namesOf(fields []Field) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return names
}

func snakeCase(s string) bool {
	for i := range len(s) {
		lower := s[i] >= 'a' && s[i] <= 'z'
		if !lower && (i == 0 || (s[i] != '_' && (s[i] < '0' || s[i] > '9'))) {
			return false
		}
	}
	return s != ""
}

// attributeNames are the keys a field may name under upstream.
func attributeNames() []string {
	return keyNames(reflect.TypeFor[Field]())
}
