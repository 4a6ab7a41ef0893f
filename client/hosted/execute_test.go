package hosted_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
)

const execute = "POST /api/v1/integrations/connectors/c-1/execute"

func run(t *testing.T, a answer, op client.Operation) (*client.Envelope, error) {
	t.Helper()
	s := newService(t)
	s.on(execute, a)
	return hosted.New(s.config()).Execute(context.Background(), orders, op)
}

func TestExecuteSendsTheDocumentedRequest(t *testing.T) {
	tests := []struct {
		name  string
		names client.Names
		op    client.Operation
		want  string
	}{
		{"params are left out when empty", "", client.Operation{Entity: "orders", Action: "list", Params: json.RawMessage(" {} ")}, `{"entity":"orders","action":"list"}`},
		{"order and numbers stay", "", client.Operation{Entity: "orders", Action: "list", Params: json.RawMessage(`{"limit": 1.0, "a": "<&>"}`)}, `{"entity":"orders","action":"list","params":{"limit":1.0,"a":"<&>"}}`},
		{"fields are chosen", "", client.Operation{Entity: "orders", Action: "list", SelectFields: []string{"MarketOrderId"}, ExcludeFields: []string{"state"}}, `{"entity":"orders","action":"list","select_fields":["MarketOrderId"],"exclude_fields":["state"]}`},
		{"wire names", client.Wire, client.Operation{Entity: "orders", Action: "get", Params: json.RawMessage(`{"MarketOrderId":"1"}`), SelectFields: []string{"MarketOrderId"}}, `{"entity":"orders","action":"get","params":{"AmazonOrderId":"1"},"select_fields":["AmazonOrderId"]}`},
		{"wire names in filters", client.Wire, client.Operation{Entity: "orders", Action: "context_store_search", Params: json.RawMessage(`{"query":{"filter":{"eq":{"MarketOrderId":"1"}}}}`)}, `{"entity":"orders","action":"context_store_search","params":{"query":{"filter":{"eq":{"AmazonOrderId":"1"}}}}}`},
		{"semantic search", "", client.Operation{Entity: "orders", Action: "semantic_search", Params: json.RawMessage(`{"prompt":"late","limit":3}`)}, `{"entity":"orders","action":"semantic_search","params":{"semantic":{"prompt":"late"},"limit":3}}`},
		{"semantic search for nothing", "", client.Operation{Entity: "orders", Action: "semantic_search"},
			`{"entity":"orders","action":"semantic_search"}`},
		{"semantic search in its wire form", "", client.Operation{Entity: "orders", Action: "semantic_search", Params: json.RawMessage(`{"semantic":{"prompt":"late"}}`)}, `{"entity":"orders","action":"semantic_search","params":{"semantic":{"prompt":"late"}}}`},
		{"wire semantic search", client.Wire, client.Operation{Entity: "orders", Action: "semantic_search", Params: json.RawMessage(`{"prompt":"late","limit":3}`)}, `{"entity":"orders","action":"context_store_search","params":{"semantic":{"prompt":"late"},"limit":3}}`},
		{"wire semantic search for nothing", client.Wire, client.Operation{Entity: "orders", Action: "semantic_search"},
			`{"entity":"orders","action":"context_store_search"}`},
		{"wire semantic search in its wire form", client.Wire, client.Operation{Entity: "orders", Action: "semantic_search", Params: json.RawMessage(`{"semantic":{"prompt":"late"}}`)}, `{"entity":"orders","action":"context_store_search","params":{"semantic":{"prompt":"late"}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			s.on(execute, answer{body: `{"status":"success","result":[]}`, check: func(t *testing.T, r *http.Request, body string) {
				if body != tt.want {
					t.Errorf("sent %s, want %s", body, tt.want)
				}
				if got := r.Header.Get("Authorization") + r.Header.Get("Content-Type") + r.Header.Get("X-Organization-Id"); got != "Bearer tok-givenapplication/jsonorg-1" {
					t.Errorf("headers %q", got)
				}
				if r.Header.Get("User-Agent") != "patchbay/test" {
					t.Errorf("user agent %q", r.Header.Get("User-Agent"))
				}
			}})
			cfg := s.config()
			cfg.Names, cfg.OrganizationID = tt.names, "org-1"
			c := hosted.New(cfg)
			if _, err := c.Execute(context.Background(), orders, tt.op); err != nil {
				t.Fatal(err)
			}
			p, err := c.Preview(orders, tt.op)
			if err != nil || string(p.Body) != tt.want {
				t.Errorf("preview %s, %v", p.Body, err)
			}
			if p.Headers[0].Value != "Bearer ${PLATFORM_TOKEN}" || !p.Headers[0].Template || strings.Contains(jsonText(p), "tok-given") {
				t.Errorf("preview headers %v", p.Headers)
			}
		})
	}
}

func TestExecuteReadsEveryWrapping(t *testing.T) {
	tests := []struct {
		name, action, body         string
		shape                      client.Shape
		records, path, meta, extra string
		single                     bool
	}{
		{"service with an array", "list", `{"status":"success","result":[{"id":1}],"connector_metadata":{"has_more":true},"execution_metadata":{"connector_instance_id":"i","execution_time_ms":7}}`, client.ShapeService, `[{"id":1}]`, "result", `{"has_more":true}`, "", false},
		{"service with an object", "get", `{"status":"success","result":{"id":1,"data":[1]},"connector_metadata":null,"execution_metadata":{}}`, client.ShapeService, `{"id":1,"data":[1]}`, "result", "", "", true},
		{"service with an upstream body", "list", `{"status":"success","result":{"payload":{"Orders":[{"a":1}],"NextToken":"n"},"ok":true},"connector_metadata":null}`, client.ShapeService, `[{"a":1}]`, "result.payload.Orders", "", `{"next":"n","ok":true}`, false},
		{"service with a search", "context_store_search", `{"status":"success","result":{"data":[{"id":2}],"meta":{"has_more":false,"cursor":null,"took_ms":3}},"connector_metadata":{}}`, client.ShapeService, `[{"id":2}]`, "result.data", `{"has_more":false,"cursor":null,"took_ms":3}`, "", false},
		{"service with null", "delete", `{"status":"success","result":null,"execution_metadata":{}}`, client.ShapeService, "", "", "", "", false},
		{"service with a primitive", "get", `{"status":"success","result":"x"}`, client.ShapeService, `"x"`, "result", "", "", true},
		{"data and meta", "context_store_search", ` {"data": [ ], "meta": {"has_more":false}} `, client.ShapeDataMeta, `[ ]`, "data", `{"has_more":false}`, "", false},
		{"array", "list", "[{},\n{}]", client.ShapeArray, "[{},\n{}]", "", "", "", false},
		{"one record", "get", `{"id":"x","status":"open","items":[1]}`, client.ShapeObject, `{"id":"x","status":"open","items":[1]}`, "", "", "", true},
		{"upstream body", "list", `{"payload":{"Orders":[{}],"NextToken":"t"}}`, client.ShapeUpstream, `[{}]`, "payload.Orders", "", `{"next":"t"}`, false},
		{"upstream body by its usual name", "list", `{"results":[{}],"errors":[],"total":3}`, client.ShapeUpstream, `[{}]`, "results", "", `{"errors":[],"total":3}`, false},
		{"record with a member called result", "get", `{"result":"passed","id":4}`, client.ShapeObject, `{"result":"passed","id":4}`, "", "", "", true},
		{"escapes", "get", `{"state":"","a\"}":"\\\"]","b":[{"}":"\\"}]}`, client.ShapeObject, `{"state":"","a\"}":"\\\"]","b":[{"}":"\\"}]}`, "", "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env, err := run(t, answer{body: tt.body}, client.Operation{Entity: "orders", Action: tt.action})
			if err != nil {
				t.Fatal(err)
			}
			got := string(env.Body.Slice(env.Records.From, env.Records.To))
			if env.Shape != tt.shape || got != tt.records || env.RecordsPath != tt.path || env.Single != tt.single {
				t.Errorf("shape %s, records %s at %q, single %v", env.Shape, got, env.RecordsPath, env.Single)
			}
			if meta := string(env.Body.Slice(env.Meta.From, env.Meta.To)); meta != tt.meta || string(env.MetaJSON) != tt.extra {
				t.Errorf("meta %s, made %s", meta, env.MetaJSON)
			}
			if whole := string(env.Body.Slice(0, env.Body.Len())); whole != tt.body {
				t.Errorf("body changed: %s", whole)
			}
		})
	}
}

func TestExecuteMapsFailures(t *testing.T) {
	tests := []struct {
		name   string
		answer answer
		class  client.Class
		layer  client.Layer
		text   string
	}{
		{"expired or wrong token", answer{status: 401, body: `{"message":"no"}`}, client.ClassAuth, client.LayerHosted, "token was not accepted"},
		{"scope", answer{status: 403, body: `{"detail":"missing scope"}`}, client.ClassScope, client.LayerHosted, "missing scope"},
		{"organization", answer{status: 403, body: `{"message":"Not a member of this organization"}`}, client.ClassScope, client.LayerHosted, "the organization does not allow"},
		{"choose an organization", answer{status: 400, body: `{"message":"Please specify target organization"}`}, client.ClassConfig, client.LayerHosted, "none is chosen"},
		{"connector", answer{status: 404, body: `{"message":"Connector not found"}`}, client.ClassNotFound, client.LayerHosted, "no connector Shop"},
		{"entity", answer{status: 404, body: `{"message":"Unknown entity orders"}`}, client.ClassNotFound, client.LayerHosted, "does not know list orders"},
		{"field", answer{status: 422, body: `{"detail":[{"loc":["body","params","limit"],"msg":"too large"}]}`}, client.ClassInvalid, client.LayerHosted, "params.limit: too large"},
		{"third party", answer{status: 401, body: `{"errors":[{"error_code":"upstream_auth","message":"bad key"}]}`}, client.ClassAuth, client.LayerThirdParty, "connector's credentials"},
		{"rate", answer{status: 429, header: map[string]string{"Retry-After": "2"}, body: `{}`}, client.ClassRateLimited, client.LayerHosted, "too many"},
		{"failed", answer{status: 500, body: `oops`}, client.ClassUpstream, client.LayerHosted, "oops"},
		{"proxy's page", answer{status: 502, header: map[string]string{"Content-Type": "text/html"}, body: `<html><title>Bad &amp; gone</title>`}, client.ClassUpstream, client.LayerProxy, "web page"},
		{"page with a good status", answer{header: map[string]string{"Content-Type": "text/html"}, body: `<!doctype html><title>Sign in</title>`}, client.ClassBadResponse, client.LayerProxy, "Sign in"},
		{"nothing", answer{}, client.ClassBadResponse, client.LayerHosted, "empty"},
		{"half a body", answer{body: `{"status":"success","result":[{"id":1`}, client.ClassBadResponse, client.LayerHosted, "not whole"},
		{"another type", answer{header: map[string]string{"Content-Type": "text/csv"}, body: "a,b"}, client.ClassBadResponse, client.LayerHosted, "text/csv"},
		{"status failed", answer{body: `{"status":"failed","result":null,"error":"quota"}`}, client.ClassUpstream, client.LayerThirdParty, "quota"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := run(t, tt.answer, client.Operation{Entity: "orders", Action: "list"})
			e := asError(t, err)
			if e.Class != tt.class || e.Layer != tt.layer || !strings.Contains(e.Error(), tt.text) {
				t.Errorf("%s, %s: %v", e.Class, e.Layer, e)
			}
			if e.Next == "" || len(e.Attempts) == 0 {
				t.Errorf("next %q, %d attempts", e.Next, len(e.Attempts))
			}
			if (tt.name == "choose an organization") != errors.Is(err, hosted.ErrChooseOrganization) {
				t.Error("ErrChooseOrganization")
			}
		})
	}
}

func TestReadsAreRepeatedAndWritesAreNot(t *testing.T) {
	for action, want := range map[string]int{"list": 2, "delete": 1} {
		s := newService(t)
		s.on(execute, answer{status: 503, body: `{}`}, answer{body: `[]`})
		env, err := hosted.New(s.config()).Execute(context.Background(), orders, client.Operation{Entity: "orders", Action: action})
		attempts := 0
		if err != nil {
			attempts = len(client.AsError(err).Attempts)
		} else {
			attempts = len(env.Attempts)
		}
		if attempts != want || (err == nil) != (want == 2) {
			t.Errorf("%s: %d attempts, %v", action, attempts, err)
		}
	}
}

func TestReadOnlySendsNoWrite(t *testing.T) {
	s := newService(t)
	cfg := s.config()
	cfg.ReadOnly = true
	c := hosted.New(cfg)
	op := client.Operation{Entity: "orders", Action: "delete"}
	_, err := c.Execute(context.Background(), orders, op)
	_, download := c.Download(context.Background(), orders, op, &bytes.Buffer{})
	_, create := c.CreateConnector(context.Background(), client.NewConnector{Workspace: "w", ConnectorType: "t", Credentials: json.RawMessage(`{"a":"b"}`)})
	_, remove := c.DeleteConnector(context.Background(), "c-1")
	for _, err := range []error{err, download, create, remove} {
		if e := asError(t, err); e.Class != client.ClassRefused {
			t.Errorf("%v", e)
		}
	}
	if _, err := c.Preview(orders, op); err != nil {
		t.Errorf("preview: %v", err)
	}
}

func TestDownload(t *testing.T) {
	s := newService(t)
	s.on(execute, answer{header: map[string]string{"Content-Type": "text/plain", "Content-Disposition": `attachment; filename="../../a\u202eb/..\\c:1.txt"`}, body: "hello"})
	var out bytes.Buffer
	env, err := hosted.New(s.config()).Download(context.Background(), orders, client.Operation{Entity: "orders", Action: "download"}, &out)
	if err != nil || out.String() != "hello" || env.Body.Len() != 0 || strings.ContainsAny(env.FileName, `/\:`) || env.FileName == "" {
		t.Errorf("%q, %v, %+v", out.String(), err, env)
	}
}

func TestDownloadOfNothing(t *testing.T) {
	s := newService(t)
	s.on(execute, answer{})
	_, err := hosted.New(s.config()).Download(context.Background(), orders, client.Operation{Entity: "orders", Action: "download"}, &bytes.Buffer{})
	if e := asError(t, err); e.Class != client.ClassBadResponse {
		t.Error(e)
	}
}

func TestConfigurationIsCheckedAtTheFirstCall(t *testing.T) {
	for _, base := range []string{"", "ftp://x", "http://user:pw@x", "nonsense", "http://x/?a=b"} {
		_, err := hosted.New(hosted.Config{BaseURL: base}).Workspaces(context.Background())
		if e := asError(t, err); e.Class != client.ClassConfig || strings.Contains(e.Error(), "pw") {
			t.Errorf("%q: %v", base, e)
		}
	}
}
