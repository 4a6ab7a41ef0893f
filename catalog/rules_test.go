package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

func TestCheckJQL(t *testing.T) {
	const fine, doubtful, wrong = "fine", "doubtful", "wrong"
	for query, want := range map[string]string{
		"project = ABC":                                     fine,
		"PROJECT=ABC order by created desc":                 fine,
		"assignee = currentUser()":                          fine,
		"reporter in (a, b)":                                fine,
		"key = ABC-1":                                       fine,
		"issuekey in (ABC-1, ABC-2)":                        fine,
		"sprint in openSprints()":                           fine,
		"assignee was bob":                                  fine,
		"assignee changed":                                  fine,
		"project is not empty":                              fine,
		"created >= -30d AND project = ABC":                 fine,
		"(project = A AND status = Done) OR assignee = bob": fine,
		"project = A AND (status = Open OR status = Done)":  fine,
		"NOT (status = Done OR project = A)":                fine,
		"status = Done AND NOT project = A":                 fine,
		`"project" = ABC`:                                   fine,
		"project = \"OR status\"":                           fine,
		"(project = A OR status = Done) AND assignee = bob": fine,
		"project = A && status = Done":                      fine,

		"labels = foo":                        doubtful,
		`status = "To Do"`:                    doubtful,
		`text ~ "x"`:                          doubtful,
		"parent = ABC-1":                      doubtful,
		"filter = 10000":                      doubtful,
		"cf[10001] = 3":                       doubtful,
		"labels = foo AND created > -1d":      doubtful,
		"NOT (status = Done AND project = A)": doubtful,
		"project = A OR status = Done":        doubtful,
		`summary ~ "project = A"`:             doubtful,
		"status = Done order by project":      doubtful,

		"": wrong, "   ": wrong, "order by created": wrong,
		"created >= -30d": wrong, "created >= startOfDay(-1d)": wrong, "project = A OR created > -1d": wrong,
		"project": wrong, "project =": wrong, "= A": wrong, "project == A": wrong, "project = \"A": wrong,
		"(project = A": wrong, "project = A)": wrong, "project = A AND": wrong, "| project = A": wrong,
		strings.Repeat("(", 1000) + "project = A" + strings.Repeat(")", 1000): wrong,
	} {
		got, why := fine, ""
		if bad, doubt := catalog.CheckJQL(query); bad != "" {
			got, why = wrong, bad
		} else if doubt != "" {
			got, why = doubtful, doubt
		}
		if got != want {
			t.Errorf("%.80q is %s, want %s (%s)", query, got, want, why)
		}
	}
}

func TestCheckJQLSaysWhatIsMissing(t *testing.T) {
	for query, want := range map[string]string{
		"project = A OR created > -1d": `"created > -1d" filters by date only: add a project beside the date`,
		"project = A AND labels":       `syntax error: an operator such as =, ~ or IN is missing in "labels"`,
		"project = A AND labels =":     `syntax error: a value is missing behind "labels ="`,
	} {
		if wrong, _ := catalog.CheckJQL(query); wrong != want {
			t.Errorf("%s: %s, want %s", query, wrong, want)
		}
	}
}

func FuzzCheckJQL(f *testing.F) {
	f.Add(`project = "a\"b" OR NOT (x in (1,2)) order by y`)
	f.Fuzz(func(t *testing.T, query string) {
		if wrong, doubt := catalog.CheckJQL(query); wrong != "" && doubt != "" {
			t.Fatalf("%q: %q and %q", query, wrong, doubt)
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
          mail: {type: string, format: email}
          spot: {type: object, members: {city: {type: string, required: true}}}
          kept: {type: string, required: true, default: x, send: true}
          after: string
          before: string
        rules:
          - {rule: at_least_one, params: [after, before, maybe], text: Give after or before.}
          - {rule: no_prefix, params: [id], value: act_, text: Leave act_ out.}
          - {rule: max_entries, params: [states], max: 1, text: One state only., status: 400}
`

func parsed(t testing.TB, text string) *catalog.Kind {
	t.Helper()
	k, problems := source.Parse("sample.yaml", []byte(text))
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
		{`{"id":"1","limit":1,"after":"x"}`, ""},
		{`{"id":"1","limit":100,"after":"x"}`, ""},
		{`{"id":"1","limit":2.5,"after":"x"}`, "limit type"},
		{`{"id":"1","limit":2.0,"ratio":2,"after":"x"}`, ""},
		{`{"id":"1","limit":1e400,"after":"x"}`, "limit type"},
		{`{"id":"1","either":"a","after":"x"}`, ""},
		{`{"id":"1","either":true,"after":"x"}`, "either type"},
		{`{"id":"1","state":"open","after":"x"}`, "state enum"},
		{`{"id":"1","state":"","after":"x"}`, "state enum"},
		{`{"id":"1","states":"a","after":"x"}`, ""},
		{`{"id":"1","states":"a,c","after":"x"}`, "states enum, states max_entries"},
		{`{"id":"1","states":"a,b,a","after":"x"}`, "states max_items, states max_entries"},
		{`{"id":"1","tags":["x","z"],"after":"x"}`, "tags[1] enum"},
		{`{"id":"1","tags":["x","z2","x"],"after":"x"}`, "tags max_items"},
		{`{"id":"1","created":{"gt":"a"},"after":"x"}`, "created.gt type"},
		{`{"id":"1","created":{"gtt":1},"after":"x"}`, "created.gtt unknown"},
		{`{"id":"1","parent":{},"after":"x"}`, "parent one_of"},
		{`{"id":"1","parent":{"page":"1","board":"2"},"after":"x"}`, "parent one_of"},
		{`{"id":"1","parent":{"page":"1","board":null},"after":"x"}`, "parent.board type"},
		{`{"id":"1","spot":{},"after":"x"}`, "spot.city required"},
		{`{"id":"1","mail":"a@b","after":"x"}`, ""},
		{`{"id":"1","mail":"a@","after":"x"}`, "mail format"},
		{`{"id":"1","mail":"@b","after":"x"}`, "mail format"},
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
		for _, v := range catalog.CheckParams(&e.Actions[0], []byte(test.params), nil) {
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

// What the configuration gives is not asked for, but for members of objects.
func TestFilledParamsAreNotRequired(t *testing.T) {
	k := parsed(t, sample)
	all := func(*catalog.Field) bool { return true }
	found := catalog.CheckParams(&k.Entities[0].Actions[0], []byte(`{"spot":{},"after":"x"}`), all)
	if len(found) != 1 || found[0].Path != "spot.city" || found[0].Rule != "required" {
		t.Errorf("%+v", found)
	}
}

func TestViolationsCarryTheDocumentedStatus(t *testing.T) {
	_, _, a, err := catalog.New().Resolve("issue_tracker", "issues", "api_search")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range catalog.CheckParams(a, []byte(`{"jql":"created > -1d","maxResults":"x"}`), nil) {
		if want := map[string]int{"bounded_jql": 400}[v.Rule]; v.Status != want || v.Severity != catalog.SeverityError {
			t.Errorf("%s has the status %d, want %d", v.Rule, v.Status, want)
		}
	}
}

func TestCheckParamsOfTheRealCatalog(t *testing.T) {
	c := catalog.New()
	for _, test := range []struct{ kind, entity, action, params, want string }{
		{"issue_tracker", "issues", "api_search", `{"jql":"project = A"}`, ""},
		{"issue_tracker", "users", "api_search", `{"maxResults":5}`, "query at_least_one"},
		{"issue_tracker", "users", "api_search", `{"property":"k.v=1"}`, ""},
		{"issue_tracker", "issues", "api_search", `{"jql":"created > -1d"}`, "jql bounded_jql"},
		{"marketplace_seller", "orders", "list", `{}`, "CreatedAfter at_least_one"},
		{"marketplace_seller", "orders", "list", `{"CreatedAfter":"2026-01-01T00:00:00Z"}`, ""},
		{"notes_workspace", "pages", "create", `{"parent":{"page_id":"1","database_id":"2"}}`, "parent exactly_one"},
		{"payments", "customers", "list", `{"limit":101}`, "limit max"},
		{"payments", "customers", "context_store_search", `{}`, "query required"},
		{"ecommerce_marketing", "campaigns", "list", `{}`, "filter required"},
		{"social_advertising", "campaigns", "list", `{"account_id":"act_12"}`, "account_id no_prefix"},
	} {
		_, _, a, err := c.Resolve(test.kind, test.entity, test.action)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, v := range catalog.CheckParams(a, []byte(test.params), nil) {
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
		found := catalog.CheckParams(&e.Actions[0], params, nil)
		if len(found) == 0 && len(params) > 0 && !json.Valid(params) {
			t.Fatalf("%q is taken for JSON", params)
		}
		catalog.ToWire(k, e, &e.Actions[0], params)
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
		if got := string(catalog.ToWire(k, e, e.Action(test.action), []byte(test.params))); got != test.want {
			t.Errorf("%s %s\n got %s\nwant %s", test.action, test.params, got, test.want)
		}
	}
}
