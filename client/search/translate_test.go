package search

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/catalog"
)

func entityOf(t *testing.T, kind, entity, action string) (*catalog.Entity, *catalog.Action) {
	t.Helper()
	_, e, a, err := catalog.New().Resolve(kind, entity, action)
	if err != nil {
		t.Fatal(err)
	}
	return e, a
}

func leftNames(left []Left) string {
	var names []string
	for _, l := range left {
		name := l.Name
		if l.Shape {
			name = "~" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func TestFromParams(t *testing.T) {
	for _, c := range []struct{ at, params, filter, left string }{
		{"payments customers list", `{"limit":5,"starting_after":"cus_1"}`, ``, ""},
		{"payments customers list", ``, ``, ""},
		{"payments customers list", `{"email":"a@b.c","created":{"gte":17e8,"lt":1800000000},"expand":["x"]}`,
			`{"and":[{"eq":{"email":"a@b.c"}},{"gte":{"created":17e8}},{"lt":{"created":1800000000}}]}`, "~expand"},
		{"payments customers list", `{"email":null,"created":{"gt":null}}`, ``, ""},
		{"payments customers list", `{"created":5}`, ``, "created"},
		{"payments customers list", `{"created":{"eq":5}}`, ``, "created.eq"},
		{"payments customers api_search", `{"query":"email:'a'","limit":3}`, ``, "query"},
		{"payments subscriptions list", `{"status":"all","customer_account":"a","automatic_tax":{"enabled":true}}`, `{"eq":{"automatic_tax.enabled":true}}`, "customer_account"},
		{"code_hosting issues list", `{"owner":"o","repo":"r","states":["OPEN","CLOSED"],"fields":["id"],"per_page":5}`, `{"in":{"state":["OPEN","CLOSED"]}}`, "owner, repo, ~fields"},
		{"code_hosting issues list", `{"states":["OPEN"]}`, `{"eq":{"state":"OPEN"}}`, ""},
		{"code_hosting issues list", `{"states":[]}`, ``, "states"},
		{"email_campaign list_members list", `{"vip_only":true,"since_last_changed":"2026-01-01T00:00:00Z"}`, `{"and":[{"eq":{"vip":true}},{"gte":{"last_changed":"2026-01-01T00:00:00Z"}}]}`, ""},
		{"email_campaign list_members list", `{"vip_only":false}`, ``, ""},
		{"email_campaign campaigns list", `{"list_id":"l","sort_field":"send_time"}`, `{"eq":{"recipients.list_id":"l"}}`, "~sort_field"},
		{"email_delivery templates list", `{"generations":"legacy, dynamic"}`, `{"in":{"generation":["legacy","dynamic"]}}`, ""},
		{"marketplace_seller orders list", `{"MarketplaceIds":"US","OrderStatuses":"Shipped","LastUpdatedAfter":"2026-01-01"}`,
			`{"and":[{"eq":{"OrderStatus":"Shipped"}},{"gte":{"LastUpdateDate":"2026-01-01"}}]}`, "MarketplaceIds"},
		{"issue_tracker projects api_search", `{"id":[10000,10001],"keys":["A"]}`, `{"and":[{"in":{"id":["10000","10001"]}},{"eq":{"key":"A"}}]}`, ""},
		{"team_wiki pages list", `{"space-id":[7],"title":"x","body-format":"storage"}`, `{"and":[{"eq":{"spaceId":"7"}},{"eq":{"title":"x"}}]}`, "~body-format"},
		{"task_management tasks api_search", `{"due_date_gt":1700000000000,"include_closed":true}`, ``, "due_date_gt, include_closed"},
		{"usage_billing invoices list", `{"invoice_date_gte":"2026-01-01","customer_id":"c"}`, `{"gte":{"invoice_date":"2026-01-01"}}`, "customer_id"},
		{"call_recording stats_activity_scorecards list", `{"filter":{"scorecardIds":["a","b"],"reviewMethod":"BOTH"}}`, `{"in":{"scorecardId":["a","b"]}}`, "filter.reviewMethod"},
		{"payments customers list", `[1]`, ``, "params"},
	} {
		at := strings.Fields(c.at)
		e, a := entityOf(t, at[0], at[1], at[2])
		n, left := FromParams(e, a, json.RawMessage(c.params))
		if got := string(EncodeFilter(n)); got != c.filter || leftNames(left) != c.left {
			t.Errorf("%s %s:\n got %s\nwant %s\nleft %q, want %q", c.at, c.params, got, c.filter, leftNames(left), c.left)
		}
	}
}

func TestToParams(t *testing.T) {
	for _, c := range []struct{ at, filter, params, left string }{
		{"payments customers list", `{}`, `{}`, ""},
		{"payments customers list", `{"and":[{"eq":{"email":"a@b.c"}},{"gte":{"created":5}},{"lt":{"created":9}}]}`, `{"email":"a@b.c","created":{"gte":5,"lt":9}}`, ""},
		{"payments customers list", `{"and":[{"like":{"name":"a"}},{"in":{"email":["a"]}},{"not":{"eq":{"email":"b"}}}]}`, `{"email":"a"}`, `name like "a", {"not":{"eq":{"email":"b"}}}`},
		{"payments customers list", `{"and":[{"eq":{"email":"a"}},{"eq":{"email":"b"}},{"in":{"email":["c","d"]}}]}`, `{"email":"a"}`, `email eq "b", email in ["c","d"]`},
		{"payments customers list", `{"eq":{"email":null}}`, `{}`, `email eq null`},
		{"payments subscriptions list", `{"eq":{"status":"expired"}}`, `{}`, `status eq "expired"`},
		{"code_hosting issues list", `{"or":[{"eq":{"state":"OPEN"}},{"eq":{"state":"CLOSED"}}]}`, `{"states":["OPEN","CLOSED"]}`, ""},
		{"code_hosting issues list", `{"or":[{"eq":{"state":"OPEN"}},{"eq":{"title":"x"}}]}`, `{}`, `{"or":[{"eq":{"state":"OPEN"}},{"eq":{"title":"x"}}]}`},
		{"code_hosting issues list", `{"eq":{"state":"open"}}`, `{}`, `state eq "open"`},
		{"email_campaign list_members list", `{"and":[{"eq":{"vip":true}},{"gt":{"last_changed":"2026-01-01T00:00:00Z"}}]}`, `{"vip_only":true,"since_last_changed":"2026-01-01T00:00:00Z"}`, ""},
		{"email_campaign list_members list", `{"eq":{"vip":false}}`, `{}`, `vip eq false`},
		{"marketplace_seller orders list", `{"in":{"OrderStatus":["Shipped","Canceled"]}}`, `{"OrderStatuses":"Shipped,Canceled"}`, ""},
		{"issue_tracker projects api_search", `{"in":{"id":["10000"]}}`, `{"id":[10000]}`, ""},
		{"issue_tracker projects api_search", `{"eq":{"id":"x"}}`, `{}`, `id eq "x"`},
	} {
		at := strings.Fields(c.at)
		e, a := entityOf(t, at[0], at[1], at[2])
		n, err := DecodeFilter(json.RawMessage(c.filter))
		if err != nil {
			t.Fatal(err)
		}
		params, left := ToParams(e, a, n)
		written := objectOf(params)
		if got := string(written); got != c.params || leftNames(left) != c.left {
			t.Errorf("%s %s:\n got %s\nwant %s\nleft %q, want %q", c.at, c.filter, got, c.params, leftNames(left), c.left)
		}
		// What is said in params says the same when it is read back.
		back, rest := FromParams(e, a, written)
		if again, lost := ToParams(e, a, back); len(rest) > 0 || len(lost) > 0 || len(again) != len(params) {
			t.Errorf("%s %s: back comes %s, left %v %v", c.at, c.filter, EncodeFilter(back), rest, lost)
		}
	}
}

// A filter made from params is valid and judges records as the params do.
func TestTimesAreRewritten(t *testing.T) {
	e := &catalog.Entity{Name: "things", Record: []catalog.Field{{Name: "made_at", Type: "string", Format: "date-time"}, {Name: "due", Type: "string", Format: "unix-ms"}, {Name: "seen", Type: "integer", Format: "unix"}},
		Search: []catalog.Field{{Name: "made_at", Type: "string"}, {Name: "due", Type: "string"}, {Name: "seen", Type: "integer"}}}
	a := &catalog.Action{Name: "list", Params: []catalog.Field{{Name: "made_after", Type: "integer", Format: "unix"}, {Name: "due_before", Type: "integer", Format: "unix-ms"},
		{Name: "seen_gt", Type: "string", Format: "date-time"}}}
	n, left := FromParams(e, a, json.RawMessage(`{"made_after":1700000000,"due_before":1700000000000,"seen_gt":"2023-11-14T22:13:20Z"}`))
	want := `{"and":[{"gte":{"made_at":"2023-11-14T22:13:20Z"}},{"lt":{"due":"1700000000000"}},{"gt":{"seen":1700000000}}]}`
	if got := string(EncodeFilter(n)); got != want || len(left) > 0 {
		t.Errorf("%s, left %v", got, left)
	}
	params, left := ToParams(e, a, n)
	if len(params) != 3 || string(params[0].Value) != "1700000000" || string(params[1].Value) != "1700000000000" || len(left) > 0 {
		t.Errorf("%s, left %v", params, left)
	}
}

func TestCheckable(t *testing.T) {
	e, a := entityOf(t, "payments", "customers", "list")
	for filter, want := range map[string]bool{`{"eq":{"email":"a"}}`: true, `{"like":{"name":"a"}}`: true, `{"fuzzy":{"name":"a"}}`: false, `{"eq":{"tax_info":"a"}}`: false, `{"not":{"keyword":{"name":"a"}}}`: false} {
		n, err := DecodeFilter(json.RawMessage(filter))
		if err != nil || Checkable(e, a, n) != want {
			t.Errorf("%s: %v", filter, err)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct{ at, from, params, known, filter, list, searchLeft, listLeft, missing string }{
		{"payments customers list", "list", `{"limit":7,"starting_after":"x","email":"a","odd":1}`, `{}`, `{"eq":{"email":"a"}}`, `{"email":"a","odd":1}`, "odd", "", ""},
		{"payments customers list", "context_store_search", `{"query":{"filter":{"eq":{"email":"a"}},"sort":[{"name":"asc"}]},"limit":3,"cursor":"c","fields":["id"]}`, `{}`, `{"eq":{"email":"a"}}`, `{"email":"a"}`, "", "", ""},
		{"payments customers list", "context_store_search", `{"semantic":{"text":"a"}}`, `{}`, ``, `{}`, "semantic", "semantic", ""},
		{"payments customers list", "context_store_search", `{"query":{"filter":{"nosuch":{}}}}`, `{}`, ``, `{}`, "params", "params", ""},
		{"code_hosting issues list", "context_store_search", `{"query":{"filter":{"eq":{"state":"OPEN"}}}}`, `{"owner":"o"}`, `{"eq":{"state":"OPEN"}}`, `{"states":["OPEN"],"owner":"o"}`, "owner", "", "repo"},
		{"task_management tasks list", "context_store_search", `{"query":{}}`, `{}`, ``, `{}`, "", "", "list_id"},
		{"code_hosting issues list", "get", `{"owner":"o","repo":"r","number":5}`, `{}`, ``, `{"owner":"o","repo":"r"}`, "owner, repo", "", ""},
		{"social_advertising campaigns list", "context_store_search", `{"query":{"filter":{"eq":{"name":"x"}}}}`, `{"account_id":"7"}`, `{"and":[{"eq":{"name":"x"}},{"eq":{"account_id":"7"}}]}`, `{"account_id":"7"}`, "", `name eq "x"`, ""},
		{"error_tracking issues list", "list", `{"organization_slug":"o","project_slug":"p"}`, `{}`, ``, `{"organization_slug":"o","project_slug":"p"}`, `organization_slug, project_slug, query ("is:unresolved" by default)`, "", ""},
		{"email_delivery templates list", "list", `{}`, `{}`, `{"in":{"generation":["legacy","dynamic"]}}`, `{}`, "", "", ""},
	} {
		at := strings.Fields(c.at)
		e, list := entityOf(t, at[0], at[1], at[2])
		from := e.Action(c.from)
		var known map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.known), &known); err != nil {
			t.Fatal(err)
		}
		got := Same(e, list, from, json.RawMessage(c.params), known)
		if filter, params := string(EncodeFilter(got.Filter)), string(objectOf(got.Params)); filter != c.filter || params != c.list {
			t.Errorf("%s %s %s:\n got %s and %s\nwant %s and %s", c.at, c.from, c.params, filter, params, c.filter, c.list)
		}
		if a, b, m := leftNames(got.SearchLeft), leftNames(got.ListLeft), strings.Join(got.Missing, ", "); a != c.searchLeft || b != c.listLeft || m != c.missing {
			t.Errorf("%s %s %s: left %q, %q, missing %q", c.at, c.from, c.params, a, b, m)
		}
	}
}
