package ui

import (
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
	small "patchbay/testdata/catalog"
	"patchbay/ui/action"
	"patchbay/ui/input"
	"patchbay/ui/intent"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

// testNow is when every test happens.
var testNow = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func now() time.Time { return testNow }

// testCatalog is shared: it is safe for several goroutines and costs time to open.
var testCatalog = small.Catalog()

// noSleep waits for nothing.
func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// sandboxSession is the built-in service behind the real hosted client.
func sandboxSession(o sandbox.Options) Session {
	o.Catalog, o.Now = testCatalog, now
	box := sandbox.New(o)
	c := hosted.New(hosted.Config{Profile: "sandbox", BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: box.RoundTripper(), Now: now, Random: func() float64 { return 0 }, Sleep: noSleep})})
	return Session{Name: "sandbox", BaseURL: sandbox.BaseURL, Sandbox: true, First: session.SandboxCall(testCatalog), Service: c,
		Examine: examining(c)}
}

// examining checks one connector, or the workspace staging.
func examining(c *hosted.Client) Examine {
	return func(ctx context.Context, one *client.Connector, emit func(doctor.Finding)) {
		if one == nil {
			doctor.Run(ctx, doctor.Input{Profile: &profile.Profile{Name: "sandbox", BaseURL: sandbox.BaseURL}, Client: c, Catalog: testCatalog,
				Workspace: "staging", Now: now}, emit)
			return
		}
		k, _ := testCatalog.Kind(one.Kind)
		doctor.Connector(ctx, doctor.OfService(c, c, k, *one), emit)
	}
}

// playedViews are those that a player has unless it asks for others: the line of tabs
// names every view, so that a further one would change every screen with an answer.
var playedViews = strings.Fields("Error Table Record JSON Raw Pages Schema Wire")

// everyView asks for all views there are.
var everyView = []string{}

// player drives the model: it feeds messages and runs the commands they return.
type player struct {
	t *testing.T
	m *Model
	// guard stands before the model; nil without one.
	guard *Guard
	// watch gets the messages in the model's place; nil for none.
	watch tea.Model
	// clip holds what was copied natively, quit whether the program would have ended.
	clip string
	quit bool
}

func play(t *testing.T, deps Deps, w, h int) *player {
	t.Helper()
	p := &player{t: t}
	if deps.Catalog == nil {
		deps.Catalog = testCatalog
	}
	if deps.Session.Service == nil {
		deps.Session = sandboxSession(sandbox.Options{})
	}
	if deps.Views == nil {
		deps.Views = playedViews
	}
	deps.Now = now
	deps.Clipboard = func(s string) error { p.clip = s; return nil }
	p.m = New(deps)
	p.m.answerPause = 0 // time stands still here
	p.m.later = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	p.send(tea.WindowSizeMsg{Width: w, Height: h})
	p.run(p.m.Init())
	return p
}

// root is what gets the messages.
func (p *player) root() tea.Model {
	switch {
	case p.guard != nil:
		return p.guard
	case p.watch != nil:
		return p.watch
	}
	return p.m
}

func (p *player) send(msg tea.Msg) {
	_, cmd := p.root().Update(msg)
	p.run(cmd)
}

// run runs commands to their end. There are no timers, so toasts stay and nothing spins.
func (p *player) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			p.run(c)
		}
	case tea.QuitMsg:
		p.quit = true
	default:
		p.send(msg)
	}
}

// rest lets the pause pass that the task following the typing waits for.
func (p *player) rest() {
	if t := p.m.tasks.in(intent.Typing); t != nil {
		p.send(dueMsg{t.id})
	}
}

func (p *player) keys(names ...string) {
	for _, n := range names {
		p.send(keyMsg(n))
	}
}

func (p *player) typed(s string) {
	for _, r := range s {
		p.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func keyMsg(name string) tea.KeyPressMsg {
	k, ok := action.Press(name)
	if !ok {
		panic("no key is called " + name)
	}
	return k
}

// screen is the screen as text.
func (p *player) screen() string {
	p.t.Helper()
	text := ansi.Strip(p.root().View().Content)
	checkFits(p.t, text, p.m.width, p.m.height)
	return text
}

func checkFits(t *testing.T, screen string, w, h int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) > h {
		t.Fatalf("%dx%d: the screen has %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, n, l)
		}
	}
}

func (p *player) wants(parts ...string) {
	p.t.Helper()
	s := p.screen()
	for _, part := range parts {
		if !strings.Contains(s, part) {
			p.t.Fatalf("the screen lacks %q:\n%s", part, s)
		}
	}
}

// field is what stands in the text field of the overlay on top.
func (p *player) field() string {
	p.t.Helper()
	top, ok := p.m.stack.Top().(interface{ TextField() *input.Field })
	if !ok {
		p.t.Fatal("there is no overlay with a text field")
	}
	return top.TextField().Value()
}
