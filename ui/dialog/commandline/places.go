package commandline

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
)

// words splits a place: blanks, slashes and angle brackets part its names.
func words(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == '/' || r == '>' })
}

// place finds what a text names: an entity and an action of the connector of that name,
// of a kind, or of the connector that is open.
func (f *Feature) place(v string) (to intent.GoTo, ok bool) {
	v = strings.TrimSpace(v)
	if c, rest, called := dialog.Called(f, v); called && c.Kind != "" {
		if h, ok := f.placeIn(c.Kind, words(rest)); ok {
			return intent.GoTo{Hit: h, Connector: c}, true
		}
	}
	words := words(v)
	if len(words) == 0 || len(words) > 3 {
		return to, false
	}
	if slices.Contains(f.kinds(), words[0]) {
		to.Hit, ok = f.placeIn(words[0], words[1:])
		return to, ok
	}
	if c := f.connectorHere(); c.Kind != "" {
		if h, ok := f.placeIn(c.Kind, words); ok {
			return intent.GoTo{Hit: h, Connector: c}, true
		}
	}
	return f.unlisted(words)
}

// unlisted is a place of a connector that is not known yet: while workspaces are not
// listed, any name may be that of one, if what follows is an entity of some kind.
func (f *Feature) unlisted(words []string) (to intent.GoTo, ok bool) {
	if len(words) < 2 || len(f.Tree().Unlisted()) == 0 {
		return to, false
	}
	for _, kind := range f.kinds() {
		if h, ok := f.placeIn(kind, words[1:]); ok {
			h.Kind = ""
			return intent.GoTo{Hit: h, Connector: client.Connector{Name: words[0]}}, true
		}
	}
	return to, false
}

// connectorHere is the connector that is open, else the one under the tree's cursor.
func (f *Feature) connectorHere() client.Connector {
	if f.Request().HasAction() {
		return f.Request().Connector()
	}
	if n := f.Tree().Current(); n != nil {
		return n.Connector
	}
	return client.Connector{}
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
	case err != nil: // the connector is yet to be found
		return ""
	case h.Entity == "":
		return k.Doc
	case h.Action == "":
		return k.Entity(h.Entity).Doc
	}
	return k.Entity(h.Entity).Action(h.Action).Doc
}

func (f *Feature) noPlace(v string) string {
	if _, ok := f.place(v); ok {
		return ""
	}
	return "there is no place " + v + "; tab completes kind, entity and action"
}

func (f *Feature) goTo(v string) intent.Intent {
	to, ok := f.place(v)
	if !ok {
		return intent.Say{Text: f.noPlace(v), Bad: true}
	}
	return to
}

// placesLike completes the last word of a place.
func (f *Feature) placesLike(v string) []string {
	if c, rest, called := dialog.Called(f, v); called && rest != "" {
		words := words(rest)
		if strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "/") {
			words = append(words, "")
		}
		last := len(words) - 1
		if h, ok := f.placeIn(c.Kind, words[:max(last, 0)]); ok && last >= 0 {
			lead := strings.Join(append([]string{c.Name}, append(words[:last:last], "")...), " ")
			return prefixed(lead, dialog.Like(f.below(h), words[last]))
		}
	}
	words := words(v)
	if len(words) == 0 || strings.HasSuffix(v, " ") || strings.HasSuffix(v, "/") {
		words = append(words, "")
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	var names []string
	lead := strings.Join(append(slices.Clone(before), ""), " ")
	if len(before) > 0 {
		if to, ok := f.place(lead); ok {
			names = f.below(to.Hit)
		}
		return prefixed(lead, dialog.Like(names, last))
	}
	if c := f.connectorHere(); c.Kind != "" {
		names = f.below(catalog.Hit{Kind: c.Kind, What: catalog.WhatKind})
	}
	names = append(names, f.kinds()...)
	for _, c := range f.Tree().Connectors() {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return dialog.Like(names, last)
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
