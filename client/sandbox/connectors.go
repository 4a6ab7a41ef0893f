package sandbox

import (
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
)

// account is everything that the platform itself keeps: workspaces and connectors.
type account struct {
	s          *Service
	mu         sync.Mutex
	workspaces []*workspace
	sessions   map[string]*object
}

type workspace struct {
	id, name, org, status string
	created, updated      time.Time
	cached                any // cache_enabled: a boolean or null
	connectors            []*connector
}

// connector is one configured link with its own data.
type connector struct {
	id, name         string
	about            catalog.Summary
	kind             func() *catalog.Kind // opens the kind when first needed
	ws               *workspace
	config           *object
	entities         any // what the creator asked for, as it was given
	created, updated time.Time
	faults           []Fault

	// mu guards data and the counters of faults.
	mu    sync.Mutex
	data  *dataset
	calls map[string]int
}

// newAccount builds the workspaces of both organizations.
func newAccount(s *Service) *account {
	a := &account{s: s}
	demo := a.addWorkspace(OrganizationID, "demo")
	staging := a.addWorkspace(OrganizationID, "staging")
	faulty := a.addWorkspace(OrganizationID, "faults")
	sales := a.addWorkspace(SecondOrganizationID, "sales")
	if s.opts.Catalog == nil {
		return a
	}
	kinds := map[string]catalog.Summary{}
	for _, about := range s.opts.Catalog.Kinds() {
		kinds[about.Name] = about
		a.addConnector(demo, about, about.Name, nil)
		switch about.Name {
		case "payments":
			a.addConnector(staging, about, about.Name, nil)
			a.addConnector(sales, about, about.Name, nil)
		case "issue_tracker", "code_hosting":
			a.addConnector(staging, about, about.Name, nil)
		case "crm":
			a.addConnector(sales, about, about.Name, nil)
		}
	}
	for _, f := range faultConnectors() {
		if about, ok := kinds[f.kind]; ok {
			a.addConnector(faulty, about, f.fault.Name, []Fault{f.fault})
		}
	}
	return a
}

// born is when the generated workspaces and connectors were made.
func (a *account) born() time.Time {
	return a.s.opts.Now().UTC().Truncate(24*time.Hour).AddDate(0, -6, 0)
}

func (a *account) addWorkspace(org, name string) *workspace {
	ws := &workspace{id: fixedUUID("workspace " + org + " " + name), name: name, org: org, status: "active", cached: true, created: a.born(), updated: a.born()}
	a.workspaces = append(a.workspaces, ws)
	return ws
}

func (a *account) addConnector(ws *workspace, about catalog.Summary, name string, faults []Fault) *connector {
	c := &connector{
		id: fixedUUID("connector " + ws.id + " " + name), name: name, about: about, ws: ws, config: &object{},
		kind: sync.OnceValue(func() *catalog.Kind {
			k, err := a.s.opts.Catalog.Kind(about.Name)
			if err != nil { // a kind that is listed but cannot be read has no entities
				k = &catalog.Kind{Name: about.Name, Title: about.Title, System: about.System, ConnectorType: about.ConnectorType}
			}
			return k
		}),
		created: a.born(), updated: a.born(), faults: faults, calls: map[string]int{},
	}
	ws.connectors = append(ws.connectors, c)
	return c
}

// ensureWorkspace returns the workspace of that name, a new one when there is none.
func (a *account) ensureWorkspace(org, name string) *workspace {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ws := a.workspaceNamed(org, name); ws != nil {
		return ws
	}
	ws := a.addWorkspace(org, name)
	ws.created, ws.updated = a.s.opts.Now(), a.s.opts.Now()
	return ws
}

// workspaceNamed finds a workspace by name. "default", the name that other
// clients of the service ask for when nothing is configured, is the first one.
func (a *account) workspaceNamed(org, name string) *workspace {
	var first *workspace
	for _, ws := range a.workspaces {
		if ws.org != org {
			continue
		}
		if strings.EqualFold(ws.name, name) {
			return ws
		}
		if first == nil {
			first = ws
		}
	}
	if name == "default" {
		return first
	}
	return nil
}

func (a *account) workspacesOf(org string) []*workspace {
	var out []*workspace
	for _, ws := range a.workspaces {
		if ws.org == org {
			out = append(out, ws)
		}
	}
	return out
}

// find returns the connector of an organization by id.
func (a *account) find(org, id string) *connector {
	a.mu.Lock()
	defer a.mu.Unlock()
	id = strings.TrimPrefix(id, "source_id:")
	for _, ws := range a.workspacesOf(org) {
		for _, c := range ws.connectors {
			if strings.EqualFold(c.id, id) {
				return c
			}
		}
	}
	return nil
}

// connectors serves /integrations/connectors and what lies below.
func (c *call) connectors(parts []string) (*answer, error) {
	switch {
	case len(parts) == 0:
		if c.r.Method == http.MethodGet {
			return c.listConnectors()
		}
		return c.only(http.MethodPost, c.createConnector)
	case len(parts) == 1 && parts[0] == "check":
		return c.only(http.MethodPost, c.checkNew)
	case len(parts) == 2 && parts[0] == "oauth" && parts[1] == "initiate":
		return c.only(http.MethodPost, c.consent)
	}
	if len(parts) != 2 || parts[1] != "execute" { // which takes other names of connectors too
		if err := pathUUID("id", parts[0]); err != nil {
			return nil, err
		}
	}
	target := c.s.start().find(c.org, parts[0])
	if target == nil {
		return nil, refuse(http.StatusNotFound, "No connector with id %s exists in this organization.", parts[0])
	}
	if len(parts) == 1 {
		return c.oneConnector(target)
	}
	if len(parts) > 2 {
		return nil, refuse(http.StatusNotFound, "A connector has no endpoint %q.", strings.Join(parts[1:], "/"))
	}
	switch parts[1] {
	case "execute":
		return c.only(http.MethodPost, func() (*answer, error) { return c.execute(target) })
	case "check":
		return c.only(http.MethodPost, func() (*answer, error) { return c.check(target) })
	case "inspect":
		return c.only(http.MethodGet, func() (*answer, error) { return c.inspect(target) })
	}
	return nil, refuse(http.StatusNotFound, "A connector has no endpoint %q.", parts[1])
}

func (c *call) oneConnector(target *connector) (*answer, error) {
	switch c.r.Method {
	case http.MethodGet:
		a := c.s.start()
		a.mu.Lock()
		defer a.mu.Unlock()
		return ok(target.detail()), nil
	case http.MethodPut:
		return c.updateConnector(target)
	case http.MethodDelete:
		return c.deleteConnector(target)
	}
	return nil, c.wrongMethod("GET, PUT, DELETE")
}

// listConnectors lists the connectors of one workspace.
func (c *call) listConnectors() (*answer, error) {
	q := c.r.URL.Query()
	name, id := q.Get("workspace_name"), q.Get("workspace_id")
	for _, former := range []string{"customer_name", "external_user_id"} {
		if name == "" {
			name = q.Get(former)
		}
	}
	if name == "" && id == "" {
		name = c.workspace
	}
	if err := c.queryForm(aUUID, "workspace_id", "definition_id"); err != nil {
		return nil, err
	}
	if name == "" && id == "" {
		return nil, refuse(http.StatusBadRequest, "Either workspace_name or workspace_id is required.")
	}
	a := c.s.start()
	ws, err := a.pickWorkspace(c.org, name, id)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := []any{}
	for _, item := range ws.connectors {
		if d := q.Get("definition_id"); d == "" || strings.EqualFold(d, definitionID(item.about)) {
			list = append(list, item.summary())
		}
	}
	return ok(newObject("data", list)), nil
}

func (a *account) pickWorkspace(org, name, id string) (*workspace, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, ws := range a.workspacesOf(org) {
		if id != "" && strings.EqualFold(ws.id, id) {
			return ws, nil
		}
	}
	if ws := a.workspaceNamed(org, name); id == "" && ws != nil {
		return ws, nil
	}
	return nil, refuse(http.StatusNotFound, "No workspace named %q exists in this organization.", name+id)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (c *connector) summary() *object {
	return newObject("id", c.id, "name", c.name, "summarized_source_template", newObject(
		"id", fixedUUID("template "+c.about.Name), "name", c.about.System, "icon", nil, "connector_name", c.about.ConnectorType,
		"organization_id", nil, "actor_definition_id", definitionID(c.about), "tags", []any{}, "customization", nil, "mode", "DIRECT",
		"created_at", stamp(c.created), "updated_at", stamp(c.updated)), "created_at", stamp(c.created), "updated_at", stamp(c.updated))
}

func (c *connector) detail() *object {
	return newObject("id", c.id, "name", c.name, "source_template", template(c.kind(), c.created), "replication_config", c.config,
		"entities", c.entities, "created_at", stamp(c.created), "updated_at", stamp(c.updated))
}

// inspect tells what a connector is and which entities its store holds.
func (c *call) inspect(target *connector) (*answer, error) {
	stored := []any{}
	for i := range target.kind().Entities {
		if e := &target.kind().Entities[i]; e.Action(catalog.ActionContextStoreSearch) != nil {
			stored = append(stored, newObject("entity", e.Name, "suggested", true))
		}
	}
	return ok(newObject("connector_id", target.id, "name", target.name, "workspace_id", target.ws.id, "organization_id", target.ws.org,
		"source_definition_id", definitionID(target.about), "source_definition_name", target.about.System, "docs_skill_id", "connector_source:"+target.id,
		"context_store_readiness", newObject("supported_context_store_entities", stored, "configured_cache_entities", []any{}), "warnings", []any{})), nil
}

// stores tells the state of the search index of each connector.
func (c *call) stores(org string) (*answer, error) {
	if org != c.org {
		return nil, refuse(http.StatusForbidden, "The token does not reach organization %s.", org)
	}
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	list := []any{}
	for _, ws := range a.workspacesOf(org) {
		for _, item := range ws.connectors {
			list = append(list, newObject("id", item.id, "context_store_status", "ready", "context_store_entity_count", int64(item.about.Entities)))
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].(*object).text("id") < list[j].(*object).text("id") })
	return ok(newObject("data", list, "total", int64(len(list)))), nil
}
