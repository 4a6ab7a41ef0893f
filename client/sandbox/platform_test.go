package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"patchbay/client/rawjson"
)

func (r *rig) request(method, path, body string, header map[string]string) (int, *rawjson.Map) {
	r.t.Helper()
	req, err := http.NewRequest(method, BaseURL+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	status, _, raw := r.do(req)
	return status, parse(r.t, raw)
}

func fetched(t *testing.T, r *rig, header map[string]string) string {
	t.Helper()
	status, o := r.request("POST", "/api/v1/account/applications/token",
		`{"client_id":"`+ClientID+`","client_secret":"`+ClientSecret+`"}`, header)
	if status != 200 || o.Text("expires_in") != "900" || strings.Count(o.Text("access_token"), ".") != 2 {
		t.Fatalf("token: %d %s", status, rawjson.Encode(o))
	}
	return o.Text("access_token")
}

func TestTokenAndOrganizations(t *testing.T) {
	now := noon
	r := newRig(t, Options{Now: func() time.Time { return now }})
	if status, o := r.request("POST", "/api/v1/account/applications/token", `{"client_id":"x","client_secret":"y"}`,
		nil); status != 403 || o.Text("message") == "" {
		t.Errorf("wrong secret: %d", status)
	}
	bearer := map[string]string{"Authorization": "Bearer " + fetched(t, r, nil)}
	status, o := r.request("GET", "/api/v1/workspaces", "", bearer)
	if status != 400 || !strings.Contains(o.Text("message"), "specify target organization") {
		t.Errorf("without an organization: %d %s", status, rawjson.Encode(o))
	}
	if _, o := r.request("GET", "/api/v1/internal/account/organizations", "",
		bearer); len(o.Value("data").([]any)) != 2 {
		t.Errorf("organizations: %s", rawjson.Encode(o))
	}
	bearer["X-Organization-Id"] = SecondOrganizationID
	if status, o := r.request("GET", "/api/v1/workspaces", "", bearer); status != 200 ||
		o.Value("data").([]any)[0].(*rawjson.Map).Text("name") != "sales" {
		t.Errorf("second organization: %d %s", status, rawjson.Encode(o))
	}
	if _, o := r.request("GET", "/api/v1/internal/account/organizations", "",
		bearer); len(o.Value("data").([]any)) != 2 {
		t.Errorf("organizations while one is in use: %s", rawjson.Encode(o))
	}
	fixed := map[string]string{"Authorization": "Bearer " + Token}
	if _, o := r.request("GET", "/api/v1/internal/account/organizations", "",
		fixed); len(o.Value("data").([]any)) != 1 {
		t.Errorf("organizations of the fixed token: %s", rawjson.Encode(o))
	}
	now = now.Add(16 * time.Minute)
	if status, _ := r.request("GET", "/api/v1/workspaces", "", bearer); status != 401 {
		t.Errorf("expired token: %d, want 401", status)
	}
	if status, _ := r.request("GET", "/api/v1/workspaces", "",
		map[string]string{"Authorization": "Bearer " + Token,
			"X-Organization-Id": SecondOrganizationID}); status != 403 {
		t.Errorf("a token for another organization: %d, want 403", status)
	}
	for _, bad := range []string{"", "Bearer", "Bearer x.y.z", "Basic abc"} {
		if status, _ := r.request("GET", "/api/v1/workspaces", "",
			map[string]string{"Authorization": bad}); status != 401 {
			t.Errorf("authorization %q: %d, want 401", bad, status)
		}
	}
}

func TestWorkspacesPage(t *testing.T) {
	r := newRig(t, Options{})
	var names []string
	path := "/api/v1/workspaces?limit=1"
	for path != "" {
		_, _, raw := r.send("GET", path, "")
		o := parse(t, raw)
		list := o.Value("data").([]any)
		if len(list) != 1 {
			t.Fatalf("a page of one holds %d", len(list))
		}
		names = append(names, list[0].(*rawjson.Map).Text("name"))
		path = o.Text("next")
	}
	if strings.Join(names, " ") != "demo staging faults" {
		t.Errorf("workspaces: %v", names)
	}
	for query, want := range map[string]int{"name_contains=STAG": 1, "status=active": 3, "status=inactive": 0} {
		_, _, raw := r.send("GET", "/api/v1/workspaces?"+query, "")
		if got := len(parse(t, raw).Value("data").([]any)); got != want {
			t.Errorf("%s: %d workspaces, want %d", query, got, want)
		}
	}
	for query, want := range map[string]int{"limit=0": 422, "limit=101": 422, "status=x": 422, "cursor=x": 400} {
		if status, _, _ := r.send("GET", "/api/v1/workspaces?"+query, ""); status != want {
			t.Errorf("%s: %d, want %d", query, status, want)
		}
	}
}

func TestConnectorLife(t *testing.T) {
	r := newRig(t, Options{})
	create := func(body string) (int, *rawjson.Map) {
		status, _, raw := r.send("POST", "/api/v1/integrations/connectors", body)
		return status, parse(t, raw)
	}
	for body, want := range map[string]int{
		`{"workspace_name":"demo"}`:                                 422,
		`{"connector_type":"stripe","credentials":{"api_key":"k"}}`: 422,
		`{"workspace_name":"nowhere","connector_type":"stripe",` +
			`"credentials":{"api_key":"k"},"replication_config":{"account_id":"a"}}`: 404,
		`{"workspace_name":"demo","connector_type":"nonsense",` +
			`"credentials":{"api_key":"k"}}`: 404,
		`{"workspace_name":"demo","connector_type":"stripe",` +
			`"credentials":{"password":"k"},"replication_config":{"account_id":"a"}}`: 400,
		`{"workspace_name":"demo","connector_type":"stripe",` +
			`"credentials":{"api_key":"k"}}`: 422,
		`[]`: 422, `{`: 422,
	} {
		if status, o := create(body); status != want || o.Text("message") == "" || len(o.Value("errors").([]any)) == 0 {
			t.Errorf("create %s: %d %s, want %d", body, status, rawjson.Encode(o), want)
		}
	}
	status,
		made := create(`{"workspace_name":"demo","connector_type":"Stripe","name":"mine",` +
		`"credentials":{"api_key":"sk_secret"},"replication_config":{"account_id":"acct_1"}}`)
	if status != 200 || !isUUID(made.Text("id")) {
		t.Fatalf("create: %d %s", status, rawjson.Encode(made))
	}
	if strings.Contains(string(rawjson.Encode(made)), "sk_secret") {
		t.Error("the answer to a creation holds a credential")
	}
	path := "/api/v1/integrations/connectors/" + made.Text("id")
	if status, raw := r.executeOn("demo", "mine", "customers", "list", ""); status != 200 {
		t.Errorf("execute on the new connector: %d %s", status, raw)
	}
	if status, _, raw := r.send("POST", path+"/check", "{}"); status != 200 ||
		parse(t, raw).Text("status") != "succeeded" {
		t.Errorf("check: %d %s", status, raw)
	}
	if status, _, raw := r.send("DELETE", path, ""); status != 202 || !isUUID(parse(t, raw).Text("job_id")) {
		t.Errorf("delete: %d %s", status, raw)
	}
	if status, _, _ := r.send("GET", path, ""); status != 404 {
		t.Errorf("a deleted connector answers %d", status)
	}
}

// The answers hold the members that the public definition requires.
func TestAnswersFollowTheDefinition(t *testing.T) {
	r := newRig(t, Options{})
	id := r.connector("demo", "payments")
	_, _, raw := r.send("GET", "/api/v1/integrations/connectors?workspace_name=demo", "")
	item := parse(t, raw).Value("data").([]any)[0].(*rawjson.Map)
	_, _, raw = r.send("GET", "/api/v1/workspaces", "")
	ws := parse(t, raw).Value("data").([]any)[0].(*rawjson.Map)
	template, _ := item.Value("summarized_source_template").(*rawjson.Map)
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/api/v1/integrations/connectors/" + id, "",
			"id name source_template replication_config created_at updated_at"},
		{"GET", "/api/v1/integrations/connectors/" + id + "/inspect", "",
			"connector_id name workspace_id organization_id source_definition_id context_store_readiness warnings"},
		{"POST", "/api/v1/integrations/connectors/" + id + "/execute", `{"entity":"balance","action":"get"}`,
			"status result connector_metadata execution_metadata"},
		{"POST", "/api/v1/integrations/connectors/" + id + "/execute", `{"entity":"","action":"describe"}`,
			"status result connector_metadata execution_metadata"},
		{"GET", "/api/v1/integrations/definitions/sources", "", "definitions"},
		{"GET", "/api/v1/integrations/definitions/sources/" + template.Text("actor_definition_id"), "",
			"id definition"},
		{"GET", "/api/v1/integrations/templates/sources/" + template.Text("id"), "",
			"id name source_definition_id user_config_spec partial_default_config"},
		{"GET", "/api/v1/workspaces/" + ws.Text("id"), "",
			"id name organization_id status cache_enabled tombstone created_at updated_at"},
		{"GET", "/api/v1/workspaces/stats", "", "active_count inactive_count total_count"},
		{"POST", "/api/v1/account/applications/scoped-token", `{"workspace_name":"demo"}`, "token"},
	} {
		status, _, raw := r.send(c.method, c.path, c.body)
		o := parse(t, raw)
		if status != 200 {
			t.Errorf("%s %s: %d %s", c.method, c.path, status, raw)
		}
		for _, name := range strings.Fields(c.want) {
			if !o.Has(name) {
				t.Errorf("%s %s lacks %s", c.method, c.path, name)
			}
		}
	}
	for _, uuid := range []string{id, item.Text("id"), template.Text("id"), template.Text("actor_definition_id"),
		ws.Text("id"), ws.Text("organization_id")} {
		if !isUUID(uuid) {
			t.Errorf("%q is not a UUID", uuid)
		}
	}
}

func TestRefusals(t *testing.T) {
	r := newRig(t, Options{})
	for _, c := range []struct {
		kind, entity, action, params string
		want                         int
	}{
		{"payments", "nothing", "list", "", 404},
		{"payments", "customers", "fly", "", 404},
		{"payments", "customers", "get", "", 422},
		{"payments", "customers", "get", `{"id":"cus_nobody"}`, 404},
		{"payments", "customers", "list", `{"limit":0}`, 422},
		{"payments", "customers", "list", `{"limit":"ten"}`, 422},
		{"payments", "customers", "list", `{"starting_after":"cus_nobody"}`, 400},
		{"payments", "customers", "api_search", `{"query":"email"}`, 400},
		{"issue_tracker", "issues", "api_search", `{"jql":"order by created"}`, 400},
		{"issue_tracker", "issues", "api_search", `{"jql":"created > -7d"}`, 400},
		{"issue_tracker", "issues", "api_search", `{"jql":"project = PROJ and nonsense = 1"}`, 400},
		{"marketplace_seller", "orders", "list", "", 400},
		{"payments", "customers", "context_store_search", "", 422},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"nonsense":1}}}}`, 400},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"near":{"email":"a"}}}}`, 400},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{}}}`, 400},
	} {
		status, raw := r.execute(c.kind, c.entity, c.action, c.params)
		if o := parse(t, raw); status != c.want || o.Text("message") == "" {
			t.Errorf("%s %s.%s %s: %d %.200s, want %d", c.kind, c.entity, c.action, c.params, status, raw, c.want)
		}
	}
	if status, _, _ := r.send("POST", "/api/v1/integrations/connectors/"+fixedUUID("nobody")+"/execute",
		`{"entity":"a","action":"list"}`); status != 404 {
		t.Errorf("unknown connector: %d, want 404", status)
	}
}

// A refused query is told by the name of the param that holds it, with places
// counted as a person counts them.
func TestRefusedQueriesNameTheirParam(t *testing.T) {
	r := newRig(t, Options{})
	for _, c := range []struct{ kind, entity, action, params, field, message string }{
		{"issue_tracker", "issues", "api_search", `{"jql":"project = X \"a"}`, "params.jql", "character 13"},
		{"issue_tracker", "issues", "api_search", `{"jql":"project = é東 \"a"}`, "params.jql", "character 14"},
		{"issue_tracker", "issues", "api_search", `{"jql":"project ="}`, "params.jql", "a value is missing"},
		{"crm", "accounts", "list", `{"q":"SELECT Id FROM Account WHERE Name ="}`, "params.q", "ends where a value"},
		{"crm", "accounts", "api_search", `{"q":"nothing"}`, "params.q", "FIND"},
		{"payments", "customers", "api_search", `{"query":"email"}`, "params.query", "email"},
	} {
		_, raw := r.execute(c.kind, c.entity, c.action, c.params)
		if !strings.Contains(string(raw), `"`+c.field+`"`) && !strings.Contains(string(raw), c.field+":") ||
			!strings.Contains(string(raw), c.message) {
			t.Errorf("%s: %s, want %s and %q", c.params, raw, c.field, c.message)
		}
	}
}

// A path that is known refuses other methods with those it takes; any other path is not found.
func TestEndpointsAreFoundByPathAndMethod(t *testing.T) {
	r := newRig(t, Options{})
	one := "/api/v1/integrations/connectors/" + r.connector("demo", "payments")
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"PATCH", "/api/v1/workspaces", 405, "GET"},
		{"PATCH", "/api/v1/integrations/connectors", 405, "GET, POST"},
		{"POST", one, 405, "GET, PUT, DELETE"},
		{"PUT", "/api/v1/workspaces/stats", 405, "GET"},
		{"GET", one + "/nothing", 404, ""},
		{"GET", one + "/inspect/nothing", 404, ""},
		{"GET", "/api/v1/workspaces/nobody", 422, ""},
		{"GET", "/elsewhere", 404, ""},
		{"PUT", "/health", 200, ""},
		{"GET", "/api/v1/workspaces/stats/", 200, ""},
	} {
		status, header, raw := r.send(c.method, c.path, "")
		if status != c.status || header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d %q %s", c.method, c.path, status, header.Get("Allow"), raw)
		}
	}
}
