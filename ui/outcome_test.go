package ui

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"patchbay/client/history"
	"patchbay/client/sandbox"
)

// colour is that in which the screen draws the first cell of some words.
func (p *player) colour(words string) string {
	p.t.Helper()
	em := p.cells()
	for y, line := range strings.Split(p.screen(), "\n") {
		if before, _, found := strings.Cut(line, words); found {
			return hex(em.CellAt(ansi.StringWidth(before), y).Style.Fg)
		}
	}
	p.t.Fatalf("%q is not on the screen:\n%s", words, p.screen())
	return ""
}

// What went well, what was refused and what failed differ by sign and colour, in the
// title, in the history and in the log.
func TestOutcomesAreToldApart(t *testing.T) {
	status := http.StatusOK
	s := replies(func(_ int, r *http.Request) (*http.Response, error) {
		return reply(r, status, "application/json", `{"data":[{"id":"a"}],"meta":{}}`), nil
	})
	store := history.New(filepath.Join(t.TempDir(), history.FileName), history.Options{})
	t.Cleanup(func() { store.Close() })
	p := play(t, Deps{Session: s, History: store}, 120, 36)
	p.keys("enter")
	colours := p.m.look.Styles.Theme
	ways := []struct {
		status      int
		sign, drawn string
	}{{200, "✓", colours.Success}, {403, "!", colours.Warning}, {400, "!", colours.Warning}, {500, "✗", colours.Error}}
	for _, c := range ways {
		status = c.status
		p.call("payments", "customers", "list", `{}`)
		if got := p.colour(fmt.Sprint(c.sign, " ", c.status)); got != c.drawn {
			t.Errorf("the title draws %d in %s, want %s", c.status, got, c.drawn)
		}
	}
	for _, key := range []string{"H", "L"} {
		p.keys(key, "down", "down", "down", "down", "down", "down") // the row under the cursor has a style of its own
		for _, c := range ways[1:] {
			if got := p.colour(c.sign + " 1"); got != c.drawn {
				t.Errorf("%s draws %s in %s, want %s", key, c.sign, got, c.drawn)
			}
		}
		p.keys("esc")
	}
}

// A checked connector keeps its sign and word however long its name is.
func TestHealthIsNeverCut(t *testing.T) {
	p := play(t, Deps{Session: sandboxSession(sandbox.Options{Faults: []sandbox.Fault{{Name: sandbox.FaultMissingScope}}})}, 120, 36)
	p.onConnector("payments")
	p.keys("C", "esc")
	p.wants("! partly")
	p.keys("2")
	p.onConnector("payments")
	p.keys("j")
	if got := p.colour("! partly"); got != p.m.look.Styles.Theme.Warning {
		t.Errorf("the tree draws it in %s", got)
	}
	for range 3 {
		p.keys("ctrl+w", "<")
	}
	p.wants("! partly")
}

// A cursor that does not move is named below, and is asked for again only by somebody who insists.
func TestStuckCursorIsNotOfferedAgain(t *testing.T) {
	p := faulty(sandbox.FaultRepeat)(t, 120, 36)
	p.call("payments", "customers", "context_store_search", `{"query":{"filter":{"gt":{"balance":0}}},"limit":2}`)
	p.keys(".")
	p.wants("page 2", "cursor did not move", "m asks all the same")
	p.lacks(". next page")
	p.keys(".")
	p.wants("! cursor did not move")
	if n := p.m.res.PageCount(); n != 2 {
		t.Fatalf("%d pages are there", n)
	}
	p.keys("m")
	p.wants("The next page, all the same")
	p.keys("enter")
	if n := p.m.res.PageCount(); n != 3 {
		t.Errorf("%d pages are there", n)
	}
}
