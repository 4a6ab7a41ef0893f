package doctor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/relate"
)

// Prober finds cheap reads of the entities of a kind.
type Prober struct {
	Kind *catalog.Kind
	// Local is set where calls go straight to the third party.
	Local bool
	// Now fills the times that marked reads are relative to.
	Now time.Time
	// Filled reports which params the connector's own configuration gives a value; nil
	// where nothing is known of it.
	Filled func(*catalog.Field) bool
	// read holds what entities answered: a page of one record, or nil where they
	// were refused.
	read map[string]*answer.Page
}

// Probe is a cheap read of an entity, or what it would need.
type Probe struct {
	Op     client.Operation
	entity *catalog.Entity
	place  int
	action *catalog.Action
	// lacks are what a person would have to give; waits is set where records of
	// another entity, which may still be read, could give it.
	lacks []string
	waits bool
}

// Ready reports whether the read can be made.
func (p Probe) Ready() bool { return p.action != nil && len(p.lacks) == 0 }

// Of is the cheapest read of an entity that needs nothing from a person: the one that
// the catalog marks, else one that lists, searches or gets. lacks says what is missing
// where there is none, action is nil where nothing reads the entity at all.
func (p *Prober) Of(e *catalog.Entity) Probe {
	var best Probe
	for _, a := range p.reads(e) {
		one := p.filled(e, a)
		if one.Ready() {
			return one
		}
		if best.action == nil || one.waits && !best.waits {
			best = one
		}
	}
	best.entity = e
	return best
}

// reads are the actions that read a few records of an entity, the best first.
func (p *Prober) reads(e *catalog.Entity) []*catalog.Action {
	var out []*catalog.Action
	add := func(a *catalog.Action) {
		if a != nil && !slices.Contains(out, a) && !(p.Local && (a.Binding == nil || a.HostedOnly)) {
			out = append(out, a)
		}
	}
	for i := range e.Actions {
		if a := &e.Actions[i]; a.Binding != nil && a.Binding.Probe && !a.Writes() {
			add(a)
		}
	}
	for _, name := range []string{catalog.ActionList, catalog.ActionAPISearch, catalog.ActionGet} {
		add(e.Reading(name))
	}
	return out
}

// filled is an action with a page of the least size that is allowed, the params that
// the catalog gives a probe, and required params at their defaults or from records
// that were read.
func (p *Prober) filled(e *catalog.Entity, a *catalog.Action) Probe {
	out := Probe{entity: e, action: a}
	params := &rawjson.Map{}
	if a.Binding != nil {
		given := rawjson.ParseMap(a.Binding.ProbeParams)
		for i := range given.Len() {
			params.Set(given.Keys[i], p.timed(given.Vals[i]))
		}
	}
	for i := range a.Params {
		f := &a.Params[i]
		if params.Has(f.Name) || f.Injected || p.Local && f.Send || p.Filled != nil && p.Filled(f) {
			continue
		}
		switch {
		case a.Page != nil && f.Name == a.Page.Size && f.Accepts("integer"):
			size := 1.0
			if f.Min != nil {
				size = max(size, *f.Min)
			}
			params.Set(f.Name, json.RawMessage(fmt.Sprintf("%.0f", size)))
		case !f.Required:
		case f.Default != nil:
			params.Set(f.Name, f.Default)
		default:
			v, lacks, waits := p.value(e, f)
			if v != nil {
				params.Set(f.Name, v)
				continue
			}
			out.lacks, out.waits = append(out.lacks, lacks), out.waits || waits
		}
	}
	for _, r := range a.Rules {
		out.lacks = append(out.lacks, unmet(r, params)...)
	}
	out.Op = client.Operation{Entity: e.Name, Action: a.Name}
	if params.Len() > 0 {
		out.Op.Params = params.JSON()
	}
	return out
}

// timed is a value of a probe's params: relative times become those they mean now.
func (p *Prober) timed(v any) any {
	raw, _ := v.(json.RawMessage)
	if n := rawjson.Parse(raw); n.Kind() == rawjson.String {
		return json.RawMessage(rawjson.AppendQuoted(nil, catalog.ProbeTime(n.Text(), p.Now)))
	}
	return v
}

// unmet is what a rule across params wants beside those that are given.
func unmet(r catalog.Rule, params *rawjson.Map) []string {
	switch r.Rule {
	case "at_least_one", "exactly_one":
		if r.In == "" && !slices.ContainsFunc(r.Params, params.Has) {
			return []string{strings.Join(r.Params, " or ")}
		}
	case "required_unless":
		if len(r.Params) > 1 && !params.Has(r.Params[0]) && !params.Has(r.Params[1]) {
			return []string{r.Params[0]}
		}
	}
	return nil
}

// value takes a param from the record of the entity that it refers to. lacks says what
// is missing where it cannot, waits whether that entity may still be read.
func (p *Prober) value(e *catalog.Entity, f *catalog.Field) (v json.RawMessage, lacks string, waits bool) {
	entity, field := relate.SplitRef(p.Kind, f.Ref)
	if entity == "" || entity == e.Name || p.Kind.Entity(entity) == nil {
		return nil, f.Name, false
	}
	page, tried := p.read[entity]
	switch {
	case !tried:
		return nil, f.Name, true
	case page == nil:
		return nil, f.Name + " of " + entity + ", which cannot be read", false
	case page.Index == nil || page.Len() == 0:
		return nil, f.Name + ", and " + entity + " holds no record", false
	}
	n, there := page.Value(page.Record(0), field)
	if !there || !relate.Scalar(n) {
		return nil, f.Name + ", which the record of " + entity + " does not tell", false
	}
	return relate.AsType(f, slices.Clone(n.Raw())), "", false
}
