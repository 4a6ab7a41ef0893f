// Package palette is the feature that finds things by words: everything in the
// catalog, every action with its keys, and what can be done here. The
// catalog itself is searched by package catalog. It imports no other feature and
// not the root.
package palette

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
)

// Feature is the search.
type Feature struct {
	dialog.Host
	// Saved lists further things that it finds, Recent the places that were left.
	Saved, Recent func() []overlay.Item
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "palette", After: "focus.previous", In: action.InAny, Keys: []string{"ctrl+p", "ctrl+k"}, Typing: true,
			Label: "search all", Help: "Search the whole catalog and every action", Footer: 7, Do: f.open},
		{ID: "actions", After: "palette", In: action.InAny, Keys: []string{"x"}, Label: "actions",
			Help: "List what can be done with the thing under the cursor", Do: f.here},
		{ID: "help", After: "command", In: action.InAny, Keys: []string{"?"}, Label: "keys",
			Help: "Search every key and action, and run it", Do: f.help},
	}
}

// open searches the whole catalog and the actions. With nothing typed it lists places,
// those that were left first, then the actions.
func (f *Feature) open() intent.Intent {
	var items []overlay.Item
	for i := range f.Table().Rows {
		it := dialog.ActionItem(f, &f.Table().Rows[i])
		it.Group = "Actions"
		items = append(items, it)
	}
	slices.SortStableFunc(items, dialog.UsableFirst)
	items = once(items)
	actions, start := overlay.Static(items), append(f.start(), items...)
	return intent.Push{Overlay: &overlay.List{Heading: "Search everything", Wide: true, Terse: true,
		Prompt: "customers list, jql, refund, created …",
		Empty:  "Nothing in the catalog holds these words. Fewer or shorter words find more.",
		Source: func(q string) []overlay.Item {
			if q = strings.TrimSpace(q); q == "" {
				return start
			}
			return f.found(q, actions)
		}}}
}

// once leaves out actions that say the same as one before: those of other views.
func once(items []overlay.Item) []overlay.Item {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(items), func(it overlay.Item) bool {
		was := seen[it.Title]
		seen[it.Title] = true
		return was
	})
}

// start are the places to go to while nothing is typed.
func (f *Feature) start() []overlay.Item {
	var items []overlay.Item
	recent := f.Recent()
	for _, it := range recent[:min(len(recent), mostRecent)] {
		it.Group = "Places, the last first"
		items = append(items, it)
	}
	kinds := f.Catalog().Search("", 0)
	slices.SortStableFunc(kinds, func(a, b catalog.Hit) int { return cmp.Compare(a.Kind, b.Kind) })
	doc := map[string]string{}
	for _, h := range kinds {
		doc[h.Kind] = h.Doc
	}
	for _, c := range f.openFirst() {
		items = append(items, overlay.Item{Group: "Connectors", Title: c.Name, Note: placeOf(c) + " > " + c.Name,
			Detail: doc[c.Kind], Value: dialog.ToConnector(c)})
		delete(doc, c.Kind)
	}
	for _, h := range kinds {
		if _, absent := doc[h.Kind]; absent {
			items = append(items, overlay.Item{Group: "Kinds without a connector here", Title: h.Title, Detail: h.Doc,
				Value: intent.GoTo{Hit: h}})
		}
	}
	return items
}

// openFirst are the known connectors, the open one first.
func (f *Feature) openFirst() []client.Connector {
	list, open := f.Tree().Connectors(), f.Request().Connector()
	far := func(c client.Connector) int {
		if f.Request().HasAction() && c.Name == open.Name && c.Workspace == open.Workspace {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b client.Connector) int { return cmp.Compare(far(a), far(b)) })
	return list
}

// How much of each is shown. weakHit is how many times worse than the best a hit
// of the catalog may be.
const (
	mostHits     = 60
	mostNamed    = 3
	mostOthers   = 5
	mostSaved    = 5
	mostRecent   = 8
	mostAccounts = 5
	weakHit      = 3
)

// found is what the words of q find, the likeliest first.
func (f *Feature) found(q string, actions func(string) []overlay.Item) []overlay.Item {
	var others []overlay.Item
	out, named := f.connectors(q), 0
	here, elsewhere := f.recent(q)
	out = append(out, here...)
	for _, it := range actions(q) { // those that are called what is typed, and a few of the others
		it.Note = "this program"
		switch {
		case strings.HasPrefix(it.Also, strings.ToLower(q)) && it.Disabled == "" && named < mostNamed:
			out, named = append(out, it), named+1
		case len(others) < mostOthers:
			others = append(others, it)
		}
	}
	left := map[string]bool{}
	for _, it := range append(here, elsewhere...) {
		left[it.Title] = true
	}
	hits := slices.DeleteFunc(f.hits(q), func(it overlay.Item) bool { return left[actionOf(it)] })
	out = slices.Concat(out, hits, elsewhere)
	saved := overlay.Static(f.Saved())(q)
	for _, it := range saved[:min(len(saved), mostSaved)] {
		it.Note = "saved call  " + it.Note
		out = append(out, it)
	}
	return append(out, others...)
}

// recent are the places that were left whose names hold the words: those of the open
// connector, and those of others.
func (f *Feature) recent(q string) (here, elsewhere []overlay.Item) {
	list := overlay.HoldAll(f.Recent(), q)
	for _, it := range list[:min(len(list), mostRecent)] {
		it.Note = "recent     " + it.Note
		if f.Request().HasAction() && strings.HasPrefix(it.Title, f.Request().Connector().Name+" ") {
			here = append(here, it)
		} else {
			elsewhere = append(elsewhere, it)
		}
	}
	return here, elsewhere
}

// actionOf is the place of a hit that is an action, as a place that was left is titled.
func actionOf(it overlay.Item) string {
	to, _ := it.Value.(intent.GoTo)
	if to.Hit.What != catalog.WhatAction {
		return ""
	}
	return to.Connector.Name + " " + to.Hit.Entity + " " + to.Hit.Action
}

// hits are what the catalog holds of the words, once for each connector that has it.
// Words that begin with a connector's name are looked for in that one.
func (f *Feature) hits(q string) []overlay.Item {
	only, rest, called := dialog.Called(f, q)
	if called = called && only.Name != only.Kind && strings.TrimSpace(rest) != ""; called {
		q = rest
	}
	var out []overlay.Item
	hits := f.Catalog().Search(q, mostHits)
	for _, h := range hits {
		if h.Score*weakHit < hits[0].Score {
			break
		}
		list := dialog.ConnectorsOf(f, h.Kind)
		if called {
			if h.Kind != only.Kind {
				continue
			}
			list = []client.Connector{only}
		}
		several := len(list) > 1
		list = list[:min(len(list), mostAccounts)]
		if len(list) == 0 {
			list = []client.Connector{{}}
		}
		for _, c := range list {
			out = append(out, f.hit(h, c, several))
		}
	}
	return out
}

// hit is a hit of the catalog in a connector, which has no name where none of its kind is
// known; its workspace is told where there are several.
func (f *Feature) hit(h catalog.Hit, c client.Connector, several bool) overlay.Item {
	detail := h.Doc
	if h.Why != "" { // why it is a hit
		detail = strings.TrimPrefix(h.Doc+"  ("+h.Why+")", "  ")
	}
	where := h
	if c.Name != "" {
		where.Kind = c.Name
	}
	path := where.Path()
	if several {
		path = placeOf(c) + " > " + path
	}
	return overlay.Item{Title: h.Title, Marks: h.Matched, Detail: detail,
		Note: fmt.Sprintf("%-9s  %s", h.What, path), Value: intent.GoTo{Hit: h, Connector: c}}
}

// placeOf is the workspace of a connector, or the group of those called directly.
func placeOf(c client.Connector) string {
	if c.Local {
		return tree.LocalGroup
	}
	return c.Workspace
}

// connectors are the known connectors whose name or workspace holds every word.
// Those that are called like their kind are left to the catalog's hits, unless the
// workspace was asked for.
func (f *Feature) connectors(q string) []overlay.Item {
	words := strings.Fields(strings.ToLower(q))
	var out []overlay.Item
	for _, c := range f.Tree().Connectors() {
		where := placeOf(c)
		name, place := strings.ToLower(c.Name), strings.ToLower(where)
		asked := false
		found := !slices.ContainsFunc(words, func(w string) bool {
			inName, inPlace := strings.Contains(name, w), strings.Contains(place, w)
			asked = asked || inPlace || inName && c.Name != c.Kind
			return !inName && !inPlace
		})
		if found && asked {
			out = append(out, overlay.Item{Title: c.Name, Note: "connector  " + where + " > " + c.Name,
				Value: dialog.ToConnector(c)})
		}
	}
	return out
}

// help lists every action with its keys, those of the focused pane first.
func (f *Feature) help() intent.Intent {
	scopes := f.Scopes()
	var items []overlay.Item
	rank := map[string]int{}
	for i := range f.Table().Rows {
		a := &f.Table().Rows[i]
		it, near := dialog.ActionItem(f, a), slices.Index(scopes, a.In)
		switch {
		case a.In == action.InAny:
			it.Group = "In any pane"
		case near >= 0:
			it.Group = "Here: " + string(a.In)
		default:
			it.Group, near = "In "+string(a.In), len(scopes)
		}
		rank[it.Also] = near<<8 + slices.Index(action.Scopes, a.In)
		items = append(items, it)
	}
	slices.SortStableFunc(items, func(a, b overlay.Item) int {
		return cmp.Or(cmp.Compare(rank[a.Also], rank[b.Also]), dialog.UsableFirst(a, b))
	})
	found := overlay.Static(once(items))
	return intent.Push{Overlay: &overlay.List{Heading: "Keys and actions", Prompt: "type what you want to do",
		Wide: true, Terse: true, Source: func(q string) []overlay.Item {
			if strings.TrimSpace(q) == "" {
				return items
			}
			return found(q)
		}}}
}

// forCall are the actions on the call in the form that are listed in every pane.
var forCall = []string{"run", "preview", "copy.call", "copy", "docs"}

// here lists what can be done with the thing under the cursor.
func (f *Feature) here() intent.Intent {
	var here, call []overlay.Item
	scopes := f.Scopes()
	for i := range f.Table().Rows {
		switch a := &f.Table().Rows[i]; {
		case a.In != action.InAny && slices.Contains(scopes, a.In):
			here = append(here, dialog.ActionItem(f, a))
		case slices.Contains(forCall, a.ID):
			call = append(call, dialog.ActionItem(f, a))
		}
	}
	items := append(here, call...)
	slices.SortStableFunc(items, dialog.UsableFirst)
	return intent.Push{Overlay: &overlay.List{Heading: "What to do here", Wide: true, Source: overlay.Static(items)}}
}
