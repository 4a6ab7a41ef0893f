package described

import (
	"slices"
	"strings"

	"patchbay/catalog"
)

// Side is the one that knows of something the other does not name.
type Side string

// The sides.
const (
	OnlyService Side = "only the service"
	OnlyCatalog Side = "only the catalog"
)

// Difference is an entity, an action of it or a param of that which only one side names.
type Difference struct {
	Entity string `json:"entity"`
	Action string `json:"action,omitempty"`
	Param  string `json:"param,omitempty"`
	Only   Side   `json:"only"`
}

// Subject is what differs.
func (d Difference) Subject() string {
	return strings.Join(strings.Fields(d.Entity+" "+d.Action+" "+d.Param), " ")
}

// String is the difference in words.
func (d Difference) String() string { return d.Subject() + ": " + string(d.Only) }

// Compare holds what a service describes against what the catalog says. What the service
// does not tell at all, such as the params of its actions, is no difference.
func Compare(known, live *catalog.Kind) (out []Difference) {
	if known == nil || live == nil {
		return nil
	}
	searches := slices.ContainsFunc(live.Entities, func(e catalog.Entity) bool {
		return e.Action(catalog.ActionContextStoreSearch) != nil
	})
	for i := range known.Entities {
		e := &known.Entities[i]
		l := live.Entity(e.Name)
		if l == nil {
			out = append(out, Difference{Entity: e.Name, Only: OnlyCatalog})
			continue
		}
		out = append(out, compareActions(e, l, searches)...)
	}
	for i := range live.Entities {
		if name := live.Entities[i].Name; known.Entity(name) == nil {
			out = append(out, Difference{Entity: name, Only: OnlyService})
		}
	}
	return out
}

// compareActions compares those of one entity; searches is set where the service tells
// of searches over its copy.
func compareActions(e, live *catalog.Entity, searches bool) (out []Difference) {
	told := slices.ContainsFunc(live.Actions, func(a catalog.Action) bool {
		return a.Name != catalog.ActionContextStoreSearch
	})
	for i := range e.Actions {
		a := &e.Actions[i]
		l := live.Action(a.Name)
		isSearch := a.Name == catalog.ActionContextStoreSearch || a.SentAs == catalog.ActionContextStoreSearch
		switch {
		case l != nil:
			out = append(out, compareParams(e.Name, a, l)...)
		case a.SentAs != "" && live.Action(a.SentAs) != nil, isSearch && !searches, !isSearch && !told:
		default:
			out = append(out, Difference{Entity: e.Name, Action: a.Name, Only: OnlyCatalog})
		}
	}
	for i := range live.Actions {
		name := live.Actions[i].Name
		sent := slices.ContainsFunc(e.Actions, func(a catalog.Action) bool { return a.SentAs == name })
		if e.Action(name) == nil && !sent {
			out = append(out, Difference{Entity: e.Name, Action: name, Only: OnlyService})
		}
	}
	return out
}

// compareParams compares those of one action, where both sides know them.
func compareParams(entity string, a, live *catalog.Action) (out []Difference) {
	if a.ParamsUnknown || live.ParamsUnknown || a.Name == catalog.ActionContextStoreSearch {
		return nil
	}
	for i := range a.Params {
		p := &a.Params[i]
		if !p.Injected && !slices.ContainsFunc(live.Params, func(l catalog.Field) bool { return p.Is(l.Name) }) {
			out = append(out, Difference{Entity: entity, Action: a.Name, Param: p.Name, Only: OnlyCatalog})
		}
	}
	for i := range live.Params {
		name := live.Params[i].Name
		if !slices.ContainsFunc(a.Params, func(p catalog.Field) bool { return p.Is(name) }) {
			out = append(out, Difference{Entity: entity, Action: a.Name, Param: name, Only: OnlyService})
		}
	}
	return out
}
