package text

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestMeasuresAsTheTerminalDoes(t *testing.T) {
	defer MeasureBy(ansi.GraphemeWidth)
	for _, c := range []struct {
		text                  Safe
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
		if got := ansi.WcWidth.StringWidth(string(Pad(c.text, 4))); got != 4 {
			t.Errorf("%s padded to 4 by code points is %d wide", c.text, got)
		}
	}
}

func TestNothingIsWiderThanAskedByCodePoints(t *testing.T) {
	defer MeasureBy(ansi.GraphemeWidth)
	MeasureBy(ansi.WcWidth)
	for _, s := range []Safe{"दिल्ली में", "தமிழ் பெயர்", "বাংলা নাম", "မြန်မာ", "\x1b[31mदिल्ली\x1b[m x", "花子 दि", "plain text", "👨👩", "ไทย กํา"} {
		for w := 1; w < 16; w++ {
			for name, got := range map[string]Safe{"Truncate": Truncate(s, w), "TruncateLeft": TruncateLeft(s, w), "Cut": Cut(s, w), "Between": Between(s, s, w)} {
				if Width(got) > w {
					t.Errorf("%s(%q, %d) is %d wide", name, s, w, Width(got))
				}
			}
			if got := Width(Pad(s, w)); got != w {
				t.Errorf("Pad(%q, %d) is %d wide", s, w, got)
			}
			for _, l := range Wrap(Safe(ansi.Strip(string(s))), w) {
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

func TestSimpleTextIsMeasuredAsTheLibraryDoes(t *testing.T) {
	var narrows []rune
	for r := rune(' '); r < 0x3000; r++ {
		if r < 0x7f || narrow(r) {
			narrows = append(narrows, r)
		}
	}
	for _, r := range narrows {
		for _, s := range []string{string(r), "a" + string(r), string(r) + "│", "\x1b[1;38;2;1;2;3m" + string(r) + "\x1b[m"} {
			got, ok := simpleWidth(Safe(s))
			if g, c := ansi.StringWidth(s), ansi.StringWidthWc(s); !ok || got != g || got != c {
				t.Errorf("%q is %d wide (%v), the library says %d and %d", s, got, ok, g, c)
			}
		}
	}
	for _, s := range []string{"e\u0301", "é\u0301", "花", "a\x1b", "a\x1b[", "\x1b[2J", "\x1b]8;;x\a", "\x1b[1", "\u00ad", "\xff", "\t", "▸\ufe0f"} {
		if n, ok := simpleWidth(Safe(s)); ok {
			t.Errorf("%q is taken for simple, %d wide", s, n)
		}
	}
}

func FuzzSimpleWidth(f *testing.F) {
	for _, s := range []string{"", "a\x1b[1mé\x1b[m", "\x1b[;:m", "│e\u0301", "\x1b[31", "a\u200d·"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := simpleWidth(Safe(s))
		if g, c := ansi.StringWidth(s), ansi.StringWidthWc(s); ok && (n != g || n != c) {
			t.Fatalf("%q is %d wide, the library says %d and %d", s, n, g, c)
		}
		for w := 1; ok && w < 8; w++ {
			if got, want := Truncate(Safe(s), w), cut(Safe(s), w, Ellipsis); got != want {
				t.Fatalf("%q cut to %d is %q, the library says %q", s, w, got, want)
			}
		}
	})
}

func BenchmarkWidth(b *testing.B) {
	var s Safe = "\x1b[38;2;200;200;200m cus_00000012  user12.9c1f@example.test  Zoë Müller         2026-01-02T03:04:05Z\x1b[m │"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Width(s)
	}
}
