package rawjson

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// Shape says how the records of a body lie in it.
type Shape uint8

// The shapes that an Index tells apart.
const (
	Unknown Shape = iota // nothing found yet
	List                 // elements of an array, or of several
	Lines                // one value after another: NDJSON
	Single               // one value
)

// Bits of an index entry: the start of a record and, where it fits, its size.
const (
	sizeBits = 24
	sizeMax  = 1<<sizeBits - 1 // stands for this size or more: long knows
)

// firstSlots is the number of entries in the first chunk of an index; each further chunk holds twice as many.
const firstSlots = 64

// Index knows where the records of a source lie: eight bytes for each. It is
// built by one goroutine while any number of others read what it has published.
type Index struct {
	src    Source
	paths  []Path
	byLine bool // each value is a record, also where there is but one

	count   atomic.Int64
	scanned atomic.Int64
	slots   [42][]uint64
	next    int // records added; the builder's own

	news
	found found
	long  sync.Map // where records end that are too long for a slot, by where they begin
}

// found is what is known of the records, and of how the reading ended.
type found struct {
	shape    Shape
	path     Path
	from, to int
	many     bool // records of several arrays
	done     bool
	err      error
	cutEnd   bool
}

// DefaultPaths are the places where records usually lie.
var DefaultPaths = []string{"result.data", "result", "data", "records", "items", "results"}

// NewIndex returns an empty index over src; Run fills it. The records may lie at
// the paths, preferred in any order to DefaultPaths: in the array that stands there,
// or in the one object. An Any step joins the arrays of all branches.
func NewIndex(src Source, paths ...Path) *Index {
	paths = slices.Clip(paths)
	for _, path := range DefaultPaths {
		paths = append(paths, MustPath(path))
	}
	return &Index{src: src, paths: paths}
}

// NewLines returns an index of values one behind the other, each of which is a record: no
// list is looked for in them.
func NewLines(src Source) *Index { return &Index{src: src, byLine: true} }

// IndexSpan indexes the value at bytes [from, to): the elements of an array, or one record of any other kind.
func IndexSpan(src Source, from, to int, path Path) *Index {
	x := &Index{src: src, found: found{path: path, from: from, to: to, done: true, shape: Single}}
	n := NodeAt(src, from, to)
	if n.Kind() != Array {
		if n.Exists() {
			x.add(from, to)
		}
		x.publish()
		return x
	}
	x.found.shape = List
	(&locator{x: x, c: n.within()}).elements()
	x.publish()
	x.scanned.Store(int64(to))
	return x
}

// IndexNodes makes an index of values that are already known, all of one source:
// in the shape Lines they follow one another, as the values of NDJSON do.
func IndexNodes(src Source, shape Shape, nodes ...Node) *Index {
	x := &Index{src: src, found: found{many: shape == List, done: true, shape: shape}}
	for _, n := range nodes {
		x.add(n.Span())
	}
	x.publish()
	return x
}

// Run reads the source to its end, publishing records as it meets them. For a
// Growing source it waits for more. It returns nil, the error of ctx, the
// error the source ended with, or a *SyntaxError that says where the body is
// cut or broken; what was found before stays.
func (x *Index) Run(ctx context.Context) error {
	err := errDefect // of a panic: nobody must wait for more
	defer func() { x.finish(err) }()
	c := newCursor(x.src, 0, x.src.Len())
	c.ctx = ctx
	c.seen = func(at int) {
		x.scanned.Store(int64(at))
		x.mu.Lock()
		defer x.mu.Unlock()
		x.wakeAll()
	}
	g, grows := x.src.(Growing)
	if grows {
		c.wait = func(have int) int {
			n, _, err := g.Wait(ctx, have)
			if err != nil {
				c.err = err
			}
			return n
		}
	}
	err = (&locator{x: x, c: c}).run()
	if c.err != nil {
		err = c.err
	} else if grows && g.Err() != nil {
		err = g.Err()
	}
	x.publish()
	x.scanned.Store(int64(c.pos()))
	return err
}

var errDefect = errors.New("a defect ended the reading")

// finish says that no more records come, and why.
func (x *Index) finish(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.found.done, x.found.err = true, err
	x.wakeAll()
}

func slotAt(i int) (chunk, at int) {
	chunk = bits.Len(uint(i+firstSlots)) - bits.Len(uint(firstSlots))
	return chunk, i + firstSlots - firstSlots<<chunk
}

// add appends a record without publishing it.
func (x *Index) add(from, to int) {
	chunk, at := slotAt(x.next)
	if x.slots[chunk] == nil {
		x.slots[chunk] = make([]uint64, firstSlots<<chunk)
	}
	x.slots[chunk][at] = uint64(from)<<sizeBits | uint64(min(to-from, sizeMax))
	if to-from >= sizeMax {
		x.long.Store(from, to)
	}
	x.next++
}

// drop takes away the first n records, which are not published.
func (x *Index) drop(n int) {
	if n == 0 {
		return
	}
	for i := n; i < x.next; i++ {
		chunk, at := slotAt(i)
		to, toAt := slotAt(i - n)
		x.slots[to][toAt] = x.slots[chunk][at]
	}
	x.next -= n
}

// publish lets readers see all records added.
func (x *Index) publish() { x.count.Store(int64(x.next)) }

// state is what is known now.
func (x *Index) state() found {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.found
}

// note changes what is known.
func (x *Index) note(change func(f *found)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change(&x.found)
}

// settle records where the records were found.
func (x *Index) settle(shape Shape, path Path, from int) {
	x.note(func(f *found) { f.shape, f.path, f.from = shape, path, from })
}

// bound records where the value that holds the records ends.
func (x *Index) bound(to int) { x.note(func(f *found) { f.to = to }) }

func (x *Index) setCut(cut bool) { x.note(func(f *found) { f.cutEnd = cut }) }

// hop is the array of the records, once its end is known. The nil Index knows none.
func (x *Index) hop() hop {
	if x == nil {
		return hop{}
	}
	f := x.state()
	if f.shape != List || f.many || f.cutEnd {
		return hop{}
	}
	return hop{f.from, f.to}
}

// Source returns the bytes that are indexed.
func (x *Index) Source() Source { return x.src }

// Len is the number of records published so far.
func (x *Index) Len() int { return int(x.count.Load()) }

// Scanned is the number of bytes looked at so far.
func (x *Index) Scanned() int { return int(x.scanned.Load()) }

// Shape says how the records lie.
func (x *Index) Shape() Shape { return x.state().shape }

// Path returns where the records lie: the path of their array, or of the one record.
func (x *Index) Path() Path { return x.state().path }

// Bounds returns the offsets of the value that holds the records; to is 0 while it is not known.
func (x *Index) Bounds() (from, to int) {
	f := x.state()
	return f.from, f.to
}

// Done reports whether the index is complete, or as complete as it will be.
func (x *Index) Done() bool { return x.state().done }

// Err returns what Run returned.
func (x *Index) Err() error { return x.state().err }

// CutRecord tells that the body ended inside the last record.
func (x *Index) CutRecord() bool { return x.state().cutEnd }

// Wait blocks until there may be more than have records, or the index is done.
// It may wake early; call it in a loop.
func (x *Index) Wait(ctx context.Context, have int) (n int, done bool, err error) {
	x.mu.Lock()
	if n = x.Len(); n > have || x.found.done {
		defer x.mu.Unlock()
		return n, x.found.done, nil
	}
	err = x.await(ctx)
	return x.Len(), x.Done(), err
}

// Span returns the bytes [from, to) of record i.
func (x *Index) Span(i int) (from, to int) {
	chunk, at := slotAt(i)
	e := x.slots[chunk][at]
	from = int(e >> sizeBits)
	if size := int(e & sizeMax); size < sizeMax {
		return from, from + size
	}
	end, _ := x.long.Load(from)
	return from, end.(int)
}

func (x *Index) start(i int) int {
	chunk, at := slotAt(i)
	return int(x.slots[chunk][at] >> sizeBits)
}

// Record returns record i; the zero Node when there is no such record.
func (x *Index) Record(i int) Node {
	if i < 0 || i >= x.Len() {
		return Node{}
	}
	from, to := x.Span(i)
	n := NodeAt(x.src, from, to)
	if to == x.src.Len() && !n.cut && n.kind >= String { // it may end so by chance, with a brace in a text
		n.cut = i == x.Len()-1 && x.CutRecord()
	}
	return n
}

// RecordAt returns the record that holds an offset; ok is false where the
// offset lies between records, and i is then the record before it (-1 for none).
func (x *Index) RecordAt(offset int) (i int, ok bool) {
	i = sort.Search(x.Len(), func(i int) bool { return x.start(i) > offset }) - 1
	if i < 0 {
		return -1, false
	}
	_, to := x.Span(i)
	return i, offset < to
}

// PathOf returns the path of record i from the root of the body. For NDJSON it
// is the number of the record.
func (x *Index) PathOf(i int) Path {
	f := x.state()
	switch {
	case f.many:
		return PathAt(Root(x.src), x.start(i))
	case f.shape == Single:
		return f.path
	}
	return f.path.With(At(i))
}

// PathAt returns the path from n to the innermost value at an offset. The name
// of a member counts as its value.
//
// It ends after pathMax steps: nobody reads a deeper path, and finding one
// takes time that grows with depth and size together.
func PathAt(n Node, offset int) Path {
	var p Path
	for len(p) < pathMax {
		step, child, ok := n.childAt(offset)
		if !ok {
			return p
		}
		p, n = append(p, step), child
	}
	return p
}

// pathMax is how deep PathAt and Tree.Reveal look.
const pathMax = 500

func (n Node) childAt(offset int) (Step, Node, bool) {
	i := 0
	for name, v := range n.Children() {
		from := v.from
		if name.Exists() {
			from = name.from
		}
		if offset < from {
			break
		}
		if offset < v.to {
			if n.kind == Object {
				return Name(name.Text()), v, true
			}
			return At(i), v, true
		}
		i++
	}
	return Step{}, Node{}, false
}

// IndexSelected indexes the values that a path with Any steps reaches: the
// elements where they are arrays, else the values themselves.
func IndexSelected(src Source, path Path) *Index {
	var nodes []Node
	for n := range Root(src).Select(path) {
		if n.Kind() == Array {
			nodes = slices.AppendSeq(nodes, n.Elems())
		} else {
			nodes = append(nodes, n)
		}
	}
	x := IndexNodes(src, List, nodes...)
	x.found.path = path
	return x
}

// Scanner gives the records of an index one after the other to one that passes
// over all of them: the bytes of a file go through a buffer of its own, so that
// nothing is left behind and what the screen needs stays in the cache. A node is
// good until the next is asked for. It belongs to one goroutine.
type Scanner struct {
	x     *Index
	from  int
	bytes []byte
	buf   []byte
}

// Scan returns a Scanner of the records found so far and later.
func (x *Index) Scan() *Scanner { return &Scanner{x: x} }

// Record returns record i; the zero Node when there is no such record.
func (s *Scanner) Record(i int) Node {
	f, apart := s.x.src.(*File)
	if !apart || i < 0 || i >= s.x.Len() {
		return s.x.Record(i)
	}
	from, to := s.x.Span(i)
	if to-from > windowSize {
		return NodeAt(s.x.src, from, to)
	}
	if from < s.from || to > s.from+len(s.bytes) {
		s.from, s.bytes = from, f.view(from, min(from+windowSize, s.x.src.Len()), &s.buf)
	}
	return NodeAt(s, from, to)
}

// Check holds the records published so far against the rules of JSON, one after
// the other, and tells bad of each that breaks them. It keeps nothing of what it
// reads. seen is told now and then how many records are behind; it may be nil. The
// error is that of ctx.
func (x *Index) Check(ctx context.Context, bad func(i int), seen func(n int)) error {
	s, told := x.Scan(), 0
	for i, n := 0, x.Len(); i < n && ctx.Err() == nil; i++ {
		from, to := x.Span(i)
		c := newCursor(x.src, from, to)
		if to-from <= windowSize {
			*c = s.Record(i).cursor()
		}
		c.ctx = ctx
		// Where a record is broken is not found out: the number of a line takes reading all before it.
		if v := (validator{cursor: c}); !v.document() && ctx.Err() == nil {
			bad(i)
		}
		if seen != nil && (to-told >= windowSize || i == n-1) {
			told = to
			seen(i + 1)
		}
	}
	return ctx.Err()
}

// Slice implements Source: what was read last, and all else from the source itself.
func (s *Scanner) Slice(from, to int) []byte {
	if from >= s.from && to <= s.from+len(s.bytes) {
		return s.bytes[from-s.from : to-s.from : to-s.from]
	}
	return s.x.src.Slice(from, to)
}

// Len implements Source.
func (s *Scanner) Len() int { return s.x.src.Len() }
