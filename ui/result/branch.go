package result

import (
	"slices"
	"sort"

	"patchbay/client/rawjson"
)

// branch is an open value of a tree: its children are known, those of them
// that are open are branches themselves. Closed children cost sixteen bytes,
// and those of the records array nothing at all.
type branch struct {
	node  rawjson.Node
	index *rawjson.Index // children are the index's records
	kids  []kid
	open  []opened // sorted by child number
	lines int      // lines of all children, those of open branches included
}

// kid is a closed child: where its name and value lie in the source.
type kid struct{ name, value span }

type span struct{ from, to int }

// opened is an open child; before counts the lines of all children up to and without it.
type opened struct {
	at     int
	branch *branch
}

// newBranch opens a value.
func newBranch(n rawjson.Node, index *rawjson.Index) *branch {
	b := &branch{node: n}
	if index != nil && index.Done() {
		if from, to := index.Bounds(); from == nodeFrom(n) && to == nodeTo(n) && index.Shape() == rawjson.List {
			b.index = index
			b.lines = index.Len()
			return b
		}
	}
	for name, value := range n.Children() {
		k := kid{value: spanOf(value)}
		if name.Exists() {
			k.name = spanOf(name)
		}
		b.kids = append(b.kids, k)
	}
	b.lines = len(b.kids)
	return b
}

func spanOf(n rawjson.Node) span {
	from, to := n.Span()
	return span{from, to}
}

func nodeFrom(n rawjson.Node) int { return spanOf(n).from }
func nodeTo(n rawjson.Node) int   { return spanOf(n).to }

// count is the number of children.
func (b *branch) count() int {
	if b.index != nil {
		return b.index.Len()
	}
	return len(b.kids)
}

// child returns child i and its name (zero in arrays).
func (b *branch) child(i int) (name, value rawjson.Node) {
	if b.index != nil {
		return rawjson.Node{}, b.index.Record(i)
	}
	k, src := b.kids[i], b.node.Source()
	if k.name.to > k.name.from {
		name = rawjson.NodeAt(src, k.name.from, k.name.to)
	}
	return name, rawjson.NodeAt(src, k.value.from, k.value.to)
}

// find returns the open branch of child i; nil when it is closed.
func (b *branch) find(i int) *branch {
	if j, ok := b.search(i); ok {
		return b.open[j].branch
	}
	return nil
}

func (b *branch) search(i int) (int, bool) {
	return slices.BinarySearchFunc(b.open, i, func(o opened, at int) int { return o.at - at })
}

// row is one line of the tree.
type row struct {
	// path are the child numbers from the root.
	path  []int
	depth int
	name  rawjson.Node
	value rawjson.Node
	index int  // child number in its parent
	inArr bool // the parent is an array
	open  bool
}

// at returns line n below the branch (0 is its first child).
func (b *branch) at(n int, path []int) row {
	// skipped counts the extra lines of open branches before the line.
	skipped := 0
	for _, o := range b.open {
		first := o.at + skipped
		if n <= first {
			break
		}
		if n <= first+o.branch.lines {
			return o.branch.at(n-first-1, append(path, o.at))
		}
		skipped += o.branch.lines
	}
	i := n - skipped
	name, value := b.child(i)
	return row{path: append(slices.Clone(path), i), depth: len(path), name: name, value: value, index: i,
		inArr: b.node.Kind() == rawjson.Array, open: b.find(i) != nil}
}

// lineOf returns the line of the value at path; false when a branch on the way is closed.
func (b *branch) lineOf(path []int) (int, bool) {
	if len(path) == 0 {
		return 0, false
	}
	line := path[0]
	for _, o := range b.open {
		if o.at >= path[0] {
			break
		}
		line += o.branch.lines
	}
	if len(path) == 1 {
		return line, true
	}
	kid := b.find(path[0])
	if kid == nil {
		return line, false
	}
	below, ok := kid.lineOf(path[1:])
	return line + 1 + below, ok
}

// set opens or closes the value at path and returns the change in lines.
func (b *branch) set(path []int, open bool, index *rawjson.Index) int {
	i := path[0]
	j, have := b.search(i)
	if len(path) > 1 {
		if !have {
			return 0
		}
		d := b.open[j].branch.set(path[1:], open, index)
		b.lines += d
		return d
	}
	switch {
	case open && !have:
		_, value := b.child(i)
		if !container(value) {
			return 0
		}
		kid := newBranch(value, index)
		b.open = slices.Insert(b.open, j, opened{i, kid})
		b.lines += kid.lines
		return kid.lines
	case !open && have:
		d := b.open[j].branch.lines
		b.open = slices.Delete(b.open, j, j+1)
		b.lines -= d
		return -d
	}
	return 0
}

func container(n rawjson.Node) bool {
	return n.Kind() == rawjson.Object || n.Kind() == rawjson.Array
}

// openLevels opens everything down to the given depth, at most budget branches, and returns what is left of the budget.
func (b *branch) openLevels(depth, budget int, index *rawjson.Index) int {
	if depth <= 0 {
		return budget
	}
	for i := 0; i < b.count() && budget > 0; i++ {
		_, value := b.child(i)
		if !container(value) {
			continue
		}
		budget--
		if kid := b.find(i); kid != nil {
			before := kid.lines
			budget = kid.openLevels(depth-1, budget, index)
			b.lines += kid.lines - before
			continue
		}
		kid := newBranch(value, index)
		budget = kid.openLevels(depth-1, budget, index)
		j := sort.Search(len(b.open), func(j int) bool { return b.open[j].at >= i })
		b.open = slices.Insert(b.open, j, opened{i, kid})
		b.lines += kid.lines
	}
	return budget
}

// closeAll closes every child.
func (b *branch) closeAll() {
	b.open, b.lines = nil, b.count()
}
