package rawjson

import "context"

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

// seek moves forward to an offset.
func (c *cursor) seek(at int) {
	if at <= c.base+len(c.win) {
		c.i = at - c.base
		return
	}
	c.base, c.i, c.win = at, 0, c.win[:0]
}

// back moves to an offset that may lie before the window.
func (c *cursor) back(at int) {
	if at < c.base {
		c.base, c.i, c.win = at, 0, c.win[:0]
		return
	}
	c.seek(at)
}

// value passes over one value; false when the bytes ended inside it. A byte
// that starts no value is passed over as far as the next delimiter.
func (c *cursor) value() bool {
	b, ok := c.peek()
	if !ok {
		return false
	}
	switch b {
	case '{', '[':
		return c.container()
	case '"':
		return c.text()
	}
	return c.scalar()
}

func (c *cursor) container() bool {
	if c.hop.to > 0 && c.pos() == c.hop.from && c.hop.to <= c.end {
		c.seek(c.hop.to)
		return true
	}
	c.i++
	s := skipState{depth: 1}
	for c.more() {
		n, done := s.skip(c.win[c.i:])
		c.i += n
		if done {
			return true
		}
	}
	return false
}

func (c *cursor) text() bool {
	c.i++
	var s skipState
	for c.more() {
		n, done := s.skipText(c.win[c.i:])
		c.i += n
		if done {
			return true
		}
	}
	return false
}

// scalar passes over a number or literal. At least one byte is taken, so that
// a loop over broken input always gets on. It ends with the bytes, too: a
// number at the end of the input cannot be told from a cut one.
func (c *cursor) scalar() bool {
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

// pair is where one child of a container lies.
type pair struct {
	nameFrom, nameTo int // both 0 in arrays
	named            bool
	from, to         int
	first            byte // 0 when the value is missing
	whole            bool // false when the bytes ended inside the value
}

// pair passes over the next child of a container; false at its end. It takes
// what it can of broken JSON: a name without a value has an empty one.
func (c *cursor) pair(object bool) (p pair, ok bool) {
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
		p.named = c.text()
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
