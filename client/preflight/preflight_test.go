package preflight_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/preflight"
)

func call(t testing.TB, kind, entity, action, params string) preflight.Call {
	t.Helper()
	k, err := catalog.New().Kind(kind)
	if err != nil {
		t.Fatal(err)
	}
	return preflight.Call{Kind: k, Entity: entity, Action: action, Params: json.RawMessage(params)}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ kind, entity, action, params, want string }{
		{"payments", "customers", "list", `{"limit":10}`, ""},
		{"payments", "customers", "list", `{"limit":101}`, "error params.limit max"},
		{"payments", "customers", "list", `{"limit":"ten"}`, "error params.limit type"},
		{"payments", "customers", "list", `{"starting_after":"a","ending_before":"b"}`, "warning params.ending_before page"},
		{"call_recording", "call_transcripts", "list", `{"filter":{"fromDateTime":"soon","callIds":[1]}}`,
			"error params.filter.callIds[0] type; warning params.filter.fromDateTime format"},
		{"payments", "customers", "list", `[`, "error params json"},
		{"payments", "customers", "list", `{"limt":1}`, "warning params.limt unknown"},
		{"payments", "custmers", "list", ``, "error entity unknown"},
		{"payments", "customers", "fly", ``, "error action unknown"},
		{"payments", "customers", "get", `{}`, "error params.id required"},
		{"issue_tracker", "issues", "api_search", `{}`, "error params.jql required"},
		{"issue_tracker", "issues", "api_search", `{"jql":"order by created"}`, "error params.jql bounded_jql"},
		{"issue_tracker", "issues", "api_search", `{"jql":"labels = foo"}`, "warning params.jql bounded_jql"},
		{"issue_tracker", "issues", "api_search", `{"jql":"sprint in openSprints()"}`, ""},
		{"code_hosting", "repositories", "get", `{}`, "error params.owner required; error params.repo required"},
		{"error_tracking", "projects", "list", `{}`, "error params.organization_slug required"},
		{"marketplace_seller", "orders", "get", `{"orderId":"1"}`, "error params.orderId format"},
		{"marketplace_seller", "orders", "get", `{"orderId":"123-1234567-1234567"}`, ""},

		{"payments", "customers", "context_store_search", `{}`, "error params.query required"},
		{"payments", "customers", "context_store_search", `{"query":{}}`, ""},
		{"payments", "customers", "context_store_search", `{"semantic":{"prompt":"a"}}`, "warning params.query query"},
		{"payments", "customers", "context_store_search", `{"semantic":{}}`,
			"error params.semantic semantic; warning params.query query"},
		{"payments", "customers", "context_store_search", `{"query":{"sort":null},"cursor":null}`,
			"error params.query query; error params.cursor cursor"},
		{"payments", "customers", "context_store_search", `{"query":{},"limit":0}`, "error params.limit limit"},
		{"payments", "customers", "context_store_search", `{"query":{},"fields":["nope"]}`, "error params.fields fields"},
		{"payments", "customers", "context_store_search", `{"query":{},"fields":["id","address.city"]}`, ""},
		{"payments", "customers", "context_store_search", `{"query":{},"fields":[["address","city"]]}`, ""},
		{"payments", "customers", "context_store_search", `{"query":{},"fields":"id"}`, "error params.fields fields"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"contains":{"email":"a"}}}}`,
			"error params.query.filter filter"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"email":"a"},"gt":{"balance":1}}}}`,
			"error params.query.filter filter"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"and":{"eq":{"email":"a"}}}}}`,
			"error params.query.filter filter"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{}}}}`,
			"error params.query.filter filter"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"in":{"livemode":[true]}}}}`,
			"warning params.query.filter filter"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"gt":{"preferred_locales":"a"}}}}`,
			"warning params.query.filter filter"},
		{"payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"id":5}}}}`,
			"warning params.query.filter filter"},
		{"notes_workspace", "blocks", "context_store_search", `{"query":{"filter":{"eq":{"type":"paragraph"}}}}`,
			"warning params.query.filter filter"},
		{"notes_workspace", "blocks", "context_store_search", `{"query":{"filter":{"in":{"object":["block"]}}}}`,
			"warning params.query.filter filter"},
		{"notes_workspace", "blocks", "context_store_search", `{"query":{"filter":{"eq":{"type":5}}}}`,
			"error params.query.filter filter"},
		{"messaging_automation", "campaign_actions", "context_store_search", `{"query":{"filter":{"eq":{"id":5}}}}`,
			"warning params.query.filter filter"},
		{"messaging_automation", "campaigns", "context_store_search", `{"query":{"filter":{"eq":{"id":"5"}}}}`,
			"warning params.query.filter filter"},
		{"code_hosting", "org_repositories", "context_store_search", `{"query":{"filter":{"eq":{"name":"a"}}}}`,
			"error params.query.filter filter"},
	} {
		var got []string
		for _, v := range preflight.Check(call(t, c.kind, c.entity, c.action, c.params)) {
			got = append(got, fmt.Sprintf("%s %s %s", v.Severity, v.Place, v.Rule))
			if v.Text == "" {
				t.Errorf("%s %s: a verdict says nothing", c.entity, c.params)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s %s %s %s: %q, want %q", c.kind, c.entity, c.action, c.params, s, c.want)
		}
	}
}

func TestRefusalSaysWhatToDo(t *testing.T) {
	c := call(t, "payments", "customers", "list", `{"limit":101,"created":{"gt":"x"}}`)
	e := preflight.Refusal(client.Operation{Entity: c.Entity, Action: c.Action}, preflight.Check(c))
	if e == nil || e.Class != client.ClassInvalid || e.Field != "created.gt" && e.Field != "limit" ||
		!strings.Contains(e.Message, "limit: 101 is outside 1 to 100") || !strings.HasPrefix(e.Next, "Nothing was sent. ") {
		t.Errorf("%+v", e)
	}
	if e := preflight.Refusal(client.Operation{}, preflight.Check(call(t, "payments", "customers", "list", ""))); e != nil {
		t.Errorf("a call that is right is refused: %v", e)
	}
}

// What becomes of a param that nobody knows is told once, and as it is.
func TestUnknownParamsAreToldTruly(t *testing.T) {
	c := call(t, "payments", "customers", "list", `{"limt":1}`)
	if v := preflight.Check(c)[0]; !strings.HasSuffix(v.Text, "it is sent as it is") {
		t.Errorf("hosted: %s", v.Text)
	}
	if c.Local = true; !strings.HasSuffix(preflight.Check(c)[0].Text, "it is not sent") {
		t.Errorf("local: %s", preflight.Check(c)[0].Text)
	}
}

func TestCheckAny(t *testing.T) {
	known, kinds := catalog.New(), []*catalog.Kind{}
	for _, name := range []string{"error_tracking", "issue_tracker", "payments"} {
		k, err := known.Kind(name)
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, k)
	}
	for _, c := range []struct{ entity, action, params, want string }{
		{"customers", "list", `{}`, ""},
		{"issues", "create", `{}`, "fields"},
		{"isues", "list", `{}`, "did you mean"},
	} {
		list := preflight.CheckAny(kinds, preflight.Call{Entity: c.entity, Action: c.action, Params: []byte(c.params)})
		if text := fmt.Sprint(list); c.want == "" && len(list) > 0 || !strings.Contains(text, c.want) {
			t.Errorf("%s %s %s: %v", c.entity, c.action, c.params, list)
		}
	}
}

// What the service passes over in the selected fields is told, and refuses nothing.
func TestShapeIsTold(t *testing.T) {
	k, err := catalog.New().Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pick, leave []string
		local       bool
		want        string
	}{
		{pick: []string{"id", "address.city"}},
		{pick: []string{"id"}, leave: []string{"name"}, want: "exclude_fields"},
		{pick: []string{"preferred_locales.name"}, want: "preferred_locales"},
		{leave: []string{"preferred_locales[].name"}, want: "exclude_fields"},
		{pick: []string{"preferred_locales.name"}, local: true},
	} {
		list := preflight.Check(preflight.Call{Kind: k, Entity: "customers", Action: "list", Select: c.pick, Exclude: c.leave,
			Local: c.local})
		said := ""
		for _, v := range list {
			said += v.Place + ": " + v.Text
		}
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) || len(preflight.Errors(list)) > 0 {
			t.Errorf("%v %v: %s", c.pick, c.leave, said)
		}
	}
}
