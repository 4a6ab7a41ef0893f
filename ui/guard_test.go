package ui

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/crew"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// failing is an overlay that panics at one thing.
type failing struct {
	overlay.Base
	at string
}

func (f *failing) panics(at string) {
	if f.at == at {
		panic("it holds sk_live_4eC39HqLyjWDarjt and fails at " + at)
	}
}

func (f *failing) Title() string            { return "Failing" }
func (f *failing) Hints() string            { return "" }
func (f *failing) Want(int, int) (w, h int) { return 20, 3 }
func (f *failing) Key(msg tea.KeyPressMsg) intent.Intent {
	f.panics("key")
	if msg.String() == "esc" {
		return intent.Close{}
	}
	return nil
}
func (f *failing) Paste(string) intent.Intent { f.panics("paste"); return nil }
func (f *failing) Fit(int, int)               { f.panics("fit") }
func (f *failing) Draw(int, int, *style.Styles) ([]text.Safe, *image.Point) {
	f.panics("draw")
	return nil, nil
}

// guardedPlay is a player whose explorer is guarded; reports are what it saved.
func guardedPlay(t *testing.T) (p *player, reports *[]string) {
	t.Helper()
	reports = &[]string{}
	redactor := &secret.Redactor{}
	redactor.Add(secret.New("sk_live_4eC39HqLyjWDarjt"))
	p = play(t, Deps{Redactor: redactor, SaveSettings: func(profile.State) error { return nil },
		SaveReport: func(r string) (string, error) { *reports = append(*reports, r); return "report.txt", nil }}, 100, 30)
	p.guard = Guarded(p.m)
	p.keys("2")
	p.keys("enter")
	p.typed("7") // goes into the form
	p.keys("enter")
	return p, reports
}

// goesOn checks that form and place are as they were, and that keys work.
func (p *player) goesOn() {
	p.t.Helper()
	if p.quit {
		p.t.Fatal("the program ended")
	}
	for range 4 { // whatever is still open
		p.keys("esc")
	}
	if !strings.Contains(string(p.m.req.Draft()), "7") || !p.m.req.HasAction() {
		p.t.Errorf("the form holds %s", p.m.req.Draft())
	}
	p.keys("?")
	p.wants("Keys and actions")
	p.keys("esc")
}

// Whatever panics is told, can be reported without secrets, and ends nothing.
func TestPanicsEndNothing(t *testing.T) {
	apply := func() intent.Intent { panic("at its outcome") }
	task := func(do func(context.Context) (func() intent.Intent, error)) func(p *player) tea.Cmd {
		return func(p *player) tea.Cmd {
			return p.m.perform(intent.Task{Lane: intent.Asking, What: "asking", Do: do})
		}
	}
	for name, inject := range map[string]func(p *player) tea.Cmd{
		"key": func(p *player) tea.Cmd { p.m.stack.Push(&failing{at: "key"}); p.keys("x"); return nil },
		"paste": func(p *player) tea.Cmd {
			p.m.stack.Push(&failing{at: "paste"})
			p.send(tea.PasteMsg{Content: "hunter2"})
			return nil
		},
		"fit":   func(p *player) tea.Cmd { p.m.stack.Push(&failing{at: "fit"}); p.keys("x"); return nil },
		"draw":  func(p *player) tea.Cmd { p.m.stack.Push(&failing{at: "draw"}); p.keys("x"); return nil },
		"task":  task(func(context.Context) (func() intent.Intent, error) { panic("in its work") }),
		"apply": task(func(context.Context) (func() intent.Intent, error) { return apply, nil }),
		"step": task(func(ctx context.Context) (func() intent.Intent, error) {
			intent.Post(ctx, apply)
			return nil, nil
		}),
		"workers": task(func(context.Context) (func() intent.Intent, error) {
			var c crew.Crew
			c.Go(func() { panic("in a goroutine of its work") })
			c.Wait()
			return nil, nil
		}),
		"command": func(*player) tea.Cmd { return func() tea.Msg { panic("in a command") } },
		"batch": func(*player) tea.Cmd {
			return tea.Batch(func() tea.Msg { panic("in a batch") }, func() tea.Msg { return nil })
		},
		"settings": func(p *player) tea.Cmd {
			p.m.deps.SaveSettings = func(profile.State) error { panic("saving") }
			return p.m.saveSettings()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, reports := guardedPlay(t)
			p.run(guarded(inject(p)))
			p.wants("defect", "saves a report")
			p.keys("s")
			if len(*reports) != 1 {
				t.Fatalf("%d reports\n%s", len(*reports), p.screen())
			}
			r := (*reports)[0]
			for _, part := range []string{"terminal 100x30", "goroutine", "guard_test.go", "last keys: 2 enter (text) enter"} {
				if !strings.Contains(r, part) {
					t.Errorf("the report lacks %q:\n%s", part, r)
				}
			}
			for _, hidden := range []string{"sk_live", "hunter2"} {
				if strings.Contains(r+p.screen(), hidden) {
					t.Errorf("%q is told", hidden)
				}
			}
			p.keys("enter")
			if len(p.m.tasks.open) != 0 {
				t.Errorf("%d tasks are left", len(p.m.tasks.open))
			}
			p.goesOn()
		})
	}
}

// A window that fails at every key is closed, a loop that fails at every key is left
// for the plain page, and one that cannot be drawn at all is left by q.
func TestPanicsThatComeAgain(t *testing.T) {
	t.Run("window", func(t *testing.T) {
		p, _ := guardedPlay(t)
		p.m.stack.Push(&failing{at: "key"})
		p.keys("x", "esc", "x", "esc")
		p.goesOn()
	})
	t.Run("every key", func(t *testing.T) {
		p, _ := guardedPlay(t)
		actions := p.m.actions
		p.m.actions = nil
		p.keys("x", "x", "x")
		p.wants("cannot draw its screen", "leaves")
		p.m.actions = actions
		p.keys("enter", "esc")
		p.goesOn()
	})
	t.Run("nothing can be drawn", func(t *testing.T) {
		p, _ := guardedPlay(t)
		p.m.res = nil
		p.keys("x", "enter")
		p.wants("whatever is closed")
		for _, size := range [][2]int{{1, 1}, {20, 3}, {200, 60}} {
			p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			p.screen()
		}
		p.keys("q")
		if !p.quit {
			t.Error("q does not leave")
		}
	})
	t.Run("a size", func(t *testing.T) {
		p, _ := guardedPlay(t)
		f := &failing{at: "draw"}
		p.m.stack.Push(f)
		p.wants("cannot draw its screen")
		f.at = ""
		p.send(tea.WindowSizeMsg{Width: 90, Height: 30})
		p.wants("Failing")
		p.goesOn()
	})
}

// The commands of a sequence are guarded although its type has no name.
func TestSequencesAreGuarded(t *testing.T) {
	type sequence []tea.Cmd
	ran := false
	msg := within(sequence{func() tea.Msg { panic(errors.New("first")) }, func() tea.Msg { ran = true; return nil }})
	list := msg.(sequence)
	if d, ok := list[0]().(defectMsg); !ok || d.what != "first" {
		t.Errorf("it brings %v", d)
	}
	if list[1](); !ran {
		t.Error("the second did not run")
	}
}
