package conformance

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/sandbox"
)

// stranger is a client of the service that shares no code with ours. It does
// what the service's own command line and SDK are seen to do.
type stranger struct {
	t            testing.TB
	host         string
	organization string
	token        string
	// program and version introduce it, as those clients do.
	header [2]string
}

func (s *stranger) send(method, path string, body any) (int, http.Header, []byte) {
	s.t.Helper()
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		content = strings.NewReader(string(raw))
	}
	if !strings.HasPrefix(path, "http") {
		path = s.host + path
	}
	req, err := http.NewRequest(method, path, content)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set(s.header[0], s.header[1])
	if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
	}
	if s.organization != "" {
		req.Header.Set("X-Organization-Id", s.organization)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, res.Header, data
}

// ask makes a call that must succeed and returns its JSON.
func (s *stranger) ask(method, path string, body any) map[string]any {
	s.t.Helper()
	status, _, data := s.send(method, path, body)
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil || status >= 300 {
		s.t.Fatalf("%s %s %v: %d %.300s", method, path, body, status, data)
	}
	return v
}

// signIn exchanges id and secret for a token.
func (s *stranger) signIn() {
	s.t.Helper()
	a := s.ask("POST", "/api/v1/account/applications/token", map[string]any{"client_id": sandbox.ClientID, "client_secret": sandbox.ClientSecret})
	if a["token_type"] != "bearer" || a["expires_in"] != 900.0 || a["access_token"] == "" {
		s.t.Fatalf("token: %v", a)
	}
	s.token = a["access_token"].(string)
}

// workspaces follows the next address, which may be relative, to the end.
func (s *stranger) workspaces(query string) []string {
	var names []string
	for path := "/api/v1/workspaces" + query; path != ""; {
		page := s.ask("GET", path, nil)
		for _, w := range page["data"].([]any) {
			names = append(names, w.(map[string]any)["name"].(string))
		}
		next, _ := page["next"].(string)
		path = next
	}
	return names
}

// idOf finds a connector as the command line does: by any of three names, in any case.
func (s *stranger) idOf(workspace, name string) string {
	s.t.Helper()
	found := map[string]bool{}
	id := ""
	for _, item := range s.ask("GET", connectorsPath+"?workspace_name="+url.QueryEscape(workspace), nil)["data"].([]any) {
		c := item.(map[string]any)
		template := c["summarized_source_template"].(map[string]any)
		for _, candidate := range []any{c["name"], template["name"], template["connector_name"]} {
			if text, _ := candidate.(string); strings.EqualFold(text, name) {
				id = c["id"].(string)
				found[id] = true
			}
		}
	}
	if len(found) != 1 {
		s.t.Fatalf("%d connectors are called %s in %s", len(found), name, workspace)
	}
	return id
}

// execute reads $.result and $.connector_metadata, which must be present.
func (s *stranger) execute(id, entity, action string, params map[string]any) (result, meta any) {
	s.t.Helper()
	body := map[string]any{"entity": entity, "action": action, "skip_truncation": true}
	if params != nil {
		body["params"] = params
	}
	a := s.ask("POST", connectorsPath+"/"+id+"/execute", body)
	result, has := a["result"]
	if _, told := a["execution_metadata"].(map[string]any); !has || a["status"] != "success" || !told {
		s.t.Fatalf("%s %s: no envelope: %v", entity, action, a)
	}
	return result, a["connector_metadata"]
}

func strangers(t testing.TB, host string) map[string]*stranger {
	return map[string]*stranger{
		"cli": {t: t, host: host, organization: sandbox.OrganizationID, header: [2]string{"X-ADP-Agent-CLI", "1.2.3"}},
		"sdk": {t: t, host: host, organization: sandbox.OrganizationID, header: [2]string{"X-ADP-Agent-SDK", "agent-sdk"}},
	}
}

func TestStrangersListDescribeAndExecute(t *testing.T) {
	b := newBench(t, sandbox.Options{Records: 60})
	for name, s := range strangers(t, b.url) {
		s.signIn()
		if got := fmt.Sprint(s.workspaces("?limit=1")); got != "[demo staging faults]" {
			t.Errorf("%s: workspaces %s", name, got)
		}
		if got := fmt.Sprint(s.workspaces("?name_contains=STAG&status=active")); got != "[staging]" {
			t.Errorf("%s: filtered workspaces %s", name, got)
		}
		for _, called := range []string{"payments", "STRIPE", "Stripe"} {
			id := s.idOf("staging", called)
			described, _ := s.execute(id, "", "describe", nil)
			checkType(t, b.d, "DescribeResult", described)
			records, meta := s.execute(id, "customers", "list", map[string]any{"limit": 3})
			if len(records.([]any)) != 3 || meta.(map[string]any)["has_more"] != true {
				t.Errorf("%s: %v %v", name, records, meta)
			}
		}
		one := s.ask("GET", connectorsPath+"?workspace_name=staging&definition_id="+s.definition("Stripe"), nil)["data"].([]any)
		if len(one) != 1 {
			t.Errorf("%s: %d connectors of one definition", name, len(one))
		}
		if def := s.ask("GET", connectorsPath+"?workspace_name=default", nil)["data"].([]any); len(def) < 20 {
			t.Errorf("%s: the default workspace has %d connectors", name, len(def))
		}
	}
}

func (s *stranger) definition(name string) string {
	s.t.Helper()
	list := s.ask("GET", "/api/v1/integrations/definitions/sources?name="+name, nil)["definitions"].([]any)
	if len(list) != 1 {
		s.t.Fatalf("%d definitions of %s", len(list), name)
	}
	return list[0].(map[string]any)["sourceDefinitionId"].(string)
}

func checkType(t testing.TB, d *definition, name string, v any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err == nil {
		err = d.check("#/components/schemas/"+name, raw)
	}
	if err != nil {
		t.Errorf("%v\n%.400s", err, raw)
	}
}

// TestStrangersCreate goes through the rules of a creation: one of three ways to
// name the type, at least one of three ways to get in.
func TestStrangersCreate(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	s := strangers(t, b.url)["cli"]
	s.signIn()
	credentials, config := map[string]any{"api_key": "sk"}, map[string]any{"account_id": "acct"}
	template := s.ask("GET", "/api/v1/integrations/templates/sources/global", nil)["data"].([]any)
	for name, way := range map[string]map[string]any{
		"slug":       {"connector_type": "STRIPE"},
		"display":    {"connector_type": "Stripe"},
		"definition": {"definition_id": s.definition("Stripe")},
		"template":   {"source_template_id": templateOf(template, "stripe")},
		"no secret":  {"connector_type": "stripe", "credentials": nil, "server_side_oauth_secret_id": "secret-1"},
	} {
		body := map[string]any{"workspace_name": "demo", "name": "mine " + name, "credentials": credentials, "replication_config": config}
		for k, v := range way {
			body[k] = v
		}
		id := s.ask("POST", connectorsPath, body)["id"].(string)
		if check := s.ask("POST", connectorsPath+"/"+id+"/check", map[string]any{}); check["status"] != "succeeded" {
			t.Errorf("%s: %v", name, check)
		}
		if status, _, data := s.send("DELETE", connectorsPath+"/"+id, nil); status != 202 || !strings.Contains(string(data), "job_id") {
			t.Errorf("%s: delete %d %s", name, status, data)
		}
	}
}

func templateOf(list []any, connector string) string {
	for _, item := range list {
		if t := item.(map[string]any); t["connector_name"] == connector {
			return t["id"].(string)
		}
	}
	return ""
}

// TestConnectorTypesInEverySpelling creates a connector of each kind by its slug
// and by its display name with and without dashes.
func TestConnectorTypesInEverySpelling(t *testing.T) {
	cat := catalog.New()
	b := newBench(t, sandbox.Options{Catalog: cat})
	for _, known := range cat.Kinds() {
		k, err := cat.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		body := map[string]any{"workspace_name": "staging", "replication_config": map[string]any{}}
		for _, f := range k.Config {
			body["replication_config"].(map[string]any)[f.Name] = "x"
		}
		for _, spelling := range []string{k.ConnectorType, strings.ToUpper(k.ConnectorType), k.System, strings.ReplaceAll(k.System, " ", "-")} {
			body["connector_type"] = spelling
			raw, _ := json.Marshal(body)
			if got := b.call(200, "POST", connectorsPath, string(raw)).at(t, "source_template", "name"); got != k.System {
				t.Errorf("%s made a connector of %s", spelling, got)
			}
		}
	}
}

// TestStrangersDownload reads files raw, in ranges, and as JSON.
func TestStrangersDownload(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	s := strangers(t, b.url)["sdk"]
	s.signIn()
	id := s.idOf("demo", "call_recording")
	records, _ := s.execute(id, "calls", "list", map[string]any{"fromDateTime": "2000-01-01T00:00:00Z"})
	call := fmt.Sprint(records.([]any)[0].(map[string]any)["id"])
	params := func(more ...string) map[string]any {
		p := map[string]any{"filter": map[string]any{"callIds": []string{call}}, "contentSelector": map[string]any{}}
		for i := 0; i+1 < len(more); i += 2 {
			p[more[i]] = more[i+1]
		}
		return map[string]any{"entity": "call_audio", "action": "download", "params": p}
	}
	path := connectorsPath + "/" + id + "/execute"
	status, header, whole := s.send("POST", path, params())
	if status != 200 || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment; filename=") || header.Get("Content-Type") != "audio/wav" || len(whole) == 0 {
		t.Errorf("raw: %d %v %d bytes", status, header, len(whole))
	}
	status, header, part := s.send("POST", path, params("range_header", "bytes=0-43"))
	if string(part) != string(whole[:44]) || status != 206 || !strings.HasPrefix(header.Get("Content-Range"), "bytes 0-43/") {
		t.Errorf("range: %d %v %d bytes", status, header, len(part))
	}
	a := s.ask("POST", path, params("_airbyte_response_type", "json", "_airbyte_response_format", "base64",
		"range_header", "bytes=0-43"))
	window, _ := a["result"].(map[string]any)
	bytes, err := base64.StdEncoding.DecodeString(fmt.Sprint(window["content"]))
	if err != nil || string(bytes) != string(whole[:44]) || window["bytes_returned"] != 44.0 ||
		window["next_range_header"] != "bytes=44-87" || window["has_more"] != true {
		t.Errorf("a window: %v %v", window, err)
	}
	status, _, _ = s.send("POST", path, params("_airbyte_response_type", "json", "_airbyte_response_format", "text"))
	if status != 422 {
		t.Errorf("sound as text: %d", status)
	}
}

// TestStrangersAreTold: what the service's clients look for in refusals.
func TestStrangersAreTold(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	s := strangers(t, b.url)["cli"]
	s.organization = ""
	s.signIn()
	status, _, data := s.send("GET", "/api/v1/workspaces", nil)
	if status != 400 || !strings.Contains(strings.ToLower(string(data)), "specify target organization") {
		t.Errorf("several organizations: %d %s", status, data)
	}
	if n := len(s.ask("GET", "/api/v1/internal/account/organizations", nil)["data"].([]any)); n != 2 {
		t.Errorf("%d organizations", n)
	}
	s.organization = strings.ToUpper(sandbox.SecondOrganizationID)
	if got := fmt.Sprint(s.workspaces("")); got != "[sales]" {
		t.Errorf("second organization: %s", got)
	}
	status, _, data = s.send("POST", connectorsPath, map[string]any{"workspace_name": "sales", "credentials": map[string]any{"a": "b"}})
	var e struct {
		Errors []struct {
			Field     string
			ErrorCode string `json:"error_code"`
		}
	}
	if json.Unmarshal(data, &e) != nil || status != 422 || len(e.Errors) != 1 || e.Errors[0].Field != "body" || e.Errors[0].ErrorCode != "value_error" {
		t.Errorf("no type: %d %s", status, data)
	}
}

// TestEveryKindIsDescribed: the description of each kind has the declared form,
// and each search that it offers answers in the declared envelope.
func TestEveryKindIsDescribed(t *testing.T) {
	b := newBench(t, sandbox.Options{Records: 5, Shape: sandbox.ShapeAPI})
	list := b.call(200, "GET", connectorsPath+"?workspace_name=demo", "")
	var all struct{ Data []struct{ ID, Name string } }
	if err := json.Unmarshal(list.body, &all); err != nil || len(all.Data) < 20 {
		t.Fatalf("%d connectors, %v", len(all.Data), err)
	}
	for _, c := range all.Data {
		path := connectorsPath + "/" + c.ID
		var described struct {
			Result struct {
				Entities []struct {
					EntityName       string   `json:"entity_name"`
					AvailableActions []string `json:"available_actions"`
				}
			}
		}
		answer := b.call(200, "POST", path+"/execute", `{"entity":"","action":"describe"}`)
		if err := json.Unmarshal(answer.body, &described); err != nil || len(described.Result.Entities) == 0 {
			t.Errorf("%s: %v", c.Name, err)
		}
		var whole struct{ Result json.RawMessage }
		_ = json.Unmarshal(answer.body, &whole)
		checkType(t, b.d, "DescribeResult", whole.Result)
		b.call(200, "GET", path+"/inspect", "")
		b.call(200, "GET", path, "")
		b.call(200, "POST", path+"/check", `{}`)
		for _, e := range described.Result.Entities {
			if strings.Contains(strings.Join(e.AvailableActions, " "), "context_store_search") {
				found := b.call(200, "POST", path+"/execute", `{"entity":"`+e.EntityName+`","action":"context_store_search","params":{"query":{},"limit":1}}`)
				_ = json.Unmarshal(found.body, &whole)
				checkType(t, b.d, "SearchResult", whole.Result)
			}
		}
	}
}

// TestStrangersConsent goes through the consent of an OAuth kind, of which the
// browser comes back with the id of the new connector.
func TestStrangersConsent(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	s := strangers(t, b.url)["cli"]
	s.signIn()
	address := s.ask("POST", connectorsPath+"/oauth/initiate", map[string]any{"workspace_name": "staging", "connector_type": "salesforce", "redirect_url": "https://app.example/done?a=b"})["consent_url"].(string)
	refused := newPerson(t).visit(address).decide("refuse")
	if q := refused.to.Query(); q.Get("error") != "access_denied" || q.Has("connector_id") {
		t.Errorf("refused: back to %v", refused.to)
	}
	back := newPerson(t).visit(address).decide("agree").to
	if back.Host != "app.example" || back.Query().Get("a") != "b" {
		t.Fatalf("back to %v", back)
	}
	if got := s.ask("GET", connectorsPath+"/"+back.Query().Get("connector_id"), nil)["name"]; got != "Salesforce" {
		t.Errorf("the connector is called %v", got)
	}
	for _, bad := range []string{"", "?state=x", "?state=" + url.QueryEscape(s.token)} {
		if status, _, _ := s.send("GET", "/consent"+bad, nil); status != 403 {
			t.Errorf("%s: %d", bad, status)
		}
	}
}

// TestStrangersPageStores reads the stores of all connectors as the command line does:
// until a page is shorter than asked for.
func TestStrangersPageStores(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	s := strangers(t, b.url)["cli"]
	s.signIn()
	path := "/api/v1/organizations/" + sandbox.OrganizationID + "/credentials?limit=7&offset="
	seen, pages := map[any]bool{}, 0
	for more := true; more; pages++ {
		page := s.ask("GET", path+strconv.Itoa(7*pages), nil)
		list := page["data"].([]any)
		for _, item := range list {
			seen[item.(map[string]any)["id"]] = true
		}
		if more = len(list) == 7; !more && float64(len(seen)) != page["total"] {
			t.Errorf("%d stores in %d pages, of %v", len(seen), pages+1, page["total"])
		}
	}
	if want := len(seen)/7 + 1; pages != want {
		t.Errorf("%d pages, want %d", pages, want)
	}
}
