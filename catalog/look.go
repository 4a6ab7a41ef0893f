package catalog

import (
	"encoding/json"
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// Look is the read that shows whether a write was carried out.
type Look struct {
	Entity *Entity
	Action *Action
	Params json.RawMessage
	// Missing are required params that the write does not tell.
	Missing []string
}

// Look finds the read that shows whether a write of an entity was carried out: get,
// of the record that the write names, else a list; else get of a record of another
// entity that its params refer to. ok is false where there is none.
func (k *Kind) Look(e *Entity, write string, params json.RawMessage) (l Look, ok bool) {
	given := rawjson.ParseMap(params)
	get := e.Reading(ActionGet)
	if get != nil && (write != ActionCreate || given.Has(e.Key)) {
		if l = lookWith(e, get, given); len(l.Missing) == 0 {
			return l, true
		}
	}
	for _, name := range []string{ActionList, ActionAPISearch, ActionGet} {
		if a := e.Reading(name); a != nil {
			return lookWith(e, a, given), true
		}
	}
	a := e.Action(write)
	if a == nil {
		return Look{}, false
	}
	for i := range a.Params {
		f := &a.Params[i]
		name, _, _ := strings.Cut(f.Ref, ".")
		other := k.Entity(name)
		if other == nil || other.Reading(ActionGet) == nil || !given.Has(f.Name) {
			continue
		}
		l = lookWith(other, other.Reading(ActionGet), given)
		if len(l.Missing) == 1 { // whatever it is called there, it is what was referred to
			l.Params, l.Missing = rawjson.NewMap(l.Missing[0], given.Value(f.Name)).JSON(), nil
		}
		if len(l.Missing) == 0 {
			return l, true
		}
	}
	return Look{}, false
}

// lookWith fills the required params of a read, and the key of get, from those of a write: by their
// names, also with the entity before them (issue_number for number).
func lookWith(e *Entity, a *Action, given *rawjson.Map) Look {
	l, params := Look{Entity: e, Action: a}, &rawjson.Map{}
	for i := range a.Params {
		f := &a.Params[i]
		name := f.Name
		for j := 0; j < given.Len() && !given.Has(name); j++ {
			if strings.HasSuffix(given.Keys[j], "_"+f.Name) && f.Name != "id" {
				name = given.Keys[j]
			}
		}
		switch {
		case !f.Required && (f.Name != e.Key || a.Name != ActionGet):
		case given.Has(name):
			params.Add(f.Name, given.Value(name))
		case f.Required && !f.Injected && f.Default == nil:
			l.Missing = append(l.Missing, f.Name)
		}
	}
	for _, r := range a.Rules {
		if slices.Contains([]string{"at_least_one", "exactly_one", "bounded_jql"}, r.Rule) && r.In == "" &&
			!slices.ContainsFunc(r.Params, params.Has) {
			l.Missing = append(l.Missing, r.Params[0])
		}
	}
	if params.Len() > 0 {
		l.Params = params.JSON()
	}
	return l
}
