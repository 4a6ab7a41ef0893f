package rawjson

import (
	"context"
	"math/bits"
	"sort"
	"sync"
	"sync/atomic"
)

// Shape tells how the records of a body lie in it.
type Shape uint8

// The shapes that an Index tells apart.
const (
	Unknown Shape = iota // nothing found yet
	List                 // elements of an array (or of several, see IndexOptions.Paths)
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
	src  Source
	opts IndexOptions

	count   atomic.Int64
	scanned atomic.Int64
	slots   [42][]uint64
	next    int // records added; the builder's own

	mu     sync.Mutex
	wake   chan struct{}
	shape  Shape
	path   Path
	from   int
	to     int
	many   bool // records of several arrays
	done   bool
	err    error
	cutEnd bool
	long   map[int]int // where records end that are too long for a slot, by where they begin
}

// IndexOptions says where records are looked for.
type IndexOptions struct {
	// Paths are where the records may lie, in any order of preference before
	// DefaultPaths: the array that stands there, or the one object. An Any step
	// joins the arrays of all branches.
	Paths []Path
	// Only leaves DefaultPaths and guesses out.
	Only bool
}

// DefaultPaths are the places where records usually lie.
func DefaultPaths() []Path {
	return []Path{MustPath("result.data"), MustPath("result"), MustPath("data"), MustPath("records"),
		MustPath("items"), MustPath("results")}
}

// NewIndex returns an empty index over src. Run fills it.
func NewIndex(src Source, opts IndexOptions) *Index {
	if !opts.Only {
		opts.Paths = append(opts.Paths[:len(opts.Paths):len(opts.Paths)], DefaultPaths()...)
	}
	return &Index{src: src, opts: opts}
}

// BuildIndex indexes a source and returns when done. The index is usable also
// beside an error, which is that of ctx or a *SyntaxError.
func BuildIndex(ctx context.Context, src Source, opts IndexOptions) (*Index, error) {
	x := NewIndex(src, opts)
	return x, x.Run(ctx)
}

// IndexSpan indexes the value at bytes [from, to): the elements of an array, or one record of any other kind.
func IndexSpan(src Source, from, to int, path Path) *Index {
	x := &Index{src: src, path: path, from: from, to: to, done: true, shape: Single}
	n := NodeAt(src, from, to)
	if n.Kind() != Array {
		if n.Exists() {
			x.add(from, to)
		}
		x.publish()
		return x
	}
	x.shape = List
	c := n.cursor()
	c.more()
	c.i++
	(&locator{x: x, c: &c}).elements()
	x.publish()
	x.scanned.Store(int64(to))
	return x
}

// IndexNodes makes an index of values that are already known, all of one source.
func IndexNodes(src Source, nodes []Node) *Index {
	x := &Index{src: src, many: true, done: true, shape: List}
	for _, n := range nodes {
		x.add(n.Span())
	}
	x.publish()
	return x
}

// IndexValues makes an index of values that are already known and follow one
// another in src, as the values of NDJSON do.
func IndexValues(src Source, nodes []Node) *Index {
	x := IndexNodes(src, nodes)
	x.many, x.shape = false, Lines
	return x
}

// Run reads the source to its end, publishing records as it meets them. For a
// Growing source it waits for more. It returns nil, the error of ctx, the
// error the source ended with, or a *SyntaxError that says where the body is
// cut or broken; what was found before stays.
func (x *Index) Run(ctx context.Context) error {
	l := newLocator(ctx, x)
	err := l.run()
	if l.c.err != nil {
		err = l.c.err
	} else if g, ok := x.src.(Growing); ok && g.Err() != nil {
		err = g.Err()
	}
	x.publish()
	x.scanned.Store(int64(l.c.pos()))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done, x.err = true, err
	x.wakeAll()
	return err
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
		x.noteLong(from, to)
	}
	x.next++
}

// noteLong keeps where a record ends that is too long for its slot.
func (x *Index) noteLong(from, to int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.long == nil {
		x.long = make(map[int]int)
	}
	x.long[from] = to
}

// longEnd is where the long record that begins at an offset ends.
func (x *Index) longEnd(from int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.long[from]
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

func (x *Index) wakeAll() {
	if x.wake != nil {
		close(x.wake)
		x.wake = nil
	}
}

// settle records where the records were found.
func (x *Index) settle(shape Shape, path Path, from int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.shape, x.path, x.from = shape, path, from
}

// bound records where the value that holds the records ends.
func (x *Index) bound(to int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.to = to
}

func (x *Index) setCut(cut bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cutEnd = cut
}

func (x *Index) setMany(many bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.many = many
}

func (x *Index) branching() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.many
}

// hop is the array of the records, once its end is known. The nil Index knows none.
func (x *Index) hop() hop {
	if x == nil {
		return hop{}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.shape != List || x.many || x.cutEnd {
		return hop{}
	}
	return hop{x.from, x.to}
}

// Lookup follows a path of names from the root of the body without reading the
// records: the way to meta fields that stand behind a large array.
func (x *Index) Lookup(p Path) (Node, bool) {
	n := Root(x.src)
	for _, s := range p {
		var next Node
		if n.kind == Object {
			n.eachHop(x.hop(), func(name, v Node) bool {
				if name.textIs(s.Name) {
					next = v
				}
				return !next.Exists()
			})
		}
		if n = next; !n.Exists() {
			return Node{}, false
		}
	}
	return n, true
}

// progress tells waiting readers that something may be new.
func (x *Index) progress(at int) {
	x.scanned.Store(int64(at))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wakeAll()
}

// Source returns the bytes that are indexed.
func (x *Index) Source() Source { return x.src }

// Len is the number of records published so far.
func (x *Index) Len() int { return int(x.count.Load()) }

// Scanned is the number of bytes looked at so far.
func (x *Index) Scanned() int { return int(x.scanned.Load()) }

// Shape tells how the records lie.
func (x *Index) Shape() Shape {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.shape
}

// Path returns where the records lie: the path of their array, or of the one record.
func (x *Index) Path() Path {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.path
}

// Bounds returns the offsets of the value that holds the records; to is 0 while it is not known.
func (x *Index) Bounds() (from, to int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.from, x.to
}

// Done tells whether the index is complete, or as complete as it will be.
func (x *Index) Done() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done
}

// Err returns what Run returned.
func (x *Index) Err() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.err
}

// CutRecord tells that the body ended inside the last record.
func (x *Index) CutRecord() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cutEnd
}

// Wait blocks until there may be more than have records, or the index is done.
// It may wake early; call it in a loop.
func (x *Index) Wait(ctx context.Context, have int) (n int, done bool, err error) {
	x.mu.Lock()
	if n = x.Len(); n > have || x.done {
		defer x.mu.Unlock()
		return n, x.done, nil
	}
	if x.wake == nil {
		x.wake = make(chan struct{})
	}
	wake := x.wake
	x.mu.Unlock()
	select {
	case <-wake:
	case <-ctx.Done():
		err = ctx.Err()
	}
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
	return from, x.longEnd(from)
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
	return NodeAt(x.src, from, to)
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
	x.mu.Lock()
	shape, path, many := x.shape, x.path, x.many
	x.mu.Unlock()
	switch {
	case many:
		return PathAt(Root(x.src), x.start(i))
	case shape == Single:
		return path
	}
	return path.With(At(i))
}

// PathAt returns the path of the innermost value at an offset.
func (x *Index) PathAt(offset int) Path {
	i, ok := x.RecordAt(offset)
	if !ok {
		return PathAt(Root(x.src), offset)
	}
	return append(x.PathOf(i), PathAt(x.Record(i), offset)...)
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
	x := &Index{src: src, path: path, many: true, done: true, shape: List}
	for n := range Root(src).Select(path) {
		if n.Kind() != Array {
			x.add(n.Span())
			continue
		}
		for v := range n.Elems() {
			x.add(v.Span())
		}
	}
	x.publish()
	return x
}
