package rawjson

import (
	"slices"
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
	guess *candidate
	// before is how many records of the guess so far lie before those of the
	// array at the cursor, which may be the better one.
	before int
	// single is the object at one of the paths, should no array be found.
	single *candidate
	// spans is set once a value of NDJSON took several lines, wasted is how many
	// bytes were looked at for such values in vain.
	spans  bool
	wasted int
	// lineTo is where the line at the cursor ends, or how far no line break was
	// found yet while lineKnown is not set.
	lineTo    int
	lineKnown bool
}

// candidate is a value that may turn out to hold the records.
type candidate struct {
	path     Path
	from, to int
	records  int
}

func (l *locator) run() error {
	for _, mark := range []byte("\xef\xbb\xbf") {
		if b, ok := l.c.peek(); !ok || b != mark {
			break
		}
		l.c.i++
	}
	b, ok := l.c.space()
	if !ok {
		return l.cut("a JSON value")
	}
	from := l.c.pos()
	var err error
	switch {
	case l.x.byLine, b == '[' && l.peekArrays():
		return l.lines(from)
	case b == '[':
		err = l.list(nil)
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
	// More values behind the first make the body NDJSON.
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
	default:
		l.one(candidate{from: from, to: trimEnd(x.src, from, l.c.pos())})
		x.setCut(!whole)
	}
}

func (l *locator) one(p candidate) {
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
		b, more, err := l.next('}', "a name or }")
		if err != nil || !more {
			return err
		}
		if b != '"' {
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
	if !l.c.value() {
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
	guess := !l.found && depth <= guessDepth
	switch {
	case b == '[' && l.isPath(path) && (!l.found || l.x.found.many && l.branches(path)):
		return l.list(path)
	case b == '[' && l.leadsOn(path):
		return l.array(path)
	case b == '[' && guess && !owned:
		return l.guessList(path)
	case b == '{' && (guess || l.leadsOn(path)):
		from := l.c.pos()
		err := l.object(path, depth)
		if l.single == nil && l.isPath(path) {
			l.single = &candidate{path: path, from: from, to: l.c.pos()}
		}
		return err
	}
	if !l.c.value() {
		return l.cut("the end of " + path.Dotted())
	}
	return nil
}

// array looks through the elements of an array that lies on the way to the records.
func (l *locator) array(path Path) error {
	l.c.i++
	for i := 0; ; i++ {
		if _, more, err := l.next(']', "a value or ]"); err != nil || !more {
			return err
		}
		if err := l.member(path.With(At(i)), len(path)+1, true); err != nil {
			return err
		}
	}
}

// next passes over commas to the next child of a container; more is false behind
// its closing bracket.
func (l *locator) next(closing byte, expected string) (b byte, more bool, err error) {
	b, ok := l.c.space()
	for ok && b == ',' {
		l.c.i++
		b, ok = l.c.space()
	}
	switch {
	case !ok:
		return b, false, l.cut(expected)
	case b == closing:
		l.c.i++
		return b, false, nil
	}
	return b, true, nil
}

// list indexes the array at the cursor as the records.
func (l *locator) list(path Path) error {
	if !l.found {
		l.x.next, l.guess = 0, nil
		l.x.settle(List, path, l.c.pos())
	}
	l.found = true
	branches := l.branches(path)
	l.x.note(func(f *found) { f.many = f.many || branches })
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
		if !l.c.rest(false) {
			return l.cut("]")
		}
		return nil
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
		l.guess = &candidate{path: path, from: from, to: l.c.pos(), records: n}
	} else {
		l.x.setCut(false) // it told of an array that does not count
	}
	l.before, l.hold = 0, false
	return err
}

// elements indexes the elements of an array whose bracket is behind.
func (l *locator) elements() error {
	for {
		b, more, err := l.next(']', "a value or ]")
		if err != nil || !more {
			return err
		}
		if b == '}' || b == ':' {
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

// isPath reports whether records are looked for at path.
func (l *locator) isPath(path Path) bool {
	return slices.ContainsFunc(l.x.paths, func(p Path) bool { return len(p) == len(path) && matches(p, path) })
}

// leadsOn reports whether a place of records lies below path.
func (l *locator) leadsOn(path Path) bool {
	return (!l.found || l.x.found.many) &&
		slices.ContainsFunc(l.x.paths, func(p Path) bool { return len(p) > len(path) && matches(p, path) })
}

// branches reports whether path was reached through an Any step.
func (l *locator) branches(path Path) bool {
	return slices.ContainsFunc(l.x.paths, func(p Path) bool {
		_, branches := p.UntilAny()
		return branches && len(p) == len(path) && matches(p, path)
	})
}

// matches reports whether path is the start of a pattern.
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
