// Package meaning is the feature that puts the search by keywords beside the search by
// meaning of the same question, and back. How one is written as the other is
// client/search. It imports no other dialog and not the root.
package meaning

import (
	"encoding/json"
	"slices"

	"patchbay/catalog"
	"patchbay/client/search"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
)

// Feature is the way between the two searches.
type Feature struct {
	dialog.Host
	// left are the params of the search that was left, behind those that it was written as.
	left, written json.RawMessage
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "search.beside", After: "run.force", In: action.InAny, Keys: []string{"K"},
		Label: "other search", Now: f.label, Footer: 7, Disabled: f.missing, Do: f.open,
		Help: "Ask the same question by keywords where it was asked by meaning (semantic_search), and back"}}
}

// other is the action that asks the question of the form the other way; nil without one.
func (f *Feature) other() *catalog.Action {
	r := f.Request()
	if r.Missing() != "" {
		return nil
	}
	switch r.Action().Name {
	case catalog.ActionSemanticSearch:
		return r.Entity().Action(catalog.ActionContextStoreSearch)
	case catalog.ActionContextStoreSearch:
		return r.Entity().Action(catalog.ActionSemanticSearch)
	}
	return nil
}

func (f *Feature) label() string {
	if a := f.other(); a != nil && a.Name == catalog.ActionSemanticSearch {
		return "by meaning"
	}
	return "by keywords"
}

func (f *Feature) missing() string {
	switch {
	case f.other() == nil:
		return "only entities with semantic_search and context_store_search have both searches: open one of these"
	case f.params() != nil:
		return ""
	case f.other().Name == catalog.ActionContextStoreSearch:
		return "there is no prompt yet: say what to look for"
	}
	return "no condition holds words: add one with keyword, fuzzy or like"
}

// params are those of the other search.
func (f *Feature) params() json.RawMessage {
	params := f.Request().Params()
	if f.other().Name == catalog.ActionSemanticSearch {
		back := search.ByMeaning(params)
		if back != nil && slices.Equal(back, search.ByMeaning(f.written)) {
			return f.left // nothing was changed: it is the same question still
		}
		return back
	}
	return search.ByKeywords(f.Request().Entity().Semantic, params, f.places())
}

// looked is how many records tell where the texts of a field are.
const looked = 5

// places are those of the texts in the indexed field, as the answer shown has them.
func (f *Feature) places() []string {
	e, page := f.Request().Entity(), f.Response().Page()
	if e.Semantic == nil || page == nil || page.Entity != e {
		return nil
	}
	var out []string
	for i := range min(page.Len(), looked) {
		record := page.Record(i)
		if of, ok := record.Get("entity"); ok {
			record = of
		}
		for _, place := range search.TextPaths(record, e.Semantic.Field) {
			if !slices.Contains(out, place) {
				out = append(out, place)
			}
		}
	}
	return out
}

// open opens the other search with the same question, and asks it.
func (f *Feature) open() intent.Intent {
	r, to, params := f.Request(), f.other(), f.params()
	if to.Name == catalog.ActionContextStoreSearch {
		f.left, f.written = r.Params(), params
	}
	c, entity, _ := r.Place()
	return intent.All{intent.OpenAction{Connector: c, Entity: entity, Action: to.Name, Params: params, Run: true},
		intent.Reveal{Connector: c, Entity: entity, Action: to.Name}}
}
