package rawjson

import (
	"math/bits"
	"slices"
	"sort"
)

// children are the values in a container: the records of an index, or spans that
// were found by reading the container once.
type children struct {
	records *Index
	node    Node
	spans   []childSpan
}

type childSpan struct{ nameFrom, nameTo, from, to int }

// childrenOf finds the children of a branch, from the index where it knows them.
func (t *Tree) childrenOf(b *branch) *children {
	if x := t.index; x != nil && !x.state().many {
		from, _ := x.Bounds()
		if !b.node.Exists() || x.Shape() == List && b.node.kind == Array && b.node.from == from {
			return &children{records: x}
		}
	}
	c := &children{node: b.node}
	if b.node.kind < Array {
		return c
	}
	b.node.eachHop(t.index.hop(), func(name, v Node) bool {
		c.spans = append(c.spans, childSpan{name.from, name.to, v.from, v.to})
		if len(c.spans) == sampleSpans {
			rest := float64(c.node.to-v.to) / float64(max(v.to-c.node.from, 1)) * sampleSpans
			c.spans = slices.Grow(c.spans, min(int(rest*1.1), mostExpected))
		}
		return true
	})
	return c
}

// After sampleSpans children room is made for as many as are expected: growing
// by and by would leave several times as much behind. mostExpected bounds a guess
// that a few small children at the beginning spoil.
const (
	sampleSpans  = 1024
	mostExpected = 1 << 20
)

func (c *children) len() int {
	if c.records != nil {
		return c.records.Len()
	}
	return len(c.spans)
}

func (c *children) at(i int) (name, value Node) {
	if c.records != nil {
		return Node{}, c.records.Record(i)
	}
	s := c.spans[i]
	if s.nameTo > s.nameFrom {
		name = c.node.sub(s.nameFrom, s.nameTo)
	}
	return name, c.node.sub(s.from, s.to)
}

// holding returns the child whose name or value holds an offset; ok is false for none.
func (c *children) holding(offset int) (i int, ok bool) {
	if c.records != nil {
		return c.records.RecordAt(offset)
	}
	i = sort.Search(len(c.spans), func(i int) bool { return c.spans[i].to > offset })
	if i == len(c.spans) {
		return i, false
	}
	s := c.spans[i]
	return i, offset >= s.from || s.nameTo > s.nameFrom && offset >= s.nameFrom
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
