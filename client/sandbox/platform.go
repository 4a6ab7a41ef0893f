package sandbox

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// workspaces serves /workspaces and what lies below.
func (c *call) workspaces(parts []string) (*answer, error) {
	switch {
	case len(parts) == 0:
		return c.only(http.MethodGet, c.listWorkspaces)
	case parts[0] == "stats":
		return c.only(http.MethodGet, c.workspaceStats)
	case !isUUID(parts[0]):
		return nil, pathUUID("workspace_id", parts[0])
	case len(parts) > 1:
		return nil, refuse(http.StatusNotFound, "A workspace has no endpoint %q.", parts[1])
	}
	ws, err := c.s.start().pickWorkspace(c.org, "", parts[0])
	if err != nil {
		return nil, err
	}
	switch c.r.Method {
	case http.MethodGet:
		a := c.s.start()
		a.mu.Lock()
		defer a.mu.Unlock()
		return ok(ws.object()), nil
	case http.MethodPut:
		return c.updateWorkspace(ws)
	case http.MethodDelete:
		return c.deleteWorkspace(ws)
	}
	return nil, c.wrongMethod("GET, PUT, DELETE")
}

func (w *workspace) object() *object {
	return newObject("id", w.id, "name", w.name, "organization_id", w.org, "status", w.status, "cache_enabled", w.cached, "tombstone", false,
		"created_at", stamp(w.created), "updated_at", stamp(w.updated))
}

// listWorkspaces pages through the workspaces of the organization.
func (c *call) listWorkspaces() (*answer, error) {
	q := c.r.URL.Query()
	limit, err := c.queryInt("limit", 20, 1, 100)
	if err != nil {
		return nil, err
	}
	if err := c.queryForm(activity, "status"); err != nil {
		return nil, err
	}
	status := q.Get("status")
	offset, err := openCursor(q.Get("cursor"))
	if err != nil {
		return nil, err
	}
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	var found []*workspace
	for _, ws := range a.workspacesOf(c.org) {
		if (status == "" || ws.status == status) && strings.Contains(strings.ToLower(ws.name), strings.ToLower(q.Get("name_contains"))) {
			found = append(found, ws)
		}
	}
	data := []any{}
	from, to := min(offset, len(found)), min(offset+limit, len(found))
	for _, ws := range found[from:to] {
		data = append(data, ws.object())
	}
	var next any
	if to < len(found) {
		q.Set("cursor", sealCursor(to))
		next = "/api/v1/workspaces?" + q.Encode()
	}
	return ok(newObject("next", next, "data", data)), nil
}

// sealCursor hides an offset, so that nobody builds cursors.
func sealCursor(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("at:" + strconv.Itoa(offset)))
}

func openCursor(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	text, found := strings.CutPrefix(string(raw), "at:")
	n, numErr := strconv.Atoi(text)
	if err != nil || !found || numErr != nil || n < 0 {
		return 0, &refusal{status: http.StatusBadRequest, message: "The cursor is not one that this service gave.", field: "cursor", code: "invalid_cursor"}
	}
	return n, nil
}

func (c *call) workspaceStats() (*answer, error) {
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	var active, all int64
	for _, ws := range a.workspacesOf(c.org) {
		all++
		if ws.status == "active" {
			active++
		}
	}
	return ok(newObject("active_count", active, "inactive_count", all-active, "total_count", all)), nil
}

func (c *call) updateWorkspace(ws *workspace) (*answer, error) {
	body, err := c.read(workspaceMembers)
	if err != nil {
		return nil, err
	}
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	if name := body.text("name"); name != "" {
		ws.name = name
	}
	if status := body.text("status"); status != "" {
		ws.status = status
	}
	if v, given := body.get("cache_enabled"); given {
		ws.cached = v
	}
	ws.updated = c.s.opts.Now()
	return ok(ws.object()), nil
}

func (c *call) deleteWorkspace(ws *workspace) (*answer, error) {
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.workspaces {
		if a.workspaces[i] == ws {
			a.workspaces = append(a.workspaces[:i:i], a.workspaces[i+1:]...)
			break
		}
	}
	return ok(newObject("id", ws.id, "deleted_at", stamp(c.s.opts.Now()))), nil
}

// definitionID is the hosted id of a kind; kinds without a known one get a fixed one.
func definitionID(about catalog.Summary) string {
	if isUUID(about.DefinitionID) {
		return about.DefinitionID
	}
	return fixedUUID("definition " + about.Name)
}

// definitions serves the list of connector types.
func (c *call) definitions(parts []string) (*answer, error) {
	if c.r.Method != http.MethodGet {
		return nil, c.wrongMethod(http.MethodGet)
	}
	if len(parts) == 0 {
		list, name := []any{}, strings.ToLower(c.r.URL.Query().Get("name"))
		for _, k := range c.kinds() {
			if strings.Contains(strings.ToLower(k.System+" "+k.ConnectorType), name) {
				list = append(list, definition(k))
			}
		}
		return ok(newObject("definitions", list)), nil
	}
	for _, k := range c.kinds() {
		if strings.EqualFold(definitionID(k.Summary()), parts[0]) {
			d := definition(k)
			d.set("spec", specification(k))
			return ok(newObject("id", definitionID(k.Summary()), "definition", d, "example_questions", newObject("direct", []any{"List the newest records."}, "search", []any{}))), nil
		}
	}
	if err := pathUUID("id", parts[0]); err != nil {
		return nil, err
	}
	return nil, refuse(http.StatusNotFound, "No definition with id %s exists.", parts[0])
}

func definition(k *catalog.Kind) *object {
	return newObject("sourceDefinitionId", definitionID(k.Summary()), "destinationDefinitionId", nil, "name", k.System, "dockerRepository", "sandbox/source-"+k.ConnectorType,
		"iconUrl", nil, "custom", false, "supportLevel", "certified")
}

// specification describes the credentials and configuration of a kind.
func specification(k *catalog.Kind) *object {
	properties, required := &object{}, []any{}
	add := func(f *catalog.Field, always bool) {
		p := newObject("type", strings.Split(f.Type, "|")[0])
		if f.Secret {
			p.set("airbyte_secret", true)
		}
		properties.set(f.Name, p)
		if f.Required && always {
			required = append(required, f.Name)
		}
	}
	available := 0
	for i := range k.Credentials {
		available += boolInt(!k.Credentials[i].Unavailable)
	}
	for i := range k.Credentials {
		for j := range k.Credentials[i].Fields {
			add(&k.Credentials[i].Fields[j], available == 1)
		}
	}
	for i := range k.Config {
		add(&k.Config[i], true)
	}
	return newObject("documentationUrl", nil, "connectionSpecification",
		newObject("type", "object", "title", k.Title, "required", required, "properties", properties), "advanced_auth", nil)
}

// template is a source template as the record of a connector shows it.
func template(k *catalog.Kind, made time.Time) *object {
	return newObject("id", fixedUUID("template "+k.Name), "name", k.System, "icon", nil, "source_definition_id", definitionID(k.Summary()), "user_config_spec", specification(k),
		"partial_default_config", &object{}, "customization", nil, "tags", []any{}, "mode", "DIRECT", "is_experimental", false,
		"created_at", stamp(made), "updated_at", stamp(made))
}

// templates serves the global source templates, one for each kind.
func (c *call) templates(parts []string) (*answer, error) {
	if c.r.Method != http.MethodGet {
		return nil, c.wrongMethod(http.MethodGet)
	}
	if err := c.queryForm(aFlag, "use_global"); err != nil {
		return nil, err
	}
	if err := c.queryForm(allOrAny, "tags_mode"); err != nil {
		return nil, err
	}
	made := c.s.start().born()
	if len(parts) == 1 && parts[0] != "global" {
		for _, k := range c.kinds() {
			if strings.EqualFold(fixedUUID("template "+k.Name), parts[0]) {
				t := template(k, made)
				t.set("auth_tooltip", nil)
				t.set("connector_name", k.ConnectorType)
				return ok(t), nil
			}
		}
		if err := pathUUID("id", parts[0]); err != nil {
			return nil, err
		}
		return nil, refuse(http.StatusNotFound, "No template with id %s exists.", url.PathEscape(parts[0]))
	}
	list := []any{}
	if len(c.r.URL.Query()["tags"]) > 0 { // none of the templates has a tag
		return ok(newObject("data", list)), nil
	}
	for _, k := range c.kinds() {
		list = append(list, newObject("id", fixedUUID("template "+k.Name), "name", k.System, "icon", nil, "connector_name", k.ConnectorType, "organization_id", nil,
			"actor_definition_id", definitionID(k.Summary()), "tags", []any{}, "customization", nil, "mode", "DIRECT", "created_at", stamp(made), "updated_at", stamp(made)))
	}
	return ok(newObject("data", list)), nil
}
