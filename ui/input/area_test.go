package input

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func pressed(a *Area, names ...string) {
	keys := map[string]tea.KeyPressMsg{
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "enter": {Code: tea.KeyEnter}, "backspace": {Code: tea.KeyBackspace},
		"delete": {Code: tea.KeyDelete}, "ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
		"ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "alt+b": {Code: 'b', Mod: tea.ModAlt}, "alt+f": {Code: 'f', Mod: tea.ModAlt},
		"ctrl+home": {Code: tea.KeyHome, Mod: tea.ModCtrl}, "space": {Code: tea.KeySpace, Text: " "}, "alt+d": {Code: 'd', Mod: tea.ModAlt},
	}
	for _, n := range names {
		k, ok := keys[n]
		if !ok {
			k = tea.KeyPressMsg{Code: []rune(n)[0], Text: n}
		}
		a.Key(k)
	}
}

func TestAreaEdits(t *testing.T) {
	for _, c := range []struct {
		start string
		keys  []string
		want  string
	}{
		{"", []string{"a", "enter", "b"}, "a\nb"},
		{"ab\ncd", []string{"home", "backspace"}, "abcd"},
		{"ab\ncd", []string{"up", "delete"}, "abcd"},
		{"ab\ncd", []string{"up", "x", "down", "y"}, "abx\ncdy"},
		{"long line\nx\nother", []string{"up", "z", "up", "left", "!"}, "l!ong line\nxz\nother"},
		{"one two", []string{"ctrl+w", "x"}, "one x"},
		{"one two", []string{"alt+b", "ctrl+u"}, "two"},
		{"one two", []string{"ctrl+home", "alt+f", "ctrl+k"}, "one"},
		{"one two", []string{"ctrl+home", "alt+d"}, " two"},
		{"e\u0301x", []string{"left", "left", "y"}, "ye\u0301x"},
		{"e\u0301", []string{"backspace"}, "e"},
		{"a", []string{"home", "left", "backspace", "b"}, "ba"},
		{"a", []string{"right", "delete", "space"}, "a "},
		{"日本", []string{"left", "語"}, "日語本"},
	} {
		a := NewArea(c.start)
		pressed(a, c.keys...)
		if got := a.Value(); got != c.want {
			t.Errorf("%q after %v is %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

func TestAreaPastes(t *testing.T) {
	a := NewArea("ab\nz")
	pressed(a, "up", "home", "right")
	a.Insert("1\r\n2\n3")
	if got := a.Value(); got != "a1\n2\n3b\nz" || a.Row() != 2 {
		t.Errorf("%q, row %d", got, a.Row())
	}
	pressed(a, "!")
	if got := a.Value(); got != "a1\n2\n3!b\nz" {
		t.Errorf("%q", got)
	}
}

// A line of a megabyte shows the part around the cursor.
func TestAreaDrawsTheCursor(t *testing.T) {
	a := NewArea(strings.Repeat("日", 1<<19))
	line, x := a.Draw(0, 41)
	if x < 38 || x > 40 || !strings.HasSuffix(line, "日") {
		t.Errorf("the cursor stands at %d in %q", x, line)
	}
	pressed(a, "home")
	if line, x = a.Draw(0, 41); x != 0 || !strings.HasPrefix(line, "日") {
		t.Errorf("the cursor stands at %d in %q", x, line)
	}
	if line, x = NewArea("a\x1b[31m\tb\nc").Draw(0, 20); x != -1 || strings.ContainsAny(line, "\x1b\t") {
		t.Errorf("%q, %d", line, x)
	}
}

func TestFieldPastesOneSpaceForALineBreak(t *testing.T) {
	f := New("")
	f.Paste("one\ntwo\r\nthree")
	if got := f.Value(); got != "one two three" {
		t.Errorf("%q", got)
	}
}

func BenchmarkAreaKeyInALongLine(b *testing.B) {
	a := NewArea(strings.Repeat("x", 1<<20))
	for b.Loop() {
		pressed(a, "a", "backspace")
		a.Draw(0, 80)
	}
}
