package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"slices"
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
	"patchbay/client/session"
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

// dark is the theme of a scene that names none.
const dark = "patchbay-dark"

// newStage starts the explorer of a scene.
func newStage(s scene) (*stage, error) {
	s.Theme = cmp.Or(s.Theme, dark)
	theme, err := themes.Load(s.Theme, "")
	if err != nil {
		return nil, err
	}
	known, c := catalog.New(), &clock{opening}
	box, err := (&session.Opener{Choice: session.Choice{Sandbox: true}, Redactor: &secret.Redactor{}, Now: c.now,
		Kinds:    func() *catalog.Catalog { return known },
		Settings: func() (*profile.Settings, error) { return &profile.Settings{}, nil },
		Watch:    func(base http.RoundTripper) (http.RoundTripper, error) { return slowed{base, c}, nil },
	}).Service(context.Background())
	if err != nil {
		return nil, err
	}
	deps := ui.Deps{
		Catalog: known, Now: c.now, Fresh: s.Place == place{}, Views: planned().Views,
		Session: ui.Session{Name: box.Name, BaseURL: sandbox.BaseURL, Sandbox: true, First: box.First(),
			Service: pictured{box.Hosted}, Preset: payload.Neutral()},
		Settings: profile.State{Theme: s.Theme, CardDone: !s.Card},
	}
	if !deps.Fresh {
		list, err := box.Hosted.Connectors(context.Background(), "demo")
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(list, func(c client.Connector) bool { return c.Kind == s.Place.Kind })
		if at < 0 {
			return nil, fmt.Errorf("no connector of kind %s in the demo workspace", s.Place.Kind)
		}
		deps.Settings.Places = map[string]profile.Place{
			box.Name: {Connector: list[at], Entity: s.Place.Entity, Action: s.Place.Action}}
	}
	st := &stage{model: ui.New(deps), theme: theme, w: s.W, h: s.H}
	st.send(tea.WindowSizeMsg{Width: s.W, Height: s.H})
	st.run(st.model.Init())
	return st, nil
}

// pictured is a service whose workspaces hold the kinds of the pictures only.
type pictured struct{ *hosted.Client }

func (p pictured) Connectors(ctx context.Context, workspace string) ([]client.Connector, error) {
	list, err := p.Client.Connectors(ctx, workspace)
	other := func(c client.Connector) bool { return !slices.Contains(planned().Kinds, c.Kind) }
	return slices.DeleteFunc(list, other), err
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

// waits reports whether a command is one of tea.Tick: those wait for real time,
// which a picture has none of. Only their function's name tells them apart.
func waits(cmd tea.Cmd) bool {
	f := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer())
	return f != nil && strings.Contains(f.Name(), "Tick.func")
}

var named = map[string]tea.KeyPressMsg{"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}}

// press presses keys as scenes.yaml writes them.
func (s *stage) press(keys ...string) {
	for _, k := range keys {
		typed, isTyped := strings.CutPrefix(k, "'")
		switch {
		case strings.HasPrefix(k, "{"):
			s.send(tea.PasteMsg{Content: k})
		case isTyped:
			for _, r := range typed {
				s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		default:
			for _, name := range strings.Fields(k) {
				key, ok := named[name]
				if rest, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl {
					key = tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
				} else if !ok {
					key = tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
				}
				s.send(key)
			}
		}
	}
}
