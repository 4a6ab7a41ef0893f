package ui

import (
	"slices"
	"strings"
	"testing"

	"patchbay/client/profile"
)

func TestDiffWithARunOfTheHistory(t *testing.T) {
	p, _ := withHistory(t)
	p.call("payments", "customers", "get", `{"id":"cus_none"}`)
	p.call("payments", "customers", "list", `{"limit":2}`)
	p.call("payments", "invoices", "list", `{"limit":2}`)
	p.call("payments", "customers", "list", `{"limit":3}`)
	p.keys("D")
	p.typed("history")
	p.keys("enter")
	p.wants("Compare with which run?", "customers list", "customers get")
	p.lacks("invoices list")
	p.typed(`"limit":3`)
	p.wants("Not now: this is the run shown")
	p.keys("ctrl+u")
	p.typed("404")
	p.wants("Not now: it failed")
	p.keys("ctrl+u")
	p.typed(`"limit":2`)
	p.keys("enter")
	p.wants("This run against list of", "2 the same, 1 added")
}

func TestDiffOfPagesAndRuns(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "D")
	p.typed("page before")
	p.wants("Not now: there is no page before this one")
	p.keys("esc", ".", "D")
	p.typed("page before")
	p.keys("enter")
	p.wants("Page 2 against page 1", "0 the same, 20 added, 20 removed", "paired by id")
	p.keys("esc", "r", "D")
	p.typed("run before")
	p.keys("enter")
	p.wants("This run against the run before", "Loaded are 1 page of this run and 2 of the run before", "counts as removed", "20 the same, 0 added, 20 removed")
	p.keys("esc", ".", "D")
	p.typed("run before")
	p.keys("enter")
	p.wants("40 the same, 0 added, 0 removed")
	p.lacks("Loaded are")
}

// Long values stand below each other.
func TestDiffOfLongValues(t *testing.T) {
	long := strings.Repeat("so many words ", 10)
	p := openText(t, `[{"id":1,"t":"`+long+`a","n":1},{"id":2,"t":"`+long+`b","n":2}]`, 120, 36)
	p.keys("D")
	p.typed("page before")
	p.wants("Not now: this has no pages")
	p.keys("esc", "space", "space", "D", "enter")
	p.wants("~ .n: 1 → 2", "~ .t:  ", "-   \"so many words", "+   \"so many words")
}

func TestDiffWithoutHistory(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "D")
	p.typed("history")
	p.wants("Not now: there is no place to keep a history")
}

func TestQueriesAreKeptBetweenStarts(t *testing.T) {
	var kept profile.State
	save := func(s profile.State) error { kept = s; return nil }
	first := play(t, Deps{Fresh: true, SaveSettings: save, Settings: profile.State{Queries: []string{".id", ".name"}}}, 120, 36)
	first.keys("esc", "|", "up", "up", "enter")
	if want := []string{".name", ".id"}; !slices.Equal(kept.Queries, want) {
		t.Fatalf("kept %q, want %q", kept.Queries, want)
	}
	second := play(t, Deps{Fresh: true, Settings: profile.State{Queries: kept.Queries}}, 120, 36)
	second.keys("esc", "|", "up")
	if got := second.field(); got != ".id" {
		t.Errorf("the newest query is %q", got)
	}

	kept = profile.State{}
	session := play(t, Deps{}, 120, 36).m.deps.Session
	session.NoHistory = true
	quiet := play(t, Deps{Fresh: true, Session: session, SaveSettings: save}, 120, 36)
	quiet.keys("esc", "|", "enter")
	if len(kept.Queries) != 0 {
		t.Errorf("a session without history kept %q", kept.Queries)
	}
}
