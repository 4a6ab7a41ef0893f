package hosted

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// Presence says which side knows of an entity or action.
type Presence string

// A thing is known to both sides, to the live service only, or to the catalog only.
const (
	Both        Presence = "both"
	OnlyLive    Presence = "only live"
	OnlyCatalog Presence = "only catalog"
	// Unasked is the presence of everything when the service does not describe connectors.
	Unasked Presence = "not described"
)

// Detail is one connector with what it supports: the live answer merged with the catalog.
type Detail struct {
	client.Connector
	Entities []DescribedEntity `json:"entities"`
	// Described tells whether the service said what the connector supports.
	Described bool `json:"described"`
	// Store tells about replicated data: entity name to "configured", "suggested" or "supported".
	Store    map[string]string `json:"store,omitempty"`
	Warnings []string          `json:"warnings,omitempty"`
	// Live is the service's own description, as received.
	Live json.RawMessage `json:"live,omitempty"`
}

// DescribedEntity is an entity of the merged description.
type DescribedEntity struct {
	Name     string            `json:"name"`
	Presence Presence          `json:"presence"`
	Actions  []DescribedAction `json:"actions"`
}

// DescribedAction is an action of the merged description.
type DescribedAction struct {
	Name     string   `json:"name"`
	Presence Presence `json:"presence"`
	// OnlyLiveParams and OnlyCatalogParams are the params that one side does not
	// name; both are empty when the service told no params.
	OnlyLiveParams    []string `json:"only_live_params,omitempty"`
	OnlyCatalogParams []string `json:"only_catalog_params,omitempty"`
}

// Connector returns one connector and what it supports. A service that does not
// describe connectors leaves the catalog's word unmarked.
func (c *Client) Connector(ctx context.Context, id string) (*Detail, error) {
	r := request{method: http.MethodGet, path: connectorPath(id), doing: "read the connector " + id}
	res, err := c.send(ctx, r)
	if err != nil {
		e := client.AsError(err)
		if e.Status == http.StatusMethodNotAllowed {
			return nil, listing(e)
		}
		refineExecute(e, client.Target{ConnectorID: id}, client.Operation{})
		return nil, e
	}
	body := res.Body.Slice(0, res.Body.Len())
	one, err := c.connector(body, "")
	if err != nil {
		return nil, c.unreadable(r.doing, res, body, err)
	}
	one.ID = first(one.ID, id)
	d := &Detail{Connector: one}
	c.inspect(ctx, d)
	live, err := c.Describe(ctx, one.ID)
	if err != nil && client.AsError(err).Class == client.ClassCanceled {
		return nil, err
	}
	if err == nil {
		d.Live = live
	}
	d.Entities, d.Described = merge(c.kind(d.Kind), liveEntities(live))
	return d, nil
}

// Describe asks the service what a connector supports and returns its answer
// (without the envelope) as received.
func (c *Client) Describe(ctx context.Context, id string) (json.RawMessage, error) {
	r := request{
		method: http.MethodPost, path: connectorPath(id) + "/execute", doing: "describe the connector " + id,
		body: executeBody{Action: "describe"},
	}
	res, err := c.send(ctx, r)
	if err != nil {
		e := client.AsError(err)
		refineExecute(e, client.Target{ConnectorID: id}, client.Operation{Action: "describe"})
		return nil, e
	}
	body := json.RawMessage(res.Body.Slice(0, res.Body.Len()))
	if !json.Valid(body) {
		return nil, c.unreadable(r.doing, res, body, nil)
	}
	var wrapped struct {
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(body, &wrapped) == nil && wrapped.Result != nil {
		return wrapped.Result, nil
	}
	return body, nil
}

// inspect adds what is known about replicated data; services need not offer it.
func (c *Client) inspect(ctx context.Context, d *Detail) {
	type entity struct {
		Entity    string `json:"entity"`
		Name      string `json:"name"`
		Suggested bool   `json:"suggested"`
	}
	var answer struct {
		SourceDefinitionName string `json:"source_definition_name"`
		Readiness            struct {
			Supported  []entity          `json:"supported_context_store_entities"`
			Configured []json.RawMessage `json:"configured_cache_entities"`
		} `json:"context_store_readiness"`
		Warnings []json.RawMessage `json:"warnings"`
	}
	r := request{method: http.MethodGet, path: connectorPath(d.ID) + "/inspect", doing: "inspect the connector " + d.ID}
	if _, err := c.ask(ctx, r, &answer); err != nil {
		return
	}
	if k := c.kind(answer.SourceDefinitionName); d.Kind == "" && k != nil {
		d.Kind, d.Type = k.Name, first(d.Type, k.ConnectorType)
	}
	d.Store = map[string]string{}
	for _, e := range answer.Readiness.Supported {
		d.Store[first(e.Entity, e.Name)] = "supported"
		if e.Suggested {
			d.Store[first(e.Entity, e.Name)] = "suggested"
		}
	}
	for _, raw := range answer.Readiness.Configured {
		var e entity
		if json.Unmarshal(raw, &e) == nil && first(e.Entity, e.Name) != "" {
			d.Store[first(e.Entity, e.Name)] = "configured"
		}
	}
	for _, w := range answer.Warnings {
		if text := transport.ReadProblem("application/json", w).Message; text != "" {
			d.Warnings = append(d.Warnings, c.t.Redactor().Text(text))
		}
	}
}

// liveEntity is an entity in any of the shapes that services describe it in.
type liveEntity struct {
	Name       string                     `json:"name"`
	EntityName string                     `json:"entity_name"`
	Entity     string                     `json:"entity"`
	Actions    []json.RawMessage          `json:"actions"`
	Available  []json.RawMessage          `json:"available_actions"`
	Parameters map[string]json.RawMessage `json:"parameters"`
}

func (e liveEntity) name() string { return first(e.EntityName, e.Entity, e.Name) }

// actions lists names of actions, told as texts or as objects with a name.
func (e liveEntity) actions() []string {
	var out []string
	for _, raw := range append(e.Available, e.Actions...) {
		var name string
		if json.Unmarshal(raw, &name) != nil {
			var o struct{ Name, Action string }
			_ = json.Unmarshal(raw, &o)
			name = first(o.Name, o.Action)
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (e liveEntity) params(action string) []string {
	var list []struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(e.Parameters[action], &list)
	var out []string
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}

// liveEntities reads {entities: [...]} or a bare array of them.
func liveEntities(raw json.RawMessage) []liveEntity {
	var wrapped struct {
		Entities []liveEntity `json:"entities"`
	}
	if json.Unmarshal(raw, &wrapped) == nil && wrapped.Entities != nil {
		return wrapped.Entities
	}
	var list []liveEntity
	_ = json.Unmarshal(raw, &list)
	return list
}

// merge joins what the service describes with the catalog, the catalog's order first.
func merge(k *catalog.Kind, live []liveEntity) (out []DescribedEntity, described bool) {
	described = len(live) > 0
	byName := map[string]liveEntity{}
	for _, e := range live {
		byName[e.name()] = e
	}
	if k != nil {
		for i := range k.Entities {
			e := &k.Entities[i]
			l, known := byName[e.Name]
			delete(byName, e.Name)
			out = append(out, mergeEntity(e, l, presence(described, known)))
		}
	}
	for _, e := range live {
		if _, left := byName[e.name()]; left && e.name() != "" {
			out = append(out, mergeEntity(&catalog.Entity{Name: e.name()}, e, OnlyLive))
			delete(byName, e.name())
		}
	}
	return out, described
}

func presence(described, known bool) Presence {
	switch {
	case !described:
		return Unasked
	case known:
		return Both
	}
	return OnlyCatalog
}

func mergeEntity(e *catalog.Entity, l liveEntity, p Presence) DescribedEntity {
	out := DescribedEntity{Name: e.Name, Presence: p, Actions: []DescribedAction{}}
	told := l.actions()
	for i := range e.Actions {
		a := &e.Actions[i]
		one := DescribedAction{Name: a.Name, Presence: p}
		if p == Both && len(told) == 0 {
			one.Presence = Unasked
		} else if p == Both {
			known := slices.Contains(told, a.Name) || slices.Contains(told, a.SentAs)
			one.Presence = presence(true, known)
		}
		one.OnlyLiveParams, one.OnlyCatalogParams = diffParams(a, l.params(a.Name))
		out.Actions = append(out.Actions, one)
	}
	for _, name := range told {
		if e.Action(name) == nil {
			out.Actions = append(out.Actions, DescribedAction{Name: name, Presence: OnlyLive})
		}
	}
	return out
}

func diffParams(a *catalog.Action, live []string) (onlyLive, onlyCatalog []string) {
	if len(live) == 0 {
		return nil, nil
	}
	for _, name := range live {
		if catalog.FieldByName(a.Params, name) == nil && !a.ParamsUnknown {
			onlyLive = append(onlyLive, name)
		}
	}
	for i := range a.Params {
		p := &a.Params[i]
		if !slices.ContainsFunc(live, p.Is) && !p.Injected {
			onlyCatalog = append(onlyCatalog, p.Name)
		}
	}
	return onlyLive, onlyCatalog
}
