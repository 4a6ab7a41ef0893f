package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/saved"
	"patchbay/client/session"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
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

// A call of a folder that may be somebody else's runs once its file was shown and trusted.
func TestForeignCallsAreLookedAt(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir(saved.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	const text = "kind: payments\nentity: customers\naction: list\nparams: {email: 'https://x.example'}\n"
	if err := os.WriteFile(filepath.Join(saved.Folder, "theirs.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	trust := saved.Trust{Path: filepath.Join(t.TempDir(), "trusted.json"), Now: time.Now}
	store := savedIn(saved.Folder)
	store.Doubt = func(c *saved.Call) string {
		if why := c.Doubtful(testCatalog); c.Foreign() && !trust.Has(c) {
			return why
		}
		return ""
	}
	store.Trust = trust.Add
	p := play(t, Deps{Saved: store}, 120, 36)
	p.open("payments", "invoices", "list")
	p.keys("1", "S", "enter")
	p.wants("Trust this file?", "patchbay.d/theirs.yaml", "params hold an address", "email: 'https://x.example'")
	p.keys("y") // y alone is too easily pressed
	p.wants("Trust this file?")
	p.keys("n")
	p.lacks("customers / list")
	p.keys("S", "enter", "tab", "enter")
	p.wants("customers / list")
	p.open("payments", "invoices", "list")
	p.keys("1", "S", "enter")
	p.lacks("Trust this file?")
	p.wants("customers / list")
}

func TestVariablesDoNotBelongIntoNames(t *testing.T) {
	p := play(t, Deps{Saved: savedIn(t.TempDir())}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("ctrl+s")
	p.typed(" ${who}")
	p.keys("enter")
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
	var kept session.LocalSetup
	acc := Accounts{KeepLocal: func(_ context.Context, _ string, l session.LocalSetup) (client.Connector, error) {
		kept = l
		return client.Connector{}, errors.New("kept")
	}}
	s := sandboxSession(sandbox.Options{})
	s.Sandbox, s.First = false, profile.Place{}
	p := play(t, Deps{Accounts: acc, Session: s}, 120, 36)
	p.keys("1", "a")
	p.typed("local")
	p.keys("enter")
	p.typed("payments")
	p.keys("enter")
	p.wants("base_url", "https://api.stripe.com")
	for _, step := range []struct{ address, want string }{{"ftp://x", "must be an http or https address"}, {"http://127.0.0.1:9/base", "kept"}} {
		for _, f := range p.m.stack.All() {
			fields := f.Overlay.(*overlay.Form).Fields
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
	p.m.tree.AddGroup(tree.LocalGroup, "called directly", s.Local)
	p.run(p.m.perform(intent.OpenAction{Connector: s.Local[0], Entity: "customers", Action: "list"}))
	p.keys("Y")
	p.typed("cli")
	p.wants("Not now: the service's CLI makes no local calls")
	p.keys("enter")
	if p.clip != "" {
		t.Errorf("copied %q", p.clip)
	}
}
