package ui

import (
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

// testNow is when every test happens.
var testNow = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func now() time.Time { return testNow }

// testCatalog is shared: it is safe for several goroutines and costs time to open.
var testCatalog = catalog.New()

// noSleep waits for nothing.
func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// sandboxSession is the built-in service behind the real hosted client.
func sandboxSession(o sandbox.Options) Session {
	o.Catalog, o.Now = testCatalog, now
	box := sandbox.New(o)
	c := hosted.New(hosted.Config{Profile: "sandbox", BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: box.RoundTripper(), Now: now, Random: func() float64 { return 0 }, Sleep: noSleep})})
	return Session{Name: "sandbox", BaseURL: sandbox.BaseURL, Sandbox: true, Service: c}
}

// player drives the model: it feeds messages and runs the commands they return.
type player struct {
	t *testing.T
	m *Model
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
	deps.Now = now
	deps.Clipboard = func(s string) error { p.clip = s; return nil }
	p.m = New(deps)
	p.m.answerPause = 0 // time stands still here
	p.m.later = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	p.send(tea.WindowSizeMsg{Width: w, Height: h})
	p.run(p.m.Init())
	return p
}

func (p *player) send(msg tea.Msg) {
	_, cmd := p.m.Update(msg)
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

var specialKeys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"backspace": {Code: tea.KeyBackspace}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "f5": {Code: tea.KeyF5},
}

func keyMsg(name string) tea.KeyPressMsg {
	if k, ok := specialKeys[name]; ok {
		return k
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

// screen is the screen as text.
func (p *player) screen() string {
	p.t.Helper()
	text := ansi.Strip(p.m.View().Content)
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
