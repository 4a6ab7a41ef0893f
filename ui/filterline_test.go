package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

func TestRowsAreFilteredWhileTyping(t *testing.T) {
	p := openText(t, customers(1000), 120, 36)
	p.keys("/")
	p.typed("user12")
	p.wants("/ rows with user12", "1,000 rows", "ctrl+n")
	p.rest()
	p.wants("11 of 1,000", "cus_0012", "cus_0129", "enter keep")
	if c := p.m.View().Cursor; c == nil || c.Y != 32 {
		t.Errorf("the cursor is at %+v, not in the line", c)
	}
	p.keys("down", "down", "enter")
	p.wants(`rows with "user12" · 11 of 1,000`, "row 3 of 11")
	p.keys("enter", "esc", "esc")
	p.wants("row 122 of 1,000")
	if strings.Contains(p.screen(), "rows with") {
		t.Error("esc does not drop the filter")
	}
}

func TestEscDropsWhatIsTyped(t *testing.T) {
	p := openText(t, customers(100), 120, 36)
	p.keys("j", "j", "/")
	p.typed("user55")
	p.rest()
	p.keys("esc")
	p.wants("row 3 of 100")
	p.keys("/")
	p.typed("user1")
	p.keys("enter")
	p.wants("11 of 100")
	p.keys("/")
	p.typed("5")
	p.rest()
	p.wants("1 of 100")
	p.keys("esc")
	p.wants(`rows with "user1" · 11 of 100`)
}

func TestFilterModes(t *testing.T) {
	p := openText(t, customers(100), 120, 36)
	p.keys("/", "tab")
	p.typed("user[12]@")
	p.rest()
	p.wants("rows matching", "2 of 100")
	p.keys("ctrl+n")
	p.rest()
	p.wants("rows not matching", "98 of 100")
	p.typed("[")
	p.rest()
	p.wants("not a pattern: missing closing ]")
	p.keys("ctrl+u", "ctrl+n", "tab", "ctrl+t")
	p.typed("c99")
	p.rest()
	p.wants("id like", "1 of 100")
	p.keys("enter")
	p.wants(`id like "c99" · 1 of 100`)
}

// A filter of the table and a search in another view are two things.
func TestSearchLeavesTheFilterAlone(t *testing.T) {
	p := openText(t, customers(100), 120, 36)
	p.keys("/")
	p.typed("user55")
	p.keys("enter", "enter", "/")
	p.typed("team")
	p.rest()
	p.keys("esc", "esc")
	p.wants(`rows with "user55" · 1 of 100`)
	p.keys("]", "]", "/")
	p.typed("cus_00")
	p.rest()
	p.wants("find cus_00", " of 100 ")
	p.keys("down", "down", "esc", "esc")
	p.wants(`rows with "user55" · 1 of 100`)
}

func TestViewsWithoutTextSayThatNothingIsSearched(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "[", "/")
	p.wants("nothing to search in")
	if p.m.res.Typing() {
		t.Error("a line was opened")
	}
}

func TestLeavingThePaneKeepsTheFilter(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "/")
	p.send(tea.PasteMsg{Content: "bauer"})
	p.send(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft})
	if p.m.res.Typing() || p.m.arr.focus != intent.Tree {
		t.Fatal("a click on the tree does not end the typing")
	}
	p.wants(`rows with "bauer" · 4 of 20`)
	p.keys("/")
	p.typed("list")
	p.wants("/ list", "rows")
	p.keys("enter")
	p.wants("/list")
	p.keys("/", "ctrl+u")
	p.typed("nothing of it")
	p.wants("Nothing here matches")
	p.keys("esc")
	p.wants("/list")
	p.keys("esc")
	p.wants("code_hosting")
}

func TestLinesFitEverySize(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "/")
	p.typed("長い bauer")
	p.rest()
	for w := 1; w <= 130; w += 3 {
		for h := 1; h <= 40; h += 3 {
			p.send(tea.WindowSizeMsg{Width: w, Height: h})
			p.screen()
			if c := p.m.View().Cursor; c != nil && (c.X >= w || c.Y >= h) {
				t.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, w, h)
			}
		}
	}
}

// A row that passes by a field that is not on the screen says by which.
func TestFilterNamesTheFieldOutOfSight(t *testing.T) {
	p := openText(t, `[{"id":"a","name":"Linda"},{"id":"b","name":"Bo","metadata":{"source":"list"}},{"id":"c","name":"Cy"}]`, 120, 36)
	p.m.res.SetColumns([]string{"id", "name"})
	p.keys("/")
	p.typed("li")
	p.rest()
	p.wants("2 of 3 ")
	if strings.Contains(p.screen(), "hit in") {
		t.Error("what is on the screen is named")
	}
	p.keys("down")
	p.wants("hit in metadata.source")
	p.m.res.SetColumns([]string{"id", "metadata.source"})
	p.m.fit()
	if strings.Contains(p.screen(), "hit in") {
		t.Error("what came onto the screen is named")
	}
}

// The columns shown are those of the moment, not those of the typing.
func TestFilterOfTheColumnsShown(t *testing.T) {
	p := openText(t, `[{"id":"a","name":"Linda"},{"id":"b","name":"Bo","source":"list"},{"id":"c","name":"Cy"}]`, 120, 36)
	p.m.perform(p.m.res.SetColumns([]string{"id", "name"}))
	p.keys("/")
	p.typed("li")
	p.keys("ctrl+t", "ctrl+t")
	p.rest()
	p.wants("columns shown with li", "1 of 3 ", "ctrl+t any field")
	p.keys("enter")
	p.wants(`columns shown with "li" · 1 of 3`)
	p.run(p.m.perform(p.m.res.SetColumns([]string{"id", "name", "source"})))
	p.wants("2 of 3")
	p.keys("l", "H")
	p.wants("1 of 3")
	p.keys("/", "ctrl+t", "enter")
	p.wants(`rows with "li" · 2 of 3`)
}

// A summary is of the rows shown, so its values narrow them; each filter is
// left for itself.
func TestFiltersNarrowEachOther(t *testing.T) {
	p := openText(t, customers(300), 120, 36)
	p.keys("/")
	p.typed("user1")
	p.keys("enter")
	p.wants("111 of 300")
	p.m.toast.text = ""
	for p.m.res.CurrentField() != "plan" {
		p.keys("l")
	}
	p.keys("s")
	p.wants("39 rows")
	p.keys("enter")
	p.wants(`rows with "user1", plan equal to`, "39 of 300")
	p.keys("/")
	p.wants("after 1 filter")
	p.keys("ctrl+u")
	p.rest()
	p.wants("111 of 300 ")
	p.keys("esc")
	p.wants("39 of 300")
	p.keys("esc")
	p.wants(`rows with "user1" · 111 of 300`)
	p.keys("esc")
	p.wants("of 300 ")
	p.lacks("rows with")
}

// A filter or a sort by a computed column follows its program.
func TestComputedColumnsAreSortedAnew(t *testing.T) {
	p := openText(t, `[{"id":"a","n":1},{"id":"b","n":3},{"id":"c","n":2}]`, 120, 36)
	p.run(p.m.perform(p.m.res.Derive("m", ".n")))
	p.keys("o", "g")
	p.wants("row 1 of 3", `.[0].m  1`)
	p.run(p.m.perform(p.m.res.Derive("m", "-.n")))
	p.keys("g")
	p.wants(`.[1].m  -3`)
	p.run(p.m.perform(p.m.res.Derive("m", "")))
	p.keys("g")
	p.wants(`.[0]`)
	if strings.Contains(p.screen(), "▲") {
		t.Error("the sort outlasts its column")
	}
}

func TestKeysOfASearchAreInTheFooter(t *testing.T) {
	p := openText(t, customers(100), 120, 36)
	p.keys("]", "]")
	if strings.Contains(p.screen(), "n next hit") {
		t.Error("n is offered without a search")
	}
	p.keys("n")
	p.wants("nothing is searched: / starts")
	p.keys("/")
	p.typed("cus_00")
	p.rest()
	p.keys("enter")
	p.wants("n next hit", "N previous hit")
}

// How many rows pass is told once, and that they are those loaded, not the server's.
func TestTheFilterIsToldOnce(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "/")
	p.typed("bauer")
	p.rest()
	p.wants("4 of 20 loaded")
	for _, when := range []string{"while typing", "kept"} {
		if s := p.screen(); strings.Count(s, "4 of 20") != 1 || strings.Contains(s, "in all") {
			t.Errorf("%s the screen is\n%s", when, s)
		}
		if p.m.res.Typing() {
			p.keys("enter")
		}
	}
	p.send(tea.WindowSizeMsg{Width: 64, Height: 20}) // no room beside the tabs
	p.wants("row 1 of 4 shown, 20 in all")
}

// A hit in a column that is not on the screen is shown, whichever way there is room.
func TestAHitOutOfSightIsShown(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "/")
	p.typed("delivery")
	p.rest()
	p.wants(`hit in description: …confirm the delivery window`, "row 1 of ")
	p.keys("enter")
	p.wants(`hit in description: …confirm the delivery window`)
}
