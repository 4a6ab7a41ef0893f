package ui

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
)

func eachSize(t *testing.T, f func(t *testing.T, w, h int)) {
	for _, s := range sizes {
		t.Run(s.String(), func(t *testing.T) { f(t, s.w, s.h) })
	}
}

// open puts the explorer on an action of the demo workspace.
func (p *player) open(kind, entity, action string) {
	p.t.Helper()
	for _, c := range p.m.tree.Connectors() {
		if c.Kind == kind && c.Workspace == "demo" {
			p.run(p.m.perform(p.m.places.Open(placeOf(c, entity, action))))
			p.send(tea.WindowSizeMsg{Width: p.m.width, Height: p.m.height})
			return
		}
	}
	p.t.Fatalf("no connector of kind %s in the demo workspace", kind)
}

func TestStart(t *testing.T) {
	eachSize(t, func(t *testing.T, w, h int) {
		p := play(t, Deps{Fresh: true}, w, h)
		p.wants("customers", "20 rows", "next page sends starting_after")
	})
}

func TestSearchWorkbench(t *testing.T) {
	eachSize(t, func(t *testing.T, w, h int) {
		p := play(t, Deps{}, w, h)
		p.open("payments", "customers", "context_store_search")
		p.keys("j", "enter")
		p.typed("delinq")
		p.keys("enter", "enter")
		p.wants("delinquent", "eq")
	})
}

func TestErrorScreen(t *testing.T) {
	eachSize(t, func(t *testing.T, w, h int) {
		p := play(t, Deps{}, w, h)
		p.open("issue_tracker", "issues", "api_search")
		p.m.req.SetParams([]byte(`{"jql":"order by created"}`))
		p.keys("ctrl+r")
		p.wants("400", "hosted service")
		p.keys("3")
		p.wants("400", "do next", "hosted service")
		if got := string(p.m.req.Params()); !strings.Contains(got, "order by created") {
			t.Errorf("the params are gone after the error: %s", got)
		}
	})
}

func TestHelp(t *testing.T) {
	eachSize(t, func(t *testing.T, w, h int) {
		p := play(t, Deps{Fresh: true}, w, h)
		p.keys("?")
		p.typed("next page")
		p.wants("Fetch the next page")
		p.keys("enter")
		p.wants("page 2")
	})
}

func TestPalette(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.keys("ctrl+p")
	p.typed("jql")
	p.keys("enter")
	p.wants("issues / api_search")
}

func TestPagesGoForwardAndBack(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", ".")
	p.wants("page 2, more")
	p.keys(",")
	p.wants("page 1, more")
	p.keys(".")
	p.wants("page 2, more")
	p.keys("L")
	p.wants("1 of 2")
}

func TestFormSendsWhatIsTyped(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("ctrl+x", "enter")
	p.typed("7")
	p.keys("enter", "r")
	p.wants("7 rows", "limit 7")
	p.keys("2", "g", "enter", "backspace")
	p.typed("500")
	p.keys("enter")
	p.wants("limit: 500 is outside 1 to 100")
	p.keys("r")
	if p.m.running() != nil {
		t.Error("a request with a wrong limit was sent")
	}
	p.keys("ctrl+r")
	p.wants("422", "params.limit")
}

func TestCopyCallNamesTheTokenVariable(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "Y")
	p.typed("curl")
	p.keys("enter")
	if !strings.Contains(p.clip, "$PLATFORM_TOKEN") || strings.Contains(p.clip, sandbox.Token) {
		t.Errorf("copied %q", p.clip)
	}
	p.wants("OSC 52")
}

func TestSearchFindsConnectorsByWorkspace(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.keys("ctrl+p")
	p.typed("payments")
	p.lacks("connector  demo > payments")
	p.keys("ctrl+u")
	p.typed("demo payments")
	p.wants("connector  demo > payments")
	p.keys("enter")
	if n := p.m.tree.Current(); p.m.arr.focus != intent.Tree || n == nil || n.Connector.Name != "payments" || n.Entity != "" {
		t.Errorf("choosing a connector goes to %+v", n)
	}
}

func TestRunForgetsAnOldProblem(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "delete")
	p.keys("r")
	p.wants("id is required")
	p.m.req.SetParams([]byte(`{"id":"cus_x"}`))
	p.keys("r")
	if p.m.toast.text != "" {
		t.Errorf("the status line still says %q while the request is confirmed", p.m.toast.text)
	}
}

func TestWritesAskFirst(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "delete")
	p.m.req.SetParams([]byte(`{"id":"cus_x"}`))
	p.keys("r")
	p.keys("enter")
	if p.m.res.HasAnswer() {
		t.Error("enter on the untouched question sent the write")
	}
	p.keys("r", "y")
	if p.m.res.HasAnswer() {
		t.Error("y alone sent a call that deletes")
	}
	p.keys("enter")
	p.wants("404")
}

func TestReadOnlyRefusesWrites(t *testing.T) {
	s := sandboxSession(sandbox.Options{})
	s.ReadOnly = true
	p := play(t, Deps{Session: s}, 120, 36)
	p.open("payments", "customers", "create")
	p.keys("r")
	p.wants("read-only")
	if p.m.stack.Top() != nil {
		t.Error("a refused write asks for confirmation")
	}
}

func TestOldAnswersAreDropped(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	op, _ := p.m.req.Operation()
	page := answer.NewPage(t.Context(), dialog.Question(host{p.m}, op), nil, errors.New("late"))
	p.m.perform(p.m.run.Send(op, false))
	old := p.m.running().id
	p.m.perform(p.m.run.Send(op, false))
	p.send(taskMsg{id: old, apply: func() intent.Intent { return p.m.res.Open(page) }})
	if p.m.running() == nil || p.m.res.HasAnswer() {
		t.Error("the answer to an older question was taken")
	}
	p.keys("ctrl+c")
	p.wants("cancelled before its answer came")
	if p.m.running() != nil {
		t.Error("ctrl+c did not end the run")
	}
}

func TestControlCTwiceQuitsEvenWhileTyping(t *testing.T) {
	p := play(t, Deps{}, 80, 24)
	p.open("payments", "customers", "list")
	p.keys("enter", "ctrl+c")
	if p.quit {
		t.Fatal("one ctrl+c quits")
	}
	p.keys("ctrl+c")
	if !p.quit {
		t.Error("two ctrl+c do not quit")
	}
}

func TestEscNeverQuits(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 80, 24)
	for range 20 {
		p.keys("esc")
	}
	if p.quit {
		t.Error("esc quit the program")
	}
}

func TestKeyTableHasNoConflicts(t *testing.T) {
	k := New(Deps{}).actions
	for _, p := range k.Problems {
		t.Error(p)
	}
	seen := map[string]bool{}
	for _, a := range New(Deps{}).actions.Rows {
		if seen[a.ID] {
			t.Errorf("two actions are called %s", a.ID)
		}
		seen[a.ID] = true
		if a.Help == "" || a.Label == "" || a.Do == nil {
			t.Errorf("action %s lacks help, label or deed", a.ID)
		}
	}
}

func TestEverySizeFits(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	states := []func(){
		func() {}, func() { p.keys("esc") }, func() { p.keys("enter") }, func() { p.keys("]") }, func() { p.keys("]") },
		func() { p.keys("2") }, func() { p.keys("v") }, func() { p.keys("v", "?") }, func() { p.keys("esc", "1") }, func() { p.keys("T") },
	}
	for _, enter := range states {
		enter()
		for w := 1; w <= 130; w += 3 {
			for h := 1; h <= 40; h += 3 {
				p.send(tea.WindowSizeMsg{Width: w, Height: h})
				p.screen()
			}
		}
		p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	}
}

// answers is a fake service that gives one answer to every execute call.
func answers(t *testing.T, contentType, body string) Session {
	t.Helper()
	inner := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/execute") {
			return inner.RoundTripper().RoundTrip(r)
		}
		return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {contentType}}, Body: readCloser{strings.NewReader(body)}, ContentLength: -1, Request: r}, nil
	})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: rt, Now: now})})
	return Session{Name: "fake", BaseURL: sandbox.BaseURL, Service: c}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestBadAnswers(t *testing.T) {
	for name, c := range map[string]struct{ kind, body, want string }{
		"html":  {"text/html", "<html><title>Gateway login</title></html>", "do next"},
		"half":  {"application/json", `{"status":"success","result":[{"id":"a"},{"id":`, "do next"},
		"empty": {"application/json", "", "do next"},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, Deps{Session: answers(t, c.kind, c.body)}, 120, 36)
			p.keys("enter")
			p.open("payments", "customers", "list")
			p.keys("enter")
			p.typed("5")
			p.keys("enter", "r")
			p.wants(c.want)
			p.keys("2")
			p.wants("limit", "5")
			p.keys("1", "j")
		})
	}
}

func TestHostileAnswerIsHarmless(t *testing.T) {
	evil := `{"data":[{"id":"\u001b]8;;http://evil\u0007x","na\u001b[31mme":"a\u202eb\u0000\u009b","b":"tab\tnew\nline"}],"meta":{}}`
	p := play(t, Deps{Session: answers(t, "application/json", evil)}, 120, 36)
	p.keys("enter")
	p.open("payments", "customers", "list")
	p.keys("r")
	for range 7 {
		raw := p.m.View().Content
		for _, bad := range []string{"\x1b]8", "\u202e", "\x00", "\u009b", "\a"} {
			if strings.Contains(raw, bad) {
				t.Fatalf("%q reaches the screen", bad)
			}
		}
		p.keys("]")
	}
}

func placeOf(c client.Connector, entity, action string) (p profile.Place) {
	p.Connector, p.Entity, p.Action = c, entity, action
	return p
}

func TestPastedObjectIsTheParams(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.send(tea.PasteMsg{Content: " {\"limit\":3,\"email\":\"a@b.example\"}\n"})
	if got := string(p.m.req.Params()); got != `{"limit":3,"email":"a@b.example"}` {
		t.Errorf("the params are %s", got)
	}
}

func TestPastedCallOfAnotherActionAsks(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	if err := p.m.req.SetParams([]byte(`{"email":"a@b.example"}`)); err != nil {
		t.Fatal(err)
	}
	p.send(tea.PasteMsg{Content: `{"entity":"refunds","action":"list","params":{"limit":3}}`})
	p.wants("calls refunds list", "a@b.example")
	p.keys("esc")
	if got := string(p.m.req.Params()); got != `{"email":"a@b.example"}` {
		t.Errorf("staying changed the params to %s", got)
	}
	p.send(tea.PasteMsg{Content: `{"entity":"refunds","action":"list","params":{"limit":3}}`})
	p.keys("y")
	p.wants("refunds / list")
	if got := string(p.m.req.Params()); got != `{"limit":3}` {
		t.Errorf("the params are %s", got)
	}
}

func TestTheFirstCardNamesTheWayBackFromARecord(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.wants("first time here?", "enter open this record")
	p.keys("enter")
	p.wants("[ the view before")
	p.keys("[")
	p.wants("enter open this record")
}
