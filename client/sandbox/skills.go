package sandbox

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"patchbay/catalog"
)

// skills serves the instructions that agents read: a general one and one for
// each connector.
func (c *call) skills(parts []string) (*answer, error) {
	if c.r.Method != http.MethodGet {
		return nil, c.wrongMethod(http.MethodGet)
	}
	if err := c.queryForm(aUUID, "organization_id", "workspace_id"); err != nil {
		return nil, err
	}
	switch {
	case len(parts) == 0:
		return c.listSkills("")
	case len(parts) == 1 && parts[0] == "search":
		return c.listSkills(strings.ToLower(c.r.URL.Query().Get("query")))
	case len(parts) == 1 && parts[0] == "docs":
		return c.skillDocs()
	}
	return nil, refuse(http.StatusNotFound, "The service has no endpoint %s.", c.r.URL.Path)
}

const searchSkill = "static:search"

func skill(id, kind, title, summary string) *object {
	return newObject("id", id, "kind", kind, "title", title, "summary", summary, "tags", []any{}, "warnings", []any{})
}

func (c *connector) skill() *object {
	return skill("connector_source:"+c.id, "connector_source", c.name, "What the connector "+c.name+" ("+c.about.System+") offers.")
}

func (c *call) listSkills(words string) (*answer, error) {
	limit, err := c.queryInt("limit", 20, 1, 100)
	if err != nil {
		return nil, err
	}
	offset, err := openCursor(c.r.URL.Query().Get("cursor"))
	if err != nil {
		return nil, err
	}
	found := []any{}
	add := func(o *object) {
		if strings.Contains(strings.ToLower(o.text("title")+" "+o.text("summary")), words) {
			found = append(found, o)
		}
	}
	add(skill(searchSkill, "static", "Search", "How context_store_search filters and sorts."))
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	only := c.r.URL.Query().Get("workspace_id")
	for _, ws := range a.workspacesOf(c.org) {
		for _, one := range ws.connectors {
			if only == "" || strings.EqualFold(only, ws.id) {
				add(one.skill())
			}
		}
	}
	from, to := min(offset, len(found)), min(offset+limit, len(found))
	var next any
	if to < len(found) {
		next = sealCursor(to)
	}
	return ok(newObject("data", found[from:to], "next_cursor", next)), nil
}

// skillDocs gives the outline of a skill and one section of it.
func (c *call) skillDocs() (*answer, error) {
	id, section := c.r.URL.Query().Get("id"), c.r.URL.Query().Get("section")
	if id == "" {
		return nil, invalid("id", "id is required.")
	}
	about, outline, text := skill(searchSkill, "static", "Search", "How context_store_search filters and sorts."), []any{},
		"Operators: eq, neq, gt, gte, lt, lte, in, like, fuzzy, keyword, not, and, or."
	if id != searchSkill {
		connectorID, isSource := strings.CutPrefix(id, "connector_source:")
		target := c.s.start().find(c.org, connectorID)
		if !isSource || target == nil {
			return nil, refuse(http.StatusNotFound, "No skill with id %s exists.", id)
		}
		about, outline = target.skill(), target.outline()
		text = target.section(section)
	}
	var chosen any
	if section != "" {
		chosen = section
	}
	return ok(newObject("metadata", about, "outline", outline, "section_id", chosen, "content", newObject("type", "text", "text", text))), nil
}

func (c *connector) outline() []any {
	out := []any{}
	for i := range c.kind().Entities {
		e := &c.kind().Entities[i]
		out = append(out, newObject("id", e.Name, "title", e.Name, "summary", e.Doc, "available", true))
	}
	return out
}

func (c *connector) section(name string) string {
	if e := c.kind().Entity(name); e != nil {
		return e.Name + " takes: " + actionNames(e) + "."
	}
	return "Entities: " + entityNames(c.kind()) + "."
}

// widgetToken gives a token for the page on which people add connectors.
func (c *call) widgetToken() (*answer, error) {
	body, err := c.read(widgetTokenMembers)
	if err != nil {
		return nil, err
	}
	ws := c.s.start().ensureWorkspace(c.org, body.text("workspace_name"))
	inner := newObject("widgetUrl", c.self()+"/widget?workspaceId="+ws.id, "token", c.workspaceToken(ws.name))
	return ok(newObject("token", base64.StdEncoding.EncodeToString(appendObject(nil, inner)))), nil
}

// workspaceToken is a token for one workspace.
func (c *call) workspaceToken(name string) string {
	now := c.s.opts.Now()
	return signToken(newObject("iss", "patchbay-sandbox", "org", c.org, "workspace", name, "iat", now.Unix(), "exp", now.Add(20*time.Minute).Unix()))
}

// sessions serves the sign-in at a third party that the service's command line
// waits for. Here it is over as soon as it begins.
func (c *call) sessions(parts []string) (*answer, error) {
	a := c.s.start()
	if len(parts) == 0 {
		return c.only(http.MethodPost, func() (*answer, error) { return c.openSession(a) })
	}
	a.mu.Lock()
	session := a.sessions[parts[0]]
	a.mu.Unlock()
	switch {
	case session == nil || len(parts) > 1:
		return nil, refuse(http.StatusNotFound, "No session with id %s exists.", parts[0])
	case c.r.Method == http.MethodGet:
		a.mu.Lock()
		defer a.mu.Unlock()
		return ok(session), nil
	case c.r.Method == http.MethodPatch:
		body, err := c.read(sessionPatchMembers)
		if err != nil {
			return nil, err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		session.set("source_id", body.value("source_id"))
		return ok(session), nil
	}
	return nil, c.wrongMethod("GET, PATCH")
}

func (c *call) openSession(a *account) (*answer, error) {
	body, err := c.read(sessionMembers)
	if err != nil {
		return nil, err
	}
	about, known := c.definedBy(body.text("source_definition_id"))
	if !known {
		return nil, refuse(http.StatusNotFound, "No definition with id %s exists.", body.text("source_definition_id"))
	}
	id := fixedUUID("session " + a.s.next())
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sessions == nil {
		a.sessions = map[string]*object{}
	}
	a.sessions[id] = newObject("status", "completed", "error", nil, "source_id", nil, "source_template_id", fixedUUID("template "+about.Name), "auth_payload", &object{})
	return ok(newObject("session_id", id)), nil
}

func (c *call) definedBy(id string) (catalog.Summary, bool) {
	for _, k := range c.kinds() {
		if strings.EqualFold(definitionID(k.Summary()), id) {
			return k.Summary(), true
		}
	}
	return catalog.Summary{}, false
}
