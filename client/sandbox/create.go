package sandbox

import (
	"fmt"
	"net/http"
	"strings"

	"patchbay/catalog"
)

// createConnector adds a connector to a workspace. Credentials are looked at
// for their names only and are kept nowhere.
func (c *call) createConnector() (*answer, error) {
	body, err := c.read(createMembers)
	if err != nil {
		return nil, err
	}
	ws, k, err := c.newConnector(body)
	if err != nil {
		return nil, err
	}
	name := body.text("name")
	if name == "" {
		name = k.System
	}
	a := c.s.start()
	made := a.create(ws, k, name)
	a.mu.Lock()
	defer a.mu.Unlock()
	if config, isObject := body.value("replication_config").(*object); isObject {
		made.config = config
	}
	made.entities = body.value("entities")
	c.what = "create " + k.ConnectorType
	return ok(made.detail()), nil
}

// create adds a connector that nobody has yet.
func (a *account) create(ws *workspace, k *catalog.Kind, name string) *connector {
	id := fixedUUID("created " + a.s.next() + " " + ws.id + " " + name)
	a.mu.Lock()
	defer a.mu.Unlock()
	made := a.addConnector(ws, k.Summary(), name, nil)
	made.id, made.created, made.updated = id, a.s.opts.Now(), a.s.opts.Now()
	return made
}

// newConnector checks a creation: the body, then the workspace, then the credentials.
func (c *call) newConnector(body *object) (*workspace, *catalog.Kind, error) {
	k, err := c.kindOf(body)
	if err != nil {
		return nil, nil, err
	}
	ws, err := c.s.start().pickWorkspace(c.org, body.text("workspace_name"), "")
	if err != nil {
		return nil, nil, err
	}
	if err := checkConfig(k, body); err != nil {
		return nil, nil, err
	}
	return ws, k, checkCredentials(k, body)
}

// kindOf finds the kind by connector type, definition or template.
func (c *call) kindOf(body *object) (*catalog.Kind, error) {
	kind, definition, template := body.text("connector_type"), body.text("definition_id"), body.text("source_template_id")
	if kind == "" && definition == "" && template == "" {
		return nil, invalid("body", "One of connector_type, definition_id and source_template_id is required.")
	}
	for _, k := range c.kinds() {
		if kind != "" && (strings.EqualFold(k.ConnectorType, kind) || strings.EqualFold(k.System, kind) || strings.EqualFold(k.Name, kind) ||
			strings.EqualFold(strings.ReplaceAll(k.System, " ", "-"), kind)) ||
			definition != "" && strings.EqualFold(definitionID(k.Summary()), definition) || template != "" && strings.EqualFold(fixedUUID("template "+k.Name), template) {
			return k, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "No connector type %q exists.", kind+definition+template)
}

func (c *call) kinds() []*catalog.Kind {
	var out []*catalog.Kind
	if c.s.opts.Catalog == nil {
		return nil
	}
	for _, known := range c.s.opts.Catalog.Kinds() {
		if k, err := c.s.opts.Catalog.Kind(known.Name); err == nil {
			out = append(out, k)
		}
	}
	return out
}

// checkConfig wants the configuration that the kind cannot do without. What the
// definition requires but no person can know, such as a start date, is filled in.
func checkConfig(k *catalog.Kind, body *object) error {
	config, _ := body.value("replication_config").(*object)
	environment, _ := body.value("environment").(*object)
	for i := range k.Config {
		f := &k.Config[i]
		if !f.Required || f.Default != nil || f.Derive != nil || f.Format == "date-time" || f.Format == "date" {
			continue
		}
		if !config.has(f.Name) && !environment.has(f.Name) {
			return invalid("replication_config."+f.Name, "replication_config.%s is required for %s.", f.Name, k.ConnectorType)
		}
	}
	return nil
}

// checkCredentials wants the fields of one of the kind's credential methods.
func checkCredentials(k *catalog.Kind, body *object) error {
	given, _ := body.value("credentials").(*object)
	if given == nil && body.value("server_side_oauth_secret_id") == nil {
		if body.value("replication_config") == nil {
			return invalid("credentials", "One of credentials, replication_config and server_side_oauth_secret_id is required.")
		}
		return nil
	}
	if given == nil || len(k.Credentials) == 0 {
		return nil
	}
	for i := range k.Credentials {
		if fitsMethod(&k.Credentials[i], given) {
			return nil
		}
	}
	return &refusal{status: http.StatusBadRequest, field: "credentials", code: "invalid_credentials",
		message: fmt.Sprintf("The given credentials match no authentication scheme of %s. It takes: %s.", k.ConnectorType, methodFields(k))}
}

func fitsMethod(m *catalog.Method, given *object) bool {
	if m.Unavailable {
		return false
	}
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Required && given.text(f.Name) == "" {
			return false
		}
	}
	for _, name := range given.keys {
		if !hasField(m.Fields, name) {
			return false
		}
	}
	return true
}

func methodFields(k *catalog.Kind) string {
	var methods []string
	for i := range k.Credentials {
		m := &k.Credentials[i]
		if m.Unavailable {
			continue
		}
		var names []string
		for j := range m.Fields {
			names = append(names, m.Fields[j].Name)
		}
		methods = append(methods, strings.Join(names, " + "))
	}
	return strings.Join(methods, ", or ")
}

func (c *call) updateConnector(target *connector) (*answer, error) {
	body, err := c.read(updateMembers)
	if err != nil {
		return nil, err
	}
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	if name := body.text("name"); name != "" {
		target.name = name
	}
	if v, given := body.get("entities"); given {
		target.entities = v
	}
	if config, isObject := body.value("replication_config").(*object); isObject {
		target.config = config
	}
	target.updated = c.s.opts.Now()
	return ok(target.detail()), nil
}

// deleteConnector accepts the removal; it is gone at once.
func (c *call) deleteConnector(target *connector) (*answer, error) {
	a := c.s.start()
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, item := range target.ws.connectors {
		if item == target {
			target.ws.connectors = append(target.ws.connectors[:i:i], target.ws.connectors[i+1:]...)
			break
		}
	}
	return &answer{status: http.StatusAccepted, body: appendObject(nil, newObject("job_id", fixedUUID("job "+target.id)))}, nil
}

// checkNew tests credentials before a connector is made.
func (c *call) checkNew() (*answer, error) {
	body, err := c.read(createMembers)
	if err != nil {
		return nil, err
	}
	_, k, err := c.newConnector(body)
	if err != nil {
		return nil, err
	}
	return ok(newObject("id", fixedUUID("check "+k.Name), "status", "succeeded", "error_message", nil, "failure_reason", nil, "entity_check_results", checked(k, nil))), nil
}

// check tests the credentials of a connector, entity by entity.
func (c *call) check(target *connector) (*answer, error) {
	if c.r.ContentLength > 0 {
		if _, err := c.read(updateMembers); err != nil {
			return nil, err
		}
	}
	faults := append(append([]Fault(nil), target.faults...), c.s.opts.Faults...)
	status, reason, why := "succeeded", any(nil), any(nil)
	if f := brokenAccess(faults); f != "" {
		status, why = "failed", f
		reason = newObject("timestamp", c.s.opts.Now().UnixMilli(), "failure_origin", "source", "failure_type", "config_error", "external_message", f, "retryable", false)
	}
	return ok(newObject("id", fixedUUID("check "+target.id), "status", status, "error_message", why, "failure_reason", reason, "entity_check_results", checked(target.kind(), faults))), nil
}

func checked(k *catalog.Kind, faults []Fault) []any {
	out := []any{}
	for i := range k.Entities {
		status, code, message := "succeeded", int64(http.StatusOK), any(nil)
		for _, f := range faults {
			switch {
			case f.Name == FaultExpiredToken:
				status, code, message = "failed", http.StatusUnauthorized, "The credentials have expired."
			case f.Name == FaultMissingScope && f.scopeEntity() == k.Entities[i].Name:
				status, code, message = "failed", http.StatusForbidden, "The credentials lack the scope for "+k.Entities[i].Name+"."
			}
		}
		out = append(out, newObject("entity", k.Entities[i].Name, "status", status, "status_code", code, "error_message", message))
	}
	return out
}

// brokenAccess tells why no entity works, when none does.
func brokenAccess(faults []Fault) string {
	for _, f := range faults {
		if f.Name == FaultExpiredToken {
			return "The credentials of the connector have expired."
		}
	}
	return ""
}
