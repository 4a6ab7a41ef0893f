package described

import (
	"cmp"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Names under which services tell the same thing.
var (
	entityNames = []string{"entity_name", "entity", "name", "resource", "id"}
	actionNames = []string{"name", "action", "action_name", "verb", "id"}
	docNames    = []string{"description", "doc", "summary"}
	paramNames  = []string{"parameters", "params", "input_schema", "inputSchema", "arguments", "args",
		"parameters_schema", "input", "body"}
	recordNames = []string{"record", "record_schema", "schema", "fields", "properties", "columns"}
	searchNames = []string{"searchable_fields", "search_fields", "context_store_fields", "searchable"}
	listNames   = []string{"available_actions", "actions", "operations", "supported_actions", "methods"}
)

// describe reads the answer to describe, in whatever wrapping.
func (b *builder) describe(n rawjson.Node) {
	b.root = n
	list := entitiesIn(n, 0)
	b.k.Doc = short(textAt(n, docNames...))
	switch list.Kind() {
	case rawjson.Array:
		for e := range list.Elems() {
			b.described(e, "")
		}
	case rawjson.Object:
		for m := range list.Members() {
			b.described(m.Value, m.Key())
		}
	}
	b.relations(n)
}

// entitiesIn finds the list or map of entities, or of operations, below an answer.
func entitiesIn(n rawjson.Node, depth int) rawjson.Node {
	if n.Kind() != rawjson.Object {
		return n
	}
	for _, name := range []string{"entities", "resources", "operations", "actions", "tools", "streams"} {
		if v := member(n, name); v.Kind() == rawjson.Array || v.Kind() == rawjson.Object {
			return v
		}
	}
	for _, name := range []string{"result", "data", "schema", "connector", "connector_schema", "spec", "description"} {
		if v := member(n, name); depth < 4 && (v.Kind() == rawjson.Object || v.Kind() == rawjson.Array) {
			if found := entitiesIn(v, depth+1); found.Exists() {
				return found
			}
		}
	}
	return rawjson.Node{}
}

// described reads one entity, or one operation of an entity; key is its name where it
// stands in a map.
func (b *builder) described(n rawjson.Node, key string) {
	if n.Kind() == rawjson.String {
		b.entity(cmp.Or(key, n.Text()))
		return
	}
	of, action := textAt(n, "entity", "entity_name", "resource"), textAt(n, "action", "action_name", "verb")
	name := cmp.Or(key, textAt(n, entityNames...))
	if of != "" && action != "" {
		name = of
	}
	e := b.entity(name)
	if e == nil {
		return
	}
	if of != "" && action != "" {
		if a := b.action(e, action); a != nil {
			b.actionOf(a, n)
		}
		return
	}
	e.Doc = cmp.Or(e.Doc, short(textAt(n, docNames...)))
	e.Key = cmp.Or(e.Key, keyOf(n))
	for _, name := range listNames {
		b.actions(e, member(n, name))
	}
	if n.Kind() == rawjson.Array { // a map of names to lists of actions
		b.actions(e, n)
	}
	b.paramsByAction(e, member(n, paramNames...))
	b.fieldsOf(e, n)
}

// keyOf is the field that identifies a record, where one is told.
func keyOf(n rawjson.Node) string {
	v := member(n, "primary_key", "primaryKey", "key", "id_field", "source_defined_primary_key")
	for range 2 { // [["id"]] as streams tell it
		if first, ok := v.At(0); v.Kind() == rawjson.Array && ok {
			v = first
		}
	}
	if v.Kind() != rawjson.String {
		return ""
	}
	return word(v.Text())
}

// actions reads the actions of an entity: a list of names or of objects, or a map.
func (b *builder) actions(e *catalog.Entity, n rawjson.Node) {
	switch n.Kind() {
	case rawjson.Array:
		for one := range n.Elems() {
			name := textAt(one, actionNames...)
			if one.Kind() == rawjson.String {
				name = one.Text()
			}
			if a := b.action(e, name); a != nil {
				b.actionOf(a, one)
			}
		}
	case rawjson.Object:
		for m := range n.Members() {
			if m.Value.Kind() == rawjson.Bool && m.Value.Text() == "false" {
				continue // it says that the entity does not have it
			}
			if a := b.action(e, m.Key()); a != nil {
				b.actionOf(a, m.Value)
			}
		}
	}
}

// actionOf reads what is told of one action.
func (b *builder) actionOf(a *catalog.Action, n rawjson.Node) {
	a.Doc = cmp.Or(a.Doc, short(textAt(n, docNames...)))
	switch n.Kind() {
	case rawjson.Array: // of its params
		fields, told := b.params(n)
		b.setParams(a, fields, told)
	case rawjson.Object:
		if textAt(n, "type") == "object" && member(n, "properties").Exists() { // the schema itself
			fields, told := b.params(n)
			b.setParams(a, fields, told)
			return
		}
		fields, told := b.params(member(n, paramNames...))
		b.setParams(a, fields, told)
		if record, told := b.params(member(n, "record", "record_schema", "output_schema", "outputSchema", "returns",
			"response_schema")); told {
			a.Record = record
		}
		if meta, told := b.params(member(n, "meta", "metadata")); told {
			a.Meta = meta
		}
	}
}

// paramsByAction reads the params that an entity tells by action: {list: [...]}.
func (b *builder) paramsByAction(e *catalog.Entity, n rawjson.Node) {
	for m := range n.Members() {
		if a := e.Action(m.Key()); a != nil {
			fields, told := b.params(m.Value)
			b.setParams(a, fields, told)
		}
	}
}

// fieldsOf reads the record and the searchable fields of an entity.
func (b *builder) fieldsOf(e *catalog.Entity, n rawjson.Node) {
	record := member(n, recordNames...)
	if fields, told := b.params(record); told && len(e.Record) == 0 {
		for i := range fields {
			fields[i].Required = false // that of a record is no duty of whoever asks
		}
		e.Record = fields
	}
	search := member(n, searchNames...)
	if store := member(n, "context_store", "context_store_search", "search"); !search.Exists() {
		if search = member(store, append([]string{"fields"}, searchNames...)...); !search.Exists() {
			search = store
		}
	}
	if search.Kind() == rawjson.Array || search.Kind() == rawjson.Object {
		b.searchable(e, search)
	}
	for f := range record.Elems() { // fields that say it of themselves
		if v := member(f, "searchable", "filterable"); v.Kind() == rawjson.Bool && v.Text() == "true" {
			b.searchField(e, textAt(f, "name", "field"))
		}
	}
}

// searchable reads the fields that an entity can be searched by, and with them that it can.
func (b *builder) searchable(e *catalog.Entity, n rawjson.Node) {
	fields, told := b.params(n)
	if !told || len(fields) == 0 {
		return
	}
	for _, f := range flat(fields, "") {
		if catalog.FieldByName(e.Search, f.Name) == nil {
			f.Required, f.Default = false, nil
			e.Search = append(e.Search, f)
		}
	}
	b.action(e, catalog.ActionContextStoreSearch)
}

// searchField adds a field of the record to those that can be searched by.
func (b *builder) searchField(e *catalog.Entity, name string) {
	f := catalog.FieldByName(e.Record, name)
	if f == nil || catalog.FieldByName(e.Search, name) != nil {
		return
	}
	e.Search = append(e.Search, *f)
	b.action(e, catalog.ActionContextStoreSearch)
}

// flat names nested fields by their paths, as searches name them: owner.name, tags[].id.
func flat(fields []catalog.Field, path string) []catalog.Field {
	var out []catalog.Field
	for _, f := range fields {
		name := path + f.Name
		below, step := f.Members, "."
		if f.Items != nil && len(f.Items.Members) > 0 {
			below, step = f.Items.Members, "[]."
		}
		if len(below) > 0 {
			out = append(out, flat(below, name+step)...)
			continue
		}
		f.Name = name
		out = append(out, f)
	}
	return out
}

// stored adds the search of entities that the service keeps a copy of.
func (b *builder) stored(n rawjson.Node) {
	ready := inner(n, "context_store_readiness")
	for _, list := range []rawjson.Node{member(ready, "supported_context_store_entities"),
		member(ready, "configured_cache_entities")} {
		for one := range list.Elems() {
			name := textAt(one, "entity", "name")
			if one.Kind() == rawjson.String {
				name = one.Text()
			}
			if e := b.entity(name); e != nil {
				b.action(e, catalog.ActionContextStoreSearch)
			}
		}
	}
}

// relations reads which fields hold the keys of other entities.
func (b *builder) relations(n rawjson.Node) {
	n = inner(n, "result")
	for r := range member(n, "relationships", "entity_relationships", "relations").Elems() {
		from, to := textAt(r, "source_entity", "from"), textAt(r, "target_entity", "to")
		field := textAt(r, "foreign_key", "field")
		if b.k.Entity(from) != nil && b.k.Entity(to) != nil && usable(field) {
			b.k.Relations = append(b.k.Relations, catalog.Relation{From: from, Field: field, To: to,
				Key: word(textAt(r, "target_key", "key")), Source: catalog.Live})
		}
	}
}

// configuration reads what a connector is made from. Values in it are nobody's business.
func (b *builder) configuration(definition, template rawjson.Node) {
	spec := at(template, "user_config_spec.connectionSpecification")
	if !spec.Exists() {
		spec = at(definition, "spec.connectionSpecification")
	}
	b.root = spec
	fields, _ := b.params(spec)
	for i := range fields {
		markSecrets(&fields[i], at(spec, "properties"))
	}
	b.k.Config = fields
}

// markSecrets marks what a definition calls a secret, by the key that all of them use.
func markSecrets(f *catalog.Field, properties rawjson.Node) {
	n := member(properties, f.Name)
	for m := range n.Members() {
		if strings.HasSuffix(m.Key(), "_secret") && m.Value.Kind() == rawjson.Bool && m.Value.Text() == "true" {
			f.Secret, f.Default = true, nil
		}
	}
	for i := range f.Members {
		markSecrets(&f.Members[i], at(n, "properties"))
	}
}
