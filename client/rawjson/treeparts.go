package rawjson

import (
	"math/bits"
	"slices"
	"sort"
)

// children are the values in a container.
type children interface {
	len() int
	at(i int) (name, value Node)
	// holding returns the child whose name or value holds an offset; -1 for none.
	holding(offset int) int
}

// childrenOf finds the children of a branch, from the index where it knows them.
func (t *Tree) childrenOf(b *branch) children {
	if x := t.index; x != nil && !x.branching() {
		from, _ := x.Bounds()
		if !b.node.Exists() || x.Shape() == List && b.node.kind == Array && b.node.from == from {
			return recordChildren{x}
		}
	}
	s := &spanChildren{node: b.node}
	if b.node.kind >= Array {
		b.node.eachHop(t.index.hop(), func(name, v Node) bool {
			s.spans = append(s.spans, childSpan{name.from, name.to, v.from, v.to})
			if len(s.spans) == sampleSpans {
				s.spans = slices.Grow(s.spans, expected(b.node, v.to))
			}
			return true
		})
	}
	return s
}

// After sampleSpans children room is made for as many as are expected: growing
// by and by would leave several times as much behind. mostExpected bounds a guess
// that a few small children at the beginning spoil.
const (
	sampleSpans  = 1024
	mostExpected = 1 << 20
)

// expected guesses how many children of n follow the first sampleSpans, which end at an offset.
func expected(n Node, at int) int {
	rest := float64(n.to-at) / float64(max(at-n.from, 1)) * sampleSpans
	return min(int(rest*1.1), mostExpected)
}

// recordChildren are the records of an index.
type recordChildren struct{ x *Index }

func (c recordChildren) len() int             { return c.x.Len() }
func (c recordChildren) at(i int) (_, v Node) { return Node{}, c.x.Record(i) }

func (c recordChildren) holding(offset int) int {
	if i, ok := c.x.RecordAt(offset); ok {
		return i
	}
	return -1
}

// spanChildren are children found by reading the container once.
type spanChildren struct {
	node  Node
	spans []childSpan
}

type childSpan struct{ nameFrom, nameTo, from, to int }

func (c *spanChildren) len() int { return len(c.spans) }

func (c *spanChildren) at(i int) (name, value Node) {
	s := c.spans[i]
	if s.nameTo > s.nameFrom {
		name = c.node.sub(s.nameFrom, s.nameTo)
	}
	return name, c.node.sub(s.from, s.to)
}

func (c *spanChildren) holding(offset int) int {
	i := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].to > offset })
	if i == len(c.spans) {
		return -1
	}
	from := c.spans[i].from
	if c.spans[i].nameTo > c.spans[i].nameFrom {
		from = c.spans[i].nameFrom
	}
	if offset < from {
		return -1
	}
	return i
}

// sub returns the value at bytes [from, to) inside n.
func (n Node) sub(from, to int) Node {
	if n.data == nil {
		return NodeAt(n.src, from, to)
	}
	first := byte(0)
	if from < to {
		first = n.data[from-n.from]
	}
	v := n.child(from, to, first, true)
	v.cut = v.cut || !v.closed()
	return v
}

// lineCount is how many lines a value takes with its first levels open.
func lineCount(n Node, levels int) int {
	if n.kind < Array {
		return 1
	}
	lines, depth := 0, 0
	c := n.cursor()
	for {
		b, ok := c.space()
		if !ok {
			return max(1, lines+depth)
		}
		switch b {
		case '{', '[':
			lines++
			if depth == levels {
				c.value()
				continue
			}
			c.i++
			if next, _ := c.space(); next == '}' || next == ']' {
				c.i++
				continue
			}
			depth++
		case '}', ']':
			c.i++
			lines++
			depth--
		case ',', ':':
			c.i++
		default:
			c.value()
			if next, _ := c.space(); b != '"' || next != ':' {
				lines++
			}
		}
	}
}

// sums keeps numbers so that both changing one and finding the one a total
// reaches into take a time that grows with the logarithm (a Fenwick tree).
type sums struct{ tree []int }

func (s *sums) len() int { return len(s.tree) }

// grow makes room for n more numbers.
func (s *sums) grow(n int) { s.tree = slices.Grow(s.tree, n) }

// push appends a number.
func (s *sums) push(v int) {
	i := len(s.tree) + 1
	for j := 1; j < i&-i; j <<= 1 {
		v += s.tree[i-j-1]
	}
	s.tree = append(s.tree, v)
}

func (s *sums) add(at, v int) {
	for i := at + 1; i <= len(s.tree); i += i & -i {
		s.tree[i-1] += v
	}
}

// before is the sum of the numbers in front of a place.
func (s *sums) before(at int) int {
	total := 0
	for i := at; i > 0; i -= i & -i {
		total += s.tree[i-1]
	}
	return total
}

func (s *sums) total() int { return s.before(len(s.tree)) }

func (s *sums) get(at int) int { return s.before(at+1) - s.before(at) }

// find returns the place whose number holds the unit that rest units precede.
func (s *sums) find(rest int) (at, left int) {
	for step := 1 << bits.Len(uint(len(s.tree))); step > 0; step >>= 1 {
		if next := at + step; next <= len(s.tree) && s.tree[next-1] <= rest {
			at = next
			rest -= s.tree[next-1]
		}
	}
	return min(at, len(s.tree)-1), rest
}
