package ui

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// How many records a list of ids asks for, and how long it may take.
const (
	idsAsked   = 100
	idsTimeout = 30 * time.Second
)

// noReferenceHere says why no id can be chosen for the field under the cursor.
func (m *Model) noReferenceHere() string {
	if why := m.noRequest(); why != "" {
		return why
	}
	return reason(m.req.Refers() == "", "this field does not hold the id of another entity's record, as far as the catalog knows")
}

// openIDs lists the records of the entity that the field refers to, those of
// the answer first, and puts the chosen id into the field.
func (m *Model) openIDs() tea.Cmd {
	m.req.StopEditing()
	entity, key := splitRef(m.req.Kind(), m.req.Refers())
	e := m.req.Kind().Entity(entity)
	if e == nil {
		return m.say("the catalog has no entity "+entity, true)
	}
	ids := &idList{entity: e, key: key}
	ids.list = &overlay.List{Heading: "Choose from " + entity, Prompt: "type a name or an id", Wide: true,
		Help:   "type to search, or an id of your own · enter puts it in · esc closes",
		Source: func(q string) []overlay.Item { return overlay.Static(ids.items)(q) },
		Free:   func(q string) intent.Intent { return then(func() tea.Cmd { return m.putID(q) }) },
		Choose: func(it overlay.Item) intent.Intent {
			return then(func() tea.Cmd { return m.putID(it.Value.(string)) })
		}}
	ids.addPage(m.res.Page(), "in the answer")
	return tea.Batch(m.push(ids.list), m.fetchIDs(ids))
}

func (m *Model) putID(id string) tea.Cmd {
	return tea.Batch(m.perform(m.req.PutChosen(id)), m.relayout())
}

// idList is the open list of ids; answers add to it.
type idList struct {
	entity *catalog.Entity
	key    string
	list   *overlay.List
	items  []overlay.Item
	have   map[string]bool
}

// addPage adds the records of an answer of the right entity.
func (ids *idList) addPage(page *result.Page, group string) {
	if page == nil || page.Entity == nil || page.Entity.Name != ids.entity.Name || page.Index == nil {
		return
	}
	var items []overlay.Item
	for i := range min(page.Len(), idsAsked*10) {
		rec := page.Record(i)
		if n, ok := page.Value(rec, ids.key); ok && scalar(n) {
			id := plainRaw(n)
			items = append(items, overlay.Item{Group: group, Title: text.Sanitize(text.Truncate(id, 60)), Note: nameOf(page, rec, ids.key), Value: id})
		}
	}
	ids.add(items)
}

func (ids *idList) add(items []overlay.Item) {
	if ids.have == nil {
		ids.have = map[string]bool{}
	}
	for _, it := range items {
		if id := it.Value.(string); !ids.have[id] {
			ids.have[id] = true
			ids.items = append(ids.items, it)
		}
	}
	ids.list.Refresh()
}

func plainRaw(n rawjson.Node) string {
	var s string
	if json.Unmarshal(n.Raw(), &s) == nil {
		return s
	}
	return string(n.Raw())
}

// nameFields are the fields that tell people which record it is, the best first.
var nameFields = []string{"name", "title", "display_name", "displayName", "full_name", "summary", "subject", "email", "emailAddress", "label",
	"fields.summary", "first_name", "login", "username", "key", "slug", "description", "status", "created"}

// nameOf is what people would call a record.
func nameOf(page *result.Page, rec rawjson.Node, key string) string {
	return nameBy(func(field string) (rawjson.Node, bool) { return page.Value(rec, field) }, key)
}

// nameBy is the name of a record whose fields value finds.
func nameBy(value func(field string) (rawjson.Node, bool), key string) string {
	var parts []string
	for _, f := range nameFields {
		if f == key {
			continue
		}
		if n, ok := value(f); ok && scalar(n) {
			if s := plainRaw(n); s != "" {
				parts = append(parts, text.Truncate(text.Sanitize(s), 48))
			}
		}
		if len(parts) == 2 {
			break
		}
	}
	return strings.Join(parts, "  ·  ")
}

// fetchIDs asks for records of the entity beside the update loop.
func (m *Model) fetchIDs(ids *idList) tea.Cmd {
	a, params, why := idCall(ids.entity, m.formValues(), m.req.Connector().Local)
	if a == nil {
		ids.list.Empty = why + " An id of your own can be typed."
		return nil
	}
	ids.list.Empty = "Asking for " + ids.entity.Name + "…"
	service, kind := m.deps.Session.Service, m.req.Kind()
	ask := result.Question{Target: m.target(), Op: client.Operation{Entity: ids.entity.Name, Action: a.Name, Params: params},
		Kind: kind, Entity: ids.entity, Action: a, Asked: m.deps.Now()}
	return m.ask("asking for "+ids.entity.Name, idsTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		env, err := service.Execute(ctx, ask.Target, ask.Op)
		page := result.NewPage(ctx, ask, env, err)
		return func(m *Model) tea.Cmd {
			m.logAnswer(page)
			return m.gotIDs(ids, page)
		}
	})
}

func (m *Model) gotIDs(ids *idList, page *result.Page) tea.Cmd {
	switch {
	case page.Err != nil:
		ids.list.Empty = strings.TrimSpace(text.Sanitize(page.Err.Error()) + ". " + page.Err.Next + " An id of your own can be typed.")
		ids.list.Refresh()
		if len(ids.items) > 0 {
			return m.say("more "+ids.entity.Name+" could not be listed: "+page.Err.Error(), true)
		}
		return nil
	case page.Len() == 0:
		ids.list.Empty = "There are no " + ids.entity.Name + " yet. An id of your own can be typed."
	default:
		ids.list.Empty = "Nothing on the first page matches; enter takes what is typed as the id."
	}
	ids.addPage(page, "from the service")
	ids.list.Refresh()
	return nil
}

// idCall is the call that lists records of an entity, its required params
// taken from the form where it has them.
func idCall(e *catalog.Entity, form map[string]json.RawMessage, local bool) (*catalog.Action, json.RawMessage, string) {
	why := e.Name + " cannot be listed."
	for _, name := range []string{catalog.ActionList, catalog.ActionAPISearch, catalog.ActionContextStoreSearch} {
		a := e.Action(name)
		if a == nil || (local && a.HostedOnly) {
			continue
		}
		values := map[string]json.RawMessage{}
		var order, missing []string
		for i := range a.Params {
			f := &a.Params[i]
			switch v, have := form[f.Name]; {
			case !f.Required || f.Injected:
			case have && string(v) != "null":
				values[f.Name], order = v, append(order, f.Name)
			default:
				missing = append(missing, f.Name)
			}
		}
		if name == catalog.ActionContextStoreSearch {
			return a, json.RawMessage(`{"limit":100}`), ""
		}
		if len(missing) > 0 {
			why = "Listing " + e.Name + " needs " + strings.Join(missing, ", ") + ", which the form does not hold yet."
			continue
		}
		if size, n := pageSize(a); size != "" {
			values[size], order = json.RawMessage(n), append(order, size)
		}
		return a, object(order, values), ""
	}
	return nil, nil, why
}

// pageSize is the param that sets the page size of an action and the value for
// a list of ids.
func pageSize(a *catalog.Action) (param, n string) {
	if a.Page == nil || a.Page.Size == "" {
		return "", ""
	}
	for i := range a.Params {
		if f := &a.Params[i]; f.Name == a.Page.Size {
			if f.Max != nil && *f.Max < idsAsked {
				return f.Name, jsonNumber(*f.Max)
			}
			return f.Name, jsonNumber(idsAsked)
		}
	}
	return "", ""
}

func jsonNumber(v float64) string {
	b, _ := json.Marshal(v) // a finite number always marshals
	return string(b)
}
