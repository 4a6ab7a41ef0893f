package local

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/catalog/source"
	"patchbay/client"
)

func TestServerAddress(t *testing.T) {
	key := []string{"ISSUE_TRACKER_USERNAME", "a@b.c", "ISSUE_TRACKER_PASSWORD", "pw-123"}
	seller := []string{"MARKETPLACE_SELLER_ACCESS_TOKEN", "Atza|1", "MARKETPLACE_SELLER_LWA_APP_ID", "x"}
	ads := []string{"MARKETPLACE_ADVERTISING_ACCESS_TOKEN", "Atza|1"}
	sentry := []string{"ERROR_TRACKING_AUTH_TOKEN", "tok-1", "ERROR_TRACKING_ORGANIZATION", "acme"}
	const orders, profiles = `{"CreatedAfter":"2026-01-01T00:00:00Z"}`, `{}`
	cases := []struct {
		kind, entity, params string
		env                  []string
		want                 string // empty: refused before any request
	}{
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "acme"), "https://acme.atlassian.net/rest/api/3/users"},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "acme.atlassian.net"), "https://acme.atlassian.net/rest/api/3/users"},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "https://acme.atlassian.net/"), "https://acme.atlassian.net/rest/api/3/users"},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "evil.example/"), "https://evil.example.atlassian.net/rest/api/3/users"},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "evil.example/x"), ""},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "evil.example#"), ""},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_SUBDOMAIN", "me@evil.example"), ""},
		{"issue_tracker", "users", "{}", key, ""},
		{"issue_tracker", "users", "{}", append(key, "ISSUE_TRACKER_BASE_URL", "http://127.0.0.1:9/jira/"), "http://127.0.0.1:9/jira/rest/api/3/users"},
		{"marketplace_seller", "orders", orders, seller, "https://sellingpartnerapi-na.amazon.com/orders/v0/orders"},
		{"marketplace_seller", "orders", orders, append(seller, "MARKETPLACE_SELLER_REGION", "jp"), "https://sellingpartnerapi-fe.amazon.com/orders/v0/orders"},
		{"marketplace_seller", "orders", orders, append(seller, "MARKETPLACE_SELLER_REGION", "Eu"), "https://sellingpartnerapi-eu.amazon.com/orders/v0/orders"},
		{"marketplace_seller", "orders", orders, append(seller, "MARKETPLACE_SELLER_REGION", "atlantis"), "https://sellingpartnerapi-na.amazon.com/orders/v0/orders"},
		{"marketplace_seller", "orders", orders, append(seller, "MARKETPLACE_SELLER_REGION", "https://sandbox.sellingpartnerapi-eu.amazon.com"), "https://sandbox.sellingpartnerapi-eu.amazon.com/orders/v0/orders"},
		{"marketplace_advertising", "profiles", profiles, ads, "https://advertising-api.amazon.com/v2/profiles"},
		{"marketplace_advertising", "profiles", profiles, append(ads, "MARKETPLACE_ADVERTISING_REGION", "https://advertising-api-eu.amazon.com/"), "https://advertising-api-eu.amazon.com/v2/profiles"},
		{"marketplace_advertising", "profiles", profiles, append(ads, "MARKETPLACE_ADVERTISING_REGION", "mars"), ""},
		{"error_tracking", "projects", "{}", sentry, "https://sentry.io/api/0/organizations/acme/projects/"},
		{"error_tracking", "projects", "{}", append(sentry, "ERROR_TRACKING_HOSTNAME", "sentry.example.com:9000"), "https://sentry.example.com:9000/api/0/organizations/acme/projects/"},
		{"error_tracking", "projects", "{}", append(sentry, "ERROR_TRACKING_HOSTNAME", "http://localhost:9000"), "http://localhost:9000/api/0/organizations/acme/projects/"},
		{"email_campaign", "campaigns", "{}", []string{"EMAIL_CAMPAIGN_API_KEY", "abc-us21"}, "https://us21.api.mailchimp.com/3.0/campaigns"},
		{"email_campaign", "campaigns", "{}", []string{"EMAIL_CAMPAIGN_API_KEY", "abc-us21", "EMAIL_CAMPAIGN_DATA_CENTER", "us3"}, "https://us3.api.mailchimp.com/3.0/campaigns"},
		{"email_campaign", "campaigns", "{}", []string{"EMAIL_CAMPAIGN_API_KEY", "nodatacenter"}, "https://us1.api.mailchimp.com/3.0/campaigns"},
		{"email_campaign", "campaigns", "{}", []string{"EMAIL_CAMPAIGN_API_KEY", "abc-0123456789abcdef"}, "https://us1.api.mailchimp.com/3.0/campaigns"},
	}
	for _, c := range cases {
		s := always(200, nil, `{}`)
		_, e := execute(t, testClient(s, env(c.env...)), c.kind, c.entity, "list", c.params)
		if c.want == "" {
			if e == nil || e.Class != client.ClassConfig || len(s.seen) > 0 {
				t.Errorf("%v: %d requests, %v", c.env, len(s.seen), e)
			}
			continue
		}
		if len(s.seen) != 1 {
			t.Errorf("%v: %d requests, %v", c.env, len(s.seen), e)
			continue
		}
		if got, _, _ := strings.Cut(s.seen[0].URL.String(), "?"); got != c.want {
			t.Errorf("%v: called %s, want %s", c.env, got, c.want)
		}
	}
}

func TestRefusedBeforeAnyRequest(t *testing.T) {
	variables := env("PAYMENTS_API_KEY", "sk", "TEAM_WIKI_USERNAME", "a", "CODE_HOSTING_TOKEN", "t", "TASK_MANAGEMENT_API_KEY", "k", "CALL_RECORDING_ACCESS_KEY", "a", "CALL_RECORDING_ACCESS_KEY_SECRET", "b")
	cases := []struct {
		kind, entity, action, params string
		class                        client.Class
		field                        string
	}{
		{"payments", "customers", "context_store_search", `{"query":{}}`, client.ClassRefused, ""},
		{"call_recording", "call_transcripts", "semantic_search", `{}`, client.ClassRefused, ""},
		{"payments", "customers", "get", `{}`, client.ClassInvalid, "id"},
		{"payments", "customers", "get", `{"id":"  "}`, client.ClassInvalid, "id"},
		{"payments", "customers", "get", `{"id":".."}`, client.ClassInvalid, "id"},
		{"payments", "customers", "list", `{"limit":500}`, client.ClassInvalid, "limit"},
		{"payments", "customers", "list", `{"limit":`, client.ClassInvalid, ""},
		{"payments", "nothing", "list", `{}`, client.ClassInvalid, "entity"},
		{"payments", "customers", "fly", `{}`, client.ClassInvalid, "action"},
		{"nothing", "customers", "list", `{}`, client.ClassNotFound, ""},
		{"code_hosting", "repositories", "get", `{}`, client.ClassInvalid, "owner"},
		{"code_hosting", "repositories", "get", `{"owner":"a","repo":"b","fields":["id } evil {"]}`, client.ClassInvalid, "fields"},
		{"task_management", "tasks", "list", `{}`, client.ClassInvalid, "list_id"},
	}
	for _, c := range cases {
		s := always(200, nil, `{}`)
		_, e := execute(t, testClient(s, variables), c.kind, c.entity, c.action, c.params)
		if e == nil || e.Class != c.class || e.Field != c.field || len(s.seen) > 0 || e.Layer != client.LayerProgram {
			t.Errorf("%s %s %s %s: %d requests, %+v", c.kind, c.entity, c.action, c.params, len(s.seen), e)
		}
	}
}

func TestPaymentsOverHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer sk_test_1":
			w.WriteHeader(401)
		case r.URL.Path == "/base/v1/customers" && r.URL.RawQuery == "limit=3&created%5Bgte%5D=1700000000":
			fmt.Fprint(w, `{"object":"list","has_more":false,"data":[{"id":"cus_1"},{"id":"cus_2"}]}`)
		case r.URL.Path == "/base/v1/customers/cus_1":
			fmt.Fprint(w, `{"id":"cus_1","object":"customer"}`)
		default:
			w.WriteHeader(404)
		}
	}))
	defer server.Close()
	c := testClient(nil, env("PAYMENTS_API_KEY", "sk_test_1"))
	target := client.Target{Kind: "payments", Local: true, BaseURL: server.URL + "/base"}
	list, err := c.Execute(t.Context(), target, client.Operation{Entity: "customers", Action: "list", Params: []byte(`{"limit":3,"created":{"gte":1700000000}}`)})
	if err != nil || list.RecordsPath != "data" || string(list.MetaJSON) != `{"has_more":false}` {
		t.Fatalf("%v, %+v", err, list)
	}
	one, err := c.Execute(t.Context(), target, client.Operation{Entity: "customers", Action: "get", Params: []byte(`{"id":"cus_1"}`)})
	if err != nil || !one.Single || one.Records.Empty() {
		t.Fatalf("%v, %+v", err, one)
	}
}

func TestUnknownParamsAreNotSent(t *testing.T) {
	s := always(200, nil, `{"data":[]}`)
	envelope, e := execute(t, testClient(s, env("PAYMENTS_API_KEY", "sk_test_1")), "payments", "customers", "list", `{"limt":3}`)
	if e != nil || s.seen[0].URL.RawQuery != "" || !strings.Contains(envelope.Warning, "limt") {
		t.Errorf("%v, query %q, warning %q", e, s.seen[0].URL.RawQuery, envelope.Warning)
	}
}

func TestNextAddress(t *testing.T) {
	variables := env("CRM_ACCESS_TOKEN", "tok-1", "CRM_INSTANCE_URL", "https://acme.my.salesforce.com")
	for address, want := range map[string]string{
		"/services/data/v59.0/query/01g-2000":            "https://acme.my.salesforce.com/services/data/v59.0/query/01g-2000",
		"https://acme.my.salesforce.com/x?y=1":           "https://acme.my.salesforce.com/x?y=1",
		"https://evil.example/services/data/v59.0/query": "",
		"//evil.example/x":                               "",
		"http://acme.my.salesforce.com/x":                "",
		"https://u:p@acme.my.salesforce.com/x":           "",
	} {
		s := always(200, nil, `{"records":[],"done":true}`)
		c := testClient(s, variables)
		_, err := c.Execute(t.Context(), client.Target{Kind: "crm"}, client.Operation{Entity: "accounts", Action: "list", Params: []byte(crmQuery), NextURL: address})
		switch {
		case want == "" && (err == nil || len(s.seen) > 0):
			t.Errorf("%s: credentials left for %s", address, s.paths())
		case want != "" && (err != nil || s.seen[0].URL.String() != want):
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestFileAddresses(t *testing.T) {
	variables := env("RECRUITING_API_KEY", "gh-hidden-key")
	for address, signed := range map[string]bool{
		"https://harvest.greenhouse.io/v1/files/1": true,
		"/v1/files/1":                                    true,
		"https://harvest.greenhouse.io/other/1":          false,
		"https://harvest.greenhouse.io/v1/../other":      false,
		"https://harvest.greenhouse.io/v1/%2E%2e/other":  false,
		"https://harvest.greenhouse.io/v1/a%2f..%2fb":    false,
		"https://harvest.greenhouse.io.evil.example/v1/": false,
		"https://s3.example.com/v1/file?sig=1":           false,
	} {
		s := &server{answer: func(r *http.Request, _ string) (int, map[string]string, string) {
			if r.URL.Path == "/v1/applications/7" {
				return 200, nil, `{"attachments":[{"url":"` + address + `"}]}`
			}
			return 200, map[string]string{"Content-Disposition": `attachment; filename="../../etc/passwd"`}, "bytes"
		}}
		var out bytes.Buffer
		envelope, err := testClient(s, variables).Download(t.Context(), client.Target{Kind: "recruiting"},
			client.Operation{Entity: "application_attachment", Action: "download", Params: []byte(`{"id":7}`)}, &out)
		if err != nil || out.String() != "bytes" || envelope.FileName != "passwd" {
			t.Fatalf("%s: %v, %q, %+v", address, err, out.String(), envelope)
		}
		if got := s.seen[1].Header.Get("Authorization") != ""; got != signed {
			t.Errorf("%s: signed is %v", address, got)
		}
	}
	for _, body := range []string{`{"attachments":[]}`, `{}`, `{"attachments":[{"url":"ftp://x/y"}]}`, `{"attachments":[{"url":"http://plain.example/y"}]}`} {
		var out bytes.Buffer
		_, err := testClient(always(200, nil, body), variables).Download(t.Context(), client.Target{Kind: "recruiting"},
			client.Operation{Entity: "application_attachment", Action: "download", Params: []byte(`{"id":7}`)}, &out)
		if err == nil || out.Len() > 0 {
			t.Errorf("%s: downloaded %q", body, out.String())
		}
	}
}

func TestRedirectsToAnotherHostAreNotFollowed(t *testing.T) {
	s := always(302, map[string]string{"Location": "https://elsewhere.example/x"}, "")
	_, e := execute(t, testClient(s, env("PAYMENTS_API_KEY", "sk_live_hidden")), "payments", "customers", "list", `{}`)
	if e == nil || e.Class != client.ClassConfig || len(s.seen) != 1 {
		t.Errorf("%s: %v", s.paths(), e)
	}
}

// The file of a download may lie where the third party redirects to; the credentials stay.
func TestDownloadsFollowRedirectsUnsigned(t *testing.T) {
	var far http.Header
	base := &server{answer: func(r *http.Request, _ string) (int, map[string]string, string) {
		if r.URL.Host == "storage.example" {
			far = r.Header.Clone()
			return 200, nil, "the file"
		}
		return 302, map[string]string{"Location": "https://storage.example/f?signature=x"}, ""
	}}
	var out bytes.Buffer
	c := testClient(base, env("CRM_ACCESS_TOKEN", "tok-hidden", "CRM_REFRESH_TOKEN", "ref-hidden", "CRM_INSTANCE_URL", "https://crm.example"))
	_, err := c.Download(t.Context(), client.Target{Kind: "crm"}, client.Operation{Entity: "content_versions", Action: "download",
		Params: []byte(`{"id":"068000000000001"}`)}, &out)
	if err != nil || out.String() != "the file" {
		t.Fatalf("%q %v", out.String(), err)
	}
	if far == nil || strings.Contains(fmt.Sprint(far), "hidden") || far.Get("Authorization") != "" {
		t.Errorf("the storage host was sent %v", far)
	}
}

func TestPreview(t *testing.T) {
	c := testClient(nil, nil)
	show := func(kind, entity, action, params string) *client.Request {
		t.Helper()
		r, err := c.Preview(client.Target{Kind: kind}, client.Operation{Entity: entity, Action: action, Params: []byte(params)})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := show("payments", "customers", "create", `{"email":"a@b.c","address":{"city":"Bern"}}`)
	auth := r.Headers[len(r.Headers)-1]
	if r.Method != "POST" || r.URL != "https://api.stripe.com/v1/customers" || string(r.Body) != "email=a%40b.c&address%5Bcity%5D=Bern" ||
		auth.Name != "Authorization" || auth.Value != "Bearer ${PATCHBAY_PAYMENTS_API_KEY}" || !auth.Template {
		t.Errorf("got %+v", r)
	}
	r = show("call_recording", "users", "list", `{}`)
	if r.Basic == nil || r.Basic.User != "${PATCHBAY_CALL_RECORDING_ACCESS_KEY}" || r.Basic.Password != "${PATCHBAY_CALL_RECORDING_ACCESS_KEY_SECRET}" || len(r.Env) != 2 {
		t.Errorf("got %+v", r)
	}
	r = show("email_campaign", "campaigns", "list", `{}`)
	if r.Basic == nil || r.Basic.User != "anystring" || r.Basic.Password != "${PATCHBAY_EMAIL_CAMPAIGN_API_KEY}" {
		t.Errorf("got %+v", r.Basic)
	}
	r = show("crm", "accounts", "list", crmQuery)
	if !slices.ContainsFunc(r.Headers, func(h client.RequestHeader) bool { return h.Value == "Bearer ${PATCHBAY_CRM_ACCESS_TOKEN}" }) || len(r.Notes) == 0 {
		t.Errorf("got %+v", r)
	}
	named := testClient(nil, env("SHOP_EU_API_KEY", "sk_live_hidden"))
	r, err := named.Preview(client.Target{Kind: "payments", Name: "shop-eu"}, client.Operation{Entity: "customers", Action: "list"})
	if err != nil || r.Env[0].Name != "PATCHBAY_SHOP_EU_API_KEY" || strings.Contains(fmt.Sprintf("%+v", r), "hidden") {
		t.Errorf("%v, %+v", err, r)
	}
}

// recordedConfig configures every kind as its recording does.
func recordedConfig(t *testing.T) map[string]string {
	t.Helper()
	var pairs []string
	for _, summary := range catalog.New().Kinds() {
		for name, value := range readUpstream(t, summary.Name).Config {
			pairs = append(pairs, strings.ToUpper(summary.Name+"_"+name), value)
		}
	}
	return env(pairs...)
}

func TestEveryActionPreviews(t *testing.T) {
	cat := catalog.New()
	c := testClient(nil, recordedConfig(t))
	for _, summary := range cat.Kinds() {
		up := readUpstream(t, summary.Name)
		for _, call := range up.Calls {
			r, err := c.Preview(client.Target{Kind: summary.Name}, client.Operation{Entity: call.Entity, Action: call.Action, Params: call.Params})
			if err != nil || r.Method != call.Request.Method || len(r.Env) == 0 {
				t.Fatalf("%s %s %s: %v", summary.Name, call.Entity, call.Action, err)
			}
		}
		kind, err := cat.Kind(summary.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range kind.Entities {
			for _, a := range e.Actions {
				hosted := a.Name == catalog.ActionContextStoreSearch || a.Name == catalog.ActionSemanticSearch
				if hosted == (a.Binding != nil) {
					t.Errorf("%s %s %s: only the service's own searches have no binding", summary.Name, e.Name, a.Name)
				}
				if !hosted {
					continue
				}
				_, err := c.Preview(client.Target{Kind: summary.Name}, client.Operation{Entity: e.Name, Action: a.Name})
				if client.AsError(err).Class != client.ClassRefused {
					t.Errorf("%s %s %s has no binding and is not refused: %v", summary.Name, e.Name, a.Name, err)
				}
			}
		}
	}
}

const madeUp = `kind: seeds
title: Seeds
system: Seed Bank
connector_type: seeds
credentials:
  - {method: token, fields: {key: {type: string, required: true, secret: true}, tenant: {type: string, required: true}}}
config:
  zone: {type: string, default: north, server_variable: true}
local:
  base_url: "https://{zone}.seeds.example"
  headers: {X-Seeds-Version: "3"}
  auth: [{headers: {X-Tenant: "${tenant}"}, query: {api_key: "${key}"}}]
  errors: {message: problem.text, retry_after: X-Wait}
entities:
  beans:
    key: id
    record: {id: integer, name: string}
    actions:
      list:
        params:
          size: {type: integer, wire: "page[size]", default: 5, send: true}
          color: {type: array, items: string, style: comma}
          tags: {type: array, items: string, wire: "tag[]"}
          where: {type: object, style: json}
          from: string
        meta: {next: string}
        page: {style: token, send: from, next: "@header.X-Next", meta: next}
        http: {method: GET, path: /beans, records: "sacks[*].beans", meta: {next: "@header.X-Next"}}
      create:
        params:
          name: {type: string, required: true, wire: beanName}
          sack: {type: object, members: {colorName: {type: string, wire: color_name}}}
        http: {method: POST, path: /beans}
`

func TestMadeUpKind(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "seeds.yaml"), []byte(madeUp), 0o600); err != nil {
		t.Fatal(err)
	}
	cat := catalog.New()
	if problems := source.Load(cat, dir); len(problems) > 0 {
		t.Fatal(problems)
	}
	use := func(cfg *Config) { cfg.Catalog = cat }
	s := always(200, map[string]string{"X-Next": "p2"}, `{"sacks":[{"beans":[{"id":1}]},{"beans":[]},{"beans":[{"id":2},{"id":3}]}]}`)
	variables := env("SEEDS_KEY", "bean-hidden", "SEEDS_TENANT", "farm", "SEEDS_ZONE", "south")
	c := testClient(s, variables, use)
	envelope, e := execute(t, c, "seeds", "beans", "list", `{"color":["red","green"],"tags":["a b","c"],"where":{"ripe":true}}`)
	if e != nil {
		t.Fatal(e)
	}
	want := `https://south.seeds.example/beans?page%5Bsize%5D=5&color=red%2Cgreen&tag%5B%5D=a%20b&tag%5B%5D=c&where=%7B%22ripe%22%3Atrue%7D&api_key=bean-hidden`
	r := s.seen[0]
	if r.URL.String() != want || r.Header.Get("X-Tenant") != "farm" || r.Header.Get("X-Seeds-Version") != "3" {
		t.Errorf("sent %s %v", r.URL, r.Header)
	}
	if string(envelope.MetaJSON) != `{"next":"p2"}` || envelope.RecordsPath != "sacks[*].beans" || envelope.Single {
		t.Errorf("got %+v", envelope)
	}
	if strings.Contains(envelope.Attempts[0].URL, "hidden") {
		t.Errorf("the address tells the key: %s", envelope.Attempts[0].URL)
	}
	if _, e = execute(t, c, "seeds", "beans", "create", `{"name":"Runner","sack":{"colorName":"blue"}}`); e != nil || s.bodies[1] != `{"beanName":"Runner","sack":{"color_name":"blue"}}` {
		t.Errorf("sent %s, %v", s.bodies[1], e)
	}
	_, e = execute(t, testClient(always(429, map[string]string{"X-Wait": "11"}, `{"problem":{"text":"too fast"}}`), variables, use), "seeds", "beans", "list", `{}`)
	if e == nil || e.RetryAfter != 11*time.Second || e.Server != "too fast" {
		t.Errorf("got %+v", e)
	}
	preview, err := c.Preview(client.Target{Kind: "seeds"}, client.Operation{Entity: "beans", Action: "list"})
	if err != nil || len(preview.Query) != 1 || preview.Query[0].Value != "${PATCHBAY_SEEDS_KEY}" {
		t.Errorf("%v, %+v", err, preview)
	}
}
