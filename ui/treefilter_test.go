package ui

import (
	"strings"
	"testing"
)

func TestTheTreesFilterFindsWhatWasNeverUnfolded(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.keys("1", "g", "/")
	p.typed("pages")
	p.keys("enter")
	p.wants("team_wiki", "pages")
	if left := p.m.tree.Unlisted(); len(left) > 0 {
		t.Errorf("%q were not looked into", left)
	}
	p.keys("esc")
	p.wants("▸ team_wiki")
}

func TestGoingIntoATreesRowFoldsNothing(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.keys("1", "g")
	var way []string
	for range 6 {
		n := p.m.tree.Current()
		way = append(way, n.Label)
		p.keys("l")
	}
	rows := strings.Count(p.screen(), "▾")
	if n := p.m.tree.Current(); rows == 0 || n.Action == "" || way[0] != "demo" {
		t.Errorf("l led along %q, to %+v", way, n)
	}
}

// What is unfolded below a name that was filtered for is seen, although nothing in it matches.
func TestAMatchOfTheTreesFilterCanBeUnfolded(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.keys("1", "g", "/")
	p.typed("team_wiki")
	p.keys("enter", "j")
	p.wants("▸ team_wiki")
	p.keys("l")
	p.wants("▾ team_wiki", "pages")
	p.keys("h", "h")
	p.wants("▸ team_wiki")
	p.lacks("pages")
}
