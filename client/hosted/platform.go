package hosted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"patchbay/client"
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
	if _, err := c.ask(ctx, r, &answer); err != nil {
		err = listing(err)
		if e := client.AsError(err); errors.Is(e, ErrListingUnsupported) {
			e.Next = "Set organization_id in the profile, or PLATFORM_ORGANIZATION_ID, when the service asks for an organization."
		}
		return nil, err
	}
	if answer.Data == nil {
		answer.Data = answer.Organizations
	}
	out := []client.Organization{}
	for _, o := range answer.Data {
		out = append(out, client.Organization{ID: first(o.ID, o.OrganizationID), Name: first(o.OrganizationName, o.Name)})
	}
	return out, nil
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// listing marks the error of a service that has no such listing. A wrong token
// path (class config) is another matter.
func listing(err error) error {
	e := client.AsError(err)
	if (e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed) && e.Layer != client.LayerProxy && e.Class != client.ClassConfig {
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
		if _, err := c.ask(ctx, r, &page); err != nil {
			return out, listing(err)
		}
		out = append(out, page.Data...)
		if page.Next == "" || seen[page.Next] {
			return out, nil
		}
		seen[page.Next] = true
		next, err := c.nextQuery(page.Next)
		if err != nil {
			return out, err
		}
		query = next
	}
	return out, nil
}

// nextQuery reads the address of the next page. Only its query is taken, and
// only from the same host, so that the token goes nowhere else.
func (c *Client) nextQuery(next string) (url.Values, error) {
	u, err := c.base.Parse(next)
	if err != nil || !strings.EqualFold(u.Host, c.base.Host) {
		return nil, &client.Error{
			Class: client.ClassBadResponse, Layer: client.LayerHosted, Doing: "list workspaces",
			Message: "the next page lies on another host, which gets no token", Next: "Only the first page is shown; tell the owner of the service.",
		}
	}
	return u.Query(), nil
}

// template is what a connector record tells about its type.
type template struct {
	Name               string `json:"name"`
	ConnectorName      string `json:"connector_name"`
	ActorDefinitionID  string `json:"actor_definition_id"`
	SourceDefinitionID string `json:"source_definition_id"`
}

// record is a connector as the service tells it, in any of its shapes.
type record struct {
	ID                 string   `json:"id"`
	ConnectorID        string   `json:"connector_id"`
	Name               string   `json:"name"`
	ConnectorType      string   `json:"connector_type"`
	DefinitionID       string   `json:"definition_id"`
	SourceDefinitionID string   `json:"source_definition_id"`
	Summarized         template `json:"summarized_source_template"`
	Template           template `json:"source_template"`
	WorkspaceName      string   `json:"workspace_name"`
	Created            string   `json:"created_at"`
	Updated            string   `json:"updated_at"`
}

// connector reads a connector record.
func (c *Client) connector(raw json.RawMessage, workspace string) (client.Connector, error) {
	var r record
	if err := json.Unmarshal(raw, &r); err != nil {
		return client.Connector{}, fmt.Errorf("a connector record cannot be read: %w", err)
	}
	out := client.Connector{ID: first(r.ID, r.ConnectorID), Name: r.Name, Workspace: first(workspace, r.WorkspaceName), Raw: raw}
	names := []string{
		r.ConnectorType, r.Summarized.ConnectorName, r.Template.ConnectorName,
		r.Summarized.Name, r.Template.Name, r.DefinitionID, r.SourceDefinitionID,
		r.Summarized.ActorDefinitionID, r.Template.SourceDefinitionID,
	}
	out.Type = first(names[:5]...)
	for _, name := range names {
		if k := c.kind(name); k != nil {
			out.Kind, out.Type = k.Name, first(r.ConnectorType, k.ConnectorType)
			break
		}
	}
	out.CreatedAt, out.UpdatedAt = moment(r.Created), moment(r.Updated)
	return out, nil
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
	res, err := c.ask(ctx, r, &answer)
	if err != nil {
		if mentionsWorkspace(err) {
			return nil, err
		}
		return nil, listing(err)
	}
	out := []client.Connector{}
	seen := map[string]bool{}
	for _, raw := range append(answer.Data, answer.Connectors...) {
		one, err := c.connector(raw, workspace)
		if err != nil {
			return out, c.unreadable(r.doing, res, raw, err)
		}
		if !seen[one.ID] {
			seen[one.ID] = true
			out = append(out, one)
		}
	}
	return out, nil
}

// mentionsWorkspace tells a workspace that is not there from a service without listings.
func mentionsWorkspace(err error) bool {
	e := client.AsError(err)
	return e.Status == http.StatusNotFound && strings.Contains(strings.ToLower(e.Server), "workspace")
}

// Find returns the connector of a workspace by id, by name, or by the name of
// its type when that is unique, in any case.
func (c *Client) Find(ctx context.Context, workspace, name string) (client.Connector, error) {
	all, err := c.Connectors(ctx, workspace)
	if err != nil {
		return client.Connector{}, err
	}
	return Match(all, workspace, name)
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
	var names []string
	for _, o := range all {
		names = append(names, o.Name)
	}
	for _, match := range matches {
		var found []client.Connector
		for _, o := range all {
			if match(o) {
				found = append(found, o)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return client.Connector{}, ambiguous(found, workspace, name)
		}
	}
	return client.Connector{}, &client.Error{
		Class: client.ClassNotFound, Layer: client.LayerProgram, Doing: "find the connector", Field: "name",
		Message: fmt.Sprintf("workspace %s has no connector %q", workspace, name),
		Next:    "It has: " + first(strings.Join(names, ", "), "none") + ".",
	}
}

func ambiguous(found []client.Connector, workspace, name string) error {
	var ids []string
	for _, o := range found {
		ids = append(ids, o.ID)
	}
	return &client.Error{
		Class: client.ClassInvalid, Layer: client.LayerProgram, Doing: "find the connector", Field: "name",
		Message: fmt.Sprintf("workspace %s has %d connectors that %q could mean", workspace, len(found), name),
		Next:    "Give the id of one: " + strings.Join(ids, ", ") + ".",
	}
}

// Definition is a connector type that the service offers.
type Definition struct {
	ID, Name, SupportLevel string
	// Kind is the catalog's name for it; empty when the catalog does not know it.
	Kind string
}

// Definitions lists the connector types whose name contains name; all when empty.
func (c *Client) Definitions(ctx context.Context, name string) ([]Definition, error) {
	var answer struct {
		Definitions []struct {
			SourceDefinitionID string `json:"sourceDefinitionId"`
			Name               string `json:"name"`
			SupportLevel       string `json:"supportLevel"`
		} `json:"definitions"`
	}
	r := request{method: http.MethodGet, path: apiPath + "/integrations/definitions/sources", doing: "list connector definitions"}
	if name != "" {
		r.query = url.Values{"name": {name}}
	}
	if _, err := c.ask(ctx, r, &answer); err != nil {
		return nil, listing(err)
	}
	out := []Definition{}
	for _, d := range answer.Definitions {
		one := Definition{ID: d.SourceDefinitionID, Name: d.Name, SupportLevel: d.SupportLevel}
		if k := c.kind(d.Name); k != nil {
			one.Kind = k.Name
		}
		out = append(out, one)
	}
	return out, nil
}
