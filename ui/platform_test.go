package ui

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/history"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
)

// lacks fails when the screen shows a text.
func (p *player) lacks(parts ...string) {
	p.t.Helper()
	s := p.screen()
	for _, part := range parts {
		if strings.Contains(s, part) {
			p.t.Fatalf("the screen shows %q:\n%s", part, s)
		}
	}
}

// call opens an action with params and runs it.
func (p *player) call(kind, entity, action, params string) {
	p.t.Helper()
	p.open(kind, entity, action)
	if err := p.m.req.SetParams([]byte(params)); err != nil {
		p.t.Fatal(err)
	}
	p.keys("r")
}

// field puts the cursor of the tree on the demo connector of a kind.
func (p *player) onConnector(kind string) {
	p.t.Helper()
	p.open(kind, firstEntity(p.t, kind), "")
	p.keys("1")
	for p.m.tree.Current().Entity != "" {
		p.keys("h")
	}
}

func firstEntity(t *testing.T, kind string) string {
	k, err := testCatalog.Kind(kind)
	if err != nil {
		t.Fatal(err)
	}
	return k.Entities[0].Name
}

func TestIDsAreChosenFromRecords(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x36": {120, 36}} {
		t.Run(name, func(t *testing.T) {
			p := play(t, Deps{}, size[0], size[1])
			p.open("payments", "customers", "get")
			p.keys("ctrl+o")
			p.wants("Choose from customers", "cus_")
			p.keys("enter")
			if got := string(p.m.req.Params()); !strings.HasPrefix(got, `{"id":"cus_`) {
				t.Errorf("params are %s", got)
			}
			p.keys("r")
			p.wants("1 row")
		})
	}
}

func TestTypedIDIsTakenWhenNothingMatches(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "get")
	p.keys("ctrl+o")
	p.typed("zzz_my_own")
	p.keys("enter")
	if got := string(p.m.req.Params()); got != `{"id":"zzz_my_own"}` {
		t.Errorf("params are %s", got)
	}
}

func TestIDListShowsWhyItFailed(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "get")
	p.m.deps.Session.Service = broken{p.m.deps.Session.Service}
	p.keys("ctrl+o")
	p.wants("the cable is out", "An id of your own")
}

// broken fails every call.
type broken struct{ Service }

func (broken) Execute(context.Context, client.Target, client.Operation) (*client.Envelope, error) {
	return nil, &client.Error{Class: client.ClassNetwork, Message: "the cable is out", Next: "Plug it in."}
}

func TestFollowGoesToTheRecord(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "invoices", "list", `{"limit":3}`)
	p.keys("F")
	p.wants("Follow a reference", "customers  cus_")
	p.typed("customers")
	p.keys("enter")
	p.wants("customers / get", "1 row")
	p.keys("-")
	p.wants("invoices / list")
}

func TestRecordListsTheActionsThatTakeIt(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x36": {120, 36}} {
		t.Run(name, func(t *testing.T) {
			p := play(t, Deps{}, size[0], size[1])
			p.call("payments", "customers", "list", `{"limit":3}`)
			p.keys("x")
			p.wants("customers get", "customers update", "invoices list")
			p.lacks("api_search", `,"id":"cus_`)
			p.typed("invoices list")
			p.keys("enter")
			p.wants("invoices / list", "customer cus_")
			if !p.m.res.HasAnswer() {
				t.Error("the list was not run")
			}
		})
	}
}

func TestWritesFromARecordOnlyFillTheForm(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "list", `{"limit":3}`)
	p.keys("x")
	p.typed("customers delete")
	p.keys("enter")
	p.wants("customers / delete", "cus_")
	if p.m.res.HasAnswer() || p.m.running() != nil {
		t.Error("choosing a write sent it")
	}
}

func TestExplainMarksEachCondition(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "context_store_search", `{"query":{"filter":{"and":[{"eq":{"delinquent":true}},{"fuzzy":{"name":"a"}}]}},"limit":5}`)
	p.keys("W")
	p.wants("met", "only the server can tell", "delinquent eq true", "the record holds true")
}

func TestExplainNamesTheConditionThatEmptiesTheResult(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "context_store_search", `{"query":{"filter":{"and":[{"eq":{"delinquent":true}},{"eq":{"name":"nobody at all"}}]}}}`)
	p.wants("0 rows")
	p.keys("W")
	p.wants("It is this condition that empties the result: name eq", "100 or more")
}

func TestAddConnector(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x36": {120, 36}} {
		t.Run(name, func(t *testing.T) {
			p := play(t, Deps{}, size[0], size[1])
			p.open("payments", "customers", "list")
			p.keys("1", "a")
			p.typed("crm")
			p.keys("enter")
			p.wants("OAuth", "not now: the service reports")
			p.keys("enter")
			p.wants("instance_url", "refresh_token", "consent")
			p.keys("down", "down", "down", "enter")
			p.typed("very-secret")
			p.keys("enter")
			p.keys("ctrl+j")
			p.wants("The exact call", `"connector_type": "salesforce"`)
			p.lacks("very-secret")
			p.keys("enter")
			p.wants("Create this connector?")
			p.keys("enter")
			p.wants("The exact call")
			p.keys("enter", "y")
			p.wants("entities can be read")
			if p.m.stack.Top() != nil {
				t.Errorf("%q is still open", p.m.stack.Top().Title())
			}
			if n := len(p.m.tree.Connectors()); n != len(testCatalog.Kinds())+1 {
				t.Errorf("the tree has %d connectors", n)
			}
		})
	}
}

func TestCreatingAsTheServicesProgramIsRefused(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("1", "a")
	p.typed("crm")
	p.keys("enter", "enter", "down", "down")
	p.typed("very-secret")
	p.keys("enter", "Y")
	p.typed("CLI")
	p.wants("Not now:", "replication_config")
}

func TestFailedCreationKeepsTheForm(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("1", "a")
	p.typed("crm")
	p.keys("enter", "enter")
	p.m.deps.Session.Platform = refusing{p.m.deps.Session.Offers()}
	for range len("demo") {
		p.keys("backspace")
	}
	p.typed("no such place")
	p.keys("down", "down")
	p.typed("very-secret")
	p.keys("enter", "enter", "y")
	p.wants("there is no such workspace", "no such place", "refresh_token")
}

// refusing creates nothing.
type refusing struct{ Platform }

func (refusing) CreateConnector(context.Context, client.NewConnector) (client.Connector, error) {
	return client.Connector{}, &client.Error{Class: client.ClassInvalid, Message: "there is no such workspace"}
}

func TestDeleteConnectorAsks(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.onConnector("crm")
	p.keys("D")
	p.wants("Delete this connector?")
	p.keys("enter")
	if n := len(p.m.tree.Connectors()); n != len(testCatalog.Kinds()) {
		t.Fatalf("the untouched question deleted: %d connectors", n)
	}
	p.keys("D", "y")
	p.wants("is being deleted")
	for _, c := range p.m.tree.Connectors() {
		if c.Kind == "crm" && c.Workspace == "demo" {
			t.Error("the connector is still in the tree")
		}
	}
}

func TestCheckMarksTheConnector(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x36": {120, 36}} {
		t.Run(name, func(t *testing.T) {
			p := play(t, Deps{}, size[0], size[1])
			p.onConnector("team_wiki")
			p.keys("C")
			p.wants("Check: team_wiki", "Done: ")
			p.keys("esc")
			if mark := p.m.tree.Current().Mark; mark != "ok" {
				t.Errorf("the mark is %q", mark)
			}
			p.keys("g", "C")
			p.wants("Check: settings", "Done: ", "payments: ", "can be read")
		})
	}
}

// clientSession reaches two organizations and has chosen none.
func clientSession() Session {
	box := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	c := hosted.New(hosted.Config{Profile: "two", BaseURL: sandbox.BaseURL, ClientID: secret.New(sandbox.ClientID), ClientSecret: secret.New(sandbox.ClientSecret),
		Names: client.Neutral, Catalog: testCatalog, Transport: transport.New(transport.Options{Base: box.RoundTripper(), Now: now})})
	return Session{Name: "two", BaseURL: sandbox.BaseURL, Service: c, Examine: examining(c)}
}

func TestOrganizationIsOfferedWhenTheServiceAsks(t *testing.T) {
	kept := ""
	p := play(t, Deps{Session: clientSession(), Accounts: Accounts{KeepOrganization: func(profile, id string) error { kept = profile + " " + id; return nil }}}, 120, 36)
	p.wants("Which organization?")
	p.keys("enter")
	p.wants("organization ", "demo")
	if !strings.HasPrefix(kept, "two ") {
		t.Errorf("kept %q", kept)
	}
}

func TestSignIn(t *testing.T) {
	var tried, stored session.Login
	wrong := true
	acc := Accounts{
		Try: func(_ context.Context, l session.Login) ([]client.Organization, error) {
			tried = l
			if wrong {
				return nil, &client.Error{Class: client.ClassAuth, Message: "the service does not accept the client secret", Next: "Type it again."}
			}
			return []client.Organization{{ID: "o1", Name: "One"}, {ID: "o2", Name: "Two"}}, nil
		},
		Keep:    func(_ context.Context, l session.Login) (string, error) { stored = l; return "the keyring", nil },
		Presets: []profile.Preset{{Name: "public", BaseURL: "https://service.example"}},
	}
	p := play(t, Deps{Accounts: acc, Profiles: func() []string { return []string{"sandbox"} },
		Open: func(context.Context, string) (Session, error) { return sandboxSession(sandbox.Options{}), nil }}, 120, 36)
	p.keys("1", "p")
	p.typed("sign in")
	p.keys("enter", "ctrl+j")
	p.wants("! client_id is required")
	p.keys("enter")
	p.typed("my-id")
	p.keys("enter", "down", "enter")
	p.typed("my-secret")
	p.lacks("my-id", "my-secret", "is required")
	p.keys("enter", "ctrl+j")
	p.wants("does not accept the client secret", "service.example")
	wrong = false
	p.keys("ctrl+j")
	p.wants("Which organization?")
	p.typed("Three")
	p.wants("No organization has these words.")
	p.keys("ctrl+u")
	p.typed("Two")
	p.keys("enter")
	p.wants("Profile sandbox")
	if tried.ClientID.Reveal() != "my-id" || stored.ClientSecret.Reveal() != "my-secret" || stored.Organization != "o2" || stored.Profile != "public" {
		t.Errorf("tried %+v, stored %+v", tried, stored)
	}
}

// TestSignInByBrowser: the page is gone once the browser came back, whatever it brought.
func TestSignInByBrowser(t *testing.T) {
	var asked, stored session.Login
	refused := true
	acc := Accounts{
		Browse: func(_ context.Context, l session.Login, show func(string)) (session.Login, []client.Organization, error) {
			asked = l
			show("https://id.example/page?state=abc")
			if refused {
				return l, nil, &client.Error{Class: client.ClassAuth, Message: "the sign-in was refused in the browser", Next: "Begin again."}
			}
			l.Token = secret.New("hush")
			return l, []client.Organization{{ID: "o1", Name: "One"}}, nil
		},
		Try:     func(context.Context, session.Login) ([]client.Organization, error) { return nil, nil },
		Keep:    func(_ context.Context, l session.Login) (string, error) { stored = l; return "the keyring", nil },
		Presets: []profile.Preset{{Name: "public", BaseURL: "https://service.example"}},
	}
	p := play(t, Deps{Accounts: acc, Open: func(context.Context, string) (Session, error) { return sandboxSession(sandbox.Options{}), nil }}, 120, 36)
	p.keys("1", "p")
	p.typed("sign in")
	p.keys("enter")
	p.wants("Sign in with your browser", "Type client id and secret")
	p.keys("enter", "ctrl+j")
	p.wants("refused in the browser", "service.example")
	p.lacks("id.example")
	refused = false
	p.keys("ctrl+j")
	p.lacks("Sign in on this page")
	if asked.BaseURL != "https://service.example" ||
		stored.Organization != "o1" || stored.Token.Empty() {
		t.Errorf("asked %+v, stored %+v", asked, stored)
	}
}

func TestProfilesAreForgottenAfterAsking(t *testing.T) {
	profiles := []string{"sandbox", "work"}
	acc := Accounts{Forget: func(_ context.Context, name string) error {
		profiles = slices.DeleteFunc(slices.Clone(profiles), func(p string) bool { return p == name })
		return nil
	}}
	p := play(t, Deps{Accounts: acc, Profiles: func() []string { return profiles }}, 120, 36)
	p.keys("1", "p", "ctrl+x")
	p.wants("this profile is in use")
	p.keys("down", "ctrl+x")
	p.wants("Forget this profile?", "Profile work")
	p.keys("enter")
	if len(profiles) != 2 {
		t.Fatal("the untouched question forgot the profile")
	}
	p.keys("ctrl+x", "y")
	p.wants("Profile work is forgotten", "Choose the organization")
	if len(profiles) != 1 {
		t.Errorf("the profiles are %q", profiles)
	}
}

func TestImportIsOffered(t *testing.T) {
	var stored session.Login
	acc := Accounts{
		Try:  func(context.Context, session.Login) ([]client.Organization, error) { return nil, nil },
		Keep: func(_ context.Context, l session.Login) (string, error) { stored = l; return "a file", nil },
		FindImport: func() (*profile.Import, error) {
			return &profile.Import{Path: "/home/me/settings.json", ClientID: "theirs", ClientSecret: secret.New("hush"), OrganizationID: "o9", Workspace: "w"}, nil
		},
		Presets: []profile.Preset{{Name: "public", BaseURL: "https://service.example"}},
	}
	p := play(t, Deps{Accounts: acc, Open: func(context.Context, string) (Session, error) { return sandboxSession(sandbox.Options{}), nil }}, 120, 36)
	p.run(p.m.do(p.m.actions.ByID("signin")))
	p.wants("service's own program", "/home/me/settings.json")
	p.keys("enter")
	if stored.ClientID.Reveal() != "theirs" || stored.Organization != "o9" || stored.BaseURL != "https://service.example" {
		t.Errorf("stored %+v", stored)
	}
}

func withHistory(t *testing.T) (*player, *history.Store) {
	t.Helper()
	store := history.New(filepath.Join(t.TempDir(), history.FileName), history.Options{})
	t.Cleanup(func() { store.Close() })
	return play(t, Deps{History: store}, 120, 36), store
}

func TestHistoryReopensWithoutSending(t *testing.T) {
	p, store := withHistory(t)
	p.call("payments", "customers", "list", `{"limit":7}`)
	p.call("payments", "invoices", "list", `{"limit":2}`)
	p.m.deps.Session.Service = broken{p.m.deps.Session.Service}
	p.keys("ctrl+y")
	p.wants("invoices list", "customers list")
	p.typed("customers")
	p.keys("enter")
	p.wants("customers / list", "7 rows", "nothing was sent", "limit 7")
	if runs, err := store.Find(context.Background(), history.Query{}); err != nil || len(runs) != 2 {
		t.Errorf("reopening left %d runs, %v", len(runs), err)
	}
}

func TestHistoryKeepsFailures(t *testing.T) {
	p, _ := withHistory(t)
	p.call("payments", "customers", "get", `{"id":"cus_none"}`)
	p.wants("404")
	p.keys("ctrl+y")
	p.wants("404 · not found")
	p.keys("enter")
	p.wants("404 · not found", "nothing was sent")
}

func TestHistoryComparesTwo(t *testing.T) {
	p, _ := withHistory(t)
	p.call("payments", "customers", "list", `{"limit":2}`)
	p.call("payments", "customers", "list", `{"limit":3}`)
	p.keys("ctrl+y", "ctrl+d", "down", "ctrl+d")
	p.wants("What differs", "The params differ", "added")
}

func TestHistoryForgetsAfterAsking(t *testing.T) {
	p, store := withHistory(t)
	p.call("payments", "customers", "list", `{"limit":2}`)
	p.keys("ctrl+y", "ctrl+x")
	p.wants("Forget this run?")
	p.keys("y")
	if runs, _ := store.Find(context.Background(), history.Query{}); len(runs) != 0 {
		t.Errorf("%d runs are left", len(runs))
	}
	p.wants("Nothing was run yet")
}

func TestHistoryRunsAgain(t *testing.T) {
	p, store := withHistory(t)
	p.call("payments", "customers", "list", `{"limit":2}`)
	p.keys("ctrl+y", "ctrl+r")
	p.wants("2 rows")
	if runs, _ := store.Find(context.Background(), history.Query{}); len(runs) != 2 {
		t.Errorf("there are %d runs", len(runs))
	}
}

func savedIn(folder string) SavedCalls {
	return SavedCalls{Load: func() ([]saved.Call, error) { return saved.Load(folder) },
		Save: func(c *saved.Call, _ bool) (string, error) { return saved.Save(folder, c, false) }}
}

func TestSavedCallsAskForVariables(t *testing.T) {
	p := play(t, Deps{Saved: savedIn(t.TempDir())}, 120, 36)
	p.open("payments", "customers", "get")
	if err := p.m.req.SetParams([]byte(`{"id":"${customer_id}"}`)); err != nil {
		t.Fatal(err)
	}
	p.keys("ctrl+s")
	p.wants("Save this call")
	for range len("customers get") {
		p.keys("backspace")
	}
	p.typed("one customer")
	p.keys("enter")
	p.wants("saved as")
	p.open("payments", "customers", "list")
	p.keys("ctrl+p")
	p.typed("one customer")
	p.wants("saved call")
	p.keys("esc", "1", "S")
	p.wants("one customer", "asks for customer_id")
	p.keys("enter")
	p.wants("customer_id")
	p.typed("cus_none")
	p.keys("enter")
	p.wants("customers / get", "404", "cus_none")
}

func TestSavedCallsStandInTheTree(t *testing.T) {
	folder := t.TempDir()
	if _, err := saved.Save(folder, &saved.Call{Name: "all refunds", Kind: "payments", Entity: "refunds", Action: "list"}, false); err != nil {
		t.Fatal(err)
	}
	p := play(t, Deps{Saved: savedIn(folder)}, 120, 70)
	p.keys("1", "G", "enter", "j")
	p.wants("saved calls", "all refunds")
	p.keys("enter")
	p.wants("refunds / list", "50 rows")
}

func TestSavedCallsAreForgotten(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"all refunds", "paid invoices"} {
		if _, err := saved.Save(folder, &saved.Call{Name: name, Kind: "payments", Entity: "refunds", Action: "list"}, false); err != nil {
			t.Fatal(err)
		}
	}
	p := play(t, Deps{Saved: savedIn(folder)}, 120, 36)
	p.keys("1", "S", "ctrl+x")
	p.wants("Forget this saved call?", "all refunds", "kept in")
	p.keys("n")
	p.wants("Saved calls", "all refunds")
	p.keys("ctrl+x", "y")
	p.lacks("all refunds  ")
	p.wants("Saved calls", "paid invoices", "forgotten")
	if calls, err := saved.Load(folder); err != nil || len(calls) != 1 || calls[0].Name != "paid invoices" {
		t.Errorf("%v are left, %v", calls, err)
	}
	p.keys("ctrl+x", "y")
	p.wants("No call is saved yet")
}

func TestSavingTwiceUnderOneNameIsRefused(t *testing.T) {
	p := play(t, Deps{Saved: savedIn(t.TempDir())}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("ctrl+s", "ctrl+j", "ctrl+s", "ctrl+j")
	p.wants("Save this call", "!")
}

func TestBrokenSavedCallsAreTold(t *testing.T) {
	p := play(t, Deps{Saved: SavedCalls{Load: func() ([]saved.Call, error) { return nil, errors.New("a.yaml:3: unknown key") }}}, 120, 36)
	p.keys("S")
	p.wants("No call is saved yet", "a.yaml:3")
}

// Every overlay of the platform fits every size.
func TestPlatformOverlaysFit(t *testing.T) {
	p := play(t, Deps{Saved: savedIn(t.TempDir())}, 120, 36)
	p.call("payments", "customers", "list", `{"limit":3}`)
	for _, keys := range [][]string{{"x"}, {"1", "a"}, {"1", "p"}, {"ctrl+s"}, {"S"}} {
		p.keys(keys...)
		for w := 1; w <= 130; w += 7 {
			for h := 1; h <= 40; h += 5 {
				p.send(tea.WindowSizeMsg{Width: w, Height: h})
				p.screen()
			}
		}
		p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
		p.keys("esc", "3")
	}
}

// A run sends the call and nothing else; what the tree asked for before is one token
// and the lists that are open.
func TestARunSendsTheCallAlone(t *testing.T) {
	var asked []string
	box := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	wire := transport.New(transport.Options{Now: now, Sleep: noSleep,
		Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.Method+" "+r.URL.Path)
			return box.RoundTripper().RoundTrip(r)
		})})
	s := sandboxSession(sandbox.Options{})
	s.Service = hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, ClientID: secret.New(sandbox.ClientID),
		ClientSecret: secret.New(sandbox.ClientSecret), OrganizationID: sandbox.OrganizationID,
		Catalog: testCatalog, Transport: wire})
	p := play(t, Deps{Session: s}, 120, 36)
	p.open("payments", "customers", "list")
	asked = nil
	for range 2 {
		p.keys("r")
		p.wants("20 rows")
	}
	if len(asked) != 2 || !strings.HasSuffix(asked[0], "/execute") || asked[0] != asked[1] {
		t.Errorf("two runs sent %q", asked)
	}
}

// What is read-only does not promise to ask.
func TestReadOnlyDoesNotPromiseToAsk(t *testing.T) {
	s := sandboxSession(sandbox.Options{})
	p := play(t, Deps{Session: s}, 120, 36)
	p.open("payments", "customers", "create")
	p.wants("you are asked before it is sent")
	s.ReadOnly = true
	p = play(t, Deps{Session: s}, 120, 36)
	p.open("payments", "customers", "create")
	p.lacks("you are asked", "r runs customers create")
	p.wants("customers create cannot be run: profile sandbox is read-only")
	p.open("payments", "customers", "list")
	p.wants("r runs customers list")
}

// A theme for this time only is not kept with what else is.
func TestAThemeForOneRunIsNotKept(t *testing.T) {
	var kept []profile.State
	p := play(t, Deps{Theme: "nord", Settings: profile.State{Theme: "dracula"},
		SaveSettings: func(s profile.State) error { kept = append(kept, s); return nil }}, 120, 36)
	if got := p.m.look.Styles.Theme.Name; got != "nord" {
		t.Errorf("drawn with %s", got)
	}
	p.open("payments", "customers", "list")
	if len(kept) == 0 || kept[len(kept)-1].Theme != "dracula" {
		t.Errorf("kept %+v", kept)
	}
}

// Behind the last page, no page still says what the next one sends.
func TestNothingIsSentBehindTheLastPage(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "list", `{"limit":100}`)
	for p.m.res.Last().Next.State == answer.More {
		p.keys(".")
	}
	p.keys("]", "]", "]", "]", "g")
	p.wants("[Pages", "page 2 is here already")
	p.lacks("next  sends")
}
