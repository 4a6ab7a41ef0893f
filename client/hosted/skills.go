package hosted

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"patchbay/catalog/skill"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Inspect is what the service answers to inspect_connector, as it came.
func (c *Client) Inspect(ctx context.Context, id string) (json.RawMessage, error) {
	return c.document(ctx, about(http.MethodGet, id, "/inspect", "inspect"))
}

// SkillDocs are the documents of a connector as the service serves them; without a section
// the overview with the outline.
func (c *Client) SkillDocs(ctx context.Context, id, section string) (*skill.Docs, error) {
	told, err := c.Inspect(ctx, id)
	if err != nil {
		return nil, err
	}
	of := first(rawjson.Parse(told), "docs_skill_id")
	if of == "" {
		return nil, client.Failf(client.ClassNotFound, "the service has no documents of the connector %s", id).
			Advise("patchbay agent docs --kind KIND shows what the catalog says.")
	}
	raw, err := c.skillDocs(ctx, of, section)
	if err != nil {
		return nil, err
	}
	d, err := skill.Parse(raw)
	if err != nil {
		return nil, client.Failf(client.ClassBadResponse, "%v", err)
	}
	return d, nil
}

// skillDocs is a skill's overview, or one section of it, as it came.
func (c *Client) skillDocs(ctx context.Context, skillID, section string) (json.RawMessage, error) {
	query := url.Values{"id": {skillID}}
	if section != "" {
		query.Set("section", section)
	}
	return c.document(ctx, request{method: http.MethodGet, path: apiPath + "/skills/docs", query: query,
		doing: "read the documents of a connector"})
}
