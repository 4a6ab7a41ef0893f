package ui

import (
	"image"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/ui/action"
	"patchbay/ui/intent"
)

// pointer clicks on what stands on the screen of a player, a second apart.
type pointer struct {
	*player
	at time.Time
}

func point(t *testing.T, w, h int) *pointer {
	p := &pointer{player: play(t, Deps{Fresh: true}, w, h), at: testNow}
	p.m.deps.Now = func() time.Time { return p.at }
	p.m.arr.card = false
	return p
}

// cell is where a text stands: the nth from the top, from 0.
func (p *pointer) cell(text string, nth int) image.Point {
	p.t.Helper()
	for y, l := range strings.Split(p.screen(), "\n") {
		before, _, found := strings.Cut(l, text)
		if !found {
			continue
		}
		if nth == 0 {
			return image.Pt(ansi.StringWidth(before), y)
		}
		nth--
	}
	p.t.Fatalf("the screen lacks %q:\n%s", text, p.screen())
	return image.Point{}
}

func (p *pointer) press(at image.Point) {
	p.send(tea.MouseClickMsg{X: at.X, Y: at.Y, Button: tea.MouseLeft})
	p.send(tea.MouseReleaseMsg{X: at.X, Y: at.Y, Button: tea.MouseLeft})
}

func (p *pointer) click(at image.Point) {
	p.at = p.at.Add(time.Second)
	p.press(at)
}

func (p *pointer) double(at image.Point) {
	p.click(at)
	p.press(at)
}

func (p *pointer) drag(from, to image.Point) {
	p.at = p.at.Add(time.Second)
	p.send(tea.MouseClickMsg{X: from.X, Y: from.Y, Button: tea.MouseLeft})
	p.send(tea.MouseReleaseMsg{X: to.X, Y: to.Y, Button: tea.MouseLeft})
}

func TestMouseDoubleClickUnfoldsOnce(t *testing.T) {
	p := point(t, 120, 36)
	p.double(p.cell("· get", 0))
	p.wants("2 Request  customers / get")
	p.keys("-")
	p.double(p.cell("code_hosting", 0))
	p.wants("▾ code_hosting", "org_repositories")
}

// The request folds when the focus leaves it, so that the rows move: both
// clicks mean the row that was under the pointer at the first.
func TestMouseDoubleClickOpensTheRowClicked(t *testing.T) {
	p := point(t, 120, 36)
	p.keys("2")
	row := p.cell("Omar Rossi", 0)
	p.double(row)
	p.wants("[Record]", "record 3 of 20")
}

func TestMouseResizesColumns(t *testing.T) {
	p := point(t, 120, 36)
	was := p.cell(" name", 0)
	p.drag(was.Sub(image.Pt(1, 0)), was.Add(image.Pt(7, 0)))
	if now := p.cell(" name", 0); now.X != was.X+8 {
		t.Fatalf("the column ends at %d, it ended at %d and was dragged by 8", now.X, was.X)
	}
	p.double(p.cell(" name", 0))
	if now := p.cell(" name", 0); now != was {
		t.Fatalf("a double click left the column at %v, it fits at %v", now, was)
	}
	if strings.ContainsAny(p.screen(), "▲▼") {
		t.Fatalf("dragging sorted:\n%s", p.screen())
	}
	p.click(p.cell("name", 0))
	p.wants("name▲")
}

func TestMouseBreadcrumbsAndProfile(t *testing.T) {
	p := point(t, 120, 36)
	p.click(p.cell("customers › list", 0))
	if n := p.m.tree.Current(); p.m.arr.focus != intent.Tree || n.Entity != "customers" || n.Action != "" {
		t.Fatalf("the click on the entity went to %+v", n)
	}
	p.click(p.cell("demo › payments", 0))
	if n := p.m.tree.Current(); n.Workspace != "demo" || n.Connector.Name != "" {
		t.Fatalf("the click on the workspace went to %+v", n)
	}
	p.click(p.cell("SANDBOX", 0))
	p.wants("Profile")
}

func TestMouseFooterAndOverlayHints(t *testing.T) {
	p := point(t, 120, 36)
	p.click(p.cell("? keys", 0))
	p.wants("Keys and actions")
	p.click(p.cell("esc closes", 0))
	if p.m.stack.Top() != nil {
		t.Fatalf("the click on the hint left the overlay:\n%s", p.screen())
	}
	p.click(p.cell("y copy", 0))
	p.click(p.cell("Record as JSON", 0))
	if !strings.Contains(p.clip, `"id"`) {
		t.Fatalf("one click on an item copied %q", p.clip)
	}
	p.keys("?")
	p.click(image.Pt(0, 0))
	if p.m.stack.Top() != nil {
		t.Fatalf("a click outside left the overlay:\n%s", p.screen())
	}
}

func TestMouseThemeIsPreviewedByClickAndWheel(t *testing.T) {
	p := point(t, 120, 36)
	p.keys("T")
	was := p.m.look.Styles.Theme.Name
	p.click(p.cell("gruvbox-dark", 0))
	if p.m.look.Styles.Theme.Name != "gruvbox-dark" || p.m.stack.Top() == nil {
		t.Fatalf("one click shows %s", p.m.look.Styles.Theme.Name)
	}
	p.send(tea.MouseWheelMsg{X: 60, Y: 10, Button: tea.MouseWheelDown})
	if p.m.look.Styles.Theme.Name == "gruvbox-dark" {
		t.Fatal("the wheel moved without a preview")
	}
	p.keys("esc")
	if p.m.look.Styles.Theme.Name != was {
		t.Fatalf("esc left %s, it was %s", p.m.look.Styles.Theme.Name, was)
	}
}

func TestMouseWheelScrollsWhatIsUnderThePointer(t *testing.T) {
	p := point(t, 200, 40)
	first := p.screen()
	p.send(tea.MouseWheelMsg{X: 190, Y: 20, Button: tea.MouseWheelDown})
	if p.screen() == first || !strings.Contains(p.screen(), "▸ 1  cus_") {
		t.Fatalf("the wheel over the record at the side moved the table, or nothing:\n%s", p.screen())
	}
	p.keys("2")
	docs := p.cell("Order: ", 0)
	p.send(tea.MouseWheelMsg{X: docs.X, Y: docs.Y, Button: tea.MouseWheelDown})
	if strings.Contains(p.screen(), "│ Order: ") {
		t.Fatalf("the documentation did not scroll:\n%s", p.screen())
	}
	p.keys("3", "]", "]")
	before := p.screen()
	p.send(tea.MouseWheelMsg{X: 80, Y: 20, Button: tea.MouseWheelRight})
	if p.screen() != before {
		t.Fatal("the wheel sideways folded the JSON")
	}
}

// Long texts take several rows of the record: a click means the field that is drawn there.
func TestMouseHitsFieldsBelowWrappedText(t *testing.T) {
	p := point(t, 120, 36)
	p.keys("enter")
	at := p.cell("email: ", 0)
	p.click(at)
	if in := p.screen(); !strings.Contains(strings.Split(in, "\n")[at.Y], "▸  email:") && !strings.Contains(strings.Split(in, "\n")[at.Y], "▸   email:") {
		t.Fatalf("the click on email went elsewhere:\n%s", in)
	}
	mark := p.cell("▾ cash_balance", 0)
	p.click(mark)
	p.wants("▸ cash_balance: {…}")
}

func TestMouseRightClickListsWhatCanBeDone(t *testing.T) {
	p := point(t, 120, 36)
	at := p.cell("Hugo Bauer", 0)
	p.send(tea.MouseClickMsg{X: at.X, Y: at.Y, Button: tea.MouseRight})
	p.wants("What to do with this record")
	p.keys("esc")
	p.keys("2")
	at = p.cell("email ", 0)
	p.send(tea.MouseClickMsg{X: at.X, Y: at.Y, Button: tea.MouseRight})
	p.wants("This field")
}

func TestMouseSummaryHasNoFields(t *testing.T) {
	p := point(t, 120, 36)
	p.click(p.cell("2 edits the request", 0))
	if p.m.arr.focus != intent.Request || p.m.req.Typing() {
		t.Fatal("the click on the summary did more than show the form")
	}
	p.wants("▸   limit")
	p.click(p.cell("form] json", 0).Add(image.Pt(7, 0)))
	p.wants("form [json]")
}

func TestKeyPressNamesItself(t *testing.T) {
	for _, name := range []string{"r", "R", "?", "|", "ctrl+p", "ctrl+enter", "shift+left", "enter", "esc", "tab", "f5", "pgdown", "alt+x", "+"} {
		k, ok := action.Press(name)
		if !ok || k.String() != name {
			t.Errorf("%s is pressed as %q, %v", name, k.String(), ok)
		}
	}
	if k, ok := action.Press("space"); !ok || k.String() != "space" {
		t.Errorf("space is pressed as %q", k.String())
	}
	for _, none := range []string{"type", "↑↓", ""} {
		if _, ok := action.Press(none); ok {
			t.Errorf("%q is no key", none)
		}
	}
}

func TestAClickInAFieldPutsTheCursorThere(t *testing.T) {
	p := point(t, 120, 36)
	p.keys("ctrl+p")
	p.typed("custmers 日本 list")
	at := p.cell("custmers", 0)
	p.click(at.Add(image.Pt(4, 0)))
	p.typed("o")
	p.wants("customers 日本 list")
	p.click(at.Add(image.Pt(13, 0))) // the right half of the second wide character
	p.typed("|")
	p.wants("customers 日|本 list")
	p.click(at.Add(image.Pt(30, 0)))
	p.typed("!")
	p.wants("customers 日|本 list!")
	p.click(at)
	p.typed("^")
	p.wants("^customers")
	p.keys("esc")

	p.open("payments", "customers", "list")
	p.keys("enter")
	p.typed("123")
	p.wants("123")
	_, cursor := p.m.screen()
	if cursor == nil {
		t.Fatalf("nothing is typed into:\n%s", p.screen())
	}
	p.click(cursor.Sub(image.Pt(2, 0)))
	p.typed("9")
	p.wants("1923")
	p.click(cursor.Add(image.Pt(-2, 2)))
	if p.m.req.Typing() {
		t.Error("a click beside the field left it open")
	}
}
