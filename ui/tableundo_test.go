package ui

import (
	"strings"
	"testing"
)

// Marks, filters, order and columns of the table are taken back one by one, and come again.
func TestTheTableIsUndone(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "list", "")
	p.keys("3", "l")
	p.wants("10 rows")
	whole := p.screen()
	p.keys("space", "H", "o")
	p.wants("1 marked", "▲")
	done := p.screen()
	p.keys("/")
	p.typed("Haddad")
	p.keys("enter", "u")
	if got := p.screen(); ofCustomers(got) != ofCustomers(done) {
		t.Errorf("without the filter the table is\n%s\nwant\n%s", got, done)
	}
	p.keys("u", "u", "u")
	p.lacks("marked")
	p.keys("g")
	if got := p.screen(); ofCustomers(got) != ofCustomers(whole) {
		t.Errorf("with everything taken back the table is\n%s\nwant\n%s", got, whole)
	}
	p.keys("U", "U", "U")
	p.wants("1 marked", "▲")
	p.keys("u", "u", "u", "u")
	p.wants("nothing was done")
}

// ofCustomers are the lines of a screen that show some of the customers, without the cursor.
func ofCustomers(screen string) string {
	var out []string
	for _, l := range strings.Split(screen, "\n") {
		if at := strings.Index(l, "cus_"); at >= 0 {
			out = append(out, l[at:])
		}
	}
	return strings.Join(out, "\n")
}
