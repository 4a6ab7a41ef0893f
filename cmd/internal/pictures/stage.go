package main

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/payload"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
	"patchbay/themes"
	"patchbay/ui"
)

// opening is when every picture is taken.
var opening = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// answerTime is how long every request seems to take.
const answerTime = 84 * time.Millisecond

// clock stands still but for the requests.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// slowed moves the clock on with every request.
type slowed struct {
	base  http.RoundTripper
	clock *clock
}

func (s slowed) RoundTrip(r *http.Request) (*http.Response, error) {
	s.clock.at = s.clock.at.Add(answerTime)
	return s.base.RoundTrip(r)
}

// stage is a running explorer.
type stage struct {
	model tea.Model
	theme themes.Theme
	w, h  int
	err   error
}

// newStage starts the explorer of a scene.
func newStage(s scene) (*stage, error) {
	theme, err := themes.Load(s.theme, "")
	if err != nil {
		return nil, err
	}
	kinds, c := catalog.New(), &clock{opening}
	service := hostedSandbox(kinds, c)
	deps := ui.Deps{
		Catalog: kinds, Now: c.now, Fresh: s.place == place{},
		Session:  ui.Session{Name: "sandbox", BaseURL: sandbox.BaseURL, Sandbox: true, Service: service, Preset: payload.Neutral()},
		Settings: profile.State{Theme: s.theme, CardDone: !s.card},
	}
	if s.place != (place{}) {
		at, err := s.place.find(service)
		if err != nil {
			return nil, err
		}
		deps.Settings.Places = map[string]profile.Place{"sandbox": at}
	}
	st := &stage{model: ui.New(deps), theme: theme, w: s.w, h: s.h}
	st.send(tea.WindowSizeMsg{Width: s.w, Height: s.h})
	st.run(st.model.Init())
	return st, nil
}

// hostedSandbox is the built-in service behind the client that reaches real ones.
func hostedSandbox(kinds *catalog.Catalog, c *clock) *hosted.Client {
	box := sandbox.New(sandbox.Options{Catalog: kinds, Now: func() time.Time { return opening }})
	wire := transport.New(transport.Options{
		Base: slowed{box.RoundTripper(), c}, Now: c.now, Random: func() float64 { return 0 },
	})
	return hosted.New(hosted.Config{
		Profile: "sandbox", BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, Catalog: kinds, Transport: wire,
	})
}

// place is an action of the demo workspace by the kind of its connector.
type place struct{ kind, entity, action string }

func (p place) find(service *hosted.Client) (profile.Place, error) {
	list, err := service.Connectors(context.Background(), "demo")
	if err != nil {
		return profile.Place{}, err
	}
	for _, c := range list {
		if c.Kind == p.kind {
			return profile.Place{Connector: c, Entity: p.entity, Action: p.action}, nil
		}
	}
	return profile.Place{}, fmt.Errorf("no connector of kind %s in the demo workspace", p.kind)
}

func (s *stage) send(msg tea.Msg) {
	next, cmd := s.model.Update(msg)
	s.model = next
	s.run(cmd)
}

// run runs commands to their end, one after the other.
func (s *stage) run(cmd tea.Cmd) {
	if cmd == nil || waits(cmd) {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg:
		s.err = fmt.Errorf("the program quit")
	default:
		s.send(msg)
	}
}

// waits tells whether a command is one of tea.Tick: those wait for real time,
// which a picture has none of. Only their function's name tells them apart.
func waits(cmd tea.Cmd) bool {
	f := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer())
	return f != nil && strings.Contains(f.Name(), "Tick.func")
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
	"down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp}, "right": {Code: tea.KeyRight}, "left": {Code: tea.KeyLeft},
	"backspace": {Code: tea.KeyBackspace}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
}

// press presses keys: names divided by spaces; after a ' text that is typed;
// JSON is pasted.
func (s *stage) press(keys ...string) {
	for _, k := range keys {
		if strings.HasPrefix(k, "{") {
			s.send(tea.PasteMsg{Content: k})
			continue
		}
		if typed, ok := strings.CutPrefix(k, "'"); ok {
			for _, r := range typed {
				s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		for _, name := range strings.Fields(k) {
			s.send(key(name))
		}
	}
}

func key(name string) tea.KeyPressMsg {
	if k, ok := named[name]; ok {
		return k
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}
