package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

const (
	somebody = "11111111-2222-4333-8444-555555555555"
	tokenAt  = "POST /api/v1/account/applications/token"
)

func (s *strict) client(change func(*hosted.Config)) *hosted.Client {
	s.answers["POST /api/v1/internal/account/applications"] = `{"client_id":"id-2","client_secret":"secret-2","organization_id":"` + somebody + `"}`
	s.answers[tokenAt] = `{"access_token":"fetched-1","token_type":"bearer","expires_in":900,"organization_id":null}`
	cfg := hosted.Config{
		Profile: "p", BaseURL: s.server.URL + strictPrefix + "/api/v1/", ClientID: secret.New("id-1"), ClientSecret: secret.New("secret-1"), Catalog: catalog.New(),
		Transport: transport.New(transport.Options{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}),
	}
	if change != nil {
		change(&cfg)
	}
	s.organization = cfg.OrganizationID
	return hosted.New(cfg)
}

// TestEveryRequestOfTheClient makes each call that the client can make, once
// with an organization and once without, and reads the barest allowed answer.
func TestEveryRequestOfTheClient(t *testing.T) {
	for _, organization := range []string{"", somebody} {
		s := newStrict(t)
		c := s.client(func(cfg *hosted.Config) { cfg.OrganizationID = organization })
		ctx := context.Background()
		all, err := c.Connectors(ctx, "demo & one")
		if err != nil || len(all) != 1 || all[0].ID != somebody {
			t.Errorf("connectors: %+v %v", all, err)
		}
		n := client.NewConnector{Workspace: "demo", ConnectorType: "stripe", Name: "mine", Credentials: json.RawMessage(`{"api_key":"k"}`), ReplicationConfig: json.RawMessage(`{"account_id":"a"}`)}
		made, err := c.CreateConnector(ctx, n)
		if err != nil || made.ID != somebody {
			t.Errorf("create: %+v %v", made, err)
		}
		orgs, err := c.Organizations(ctx)
		if err != nil || len(orgs) != 1 {
			t.Errorf("organizations: %+v %v", orgs, err)
		}
		if id, own, err := c.Application(ctx); err != nil || id.Empty() || own.Empty() {
			t.Errorf("application: %v", err)
		}
		spaces, err := c.Workspaces(ctx)
		if err != nil || len(spaces) != 1 {
			t.Errorf("workspaces: %+v %v", spaces, err)
		}
		if _, err := c.Connector(ctx, somebody); err != nil {
			t.Errorf("connector: %v", err)
		}
		if check, err := c.CheckConnector(ctx, somebody); err != nil || check.Status != "" {
			t.Errorf("check: %+v %v", check, err)
		}
		if job, err := c.DeleteConnector(ctx, somebody); err != nil || job != somebody {
			t.Errorf("delete: %q %v", job, err)
		}
		var file bytes.Buffer
		target := made.Target("p")
		if _, err := c.Download(ctx, target, client.Operation{Entity: "call_audio", Action: "download", Params: json.RawMessage(`{"range_header":"bytes=0-9"}`)}, &file); err != nil || file.Len() == 0 {
			t.Errorf("download: %v", err)
		}
		if env, err := c.Execute(ctx, target, client.Operation{Entity: "customers", Action: "list", Params: json.RawMessage(`{}`)}); err != nil || !env.Records.Empty() {
			t.Errorf("execute: %+v %v", env, err)
		}
		tried := strings.Join(s.routes(), "\n")
		for _, want := range []string{tokenAt, "GET /api/v1/workspaces", "GET " + connectorsPath, "POST " + connectorsPath, "GET " + connectorsPath + "/" + somebody + "/inspect"} {
			if !strings.Contains(tried, want) {
				t.Errorf("%s was not asked", want)
			}
		}
		if strings.Count(tried, tokenAt) != 1 {
			t.Errorf("%d tokens were fetched", strings.Count(tried, tokenAt))
		}
	}
}

// TestWireNames: a client with wire names sends what the real service and the
// third parties call things, and its preview says the same.
func TestWireNames(t *testing.T) {
	s := newStrict(t)
	c := s.client(func(cfg *hosted.Config) { cfg.Names = client.Wire })
	path := "POST " + connectorsPath + "/" + somebody + "/execute"
	s.answers[path] = `{"status":"success","result":[],"connector_metadata":null,"execution_metadata":{"connector_instance_id":"i","execution_time_ms":1}}`
	for _, tt := range []struct {
		name, kind, entity, action, params string
		selected, excluded                 []string
		want                               string
	}{
		{"filter", "marketplace_seller", "orders", "context_store_search", `{"query":{"filter":{"and":[{"eq":{"MarketOrderId":"1"}},{"not":{"in":{"MarketOrderId":["2"]}}}]}}}`, nil, nil,
			`"params":{"query":{"filter":{"and":[{"eq":{"AmazonOrderId":"1"}},{"not":{"in":{"AmazonOrderId":["2"]}}}]}}}`},
		{"sort and fields", "marketplace_seller", "orders", "context_store_search", `{"query":{"sort":[{"MarketOrderId":"desc"}]},"fields":["MarketOrderId","OrderStatus"]}`, nil, nil,
			`"params":{"query":{"sort":[{"AmazonOrderId":"desc"}]},"fields":["AmazonOrderId","OrderStatus"]}`},
		{"fields as segments", "marketplace_seller", "orders", "context_store_search", `{"query":{},"fields":[["MarketOrderId"],[1],{"a":"MarketOrderId"},null]}`, nil, nil, `"fields":[["AmazonOrderId"],[1],{"a":"MarketOrderId"},null]`},
		{"chat", "incident_management", "incidents", "context_store_search", `{"query":{"filter":{"eq":{"chat_channel_id":"C1"}},"sort":[{"chat_team_id":"asc"}]}}`, nil, nil,
			`{"filter":{"eq":{"slack_channel_id":"C1"}},"sort":[{"slack_team_id":"asc"}]}`},
		{"nested", "incident_management", "incidents", "context_store_search", `{"query":{"filter":{"like":{"creator.user.chat_user_id":"U"}}}}`, nil, nil, `{"like":{"creator.user.slack_user_id":"U"}}`},
		{"contacts", "email_delivery", "contacts", "context_store_search", `{"query":{"filter":{"or":[{"eq":{"messaging_a":"1"}},{"eq":{"messaging_b":"2"}},{"eq":{"social_a":"3"}}]}}}`, nil, nil,
			`[{"eq":{"whatsapp":"1"}},{"eq":{"line":"2"}},{"eq":{"facebook":"3"}}]`},
		{"enum in a param", "messaging_automation", "messages", "list", `{"type":"chat"}`, nil, nil, `"params":{"type":"slack"}`},
		{"enum in a filter", "messaging_automation", "campaign_actions", "context_store_search", `{"query":{"filter":{"in":{"type":["sms","chat","messaging_a","email"]}}}}`, nil, nil,
			`{"in":{"type":["twilio","slack","whatsapp","email"]}}`},
		{"chosen fields", "marketplace_seller", "orders", "list", `{"CreatedAfter":"2026-01-01T00:00:00Z"}`, []string{"MarketOrderId"}, []string{"MarketOrderId", "OrderStatus"},
			`"select_fields":["AmazonOrderId"],"exclude_fields":["AmazonOrderId","OrderStatus"]`},
		{"chosen nested fields", "incident_management", "incidents", "list", ``, []string{"creator.user.chat_user_id"}, nil, `"select_fields":["creator.user.slack_user_id"]`},
		{"settings", "marketplace_advertising", "sponsored_product_campaigns", "list", ``, []string{"offMarketplaceSettings"}, nil, `"select_fields":["offAmazonSettings"]`},
		{"likes", "email_campaign", "reports", "context_store_search", `{"query":{"filter":{"gt":{"social_a_likes.unique_likes":1}}}}`, nil, nil, `{"gt":{"facebook_likes.unique_likes":1}}`},
		{"semantic search", "call_recording", "call_transcripts", "semantic_search", `{"semantic":{"prompt":"p","filter":{"eq":{"callId":"1"}}},"limit":5}`, nil, nil,
			`"action":"context_store_search","params":{"semantic":{"prompt":"p","filter":{"eq":{"callId":"1"}}},"limit":5}`},
		{"semantic search in other names", "marketplace_seller", "orders", "context_store_search", `{"semantic":{"prompt":"p","field":"MarketOrderId","filter":{"eq":{"MarketOrderId":"1"}}}}`, nil, nil,
			`"semantic":{"prompt":"p","field":"AmazonOrderId","filter":{"eq":{"AmazonOrderId":"1"}}}`},
		{"semantic search in short", "call_recording", "call_transcripts", "semantic_search", `{"prompt":"p","limit":5}`, nil, nil, `"params":{"semantic":{"prompt":"p"},"limit":5}`},
		{"a list of states is text", "marketplace_advertising", "sponsored_product_campaigns", "list", `{"stateFilter":{"include":"enabled,paused"},"Amazon-Advertising-API-Scope":"1"}`, nil, nil,
			`"params":{"stateFilter":{"include":"enabled,paused"},"Amazon-Advertising-API-Scope":"1"}}`},
		{"defaults are left to the service", "social_advertising", "ads", "get", `{"ad_id":"1"}`, nil, nil, `"params":{"ad_id":"1"}}`},
		{"a token goes alone", "marketplace_seller", "reports", "list", `{"nextToken":"t","pageSize":5}`, nil, nil, `"params":{"nextToken":"t"}}`},
		{"undecided words stay", "marketplace_seller", "list_financial_events", "context_store_search", `{"query":{"filter":{"eq":{"PayWithAmazonEventList":[]}}}}`, nil, nil, `{"eq":{"PayWithAmazonEventList":[]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			op := client.Operation{Entity: tt.entity, Action: tt.action, Params: json.RawMessage(tt.params), SelectFields: tt.selected, ExcludeFields: tt.excluded}
			target := client.Target{Kind: tt.kind, ConnectorID: somebody}
			if _, err := c.Execute(context.Background(), target, op); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(s.last(), tt.want) {
				t.Errorf("sent %s, want %s in it", s.last(), tt.want)
			}
			if p, err := c.Preview(target, op); err != nil || string(p.Body) != s.last() {
				t.Errorf("the preview says %s, %v", p.Body, err)
			}
			if p, err := c.Preview(client.Target{ConnectorID: "nobody told of which kind"}, op); err != nil || string(p.Body) != s.last() {
				t.Errorf("where the kind is not known: %s, %v", p.Body, err)
			}
		})
	}
}
