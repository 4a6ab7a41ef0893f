package relate

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/search"
)

// Taker fills the params of actions from a record and from what the form holds.
type Taker struct {
	// Page and Record are what values are taken from.
	Page   *answer.Page
	Record rawjson.Node
	// form are the params that stand in the form.
	form map[string]json.RawMessage
	kind *catalog.Kind
	// entity and key are what value names; local leaves out actions that only the
	// hosted service has.
	entity, key string
	value       json.RawMessage
	local       bool
}

// Call is an action filled in. Missing are the params that must still be given.
type Call struct {
	Entity  *catalog.Entity
	Action  *catalog.Action
	Params  json.RawMessage
	Missing []string
}

// Of is the taker of a record; nil where the catalog does not know the record.
func Of(page *answer.Page, rec rawjson.Node, form map[string]json.RawMessage) *Taker {
	if page == nil || page.Kind == nil || page.Entity == nil || page.Document != nil {
		return nil
	}
	t := &Taker{Page: page, Record: rec, form: form, kind: page.Kind, local: page.Target.Local,
		entity: page.Entity.Name, key: page.Entity.Key}
	if n, there := page.Value(rec, t.key); there && t.key != "" && Scalar(n) {
		t.value = slices.Clone(n.Raw())
	}
	return t
}

// Links are what the record refers to.
func (t *Taker) Links() []Link { return Links(t.Page, t.Record) }

// LinksAt are those of a field or of what it lies in; all where that has none.
func (t *Taker) LinksAt(field string) []Link {
	all := t.Links()
	here := slices.DeleteFunc(slices.Clone(all), func(l Link) bool {
		return l.Field != field && !strings.HasPrefix(field, l.Field+"[")
	})
	if len(here) == 0 {
		return all
	}
	return here
}

// Follow is the call that shows the record a link names: get, else a search for
// its key. why says why there is none.
func (t *Taker) Follow(l Link) (c Call, why string) {
	to := *t
	to.entity, to.key, to.value = l.Entity, l.Key, l.Value
	e := t.kind.Entity(l.Entity)
	why = "no action of " + l.Entity + " takes its " + l.Key
	if get := e.Reading(catalog.ActionGet); get != nil {
		c, ok := to.fill(e, get)
		if ok && len(c.Missing) == 0 {
			return c, ""
		}
		if len(c.Missing) > 0 {
			why = l.Entity + " get also needs " + strings.Join(c.Missing, ", ") + ", which this record does not tell"
		}
	}
	if s := e.Reading(catalog.ActionContextStoreSearch); s != nil && !t.local && l.Key != "" {
		if _, exact, ok := search.FindField(e, l.Key); (ok && exact) || e.SearchUnknown {
			return Call{Entity: e, Action: s, Params: searchFor(l.Key, l.Value)}, ""
		}
	}
	return Call{}, why
}

func searchFor(field string, value json.RawMessage) json.RawMessage {
	return search.Query{Filter: search.Group(search.All, search.Where(field, search.Eq, value))}.Params()
}

// Calls are the actions that take the record's key: its own, then those of
// entities that refer to it, then searches for records that name it.
func (t *Taker) Calls() []Call {
	if t.value == nil {
		return nil
	}
	own := t.kind.Entity(t.entity)
	calls := t.callsOf(own)
	for i := range t.kind.Entities {
		if e := &t.kind.Entities[i]; e != own {
			calls = append(calls, t.callsOf(e)...)
		}
	}
	for _, r := range t.kind.Relations {
		e := t.kind.Entity(r.From)
		if r.To != t.entity || r.Key != "" && r.Key != t.key || t.local || e == nil {
			continue
		}
		a := e.Action(catalog.ActionContextStoreSearch)
		if _, exact, found := search.FindField(e, r.Field); a != nil && found && exact {
			calls = append(calls, Call{Entity: e, Action: a, Params: searchFor(r.Field, t.value)})
		}
	}
	return calls
}

func (t *Taker) callsOf(e *catalog.Entity) []Call {
	var calls []Call
	for i := range e.Actions {
		if c, ok := t.fill(e, &e.Actions[i]); ok && !(t.local && c.Action.HostedOnly) {
			calls = append(calls, c)
		}
	}
	return calls
}

// fill fills an action: the param that takes the key, then every other required
// one whose value is known. It reports whether a param takes the key.
func (t *Taker) fill(e *catalog.Entity, a *catalog.Action) (c Call, ok bool) {
	c = Call{Entity: e, Action: a, Params: json.RawMessage("{}")}
	put := func(f *catalog.Field, v json.RawMessage) { c.Params = answer.WithParam(c.Params, f.Name, AsType(f, v)) }
	taking := t.taking(e, a)
	if taking != nil {
		put(taking, t.value)
	}
	for i := range a.Params {
		f := &a.Params[i]
		if f == taking || !f.Required || f.Injected {
			continue
		}
		if v := t.known(e, f); v != nil {
			put(f, v)
		} else {
			c.Missing = append(c.Missing, f.Name)
		}
	}
	return c, taking != nil
}

// takingOne are the actions that work on one record.
var takingOne = []string{catalog.ActionGet, catalog.ActionUpdate, catalog.ActionDelete, catalog.ActionDownload}

// taking is the param that takes the key; nil where the action takes none.
func (t *Taker) taking(e *catalog.Entity, a *catalog.Action) *catalog.Field {
	var required []*catalog.Field
	for i := range a.Params {
		f := &a.Params[i]
		if findsPage := a.Page != nil && (a.Page.Send == f.Name || a.Page.Back == f.Name); !findsPage && t.takes(e, f) {
			return f
		}
		if f.Required && !f.Injected {
			required = append(required, f)
		}
	}
	if e.Name == t.entity && slices.Contains(takingOne, a.Name) && len(required) == 1 && required[0].Type != "object" {
		return required[0]
	}
	return nil
}

// takes reports whether a param is the key of the taker's entity.
func (t *Taker) takes(owner *catalog.Entity, f *catalog.Field) bool {
	if ref := refOf(f); ref != "" {
		entity, field := SplitRef(t.kind, ref)
		return entity == t.entity && (field == t.key || !strings.Contains(ref, "."))
	}
	return owner.Name == t.entity && f.Name == t.key && f.Required
}

// known is a value for a param, from a field of the record with its name or
// its reference, or from the form. The key of one entity says nothing of another's.
func (t *Taker) known(owner *catalog.Entity, f *catalog.Field) json.RawMessage {
	foreign := owner.Name != t.Page.Entity.Name && f.Name == t.Page.Entity.Key
	if foreign && f.Ref == "" {
		return nil
	}
	if n, ok := t.Page.Value(t.Record, f.Name); ok && !foreign && Scalar(n) {
		return slices.Clone(n.Raw())
	}
	if f.Ref != "" {
		entity, _ := SplitRef(t.kind, f.Ref)
		for _, l := range t.Links() {
			if l.Entity == entity {
				return l.Value
			}
		}
	}
	if f.Name == "id" {
		return nil
	}
	return t.form[f.Name]
}

// AsType writes a key the way a param wants it: numbers for texts and the
// other way round, a list where several are taken.
func AsType(f *catalog.Field, v json.RawMessage) json.RawMessage {
	value, types := rawjson.Parse(v), strings.Split(f.Type, "|")
	takes := func(t string) bool { return slices.Contains(types, t) }
	switch isText := value.Kind() == rawjson.String; {
	case takes("any"):
	case takes("array") && !takes("string"):
		return json.RawMessage("[" + string(v) + "]")
	case isText && !takes("string"):
		if _, err := strconv.ParseFloat(value.Text(), 64); err == nil {
			return json.RawMessage(value.Text())
		}
	case !isText && !takes("integer") && !takes("number"):
		return rawjson.AppendQuoted(nil, string(v))
	}
	return v
}
