package input_test

import (
	"strings"
	"testing"

	"patchbay/ui/input"
)

func pressed(t testing.TB, a *input.Area, names ...string) {
	for _, n := range names {
		a.Key(press(t, n))
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
		a := input.NewArea(c.start)
		pressed(t, a, c.keys...)
		if got := a.Value(); got != c.want {
			t.Errorf("%q after %v is %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

func TestAreaPastes(t *testing.T) {
	a := input.NewArea("ab\nz")
	pressed(t, a, "up", "home", "right")
	a.Insert("1\r\n2\n3")
	if got := a.Value(); got != "a1\n2\n3b\nz" || a.Row() != 2 {
		t.Errorf("%q, row %d", got, a.Row())
	}
	pressed(t, a, "!")
	if got := a.Value(); got != "a1\n2\n3!b\nz" {
		t.Errorf("%q", got)
	}
}

// A line of a megabyte shows the part around the cursor.
func TestAreaDrawsTheCursor(t *testing.T) {
	a := input.NewArea(strings.Repeat("日", 1<<19))
	line, x := a.Draw(0, 41)
	if x < 38 || x > 40 || !strings.HasSuffix(string(line), "日") {
		t.Errorf("the cursor stands at %d in %q", x, line)
	}
	pressed(t, a, "home")
	if line, x = a.Draw(0, 41); x != 0 || !strings.HasPrefix(string(line), "日") {
		t.Errorf("the cursor stands at %d in %q", x, line)
	}
	if line, x = input.NewArea("a\x1b[31m\tb\nc").Draw(0, 20); x != -1 || strings.ContainsAny(string(line), "\x1b\t") {
		t.Errorf("%q, %d", line, x)
	}
}

func TestFieldPastesOneSpaceForALineBreak(t *testing.T) {
	f := input.New("")
	f.Paste("one\ntwo\r\nthree")
	if got := f.Value(); got != "one two three" {
		t.Errorf("%q", got)
	}
}

func BenchmarkAreaKeyInALongLine(b *testing.B) {
	a := input.NewArea(strings.Repeat("x", 1<<20))
	for b.Loop() {
		pressed(b, a, "a", "backspace")
		a.Draw(0, 80)
	}
}
