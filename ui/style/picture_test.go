package style

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"patchbay/ui/text"
)

func TestHalfBlocksHoldTwoPixels(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 4, 3))
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 200, 255}
	m.SetRGBA(0, 0, red)
	m.SetRGBA(0, 1, blue)
	m.SetRGBA(1, 0, red)
	m.SetRGBA(1, 1, blue)
	m.SetRGBA(2, 1, blue)
	m.SetRGBA(3, 0, color.RGBA{100, 0, 0, 200}) // half shines through
	m.SetRGBA(0, 2, red)
	lines := HalfBlocks(m)
	const both = "\x1b[38;2;255;0;0m\x1b[48;2;0;0;200m"
	want := []text.Safe{both + "▀▀\x1b[m\x1b[38;2;0;0;200m▄\x1b[m\x1b[38;2;127;0;0m▀\x1b[m", "\x1b[38;2;255;0;0m▀\x1b[m   \x1b[m"}
	for i := range want {
		if i >= len(lines) || lines[i] != want[i] || text.Width(lines[i]) != 4 {
			t.Errorf("line %d: %q, want %q", i, lines, want[i])
		}
	}
	if !(&Styles{}).Pictures() || (&Styles{NoColor: true}).Pictures() || (&Styles{ASCII: true}).Pictures() || (&Styles{basic: true}).Pictures() {
		t.Error("where images are drawn")
	}
}

func TestPlaceholdersAreOneCellEach(t *testing.T) {
	lines := Placeholders(0x2a0102, 96, 32)
	if want := "\x1b[38;2;42;1;2m\U0010eeee\u0305\u0305\U0010eeee\u0305\u030d"; !strings.HasPrefix(string(lines[0]), want) {
		t.Errorf("%.80q", lines[0])
	}
	if want := "\x1b[38;2;42;1;2m\U0010eeee\u030d\u0305"; !strings.HasPrefix(string(lines[1]), want) || len(lines) != 32 {
		t.Errorf("%.80q", lines[1])
	}
	for i, l := range lines {
		if ansi.StringWidth(string(l)) != 96 || ansi.StringWidthWc(string(l)) != 96 {
			t.Errorf("line %d has %d or %d cells", i, ansi.StringWidth(string(l)), ansi.StringWidthWc(string(l)))
		}
	}
	for _, s := range []*Styles{{}, {images: true, NoColor: true}, {images: true, ASCII: true}} {
		if s.Images() {
			t.Errorf("the terminal draws images: %+v", s)
		}
	}
}
