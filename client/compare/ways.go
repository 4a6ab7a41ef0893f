package compare

import (
	"slices"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
)

// Way is a way to ask for the records of an entity: "search", "list",
// "api_search" or "local".
type Way struct {
	Name   string
	Target *client.Target
	Action *catalog.Action
}

// Twins are the connectors among others that are of the kind asked and are called the
// other way: directly, or through the service of a profile.
func Twins(from answer.Question, profile string, others []client.Connector) []client.Target {
	var out []client.Target
	for i, c := range others {
		same := func(o client.Connector) bool { return o.ID == c.ID && o.Name == c.Name && o.Workspace == c.Workspace }
		if c.Kind == from.Kind.Name && c.Local != from.Target.Local && !slices.ContainsFunc(others[:i], same) {
			out = append(out, c.Target(profile))
		}
	}
	return out
}

// Ways lists the ways to ask for what a question is about: of the connector asked, and
// of its twin, which may be nil. A question for one record is put to both as it is.
func Ways(from answer.Question, twin *client.Target) []Way {
	hosted, local := &from.Target, twin
	if from.Target.Local {
		hosted, local = local, hosted
	}
	if hosted != nil && local != nil && ofOne(from.Action) {
		return []Way{{from.Action.Name, hosted, from.Action}, {"local", local, from.Action}}
	}
	var ways []Way
	if find := from.Entity.Reading(catalog.ActionContextStoreSearch); find != nil && hosted != nil {
		ways = append(ways, Way{"search", hosted, find})
	}
	list := listOf(from.Entity, from.Action)
	if list != nil && hosted != nil {
		ways = append(ways, Way{list.Name, hosted, list})
	}
	if list != nil && local != nil && !list.HostedOnly {
		ways = append(ways, Way{"local", local, list})
	}
	return ways
}

// ofOne reports whether an action reads something other than a list, and can be asked
// both ways.
func ofOne(a *catalog.Action) bool {
	return !lists(a) && !a.Writes() && !a.HostedOnly && a.Binding != nil && a.Binding.Download == nil
}

// lists reports whether an action reads a list of records.
func lists(a *catalog.Action) bool {
	switch a.Name {
	case catalog.ActionList, catalog.ActionAPISearch, catalog.ActionContextStoreSearch:
		return true
	}
	return a.HostedOnly
}

// TooFew says why some ways of asking for an entity make no comparison; "" when they do.
func TooFew(e *catalog.Entity, ways []Way) string {
	switch len(ways) {
	case 0:
		return e.Name + " can neither be searched nor listed, so there is nothing to compare"
	case 1:
		return e.Name + " can only be asked by " + ways[0].Name + " here: a comparison takes search and list, " +
			"or a connector of this kind that is called the other way"
	}
	return ""
}

// listOf is the action that is asked beside search: the one of the question
// where it lists records, else the entity's list, else a search of the third
// party that needs nothing.
func listOf(e *catalog.Entity, from *catalog.Action) *catalog.Action {
	if (from.Name == catalog.ActionList || from.Name == catalog.ActionAPISearch) && !from.Writes() {
		return from
	}
	if list := e.Reading(catalog.ActionList); list != nil {
		return list
	}
	if a := e.Reading(catalog.ActionAPISearch); a != nil && len(a.Rules) == 0 {
		return a
	}
	return nil
}
