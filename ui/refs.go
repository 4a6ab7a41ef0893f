package ui

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/search"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// link is a value in a record that names a record of another entity.
type link struct {
	field  string
	entity string
	key    string
	value  json.RawMessage
}

// linksKept bounds how many values of one array become links.
const linksKept = 20

// splitRef parts a reference of the catalog, "entity" or "entity.field"; the
// field is the entity's key where none is told.
func splitRef(k *catalog.Kind, ref string) (entity, field string) {
	entity, field, _ = strings.Cut(ref, ".")
	if field == "" {
		if e := k.Entity(entity); e != nil {
			field = e.Key
		}
	}
	return entity, field
}

// links finds what a record refers to, by the catalog's relations and by the
// references of its fields.
func links(page *result.Page, rec rawjson.Node) []link {
	var out []link
	seen := map[string]bool{}
	add := func(field, entity, key string) {
		if seen[field+"\x00"+entity] || page.Kind.Entity(entity) == nil {
			return
		}
		seen[field+"\x00"+entity] = true
		if n, ok := page.Value(rec, field); ok {
			for _, v := range linkValues(n) {
				out = append(out, link{field, entity, key, v})
			}
		}
	}
	for _, r := range page.Kind.Relations {
		if r.From == page.Entity.Name {
			_, key := splitRef(page.Kind, r.To+"."+r.Key)
			add(r.Field, r.To, key)
		}
	}
	eachRef(page.Entity.RecordOf(page.Action), "", 0, func(path, ref string) {
		entity, key := splitRef(page.Kind, ref)
		add(path, entity, key)
	})
	return out
}

func eachRef(fields []catalog.Field, prefix string, depth int, found func(path, ref string)) {
	for i := range fields {
		f := &fields[i]
		path := prefix + f.Name
		switch {
		case f.Ref != "":
			found(path, f.Ref)
		case f.Items != nil && f.Items.Ref != "":
			found(path, f.Items.Ref)
		}
		if depth < 3 {
			eachRef(f.Members, path+".", depth+1, found)
		}
	}
}

// linkValues are the keys that a value holds: itself, or its elements.
func linkValues(n rawjson.Node) []json.RawMessage {
	switch n.Kind() {
	case rawjson.String, rawjson.Number:
		if v := n.Raw(); len(v) > 0 && string(v) != `""` {
			return []json.RawMessage{slices.Clone(v)}
		}
	case rawjson.Array:
		var out []json.RawMessage
		for e := range n.Elems() {
			if k := e.Kind(); (k == rawjson.String || k == rawjson.Number) && len(out) < linksKept {
				out = append(out, slices.Clone(e.Raw()))
			}
		}
		return out
	}
	return nil
}

// taker fills the params of actions from a record and from what the form holds.
type taker struct {
	kind *catalog.Kind
	// entity and key are what value names.
	entity, key string
	value       json.RawMessage
	// page and rec are where further values are taken from; page may be nil.
	page *result.Page
	rec  rawjson.Node
	// form are the params that stand in the form.
	form map[string]json.RawMessage
	// local leaves out actions that only the hosted service has.
	local bool
}

// takes tells whether a param is the key of the taker's entity.
func (t *taker) takes(owner *catalog.Entity, f *catalog.Field) bool {
	ref := f.Ref
	if ref == "" && f.Items != nil {
		ref = f.Items.Ref
	}
	if ref != "" {
		entity, field := splitRef(t.kind, ref)
		return entity == t.entity && (field == t.key || !strings.Contains(ref, "."))
	}
	return owner.Name == t.entity && f.Name == t.key && f.Required
}

// params fills an action: the param that takes the key, then every other
// required one whose value is known. missing names those that are not.
func (t *taker) params(owner *catalog.Entity, a *catalog.Action) (params json.RawMessage, missing []string, ok bool) {
	values := map[string]json.RawMessage{}
	var order []string
	put := func(f *catalog.Field, v json.RawMessage) {
		values[f.Name] = asType(f, v)
		order = append(order, f.Name)
	}
	for i := range a.Params {
		f := &a.Params[i]
		if !ok && t.takes(owner, f) && !findPages(a, f.Name) {
			put(f, t.value)
			ok = true
		}
	}
	if !ok && owner.Name == t.entity && takesOne(a.Name) {
		if f := onlyRequired(a); f != nil {
			put(f, t.value)
			ok = true
		}
	}
	for i := range a.Params {
		f := &a.Params[i]
		if _, have := values[f.Name]; have || !f.Required || f.Injected {
			continue
		}
		if v := t.known(owner, f); v != nil {
			put(f, v)
		} else {
			missing = append(missing, f.Name)
		}
	}
	return object(order, values), missing, ok
}

// takesOne tells whether an action of that name works on one record.
func takesOne(action string) bool {
	switch action {
	case catalog.ActionGet, catalog.ActionUpdate, catalog.ActionDelete, catalog.ActionDownload:
		return true
	}
	return false
}

func findPages(a *catalog.Action, param string) bool {
	return a.Page != nil && (a.Page.Send == param || a.Page.Back == param)
}

// onlyRequired is the one scalar param that must be given; nil when there are several.
func onlyRequired(a *catalog.Action) *catalog.Field {
	var one *catalog.Field
	for i := range a.Params {
		if f := &a.Params[i]; f.Required && !f.Injected {
			if one != nil || f.Type == "object" {
				return nil
			}
			one = f
		}
	}
	return one
}

// known is a value for a param, from a field of the record with its name or
// its reference, or from the form. The key of one entity says nothing of another's.
func (t *taker) known(owner *catalog.Entity, f *catalog.Field) json.RawMessage {
	if t.page != nil {
		foreign := owner.Name != t.page.Entity.Name && f.Name == t.page.Entity.Key
		if foreign && f.Ref == "" {
			return nil
		}
		if n, ok := t.page.Value(t.rec, f.Name); ok && !foreign && scalar(n) {
			return slices.Clone(n.Raw())
		}
		for _, l := range links(t.page, t.rec) {
			if entity, _ := splitRef(t.kind, f.Ref); f.Ref != "" && l.entity == entity {
				return l.value
			}
		}
	}
	if f.Name == "id" {
		return nil
	}
	return t.form[f.Name]
}

func scalar(n rawjson.Node) bool {
	switch n.Kind() {
	case rawjson.String, rawjson.Number, rawjson.Bool:
		return true
	}
	return false
}

// asType writes a key the way a param wants it: numbers for texts and the
// other way round, a list where several are taken.
func asType(f *catalog.Field, v json.RawMessage) json.RawMessage {
	var s string
	isText := json.Unmarshal(v, &s) == nil
	switch types := strings.Split(f.Type, "|"); {
	case slices.Contains(types, "any"):
	case slices.Contains(types, "array") && !slices.Contains(types, "string"):
		return json.RawMessage("[" + string(v) + "]")
	case isText && !slices.Contains(types, "string"):
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return json.RawMessage(s)
		}
	case !isText && !slices.Contains(types, "integer") && !slices.Contains(types, "number"):
		return json.RawMessage(strconv.Quote(string(v)))
	}
	return v
}

// object writes members in the given order.
func object(order []string, values map[string]json.RawMessage) json.RawMessage {
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range order {
		if i > 0 {
			b.WriteByte(',')
		}
		n, _ := json.Marshal(name) // a string always marshals
		b.Write(n)
		b.WriteByte(':')
		b.Write(values[name])
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}

// byKey is the call that shows the record a link names: get, else a search for
// its key. why says why there is none.
func (t *taker) byKey() (e *catalog.Entity, a *catalog.Action, params json.RawMessage, why string) {
	e = t.kind.Entity(t.entity)
	why = "no action of " + t.entity + " takes its " + t.key
	if get := e.Action(catalog.ActionGet); get != nil {
		p, missing, ok := t.params(e, get)
		if ok && len(missing) == 0 {
			return e, get, p, ""
		}
		if len(missing) > 0 {
			why = t.entity + " get also needs " + strings.Join(missing, ", ") + ", which this record does not tell"
		}
	}
	if s := e.Action(catalog.ActionContextStoreSearch); s != nil && !t.local && t.key != "" {
		if _, exact, ok := search.FindField(e, t.key); (ok && exact) || e.SearchUnknown {
			return e, s, searchFor(t.key, t.value), ""
		}
	}
	return e, nil, nil, why
}

func searchFor(field string, value json.RawMessage) json.RawMessage {
	return search.Query{Filter: search.Group(search.All, search.Where(field, search.Eq, value))}.Params()
}

// recordTaker is the taker of the record under the cursor; nil without one.
func (m *Model) recordTaker() *taker {
	page := m.res.Page()
	rec, _, ok := m.res.Current()
	if !ok || page.Kind == nil || page.Entity == nil || page.Document != nil {
		return nil
	}
	t := &taker{kind: page.Kind, entity: page.Entity.Name, key: page.Entity.Key, page: page, rec: rec, form: m.formValues(), local: page.Target.Local}
	if t.key != "" {
		if n, there := page.Value(rec, t.key); there && scalar(n) {
			t.value = slices.Clone(n.Raw())
		}
	}
	return t
}

func (m *Model) formValues() map[string]json.RawMessage {
	var values map[string]json.RawMessage
	_ = json.Unmarshal(m.req.Params(), &values) // params are an object or nothing
	return values
}

// noReference says why there is nothing to follow from the record under the cursor.
func (m *Model) noReference() string {
	if why := m.noRecord(); why != "" {
		return why
	}
	if page := m.res.Page(); page.Document != nil && page.Entity != nil {
		return "this is a file: there is no connector to ask for the record that is named"
	}
	t := m.recordTaker()
	if t == nil {
		return "the catalog does not know these records, so it knows no references of them"
	}
	return reason(len(links(t.page, t.rec)) == 0, "the catalog knows no reference in this record to a record of another entity")
}

// follow goes to the record that the field under the cursor names; with the
// cursor elsewhere it lists the references of the record.
func (m *Model) follow() tea.Cmd {
	t := m.recordTaker()
	all := links(t.page, t.rec)
	field := m.res.CurrentField()
	here := slices.DeleteFunc(slices.Clone(all), func(l link) bool { return l.field != field && !strings.HasPrefix(field, l.field+"[") })
	if len(here) == 1 {
		return m.goToLink(t, here[0])
	}
	if len(here) == 0 {
		here = all
	}
	if len(here) == 1 {
		return m.goToLink(t, here[0])
	}
	return m.push(&overlay.List{Heading: "Follow a reference", Source: overlay.Static(m.linkItems(t, here)), Choose: chosenIntent})
}

// chosenIntent performs the intent that an item carries.
func chosenIntent(it overlay.Item) intent.Intent { return it.Value }

func (m *Model) linkItems(t *taker, list []link) []overlay.Item {
	var items []overlay.Item
	for _, l := range list {
		in, why := m.linkIntent(t, l)
		items = append(items, overlay.Item{Group: "Records it names", Title: l.entity + "  " + plainText(l.value), Note: text.Sanitize(l.field), Disabled: why, Value: in})
	}
	return items
}

// plainText writes a scalar for people.
func plainText(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return text.Sanitize(s)
	}
	return text.Sanitize(string(v))
}

func (m *Model) linkIntent(t *taker, l link) (intent.Intent, string) {
	to := &taker{kind: t.kind, entity: l.entity, key: l.key, value: l.value, page: t.page, rec: t.rec, form: t.form, local: t.local}
	e, a, params, why := to.byKey()
	if a == nil {
		return nil, why
	}
	return intent.OpenAction{Connector: m.req.Connector(), Entity: e.Name, Action: a.Name, Params: params, Run: true}, ""
}

func (m *Model) goToLink(t *taker, l link) tea.Cmd {
	in, why := m.linkIntent(t, l)
	if why != "" {
		return m.say(why, true)
	}
	return m.perform(in)
}

// openRecordThing lists what can be done with the record under the cursor:
// the actions that take it, filled in, what it refers to, then what works on
// any record.
func (m *Model) openRecordThing() tea.Cmd {
	t := m.recordTaker()
	if t == nil {
		return m.openThing()
	}
	items := m.takingItems(t)
	items = append(items, m.linkItems(t, links(t.page, t.rec))...)
	for i := range m.actions {
		a := &m.actions[i]
		if slices.Contains(m.scopes()[:len(m.scopes())-1], a.In) || slices.Contains([]string{"copy", "copy.call", "docs"}, a.ID) {
			it := m.actionItem(a)
			it.Group = "In this view"
			items = append(items, it)
		}
	}
	return m.push(&overlay.List{Heading: "What to do with this record", Wide: true, Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		if id, ok := it.Value.(string); ok {
			return intent.Do{ID: id}
		}
		return it.Value
	}})
}

// takingItems are the actions that take the record's key: its own, then those
// of entities that refer to it.
func (m *Model) takingItems(t *taker) []overlay.Item {
	if t.value == nil {
		return nil
	}
	own := t.kind.Entity(t.entity)
	items := m.actionsTaking(t, own, "This "+t.entity+" record")
	for i := range t.kind.Entities {
		if e := &t.kind.Entities[i]; e != own {
			items = append(items, m.actionsTaking(t, e, "Entities that refer to it")...)
		}
	}
	for _, r := range t.kind.Relations {
		items = append(items, m.searchesFor(t, r)...)
	}
	return items
}

func (m *Model) actionsTaking(t *taker, e *catalog.Entity, group string) []overlay.Item {
	var items []overlay.Item
	for i := range e.Actions {
		a := &e.Actions[i]
		params, missing, ok := t.params(e, a)
		if !ok || (t.local && a.HostedOnly) {
			continue
		}
		it := overlay.Item{Group: group, Title: e.Name + " " + a.Name, Note: text.Sanitize(string(params)), Detail: a.Doc,
			Value: intent.OpenAction{Connector: m.req.Connector(), Entity: e.Name, Action: a.Name, Params: params, Run: !a.Writes() && len(missing) == 0}}
		switch {
		case len(missing) > 0:
			it.Detail = strings.TrimSpace("Opens the form; " + strings.Join(missing, ", ") + " must still be given. " + a.Doc)
		case a.Writes():
			it.Detail = strings.TrimSpace("Opens the form, filled in; r then sends it after asking. " + a.Doc)
		}
		items = append(items, it)
	}
	return items
}

// searchesFor is the search for records that name this one by a relation.
func (m *Model) searchesFor(t *taker, r catalog.Relation) []overlay.Item {
	if r.To != t.entity || (r.Key != "" && r.Key != t.key) || t.local {
		return nil
	}
	e := t.kind.Entity(r.From)
	if e == nil || e.Action(catalog.ActionContextStoreSearch) == nil {
		return nil
	}
	if _, exact, ok := search.FindField(e, r.Field); !ok || !exact {
		return nil
	}
	params := searchFor(r.Field, t.value)
	return []overlay.Item{{Group: "Entities that refer to it", Title: e.Name + " " + catalog.ActionContextStoreSearch, Note: text.Sanitize(string(params)),
		Value: intent.OpenAction{Connector: m.req.Connector(), Entity: e.Name, Action: catalog.ActionContextStoreSearch, Params: params, Run: true}}}
}

// target of a connector in the present session.
func (m *Model) targetOf(c client.Connector) client.Target { return c.Target(m.deps.Session.Name) }
