package rawjson

import (
	"context"
	"slices"
)

// SetOpen opens or folds the container of a line and returns the line where it
// starts. Lines of scalars stay as they are.
func (t *Tree) SetOpen(line int, open bool) int {
	b, closing := t.branchAt(line)
	start := line
	if closing {
		start = t.lineOf(b)
	}
	if b.open == open || b.node.kind < Array && b.node.Exists() {
		return start
	}
	before := b.lines()
	if open {
		_ = t.unfold(context.Background(), b)
	} else {
		b.open = false
	}
	for up := b; up != nil; up = up.parent {
		up.changed = true
	}
	b.spread(b.lines() - before)
	return start
}

// Toggle opens a folded container and folds an open one.
func (t *Tree) Toggle(line int) int {
	b, _ := t.branchAt(line)
	return t.SetOpen(line, !b.open)
}

// familyMax is how many children OpenFamily opens at most.
const familyMax = 1000

// OpenFamily opens or folds the container of a line and those right inside it.
func (t *Tree) OpenFamily(line int, open bool) int {
	start := t.SetOpen(line, open)
	b, _ := t.branchAt(start)
	if !open || b.kids == nil {
		return start
	}
	for i := range min(b.kids.len(), familyMax) {
		c := t.child(b, i)
		before := c.lines()
		if c.node.kind >= Array && !c.open {
			_ = t.unfold(context.Background(), c)
			c.changed = true
			c.spread(c.lines() - before)
		}
	}
	return start
}

// lineOf returns the line where a branch starts.
func (t *Tree) lineOf(b *branch) int {
	line := 0
	for ; b.parent != nil; b = b.parent {
		line += 1 + b.parent.sums.before(b.at)
	}
	return line
}

// Parent returns the line where the container around a line starts; the line itself at the root.
func (t *Tree) Parent(line int) int {
	s := t.find(line)
	switch {
	case s.kid >= 0 || s.close:
		return t.lineOf(s.b)
	case s.b.parent != nil:
		return t.lineOf(s.b.parent)
	}
	return line
}

// Sibling returns the line of the sibling that is some places away, stopping at the first and last.
func (t *Tree) Sibling(line, places int) int {
	s := t.find(line)
	parent, at := s.b, s.kid
	if at < 0 {
		parent, at = s.b.parent, s.b.at
	}
	if parent == nil {
		return line
	}
	at = max(0, min(at+places, parent.sums.len()-1))
	return t.lineOf(parent) + 1 + parent.sums.before(at)
}

// Path returns the path from the root to the value of a line.
func (t *Tree) Path(line int) Path {
	s := t.find(line)
	var p Path
	b := s.b
	if s.kid >= 0 {
		name, _ := b.kids.at(s.kid)
		p = append(p, stepTo(name, s.kid))
	}
	for ; b.parent != nil; b = b.parent {
		p = append(p, stepTo(b.name, b.at))
	}
	slices.Reverse(p)
	return p
}

func stepTo(name Node, at int) Step {
	if name.Exists() {
		return Name(name.Text())
	}
	return At(at)
}

// Reveal opens what hides an offset of the source and returns the line of the
// innermost value there.
func (t *Tree) Reveal(offset int) int {
	t.Grow()
	b := t.root
	for depth := 0; depth < pathMax && (b.node.kind >= Array || !b.node.Exists()); depth++ {
		if !b.open {
			t.SetOpen(t.lineOf(b), true)
		}
		k := b.kids.holding(offset)
		if k < 0 || k >= b.sums.len() {
			break
		}
		if _, v := b.kids.at(k); v.kind < Array || offset < v.from {
			return t.lineOf(b) + 1 + b.sums.before(k)
		}
		b = t.child(b, k)
	}
	return t.lineOf(b)
}
