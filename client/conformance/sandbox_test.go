package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/sandbox"
)

// bench is the sandbox behind a real listener; every answer is held against the definition.
type bench struct {
	t   testing.TB
	d   *definition
	url string
	// visited are the operations that were answered well.
	visited map[*operation]bool
}

func newBench(t testing.TB, o sandbox.Options) *bench {
	t.Helper()
	if o.Catalog == nil {
		o.Catalog = catalog.New()
	}
	if o.Records == 0 {
		o.Records = 12
	}
	server := httptest.NewServer(sandbox.New(o))
	t.Cleanup(server.Close)
	return &bench{t: t, d: load(t), url: server.URL, visited: map[*operation]bool{}}
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

// raw makes a call without looking at its answer.
func (b *bench) raw(method, path, body string, header ...string) reply {
	b.t.Helper()
	req, err := http.NewRequest(method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+sandbox.Token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, data}
}

// call makes a call and holds the answer against the definition.
func (b *bench) call(want int, method, path, body string, header ...string) reply {
	b.t.Helper()
	r := b.raw(method, path, body, header...)
	plain, _, _ := strings.Cut(path, "?")
	op, _ := b.d.find(method, plain)
	if op == nil && want == http.StatusMethodNotAllowed {
		op, _ = b.d.find("GET", plain)
	}
	if op == nil {
		b.t.Errorf("the definition has no %s %s", method, plain)
		return r
	}
	if r.status < 300 {
		b.visited[op] = true
	}
	if r.status != want {
		b.t.Errorf("%s %s %s: %d, want %d: %.300s", method, path, body, r.status, want, r.body)
	}
	if err := b.d.response(op, r.status, r.header, r.body); err != nil {
		b.t.Errorf("%s %s %s: %v\n%.500s", method, path, body, err, r.body)
	}
	if r.status >= 400 {
		b.error(method+" "+path, r.body)
	}
	return r
}

// error wants words in an error body, not only its type.
func (b *bench) error(what string, body []byte) {
	b.t.Helper()
	var e struct {
		Message string
		Errors  []struct{ Message *string }
	}
	if json.Unmarshal(body, &e) != nil || e.Message == "" || len(e.Errors) == 0 || e.Errors[0].Message == nil {
		b.t.Errorf("%s: an error without words: %s", what, body)
	}
}

func (r reply) at(t testing.TB, path ...any) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatal(err)
	}
	for _, step := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[fmt.Sprint(step)]
		case []any:
			n, _ := step.(int)
			if n >= len(at) {
				t.Fatalf("no %v in %.200s", path, r.body)
			}
			v = at[n]
		}
	}
	return fmt.Sprint(v)
}

const (
	connectorsPath = "/api/v1/integrations/connectors"
	nobody         = "00000000-0000-4000-8000-000000000000"

	destinationsPath = "/api/v1/integrations/definitions/destinations"
	replicationsPath = "/api/v1/integrations/templates/connections"
	templatesPath    = "/api/v1/integrations/templates/sources"
	tagsPath         = "/api/v1/integrations/templates/tags"
	bucket           = "4816b78f-1489-44c1-9060-4b19d5fa9362"
)

// TestEveryEndpointOfTheSandbox visits each operation of the definition, and
// fails when one is left out.
func TestEveryEndpointOfTheSandbox(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	list := b.call(200, "GET", connectorsPath+"?workspace_name=demo", "")
	id, template, kind := list.at(t, "data", 0, "id"), list.at(t, "data", 0, "summarized_source_template", "id"), list.at(t, "data", 0, "summarized_source_template", "actor_definition_id")
	workspaces := b.call(200, "GET", "/api/v1/workspaces", "")
	ws, staging := workspaces.at(t, "data", 0, "id"), workspaces.at(t, "data", 1, "id")
	create := `{"workspace_name":"demo","connector_type":"stripe","name":"made","credentials":{"api_key":"k"},"replication_config":{"account_id":"a"},"environment":null,"entities":[{"entity":"customers","modes":["read"]}],"selected_connection_template_tags":[],"selected_connection_template_tags_mode":"any"}`
	made := b.call(200, "POST", connectorsPath, create).at(t, "id")
	one := connectorsPath + "/" + made
	scoped := b.call(200, "POST", "/api/v1/account/applications/scoped-token", `{"workspace_name":"fresh","region_id":null}`).at(t, "token")
	replication := b.call(200, "POST", replicationsPath, `{"destination_name":"lake","destination_definition_id":"`+bucket+`","destination_config":{"s3_bucket_name":"a","s3_bucket_path":"b","s3_bucket_region":"c","format":{}}}`).at(t, "id")
	own := b.call(200, "POST", templatesPath, `{"actor_definition_id":"`+kind+`","partial_default_config":{},"customization":null}`).at(t, "id")
	for _, c := range []struct {
		status             int
		method, path, body string
	}{
		{200, "POST", "/api/v1/account/applications/token", tokenBody()},
		{200, "POST", "/api/v1/account/applications/widget-token", `{"workspace_name":"demo","allowed_origin":"https://a.example"}`},
		{200, "GET", connectorsPath + "?workspace_id=" + ws + "&definition_id=" + kind, ""},
		{200, "GET", connectorsPath + "?external_user_id=demo", ""},
		{200, "GET", connectorsPath + "?customer_name=demo", ""},
		{200, "POST", connectorsPath + "/check", create},
		{200, "POST", connectorsPath + "/oauth/initiate", `{"workspace_name":"demo","connector_type":"stripe","redirect_url":"https://a.example/back"}`},
		{200, "GET", one, ""},
		{200, "PUT", one, `{"name":"renamed","replication_config":{"account_id":"b"},"entities":null}`},
		{200, "POST", one + "/check", `{}`},
		{200, "POST", one + "/check", `{"name":null,"replication_config":{"account_id":"c"}}`},
		{200, "GET", one + "/inspect", ""},
		{200, "POST", one + "/execute", `{"entity":"customers","action":"list","params":null,"select_fields":null,"exclude_fields":null,"skip_truncation":true,"intent":"look"}`},
		{200, "POST", one + "/execute", `{"entity":"","action":"describe"}`},
		{200, "POST", one + "/execute/prepare", `{"entity":"customers","action":"list","params":{"limit":3},"select_fields":["id"]}`},
		{202, "DELETE", one, ""},
		{200, "GET", "/api/v1/workspaces?limit=1&name_contains=a&status=active", ""},
		{200, "GET", "/api/v1/workspaces/stats", ""},
		{200, "GET", "/api/v1/workspaces/" + ws, ""},
		{200, "PUT", "/api/v1/workspaces/" + staging, `{"name":"stage","status":"inactive","cache_enabled":false}`},
		{200, "DELETE", "/api/v1/workspaces/" + staging, ""},
		{200, "GET", "/api/v1/integrations/definitions/sources", ""},
		{200, "GET", "/api/v1/integrations/definitions/sources?name=STRI", ""},
		{200, "GET", "/api/v1/integrations/definitions/sources/" + kind, ""},
		{200, "GET", "/api/v1/integrations/templates/sources?use_global=true&tags_mode=any", ""},
		{200, "GET", "/api/v1/integrations/templates/sources/global", ""},
		{200, "GET", "/api/v1/integrations/templates/sources/" + template, ""},
		{200, "GET", "/api/v1/organizations/" + sandbox.OrganizationID + "/credentials?limit=200&offset=0", ""},
		{200, "GET", "/api/v1/internal/account/organizations", ""},
		{200, "GET", "/api/v1/internal/account/enrollment-status", ""},
		{200, "POST", "/api/v1/internal/account/applications", ""},
		{200, "GET", destinationsPath, ""},
		{200, "GET", destinationsPath + "?actorDefinitionIds=" + bucket + "&actorDefinitionIds=" + nobody, ""},
		{200, "GET", destinationsPath + "/" + bucket, ""},
		{200, "GET", replicationsPath + "?tags_mode=any", ""},
		{200, "POST", replicationsPath, `{"data_hosting_type":"airbyte_hosted","cron_expression":null}`},
		{200, "GET", replicationsPath, ""},
		{200, "POST", replicationsPath + "/cron/describe", `{"cron_expression":"0 0 12 * * ?"}`},
		{200, "POST", replicationsPath + "/cron/describe", `{"cron_expression":"every now and then"}`},
		{200, "GET", replicationsPath + "/" + replication, ""},
		{200, "PATCH", replicationsPath + "/" + replication, `{"destination_name":"later","cron_expression":"0 */15 * * * ?","sync_on_create":false}`},
		{200, "POST", tagsPath, `{"name":"pro tier"}`},
		{200, "POST", templatesPath + "/" + own + "/tags", `{"tag":"crm"}`},
		{200, "POST", replicationsPath + "/" + replication + "/tags", `{"tag":"pro tier"}`},
		{200, "GET", replicationsPath + "?tags=pro%20tier&tags=crm&tags_mode=any", ""},
		{200, "GET", tagsPath, ""},
		{200, "PUT", tagsPath + "/crm", `{"name":"sales"}`},
		{200, "DELETE", templatesPath + "/" + own + "/tags/sales", ""},
		{200, "DELETE", replicationsPath + "/" + replication + "/tags/pro%20tier", ""},
		{200, "DELETE", tagsPath + "/sales", ""},
		{200, "DELETE", replicationsPath + "/" + replication, ""},
		{200, "POST", templatesPath, `{"original_source_template_id":"` + template + `","name":null,"mode":"MULTI"}`},
		{200, "GET", templatesPath + "/" + own, ""},
		{200, "PATCH", templatesPath + "/" + own, `{"name":"Ours","propagate":true,"customization":{"stream_selection_mode":"all"}}`},
		{200, "GET", templatesPath, ""},
		{200, "DELETE", templatesPath + "/" + own, ""},
		{200, "PUT", "/api/v1/oauth/credentials", `{"connector_type":"salesforce","configuration":{"client_id":"a","client_secret":"b"}}`},
		{204, "DELETE", "/api/v1/oauth/credentials/connector_type/salesforce", ""},
		{204, "DELETE", "/api/v1/oauth/credentials/connector_type/stripe", ""},
		{200, "GET", "/api/v1/skills?limit=2", ""},
		{200, "GET", "/api/v1/skills/search?query=payments", ""},
		{200, "GET", "/api/v1/skills/docs?id=connector-source:" + id, ""},
	} {
		b.call(c.status, c.method, c.path, c.body)
	}
	session := "/api/v1/internal/mcp_oauth/sessions"
	session += "/" + b.call(200, "POST", session, `{"source_definition_id":"`+kind+`","workspace_id":"`+ws+`"}`).at(t, "session_id")
	b.call(200, "GET", session, "")
	b.call(200, "PATCH", session, `{"source_id":"`+id+`"}`)
	if got := b.call(200, "GET", "/api/v1/account/applications/scoped-token/info", "", "Authorization", "Bearer "+scoped).at(t, "workspace_name"); got != "fresh" {
		t.Errorf("the scoped token belongs to workspace %s", got)
	}
	b.allVisited()
}

func (b *bench) allVisited() {
	b.t.Helper()
	for path, methods := range b.d.Paths {
		for method, op := range methods {
			if !b.visited[op] {
				b.t.Errorf("%s %s was not tried", method, path)
			}
		}
	}
}

func tokenBody() string {
	return `{"client_id":"` + sandbox.ClientID + `","client_secret":"` + sandbox.ClientSecret + `"}`
}

// TestEveryRefusalOfTheSandbox: each refusal has the status and the body that the service gives.
func TestEveryRefusalOfTheSandbox(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	list := b.call(200, "GET", connectorsPath+"?workspace_name=demo", "")
	one := connectorsPath + "/" + list.at(t, "data", 0, "id")
	template := list.at(t, "data", 0, "summarized_source_template", "id")
	for _, c := range []struct {
		status             int
		method, path, body string
	}{
		{403, "POST", "/api/v1/account/applications/token", `{"client_id":"a","client_secret":"b"}`},
		{422, "POST", "/api/v1/account/applications/token", `{"client_id":"a"}`},
		{422, "POST", "/api/v1/account/applications/token", `{"client_id":1,"client_secret":"b"}`},
		{422, "POST", "/api/v1/account/applications/scoped-token", `{}`},
		{422, "POST", "/api/v1/account/applications/widget-token", `{}`},
		{400, "GET", connectorsPath, ""},
		{404, "GET", connectorsPath + "?workspace_name=nowhere", ""},
		{422, "GET", connectorsPath + "?workspace_id=x", ""},
		{422, "GET", connectorsPath + "?workspace_name=demo&definition_id=x", ""},
		{422, "POST", connectorsPath, `{"workspace_name":"demo","credentials":{"api_key":"k"}}`},
		{422, "POST", connectorsPath, `{"workspace_name":"demo","connector_type":"stripe"}`},
		{422, "POST", connectorsPath, `{"connector_type":"stripe","credentials":{"api_key":"k"}}`},
		{400, "POST", connectorsPath, `{"workspace_name":"demo","connector_type":"stripe","credentials":{"no":"k"},"replication_config":{"account_id":"a"}}`},
		{404, "POST", connectorsPath, `{"workspace_name":"nowhere","connector_type":"stripe","credentials":{"api_key":"k"},"replication_config":{"account_id":"a"}}`},
		{422, "POST", connectorsPath + "/check", `{}`},
		{422, "GET", connectorsPath + "/not-an-id", ""},
		{404, "GET", connectorsPath + "/" + nobody, ""},
		{404, "PUT", connectorsPath + "/" + nobody, `{"name":"a"}`},
		{404, "DELETE", connectorsPath + "/" + nobody, ""},
		{404, "POST", connectorsPath + "/" + nobody + "/check", `{}`},
		{404, "POST", connectorsPath + "/" + nobody + "/execute", `{"entity":"a","action":"list"}`},
		{404, "POST", connectorsPath + "/not-an-id/execute", `{"entity":"a","action":"list"}`},
		{422, "POST", one + "/execute", `{"action":"list"}`},
		{422, "POST", one + "/execute", `{"entity":"customers","action":"list","params":[]}`},
		{422, "POST", one + "/execute", `not json`},
		{422, "GET", "/api/v1/workspaces?limit=0", ""},
		{422, "GET", "/api/v1/workspaces?limit=x", ""},
		{422, "GET", "/api/v1/workspaces?status=x", ""},
		{400, "GET", "/api/v1/workspaces?cursor=x", ""},
		{422, "GET", "/api/v1/workspaces/x", ""},
		{404, "GET", "/api/v1/workspaces/" + nobody, ""},
		{404, "PUT", "/api/v1/workspaces/" + nobody, `{}`},
		{404, "DELETE", "/api/v1/workspaces/" + nobody, ""},
		{422, "GET", "/api/v1/integrations/definitions/sources/x", ""},
		{404, "GET", "/api/v1/integrations/definitions/sources/" + nobody, ""},
		{422, "GET", "/api/v1/integrations/templates/sources?use_global=perhaps", ""},
		{422, "GET", "/api/v1/integrations/templates/sources?tags_mode=none", ""},
		{422, "GET", "/api/v1/integrations/templates/sources/x", ""},
		{404, "GET", "/api/v1/integrations/templates/sources/" + nobody, ""},
		{403, "GET", "/api/v1/organizations/" + nobody + "/credentials", ""},
		{422, "GET", "/api/v1/organizations/" + sandbox.OrganizationID + "/credentials?limit=201", ""},
		{422, "GET", "/api/v1/organizations/" + sandbox.OrganizationID + "/credentials?offset=-1", ""},
		{422, "GET", destinationsPath + "?actorDefinitionIds=x", ""},
		{422, "GET", destinationsPath + "/x", ""},
		{404, "GET", destinationsPath + "/" + nobody, ""},
		{422, "GET", replicationsPath + "?tags_mode=none", ""},
		{422, "POST", replicationsPath, `{}`},
		{422, "POST", replicationsPath, `{"data_hosting_type":"airbyte_hosted","cron_expression":"0 0 12 * * *"}`},
		{422, "POST", replicationsPath, `{"destination_name":"a","destination_definition_id":"` + bucket + `","destination_config":{}}`},
		{404, "POST", replicationsPath, `{"destination_name":"a","destination_definition_id":"` + nobody + `","destination_config":{}}`},
		{422, "POST", replicationsPath + "/cron/describe", `{}`},
		{422, "GET", replicationsPath + "/x", ""},
		{404, "GET", replicationsPath + "/" + nobody, ""},
		{404, "PATCH", replicationsPath + "/" + nobody, `{}`},
		{404, "DELETE", replicationsPath + "/" + nobody, ""},
		{422, "POST", templatesPath, `{}`},
		{422, "POST", templatesPath, `{"actor_definition_id":"` + nobody + `"}`},
		{404, "POST", templatesPath, `{"actor_definition_id":"` + nobody + `","partial_default_config":{}}`},
		{404, "POST", templatesPath, `{"original_source_template_id":"` + nobody + `"}`},
		{404, "PATCH", templatesPath + "/" + nobody, `{}`},
		{404, "DELETE", templatesPath + "/" + nobody, ""},
		{403, "PATCH", templatesPath + "/" + template, `{"name":"mine"}`},
		{403, "DELETE", templatesPath + "/" + template, ""},
		{422, "PUT", "/api/v1/oauth/credentials", `{"connector_type":"salesforce"}`},
		{422, "PUT", "/api/v1/oauth/credentials", `{"connector_type":"salesforce","configuration":{"client_id":"a"}}`},
		{422, "PUT", "/api/v1/oauth/credentials", `{"configuration":{"client_id":"a","client_secret":"b"}}`},
		{422, "PUT", "/api/v1/oauth/credentials", `{"connector_type":"salesforce","configuration":{"client_id":"a","client_secret":"b"},"more":1}`},
		{400, "PUT", "/api/v1/oauth/credentials", `{"connector_type":"stripe","configuration":{"client_id":"a","client_secret":"b"}}`},
		{404, "DELETE", "/api/v1/oauth/credentials/connector_type/nothing", ""},
		{404, "PUT", tagsPath + "/nothing", `{"name":"a"}`},
		{404, "DELETE", tagsPath + "/nothing", ""},
		{422, "POST", tagsPath, `{"name":""}`},
		{422, "POST", tagsPath, `{"name":"` + strings.Repeat("a", 256) + `"}`},
		{403, "POST", templatesPath + "/" + template + "/tags", `{"tag":"a"}`},
		{404, "DELETE", templatesPath + "/" + nobody + "/tags/a", ""},
		{404, "POST", replicationsPath + "/" + nobody + "/tags", `{"tag":"a"}`},
		{422, "POST", one + "/execute/prepare", `{"action":"list"}`},
		{404, "GET", "/api/v1/skills/docs?id=nothing", ""},
		{422, "GET", "/api/v1/skills?workspace_id=x", ""},
		{404, "GET", "/api/v1/internal/mcp_oauth/sessions/x", ""},
		{403, "GET", "/api/v1/account/applications/scoped-token/info", ""},
		{405, "POST", "/api/v1/workspaces", `{}`},
	} {
		b.call(c.status, c.method, c.path, c.body)
	}
}

// TestRefusedHeaders: what is wrong with token, organization or content type.
func TestRefusedHeaders(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	one := connectorsPath + "/" + b.call(200, "GET", connectorsPath+"?workspace_name=demo", "").at(t, "data", 0, "id")
	b.call(401, "GET", "/api/v1/workspaces", "", "Authorization", "Bearer wrong")
	b.call(403, "GET", "/api/v1/workspaces", "", "X-Organization-Id", nobody)
	b.call(422, "GET", "/api/v1/workspaces", "", "X-Organization-Id", "mine")
	b.call(422, "POST", "/api/v1/account/applications/token", tokenBody(), "X-Organization-Id", "mine")
	b.call(422, "POST", one+"/execute", `{"entity":"a","action":"list"}`, "Content-Type", "text/plain")
}

// TestWrongTypesAreRefused sends each request type with one member of a wrong
// type at a time: whatever the definition does not allow is answered with 422.
func TestWrongTypesAreRefused(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	list := b.call(200, "GET", connectorsPath+"?workspace_name=demo", "")
	workspaces := b.call(200, "GET", "/api/v1/workspaces", "")
	one := connectorsPath + "/" + list.at(t, "data", 0, "id")
	create := `{"workspace_name":"demo","connector_type":"stripe","credentials":{"api_key":"k"},"replication_config":{"account_id":"a"}}`
	own := b.call(200, "POST", templatesPath, `{"original_source_template_id":"`+list.at(t, "data", 0, "summarized_source_template", "id")+`"}`).at(t, "id")
	replication := b.call(200, "POST", replicationsPath, `{"data_hosting_type":"airbyte_hosted"}`).at(t, "id")
	bodies := map[string]struct{ method, path, body string }{
		"TokenRequest":                            {"POST", "/api/v1/account/applications/token", tokenBody()},
		"ScopedTokenCreateRequest":                {"POST", "/api/v1/account/applications/scoped-token", `{"workspace_name":"demo"}`},
		"ConnectorSourceCreateRequest":            {"POST", connectorsPath, create},
		"ConnectorSourceCheckConfigRequest":       {"POST", connectorsPath + "/check", create},
		"ConnectorSourceUpdateRequest":            {"PUT", one, `{}`},
		"ConnectorSourceCheckConfigUpdateRequest": {"POST", one + "/check", `{}`},
		"ConnectorExecuteRequest":                 {"POST", one + "/execute", `{"entity":"customers","action":"list"}`},
		"WorkspaceUpdateRequest":                  {"PUT", "/api/v1/workspaces/" + workspaces.at(t, "data", 0, "id"), `{}`},
		"ConsentRequest":                          {"POST", connectorsPath + "/oauth/initiate", `{"workspace_name":"demo","connector_type":"stripe","redirect_url":"https://a.example"}`},
		"WidgetTokenRequest":                      {"POST", "/api/v1/account/applications/widget-token", `{"workspace_name":"demo","allowed_origin":"https://a.example"}`},
		"CronExpressionDescribeRequest":           {"POST", replicationsPath + "/cron/describe", `{"cron_expression":"0 0 12 * * ?"}`},
		"OAuthCredentialsRequest":                 {"PUT", "/api/v1/oauth/credentials", `{"connector_type":"salesforce","configuration":{"client_id":"a","client_secret":"b"}}`},
		"SourceTemplateCreateRequest":             {"POST", templatesPath, `{"actor_definition_id":"` + list.at(t, "data", 0, "summarized_source_template", "actor_definition_id") + `","partial_default_config":{}}`},
		"SourceTemplateUpdateRequest":             {"PATCH", templatesPath + "/" + own, `{}`},
		"TemplateTagRequest":                      {"POST", tagsPath, `{"name":"a"}`},
		"TagRequest":                              {"POST", templatesPath + "/" + own + "/tags", `{"tag":"a"}`},
		"ConnectionTemplatePatchRequest":          {"PATCH", replicationsPath + "/" + replication, `{}`},
	}
	for name, c := range bodies {
		for member := range b.members(name) {
			for _, value := range []string{`17`, `true`, `"x"`, `[]`, `["x"]`, `[{}]`, `[{"entity":"a","modes":["fly"]}]`, `{}`, `null`} {
				body := with(t, c.body, member, value)
				if b.d.check("#/components/schemas/"+name, body) != nil {
					b.call(422, c.method, c.path, string(body))
				}
			}
		}
	}
}

func (b *bench) members(name string) map[string]json.RawMessage {
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage
			}
		}
	}
	raw, err := readDefinition()
	if err != nil || json.Unmarshal(raw, &doc) != nil || len(doc.Components.Schemas[name].Properties) == 0 {
		b.t.Fatalf("no type %s: %v", name, err)
	}
	return doc.Components.Schemas[name].Properties
}

func with(t testing.TB, body, member, value string) []byte {
	t.Helper()
	o := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(body), &o); err != nil {
		t.Fatal(err)
	}
	o[member] = json.RawMessage(value)
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out)
}
