package hosted

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/crew"
	"patchbay/client/described"
	"patchbay/client/rawjson"
)

// docsAtOnce is how many sections of documents are asked for at the same time.
const docsAtOnce = 4

// Told asks the service for all that it tells of a connector: the description, the
// inspection, the documents of its skill, its definition and template. Services need
// offer none of them: the error is that of the description, beside which other parts may
// have come all the same.
func (c *Client) Told(ctx context.Context, one client.Connector) (described.Told, error) {
	ctx = client.WithObserver(ctx, func(client.Event) {}) // nobody needs to hear of each of these
	told := described.Told{Type: one.Type, Name: one.Name}
	var failed error
	var beside crew.Crew
	beside.Go(func() { told.Describe, failed = c.describeCall(ctx, one.ID) })
	beside.Go(func() {
		told.Inspect, _ = c.document(ctx, about(http.MethodGet, one.ID, "/inspect", "inspect"))
	})
	beside.Go(func() {
		record, _ := c.document(ctx, about(http.MethodGet, one.ID, "", "read"))
		if template := member(rawjson.Parse(record), "source_template"); template.Exists() {
			told.Template = template.Raw()
		}
	})
	beside.Wait()
	c.definition(ctx, &told)
	c.docs(ctx, &told)
	if k, _ := described.Kind(told); len(k.Entities) == 0 && failed == nil {
		failed = &client.Error{Class: client.ClassBadResponse, Layer: client.LayerHosted,
			Doing:   "describe the connector " + one.Name,
			Message: "the service names no entities of it, neither in its description nor in its documents",
			Next:    "A call can be written as JSON: patchbay execute sends it."}
	}
	return told, failed
}

// describeCall is the result of the action describe.
func (c *Client) describeCall(ctx context.Context, id string) (json.RawMessage, error) {
	r := about(http.MethodPost, id, "/execute", "describe")
	r.body = rawjson.NewMap("entity", "", "action", "describe").JSON()
	raw, err := c.document(ctx, r)
	if result := member(rawjson.Parse(raw), "result"); result.Exists() {
		raw = result.Raw()
	}
	return raw, err
}

// definition asks for what the connector was made from.
func (c *Client) definition(ctx context.Context, told *described.Told) {
	k, _ := described.Kind(*told)
	if k.DefinitionID != "" {
		told.Definition, _ = c.document(ctx, request{method: http.MethodGet, doing: "read the definition",
			path: apiPath + "/integrations/definitions/sources/" + url.PathEscape(k.DefinitionID)})
	}
}

// docs asks for the documents of the connector's skill.
func (c *Client) docs(ctx context.Context, told *described.Told) {
	id := first(rawjson.Parse(told.Inspect), "docs_skill_id")
	if id == "" {
		return
	}
	ask := func(section string) json.RawMessage {
		raw, _ := c.skillDocs(ctx, id, section)
		return raw
	}
	if told.Docs = ask(""); told.Docs == nil {
		return
	}
	sections, more := described.Wanted(*told)
	var mu sync.Mutex
	var readers crew.Crew
	next := 0
	for range docsAtOnce {
		readers.Go(func() {
			for {
				mu.Lock()
				at := next
				next++
				mu.Unlock()
				if at >= len(sections) || ctx.Err() != nil {
					return
				}
				sections[at].Docs = ask(sections[at].ID)
			}
		})
	}
	readers.Wait()
	told.Sections, told.Unread = sections, more
}

// mostTold is the most of one answer that is taken for a description.
const mostTold = 16 << 20

// document is an answer that is a JSON object or array; nil with the reason where none came.
func (c *Client) document(ctx context.Context, r request) (json.RawMessage, error) {
	res, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	n := rawjson.Root(res.Body)
	if res.Body.Len() > mostTold || n.Kind() != rawjson.Object && n.Kind() != rawjson.Array {
		return nil, c.unreadable(r, res, fmt.Errorf("it is no description of at most %d MiB", mostTold>>20))
	}
	raw := json.RawMessage(res.Body.Slice(0, res.Body.Len()))
	if !rawjson.Valid(raw) {
		return nil, c.unreadable(r, res, nil)
	}
	return raw, nil
}

// Differences holds what a service tells of a connector against what the catalog says.
func Differences(k *catalog.Kind, d *Detail) []described.Difference {
	if !d.Described {
		return nil
	}
	live, _ := described.Kind(described.Told{Type: d.Type, Name: d.Name, Describe: d.Live})
	return described.Compare(k, live)
}
