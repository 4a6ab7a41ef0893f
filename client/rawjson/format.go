package rawjson

import "bytes"

// AppendIndent appends the value laid out with two blanks a level: names,
// numbers and strings as received, white space between them replaced. It stops
// after about limit bytes and reports that; limit 0 is no limit.
func (n Node) AppendIndent(dst []byte, limit int) (out []byte, more bool) {
	f := formatter{out: dst, indent: true, limit: len(dst) + limit, endless: limit == 0}
	f.run(n)
	return f.out, f.full()
}

// AppendCompact appends the value without white space between its tokens, up to about limit bytes; 0 is no limit.
func (n Node) AppendCompact(dst []byte, limit int) (out []byte, more bool) {
	f := formatter{out: dst, limit: len(dst) + limit, endless: limit == 0}
	f.run(n)
	return f.out, f.full()
}

// formatter copies tokens and writes its own white space; it follows brackets
// by count, so that broken JSON comes out as broken as it came in.
type formatter struct {
	out     []byte
	limit   int
	endless bool
	indent  bool
	depth   int
}

func (f *formatter) full() bool { return !f.endless && len(f.out) >= f.limit }

func (f *formatter) run(n Node) {
	c := n.cursor()
	for !f.full() {
		b, ok := c.space()
		if !ok {
			return
		}
		switch b {
		case '{', '[':
			c.i++
			f.open(&c, b)
		case '}', ']':
			c.i++
			f.depth = max(0, f.depth-1)
			f.line()
			f.out = append(f.out, b)
		case ',':
			c.i++
			f.out = append(f.out, b)
			f.line()
		case ':':
			c.i++
			f.out = append(f.out, b)
			if f.indent {
				f.out = append(f.out, ' ')
			}
		default:
			f.token(&c, b)
		}
	}
}

// open writes an opening bracket, and the closing one when nothing lies between.
func (f *formatter) open(c *cursor, b byte) {
	f.out = append(f.out, b)
	if next, _ := c.space(); next == b+2 {
		c.i++
		f.out = append(f.out, next)
		return
	}
	f.depth++
	f.line()
}

func (f *formatter) line() {
	if !f.indent {
		return
	}
	f.out = append(f.out, '\n')
	for range min(f.depth, 200) {
		f.out = append(f.out, ' ', ' ')
	}
}

// token copies a string or scalar, window by window.
func (f *formatter) token(c *cursor, b byte) {
	f.out = append(f.out, b)
	c.i++
	var s skipState
	for !f.full() && c.more() {
		w := c.win[c.i:]
		n, done := 0, false
		if b == '"' {
			n, done = s.skipText(w)
		} else if n = bytes.IndexFunc(w, func(r rune) bool { return r < 0x80 && endsScalar(byte(r)) }); n >= 0 {
			done = true
		} else {
			n = len(w)
		}
		if !f.endless && len(f.out)+n > f.limit {
			n, done = f.limit-len(f.out), true
			f.out = append(f.out, w[:n]...)
			c.i += n
			return
		}
		f.out = append(f.out, w[:n]...)
		c.i += n
		if done {
			return
		}
	}
}
