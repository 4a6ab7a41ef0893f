package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
)

const (
	// workspacePage is the largest page that the service gives; mostPages ends a listing that does not.
	workspacePage = "100"
	mostPages     = 1000
)

// Organizations lists the organizations that the credentials reach. Not every
// service offers that: the error then wraps ErrListingUnsupported.
func (c *Client) Organizations(ctx context.Context) ([]client.Organization, error) {
	type item struct {
		ID               string `json:"id"`
		OrganizationID   string `json:"organization_id"`
		Name             string `json:"name"`
		OrganizationName string `json:"organization_name"`
	}
	var answer struct{ Data, Organizations []item }
	r := request{method: http.MethodGet, path: apiPath + "/internal/account/organizations", doing: "list organizations"}
	if _, err := c.ask(ctx, r, &answer, listOf([]string{"data", "organizations"},
		[]string{"id", "organization_id"})); err != nil {
		if errors.Is(err, ErrWrongOrganization) { // to choose another one
			free := c.cfg
			free.OrganizationID = ""
			return New(free).Organizations(ctx)
		}
		err = listing(err)
		if e := client.AsError(err); errors.Is(e, ErrListingUnsupported) {
			e.Next = "Set organization_id in the profile, or PLATFORM_ORGANIZATION_ID, when the service asks for an " +
				"organization."
		}
		return nil, err
	}
	if answer.Data == nil {
		answer.Data = answer.Organizations
	}
	out := []client.Organization{}
	for _, o := range answer.Data {
		out = append(out, client.Organization{ID: cmp.Or(o.ID, o.OrganizationID),
			Name: cmp.Or(o.OrganizationName, o.Name)})
	}
	return out, nil
}

// Application gives the client id and secret of the person whose token is in use, in the
// organization that is chosen. A service gives the same ones each time.
func (c *Client) Application(ctx context.Context) (id, clientSecret secret.Secret, err error) {
	var answer struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	r := request{method: http.MethodPost, path: apiPath + "/internal/account/applications",
		purpose: client.PurposeToken, doing: "get a client id and secret"}
	has := func(n rawjson.Node) bool { return first(n, "client_id") != "" && first(n, "client_secret") != "" }
	if _, err := c.ask(ctx, r, &answer, has); err != nil {
		err = listing(err)
		if e := client.AsError(err); errors.Is(e, ErrListingUnsupported) {
			e.Next = "Sign in with patchbay login, with client id and secret or with --token."
		}
		return secret.Secret{}, secret.Secret{}, err
	}
	id, clientSecret = secret.New(answer.ClientID), secret.New(answer.ClientSecret)
	c.t.Redactor().Add(clientSecret)
	return id, clientSecret, nil
}

// listing marks the error of a service that has no such listing. A wrong token
// path (class config) is another matter.
func listing(err error) error {
	e := client.AsError(err)
	if (e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed) && e.Layer != client.LayerProxy &&
		e.Class != client.ClassConfig {
		e.Class, e.Err = client.ClassNotFound, ErrListingUnsupported
		e.Message = fmt.Sprintf("this service does not offer to %s (status %d)", e.Doing, e.Status)
		e.Next = "Add connectors by their id; patchbay keeps them in the profile."
	}
	return e
}

// Workspaces lists the workspaces of the organization, all pages.
func (c *Client) Workspaces(ctx context.Context) ([]client.Workspace, error) {
	query := url.Values{"limit": {workspacePage}}
	out := []client.Workspace{}
	seen := map[string]bool{}
	for range mostPages {
		var page struct {
			Next string             `json:"next"`
			Data []client.Workspace `json:"data"`
		}
		r := request{method: http.MethodGet, path: apiPath + "/workspaces", query: query, doing: "list workspaces"}
		if _, err := c.ask(ctx, r, &page, listOf([]string{"data"}, []string{"id", "name"})); err != nil {
			return out, listing(err)
		}
		out = append(out, page.Data...)
		if page.Next == "" || seen[page.Next] {
			return out, nil
		}
		seen[page.Next] = true
		// Only the query of the next page's address is taken, and only from the same
		// host, so that the token goes nowhere else.
		next, err := c.base.Parse(page.Next)
		if err != nil || !strings.EqualFold(next.Host, c.base.Host) {
			return out, &client.Error{
				Class: client.ClassBadResponse, Layer: client.LayerHosted, Doing: r.doing,
				Message: "the next page lies on another host, which gets no token",
				Next:    "Only the first page is shown; tell the owner of the service.",
			}
		}
		query = next.Query()
	}
	return out, nil
}

// typePaths are where a connector record may tell its type, the best first: five
// names, then ids.
var typePaths = []string{"connector_type", "summarized_source_template.connector_name",
	"source_template.connector_name", "summarized_source_template.name", "source_template.name",
	"definition_id", "source_definition_id", "summarized_source_template.actor_definition_id",
	"source_template.source_definition_id"}

// connector reads a connector record, in any of the shapes that services tell it.
func (c *Client) connector(raw json.RawMessage, workspace string) (client.Connector, error) {
	n := rawjson.Parse(raw)
	if !rawjson.Valid(raw) || first(n, "id", "connector_id", "name") == "" {
		return client.Connector{}, errors.New("a connector record cannot be read")
	}
	out := client.Connector{ID: first(n, "id", "connector_id"), Name: first(n, "name"), Raw: raw,
		Type: first(n, typePaths[:5]...), Workspace: cmp.Or(workspace, first(n, "workspace_name")),
		CreatedAt: moment(first(n, "created_at")), UpdatedAt: moment(first(n, "updated_at"))}
	for _, path := range typePaths {
		if k := c.kind(first(n, path)); k != nil {
			out.Kind, out.Type = k.Name, cmp.Or(first(n, "connector_type"), k.ConnectorType)
			break
		}
	}
	return out, nil
}

// first is the first value at one of the paths that is a text.
func first(n rawjson.Node, paths ...string) string {
	for _, path := range paths {
		if v, _ := n.Lookup(rawjson.MustPath(path)); v.Kind() == rawjson.String && v.Text() != "" {
			return v.Text()
		}
	}
	return ""
}

// moment reads a time, with or without a zone; zero when it is none.
func moment(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Connectors lists the connectors of the workspace of that name.
func (c *Client) Connectors(ctx context.Context, workspace string) ([]client.Connector, error) {
	var answer struct {
		Data       []json.RawMessage `json:"data"`
		Connectors []json.RawMessage `json:"connectors"`
	}
	r := request{
		method: http.MethodGet, path: apiPath + "/integrations/connectors",
		query: url.Values{"workspace_name": {workspace}}, doing: "list the connectors of " + workspace,
	}
	res, err := c.ask(ctx, r, &answer, listOf([]string{"data", "connectors"}, []string{"id", "connector_id", "name"}))
	if err != nil {
		e := client.AsError(err)
		if e.Status == http.StatusNotFound && strings.Contains(strings.ToLower(e.Server), "workspace") {
			return nil, err // there is no such workspace: the service does list
		}
		return nil, listing(err)
	}
	out := []client.Connector{}
	seen := map[string]bool{}
	for _, raw := range append(answer.Data, answer.Connectors...) {
		one, err := c.connector(raw, workspace)
		if err != nil {
			return out, c.unreadable(r, res, err)
		}
		if !seen[one.ID] {
			seen[one.ID] = true
			out = append(out, one)
		}
	}
	c.Learn(out...)
	return out, nil
}

// Match picks a connector from a listing by id, by name, or by type.
func Match(all []client.Connector, workspace, name string) (client.Connector, error) {
	matches := []func(client.Connector) bool{
		func(o client.Connector) bool { return strings.EqualFold(o.ID, name) },
		func(o client.Connector) bool { return strings.EqualFold(o.Name, name) },
		func(o client.Connector) bool {
			return strings.EqualFold(o.Type, name) || strings.EqualFold(o.Kind, name)
		},
	}
	list := func(of []client.Connector, part func(client.Connector) string) string {
		var out []string
		for _, o := range of {
			out = append(out, part(o))
		}
		return strings.Join(out, ", ")
	}
	e := &client.Error{Layer: client.LayerProgram, Doing: "find the connector", Field: "name"}
	for _, match := range matches {
		found := slices.DeleteFunc(slices.Clone(all), func(o client.Connector) bool { return !match(o) })
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			e.Class = client.ClassInvalid
			e.Message = fmt.Sprintf("workspace %s has %d connectors that %q could mean", workspace, len(found), name)
			e.Next = "Give the id of one: " + list(found, func(o client.Connector) string { return o.ID }) + "."
			return client.Connector{}, e
		}
	}
	e.Class = client.ClassNotFound
	e.Message = fmt.Sprintf("workspace %s has no connector %q", workspace, name)
	e.Next = "It has: " + cmp.Or(list(all, func(o client.Connector) string { return o.Name }), "none") + "."
	return client.Connector{}, e
}
