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

	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
)

// Feature is the search.
type Feature struct {
	dialog.Host
	// Saved lists further things that it finds.
	Saved func() []overlay.Item
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

// open searches the whole catalog and the actions.
func (f *Feature) open() intent.Intent {
	var items []overlay.Item
	for i := range f.Table().Rows {
		it := dialog.ActionItem(f, &f.Table().Rows[i])
		it.Group = "Actions"
		items = append(items, it)
	}
	slices.SortStableFunc(items, dialog.UsableFirst)
	actions := overlay.Static(items)
	return intent.Push{Overlay: &overlay.List{Heading: "Search everything", Wide: true, Terse: true,
		Prompt: "customers list, jql, refund, created …",
		Empty:  "Nothing in the catalog holds these words. Fewer or shorter words find more.",
		Source: func(q string) []overlay.Item { return f.found(q, actions) }}}
}

// How much of each is shown. weakHit is how many times worse than the best a hit
// of the catalog may be.
const (
	mostHits   = 60
	mostNamed  = 3
	mostOthers = 5
	mostSaved  = 5
	weakHit    = 3
)

// found is what the words of q find, the likeliest first.
func (f *Feature) found(q string, actions func(string) []overlay.Item) []overlay.Item {
	q = strings.TrimSpace(q)
	if q == "" {
		return actions("")
	}
	var others []overlay.Item
	out, named := f.connectors(q), 0
	for _, it := range actions(q) { // those that are called what is typed, and a few of the others
		it.Note = "this program"
		switch {
		case strings.HasPrefix(it.Also, strings.ToLower(q)) && it.Disabled == "" && named < mostNamed:
			out, named = append(out, it), named+1
		case len(others) < mostOthers:
			others = append(others, it)
		}
	}
	hits := f.Catalog().Search(q, mostHits)
	for _, h := range hits {
		if h.Score*weakHit < hits[0].Score {
			break
		}
		detail := h.Doc
		if h.Why != "" { // why it is a hit
			detail = strings.TrimPrefix(h.Doc+"  ("+h.Why+")", "  ")
		}
		out = append(out, overlay.Item{Title: h.Title, Marks: h.Matched, Detail: detail,
			Note: fmt.Sprintf("%-9s  %s", h.What, h.Path()), Value: intent.GoTo{Hit: h}})
	}
	saved := overlay.Static(f.Saved())(q)
	for _, it := range saved[:min(len(saved), mostSaved)] {
		it.Note = "saved call  " + it.Note
		out = append(out, it)
	}
	return append(out, others...)
}

// connectors are the known connectors whose name or workspace holds every word.
// Those that are called like their kind are left to the catalog's hits, unless the
// workspace was asked for.
func (f *Feature) connectors(q string) []overlay.Item {
	words := strings.Fields(strings.ToLower(q))
	var out []overlay.Item
	for _, c := range f.Tree().Connectors() {
		where := c.Workspace
		if c.Local {
			where = tree.LocalGroup
		}
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
	return intent.Push{Overlay: &overlay.List{Heading: "Keys and actions", Prompt: "type what you want to do",
		Wide: true, Terse: true, Source: overlay.Static(items)}}
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
