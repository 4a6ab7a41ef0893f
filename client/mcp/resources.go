package mcp

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// The addresses of resources: a connector's documents, a section of them, a record.
const (
	scheme          = "patchbay://"
	sectionTemplate = scheme + "{connector}/actions/{entity}/{action}"
	recordTemplate  = scheme + "{connector}/records/{entity}/{id}"
	markdown        = "text/markdown"
)

func docsAddress(c *Connector) string { return scheme + url.PathEscape(c.Name) + "/docs" }

func (s *Server) addResources() {
	for i := range s.o.Connectors {
		c := &s.o.Connectors[i]
		s.sdk.AddResource(&sdk.Resource{URI: docsAddress(c), Name: c.Name + " documents", MIMEType: markdown,
			Description: "What " + c.Kind.Title + " offers, with the outline of its sections."}, s.readResource)
	}
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: sectionTemplate, Name: "action", MIMEType: markdown,
		Description: "The params, the record and the pages of an action."}, s.readResource)
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: recordTemplate, Name: "record",
		MIMEType: "application/json", Description: "A record, by its id."}, s.readResource)
}

// readResource reads what an address names.
func (s *Server) readResource(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	address := r.Params.URI
	parts := strings.Split(strings.TrimPrefix(address, scheme), "/")
	for i := range parts {
		plain, err := url.PathUnescape(parts[i])
		if err != nil {
			return nil, sdk.ResourceNotFoundError(address)
		}
		parts[i] = plain
	}
	c := s.connector(parts[0])
	contents := &sdk.ResourceContents{URI: address, MIMEType: markdown}
	switch {
	case c == nil || !strings.HasPrefix(address, scheme):
		return nil, sdk.ResourceNotFoundError(address)
	case len(parts) == 2 && parts[1] == "docs":
		d, err := s.documents(ctx, c, "")
		if err != nil {
			return nil, s.plain(err)
		}
		contents.Text = s.text([]byte(d.Markdown())).Text
	case len(parts) == 4 && parts[1] == "actions":
		d, err := s.documents(ctx, c, "actions."+parts[2]+"."+parts[3])
		if err != nil {
			return nil, s.plain(err)
		}
		contents.Text = s.text([]byte(d.Markdown())).Text
	case len(parts) == 4 && parts[1] == "records":
		text, err := s.record(ctx, r, c, parts[2:])
		if err != nil {
			return nil, s.plain(err)
		}
		contents.MIMEType, contents.Text = "application/json", text
	default:
		return nil, sdk.ResourceNotFoundError(address)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
}

// plain is an error whose text an agent may see.
func (s *Server) plain(err error) error {
	return client.Failf(client.ClassOther, "%s", s.failed(err).Content[0].(*sdk.TextContent).Text)
}

func (s *Server) connector(name string) *Connector {
	for i := range s.o.Connectors {
		if s.o.Connectors[i].Name == name {
			return &s.o.Connectors[i]
		}
	}
	return nil
}

// record reads one record by the entity's get, where its id is all that get needs. It is
// a call like any other: checked, counted and recorded.
func (s *Server) record(ctx context.Context, r *sdk.ReadResourceRequest, c *Connector, at []string) (string, error) {
	entity, id := at[0], at[1]
	param := idParam(c.Kind.Entity(entity))
	if param == "" {
		return "", client.Failf(client.ClassNotFound, "%s has no get that takes an id alone", entity)
	}
	in := rawjson.NewMap("entity", entity, "action", catalog.ActionGet, "params", rawjson.NewMap(param, id))
	out := s.newCall(c, in, r.Session, r.ClientInfo()).do(ctx, in)
	text := out.Content[0].(*sdk.TextContent).Text
	if out.IsError {
		return "", client.Failf(client.ClassOther, "%s", text)
	}
	return text, nil
}

// idParam is the one param that the get of an entity needs; empty where it needs more.
func idParam(e *catalog.Entity) string {
	if e == nil || e.Action(catalog.ActionGet) == nil {
		return ""
	}
	name := ""
	for _, p := range e.Action(catalog.ActionGet).Params {
		if p.Required && !p.Injected {
			if name != "" {
				return ""
			}
			name = p.Name
		}
	}
	return name
}

// mostCompleted is how many values a completion may have.
const mostCompleted = 100

// complete completes the parts of an address: connectors, entities, actions, and ids that
// stood in answers.
func (s *Server) complete(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	chosen := map[string]string{}
	if r.Params.Context != nil {
		chosen = r.Params.Context.Arguments
	}
	var all []string
	c := s.connector(chosen["connector"])
	if c == nil && len(s.o.Connectors) == 1 {
		c = &s.o.Connectors[0]
	}
	switch name := r.Params.Argument.Name; {
	case name == "connector":
		all = s.names()
	case c == nil:
	case name == "entity":
		all = c.Kind.EntityNames()
	case name == "action" && c.Kind.Entity(chosen["entity"]) != nil:
		all = c.Kind.Entity(chosen["entity"]).ActionNames()
	case name == "id":
		all = s.seen.of(c, chosen["entity"])
	}
	typed := strings.ToLower(r.Params.Argument.Value)
	fit := slices.DeleteFunc(slices.Clone(all), func(v string) bool {
		return !strings.HasPrefix(strings.ToLower(v), typed)
	})
	out := &sdk.CompleteResult{}
	out.Completion.Total, out.Completion.HasMore = len(fit), len(fit) > mostCompleted
	out.Completion.Values = append([]string{}, fit[:min(len(fit), mostCompleted)]...)
	return out, nil
}

// seenIDs are the ids that stood in answers, newest last.
type seenIDs struct {
	mu  sync.Mutex
	ids map[string][]string
}

// mostIDs is how many are kept of an entity.
const mostIDs = 500

// note keeps the ids of an answer.
func (n *seenIDs) note(c *Connector, entity string, env *client.Envelope) {
	e := c.Kind.Entity(entity)
	if e == nil || e.Key == "" || env == nil || env.Records.Empty() || env.Body == nil {
		return
	}
	all := rawjson.Parse(env.Body.Slice(env.Records.From, env.Records.To))
	var found []string
	take := func(record rawjson.Node) {
		if id, ok := record.Get(e.Key); ok {
			found = append(found, id.Text())
		}
	}
	if all.Kind() == rawjson.Array {
		for record := range all.Elems() {
			if take(record); len(found) == mostIDs {
				break
			}
		}
	} else {
		take(all)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ids == nil {
		n.ids = map[string][]string{}
	}
	at := c.Name + "\n" + entity
	list := n.ids[at]
	for _, id := range found {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	n.ids[at] = list[max(len(list)-mostIDs, 0):]
}

func (n *seenIDs) of(c *Connector, entity string) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.ids[c.Name+"\n"+entity])
}
