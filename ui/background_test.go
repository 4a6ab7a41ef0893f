package ui

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// Light and dark follow the terminal, also while the program runs, until the
// person chose a theme.
func TestThemeFollowsTheTerminal(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	is := func(want string) {
		t.Helper()
		if got := p.m.look.Styles.Theme.Name; got != want {
			t.Fatalf("the theme is %s, want %s", got, want)
		}
	}
	is("patchbay-dark")
	p.send(tea.BackgroundColorMsg{Color: color.White})
	is("patchbay-light")
	p.send(uv.DarkColorSchemeEvent{})
	is("patchbay-dark")
	p.send(uv.LightColorSchemeEvent{})
	is("patchbay-light")
	p.keys("T")
	p.typed("nord")
	p.keys("enter")
	p.send(tea.BackgroundColorMsg{Color: color.Black})
	is("nord")
}

// A terminal tells nothing about colours that changed while another window had
// the focus, or while the program was suspended: it is asked again.
func TestBackgroundIsAskedAgain(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	for _, msg := range []tea.Msg{tea.FocusMsg{}, tea.ResumeMsg{}} {
		if _, cmd := p.m.Update(msg); cmd == nil {
			t.Errorf("%T asks nothing", msg)
		}
	}
}
