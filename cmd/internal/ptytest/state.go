//go:build unix

package ptytest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"golang.org/x/term"
)

// state is what a program may change of a terminal beside the screen's text.
type state struct {
	alt, hidden bool
	modes       []int // those switched on
	stack       []int // keyboards pushed and not popped
	other       int   // modifyOtherKeys
	colours     []int // of the terminal itself: 10 its text's, 11 its background's
}

// watched are the modes that must not stay on: mouse, focus, paste, synchronised output.
var watched = []int{9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026, 1049, 1047, 47}

// set notes a mode. The emulator keeps a cursor per screen, terminals one for
// both: so that of mode 25 counts.
func (s *state) set(m ansi.Mode, on bool) {
	if m == ansi.ModeTextCursorEnable {
		s.hidden = !on
		return
	}
	s.modes = slices.DeleteFunc(s.modes, func(n int) bool { return n == m.Mode() })
	if on {
		s.modes = append(s.modes, m.Mode())
	}
}

// follow notes what the program changes: screens and modes, which the emulator tells
// of, and keyboard modes and colours of the terminal itself, which it does not; requests
// for these are left to it.
func (s *state) follow(em *vt.Emulator) {
	em.SetCallbacks(vt.Callbacks{
		AltScreen:   func(on bool) { s.alt = on },
		EnableMode:  func(m ansi.Mode) { s.set(m, true) },
		DisableMode: func(m ansi.Mode) { s.set(m, false) },
	})
	one := func(p ansi.Params, or int) int { n, _, _ := p.Param(0, or); return n }
	em.RegisterCsiHandler(ansi.Command('>', 0, 'u'),
		func(p ansi.Params) bool { s.stack = append(s.stack, one(p, 0)); return true })
	em.RegisterCsiHandler(ansi.Command('<', 0, 'u'), func(p ansi.Params) bool {
		s.stack = s.stack[:max(len(s.stack)-one(p, 1), 0)]
		return true
	})
	em.RegisterCsiHandler(ansi.Command('>', 0, 'm'), func(p ansi.Params) bool {
		s.other, _, _ = p.Param(1, 0)
		return true
	})
	// A program that does not know of its new size yet may set margins that lie below the
	// screen: the emulator would scroll lines that it does not have, and panic.
	em.RegisterCsiHandler('r', func(p ansi.Params) bool { n, _, _ := p.Param(1, 0); return n > em.Height() })
	for _, n := range []int{10, 11} {
		em.RegisterOscHandler(n, func(data []byte) bool {
			if !strings.HasSuffix(string(data), ";?") && !slices.Contains(s.colours, n) {
				s.colours = append(s.colours, n)
			}
			return false
		})
		em.RegisterOscHandler(100+n, func([]byte) bool {
			s.colours = slices.DeleteFunc(s.colours, func(one int) bool { return one == n })
			return false
		})
	}
}

// Restored checks that the program left the terminal as it found it.
func (s *Session) Restored() {
	s.tb.Helper()
	for _, what := range s.left() {
		s.tb.Error("after its end " + what)
	}
}

// UntilRestored waits until the terminal is as the program found it.
func (s *Session) UntilRestored() {
	s.tb.Helper()
	s.Wait("the terminal's own state", func() bool { return len(s.left()) == 0 })
}

// left says what differs from the terminal before the start.
func (s *Session) left() (left []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.state
	add := func(changed bool, format string, what ...any) {
		if changed {
			left = append(left, fmt.Sprintf(format, what...))
		}
	}
	add(st.alt, "the alternate screen is shown")
	add(st.hidden, "the cursor is hidden")
	for _, m := range st.modes {
		add(slices.Contains(watched, m), "mode %d is on", m)
	}
	add(len(st.stack) > 0, "keyboards %v are on the stack", st.stack)
	add(st.other != 0, "modifyOtherKeys is %d", st.other)
	add(len(st.colours) > 0, "the colours %v are not the terminal's own", st.colours)
	after, err := term.GetState(int(s.tty.Fd()))
	add(err != nil || !reflect.DeepEqual(after, s.before), "the line discipline is another: %v, %v", after, err)
	return left
}
