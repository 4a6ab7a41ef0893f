package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"

	"patchbay/client/crew"
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
	// Described reports whether the service said what the connector supports.
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
// describe connectors leaves the catalog's word unmarked. What it takes is asked for
// at the same time.
func (c *Client) Connector(ctx context.Context, id string) (*Detail, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // without the connector nobody waits for the rest
	var inspected func(*Detail)
	var live json.RawMessage
	var described error
	var beside crew.Crew
	beside.Go(func() { inspected = c.inspect(ctx, id) })
	beside.Go(func() {
		d := about(http.MethodPost, id, "/execute", "describe")
		d.body = rawjson.NewMap("entity", "", "action", "describe").JSON()
		_, described = c.ask(ctx, d, &live, describes)
	})
	r := about(http.MethodGet, id, "", "read")
	res, err := c.send(ctx, r)
	if err != nil {
		if client.AsError(err).Status == http.StatusMethodNotAllowed {
			return nil, listing(err)
		}
		return nil, err
	}
	one, err := c.connector(res.Body.Slice(0, res.Body.Len()), "")
	if err != nil {
		return nil, c.unreadable(r, res, err)
	}
	one.ID = cmp.Or(one.ID, id)
	beside.Wait()
	d := &Detail{Connector: one, Live: live}
	inspected(d)
	switch e := client.AsError(described); {
	case described == nil:
	case e.Class == client.ClassCanceled:
		return nil, described
	case e.Class == client.ClassBadResponse:
		d.Warnings = append(d.Warnings, "what the service says of its entities is not believed: "+e.Message)
	}
	c.Learn(d.Connector)
	if result, ok := rawjson.Parse(d.Live).Get("result"); ok {
		d.Live = result.Raw()
	}
	d.Entities, d.Described = merge(c.kind(d.Kind), d.Live)
	return d, nil
}

// describes is a list of entities, within whatever wrapping.
func describes(n rawjson.Node) bool {
	if result, ok := n.Get("result"); ok {
		n = result
	}
	if entities, ok := n.Get("entities"); ok {
		n = entities
	}
	return n.Kind() == rawjson.Array
}

// inspect asks what is known about replicated data, and returns what adds it to a
// description; services need not offer it.
func (c *Client) inspect(ctx context.Context, id string) func(d *Detail) {
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
	if _, err := c.ask(ctx, about(http.MethodGet, id, "/inspect", "inspect"), &answer,
		func(n rawjson.Node) bool { return n.Kind() == rawjson.Object }); err != nil {
		return func(*Detail) {}
	}
	return func(d *Detail) {
		if k := c.kind(answer.SourceDefinitionName); d.Kind == "" && k != nil {
			d.Kind, d.Type = k.Name, cmp.Or(d.Type, k.ConnectorType)
		}
		d.Store = map[string]string{}
		for _, e := range answer.Readiness.Supported {
			d.Store[cmp.Or(e.Entity, e.Name)] = "supported"
			if e.Suggested {
				d.Store[cmp.Or(e.Entity, e.Name)] = "suggested"
			}
		}
		for _, raw := range answer.Readiness.Configured {
			var e entity
			if json.Unmarshal(raw, &e) == nil && cmp.Or(e.Entity, e.Name) != "" {
				d.Store[cmp.Or(e.Entity, e.Name)] = "configured"
			}
		}
		for _, w := range answer.Warnings {
			if text := transport.ReadProblem("application/json", w).Message; text != "" {
				d.Warnings = append(d.Warnings, c.t.Redactor().Text(text))
			}
		}
	}
}

// told lists the names in arrays of texts or of objects with a name.
func told(lists ...rawjson.Node) []string {
	var out []string
	for _, list := range lists {
		for e := range list.Elems() {
			name := first(e, "name", "action")
			if e.Kind() == rawjson.String {
				name = e.Text()
			}
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// member is the value at a path, the zero Node for none.
func member(n rawjson.Node, path ...string) rawjson.Node {
	for _, name := range path {
		n, _ = n.Get(name)
	}
	return n
}

// merge joins what the service describes, {entities: [...]} or a bare array of
// them, with the catalog, the catalog's order first.
func merge(k *catalog.Kind, raw json.RawMessage) (out []DescribedEntity, described bool) {
	list := rawjson.Parse(raw)
	if entities, ok := list.Get("entities"); ok {
		list = entities
	}
	live := map[string]rawjson.Node{} // what no entity was made of yet
	name := func(e rawjson.Node) string { return first(e, "entity_name", "entity", "name") }
	for e := range list.Elems() {
		live[name(e)] = e
	}
	described = len(live) > 0
	if k != nil {
		for i := range k.Entities {
			e := &k.Entities[i]
			l, known := live[e.Name]
			delete(live, e.Name)
			out = append(out, mergeEntity(e, l, presence(described, known)))
		}
	}
	delete(live, "")
	for e := range list.Elems() {
		if l, left := live[name(e)]; left {
			out = append(out, mergeEntity(&catalog.Entity{Name: name(e)}, l, OnlyLive))
			delete(live, name(e))
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

func mergeEntity(e *catalog.Entity, live rawjson.Node, p Presence) DescribedEntity {
	out := DescribedEntity{Name: e.Name, Presence: p, Actions: []DescribedAction{}}
	known := told(member(live, "available_actions"), member(live, "actions"))
	for i := range e.Actions {
		a := &e.Actions[i]
		one := DescribedAction{Name: a.Name, Presence: p}
		if p == Both {
			one.Presence = presence(len(known) > 0, slices.Contains(known, a.Name) || slices.Contains(known, a.SentAs))
		}
		one.OnlyLiveParams, one.OnlyCatalogParams = diffParams(a, told(member(live, "parameters", a.Name)))
		out.Actions = append(out.Actions, one)
	}
	for _, name := range known {
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
