package doctor

import (
	"encoding/json"
	"time"

	"patchbay/catalog"
	"patchbay/client"
)

// Probe picks the cheapest read of an entity that needs nothing from a person:
// the one that the catalog marks, else its list with the smallest page. now
// fills the times that marked reads are relative to.
func Probe(entity *catalog.Entity, now time.Time) (client.Operation, bool) {
	for i := range entity.Actions {
		a := &entity.Actions[i]
		if a.Binding == nil || !a.Binding.Probe || a.Writes() {
			continue
		}
		if len(a.Binding.ProbeParams) > 0 || !needsParams(a) {
			return client.Operation{Entity: entity.Name, Action: a.Name, Params: probeParams(a, now)}, true
		}
	}
	if a := entity.Action(catalog.ActionList); a != nil && (!needsParams(a) || a.Binding != nil && len(a.Binding.ProbeParams) > 0) {
		return client.Operation{Entity: entity.Name, Action: a.Name, Params: probeParams(a, now)}, true
	}
	return client.Operation{}, false
}

func needsParams(a *catalog.Action) bool {
	for i := range a.Params {
		if p := &a.Params[i]; p.Required && !p.Injected && p.Default == nil {
			return true
		}
	}
	for _, rule := range a.Rules {
		if rule.Rule == "at_least_one" || rule.Rule == "exactly_one" {
			return true
		}
	}
	return false
}

// probeParams asks for a page of the least size that is allowed, with the
// params that the catalog gives a probe, and required params at their defaults.
func probeParams(a *catalog.Action, now time.Time) json.RawMessage {
	params := map[string]any{}
	for i := range a.Params {
		if p := &a.Params[i]; p.Required && !p.Injected && p.Default != nil {
			params[p.Name] = p.Default
		}
	}
	if a.Page != nil && a.Page.Size != "" {
		if p := a.Param(a.Page.Size); p != nil && p.Min != nil && *p.Min > 1 {
			params[p.Name] = *p.Min
		} else if p != nil {
			params[p.Name] = 1
		}
	}
	var given map[string]any
	if a.Binding != nil && json.Unmarshal(a.Binding.ProbeParams, &given) == nil {
		for name, value := range given {
			if text, ok := value.(string); ok {
				value = catalog.ProbeTime(text, now)
			}
			params[name] = value
		}
	}
	if len(params) == 0 {
		return nil
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil
	}
	return raw
}
