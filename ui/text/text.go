// Package text prepares text for the screen: it makes hostile text harmless,
// measures in terminal cells, cuts, pads and wraps. What was made harmless is a
// Safe, and only that is measured, styled and drawn: a text that nobody looked at
// does not compile. All functions are pure, but that they measure as the terminal
// does, which MeasureBy tells them. Of ours it imports the leaf quantity only.
package text

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"patchbay/client/quantity"
)

// Safe is text that a terminal may be given: it holds nothing that a terminal obeys
// but the styles of package style. Constants are safe; every other text becomes so by
// Sanitize or Sprintf. Only this package and package style may convert to it.
type Safe string

// Ellipsis marks text that was cut.
const Ellipsis Safe = "…"

// maxMarks is how many combining marks may follow one character before the
// rest is dropped, so that stacked marks cannot smear over other lines.
const maxMarks = 4

// Sanitize returns s in one line without anything a terminal would obey:
// control bytes, escape sequences, bidi controls, invisible characters and
// invalid UTF-8 appear as visible symbols.
func Sanitize(s string) Safe {
	if clean(s) {
		return Safe(s)
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := 0
	var before rune
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.In(r, unicode.Mn, unicode.Me) && size > 1 {
			marks++
		} else {
			marks = 0
		}
		switch {
		case joinsEmoji(r) && emoji(before):
			// Terminals disagree on how wide joined, toned and styled emoji are, so
			// that a line could leave its frame: they stand one by one.
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(utf8.RuneError)
		case marks > maxMarks:
		default:
			writeVisible(&b, r)
		}
		if !joinsEmoji(r) {
			before = r
		}
		i += size
	}
	return Safe(b.String())
}

// Sprintf formats words and values, and makes the whole harmless.
func Sprintf(format string, args ...any) Safe { return Sanitize(fmt.Sprintf(format, args...)) }

// Join is strings.Join.
func Join(parts []Safe, between Safe) Safe {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(string(between))
		}
		b.WriteString(string(p))
	}
	return Safe(b.String())
}

// Repeat is strings.Repeat; none for n below 1.
func Repeat(s Safe, n int) Safe { return Safe(strings.Repeat(string(s), max(n, 0))) }

// TrimLeft is strings.TrimLeft.
func TrimLeft(s Safe, cutset string) Safe { return Safe(strings.TrimLeft(string(s), cutset)) }

// joinsEmoji reports what changes the emoji before it: the joiner, the choice
// between text and picture, skin tones, the keycap.
func joinsEmoji(r rune) bool {
	return r == 0x200d || r == 0xfe0e || r == 0xfe0f || r == 0x20e3 || r >= 0x1f3fb && r <= 0x1f3ff
}

// emoji reports characters that may be drawn as pictures.
func emoji(r rune) bool {
	switch {
	case r >= 0x1f000, r >= 0x2190 && r <= 0x2bff, r == 0x3030, r == 0x303d, r == 0x3297, r == 0x3299:
		return true
	case r >= '0' && r <= '9', r == '#', r == '*', r == 0xa9, r == 0xae, r == 0x203c, r == 0x2049, r == 0x2122,
		r == 0x2139:
		return true
	}
	return false
}

// clean reports whether s is printable ASCII only, the common case.
func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func writeVisible(b *strings.Builder, r rune) {
	switch {
	case r < 0x20:
		b.WriteRune(0x2400 + r)
	case r == 0x7f:
		b.WriteRune('␡')
	case hidden(r):
		const hex = "0123456789ABCDEF"
		b.WriteString("<U+")
		for shift := 20; shift >= 0; shift -= 4 {
			if d := r >> shift & 15; d != 0 || r>>shift != 0 || shift < 16 {
				b.WriteByte(hex[d])
			}
		}
		b.WriteByte('>')
	case r == 0x0e33:
		b.WriteString("\u0e4d\u0e32") // AM of Thai and Lao in its two parts: terminals disagree on how wide the one is
	case r == 0x0eb3:
		b.WriteString("\u0ecd\u0eb2")
	default:
		b.WriteRune(r)
	}
}

// hidden reports characters that a terminal obeys or that a person cannot see:
// C1 controls, bidi controls, zero-width and tag characters, separators.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	case r == 0x200c || r == 0x200d: // joiners shape letters and emoji
		return false
	case r < utf8.RuneSelf:
		return false
	case unicode.Is(unicode.Cf, r), r >= 0x2060 && r <= 0x206f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	case r >= 0x115f && r <= 0x1160, r == 0x3164, r == 0xffa0:
		return true
	}
	return false
}

// Lines sanitises text of several lines; line breaks (LF, CRLF) are kept as
// separate elements and tabs become two spaces.
func Lines(s string) []Safe {
	parts := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	out := make([]Safe, len(parts))
	for i, p := range parts {
		out[i] = Sanitize(strings.ReplaceAll(p, "\t", "  "))
	}
	return out
}

// byCodePoints is set while the terminal counts the cells of code points.
var byCodePoints atomic.Bool

// MeasureBy says how the terminal counts cells: by whole characters as a person
// sees them, or by code points as older terminals do. Lines that are measured
// otherwise leave their frames where the two differ, as in Hindi or Tamil.
func MeasureBy(m ansi.Method) { byCodePoints.Store(m == ansi.WcWidth) }

func method() ansi.Method {
	if byCodePoints.Load() {
		return ansi.WcWidth
	}
	return ansi.GraphemeWidth
}

// Width is the number of terminal cells of s, which may hold styles.
func Width(s Safe) int {
	if n, ok := simpleWidth(s); ok {
		return n
	}
	return method().StringWidth(string(s))
}

// simpleWidth is the width of text in which each code point is a character of
// one cell, styles aside. Most of a screen is such text, and looking for
// characters of several code points in it takes ten times as long.
func simpleWidth(s Safe) (width int, ok bool) {
	for i := 0; i < len(s); width++ {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f:
			i++
		case c == 0x1b:
			n := styleLen(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
			width--
		default:
			r, n := utf8.DecodeRuneInString(string(s[i:]))
			if !narrow(r) {
				return 0, false
			}
			i += n
		}
	}
	return width, true
}

// styleLen is the length of the change of style that s begins with, 0 where it
// is another escape sequence.
func styleLen(s Safe) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';' && c != ':':
			return 0
		}
	}
	return 0
}

// narrow reports some characters that have one cell however a terminal counts,
// and that join nothing: accented Latin letters and what frames are drawn with.
func narrow(r rune) bool {
	switch {
	case r >= 0xc0 && r <= 0x24f, r >= 0x2500 && r <= 0x257f:
		return true
	}
	return r == 0xb7 || r == 0x2026 || r == 0x25b8
}

// Truncate cuts s (which may hold styles) to at most w cells, with an ellipsis when it was cut.
func Truncate(s Safe, w int) Safe {
	if w <= 0 {
		return ""
	}
	switch n, ok := simpleWidth(s); {
	case ok && n <= w:
		return s
	case ok && strings.IndexByte(string(s), 0x1b) < 0:
		return first(s, w-1) + Ellipsis
	}
	return cut(s, w, Ellipsis)
}

// first are the first n code points of s.
func first(s Safe, n int) Safe {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// cut cuts s to at most w cells and puts tail where it did.
func cut(s Safe, w int, tail Safe) Safe {
	m := method()
	if m == ansi.WcWidth {
		if m.StringWidth(string(s)) <= w {
			return s
		}
		// The library looks by whole characters whether there is anything to
		// cut; blanks behind make sure that it finds something.
		s += Spaces(w + 1)
	}
	return Safe(m.Truncate(string(s), w, string(tail)))
}

// Cut cuts s to at most w cells and does not say so.
func Cut(s Safe, w int) Safe { return cut(s, w, "") }

// TruncateLeft cuts s from the left so that its end stays visible.
func TruncateLeft(s Safe, w int) Safe {
	if w <= 0 {
		return ""
	}
	over := Width(s) - w
	if over <= 0 {
		return s
	}
	left := func(n int) Safe { return Safe(method().TruncateLeft(string(s), n, string(Ellipsis))) }
	t := left(over + 1)
	for n := over + 2; Width(t) > w; n++ { // a wide character lay across the cut
		t = left(n)
	}
	return t
}

// middleWidth is the fewest cells in which both ends of a text are worth showing.
const middleWidth = 8

// Middle cuts s to at most w cells so that both its ends stay visible.
func Middle(s Safe, w int) Safe {
	if w < middleWidth || Width(s) <= w {
		return Truncate(s, w)
	}
	head := Cut(s, w/2)
	return head + TruncateLeft(s, w-Width(head))
}

// Pad cuts or fills s to exactly w cells, text at the left.
func Pad(s Safe, w int) Safe {
	if n, ok := simpleWidth(s); ok && n <= w && w > 0 {
		return s + Spaces(w-n)
	}
	s = Truncate(s, w)
	return s + Spaces(w-Width(s))
}

// PadLeft cuts or fills s to exactly w cells, text at the right.
func PadLeft(s Safe, w int) Safe {
	s = Truncate(s, w)
	return Spaces(w-Width(s)) + s
}

var blanks = Repeat(" ", 100)

// Spaces returns n spaces, none for n below 1.
func Spaces(n int) Safe {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return Repeat(" ", n)
}

// Between puts left and right at the ends of a line of w cells. When both do
// not fit, left is cut first.
func Between(left, right Safe, w int) Safe {
	rw := Width(right)
	if rw > w {
		return Truncate(right, w)
	}
	room := w - rw
	if room > 0 && rw > 0 {
		left = Truncate(left, room-1)
	} else {
		left = Truncate(left, room)
	}
	return left + Spaces(w-Width(left)-rw) + right
}

// Wrap breaks unstyled text into lines of at most w cells, at spaces where possible.
func Wrap(s Safe, w int) []Safe { return wrapAt(s, w, breaks) }

func wrapAt(s Safe, w int, breaks string) []Safe {
	if w <= 0 {
		return nil
	}
	for n := w; n > max(w-3, 0); n-- { // a break behind the last cell is left hanging out
		lines := split(method().Wrap(string(s), n, breaks))
		if !slices.ContainsFunc(lines, func(l Safe) bool { return Width(l) > w }) {
			return lines
		}
	}
	return split(method().Hardwrap(string(s), w, true))
}

func split(lines string) []Safe {
	var out []Safe
	for l := range strings.SplitSeq(lines, "\n") {
		out = append(out, Safe(l))
	}
	return out
}

// WrapTo is Wrap in at most n lines; what does not fit is cut with an ellipsis.
func WrapTo(s Safe, w, n int) []Safe { return cutLines(Wrap(s, w), w, n) }

// WrapWords is WrapTo for sentences: words that fit into a line, addresses and
// paths among them, stay whole.
func WrapWords(s Safe, w, n int) []Safe {
	words := strings.Fields(string(s))
	if slices.ContainsFunc(words, func(word string) bool { return Width(Safe(word)) > w }) {
		return WrapTo(s, w, n)
	}
	return cutLines(wrapAt(s, w, " "), w, n)
}

func cutLines(lines []Safe, w, n int) []Safe {
	if len(lines) <= n || n < 1 {
		return lines[:min(len(lines), max(n, 0))]
	}
	rest := Safe(strings.TrimRight(string(lines[n-1]), " ") + " " + strings.TrimLeft(string(lines[n]), " "))
	return append(lines[:n-1:n-1], Truncate(rest+Spaces(w), w))
}

// breaks are the characters behind which a line may end.
const breaks = " ,/&?="

// Splice puts over onto the line base at cell x; both may hold styles.
func Splice(base, over Safe, x int) Safe {
	left := Cut(base, x)
	left += Spaces(x - Width(left))
	end := x + Width(over)
	room := max(Width(base)-end, 0)
	from := func(n int) Safe { return Safe(method().TruncateLeft(string(base), n, "")) }
	right := from(end)
	for n := end + 1; Width(right) > room; n++ { // a wide character straddles the edge
		right = from(n)
	}
	right = Spaces(room-Width(right)) + right
	return left + reset + over + reset + right
}

const reset Safe = "\x1b[m"

// Short is s in one harmless line of at most w cells, for texts that are handed on.
func Short(s string, w int) string { return string(Truncate(Sanitize(s), w)) }

// Builder is strings.Builder for text of the screen.
type Builder struct{ b strings.Builder }

// Add puts s behind what is there.
func (b *Builder) Add(s Safe) { b.b.WriteString(string(s)) }

// Len is the number of bytes that are there.
func (b *Builder) Len() int { return b.b.Len() }

// Take returns what is there; the builder is empty then.
func (b *Builder) Take() Safe {
	s := Safe(b.b.String())
	b.b.Reset()
	return s
}

// Digits writes 1234567 as 1,234,567.
func Digits(n int) Safe { return Safe(quantity.Digits(n)) }

// Count writes a number of things: 1 page, 1,234 pages.
func Count(n int, one, many Safe) Safe { return Safe(quantity.Count(n, string(one), string(many))) }

// Duration writes how long something took for people: 12 ms, 41.0 s.
func Duration(d time.Duration) Safe { return Safe(quantity.Duration(d)) }

// Size writes a number of bytes for people.
func Size(n int64) Safe { return Safe(quantity.Size(n)) }
