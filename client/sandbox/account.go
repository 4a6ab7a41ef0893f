package sandbox

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// account is everything that the platform itself keeps: workspaces and connectors.
// Its methods are called with mu held.
type account struct {
	s          *Service
	mu         sync.Mutex
	workspaces []*workspace
	sessions   map[string]*setup
	decisions  map[string]*decision
	grants     map[string]*grant
	// templates and replications are those of organizations, apps their OAuth
	// applications by organization and kind.
	templates    []*sourceTemplate
	replications []*replication
	apps         map[string]*ownApp
	tags         []*tag
	serial       int // counts what was given a name while the service runs
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
	template         *sourceTemplate
	config           *rawjson.Map
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
	a := &account{s: s, sessions: map[string]*setup{}, decisions: map[string]*decision{}, grants: map[string]*grant{},
		apps: map[string]*ownApp{}}
	demo := a.addWorkspace(OrganizationID, "demo")
	staging := a.addWorkspace(OrganizationID, "staging")
	faulty := a.addWorkspace(OrganizationID, "faults")
	sales := a.addWorkspace(SecondOrganizationID, "sales")
	if s.opts.Strangers != nil {
		unknown := a.addWorkspace(OrganizationID, "unknown")
		for _, about := range s.opts.Strangers.Kinds() {
			a.addConnectorOf(s.opts.Strangers, unknown, about, about.Name, nil)
		}
	}
	if s.opts.Catalog == nil {
		return a
	}
	shown := map[string]catalog.Summary{}
	for _, about := range s.opts.Catalog.Kinds() {
		if about.Source == catalog.Live {
			continue // another service has such connectors
		}
		a.addConnector(demo, about, about.Name, nil)
		for _, ws := range []*workspace{staging, sales} {
			if slices.Contains(about.Workspaces, ws.name) {
				a.addConnector(ws, about, about.Name, nil)
			}
		}
		for _, name := range about.Faults {
			shown[name] = about
		}
	}
	for _, name := range FaultNames() {
		if about, told := shown[name]; told {
			a.addConnector(faulty, about, name, []Fault{{Name: name}})
		}
	}
	return a
}

// next is an identifier for what is made while the service runs.
func (a *account) next(what string) string {
	a.serial++
	return fixedUUID(what + " " + strconv.Itoa(a.serial))
}

// born is when the generated workspaces and connectors were made.
func (a *account) born() time.Time {
	return a.s.opts.Now().UTC().Truncate(24*time.Hour).AddDate(0, -6, 0)
}

func (a *account) addWorkspace(org, name string) *workspace {
	ws := &workspace{id: fixedUUID("workspace " + org + " " + name), name: name, org: org, status: "active",
		cached: true, created: a.born(), updated: a.born()}
	a.workspaces = append(a.workspaces, ws)
	return ws
}

func (a *account) addConnector(ws *workspace, about catalog.Summary, name string, faults []Fault) *connector {
	return a.addConnectorOf(a.s.opts.Catalog, ws, about, name, faults)
}

// addConnectorOf is addConnector for a kind of any catalog.
func (a *account) addConnectorOf(
	from *catalog.Catalog, ws *workspace, about catalog.Summary, name string, faults []Fault,
) *connector {
	c := &connector{
		id: fixedUUID("connector " + ws.id + " " + name), name: name, about: about, ws: ws, config: &rawjson.Map{},
		kind: sync.OnceValue(func() *catalog.Kind {
			k, err := from.Kind(about.Name)
			if err != nil { // a kind that is listed but cannot be read has no entities
				k = &catalog.Kind{Name: about.Name, Title: about.Title, System: about.System,
					ConnectorType: about.ConnectorType}
			}
			return k
		}),
		created: a.born(), updated: a.born(), faults: faults, calls: map[string]int{},
		template: globalTemplate(about, a.born()),
	}
	ws.connectors = append(ws.connectors, c)
	return c
}

// ensureWorkspace returns the workspace of that name, a new one when there is none.
func (a *account) ensureWorkspace(org, name string) *workspace {
	if ws := a.workspace(org, name, ""); ws != nil {
		return ws
	}
	ws := a.addWorkspace(org, name)
	ws.created, ws.updated = a.s.opts.Now(), a.s.opts.Now()
	return ws
}

// workspace finds a workspace by its id or, without one, by its name. "default", the
// name that other clients of the service ask for when nothing is configured, is the
// first one.
func (a *account) workspace(org, name, id string) *workspace {
	all := a.workspacesOf(org)
	i := slices.IndexFunc(all, func(ws *workspace) bool {
		return strings.EqualFold(ws.id, id) || id == "" && strings.EqualFold(ws.name, name)
	})
	switch {
	case i >= 0:
		return all[i]
	case id == "" && name == "default" && len(all) > 0:
		return all[0]
	}
	return nil
}

// pickWorkspace is workspace where there has to be one.
func (a *account) pickWorkspace(org, name, id string) *workspace {
	ws := a.workspace(org, name, id)
	if ws == nil {
		panic(refuse(http.StatusNotFound, "No workspace named %q exists in this organization.", name+id))
	}
	return ws
}

func (a *account) workspacesOf(org string) []*workspace {
	return slices.DeleteFunc(slices.Clone(a.workspaces), func(ws *workspace) bool { return ws.org != org })
}

// find returns the connector of an organization by id.
func (a *account) find(org, id string) *connector {
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

// listConnectors lists the connectors of one workspace.
func (c *call) listConnectors() *answer {
	q := c.r.URL.Query()
	id := q.Get("workspace_id")
	name := cmp.Or(q.Get("workspace_name"), q.Get("customer_name"), q.Get("external_user_id"))
	if name == "" && id == "" {
		name = c.workspace
	}
	if name == "" && id == "" {
		panic(refuse(http.StatusBadRequest, "Either workspace_name or workspace_id is required."))
	}
	list := []any{}
	for _, item := range c.a.pickWorkspace(c.org, name, id).connectors {
		if d := q.Get("definition_id"); d == "" || strings.EqualFold(d, definitionID(item.about)) {
			list = append(list, rawjson.NewMap("id", item.id, "name", item.name,
				"summarized_source_template", item.template.summary(item.created, item.updated),
				"created_at", stamp(item.created), "updated_at", stamp(item.updated)))
		}
	}
	return ok(rawjson.NewMap("data", list))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (c *connector) detail() *rawjson.Map {
	return rawjson.NewMap("id", c.id, "name", c.name, "source_template", c.template.detail(c.kind()),
		"replication_config", c.config,
		"entities", c.entities, "created_at", stamp(c.created), "updated_at", stamp(c.updated))
}

// inspect says what a connector is and which entities its store holds.
func (c *call) inspect() *answer {
	stored, ready, target := []any{}, []any{}, c.target
	for i := range target.kind().Entities {
		e := &target.kind().Entities[i]
		if e.Action(catalog.ActionContextStoreSearch) == nil {
			continue
		}
		indexed := []any{}
		if e.Semantic != nil {
			indexed = append(indexed, rawjson.NewMap("field", e.Semantic.Field, "status", "READY"))
		}
		stored = append(stored, rawjson.NewMap("entity", e.Name, "suggested", true))
		ready = append(ready, rawjson.NewMap("entity", e.Name, "status", "ready", "ready_for_search", true,
			"supported", true, "entity_count", nil, "updated_at", stamp(c.started), "semantic_search_status", indexed))
	}
	return ok(rawjson.NewMap("connector_id", target.id, "name", target.name, "workspace_id", target.ws.id,
		"organization_id", target.ws.org,
		"source_definition_id", definitionID(target.about), "source_definition_name", target.about.System,
		"source_config_template_id", target.template.id, "docs_skill_id", sourceSkill+target.id,
		"context_store_readiness", rawjson.NewMap("connector_id", target.id,
			"source_definition_id", definitionID(target.about), "supported_context_store_entities", stored,
			"configured_cache_entities", ready), "warnings", []any{}))
}

// storesPage is the most that a page of stores holds.
const storesPage = 200

// stores tells the state of the search index of each connector, a page at a time.
func (c *call) stores() *answer {
	if c.id != c.org {
		panic(refuse(http.StatusForbidden, "The token does not reach organization %s.", c.id))
	}
	list := []any{}
	for _, ws := range c.a.workspacesOf(c.id) {
		for _, item := range ws.connectors {
			list = append(list, rawjson.NewMap("id", item.id, "context_store_status", "ready",
				"context_store_entity_count", int64(item.about.Entities)))
		}
	}
	slices.SortFunc(list, func(a, b any) int {
		return strings.Compare(a.(*rawjson.Map).Text("id"), b.(*rawjson.Map).Text("id"))
	})
	from := min(c.queryNumber("offset", 0, 0, math.MaxInt32), len(list))
	to := min(from+c.queryNumber("limit", storesPage, 1, storesPage), len(list))
	return ok(rawjson.NewMap("data", list[from:to], "total", int64(len(list))))
}

func (w *workspace) object() *rawjson.Map {
	return rawjson.NewMap("id", w.id, "name", w.name, "organization_id", w.org, "status", w.status,
		"cache_enabled", w.cached, "tombstone", false,
		"created_at", stamp(w.created), "updated_at", stamp(w.updated))
}

// listWorkspaces pages through the workspaces of the organization.
func (c *call) listWorkspaces() *answer {
	q := c.r.URL.Query()
	status, part := q.Get("status"), strings.ToLower(q.Get("name_contains"))
	found := []any{}
	for _, ws := range c.a.workspacesOf(c.org) {
		if (status == "" || ws.status == status) && strings.Contains(strings.ToLower(ws.name), part) {
			found = append(found, ws.object())
		}
	}
	page, next := c.page(found)
	if next != nil {
		q.Set("cursor", next.(string))
		next = "/api/v1/workspaces?" + q.Encode()
	}
	return ok(rawjson.NewMap("next", next, "data", page))
}

func (c *call) workspaceStats() *answer {
	all, active := c.a.workspacesOf(c.org), 0
	for _, ws := range all {
		active += data.BoolInt(ws.status == "active")
	}
	return ok(rawjson.NewMap("active_count", active, "inactive_count", len(all)-active, "total_count", len(all)))
}

func (c *call) updateWorkspace() *answer {
	c.ws.name = cmp.Or(c.in.Text("name"), c.ws.name)
	c.ws.status = cmp.Or(c.in.Text("status"), c.ws.status)
	if v, given := c.in.Get("cache_enabled"); given {
		c.ws.cached = v
	}
	c.ws.updated = c.started
	return ok(c.ws.object())
}

func (c *call) deleteWorkspace() *answer {
	c.a.workspaces = slices.DeleteFunc(c.a.workspaces, func(ws *workspace) bool { return ws == c.ws })
	return ok(rawjson.NewMap("id", c.ws.id, "deleted_at", stamp(c.started)))
}
