package rawjson

import (
	"context"
	"slices"
)

// LineKind says what one line of a Tree shows.
type LineKind uint8

// The kinds of lines.
const (
	LineValue  LineKind = iota // a scalar, or a container without children
	LineFolded                 // a container with its children hidden
	LineOpen                   // the opening bracket of a container
	LineClose                  // its closing bracket
)

// Line is one line of a Tree.
type Line struct {
	Kind  LineKind
	Depth int
	// Name is the member's name; the zero Node in arrays and at the root.
	Name Node
	// Node is the value, also on its closing line. The zero Node stands for the
	// values of NDJSON together.
	Node Node
	// Index is the position among the siblings.
	Index int
}

// Tree lays a value out as lines that can be folded, without laying out what
// is not looked at: a container is a list of spans once it is opened, and how
// many lines each child takes is kept in sums that can be searched. It belongs
// to one goroutine.
type Tree struct {
	root   *branch
	index  *Index
	levels int
	recent []*branch // branches opened by default, oldest first
	// seen is told how far the opening of levels is; nil at other times.
	seen func(done, total int)
}

// branch is a container that has been opened, or at least looked at.
type branch struct {
	node, name Node
	parent     *branch
	at         int
	depth      int
	open       bool
	changed    bool // somebody folded or opened something in it
	kids       *children
	sums       sums
	below      map[int]*branch
}

// recentMax is how many branches are kept that nobody has touched.
const recentMax = 2048

// NewTree returns the lines of root with the containers of the first levels
// open. The index may be nil; where it is given, the records need not be
// searched again, and a zero root shows the values of NDJSON. While the source
// grows, Grow takes in new records; once it is complete, make a new Tree of its root.
func NewTree(root Node, x *Index, levels int) *Tree {
	t := &Tree{index: x, levels: levels}
	t.root = t.plant(root)
	if levels > 0 {
		_ = t.unfold(context.Background(), t.root) // this context never ends
	}
	return t
}

// Twin is another tree of the same root, with the containers of the first levels
// open. Where both have the root open, its children are found once.
func (t *Tree) Twin(levels int) *Tree {
	twin := &Tree{index: t.index, levels: levels}
	twin.root = twin.plant(t.root.node)
	if levels > 0 {
		twin.root.kids = t.root.kids
		_ = twin.unfold(context.Background(), twin.root) // this context never ends
	}
	return twin
}

func (t *Tree) plant(root Node) *branch {
	b := &branch{node: root}
	if !root.Exists() && t.index != nil {
		b.node.src = t.index.src
	}
	return b
}

// OpenLevels opens the containers of the first levels and folds all others.
// For a large body with two levels or more it reads all of it; on an error,
// that of ctx, nothing has changed. seen is told how many children of a large
// container are behind, and of how many; it may be nil.
func (t *Tree) OpenLevels(ctx context.Context, levels int, seen func(done, total int)) error {
	fresh := &Tree{index: t.index, levels: levels, seen: seen}
	fresh.root = fresh.plant(t.root.node)
	if levels > 0 {
		if err := fresh.unfold(ctx, fresh.root); err != nil {
			return err
		}
	}
	fresh.seen = nil
	*t = *fresh
	return nil
}

// Len is the number of lines.
func (t *Tree) Len() int { return t.root.lines() }

// lines is how many lines a branch takes.
func (b *branch) lines() int {
	if !b.open || b.kids == nil || b.kids.len() == 0 {
		return 1
	}
	return 2 + b.sums.before(b.sums.len())
}

// unfold opens a branch: finds its children and how many lines they take.
func (t *Tree) unfold(ctx context.Context, b *branch) error {
	if b.kids == nil {
		b.kids = t.childrenOf(b)
	}
	if b.sums.len() < b.kids.len() {
		if err := t.measure(ctx, b); err != nil {
			return err
		}
	}
	b.open = true
	return nil
}

// measure takes the children not yet counted into the sums.
func (t *Tree) measure(ctx context.Context, b *branch) error {
	levels := t.levels - b.depth - 1
	b.sums.tree = slices.Grow(b.sums.tree, b.kids.len()-b.sums.len())
	for i := b.sums.len(); i < b.kids.len(); i++ {
		if i%1024 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if t.seen != nil && i > 0 {
				t.seen(i, b.kids.len())
			}
		}
		lines := 1
		if levels > 0 {
			_, v := b.kids.at(i)
			lines = lineCount(v, levels)
		}
		b.sums.push(lines)
	}
	return nil
}

// Grow takes in records that a growing index has found since.
func (t *Tree) Grow() {
	if t.index == nil {
		return
	}
	list := t.root // the branch whose children are the records, when it has been looked at
	if list.node.Exists() {
		from, _ := t.index.Bounds()
		for list != nil && list.node.from != from {
			list = list.holding(from)
		}
	}
	if list == nil || !list.open {
		return
	}
	before := list.lines()
	_ = t.measure(context.Background(), list) // this context never ends
	list.spread(list.lines() - before)
}

// holding returns the child branch that holds an offset; nil when it has not been looked at.
func (b *branch) holding(offset int) *branch {
	for _, child := range b.below {
		if child.node.from <= offset && offset < child.node.to {
			return child
		}
	}
	return nil
}

// spread adds a difference in lines to all branches above.
func (b *branch) spread(difference int) {
	if difference == 0 || b.parent == nil {
		return
	}
	before := b.parent.lines()
	b.parent.sums.add(b.at, difference)
	b.parent.spread(b.parent.lines() - before)
}

// child returns the branch of child i, making it and opening it as the levels say.
func (t *Tree) child(b *branch, i int) *branch {
	if c := b.below[i]; c != nil {
		return c
	}
	name, node := b.kids.at(i)
	c := &branch{node: node, name: name, parent: b, at: i, depth: b.depth + 1}
	if b.below == nil {
		b.below = map[int]*branch{}
	}
	b.below[i] = c
	if c.depth < t.levels && node.kind >= Array {
		_ = t.unfold(context.Background(), c)
	}
	c.spread(c.lines() - b.sums.get(i))
	t.remember(c)
	return c
}

// remember drops the oldest branch that nobody has touched: it can be made again.
func (t *Tree) remember(b *branch) {
	t.recent = append(t.recent, b)
	if len(t.recent) < recentMax {
		return
	}
	kept := slices.Clone(t.recent[recentMax/2:])
	for _, old := range t.recent[:recentMax/2] {
		switch {
		case old.changed:
		case len(old.below) > 0:
			kept = append(kept, old)
		default:
			delete(old.parent.below, old.at)
		}
	}
	t.recent = kept
}

// spot is a line found: its branch, or child kid of the branch when it is not one itself.
type spot struct {
	b     *branch
	kid   int
	close bool
}

// find descends to a line.
func (t *Tree) find(line int) spot {
	b := t.root
	line = max(0, min(line, b.lines()-1))
	for {
		switch n := b.lines(); {
		case line <= 0 || n == 1:
			return spot{b: b, kid: -1}
		case line >= n-1:
			return spot{b: b, kid: -1, close: true}
		}
		k, rest := b.sums.find(line - 1)
		if b.below[k] == nil && b.sums.get(k) == 1 {
			return spot{b: b, kid: k}
		}
		b, line = t.child(b, k), rest
	}
}

// branchAt returns the branch of a line, making one of a child that has none; close tells that it is its last line.
func (t *Tree) branchAt(line int) (b *branch, close bool) {
	s := t.find(line)
	if s.kid >= 0 {
		return t.child(s.b, s.kid), false
	}
	return s.b, s.close
}

// Line returns one line; the first or last when the number is out of range.
func (t *Tree) Line(line int) Line {
	s := t.find(line)
	if s.kid >= 0 {
		name, node := s.b.kids.at(s.kid)
		l := Line{Name: name, Node: node, Depth: s.b.depth + 1, Index: s.kid}
		if node.kind >= Array && !node.Empty() {
			l.Kind = LineFolded
		}
		return l
	}
	b := s.b
	l := Line{Name: b.name, Node: b.node, Depth: b.depth, Index: b.at}
	switch {
	case s.close:
		l.Kind = LineClose
	case b.lines() > 1:
		l.Kind = LineOpen
	case b.node.kind >= Array && !b.node.Empty() || !b.node.Exists():
		l.Kind = LineFolded
	}
	return l
}

// Empty reports whether a container has nothing in it. It does not read a child:
// one may be as large as the body.
func (n Node) Empty() bool {
	c := n.within()
	b, ok := c.space()
	return !ok || b == '}' || b == ']'
}

// Lines appends the lines [from, from+n) to dst, fewer at the end.
func (t *Tree) Lines(from, n int, dst []Line) []Line {
	for line := max(0, from); line < from+n && line < t.Len(); line++ {
		dst = append(dst, t.Line(line))
	}
	return dst
}

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
		k, ok := b.kids.holding(offset)
		if !ok || k >= b.sums.len() {
			break
		}
		if _, v := b.kids.at(k); v.kind < Array || offset < v.from {
			return t.lineOf(b) + 1 + b.sums.before(k)
		}
		b = t.child(b, k)
	}
	return t.lineOf(b)
}
