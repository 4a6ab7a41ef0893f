package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"patchbay/testdata/hostile"
)

func TestSanitize(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Safe
	}{
		{"plain", "plain"},
		{"a\x1b[31mred", "a␛[31mred"},
		{"tab\there", "tab␉here"},
		{"two\nlines", "two␊lines"},
		{"\x7f", "␡"},
		{"\u009b31m", "<U+009B>31m"},
		{"abc\u202edef", "abc<U+202E>def"},
		{"\U000e0041", "<U+E0041>"},
		{"bad\xff", "bad\ufffd"},
		{"e\u0301", "e\u0301"},
		{"日本", "日本"},
		{"👩\u200d👩\u200d👧", "👩👩👧"},
		{"👍🏽 ❤️ 1️⃣", "👍 ❤ 1"},
		{"क्\u200dष", "क्\u200dष"},
		{"a" + strings.Repeat("\u0301", 50), "a" + Repeat("\u0301", maxMarks)},
	} {
		if got := Sanitize(c.in); got != c.want {
			t.Errorf("Sanitize(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// A vowel that terminals draw one or two cells wide stands in two parts, whose
// widths none of them doubts.
func TestThaiAndLaoKeepTheirColumns(t *testing.T) {
	for in, want := range map[string]Safe{"กำ": "ก\u0e4d\u0e32", "ກຳ": "ກ\u0ecd\u0eb2"} {
		if got := Sanitize(in); got != want || Width(got) != 2 {
			t.Errorf("%q is drawn as %q, %d cells", in, got, Width(got))
		}
	}
}

func TestWidths(t *testing.T) {
	if got := Pad("日本語", 5); Width(got) != 5 {
		t.Errorf("Pad gives %q of width %d", got, Width(got))
	}
	if got := PadLeft("12", 4); got != "  12" {
		t.Errorf("PadLeft gives %q", got)
	}
	if got := TruncateLeft("abcdef", 3); got != "…ef" {
		t.Errorf("TruncateLeft gives %q", got)
	}
	if got := Between("left", "right", 12); got != "left   right" {
		t.Errorf("Between gives %q", got)
	}
	if got := Between("a long left side", "right", 12); Width(got) != 12 || !strings.HasSuffix(string(got), " right") {
		t.Errorf("Between gives %q", got)
	}
}

func TestSplice(t *testing.T) {
	for _, c := range []struct {
		base, over Safe
		x          int
		want       string
	}{
		{"abcdefgh", "XY", 2, "abXYefgh"},
		{"ab", "XY", 4, "ab  XY"},
		{"日本語", "X", 1, " X本語"},
		{"日本語", "X", 2, "日X 語"},
	} {
		got := strings.ReplaceAll(string(Splice(c.base, c.over, c.x)), string(reset), "")
		if got != c.want {
			t.Errorf("Splice(%q, %q, %d) = %q, want %q", c.base, c.over, c.x, got, c.want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, s := range append(slices.Clone(hostile.Texts), "\x9b1m") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Sanitize(s)
		if !utf8.ValidString(string(got)) {
			t.Fatalf("Sanitize(%q) = %q is not UTF-8", s, got)
		}
		for _, r := range got {
			if r < 0x20 || r == 0x7f || hidden(r) {
				t.Fatalf("Sanitize(%q) = %q holds %U", s, got, r)
			}
		}
		if again := Sanitize(string(got)); again != got {
			t.Fatalf("Sanitize is not stable: %q, then %q", got, again)
		}
		for w := range 12 {
			if n := Width(Pad(got, w)); n != w {
				t.Fatalf("Pad(%q, %d) has width %d", got, w, n)
			}
		}
	})
}

func TestTruncateLeftKeepsTheWidth(t *testing.T) {
	for _, s := range []Safe{"日本語のテキスト", "a日b本c語d", "abcdef"} {
		for w := range Width(s) + 2 {
			if got := Width(TruncateLeft(s, w)); got > w {
				t.Errorf("%q in %d cells takes %d", s, w, got)
			}
		}
	}
}

func TestMiddleKeepsBothEnds(t *testing.T) {
	for _, c := range []struct {
		s    Safe
		w    int
		want Safe
	}{
		{"1234567890", 10, "1234567890"},
		{"1234567890123", 10, "12345…0123"},
		{"1234567890123", 9, "1234…0123"},
		{"1234567890123", 7, "123456…"},
		{"日本語日本語", 9, "日本…本語"},
		{"日本語日本語", 8, "日本…語"},
		{"anything", 0, ""},
	} {
		if got := Middle(c.s, c.w); got != c.want || Width(got) > c.w {
			t.Errorf("Middle(%q, %d) = %q, want %q", c.s, c.w, got, c.want)
		}
	}
}
