package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// counted drives the explorer and counts every key, typed characters included.
type counted struct {
	*player
	n int
}

func (c *counted) press(names ...string) {
	c.n += len(names)
	c.keys(names...)
}

func (c *counted) write(s string) {
	c.n += len([]rune(s))
	c.typed(s)
}

func (c *counted) within(limit int, what string) {
	c.t.Helper()
	if c.n > limit {
		c.t.Errorf("%s took %d keys; %d are the bar", what, c.n, limit)
	}
	c.t.Logf("%s: %d keys", what, c.n)
}

func TestListInFewKeys(t *testing.T) {
	c := counted{player: play(t, Deps{}, 120, 36)}
	c.press("ctrl+p")
	c.write("refu")
	c.press("enter", "r")
	c.wants("refunds / list", "rows")
	c.within(8, "running a list")
	before := c.n
	c.press("Y", "enter")
	if !strings.Contains(c.clip, "curl") {
		t.Errorf("copied %q", c.clip)
	}
	c.n -= before
	c.within(2, "copying the call as curl")
}

func TestSearchInFewKeys(t *testing.T) {
	c := counted{player: play(t, Deps{}, 120, 36)}
	c.press("ctrl+p")
	c.write("cust stor")
	c.press("enter", "j", "enter")
	c.write("delinq")
	c.press("enter", "enter")
	c.write("t")
	c.press("enter", "j", "enter")
	c.write("currency")
	c.press("enter", "enter")
	c.write("usd")
	c.press("enter", "r")
	c.wants("customers / context_store_search", "rows", "delinquent")
	c.within(40, "a search with two conditions")
}

// The whole job of a first use: find an operation, run it, read a record,
// fetch page 2 and copy the call.
func TestFirstUseInFewKeys(t *testing.T) {
	c := counted{player: play(t, Deps{Fresh: true}, 120, 36)}
	c.wants("fetch the next page", "copy this call", "search every entity")
	c.press("ctrl+p")
	c.write("charg")
	c.press("enter", "r")
	c.wants("charges / list", "rows")
	c.press("enter")
	c.wants("[Record]")
	c.press(".")
	c.wants("page 2")
	c.press("Y", "enter")
	if !strings.Contains(c.clip, "curl") {
		t.Errorf("copied %q", c.clip)
	}
	c.within(30, "the first use")
}

// Everyday work on an entity: run it, filter the rows, fetch the next page, copy the call.
func TestFilterPageAndCopyInFewKeys(t *testing.T) {
	c := counted{player: play(t, Deps{}, 120, 36)}
	c.press("ctrl+p")
	c.write("char")
	c.press("enter", "r", "/")
	c.write("usd")
	c.press("enter")
	c.rest()
	c.wants("charges / list", `"usd"`)
	c.press(".")
	c.wants("page 2")
	c.press("Y", "enter")
	if !strings.Contains(c.clip, "curl") {
		t.Errorf("copied %q", c.clip)
	}
	c.within(15, "filter, next page and copy as curl")
}

// A search of five conditions in three groups: built, explained, copied, emptied and
// pasted back.
func TestNestedSearchInFewKeys(t *testing.T) {
	c := counted{player: play(t, Deps{}, 120, 36)}
	c.press("ctrl+p")
	c.write("customers context")
	c.press("enter", "down", "enter")
	c.write("curr")
	c.press("enter")
	c.write("usd")
	c.press("tab")
	c.write("crea")
	c.press("enter")
	c.write(">-365d")
	c.press("tab")
	c.write("(")
	c.press("enter")
	c.write("deli")
	c.press("enter")
	c.write("true")
	c.press("tab")
	c.write("bal")
	c.press("enter")
	c.write("<0")
	c.press("tab")
	c.write(")")
	c.press("enter")
	c.write("none")
	c.press("enter")
	c.write("email")
	c.press("enter")
	c.write("~%.net%")
	c.press("enter")
	built := string(c.m.req.Params())
	const want = `{"query":{"filter":{"and":[{"eq":{"currency":"usd"}},{"gt":{"created":1740909600}},` +
		`{"or":[{"eq":{"delinquent":true}},{"lt":{"balance":0}}]},{"not":{"like":{"email":"%.net%"}}}]}}}`
	if built != want {
		t.Fatalf("built %s", built)
	}
	c.press("r", "W")
	c.wants("Why this record was found")
	c.press("esc", "Y", "enter")
	copied := c.clip
	c.press("2", "ctrl+x")
	if got := string(c.m.req.Params()); got == built {
		t.Fatalf("still %s", got)
	}
	c.n++
	c.send(tea.PasteMsg{Content: copied})
	if got := string(c.m.req.Params()); got != built {
		t.Errorf("pasted back: %s", got)
	}
	c.within(100, "a nested search built, explained, copied and pasted back")
}
