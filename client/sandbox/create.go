package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// createConnector adds a connector to a workspace. Credentials are looked at
// for their names only and are kept nowhere.
func (c *call) createConnector() *answer {
	ws, t, k := c.newConnector()
	made := c.create(ws, k, cmp.Or(c.in.Text("name"), t.name))
	made.template, made.config = t, t.configured(c.in, k)
	made.entities = c.in.Value("entities")
	c.what = "create " + k.ConnectorType
	return ok(made.detail())
}

// create adds a connector that nobody has yet.
func (c *call) create(ws *workspace, k *catalog.Kind, name string) *connector {
	made := c.a.addConnector(ws, k.Summary(), name, nil)
	made.id, made.created, made.updated = c.a.next("created "+ws.id+" "+name), c.started, c.started
	return made
}

// newConnector checks a creation: the body, then the workspace, then the credentials.
func (c *call) newConnector() (*workspace, *sourceTemplate, *catalog.Kind) {
	t := c.templateOf()
	k := c.kindNamed(t.about.Name)
	ws := c.a.pickWorkspace(c.org, c.in.Text("workspace_name"), "")
	c.checkConfig(t, k)
	c.checkCredentials(k)
	return ws, t, k
}

// templateOf finds what a connector is made from: a template, a definition or a
// connector type, whichever of them says most.
func (c *call) templateOf() *sourceTemplate {
	kind, definition, id := c.in.Text("connector_type"), c.in.Text("definition_id"), c.in.Text("source_template_id")
	switch {
	case id != "":
		return c.template(id)
	case definition != "":
		return globalTemplate(c.defined(definition).Summary(), c.a.born())
	case kind != "":
		return globalTemplate(c.kindCalled(kind).Summary(), c.a.born())
	}
	panic(invalid("body", "One of connector_type, definition_id and source_template_id is required."))
}

// mask is what the service shows in place of a secret.
const mask = "**********"

// configured is the configuration of a connector: the template's, and what the request
// gives, without credentials that stand in it.
func (t *sourceTemplate) configured(in *rawjson.Map, k *catalog.Kind) *rawjson.Map {
	config := t.config.Clone()
	given := objectIn(in, "replication_config")
	for i := range given.Len() {
		config.Set(given.Keys[i], given.Vals[i])
	}
	for i := range k.Credentials {
		for _, f := range k.Credentials[i].Fields {
			if f.Secret && config.Has(f.Name) {
				config.Set(f.Name, mask)
			}
		}
	}
	return config
}

// unknowable reports whether nobody has to give a configuration value: it has a default,
// or follows from something else.
func unknowable(f *catalog.Field) bool {
	return !f.Required || f.Default != nil || f.Derive != nil || f.Format == "date-time" || f.Format == "date"
}

// checkConfig wants the configuration that the kind cannot do without. What the
// definition requires but no person can know, such as a start date, is filled in.
func (c *call) checkConfig(t *sourceTemplate, k *catalog.Kind) {
	places := []*rawjson.Map{t.config, objectIn(c.in, "replication_config"), objectIn(c.in, "environment"),
		objectIn(c.in, "credentials")}
	for i := range k.Config {
		f := &k.Config[i]
		given := slices.ContainsFunc(places, func(o *rawjson.Map) bool { return o.Has(f.Name) })
		if !unknowable(f) && !given {
			panic(invalid("replication_config."+f.Name, "replication_config.%s is required for %s.", f.Name,
				k.ConnectorType))
		}
	}
}

// checkCredentials wants the fields of one of the kind's credential methods.
func (c *call) checkCredentials(k *catalog.Kind) {
	given := objectIn(c.in, "credentials")
	if given == nil {
		if c.in.Value("server_side_oauth_secret_id") == nil && c.in.Value("replication_config") == nil {
			panic(invalid("credentials",
				"One of credentials, replication_config and server_side_oauth_secret_id is required."))
		}
		return
	}
	var methods []string
	for i := range k.Credentials {
		m := &k.Credentials[i]
		if m.Unavailable {
			continue
		}
		missing := func(f catalog.Field) bool { return f.Required && given.Text(f.Name) == "" }
		unknown := func(name string) bool { return !hasField(m.Fields, name) && !hasField(k.Config, name) }
		if !slices.ContainsFunc(m.Fields, missing) && !slices.ContainsFunc(given.Keys, unknown) {
			return
		}
		methods = append(methods, strings.Join(catalog.FieldNames(m.Fields), " + "))
	}
	if len(k.Credentials) > 0 {
		panic(refuseField(http.StatusBadRequest, "credentials", "invalid_credentials",
			"The given credentials match no authentication scheme of %s. It takes: %s.",
			k.ConnectorType, strings.Join(methods, ", or ")))
	}
}

func (c *call) updateConnector() *answer {
	c.target.name = cmp.Or(c.in.Text("name"), c.target.name)
	if v, given := c.in.Get("entities"); given {
		c.target.entities = v
	}
	if config := objectIn(c.in, "replication_config"); config != nil {
		c.target.config = c.target.template.configured(c.in, c.target.kind())
	}
	c.target.updated = c.started
	return ok(c.target.detail())
}

// deleteConnector accepts the removal; it is gone at once.
func (c *call) deleteConnector() *answer {
	ws := c.target.ws
	ws.connectors = slices.DeleteFunc(ws.connectors, func(one *connector) bool { return one == c.target })
	return &answer{status: http.StatusAccepted,
		body: rawjson.Encode(rawjson.NewMap("job_id", fixedUUID("job "+c.target.id)))}
}

// checkNew tests credentials before a connector is made.
func (c *call) checkNew() *answer {
	_, _, k := c.newConnector()
	return c.checked(k.Name, k, nil)
}

// check tests the credentials of a connector, entity by entity.
func (c *call) check() *answer {
	if c.r.ContentLength > 0 {
		c.read(updateMembers)
	}
	return c.checked(c.target.id, c.target.kind(), slices.Concat(c.target.faults, c.s.opts.Faults))
}

// checked is the answer to a check of credentials that show faults.
func (c *call) checked(of string, k *catalog.Kind, faults []Fault) *answer {
	overall, why, reason, entities := "succeeded", any(nil), any(nil), []any{}
	for _, name := range k.EntityNames() {
		status, code, message := "succeeded", http.StatusOK, any(nil)
		for _, f := range faults {
			if refused, text := f.refusal(name); refused != 0 {
				status, code, message = "failed", refused, text
				overall, why = status, message
			}
		}
		entities = append(entities, rawjson.NewMap("entity", name, "status", status, "status_code", code,
			"error_message", message))
	}
	if why != nil {
		reason = rawjson.NewMap("timestamp", c.started.UnixMilli(), "failure_origin", "source",
			"failure_type", "config_error", "external_message", why, "retryable", false)
	}
	return ok(rawjson.NewMap("id", fixedUUID("check "+of), "status", overall, "error_message", why,
		"failure_reason", reason, "entity_check_results", entities))
}
