package input_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/action"
	"patchbay/ui/input"
	"patchbay/ui/input/bound"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// press makes the press of a key.
func press(t testing.TB, name string) tea.KeyPressMsg {
	p, ok := action.Press(name)
	if !ok {
		t.Fatalf("no press for the key %q", name)
	}
	return p
}

// Every key that the library binds can be pressed: the name of its press is its own.
func TestEveryBoundKeyHasAPress(t *testing.T) {
	names := bound.Keys()
	if len(names) < 60 {
		t.Errorf("only %d bound keys were found", len(names))
	}
	for _, name := range names {
		if got := press(t, name).String(); got != name {
			t.Errorf("%s is pressed as %s", name, got)
		}
	}
}

// Every key that the library binds is pressed at every place of some texts:
// none may end the program.
func TestNoBoundKeyPanics(t *testing.T) {
	for _, name := range bound.Keys() {
		for _, value := range []string{"", "x", "ab", "a b", " ", "  x", "x  ", "héé 界", "a\nb\n", "\n\n x"} {
			for at := range len([]rune(value)) + 1 {
				f, a := input.New(value), input.NewArea(value)
				for range at {
					f.Key(press(t, "left"))
					a.Key(press(t, "left"))
				}
				f.Key(press(t, name))
				a.Key(press(t, name))
			}
		}
	}
}

func TestDeletesTheLastCharacterAsAWord(t *testing.T) {
	for _, name := range []string{"alt+d", "ctrl+delete", "alt+delete"} {
		f := input.New("one x")
		f.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
		if changed := f.Key(press(t, name)); !changed || f.Value() != "one " {
			t.Errorf("%s left %q, changed %v", name, f.Value(), changed)
		}
	}
}

// Whatever is pressed, typed and pasted, the fields hold text, show it in the room
// there is, and keep their cursor in it. Bytes from 128 on press a key that is
// bound, what lies between two of them is typed or pasted.
func FuzzEdit(f *testing.F) {
	names := bound.Keys()
	all := make([]byte, len(names))
	for i := range names {
		all[i] = byte(128 + i)
	}
	f.Add("a b", string(all), uint8(9))
	f.Add("ab\ncd  x", "\x80x\x90a\nb\xa0\x1b[31m\xb0", uint8(1))
	s := &style.Styles{}
	f.Fuzz(func(t *testing.T, value, keys string, width uint8) {
		field, area, w := input.New(value), input.NewArea(value), int(width)
		field.Fit(w)
		for range 200 {
			if keys == "" {
				break
			}
			at := strings.IndexFunc(keys, func(r rune) bool { return r == utf8.RuneError })
			if at == 0 {
				k := press(t, names[int(keys[0])%len(names)])
				keys = keys[1:]
				field.Key(k)
				area.Key(k)
			} else {
				typed := keys
				if at > 0 {
					typed = keys[:at]
				}
				keys = keys[len(typed):]
				field.Paste(typed)
				area.Insert(typed)
			}
			line, x := field.Draw(w, s)
			inRoom(t, line, x, w)
			field.Click(int(width) % 7)
			if area.Row() < 0 || area.Row() >= area.Len() {
				t.Fatalf("the cursor is in line %d of %d", area.Row(), area.Len())
			}
			line, x = area.Draw(area.Row(), w)
			inRoom(t, line, x, w)
		}
		if again := input.NewArea(area.Value()); again.Value() != area.Value() || again.Len() != area.Len() {
			t.Errorf("%q is %q when it is opened again", area.Value(), again.Value())
		}
	})
}

func inRoom(t *testing.T, line text.Safe, x, w int) {
	t.Helper()
	if got := text.Width(line); w > 0 && (got > w || x < 0 || x >= w) {
		t.Fatalf("%q has %d of %d cells, its cursor stands at %d", line, got, w, x)
	}
}
