package rawjson

import (
	"context"
	"encoding/binary"
	"math/bits"
)

// cursor walks over a source window by window. It is tolerant: it finds the
// ends of values without judging what is in them.
type cursor struct {
	src  Source
	win  []byte
	base int // offset of win[0]
	i    int // position in win
	end  int // offset after the last byte to look at
	buf  []byte
	// wait asks for more bytes when end is reached; it returns the new end. Nil for sources that do not grow.
	wait func(have int) int
	// hop is a container that is not read, because somebody knows where it ends.
	hop hop
	// seen is told how far the walk has come, window by window. Nil when nobody asks.
	seen func(at int)
	// ctx ends the walk early, window by window; err is then its error. May be nil.
	ctx context.Context
	err error
}

// hop is where a known container starts and ends; the zero hop is none.
type hop struct{ from, to int }

// newCursor walks over bytes [from, to) of src.
func newCursor(src Source, from, to int) *cursor {
	return &cursor{src: src, base: from, end: to}
}

// dataCursor walks over data, which lies at offset base of its source.
func dataCursor(data []byte, base int) cursor {
	return cursor{win: data, base: base, end: base + len(data)}
}

// pos is the offset of the next byte.
func (c *cursor) pos() int { return c.base + c.i }

// more makes sure that a next byte is there; false at the end.
func (c *cursor) more() bool {
	return c.i < len(c.win) || c.fill()
}

func (c *cursor) fill() bool {
	at := c.base + len(c.win)
	if c.ctx != nil && c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err != nil {
		c.base, c.i, c.win, c.end = at, 0, c.win[:0], at
		return false
	}
	if c.seen != nil {
		c.seen(at)
	}
	if at >= c.end && c.wait != nil {
		c.end = c.wait(at)
	}
	c.base, c.i, c.win = at, 0, c.win[:0]
	if at >= c.end {
		return false
	}
	c.win = window(c.src, at, c.end, &c.buf)
	return len(c.win) > 0
}

// peek returns the next byte without taking it; 0 and false at the end.
func (c *cursor) peek() (byte, bool) {
	if !c.more() {
		return 0, false
	}
	return c.win[c.i], true
}

// space passes over white space and returns the byte after it.
func (c *cursor) space() (byte, bool) {
	for c.more() {
		for c.i < len(c.win) {
			if b := c.win[c.i]; !isSpace(b) {
				return b, true
			}
			c.i++
		}
	}
	return 0, false
}

// seek moves to an offset, which may lie outside the window.
func (c *cursor) seek(at int) {
	if c.i = at - c.base; c.i < 0 || c.i > len(c.win) {
		c.base, c.i, c.win = at, 0, c.win[:0]
	}
}

// value passes over one value; false when the bytes ended inside it. A byte
// that starts no value is passed over as far as the next delimiter.
func (c *cursor) value() bool {
	b, ok := c.peek()
	if !ok {
		return false
	}
	switch {
	case (b == '{' || b == '[') && c.hop.to > 0 && c.pos() == c.hop.from && c.hop.to <= c.end:
		c.seek(c.hop.to)
		return true
	case b == '{', b == '[', b == '"':
		c.i++
		return c.rest(b == '"')
	}
	// A number or literal. At least one byte is taken, so that a loop over broken
	// input always gets on. It ends with the bytes, too: a number at the end of
	// the input cannot be told from a cut one.
	c.i++
	for c.more() {
		for c.i < len(c.win) {
			if endsScalar(c.win[c.i]) {
				return true
			}
			c.i++
		}
	}
	return true
}

// rest passes over what is left of a string, or of a container, whose beginning is behind.
func (c *cursor) rest(text bool) (whole bool) {
	s := skipState{depth: 1}
	for c.more() && !whole {
		n := 0
		if text {
			n, whole = s.skipText(c.win[c.i:])
		} else {
			n, whole = s.skip(c.win[c.i:])
		}
		c.i += n
	}
	return whole
}

// childBounds is where one child of a container lies.
type childBounds struct {
	nameFrom, nameTo int // both 0 in arrays
	named            bool
	from, to         int
	first            byte // 0 when the value is missing
	whole            bool // false when the bytes ended inside the value
}

// nextChild passes over the next child of a container; false at its end. It takes
// what it can of broken JSON: a name without a value has an empty one.
func (c *cursor) nextChild(object bool) (p childBounds, ok bool) {
	b, ok := c.space()
	for ok && b == ',' {
		c.i++
		b, ok = c.space()
	}
	if !ok || b == '}' || b == ']' {
		return p, false
	}
	missing := false
	if object && b == '"' {
		p.nameFrom = c.pos()
		p.named = c.value()
		p.nameTo = c.pos()
		if b, ok = c.space(); ok && b == ':' {
			c.i++
			b, ok = c.space()
		}
		if missing = !ok || b == '}' || b == ','; missing {
			b = 0
		}
	}
	p.from, p.first, p.whole = c.pos(), b, true
	if !missing { // not b != 0: a zero byte stands in broken input, and has to be passed over
		p.whole = c.value()
	}
	p.to = c.pos()
	return p, true
}

// skipState is where a skip over one container stands, so that it can continue in the next window.
type skipState struct {
	depth  int
	inText bool
	escape bool // the last byte was a backslash inside a string
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// equalBytes marks with 0x80 each byte of w that equals the bytes of pattern.
func equalBytes(w, pattern uint64) uint64 {
	x := w ^ pattern
	return ^((x&^highs + ^uint64(highs)) | x) & highs
}

// hasByte is not zero when some byte of w equals those of pattern.
func hasByte(w, pattern uint64) uint64 {
	x := w ^ pattern
	return (x - lows) &^ x & highs
}

// skip passes over bytes until the container is closed and returns how many it
// took. Eight bytes are looked at together; only words with escapes, or with
// brackets that may close the container, are read byte by byte. Brackets are
// counted, not matched: that is Validate's work.
func (s *skipState) skip(w []byte) (n int, done bool) {
	i := 0
	for ; i+8 <= len(w); i += 8 {
		x := binary.LittleEndian.Uint64(w[i:])
		folded := x | 0x20*lows
		quotes := equalBytes(x, '"'*lows)
		if s.escape || hasByte(x, '\\'*lows) != 0 {
			if n, done := s.skipBytes(w[i : i+8]); done {
				return i + n, true
			}
			continue
		}
		if hasByte(folded, '{'*lows)|hasByte(folded, '}'*lows) == 0 {
			s.inText = s.inText != (bits.OnesCount64(quotes)&1 == 1)
			continue
		}
		text := quotes ^ quotes<<8
		text ^= text << 16
		text ^= text << 32
		if s.inText {
			text ^= highs
		}
		closes := bits.OnesCount64(equalBytes(folded, '}'*lows) &^ text)
		if closes >= s.depth {
			if n, done := s.skipBytes(w[i : i+8]); done {
				return i + n, true
			}
			continue
		}
		s.depth += bits.OnesCount64(equalBytes(folded, '{'*lows)&^text) - closes
		s.inText = text>>63 == 1
	}
	n, done = s.skipBytes(w[i:])
	return i + n, done
}

func (s *skipState) skipBytes(w []byte) (n int, done bool) {
	for i, c := range w {
		switch {
		case s.escape:
			s.escape = false
		case s.inText:
			s.escape = c == '\\'
			s.inText = c != '"'
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth <= 0 {
				return i + 1, true
			}
		}
	}
	return len(w), false
}

// skipText passes over the rest of a string whose opening quote is behind.
func (s *skipState) skipText(w []byte) (n int, done bool) {
	i := 0
	if s.escape && len(w) > 0 {
		s.escape = false
		i = 1
	}
	for i < len(w) {
		if i+8 <= len(w) {
			x := binary.LittleEndian.Uint64(w[i:])
			stops := hasByte(x, '"'*lows) | hasByte(x, '\\'*lows)
			if stops == 0 {
				i += 8
				continue
			}
			// The lowest mark is right; those above it may not be.
			i += bits.TrailingZeros64(stops) / 8
		}
		switch w[i] {
		case '"':
			return i + 1, true
		case '\\':
			if i+1 == len(w) {
				s.escape = true
				return len(w), false
			}
			i++
		}
		i++
	}
	return len(w), false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// endsScalar reports whether c cannot be part of a number or literal.
func endsScalar(c byte) bool {
	switch c {
	case ',', ']', '}', ':', '"', '[', '{', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}
