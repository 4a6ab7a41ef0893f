package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func (r *rig) request(method, path, body string, header map[string]string) (int, *object) {
	r.t.Helper()
	req, err := http.NewRequest(method, BaseURL+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	status, _, data := r.do(req)
	return status, parse(r.t, data)
}

func fetched(t *testing.T, r *rig, header map[string]string) string {
	t.Helper()
	status, o := r.request("POST", "/api/v1/account/applications/token", `{"client_id":"`+ClientID+`","client_secret":"`+ClientSecret+`"}`, header)
	if status != 200 || o.text("expires_in") != "900" || strings.Count(o.text("access_token"), ".") != 2 {
		t.Fatalf("token: %d %s", status, appendObject(nil, o))
	}
	return o.text("access_token")
}

func TestTokenAndOrganizations(t *testing.T) {
	now := noon
	r := newRig(t, Options{Now: func() time.Time { return now }})
	if status, o := r.request("POST", "/api/v1/account/applications/token", `{"client_id":"x","client_secret":"y"}`, nil); status != 403 || o.text("message") == "" {
		t.Errorf("wrong secret: %d", status)
	}
	bearer := map[string]string{"Authorization": "Bearer " + fetched(t, r, nil)}
	status, o := r.request("GET", "/api/v1/workspaces", "", bearer)
	if status != 400 || !strings.Contains(o.text("message"), "specify target organization") {
		t.Errorf("without an organization: %d %s", status, appendObject(nil, o))
	}
	if _, o := r.request("GET", "/api/v1/internal/account/organizations", "", bearer); len(o.value("data").([]any)) != 2 {
		t.Errorf("organizations: %s", appendObject(nil, o))
	}
	bearer["X-Organization-Id"] = SecondOrganizationID
	if status, o := r.request("GET", "/api/v1/workspaces", "", bearer); status != 200 || o.value("data").([]any)[0].(*object).text("name") != "sales" {
		t.Errorf("second organization: %d %s", status, appendObject(nil, o))
	}
	if _, o := r.request("GET", "/api/v1/internal/account/organizations", "", bearer); len(o.value("data").([]any)) != 2 {
		t.Errorf("organizations while one is in use: %s", appendObject(nil, o))
	}
	fixed := map[string]string{"Authorization": "Bearer " + Token}
	if _, o := r.request("GET", "/api/v1/internal/account/organizations", "", fixed); len(o.value("data").([]any)) != 1 {
		t.Errorf("organizations of the fixed token: %s", appendObject(nil, o))
	}
	now = now.Add(16 * time.Minute)
	if status, _ := r.request("GET", "/api/v1/workspaces", "", bearer); status != 401 {
		t.Errorf("expired token: %d, want 401", status)
	}
	if status, _ := r.request("GET", "/api/v1/workspaces", "", map[string]string{"Authorization": "Bearer " + Token, "X-Organization-Id": SecondOrganizationID}); status != 403 {
		t.Errorf("a token for another organization: %d, want 403", status)
	}
	for _, bad := range []string{"", "Bearer", "Bearer x.y.z", "Basic abc"} {
		if status, _ := r.request("GET", "/api/v1/workspaces", "", map[string]string{"Authorization": bad}); status != 401 {
			t.Errorf("authorization %q: %d, want 401", bad, status)
		}
	}
}

func TestWorkspacesPage(t *testing.T) {
	r := newRig(t, Options{})
	var names []string
	path := "/api/v1/workspaces?limit=1"
	for path != "" {
		_, _, data := r.send("GET", path, "")
		o := parse(t, data)
		list := o.value("data").([]any)
		if len(list) != 1 {
			t.Fatalf("a page of one holds %d", len(list))
		}
		names = append(names, list[0].(*object).text("name"))
		path = o.text("next")
	}
	if strings.Join(names, " ") != "demo staging faults" {
		t.Errorf("workspaces: %v", names)
	}
	for query, want := range map[string]int{"name_contains=STAG": 1, "status=active": 3, "status=inactive": 0} {
		_, _, data := r.send("GET", "/api/v1/workspaces?"+query, "")
		if got := len(parse(t, data).value("data").([]any)); got != want {
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
	create := func(body string) (int, *object) {
		status, _, data := r.send("POST", "/api/v1/integrations/connectors", body)
		return status, parse(t, data)
	}
	for body, want := range map[string]int{
		`{"workspace_name":"demo"}`:                                 422,
		`{"connector_type":"stripe","credentials":{"api_key":"k"}}`: 422,
		`{"workspace_name":"nowhere","connector_type":"stripe","credentials":{"api_key":"k"},"replication_config":{"account_id":"a"}}`: 404,
		`{"workspace_name":"demo","connector_type":"nonsense","credentials":{"api_key":"k"}}`:                                          404,
		`{"workspace_name":"demo","connector_type":"stripe","credentials":{"password":"k"},"replication_config":{"account_id":"a"}}`:   400,
		`{"workspace_name":"demo","connector_type":"stripe","credentials":{"api_key":"k"}}`:                                            422,
		`[]`: 422, `{`: 422,
	} {
		if status, o := create(body); status != want || o.text("message") == "" || len(o.value("errors").([]any)) == 0 {
			t.Errorf("create %s: %d %s, want %d", body, status, appendObject(nil, o), want)
		}
	}
	status, made := create(`{"workspace_name":"demo","connector_type":"Stripe","name":"mine","credentials":{"api_key":"sk_secret"},"replication_config":{"account_id":"acct_1"}}`)
	if status != 200 || !isUUID(made.text("id")) {
		t.Fatalf("create: %d %s", status, appendObject(nil, made))
	}
	if strings.Contains(string(appendObject(nil, made)), "sk_secret") {
		t.Error("the answer to a creation holds a credential")
	}
	path := "/api/v1/integrations/connectors/" + made.text("id")
	if status, data := r.executeOn("demo", "mine", "customers", "list", ""); status != 200 {
		t.Errorf("execute on the new connector: %d %s", status, data)
	}
	if status, _, data := r.send("POST", path+"/check", "{}"); status != 200 || parse(t, data).text("status") != "succeeded" {
		t.Errorf("check: %d %s", status, data)
	}
	if status, _, data := r.send("DELETE", path, ""); status != 202 || !isUUID(parse(t, data).text("job_id")) {
		t.Errorf("delete: %d %s", status, data)
	}
	if status, _, _ := r.send("GET", path, ""); status != 404 {
		t.Errorf("a deleted connector answers %d", status)
	}
}

// The answers hold the members that the public definition requires.
func TestAnswersFollowTheDefinition(t *testing.T) {
	r := newRig(t, Options{})
	id := r.connector("demo", "payments")
	_, _, data := r.send("GET", "/api/v1/integrations/connectors?workspace_name=demo", "")
	item := parse(t, data).value("data").([]any)[0].(*object)
	_, _, data = r.send("GET", "/api/v1/workspaces", "")
	ws := parse(t, data).value("data").([]any)[0].(*object)
	template, _ := item.value("summarized_source_template").(*object)
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/api/v1/integrations/connectors/" + id, "", "id name source_template replication_config created_at updated_at"},
		{"GET", "/api/v1/integrations/connectors/" + id + "/inspect", "", "connector_id name workspace_id organization_id source_definition_id context_store_readiness warnings"},
		{"POST", "/api/v1/integrations/connectors/" + id + "/execute", `{"entity":"balance","action":"get"}`, "status result connector_metadata execution_metadata"},
		{"POST", "/api/v1/integrations/connectors/" + id + "/execute", `{"entity":"","action":"describe"}`, "status result connector_metadata execution_metadata"},
		{"GET", "/api/v1/integrations/definitions/sources", "", "definitions"},
		{"GET", "/api/v1/integrations/definitions/sources/" + template.text("actor_definition_id"), "", "id definition"},
		{"GET", "/api/v1/integrations/templates/sources/" + template.text("id"), "", "id name source_definition_id user_config_spec partial_default_config"},
		{"GET", "/api/v1/workspaces/" + ws.text("id"), "", "id name organization_id status cache_enabled tombstone created_at updated_at"},
		{"GET", "/api/v1/workspaces/stats", "", "active_count inactive_count total_count"},
		{"POST", "/api/v1/account/applications/scoped-token", `{"workspace_name":"demo"}`, "token"},
	} {
		status, _, data := r.send(c.method, c.path, c.body)
		o := parse(t, data)
		if status != 200 {
			t.Errorf("%s %s: %d %s", c.method, c.path, status, data)
		}
		for _, name := range strings.Fields(c.want) {
			if !o.has(name) {
				t.Errorf("%s %s lacks %s", c.method, c.path, name)
			}
		}
	}
	for _, uuid := range []string{id, item.text("id"), template.text("id"), template.text("actor_definition_id"), ws.text("id"), ws.text("organization_id")} {
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
		{"payments", "customers", "context_store_search", `{"query":{"filter":{}}}`, 422},
	} {
		status, data := r.execute(c.kind, c.entity, c.action, c.params)
		if o := parse(t, data); status != c.want || o.text("message") == "" {
			t.Errorf("%s %s.%s %s: %d %.200s, want %d", c.kind, c.entity, c.action, c.params, status, data, c.want)
		}
	}
	if status, _, _ := r.send("POST", "/api/v1/integrations/connectors/"+fixedUUID("nobody")+"/execute", `{"entity":"a","action":"list"}`); status != 404 {
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
		{"issue_tracker", "issues", "api_search", `{"jql":"project ="}`, "params.jql", "ends where a value"},
		{"crm", "accounts", "list", `{"q":"SELECT Id FROM Account WHERE Name ="}`, "params.q", "ends where a value"},
		{"crm", "accounts", "api_search", `{"q":"nothing"}`, "params.q", "FIND"},
		{"payments", "customers", "api_search", `{"query":"email"}`, "params.query", "email"},
	} {
		_, data := r.execute(c.kind, c.entity, c.action, c.params)
		if !strings.Contains(string(data), `"`+c.field+`"`) && !strings.Contains(string(data), c.field+":") || !strings.Contains(string(data), c.message) {
			t.Errorf("%s: %s, want %s and %q", c.params, data, c.field, c.message)
		}
	}
}
