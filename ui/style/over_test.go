package style

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"patchbay/themes"
	"patchbay/ui/text"
)

// cellsOf draws a line as a terminal with all colours does.
func cellsOf(line text.Safe) []uv.Cell {
	w := ansi.StringWidth(string(line))
	screen := uv.NewScreenBuffer(w, 1)
	uv.NewStyledString(string(line)).Draw(screen, screen.Bounds())
	out := make([]uv.Cell, w)
	for x := range w {
		out[x] = *screen.CellAt(x, 0)
	}
	return out
}

func TestGroundLiesBehindEveryCell(t *testing.T) {
	for _, name := range themes.Names() {
		s := New(load(t, name), Options{})
		up := s.Raised()
		line := up.Text.Render("a") + " " + up.Muted.Render("b") + "c" + up.Selected.Render("d")
		cells := cellsOf(s.Ground(line))
		for i, c := range cells {
			if c.Style.Bg == nil {
				t.Errorf("%s: cell %d has no background", name, i)
			}
		}
		if len(cells) != 5 || cells[1].Style.Bg == cells[4].Style.Bg {
			t.Errorf("%s: the chosen row is lost on the ground", name)
		}
		if cellsOf(up.Badge.Render("x"))[0].Style.Bg == cells[1].Style.Bg {
			t.Errorf("%s: the field that is typed into is lost on the ground", name)
		}
	}
}

func TestGroundNeedsColours(t *testing.T) {
	for _, o := range []Options{{NoColor: true}, {Basic: true}} {
		s := New(load(t, "patchbay-dark"), o)
		if s.HasGround() || s.Raised().HasGround() || s.Ground("a"+s.Text.Render("b")) != "a"+s.Text.Render("b") {
			t.Errorf("%+v: a line gets a background", o)
		}
	}
	var none Styles
	if none.Ground("a") != "a" || none.Raised() != &none {
		t.Error("without a theme there is a ground")
	}
}

func TestBehindIsQuietAndReadable(t *testing.T) {
	for _, name := range themes.Names() {
		th := load(t, name)
		s := New(th, Options{})
		line := s.Behind(s.Selected.Render("a") + s.Error.Render("b") + "\x1b]8;;https://example.test\x1b\\c\x1b]8;;\x1b\\")
		if ansi.Strip(string(line)) != "abc" || strings.Contains(string(line), "]8") {
			t.Errorf("%s: behind is %q", name, line)
		}
		bg, err := themes.Hex(th.Background)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cellsOf(line) {
			r, g, b, _ := c.Style.Fg.RGBA()
			got := themes.Contrast(rgb(r, g, b), bg)
			words, _ := themes.Hex(th.Text)
			if full := themes.Contrast(words, bg); c.Style.Bg != nil || got < 2.5 || got > full*0.75 {
				t.Errorf("%s: behind has contrast %.1f, text %.1f", name, got, full)
			}
		}
	}
}
