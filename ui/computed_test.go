package ui

import (
	"slices"
	"testing"

	"patchbay/client/profile"
	"patchbay/client/records"
)

const computedKey = "payments.customers"

// restarted runs customers.list in a program that remembers st.
func restarted(t *testing.T, st profile.State) *player {
	p := play(t, Deps{Settings: st}, 120, 36)
	p.call("payments", "customers", "list", `{"limit":5}`)
	return p
}

func TestComputedColumnsAreRemembered(t *testing.T) {
	p := restarted(t, profile.State{})
	p.keys("=")
	p.typed("half = .balance / 2")
	p.keys("enter")
	p.wants("half", "computed · jq .balance / 2")
	kept := p.m.deps.Settings
	if want := []records.Computed{{Name: "half", Program: ".balance / 2"}}; !slices.Equal(kept.Computed[computedKey], want) {
		t.Fatalf("kept %+v", kept.Computed)
	}
	order := kept.Columns[computedKey]

	p = restarted(t, kept)
	p.wants("half")
	if _, shown := p.m.res.Columns(); !slices.Equal(shown, order) || !slices.Contains(shown, "half") {
		t.Errorf("%v are shown, %v were kept", shown, order)
	}
	p.keys("l", "=")
	p.wants("half = .balance / 2")
	p.keys("ctrl+u")
	p.typed("half =")
	p.keys("enter")
	p.lacks("half")
	if kept := p.m.deps.Settings.Computed[computedKey]; len(kept) != 0 {
		t.Errorf("%v are kept still", kept)
	}
}

// What stands in the settings may be wrong, or loop for ever.
func TestBrokenComputedColumnsAreShownAsBroken(t *testing.T) {
	p := restarted(t, profile.State{
		Columns: map[string][]string{computedKey: {"id", "bad", "loop", "fails"}},
		Computed: map[string][]records.Computed{computedKey: {
			{Name: "bad", Program: ".a | nosuch("}, {Name: "loop", Program: "def f: f; f"}, {Name: "fails", Program: ".id + 1"}, {Program: "."}, {Name: "bad", Program: "."}}},
	})
	p.wants("bad (broken)", "loop (broken)", "fails")
	p.keys("l")
	p.wants("broken: unexpected", "= mends it")
	p.keys("l")
	p.wants("broken: its program takes too long for a cell")
	p.keys("l")
	p.wants("fails here: ")
}

func TestComputedColumnsHaveNamesOfTheirOwn(t *testing.T) {
	p := restarted(t, profile.State{})
	p.keys("=")
	p.typed("email = 1")
	p.keys("enter")
	p.wants("the records have a column of this name")
}
