package cli

import (
	"strings"
	"testing"
)

func TestThePager(t *testing.T) {
	for _, c := range []struct{ pager, less, programs, want string }{
		{"", "", "less more", "less -R"},
		{"", "", "more", "more"},
		{"", "", "", ""},
		{" ", "", "more", "more"},
		{"bat --plain", "", "less", "bat --plain"},
		{"cat", "", "less", "less -R"}, // nothing could be read
		{"/bin/cat -v", "", "", ""},
		{"", "FRX", "less", "less -R -+F"}, // it would end at once
		{"/usr/bin/less -RF", "", "less", "/usr/bin/less -RF -+F"},
		{"less -S", "RX", "less", "less -S"},
	} {
		has := func(p string) bool { return strings.Contains(" "+c.programs+" ", " "+p+" ") }
		got := strings.Join(pagerOf(map[string]string{"PAGER": c.pager, "LESS": c.less}, has), " ")
		if got != c.want {
			t.Errorf("PAGER=%q LESS=%q with %q runs %q, want %q", c.pager, c.less, c.programs, got, c.want)
		}
	}
}
