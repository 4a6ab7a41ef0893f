package sandbox

import (
	"strings"
	"testing"
	"unicode/utf8"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// TestEveryRenamedFieldIsServed runs every read of each kind that the real service calls
// otherwise: none of its own names is in the answer, and what is read back is found.
func TestEveryRenamedFieldIsServed(t *testing.T) {
	r, plain := newRig(t, Options{Names: NamesWire, Records: 40}), newRig(t, Options{Records: 40})
	for _, c := range []struct{ kind, entity, action, params, want, never string }{
		{"marketplace_seller", "orders", "list", `{"CreatedAfter":"2000-01-01T00:00:00Z"}`, "AmazonOrderId", "MarketOrderId"},
		{"marketplace_seller", "orders", "context_store_search", `{"query":{"sort":[{"AmazonOrderId":"asc"}]},"limit":2,"fields":["AmazonOrderId"]}`, "AmazonOrderId", "MarketOrderId"},
		{"email_delivery", "contacts", "list", `{}`, "whatsapp", "messaging_a"},
		{"email_delivery", "contacts", "context_store_search", `{"query":{},"limit":2}`, "facebook", "social_a"},
		{"incident_management", "incidents", "list", `{}`, "slack_channel_id", "chat_channel_id"},
		{"incident_management", "incidents", "context_store_search", `{"query":{},"limit":2}`, "slack_team_id", "chat_team_id"},
		{"email_campaign", "reports", "list", `{}`, "facebook_likes", "social_a_likes"},
		{"marketplace_advertising", "sponsored_product_campaigns", "list", `{"profileId":"1"}`, "offAmazonSettings", "offMarketplaceSettings"},
		{"messaging_automation", "campaign_actions", "context_store_search", `{"query":{"filter":{"eq":{"type":"twilio"}}},"limit":5}`, `"twilio"`, `"sms"`},
	} {
		_, raw := r.execute(c.kind, c.entity, c.action, c.params)
		if got := string(raw); !strings.Contains(got, c.want) || strings.Contains(got, c.never) {
			t.Errorf("%s %s.%s: %.400s", c.kind, c.entity, c.action, got)
		}
	}
	for _, c := range [][5]string{
		{"marketplace_seller", "orders", "context_store_search", `{"query":{"filter":{"eq":{"AmazonOrderId":"ID"}}}}`, "AmazonOrderId"},
		{"incident_management", "incidents", "context_store_search", `{"query":{"filter":{"eq":{"slack_channel_id":"ID"}}}}`, "slack_channel_id"},
	} {
		_, raw := r.execute(c[0], c[1], c[2], `{"query":{},"limit":1}`)
		first := listIn(parse(t, raw))[0].(*rawjson.Map)
		_, raw = r.execute(c[0], c[1], c[2], strings.Replace(c[3], "ID", first.Text(c[4]), 1))
		if found := listIn(parse(t, raw)); len(found) == 0 || found[0].(*rawjson.Map).Text(c[4]) != first.Text(c[4]) {
			t.Errorf("%v finds %d", c, len(found))
		}
	}
	// The answer is the same but for its names.
	params := `{"query":{"sort":[{"id":"asc"}]},"limit":3}`
	_, wired := r.execute("incident_management", "incidents", "context_store_search", params)
	_, neutral := plain.execute("incident_management", "incidents", "context_store_search", params)
	if got := strings.NewReplacer("slack_", "chat_").Replace(string(wired)); got != string(neutral) {
		t.Errorf("wire %.300s\nneutral %.300s", wired, neutral)
	}
}

// TestWireDescriptionsAndSelections: what describes a connector and what selects fields
// is in the real names too.
func TestWireDescriptionsAndSelections(t *testing.T) {
	r := newRig(t, Options{Names: NamesWire, Records: 20})
	_, raw := r.execute("messaging_automation", "", "describe", "")
	if got := string(raw); !strings.Contains(got, `"twilio"`) || strings.Contains(got, `"sms"`) {
		t.Errorf("describe: %.300s", got)
	}
	status, _, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector("demo", "email_delivery")+"/execute",
		`{"entity":"contacts","action":"list","select_fields":["id","whatsapp"]}`)
	if first := listIn(parse(t, raw))[0].(*rawjson.Map); status != 200 || first.Len() != 2 || !first.Has("whatsapp") {
		t.Errorf("selected: %d %s", status, first.JSON())
	}
}

// A refusal speaks of fields by their real names, whichever of the names it was about.
func TestWireRefusals(t *testing.T) {
	r := newRig(t, Options{Names: NamesWire, Records: 20})
	for _, c := range [][5]string{
		{"incident_management", "incidents", "context_store_search",
			`{"query":{"filter":{"gt":{"slack_channel_id":{"a":1}}}}}`, "slack_channel_id"},
		{"incident_management", "incidents", "context_store_search",
			`{"query":{"filter":{"eq":{"slack_chanel_id":"x"}}}}`, "slack_channel_id"},
	} {
		status, raw := r.execute(c[0], c[1], c[2], c[3])
		if status/100 != 4 || !strings.Contains(string(raw), c[4]) || strings.Contains(string(raw), "chat_") {
			t.Errorf("%v: %d %s", c, status, raw)
		}
	}
}

// TestLongTextsAreCutWhenAskedFor: lists and searches cut texts at 200 characters, a get
// never does, and nothing is cut unless the caller says so.
func TestLongTextsAreCutWhenAskedFor(t *testing.T) {
	r := newRig(t, Options{Records: 60})
	run := func(kind, entity, action, params, more string) string {
		_, _, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector("demo", kind)+"/execute",
			`{"entity":"`+entity+`","action":"`+action+`","params":`+params+more+`}`)
		return string(raw)
	}
	const cut = `,"skip_truncation":false`
	for _, c := range [][4]string{
		{"task_management", "tasks", "context_store_search", `{"query":{},"limit":60}`},
		{"notes_workspace", "blocks", "context_store_search", `{"query":{},"limit":60}`},
		{"team_wiki", "pages", "list", `{"limit":60}`},
		{"issue_tracker", "issues", "context_store_search", `{"query":{},"limit":60}`},
	} {
		whole, short := run(c[0], c[1], c[2], c[3], ""), run(c[0], c[1], c[2], c[3], cut)
		long := longest(parse(t, []byte(whole)))
		if strings.Contains(whole, "[truncated") || run(c[0], c[1], c[2], c[3], `,"skip_truncation":true`) != whole {
			t.Errorf("%v: cut without being asked", c)
		}
		if most := longest(parse(t, []byte(short))); most > mostText+utf8.RuneCountInString(truncatedText) ||
			strings.Contains(short, "[truncated") != (long > mostText) {
			t.Errorf("%v: the longest text had %d characters, now %d", c, long, most)
		}
	}
	first := listIn(parse(t, []byte(run("team_wiki", "pages", "list", `{"limit":1}`, ""))))[0].(*rawjson.Map)
	if got := run("team_wiki", "pages", "get", `{"id":"`+first.Text("id")+`"}`, cut); strings.Contains(got, "[truncated") {
		t.Errorf("a get is cut: %.300s", got)
	}
	long := strings.Repeat("é", 201)
	if got, _ := truncate([]any{rawjson.NewMap("a", long)}).([]any)[0].(*rawjson.Map); got.Text("a") !=
		strings.Repeat("é", 200)+truncatedText {
		t.Errorf("cut to %q", got.Text("a"))
	}
}

// longest counts the characters of the longest text in a value.
func longest(v any) (n int) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v)
	case []any:
		for _, e := range v {
			n = max(n, longest(e))
		}
	case *rawjson.Map:
		for _, e := range v.Vals {
			n = max(n, longest(e))
		}
	}
	return n
}

// TestUnknownFieldsAreRefused: a selection that no record could answer is no empty record.
func TestUnknownFieldsAreRefused(t *testing.T) {
	r := newRig(t, Options{Catalog: catalog.New(), Records: 20})
	for _, c := range []struct {
		kind, entity, action, params string
		status                       int
	}{
		{"code_hosting", "repositories", "list", `{"username":"octo","fields":["nope"]}`, 400},
		{"code_hosting", "repositories", "list", `{"username":"octo","fields":["name","owner{login}","owner.login"]}`, 200},
		{"issue_tracker", "issues", "api_search", `{"jql":"project = PROJ","fields":"nope"}`, 400},
		{"issue_tracker", "issues", "api_search", `{"jql":"project = PROJ","fields":"summary,-status,*all,customfield_10001"}`, 200},
		{"call_recording", "call_transcripts", "semantic_search", `{"semantic":{"prompt":"price"},"fields":["nope"]}`, 400},
		{"call_recording", "call_transcripts", "semantic_search", `{"semantic":{"prompt":"price"},"fields":["callId"]}`, 200},
		{"payments", "customers", "context_store_search", `{"query":{},"fields":["nope"]}`, 400},
	} {
		if status, raw := r.execute(c.kind, c.entity, c.action, c.params); status != c.status {
			t.Errorf("%s %s.%s %s: %d %.200s", c.kind, c.entity, c.action, c.params, status, raw)
		}
	}
}
