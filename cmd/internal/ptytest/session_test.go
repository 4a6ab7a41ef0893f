//go:build unix

package ptytest

import (
	"strings"
	"testing"
)

func TestLeftTellsWhatWasNotRestored(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"nothing": {`printf '\033[?1049h\033[?25l\033[?2004h\033[>1u` +
			`\033]11;#102030\007\033]111\007\033[<u\033[?2004l\033[?25h\033[?1049l'`, ""},
		"alternate screen": {`printf '\033[?1049h'`, "alternate screen"},
		"cursor":           {`printf '\033[?1049h\033[?25l\033[?1049l'`, "cursor is hidden"},
		"mouse":            {`printf '\033[?1002h\033[?1006h\033[?1006l'`, "mode 1002"},
		"paste":            {`printf '\033[?2004h'`, "mode 2004"},
		"kitty keyboard":   {`printf '\033[>1u\033[>3u\033[<u'`, "keyboards [1]"},
		"other keys":       {`printf '\033[>4;2m'`, "modifyOtherKeys is 2"},
		"background":       {`printf '\033]11;#102030\007'`, "colours"},
		"raw":              {`stty raw`, "line discipline"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Start(t, "/bin/sh", Options{W: 40, H: 10, Args: []string{"-c", c.script}})
			if code := s.End(); code != 0 {
				t.Fatalf("exit code %d: %s", code, s.Screen())
			}
			if got := strings.Join(s.left(), ", "); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("it tells %q, want %q", got, c.want)
			}
		})
	}
}
