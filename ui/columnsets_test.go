package ui

import (
	"slices"
	"testing"

	"patchbay/client/profile"
)

// columns are the names of the columns shown.
func (p *player) columns() []string {
	_, shown := p.m.res.Columns()
	return shown
}

// Of many columns some are chosen by typing, and kept under a name for the entity.
func TestColumnsAreChosenByTyping(t *testing.T) {
	var saved profile.State
	p := play(t, Deps{Fresh: true, SaveSettings: func(s profile.State) error { saved = s; return nil }}, 120, 36)
	p.keys("esc")
	before := p.columns()
	p.keys("c", "ctrl+o")
	p.wants("type what their names hold first")
	p.typed("cash_balance")
	p.keys("ctrl+o")
	only := p.columns()
	if len(only) < 2 || slices.ContainsFunc(only, func(name string) bool { return name[:4] != "cash" }) {
		t.Fatalf("only these shows %v", only)
	}
	p.keys("ctrl+s")
	p.typed("cash")
	p.keys("enter")
	p.wants("Sets (ctrl+x forgets)", "set cash", "c offers the set cash")
	p.keys("ctrl+a")
	all, _ := p.m.res.Columns()
	if got := p.columns(); len(got) != len(all) || !slices.Equal(got[:len(only)], only) {
		t.Errorf("all shows %d of %d: %v", len(got), len(all), got)
	}
	p.keys("esc", "u")
	if got := p.columns(); !slices.Equal(got, only) {
		t.Errorf("undo leads to %v", got)
	}
	p.keys("u")
	if got := p.columns(); !slices.Equal(got, before) {
		t.Errorf("undo leads to %v, not %v", got, before)
	}
	p.keys("c")
	p.typed("set cash")
	p.keys("enter", "esc")
	if got := p.columns(); !slices.Equal(got, only) {
		t.Errorf("the set shows %v", got)
	}
	if got := saved.ColumnSets["payments.customers"]["cash"]; !slices.Equal(got, only) {
		t.Errorf("kept is %v", got)
	}
	p.keys("c", "ctrl+home", "ctrl+x")
	p.wants("the set cash is forgotten")
	if n := len(saved.ColumnSets["payments.customers"]); n != 0 {
		t.Errorf("%d sets are kept", n)
	}
}

// Columns of a set that a page does not have are told, the others shown.
func TestASetMayNameColumnsThatAreMissing(t *testing.T) {
	sets := map[string]map[string][]string{"payments.customers": {"old": {"id", "gone"}, "none": {"gone"}}}
	p := play(t, Deps{Fresh: true, Settings: profile.State{ColumnSets: sets}}, 120, 36)
	p.keys("esc", "c")
	p.typed("set old")
	p.keys("enter")
	p.wants("not here: gone")
	if got := p.columns(); !slices.Equal(got, []string{"id"}) {
		t.Errorf("shown are %v", got)
	}
	p.keys("ctrl+u")
	p.typed("set none")
	p.keys("enter")
	p.wants("no column of none is here")
}
