package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/sandbox"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// What a search does not send for now comes back with the saved call.
func TestSavedSearchKeepsDisabledConditions(t *testing.T) {
	folder := t.TempDir()
	p := play(t, Deps{Saved: savedIn(folder)}, 120, 36)
	p.open("payments", "customers", "context_store_search")
	const draft = `{"query":{"filter":{"and":[{"eq":{"delinquent":true}},{"disabled":{"gt":{"created":5}}}]}}}`
	if err := p.m.req.SetParams([]byte(draft)); err != nil {
		t.Fatal(err)
	}
	if got := string(p.m.req.Params()); strings.Contains(got, "created") {
		t.Fatalf("the disabled condition is sent: %s", got)
	}
	p.keys("ctrl+s", "ctrl+j")
	p.wants("saved as")
	if !strings.Contains(words(p.screen()), "S outside the form lists the saved calls") {
		t.Errorf("the message names a key that types here:\n%s", p.screen())
	}
	p.lacks("not kept")
	p.keys("ctrl+x", "1", "S", "enter")
	p.wants("customers / context_store_search", "200")
	if got := string(p.m.req.Draft()); got != draft {
		t.Errorf("the search came back as %s", got)
	}
}

func TestVariablesDoNotBelongIntoNames(t *testing.T) {
	p := play(t, Deps{Saved: savedIn(t.TempDir())}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("ctrl+s", "enter")
	p.typed(" ${who}")
	p.keys("enter", "ctrl+j")
	p.wants("Save this call", "names are taken as they are")
}

// Each 64th run looks for old ones.
func TestHistoryIsPrunedByTheScreen(t *testing.T) {
	p, store := withHistory(t)
	old := history.Run{Target: client.Target{Kind: "payments", Name: "old"}, Op: client.Operation{Entity: "customers", Action: "list"}, Started: testNow.AddDate(-1, 0, 0)}
	for range history.PruneEvery - 1 {
		if _, err := store.Add(context.Background(), old); err != nil {
			t.Fatal(err)
		}
	}
	p.call("payments", "customers", "list", `{"limit":2}`)
	if runs, err := store.Find(context.Background(), history.Query{}); err != nil || len(runs) != 1 {
		t.Errorf("%d runs are left, %v", len(runs), err)
	}
}

// A connector that is called directly may go elsewhere than the catalog says.
func TestLocalConnectorTakesABaseURL(t *testing.T) {
	var kept LocalSetup
	acc := Accounts{KeepLocal: func(_ context.Context, _ string, l LocalSetup) (client.Connector, error) {
		kept = l
		return client.Connector{}, errors.New("kept")
	}}
	s := sandboxSession(sandbox.Options{})
	s.Sandbox = false
	p := play(t, Deps{Accounts: acc, Session: s}, 120, 36)
	p.keys("1", "a")
	p.typed("local")
	p.keys("enter")
	p.typed("payments")
	p.keys("enter")
	p.wants("base_url", "https://api.stripe.com")
	for _, step := range []struct{ address, want string }{{"ftp://x", "must be an http or https address"}, {"http://127.0.0.1:9/base", "kept"}} {
		for _, f := range p.m.stack.All() {
			fields := f.(*overlay.Form).Fields
			fields.Fill("/name", "mine")
			fields.Fill("/credentials/api_key", "made-up")
			fields.Fill("/base_url", step.address)
		}
		p.keys("ctrl+j")
		p.wants(step.want)
	}
	if kept.BaseURL != "http://127.0.0.1:9/base" {
		t.Errorf("kept %+v", kept)
	}
}

// A format that a local call has none of is offered with the reason.
func TestLocalCallHasNoCLICommand(t *testing.T) {
	s := sides("", listed, listed)
	p := play(t, Deps{Session: s}, 120, 36)
	p.m.tree.AddGroup(localGroup, "called directly", s.Local)
	p.run(p.m.perform(intent.OpenAction{Connector: s.Local[0], Entity: "customers", Action: "list"}))
	p.keys("Y")
	p.typed("cli")
	p.wants("Not now: the service's CLI makes no local calls")
	p.keys("enter")
	if p.clip != "" {
		t.Errorf("copied %q", p.clip)
	}
}
