// Package relate follows what the catalog knows of how records hang together:
// the records that a record names, and the actions that take a record. Its words
// are those of the catalog. It asks nobody and imports nothing of the screen.
package relate

import (
	"encoding/json"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// Link is a value in a record that names a record of another entity.
type Link struct {
	Field, Entity, Key string
	Value              json.RawMessage
}

// linksKept bounds how many values of one array become links.
const linksKept = 20

// SplitRef parts a reference of the catalog, "entity" or "entity.field"; the
// field is the entity's key where none is told.
func SplitRef(k *catalog.Kind, ref string) (entity, field string) {
	entity, field, _ = strings.Cut(ref, ".")
	if e := k.Entity(entity); field == "" && e != nil {
		field = e.Key
	}
	return entity, field
}

// refOf is what a field refers to, itself or its elements.
func refOf(f *catalog.Field) string {
	if f.Ref == "" && f.Items != nil {
		return f.Items.Ref
	}
	return f.Ref
}

// Links finds what a record refers to, by the catalog's relations and by the
// references of its fields.
func Links(page *answer.Page, rec rawjson.Node) []Link {
	var out []Link
	seen := map[[2]string]bool{}
	add := func(field, entity, key string) {
		n, ok := page.Value(rec, field)
		if !ok || seen[[2]string{field, entity}] || page.Kind.Entity(entity) == nil {
			return
		}
		seen[[2]string{field, entity}] = true
		for _, v := range keysIn(n) {
			out = append(out, Link{field, entity, key, v})
		}
	}
	for _, r := range page.Kind.Relations {
		if r.From == page.Entity.Name {
			_, key := SplitRef(page.Kind, r.To+"."+r.Key)
			add(r.Field, r.To, key)
		}
	}
	eachRef(page.Entity.RecordOf(page.Action), "", 0, func(path, ref string) {
		entity, key := SplitRef(page.Kind, ref)
		add(path, entity, key)
	})
	return out
}

func eachRef(fields []catalog.Field, prefix string, depth int, found func(path, ref string)) {
	for i := range fields {
		f := &fields[i]
		if ref := refOf(f); ref != "" {
			found(prefix+f.Name, ref)
		}
		if depth < 3 {
			eachRef(f.Members, prefix+f.Name+".", depth+1, found)
		}
	}
}

// keysIn are the keys that a value holds: itself, or its elements.
func keysIn(n rawjson.Node) []json.RawMessage {
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

// Scalar reports whether a value is a text, a number or true or false.
func Scalar(n rawjson.Node) bool {
	return n.Kind() == rawjson.String || n.Kind() == rawjson.Number || n.Kind() == rawjson.Bool
}

// nameFields are the fields that tell people which record it is, the best first.
var nameFields = []string{"name", "title", "display_name", "displayName", "full_name", "summary", "subject", "email",
	"emailAddress", "label", "fields.summary", "first_name", "login", "username", "key", "slug", "description",
	"status",
	"created"}

// Names are what people would call a record whose fields value finds: two at most.
func Names(value func(field string) (rawjson.Node, bool), key string) []string {
	var names []string
	for _, f := range nameFields {
		if n, ok := value(f); ok && f != key && Scalar(n) && n.Text() != "" {
			if names = append(names, n.Text()); len(names) == 2 {
				break
			}
		}
	}
	return names
}

// Listed is how many records a list to choose from asks for.
const Listed = 100

// Listing is the call that lists records of an entity, its required params taken
// from the form where it has them. why says why there is none.
func Listing(e *catalog.Entity, form map[string]json.RawMessage, local bool) (c Call, why string) {
	why = e.Name + " cannot be listed."
	for _, name := range []string{catalog.ActionList, catalog.ActionAPISearch, catalog.ActionContextStoreSearch} {
		a := e.Reading(name)
		if a == nil || local && a.HostedOnly {
			continue
		}
		if name == catalog.ActionContextStoreSearch {
			return Call{Entity: e, Action: a, Params: json.RawMessage(`{"query":{},"limit":100}`)}, ""
		}
		c := Call{Entity: e, Action: a, Params: json.RawMessage("{}")}
		for i := range a.Params {
			f := &a.Params[i]
			switch v, have := form[f.Name]; {
			case !f.Required || f.Injected:
			case have && string(v) != "null":
				c.Params = answer.WithParam(c.Params, f.Name, v)
			default:
				c.Missing = append(c.Missing, f.Name)
			}
		}
		if len(c.Missing) == 0 {
			c.Params = FirstPage(a, c.Params)
			return c, ""
		}
		why = "Listing " + e.Name + " needs " + strings.Join(c.Missing, ", ") + ", which the form does not hold yet."
	}
	return Call{}, why
}

// FirstPage sets the page size of a list, where it has one, to Listed or as many
// as it gives.
func FirstPage(a *catalog.Action, params json.RawMessage) json.RawMessage {
	if a.Page == nil {
		return params
	}
	f := a.Param(a.Page.Size)
	if f == nil {
		return params
	}
	n := float64(Listed)
	if f.Max != nil {
		n = min(n, *f.Max)
	}
	size, _ := json.Marshal(n) // a finite number always marshals
	return answer.WithParam(params, f.Name, size)
}
