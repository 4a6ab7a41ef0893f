package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// ownApp is an organization's own OAuth application for a kind. What it holds is kept
// nowhere.
type ownApp struct {
	id               string
	created, updated time.Time
}

// oauthMethod is the OAuth method of a kind; nil where it has none.
func oauthMethod(k *catalog.Kind) *catalog.Method {
	i := slices.IndexFunc(k.Credentials, func(m catalog.Method) bool { return m.Method == "oauth" && !m.Unavailable })
	if i < 0 {
		return nil
	}
	return &k.Credentials[i]
}

// putOwnApp takes the OAuth application with which the organization's consent pages
// introduce themselves.
func (c *call) putOwnApp() *answer {
	for _, name := range c.in.Keys {
		if !slices.Contains([]string{"connector_type", "connector_definition_id", "configuration"}, name) {
			panic(invalid(name, "%s is not a member of this request.", name))
		}
	}
	kind, definition := c.in.Text("connector_type"), c.in.Text("connector_definition_id")
	if (kind == "") == (definition == "") {
		panic(invalid("body", "Exactly one of connector_type and connector_definition_id is required."))
	}
	var k *catalog.Kind
	if definition != "" {
		k = c.defined(definition)
	} else {
		k = c.kindCalled(kind)
	}
	if oauthMethod(k) == nil {
		panic(refuseField(http.StatusBadRequest, "connector_type", "oauth_unsupported",
			"%s does not sign in by OAuth.", k.System))
	}
	for _, name := range []string{"client_id", "client_secret"} {
		if text, isText := objectIn(c.in, "configuration").Value(name).(string); !isText || text == "" {
			panic(invalid("configuration."+name, "configuration.%s is required and must be a string.", name))
		}
	}
	key := c.org + " " + k.Name
	app := c.a.apps[key]
	if app == nil {
		app = &ownApp{id: c.a.next("application " + key), created: c.started}
		c.a.apps[key] = app
	}
	app.updated = c.started
	return ok(rawjson.NewMap("id", app.id, "scope_type", "organization", "scope_id", c.org, "connector_type", "source",
		"connector_definition_id", definitionID(k.Summary()), "created_at", stamp(app.created),
		"updated_at", stamp(app.updated)))
}

// deleteOwnApp forgets an OAuth application, or that there was none.
func (c *call) deleteOwnApp() *answer {
	delete(c.a.apps, c.org+" "+c.kindCalled(c.id).Name)
	return &answer{status: http.StatusNoContent}
}

// kindCalled finds the kind of a connector type: its slug or a name of its system.
func (c *call) kindCalled(name string) *catalog.Kind {
	k := c.kindWhere(func(k *catalog.Kind) bool {
		names := []string{k.ConnectorType, k.System, k.Name, strings.ReplaceAll(k.System, " ", "-")}
		return slices.ContainsFunc(names, func(one string) bool { return strings.EqualFold(one, name) })
	})
	if k == nil {
		panic(refuse(http.StatusNotFound, "No connector type %q exists.", name))
	}
	return k
}
