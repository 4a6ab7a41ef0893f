package catalog

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBoundedJQL(t *testing.T) {
	for _, test := range []struct {
		query string
		want  bool
	}{
		{"project = ABC", true},
		{"PROJECT=ABC order by created desc", true},
		{"assignee = currentUser()", true},
		{"reporter in (a, b)", true},
		{"key = ABC-1", true},
		{"issuekey in (ABC-1, ABC-2)", true},
		{"sprint in openSprints()", true},
		{"created >= -30d AND project = ABC", true},
		{"(project = A AND status = Done) OR assignee = bob", true},
		{"project = A AND (status = Open OR status = Done)", true},
		{"NOT (status = Done AND project = A)", false},
		{"NOT (status = Done OR project = A)", true},
		{"status = Done AND NOT project = A", true},
		{`"project" = ABC`, true},
		{"project = \"OR status\"", true},
		{"", false},
		{"   ", false},
		{"order by created", false},
		{"status = Done", false},
		{"created >= -30d", false},
		{"created >= startOfDay(-1d)", false},
		{"project = A OR status = Done", false},
		{"status = Done OR project = A", false},
		{"project = A OR created > -1d", false},
		{"(project = A OR status = Done) AND type = Bug", false},
		{"(project = A OR status = Done) AND assignee = bob", true},
		{`summary ~ "project = A"`, false},
		{`summary ~ 'assignee'`, false},
		{`summary ~ "a \" OR project = A"`, false},
		{"status = Done order by project", false},
		{"project", false},
		{"text ~ project", false},
		{"(project = A", false},
		{"project = A)", false},
		{"project = A AND", false},
		{"| project = A", false},
		{"project = A || status = Done", false},
		{"project = A && status = Done", true},
		{strings.Repeat("(", 1000) + "project = A" + strings.Repeat(")", 1000), false},
	} {
		ok, reason := BoundedJQL(test.query)
		if ok != test.want {
			t.Errorf("%.80q: bounded is %v, want %v (%s)", test.query, ok, test.want, reason)
		}
		if ok != (reason == "") {
			t.Errorf("%.80q: bounded is %v with the reason %q", test.query, ok, reason)
		}
	}
}

func TestBoundedJQLSaysWhatIsMissing(t *testing.T) {
	_, reason := BoundedJQL("project = A OR created > -1d")
	if want := `"created > -1d" filters by date only: add a project beside the date`; reason != want {
		t.Errorf("reason is %s, want %s", reason, want)
	}
	_, reason = BoundedJQL("project = A OR status = Done")
	if want := `"status = Done" restricts nothing: add project, assignee, reporter, key or sprint`; reason != want {
		t.Errorf("reason is %s, want %s", reason, want)
	}
}

func FuzzBoundedJQL(f *testing.F) {
	f.Add(`project = "a\"b" OR NOT (x in (1,2)) order by y`)
	f.Fuzz(func(t *testing.T, query string) {
		ok, reason := BoundedJQL(query)
		if ok == (reason != "") {
			t.Fatalf("%q: bounded %v, reason %q", query, ok, reason)
		}
	})
}

// sample is an action with one param of every shape.
const sample = `
kind: sample
title: Sample
system: Sample
connector_type: sample
entities:
  things:
    actions:
      list:
        params:
          id: {type: string, required: true}
          region: {type: string, required: true, injected: true}
          limit: {type: integer, min: 1, max: 100}
          ratio: number
          maybe: string|null
          either: integer|string
          state: {type: string, enum: [on-hold, done]}
          states: {type: string, separator: ",", enum: [a, b], max_items: 2}
          tags: {type: array, items: {type: string, enum: [x, z2]}, max_items: 2}
          created: {type: object, members: {gt: integer, lt: integer}}
          parent: {type: object, one_of: true, members: {page: string, board: string}}
          labels: {type: object, values: string}
          since: {type: string, format: date-time}
          at: {type: integer, format: unix}
          fixed: {type: string, const: doc}
          after: string
          before: string
        rules:
          - {rule: at_least_one, params: [after, before, maybe], text: Give after or before.}
          - {rule: no_prefix, params: [id], value: act_, text: Leave act_ out.}
          - {rule: max_entries, params: [states], max: 1, text: One state only., status: 400}
`

func parsed(t testing.TB, text string) *Kind {
	t.Helper()
	k, problems := ParseFile("sample.yaml", []byte(text))
	for _, p := range problems {
		t.Fatal(p.Error())
	}
	return k
}

func TestCheckParams(t *testing.T) {
	k := parsed(t, sample)
	e := &k.Entities[0]
	for _, test := range []struct{ params, want string }{
		{`{"id":"1","after":"x"}`, ""},
		{`{"after":"x"}`, "id required"},
		{``, "id required, after at_least_one"},
		{`null`, "id required, after at_least_one"},
		{`[]`, "json"},
		{`{"id"`, "json"},
		{`{} {}`, "json"},
		{`{"id":1,"after":"x"}`, "id type"},
		{`{"id":null,"after":"x"}`, "id type"},
		{`{"id":"1","maybe":null,"after":"x"}`, ""},
		{`{"id":"1","limit":0,"after":"x"}`, "limit min"},
		{`{"id":"1","limit":101,"after":"x"}`, "limit max"},
		{`{"id":"1","limit":2.5,"after":"x"}`, "limit type"},
		{`{"id":"1","limit":2.0,"ratio":2,"after":"x"}`, ""},
		{`{"id":"1","limit":1e400,"after":"x"}`, "limit type"},
		{`{"id":"1","either":"a","after":"x"}`, ""},
		{`{"id":"1","either":true,"after":"x"}`, "either type"},
		{`{"id":"1","state":"open","after":"x"}`, "state enum"},
		{`{"id":"1","states":"a,c","after":"x"}`, "states enum, states max_entries"},
		{`{"id":"1","states":"a,b,a","after":"x"}`, "states max_items, states max_entries"},
		{`{"id":"1","tags":["x","z"],"after":"x"}`, "tags[1] enum"},
		{`{"id":"1","tags":["x","z2","x"],"after":"x"}`, "tags max_items"},
		{`{"id":"1","created":{"gt":"a"},"after":"x"}`, "created.gt type"},
		{`{"id":"1","created":{"gtt":1},"after":"x"}`, "created.gtt unknown"},
		{`{"id":"1","parent":{},"after":"x"}`, "parent one_of"},
		{`{"id":"1","parent":{"page":"1","board":"2"},"after":"x"}`, "parent one_of"},
		{`{"id":"1","labels":{"a":1},"after":"x"}`, "labels.a type"},
		{`{"id":"1","since":"yesterday","after":"x"}`, "since format"},
		{`{"id":"1","since":"2026-01-02T03:04:05Z","at":1700000000,"after":"x"}`, ""},
		{`{"id":"1","at":1700000000000,"after":"x"}`, "at format"},
		{`{"id":"1","fixed":"page","after":"x"}`, "fixed const"},
		{`{"id":"1","other":1,"after":"x"}`, "other unknown"},
		{`{"id":"act_1","after":"x"}`, "id no_prefix"},
		{`{"id":"1","after":""}`, "after at_least_one"},
	} {
		var got []string
		for _, v := range CheckParams(k, e, &e.Actions[0], []byte(test.params)) {
			got = append(got, strings.TrimSpace(v.Path+" "+v.Rule))
			if v.Message == "" {
				t.Errorf("%s: no message for %s", test.params, v.Rule)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: found %q, want %q", test.params, strings.Join(got, ", "), test.want)
		}
	}
}

func TestViolationsCarryTheDocumentedStatus(t *testing.T) {
	k, e, a, err := New().Resolve("issue_tracker", "issues", "api_search")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range CheckParams(k, e, a, []byte(`{"jql":"status = Done","maxResults":"x"}`)) {
		if want := map[string]int{"bounded_jql": 400}[v.Rule]; v.Status != want || v.Severity != SeverityError {
			t.Errorf("%s has the status %d, want %d", v.Rule, v.Status, want)
		}
	}
}

func TestCheckParamsOfTheRealCatalog(t *testing.T) {
	c := New()
	for _, test := range []struct{ kind, entity, action, params, want string }{
		{"issue_tracker", "issues", "api_search", `{"jql":"project = A"}`, ""},
		{"issue_tracker", "issues", "api_search", `{"jql":"status = Done"}`, "jql bounded_jql"},
		{"marketplace_seller", "orders", "list", `{}`, "CreatedAfter at_least_one"},
		{"marketplace_seller", "orders", "list", `{"CreatedAfter":"2026-01-01T00:00:00Z"}`, ""},
		{"notes_workspace", "pages", "create", `{"parent":{"page_id":"1","database_id":"2"}}`, "parent exactly_one"},
		{"payments", "customers", "list", `{"limit":101}`, "limit max"},
		{"payments", "customers", "context_store_search", `{}`, "query required"},
		{"ecommerce_marketing", "campaigns", "list", `{}`, "filter required"},
		{"social_advertising", "campaigns", "list", `{"account_id":"act_12"}`, "account_id no_prefix"},
	} {
		k, e, a, err := c.Resolve(test.kind, test.entity, test.action)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, v := range CheckParams(k, e, a, []byte(test.params)) {
			got = append(got, strings.TrimSpace(v.Path+" "+v.Rule))
		}
		found := strings.Join(got, ", ")
		if (test.want == "") != (found == "") || !strings.HasPrefix(found, test.want) {
			t.Errorf("%s %s %s %s: found %q, want %q", test.kind, test.entity, test.action, test.params, found, test.want)
		}
	}
}

func FuzzCheckParams(f *testing.F) {
	k := parsed(f, sample)
	e := &k.Entities[0]
	f.Add([]byte(`{"id":"1","created":{"gt":1},"tags":["x"]}`))
	f.Fuzz(func(t *testing.T, params []byte) {
		found := CheckParams(k, e, &e.Actions[0], params)
		if len(found) == 0 && len(params) > 0 && !json.Valid(params) {
			t.Fatalf("%q is taken for JSON", params)
		}
		ToWire(k, e, &e.Actions[0], params)
	})
}

func TestToWire(t *testing.T) {
	k := parsed(t, `
kind: sample
title: Sample
system: Sample
connector_type: sample
entities:
  things:
    key: orderId
    record: {orderId: {type: string, alias: AcmeOrderId}, plain: string}
    search:
      orderId: {type: string, alias: AcmeOrderId}
      plain: string
      type: {type: string, enum: [sms], wire_values: {sms: twilio}}
    actions:
      list:
        params:
          orderId: {type: string, alias: AcmeOrderId}
          kinds: {type: string, separator: ",", wire_values: {sms: twilio}}
          nested: {type: object, members: {deep: {type: array, items: {type: object, members: {orderId: {type: string, alias: AcmeOrderId}}}}}}
      context_store_search:
`)
	e := &k.Entities[0]
	for _, test := range []struct{ action, params, want string }{
		{"list", `{"plain": 1.50, "orderId":"a<b"}`, `{"plain":1.50,"AcmeOrderId":"a<b"}`},
		{"list", `{"kinds":"sms,mail"}`, `{"kinds":"twilio,mail"}`},
		{"list", `{"nested":{"deep":[{"orderId":"1"}]}}`, `{"nested":{"deep":[{"AcmeOrderId":"1"}]}}`},
		{"list", `not json`, `not json`},
		{"context_store_search",
			`{"query":{"filter":{"and":[{"eq":{"orderId":"1"}},{"in":{"type":["sms","x"]}}]},"sort":[{"orderId":"asc"}]},"fields":["orderId","plain"]}`,
			`{"query":{"filter":{"and":[{"eq":{"AcmeOrderId":"1"}},{"in":{"type":["twilio","x"]}}]},"sort":[{"AcmeOrderId":"asc"}]},"fields":["AcmeOrderId","plain"]}`},
	} {
		if got := string(ToWire(k, e, e.Action(test.action), []byte(test.params))); got != test.want {
			t.Errorf("%s %s\n got %s\nwant %s", test.action, test.params, got, test.want)
		}
	}
	if got := NeutralPath(e.Record, "AcmeOrderId"); got != "orderId" {
		t.Errorf("AcmeOrderId comes back as %s", got)
	}
}
