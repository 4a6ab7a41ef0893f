package rawjson

import (
	"bytes"
	"strings"
)

// wastedMax bounds how many bytes are looked at in vain for values that take
// several lines, so that a hostile body costs no more than a large one.
const wastedMax = 16 << 20

// lines indexes one value after another, from an offset on. A line that is no
// JSON is a record of its own: what follows it stays whole.
func (l *locator) lines(from int) error {
	if l.x.next == 0 {
		l.x.settle(Lines, nil, from)
	}
	l.found = true
	for {
		b, ok := l.c.space()
		if !ok {
			l.x.bound(l.c.pos())
			return l.c.err
		}
		if l.line(b) {
			continue
		}
		if err := l.slowLine(); err != nil {
			return err
		}
	}
}

// line takes what stands in the window: a whole line that looks like one
// object (in valid JSON no line break stands inside a string), else one value
// that ends in its line.
func (l *locator) line(first byte) bool {
	n, ended := l.lineLen()
	from, text := l.c.pos(), l.c.win[l.c.i:l.c.i+n]
	if ended {
		text = bytes.TrimRight(text, " \t\r")
	}
	if first != '{' || !ended || text[len(text)-1] != '}' {
		c := dataCursor(text, from)
		whole := c.value()
		n = c.pos() - from
		if !whole || n == len(text) && !ended || !sound(text[:n]) {
			return false
		}
		text = text[:n]
	}
	l.c.i += len(text)
	l.record(from)
	return true
}

// sound reports whether what stands without brackets or quotes is JSON.
func sound(value []byte) bool {
	kind := kindOf(value[0], value)
	return kind >= String || kind != Invalid && Valid(value)
}

// lineLen returns how much of its line lies in the window from the cursor on,
// and whether the line ends there.
func (l *locator) lineLen() (n int, ended bool) {
	at, end := l.c.pos(), l.c.base+len(l.c.win)
	if at >= l.lineTo {
		l.lineTo, l.lineKnown = at, false
	}
	if !l.lineKnown && l.lineTo < end {
		if k := bytes.IndexByte(l.c.win[l.lineTo-l.c.base:], '\n'); k >= 0 {
			l.lineTo, l.lineKnown = l.lineTo+k, true
		} else {
			l.lineTo = end
		}
	}
	return min(l.lineTo, end) - at, l.lineKnown && l.lineTo < end
}

// lineEnd moves the cursor to the end of its line.
func (l *locator) lineEnd() int {
	for !l.lineKnown && l.c.more() {
		n, ended := l.lineLen()
		l.c.i += n
		if ended {
			break
		}
	}
	if !l.lineKnown {
		l.lineTo, l.lineKnown = l.c.pos(), true
	}
	return l.lineTo
}

// slowLine takes a value that the window does not hold whole, or that takes
// several lines; where there is none, the rest of the line.
func (l *locator) slowLine() error {
	from := l.c.pos()
	to, more := l.within(from)
	line := l.lineEnd()
	if to > 0 {
		l.spans = l.spans || to > line
		return l.take(from, to)
	}
	end := trimEnd(l.x.src, from, line)
	if !more || l.c.err != nil {
		return l.take(from, end)
	}
	if c := newCursor(l.x.src, from, end); c.value() && c.pos() == end && NodeAt(l.x.src, from, end).Kind() >= String {
		return l.take(from, end)
	}
	to, cut := l.beyond(from)
	switch {
	case to > 0:
		l.spans = l.spans || to > line
		return l.take(from, to)
	case cut && (l.spans || line >= l.x.src.Len()):
		l.c.seek(l.x.src.Len())
		l.record(from)
		l.x.setCut(true)
		return l.cut("the end of a record")
	}
	return l.take(from, end)
}

// take adds the value at bytes [from, to) and continues behind it.
func (l *locator) take(from, to int) error {
	if l.c.err != nil {
		return l.c.err
	}
	l.c.seek(to)
	l.record(from)
	return nil
}

// within looks for one value in the window, over any number of lines; more
// tells that the window ended before it was known.
func (l *locator) within(from int) (to int, more bool) {
	if l.wasted > wastedMax {
		return 0, false
	}
	c := dataCursor(l.c.win[l.c.i:], from)
	v := validator{cursor: &c, first: true}
	ok := v.document()
	if !v.cursor.more() {
		return 0, true
	}
	if ok {
		return v.pos(), false
	}
	l.wasted += v.pos() - from
	return 0, false
}

// beyond looks for one value over any number of windows and lines; cut tells
// that the body ended in it.
func (l *locator) beyond(from int) (to int, cut bool) {
	v := validator{cursor: newCursor(l.x.src, from, l.x.src.Len()), first: true}
	v.ctx, v.wait = l.c.ctx, l.c.wait
	ok := v.document()
	if v.cursor.err != nil {
		l.c.err = v.cursor.err
		return 0, false
	}
	if ok {
		return v.pos(), false
	}
	l.wasted += v.pos() - from
	return 0, !v.cursor.more()
}

// peekLines reports whether the object at the cursor is a whole line that another
// object follows. It does not move the cursor.
func (l *locator) peekLines() bool {
	head := l.peekLine(peekBytes)
	c := dataCursor(head, 0)
	if !c.value() {
		return false
	}
	end := c.pos()
	b, ok := c.space()
	if !ok || bytes.IndexByte(head[end:c.pos()], '\n') < 0 {
		return false
	}
	return b == '{' || wholeLine(head[c.pos():], "{", len(head) == peekBytes)
}

// peekArrays reports whether the array at the cursor is whole and another follows
// it, if only some lines on. It does not move the cursor.
func (l *locator) peekArrays() bool {
	head := l.peekLine(arrayWait)
	c := dataCursor(head, 0)
	if !c.value() {
		return false
	}
	for l.c.wait != nil && len(bytes.TrimSpace(head[c.pos():])) == 0 && len(head) < peekBytes {
		at := l.c.pos() + len(head)
		if l.c.wait(at) <= at {
			break
		}
		head = l.x.src.Slice(l.c.pos(), min(l.c.pos()+peekBytes, l.x.src.Len()))
	}
	after := bytes.TrimLeft(head[c.pos():], " \t\r")
	next := bytes.TrimLeft(after, "\n\r\t ")
	switch {
	case len(next) == 0:
		return false
	case next[0] == '[':
		return true
	}
	return after[0] == '\n' && wholeLine(next, "[{", len(head) == peekBytes)
}

// peekLine returns what is there from the cursor on: a line where it is short. No
// more than wait bytes are waited for.
func (l *locator) peekLine(wait int) []byte {
	at := l.c.pos()
	if l.c.wait != nil {
		for n := l.x.src.Len(); n < at+wait; {
			if bytes.IndexByte(l.x.src.Slice(at, n), '\n') >= 0 {
				break
			}
			more := l.c.wait(n)
			if more <= n {
				break
			}
			n = more
		}
	}
	return l.x.src.Slice(at, min(at+peekBytes, l.x.src.Len()))
}

// badFirstLine reports whether the first line is no JSON and does not become any
// by what follows, while one of the next lines is a whole object.
func (l *locator) badFirstLine() bool {
	head := l.peekLine(peekBytes)
	k := bytes.IndexByte(head, '\n')
	if k < 0 {
		return false
	}
	next := bytes.TrimLeft(head[k:], " \t\r\n")
	if !wholeLine(next, "{", len(head) == peekBytes) {
		return false
	}
	v := validator{cursor: &cursor{win: head, end: len(head)}, first: true}
	return !v.document() && v.pos() <= len(head)-len(next)
}

// linesPeeked is how many lines are looked at for a whole value.
const linesPeeked = 8

// wholeLine reports whether one of the next lines is a whole value that begins with
// one of the brackets; the last does not count where it may continue.
func wholeLine(text []byte, brackets string, goesOn bool) bool {
	for range linesPeeked {
		line, rest, ended := bytes.Cut(text, []byte{'\n'})
		line = bytes.TrimSpace(line)
		if len(line) > 0 && strings.IndexByte(brackets, line[0]) >= 0 && (ended || !goesOn) && Valid(line) {
			return true
		}
		text = rest
	}
	return false
}
