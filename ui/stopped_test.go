package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// hold handles a key and gives back what was to be run for it.
func (p *player) hold(name string) tea.Cmd {
	_, cmd := p.m.Update(keyMsg(name))
	return cmd
}

// What was stopped is not shown as if it were done.
func TestAStoppedSortLeavesTheRowsAndTheHeadingAsTheyWere(t *testing.T) {
	p := openText(t, customers(20), 120, 36)
	p.onColumn("balance")
	p.keys("o")
	p.wants("balance▲")
	sorted := p.screen()
	late := p.hold("o")
	p.wants("balance▼")
	p.keys("ctrl+c")
	p.wants("balance▲", "Cancelled")
	p.run(late)
	p.wants("balance▲")
	p.send(toastMsg{p.m.toast.id})
	if got := p.screen(); got != sorted {
		t.Errorf("the stopped sort left\n%s\nwant\n%s", got, sorted)
	}
}

func TestAStoppedFilterIsNotInForce(t *testing.T) {
	p := openText(t, customers(20), 120, 36)
	filter := func(s string) tea.Cmd {
		p.keys("/", "ctrl+u")
		p.typed(s)
		return p.hold("enter")
	}
	p.run(filter("team"))
	p.wants(`rows with "team" · 6 of 20`)
	late := filter("pro")
	p.wants(`rows with "pro" · filtering`)
	p.keys("ctrl+c")
	p.run(late)
	p.wants(`rows with "team" · 6 of 20`)
}

// A sort that was taken back must not come after all.
func TestAnOldSortDoesNotComeLate(t *testing.T) {
	p := openText(t, customers(20), 120, 36)
	p.onColumn("balance")
	p.keys("o")
	late := p.hold("o")
	p.keys("o")
	p.run(late)
	p.lacks("balance▲", "balance▼")
	p.wants("▸ 1  cus_0000")
}

func TestAStoppedSearchIsForgotten(t *testing.T) {
	p := openText(t, customers(20), 120, 36)
	p.keys("]", "]", "/")
	p.typed("cus_0007")
	late := p.hold("enter")
	p.keys("ctrl+c")
	p.run(late)
	p.lacks("searching")
	p.keys("/")
	p.typed("cus_0007")
	p.keys("enter")
	p.wants("1 of 1")
}

// How far new work is stands where an older message stood.
func TestWorkTakesThePlaceOfAnOldMessage(t *testing.T) {
	p := openText(t, customers(20), 120, 36)
	p.hold("o")
	p.keys("ctrl+c")
	p.wants("Cancelled")
	p.hold("o")
	p.lacks("Cancelled")
}

// A page whose filter was stopped shows all its rows, says so, and takes a filter again.
func TestAStoppedFilterOfATurnedPageLeavesItWhole(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", ".", ",", "/")
	p.typed("bauer")
	p.keys("enter")
	p.wants(`rows with "bau`, "page 1")
	late := p.hold(".")
	p.keys("ctrl+c")
	p.run(late)
	p.wants("page 2", "Omar Ito", "Cancelled")
	p.lacks(`rows with "bau`, "filtering")
	p.keys("/")
	p.typed("petrov")
	p.keys("enter")
	p.wants(`rows with "pet`, "2 of 20")
}
