package commandline

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
)

// words splits a place: blanks, slashes and angle brackets part its names.
func words(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == '/' || r == '>' })
}

// place finds what words name: a kind, an entity of it and an action, or an
// entity and an action of the kind that is open.
func (f *Feature) place(words []string) (h catalog.Hit, ok bool) {
	if len(words) == 0 || len(words) > 3 {
		return h, false
	}
	if slices.Contains(f.kinds(), words[0]) {
		return f.placeIn(words[0], words[1:])
	}
	kind := f.kindHere()
	if kind == "" {
		return h, false
	}
	return f.placeIn(kind, words)
}

// kindHere is the kind that is open, else that of the connector under the
// tree's cursor; "" without one.
func (f *Feature) kindHere() string {
	if f.Request().HasAction() {
		return f.Request().Kind().Name
	}
	if n := f.Tree().Current(); n != nil {
		return n.Connector.Kind
	}
	return ""
}

func (f *Feature) placeIn(kind string, words []string) (h catalog.Hit, ok bool) {
	h = catalog.Hit{Kind: kind, What: catalog.WhatKind}
	if len(words) == 0 {
		return h, true
	}
	k, err := f.Catalog().Kind(kind)
	if err != nil || len(words) > 2 || k.Entity(words[0]) == nil {
		return h, false
	}
	h.What, h.Entity = catalog.WhatEntity, words[0]
	if len(words) == 1 {
		return h, true
	}
	h.What, h.Action = catalog.WhatAction, words[1]
	return h, k.Entity(words[0]).Action(words[1]) != nil
}

// doc is the catalog's sentence on a place.
func (f *Feature) doc(h catalog.Hit) string {
	k, err := f.Catalog().Kind(h.Kind)
	switch {
	case err != nil:
		return ""
	case h.Entity == "":
		return k.Doc
	case h.Action == "":
		return k.Entity(h.Entity).Doc
	}
	return k.Entity(h.Entity).Action(h.Action).Doc
}

func (f *Feature) noPlace(v string) string {
	if _, ok := f.place(words(v)); ok {
		return ""
	}
	return "there is no place " + v + "; tab completes kind, entity and action"
}

func (f *Feature) goTo(v string) intent.Intent {
	h, ok := f.place(words(v))
	if !ok {
		return intent.Say{Text: f.noPlace(v), Bad: true}
	}
	return intent.GoTo{Hit: h}
}

// placesLike completes the last word of a place.
func (f *Feature) placesLike(v string) []string {
	words := words(v)
	if len(words) == 0 || strings.HasSuffix(v, " ") || strings.HasSuffix(v, "/") {
		words = append(words, "")
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	var names []string
	if len(before) == 0 {
		names = f.kinds()
		if kind := f.kindHere(); kind != "" {
			names = append(f.below(catalog.Hit{Kind: kind, What: catalog.WhatKind}), names...)
		}
	} else if h, ok := f.place(before); ok {
		names = f.below(h)
	}
	lead := strings.Join(append(slices.Clone(before), ""), " ")
	return prefixed(lead, dialog.Like(names, last))
}

// placesElsewhere are the places of the other kinds that have an entity and an
// action of these names.
func (f *Feature) placesElsewhere(v string) []string {
	words := words(v)
	if len(words) == 0 || len(words) > 2 {
		return nil
	}
	var out []string
	for _, kind := range f.kinds() {
		if _, ok := f.placeIn(kind, words); ok {
			out = append(out, strings.Join(append([]string{kind}, words...), " "))
		}
	}
	return out
}

// kinds are the names of all kinds.
func (f *Feature) kinds() []string {
	kinds := f.Catalog().Kinds()
	out := make([]string, len(kinds))
	for i := range kinds {
		out[i] = kinds[i].Name
	}
	return out
}

// below are the names under a place: entities of a kind, actions of an entity.
func (f *Feature) below(h catalog.Hit) []string {
	k, err := f.Catalog().Kind(h.Kind)
	if err != nil {
		return nil
	}
	var out []string
	switch h.What {
	case catalog.WhatKind:
		for i := range k.Entities {
			out = append(out, k.Entities[i].Name)
		}
	case catalog.WhatEntity:
		for _, a := range k.Entity(h.Entity).Actions {
			out = append(out, a.Name)
		}
	}
	return out
}
