// Package relate is the feature that goes from a record to others: it follows what
// a record refers to, lists the actions that take it, and puts the id of a chosen
// record into the form. What records refer to is client/relate. It imports no other
// dialog and not the root.
package relate

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/relate"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// Feature is the way from records to others.
type Feature struct{ dialog.Host }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	rows := []action.Row{{ID: "request.choose", After: "raw.lines", In: action.InRequest, Keys: []string{"ctrl+o"},
		Label: "choose id", Help: "Choose the id from the records of the entity that the field refers to", Typing: true,
		Disabled: f.noField, Do: f.chooseID}}
	for _, s := range []action.Scope{action.InTable, action.InRecord} {
		rows = append(rows,
			action.Row{ID: string(s) + ".follow", In: s, Keys: []string{"F"}, Label: "follow", Footer: 6,
				Help: "Go to the record that a field of this one refers to", Disabled: f.noLink, Do: f.follow},
			action.Row{ID: string(s) + ".actions", In: s, Keys: []string{"x"}, Label: "actions", Footer: 7,
				Help:     "List the actions that take this record, filled in",
				Disabled: func() string { return f.Response().NoRecord() }, Do: f.actions})
	}
	rows[1].After = "explain"
	return rows
}

// taker fills actions from the record under the cursor; nil without one.
func (f *Feature) taker() *relate.Taker {
	rec, _, ok := f.Response().Current()
	if !ok {
		return nil
	}
	return relate.Of(f.Response().Page(), rec, f.Request().Values())
}

// noLink says why there is nothing to follow from the record under the cursor.
func (f *Feature) noLink() string {
	if why := f.Response().NoRecord(); why != "" {
		return why
	}
	if page := f.Response().Page(); page.Document != nil && page.Entity != nil {
		return "this is a file: there is no connector to ask for the record that is named"
	}
	t := f.taker()
	if t == nil {
		return "the catalog does not know these records, so it knows no references of them"
	}
	return action.Reason(len(t.Links()) == 0,
		"the catalog knows no reference in this record to a record of another entity")
}

// follow goes to the record that the field under the cursor names; with the
// cursor elsewhere it lists the references of the record.
func (f *Feature) follow() intent.Intent {
	t := f.taker()
	items := f.linkItems(t, t.LinksAt(f.Response().CurrentField()))
	switch {
	case len(items) != 1:
		return intent.Push{Overlay: &overlay.List{Heading: "Follow a reference", Source: overlay.Static(items)}}
	case items[0].Disabled != "":
		return intent.Say{Text: items[0].Disabled, Bad: true}
	}
	return overlay.Chosen(items[0])
}

func (f *Feature) linkItems(t *relate.Taker, links []relate.Link) []overlay.Item {
	var items []overlay.Item
	for _, l := range links {
		it := overlay.Item{Group: "Records it names", Note: l.Field,
			Title: l.Entity + "  " + rawjson.Parse(l.Value).Text()}
		call, why := t.Follow(l)
		if it.Disabled = why; why == "" {
			it.Value = f.open(call, true)
		}
		items = append(items, it)
	}
	return items
}

// open opens an action filled in, and runs it where run is set.
func (f *Feature) open(c relate.Call, run bool) intent.Intent {
	return intent.OpenAction{Connector: f.Request().Connector(), Entity: c.Entity.Name, Action: c.Action.Name,
		Params: c.Params, Run: run}
}

// forRecords are the actions that are listed with any record.
var forRecords = []string{"copy", "copy.call", "docs"}

// actions lists what can be done with the record under the cursor: the actions that
// take it, filled in, what it refers to, then what works on any record.
func (f *Feature) actions() intent.Intent {
	t := f.taker()
	if t == nil {
		return intent.Do{ID: "actions"}
	}
	items := append(f.takingItems(t), f.linkItems(t, t.Links())...)
	for i := range f.Table().Rows {
		a := &f.Table().Rows[i]
		if a.In != action.InAny && slices.Contains(f.Scopes(), a.In) || slices.Contains(forRecords, a.ID) {
			it := dialog.ActionItem(f, a)
			it.Group = "In this view"
			items = append(items, it)
		}
	}
	return intent.Push{Overlay: &overlay.List{Heading: "What to do with this record", Wide: true,
		Source: overlay.Static(items)}}
}

// takingItems are the actions that take the record's key.
func (f *Feature) takingItems(t *relate.Taker) []overlay.Item {
	var items []overlay.Item
	for _, c := range t.Calls() {
		a := c.Action
		it := overlay.Item{Group: "Entities that refer to it", Title: c.Entity.Name + " " + a.Name,
			Note: string(c.Params), Detail: a.Doc, Value: f.open(c, !a.Writes() && len(c.Missing) == 0)}
		if c.Entity.Name == t.Page.Entity.Name {
			it.Group = "This " + c.Entity.Name + " record"
		}
		switch {
		case a.Name == catalog.ActionContextStoreSearch:
			it.Detail = ""
		case len(c.Missing) > 0:
			it.Detail = strings.TrimSpace("Opens the form; " + strings.Join(c.Missing, ", ") +
				" must still be given. " + a.Doc)
		case a.Writes():
			it.Detail = strings.TrimSpace("Opens the form, filled in; r then sends it after asking. " + a.Doc)
		}
		items = append(items, it)
	}
	return items
}

// timeout bounds how long a list of ids may take.
const timeout = 30 * time.Second

// ownID follows the reason why there is nothing to choose from.
const ownID = " An id of your own can be typed."

// noField says why no id can be chosen for the field under the cursor.
func (f *Feature) noField() string {
	return cmp.Or(f.Request().Missing(), action.Reason(f.Request().Refers() == "",
		"this field does not hold the id of another entity's record, as far as the catalog knows"))
}

// chooseID lists the records of the entity that the field refers to, those of
// the answer first, and puts the chosen id into the field.
func (f *Feature) chooseID() intent.Intent {
	f.Request().EndTyping()
	entity, key := relate.SplitRef(f.Request().Kind(), f.Request().Refers())
	e := f.Request().Kind().Entity(entity)
	if e == nil {
		return intent.Say{Text: "the catalog has no entity " + entity, Bad: true}
	}
	put := func(id string) intent.Intent { return f.Request().PutChosen(id) }
	ids := &idList{entity: e, key: key, have: map[string]bool{}}
	ids.List = &overlay.List{Heading: "Choose from " + entity, Prompt: "type a name or an id", Wide: true,
		Help:   "type to search, or an id of your own · enter puts it in · esc closes",
		Source: func(q string) []overlay.Item { return overlay.Static(ids.items)(q) },
		Free:   put, Choose: func(it overlay.Item) intent.Intent { return put(it.Value.(string)) }}
	ids.add(f.Response().Page(), "in the answer")
	return intent.All{intent.Push{Overlay: ids.List}, f.fetch(ids)}
}

// idList is the open list of ids; answers add to it.
type idList struct {
	*overlay.List
	entity *catalog.Entity
	key    string
	items  []overlay.Item
	have   map[string]bool
}

// add adds the records of an answer of the right entity.
func (ids *idList) add(page *answer.Page, group string) {
	if page == nil || page.Entity == nil || page.Entity.Name != ids.entity.Name || page.Index == nil {
		return
	}
	for i := range min(page.Len(), 10*relate.Listed) {
		rec := page.Record(i)
		n, ok := page.Value(rec, ids.key)
		if !ok || !relate.Scalar(n) || ids.have[n.Text()] {
			continue
		}
		id := n.Text()
		ids.have[id] = true
		value := func(field string) (rawjson.Node, bool) { return page.Value(rec, field) }
		ids.items = append(ids.items, overlay.Item{Group: group, Title: text.Short(id, 60),
			Note: dialog.RecordName(value, ids.key), Value: id})
	}
	ids.Refresh()
}

// fetch asks for records of the entity.
func (f *Feature) fetch(ids *idList) intent.Intent {
	call, why := relate.Listing(ids.entity, f.Request().Values(), f.Request().Connector().Local)
	if why != "" {
		ids.Empty = why + ownID
		return nil
	}
	ids.Empty = "Asking for " + ids.entity.Name + "…"
	ask := dialog.Question(f, client.Operation{Entity: ids.entity.Name, Action: call.Action.Name, Params: call.Params})
	ask.Entity, ask.Action = ids.entity, call.Action
	service := f.Session().Service
	return intent.Task{Lane: intent.Asking, What: "asking for " + ids.entity.Name, Limit: timeout,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			env, err := service.Execute(ctx, ask.Target, ask.Op)
			page := answer.NewPage(ctx, ask, env, err)
			return func() intent.Intent { return intent.All{intent.Log{Page: page}, ids.got(page)} }, nil
		}}
}

// got adds what the service listed, and says why where it listed nothing.
func (ids *idList) got(page *answer.Page) intent.Intent {
	defer ids.Refresh()
	switch {
	case page.Err != nil:
		ids.Empty = strings.TrimSpace(page.Err.Error() + ". " + page.Err.Next + ownID)
		if len(ids.items) > 0 {
			return intent.Say{Text: "more " + ids.entity.Name + " could not be listed: " + page.Err.Error(), Bad: true}
		}
		return nil
	case page.Len() == 0:
		ids.Empty = "There are no " + ids.entity.Name + " yet." + ownID
	default:
		ids.Empty = "Nothing on the first page matches; enter takes what is typed as the id."
	}
	ids.add(page, "from the service")
	return nil
}
