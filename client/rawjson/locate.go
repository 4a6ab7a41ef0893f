package rawjson

import (
	"context"
)

const (
	// guessDepth is how deep an array of objects is looked for that no path names.
	guessDepth = 3
	// guessKeep is how many records of such an array are kept back, as a named path may still come.
	guessKeep = 256
	// peekBytes is how far the first value is followed to tell NDJSON from one document.
	peekBytes = 64 << 10
	// arrayWait is how much of a first array is waited for: its elements are shown as they come.
	arrayWait = 4 << 10
)

// locator is the one pass over a body that finds where its records lie and indexes them.
type locator struct {
	x *Index
	c *cursor
	// found is set once the records are known; the rest of the body is only passed over.
	found bool
	// hold keeps records of a guessed array from being published.
	hold  bool
	guess *place
	// before is how many records of the guess so far lie before those of the
	// array at the cursor, which may be the better one.
	before int
	// single is the object at one of the paths, should no array be found.
	single *place
	// spans is set once a value of NDJSON took several lines, wasted is how many
	// bytes were looked at for such values in vain.
	spans  bool
	wasted int
	// lineTo is where the line at the cursor ends, or how far no line break was
	// found yet while lineKnown is not set.
	lineTo    int
	lineKnown bool
}

// place is a value that may turn out to hold the records.
type place struct {
	path     Path
	from, to int
	records  int
}

func newLocator(ctx context.Context, x *Index) *locator {
	c := newCursor(x.src, 0, x.src.Len())
	c.ctx, c.seen = ctx, x.progress
	if g, ok := x.src.(Growing); ok {
		c.wait = func(have int) int {
			n, _, err := g.Wait(ctx, have)
			if err != nil {
				c.err = err
			}
			return n
		}
	}
	return &locator{x: x, c: c}
}

func (l *locator) run() error {
	l.mark()
	b, ok := l.c.space()
	if !ok {
		return l.cut("a JSON value")
	}
	from := l.c.pos()
	var err error
	switch {
	case b == '[' && !l.x.opts.Only && l.peekArrays():
		return l.lines(from)
	case b == '[':
		if l.isPath(nil) || !l.x.opts.Only {
			err = l.list(nil)
		} else {
			err = l.array(nil)
		}
	case b == '{' && l.peekLines(), l.badFirstLine():
		return l.lines(from)
	case b == '{':
		err = l.object(nil, 0)
	default:
		l.c.value()
	}
	if err != nil {
		l.finish(from, false)
		return err
	}
	return l.rest(from)
}

// mark passes over a byte order mark.
func (l *locator) mark() {
	for _, want := range []byte("\xef\xbb\xbf") {
		if b, ok := l.c.peek(); !ok || b != want {
			return
		}
		l.c.i++
	}
}

// rest looks at what follows the first value: more values make the body NDJSON.
func (l *locator) rest(from int) error {
	end := l.c.pos()
	_, more := l.c.space()
	if more && !l.found && l.guess == nil {
		l.x.settle(Lines, nil, from)
		l.x.add(from, end)
		return l.lines(l.c.pos())
	}
	l.finish(from, true)
	if more {
		return syntaxError(l.x.src, l.c.pos(), "the end of the body")
	}
	return nil
}

// finish settles for the best place found when no array stood at a path. whole
// tells that the root value is complete.
func (l *locator) finish(from int, whole bool) {
	x := l.x
	switch {
	case l.found:
	case l.guess != nil:
		x.settle(List, l.guess.path, l.guess.from)
		x.bound(l.guess.to)
		x.next = l.guess.records
	case l.single != nil:
		l.one(*l.single)
	case !x.opts.Only:
		l.one(place{from: from, to: trimEnd(x.src, from, l.c.pos())})
		x.setCut(!whole)
	}
}

func (l *locator) one(p place) {
	l.x.settle(Single, p.path, p.from)
	l.x.bound(p.to)
	l.x.next = 0
	l.x.add(p.from, p.to)
}

// object looks through the members of an object; the cursor stands at its brace.
func (l *locator) object(path Path, depth int) error {
	l.c.i++
	owned := false // it has an id: it is a record, not a wrapping of records
	for {
		b, ok := l.c.space()
		switch {
		case !ok:
			return l.cut("a name or }")
		case b == '}':
			l.c.i++
			return nil
		case b == ',':
			l.c.i++
			continue
		case b != '"':
			return syntaxError(l.x.src, l.c.pos(), "a name in double quotes or }")
		}
		name, err := l.name()
		if err != nil {
			return err
		}
		owned = owned || name == "id" || name == "_id" || name == "uuid"
		if err := l.member(path.With(Name(name)), depth+1, owned); err != nil {
			return err
		}
	}
}

// name reads a member's name and the colon behind it.
func (l *locator) name() (string, error) {
	from := l.c.pos()
	if !l.c.text() {
		return "", l.cut("the end of a name")
	}
	to := l.c.pos()
	switch b, ok := l.c.space(); {
	case !ok:
		return "", l.cut("a colon")
	case b != ':':
		return "", syntaxError(l.x.src, l.c.pos(), "a colon")
	}
	l.c.i++
	head, _ := NodeAt(l.x.src, from, to).AppendText(nil, 1<<10)
	return string(head), nil
}

func (l *locator) member(path Path, depth int, owned bool) error {
	b, ok := l.c.space()
	if !ok {
		return l.cut("a value")
	}
	guess := !l.found && !l.x.opts.Only && depth <= guessDepth
	switch {
	case b == '[' && l.isPath(path) && (!l.found || l.x.many && l.branches(path)):
		return l.list(path)
	case b == '[' && l.leadsOn(path):
		return l.array(path)
	case b == '[' && guess && !owned:
		return l.guessList(path)
	case b == '{' && (guess || l.leadsOn(path)):
		return l.nested(path, depth)
	}
	if !l.c.value() {
		return l.cut("the end of " + path.Dotted())
	}
	return nil
}

func (l *locator) nested(path Path, depth int) error {
	from := l.c.pos()
	err := l.object(path, depth)
	if l.single == nil && l.isPath(path) {
		l.single = &place{path: path, from: from, to: l.c.pos()}
	}
	return err
}

// array looks through the elements of an array that lies on the way to the records.
func (l *locator) array(path Path) error {
	l.c.i++
	for i := 0; ; {
		b, ok := l.c.space()
		switch {
		case !ok:
			return l.cut("a value or ]")
		case b == ']':
			l.c.i++
			return nil
		case b == ',':
			l.c.i++
			continue
		}
		if err := l.member(path.With(At(i)), len(path)+1, true); err != nil {
			return err
		}
		i++
	}
}

// list indexes the array at the cursor as the records.
func (l *locator) list(path Path) error {
	if !l.found {
		l.x.next, l.guess = 0, nil
		l.x.settle(List, path, l.c.pos())
	}
	l.found = true
	l.x.setMany(l.x.many || l.branches(path))
	l.c.i++
	err := l.elements()
	l.x.bound(l.c.pos())
	return err
}

// guessList indexes an array that no path names. Its records are kept back
// until there are many of them, or until the body ends without a named place:
// then the array with the most of them counts, of equal ones the outermost.
func (l *locator) guessList(path Path) error {
	from := l.c.pos()
	l.c.i++
	if b, ok := l.c.space(); !ok || b != '{' {
		return l.passRest()
	}
	l.before = 0
	if l.guess != nil {
		l.before = l.guess.records
	}
	l.x.next, l.hold = l.before, true
	err := l.elements()
	n := l.x.next - l.before
	if !l.hold {
		l.found = true
		l.x.settle(List, path, from)
		l.x.bound(l.c.pos())
	}
	if l.found || l.guess == nil || n > l.guess.records || n == l.guess.records && len(path) < len(l.guess.path) {
		l.x.drop(l.before)
		l.guess = &place{path: path, from: from, to: l.c.pos(), records: n}
	} else {
		l.x.setCut(false) // it told of an array that does not count
	}
	l.before, l.hold = 0, false
	return err
}

// passRest passes over the rest of an array whose bracket is behind.
func (l *locator) passRest() error {
	s := skipState{depth: 1}
	for l.c.more() {
		n, done := s.skip(l.c.win[l.c.i:])
		l.c.i += n
		if done {
			return nil
		}
	}
	return l.cut("]")
}

// elements indexes the elements of an array whose bracket is behind.
func (l *locator) elements() error {
	for {
		b, ok := l.c.space()
		switch {
		case !ok:
			return l.cut("a value or ]")
		case b == ']':
			l.c.i++
			return nil
		case b == ',':
			l.c.i++
			continue
		case b == '}' || b == ':':
			return syntaxError(l.x.src, l.c.pos(), "a comma or ]")
		}
		from := l.c.pos()
		whole := l.c.value()
		if !whole && l.c.err != nil {
			return l.c.err
		}
		l.record(from)
		if !whole {
			l.x.setCut(true)
			return l.cut("the end of a record")
		}
	}
}

// record adds the value that ends at the cursor.
func (l *locator) record(from int) {
	l.x.add(from, l.c.pos())
	if l.hold && l.x.next-l.before < guessKeep {
		return
	}
	l.x.drop(l.before)
	l.before = 0
	l.hold = false
	l.x.publish()
}

// isPath tells whether records are looked for at path.
func (l *locator) isPath(path Path) bool {
	for _, p := range l.x.opts.Paths {
		if len(p) == len(path) && matches(p, path) {
			return true
		}
	}
	return false
}

// leadsOn tells whether a place of records lies below path.
func (l *locator) leadsOn(path Path) bool {
	if l.found && !l.x.many {
		return false
	}
	for _, p := range l.x.opts.Paths {
		if len(p) > len(path) && matches(p, path) {
			return true
		}
	}
	return false
}

// branches tells whether path was reached through an Any step.
func (l *locator) branches(path Path) bool {
	for _, p := range l.x.opts.Paths {
		if len(p) != len(path) || !matches(p, path) {
			continue
		}
		for _, s := range p {
			if s.Index == Any {
				return true
			}
		}
	}
	return false
}

// matches tells whether path is the start of a pattern.
func matches(pattern, path Path) bool {
	for i, s := range path {
		if pattern[i] != s && !(pattern[i].Index == Any && s.IsIndex()) {
			return false
		}
	}
	return true
}

// cut is the error for a body that ended too early.
func (l *locator) cut(expected string) error {
	if l.c.err != nil {
		return l.c.err
	}
	err := syntaxError(l.x.src, l.c.pos(), expected)
	err.Cut = true
	return err
}
