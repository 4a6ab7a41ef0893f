package sandbox

import (
	"strings"
	"testing"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

func text(t testing.TB, v any, path string) string {
	t.Helper()
	got, _ := data.At(v, path)
	return rawjson.TextOf(got)
}

func TestCustomersStick(t *testing.T) {
	r := newRig(t, Options{})
	made, _ := r.good("payments", "customers", "create", `{"email":"Ada@Example.com","metadata":{"a":"1","b":"2"}}`)
	id := text(t, made, "id")
	if !strings.HasPrefix(id, "cus_") || text(t, made, "object") != "customer" ||
		made.(*rawjson.Map).Value("name") != nil {
		t.Fatalf("created: %.300s", rawjson.Encode(made))
	}
	if first := r.records("payments", "customers", "list", `{"limit":1}`); text(t, first[0], "id") != id {
		t.Error("the new customer does not come first")
	}
	if n := len(r.records("payments", "customers", "list", `{"email":"ada@example.com"}`)); n != 0 {
		t.Errorf("the email filter ignores case: %d", n)
	}
	if n := len(r.records("payments", "customers", "list", `{"email":"Ada@Example.com"}`)); n != 1 {
		t.Errorf("the email filter finds %d", n)
	}
	changed, _ := r.good("payments", "customers", "update", `{"id":"`+id+`","name":"Ada","metadata":{"b":"","c":"3"}}`)
	if text(t, changed, "email") != "Ada@Example.com" || text(t, changed, "name") != "Ada" ||
		string(rawjson.Encode(changed.(*rawjson.Map).Value("metadata"))) != `{"a":"1","c":"3"}` {
		t.Errorf("only given fields change: %.400s", rawjson.Encode(changed))
	}
	gone, _ := r.good("payments", "customers", "delete", `{"id":"`+id+`"}`)
	if string(rawjson.Encode(gone)) != `{"id":"`+id+`","object":"customer","deleted":true}` {
		t.Errorf("delete answers %s", rawjson.Encode(gone))
	}
	if status, _ := r.execute("payments", "customers", "get", `{"id":"`+id+`"}`); status != 404 {
		t.Errorf("a deleted customer answers %d", status)
	}
	if got := r.records("payments", "customers", "list", `{"limit":1}`); text(t, got[0], "id") == id {
		t.Error("a deleted customer is listed")
	}
}

func TestInvoiceStates(t *testing.T) {
	r := newRig(t, Options{})
	customer := text(t, r.records("payments", "customers", "list", `{"limit":1}`)[0], "id")
	made, _ := r.good("payments", "invoices", "create", `{"customer":"`+customer+`"}`)
	id := `{"id":"` + text(t, made, "id") + `"}`
	if text(t, made, "status") != "draft" {
		t.Errorf("a new invoice is %s", text(t, made, "status"))
	}
	open, _ := r.good("payments", "invoice_finalizations", "create", id)
	if text(t, open, "status") != "open" || text(t, open, "number") == "" {
		t.Errorf("finalized: %s", text(t, open, "status"))
	}
	if status, _ := r.execute("payments", "invoice_finalizations", "create", id); status != 400 {
		t.Errorf("finalizing twice: %d, want 400", status)
	}
	if sent, _ := r.good("payments", "invoice_sends", "create", id); text(t, sent, "status") != "open" {
		t.Error("sending changes an open invoice")
	}
	if status, _ := r.execute("payments", "invoices", "create", `{"customer":"cus_nobody"}`); status != 400 {
		t.Errorf("an invoice for nobody: %d, want 400", status)
	}
}

func TestPaymentIntentStates(t *testing.T) {
	r := newRig(t, Options{})
	intent := func(params string) string {
		made, _ := r.good("payments", "payment_intents", "create", params)
		return `{"id":"` + text(t, made, "id") + `"}`
	}
	first := intent(`{"amount":500,"currency":"eur","payment_method":"pm_1"}`)
	if done, _ := r.good("payments", "payment_intent_confirmations", "create", first); text(t, done,
		"status") != "succeeded" || text(t, done, "amount_received") != "500" {
		t.Errorf("confirmed: %.200s", rawjson.Encode(done))
	}
	if status, _ := r.execute("payments", "payment_intent_cancellations", "create", first); status != 400 {
		t.Errorf("canceling what succeeded: %d, want 400", status)
	}
	second := intent(`{"amount":500,"currency":"eur"}`)
	if done, _ := r.good("payments", "payment_intent_cancellations", "create", second); text(t, done,
		"status") != "canceled" {
		t.Error("not canceled")
	}
	if status, _ := r.execute("payments", "payment_intent_confirmations", "create", second); status != 400 {
		t.Errorf("confirming what is canceled: %d, want 400", status)
	}
}

func TestSubscriptionDeleteCancels(t *testing.T) {
	r := newRig(t, Options{})
	customer := text(t, r.records("payments", "customers", "list", `{"limit":1}`)[0], "id")
	made, _ := r.good("payments", "subscriptions", "create", `{"customer":"`+customer+`"}`)
	id := `{"id":"` + text(t, made, "id") + `"}`
	r.good("payments", "subscriptions", "delete", id)
	if got, _ := r.good("payments", "subscriptions", "get", id); text(t, got, "status") != "canceled" {
		t.Errorf("after delete the subscription is %s", text(t, got, "status"))
	}
}

func createIssue(t *testing.T, r *rig, more string) (id, key string) {
	t.Helper()
	made, _ := r.good("issue_tracker", "issues", "create",
		`{"fields":{"project":{"key":"PROJ"},"issuetype":{"name":"Bug"},"summary":"It breaks"`+more+`}}`)
	if o := made.(*rawjson.Map); strings.Join(o.Keys, " ") != "id key self" {
		t.Errorf("create answers %s", rawjson.Encode(made))
	}
	return text(t, made, "id"), text(t, made, "key")
}

func TestIssueUpdate(t *testing.T) {
	r := newRig(t, Options{})
	user := text(t, r.records("issue_tracker", "users", "list", "")[0], "accountId")
	_, key := createIssue(t, r, `,"labels":["a"],"assignee":{"accountId":"`+user+`"}`)
	update := func(params string) any {
		r.good("issue_tracker", "issues", "update", `{"issueIdOrKey":"`+key+`",`+params+`}`)
		got, _ := r.good("issue_tracker", "issues", "get", `{"issueIdOrKey":"`+key+`"}`)
		return got
	}
	got := update(`"fields":{"summary":"It works"}`)
	if text(t, got, "fields.summary") != "It works" || text(t, got, "fields.assignee.accountId") != user ||
		string(rawjson.Encode(mustAt(t, got, "fields.labels"))) != `["a"]` {
		t.Errorf("only the fields given change: %.500s", rawjson.Encode(got))
	}
	if got := update(`"fields":{"assignee":{"accountId":null}}`); mustAt(t, got, "fields.assignee") != nil {
		t.Error("accountId null does not unassign")
	}
	update(`"fields":{"assignee":{"accountId":"` + user + `"}}`)
	r.good("issue_tracker", "issues_assignee", "update", `{"issueIdOrKey":"`+key+`","accountId":null}`)
	if got := update(`"transition":{"id":"41"}`); mustAt(t, got, "fields.assignee") != nil ||
		text(t, got, "fields.status.name") != "Done" {
		t.Errorf("assignee or status: %.300s", rawjson.Encode(got))
	}
	if status, _ := r.execute("issue_tracker", "issues", "update",
		`{"issueIdOrKey":"`+key+`","transition":{"id":"99"}}`); status != 400 {
		t.Errorf("unknown transition: %d, want 400", status)
	}
}

func mustGet(t *testing.T, r *rig, kind, entity, params string) any {
	t.Helper()
	got, _ := r.good(kind, entity, "get", params)
	return got
}

func mustAt(t *testing.T, v any, path string) any {
	t.Helper()
	got, ok := data.At(v, path)
	if !ok {
		t.Errorf("nothing at %s", path)
	}
	return got
}

func TestIssueWithSubtasksStays(t *testing.T) {
	r := newRig(t, Options{})
	_, parent := createIssue(t, r, "")
	_, child := createIssue(t, r, `,"parent":{"key":"`+parent+`"}`)
	if status, raw := r.execute("issue_tracker", "issues", "delete", `{"issueIdOrKey":"`+parent+`"}`); status != 400 ||
		!strings.Contains(string(raw), "deleteSubtasks") {
		t.Errorf("delete with subtasks: %d %s", status, raw)
	}
	r.good("issue_tracker", "issues", "delete", `{"issueIdOrKey":"`+parent+`","deleteSubtasks":true}`)
	for _, key := range []string{parent, child} {
		if status, _ := r.execute("issue_tracker", "issues", "get", `{"issueIdOrKey":"`+key+`"}`); status != 404 {
			t.Errorf("%s still answers %d", key, status)
		}
	}
}

func TestPagesMoveAndRestore(t *testing.T) {
	r := newRig(t, Options{})
	made, _ := r.good("notes_workspace", "pages", "create", `{"parent":{"workspace":true},"properties":{"title":[]}}`)
	id := text(t, made, "id")
	for _, c := range []struct {
		params string
		want   string
	}{{`"in_trash":true`, "true"}, {`"in_trash":false`, "false"}, {`"archived":true`, "true"},
		{`"archived":false`, "false"}} {
		got, _ := r.good("notes_workspace", "pages", "update", `{"page_id":"`+id+`",`+c.params+`}`)
		if text(t, got, "in_trash") != c.want || text(t, got, "archived") != c.want {
			t.Errorf("%s: in_trash %s, archived %s", c.params, text(t, got, "in_trash"), text(t, got, "archived"))
		}
	}
	if got, _ := r.good("notes_workspace", "pages", "update", `{"page_id":"`+id+`","icon":null}`); mustAt(t, got,
		"icon") != nil {
		t.Error("null does not remove the icon")
	}
}

func TestRefundLeavesTheRest(t *testing.T) {
	r := newRig(t, Options{})
	var charge any
	for _, c := range r.records("payments", "charges", "list", `{"limit":100}`) {
		if text(t, c, "refunded") == "false" {
			charge = c
			break
		}
	}
	if charge == nil {
		t.Fatal("no charge can be refunded")
	}
	id := text(t, charge, "id")
	r.good("payments", "refunds", "create", `{"charge":"`+id+`","amount":1}`)
	r.good("payments", "refunds", "create", `{"charge":"`+id+`"}`)
	got, _ := r.good("payments", "charges", "get", `{"id":"`+id+`"}`)
	if text(t, got, "refunded") != "true" || text(t, got, "amount_refunded") != text(t, got, "amount") {
		t.Errorf("refunded %s of %s", text(t, got, "amount_refunded"), text(t, got, "amount"))
	}
	if status, _ := r.execute("payments", "refunds", "create", `{"charge":"`+id+`"}`); status != 400 {
		t.Errorf("refunding twice: %d, want 400", status)
	}
}

func TestHostingIssueOpensAndCloses(t *testing.T) {
	r := newRig(t, Options{Records: 20})
	owner := text(t, mustGet(t, r, "code_hosting", "viewer", `{}`), "login")
	repo := text(t, r.records("code_hosting", "repositories", "list", `{"username":"`+owner+`"}`)[0], "name")
	in := `{"owner":"` + owner + `","repo":"` + repo + `",`
	made, _ := r.good("code_hosting", "issues", "create", in+`"title":"T","labels":["bug"]}`)
	if text(t, made, "state") != "open" || text(t, made, "comments") != "0" ||
		string(rawjson.Encode(mustAt(t, made, "assignees"))) != "[]" {
		t.Errorf("created: %.600s", rawjson.Encode(made))
	}
	closed, _ := r.good("code_hosting", "issues", "update",
		in+`"issue_number":`+text(t, made, "number")+`,"state":"closed"}`)
	if text(t, closed, "state") != "closed" || text(t, closed, "title") != "T" {
		t.Errorf("closed: %.300s", rawjson.Encode(closed))
	}
	sent, _ := r.good("messaging_automation", "transactional_email", "create",
		`{"to":"a@example.com","identifiers":{"id":"1"}}`)
	if text(t, sent, "delivery_id") == "" || text(t, sent, "queued_at") == "" {
		t.Errorf("sent: %s", rawjson.Encode(sent))
	}
}
