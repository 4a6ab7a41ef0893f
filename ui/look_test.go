package ui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"patchbay/client/profile"
	"patchbay/ui/intent"
)

// drawn lists the shapes of frames and marks; none of them may be left when
// the screen is drawn with ASCII characters.
const drawn = "│─╭╮╰╯┌┐└┘├┤┬┴┼━┃═║▸▾●▲▼…·›‹→←↑↓✂↵✓✗×µ⠋"

func TestASCIILeavesNoShapes(t *testing.T) {
	p := play(t, Deps{Fresh: true, ASCII: true}, 120, 36)
	for _, key := range []string{"esc", "enter", "]", "]", "]", "]", "]", "?", "esc", "d", "esc", "T", "esc", "y", "esc", "Y", "esc", "[", "[", "[", "[", "[", "[", "c", "esc", "s", "esc", "m", "esc", "P", "esc", "E", "esc", "|", "esc", "L", "esc", "2", "v"} {
		p.keys(key)
		s := p.screen()
		if i := strings.IndexAny(s, drawn); i >= 0 {
			from := strings.LastIndex(s[:i], "\n") + 1
			line, _, _ := strings.Cut(s[from:], "\n")
			t.Fatalf("after %s the screen holds a shape: %q", key, line)
		}
	}
}

// cells draws a screen in a terminal and returns it.
func (p *player) cells() *vt.Emulator {
	em := vt.NewEmulator(p.m.width, p.m.height)
	_, _ = em.WriteString("\x1b[20h" + p.m.View().Content)
	return em
}

func TestNoColorHasNoColor(t *testing.T) {
	p := play(t, Deps{Fresh: true, NoColor: true}, 120, 36)
	for _, key := range []string{"esc", "enter", "]", "?", "esc", "2", "r"} {
		p.keys(key)
		em := p.cells()
		for y := range 36 {
			for x := range 120 {
				if c := em.CellAt(x, y); c != nil && (c.Style.Fg != nil || c.Style.Bg != nil) {
					t.Fatalf("after %s the cell %d,%d has a colour", key, x, y)
				}
			}
		}
	}
}

// On a light theme nothing is lighter than the text may be on white.
func TestLightThemeIsReadable(t *testing.T) {
	p := play(t, Deps{Fresh: true, Settings: profile.State{Theme: "patchbay-light"}}, 120, 36)
	for _, key := range []string{"esc", "enter", "]", "?", "esc", "2"} {
		p.keys(key)
		em := p.cells()
		for y := range 36 {
			for x := range 120 {
				c := em.CellAt(x, y)
				if c == nil || c.Style.Fg == nil || c.Style.Bg != nil || strings.Trim(c.Content, " │─╭╮╰╯") == "" {
					continue
				}
				if l := lightness(c.Style.Fg); l > 0.65 {
					t.Fatalf("after %s %q at %d,%d has the lightness %.2f on white", key, c.Content, x, y, l)
				}
			}
		}
	}
}

func lightness(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return (0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)) / 0xffff
}

// Resizing while typing keeps the text, the focus and a cursor on the screen.
func TestResizeWhileTyping(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("j", "enter")
	for i, r := range "ada.lovelace@example.test" {
		p.send(tea.WindowSizeMsg{Width: 1 + (i*37)%210, Height: 1 + (i*17)%65})
		p.typed(string(r))
		p.screen()
		if c := p.m.View().Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= p.m.width || c.Y >= p.m.height) {
			t.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, p.m.width, p.m.height)
		}
	}
	p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	p.keys("enter")
	p.wants("ada.lovelace@example.test")
	if got := string(p.m.req.Params()); !strings.Contains(got, "ada.lovelace@example.test") {
		t.Errorf("the params are %s", got)
	}
	p.keys("ctrl+p")
	for i, r := range "refunds" {
		p.send(tea.WindowSizeMsg{Width: 30 + (i*53)%180, Height: 8 + (i*13)%50})
		p.typed(string(r))
		p.screen()
	}
	p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	p.wants("refunds")
	if n := ansi.StringWidth("refunds"); p.m.View().Cursor == nil || p.m.View().Cursor.X < n {
		t.Error("the palette has lost its cursor")
	}
}

func TestHintsKeepTheWayOut(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 60, 20)
	p.keys("esc")
	for _, key := range []string{"?", "L", "s", "c", "|", "d", "E", "Y"} {
		p.keys(key)
		p.wants("esc ")
		if s := p.screen(); !strings.Contains(s, "esc close") && !strings.Contains(s, "esc cancel") {
			t.Errorf("%s opens what does not tell the way out:\n%s", key, s)
		}
		p.keys("esc")
	}
}

func TestOpeningWhatIsOpenKeepsTheAnswer(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "1", "enter")
	if p.m.arr.focus != intent.Request {
		t.Error("opening the action does not go to its form")
	}
	p.wants("20 rows")
	if got := string(p.m.req.Params()); got != `{"limit":20}` {
		t.Errorf("the params became %s", got)
	}
}

// Help begins with what can be done where the focus is, and says why the rest cannot.
func TestHelpBeginsHere(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	for _, c := range []struct{ key, first string }{{"3", "Here: table"}, {"1", "Here: tree"}, {"2", "Here: request"}} {
		p.keys("esc", c.key, "?")
		s := p.screen()
		if here, next := strings.Index(s, c.first), strings.Index(s, "In any pane"); here < 0 || next >= 0 && next < here {
			t.Errorf("on %s help does not begin with %q:\n%s", c.key, c.first, s)
		}
		p.keys("esc")
	}
	p.keys("?")
	p.typed("previous page")
	p.keys("ctrl+u")
	p.typed("show the page before")
	p.wants("not now: ")
}

// What an action is called finds it in the palette before the catalog does.
func TestPaletteFindsActionsByTheirNames(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	for _, name := range []string{"log", "theme", "mouse", "export"} {
		p.keys("esc", "ctrl+p")
		p.typed(name)
		s := p.screen()
		if _, chosen, _ := strings.Cut(s, "│ ▸ "); !strings.Contains(strings.SplitN(chosen, "\n", 2)[0], "this program") {
			t.Errorf("%s does not begin with the action:\n%s", name, s)
		}
		p.keys("esc")
	}
}

// Only what we draw becomes ASCII; what a server or a person wrote stays.
func TestASCIILeavesDataAlone(t *testing.T) {
	body := `{"data":[{"id":"a │ b","name":"Zoë 花子","size":"3 × 4 µm → 5…"}],"meta":{}}`
	s := answers(t, "application/json", body)
	p := play(t, Deps{Session: s, ASCII: true}, 120, 36)
	p.keys("enter")
	p.open("payments", "customers", "list")
	p.m.req.SetParams([]byte(`{"email":"a · b"}`))
	p.wants("a · b")
	p.keys("r")
	all := []string{"a │ b", "Zoë 花子", "3 × 4 µm → 5…"}
	p.wants(append(all, "email a · b")...)
	p.keys("l", "l", "i")
	p.wants("3 × 4")
	p.keys("esc")
	for _, view := range []string{"Record", "JSON", "Raw"} {
		p.keys("]")
		p.wants("["+view+"]", all[0], all[1], "3 × 4 µm")
	}
	p.keys("/")
	p.typed("4 µm →")
	p.wants("4 µm →")
	if strings.Contains(p.screen(), "╭") || strings.ContainsRune(p.screen(), 0xf0000) {
		t.Error("a shape or a stand-in is left on the screen")
	}
}
