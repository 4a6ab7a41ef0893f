package text

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestMeasuresAsTheTerminalDoes(t *testing.T) {
	defer MeasureBy(ansi.GraphemeWidth)
	for _, c := range []struct {
		text                  string
		characters, codePoint int
	}{{"दिल्ली", 2, 5}, {"தமிழ்", 3, 4}, {"花子", 4, 4}, {"Zoë", 3, 3}} {
		MeasureBy(ansi.GraphemeWidth)
		if got := Width(c.text); got != c.characters {
			t.Errorf("%s is %d characters wide, want %d", c.text, got, c.characters)
		}
		MeasureBy(ansi.WcWidth)
		if got := Width(c.text); got != c.codePoint {
			t.Errorf("%s is %d wide by code points, want %d", c.text, got, c.codePoint)
		}
		if got := ansi.WcWidth.StringWidth(Pad(c.text, 4)); got != 4 {
			t.Errorf("%s padded to 4 by code points is %d wide", c.text, got)
		}
	}
}

func TestNothingIsWiderThanAskedByCodePoints(t *testing.T) {
	defer MeasureBy(ansi.GraphemeWidth)
	MeasureBy(ansi.WcWidth)
	for _, s := range []string{"दिल्ली में", "தமிழ் பெயர்", "বাংলা নাম", "မြန်မာ", "\x1b[31mदिल्ली\x1b[m x", "花子 दि", "plain text", "👨👩", "ไทย กํา"} {
		for w := 1; w < 16; w++ {
			for name, got := range map[string]string{"Truncate": Truncate(s, w), "TruncateLeft": TruncateLeft(s, w), "Cut": Cut(s, w), "Between": Between(s, s, w)} {
				if Width(got) > w {
					t.Errorf("%s(%q, %d) is %d wide", name, s, w, Width(got))
				}
			}
			if got := Width(Pad(s, w)); got != w {
				t.Errorf("Pad(%q, %d) is %d wide", s, w, got)
			}
			for _, l := range Wrap(ansi.Strip(s), w) {
				if Width(l) > max(w, 3) {
					t.Errorf("Wrap(%q, %d) has %q of %d", s, w, l, Width(l))
				}
			}
			if got, want := Width(Splice(Pad(s, 20), Pad(s, w), 2)), 20; got != want {
				t.Errorf("Splice of %q at 2 is %d wide, want %d", s, got, want)
			}
		}
	}
}
