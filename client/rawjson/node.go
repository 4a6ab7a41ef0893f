// Package rawjson holds JSON in two forms. Bodies stay the bytes they were
// received as: an Index says where records lie, and a Node is made only when
// somebody looks. Key order, duplicate keys and number text are kept. All of
// that takes hostile input: nothing recurses with the depth of the data, and
// nothing allocates more than the bytes it is asked to show.
//
// What is built or changed (params, filters, generated records) is a Map: an
// object in memory that keeps the order of its members and tells null from
// absent. Decode and Node.Value make one of bytes, Encode and Append write it.
//
// The package is a leaf: it imports nothing else of patchbay.
package rawjson

import (
	"bytes"
	"iter"
)

// Kind is what a value is, as its first byte tells.
type Kind uint8

// The kinds of values. Invalid is also the kind of the zero Node: nothing there.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the word that JSON uses for the kind.
func (k Kind) String() string {
	return [...]string{"invalid", "null", "boolean", "number", "string", "array", "object"}[k]
}

// inlineMax is the size up to which a Node takes its bytes in one piece.
const inlineMax = 1 << 20

// Node is one value where it lies in a source. It is small, made on demand and
// never changes; its methods read the bytes each time they are called.
type Node struct {
	src  Source
	data []byte // the value's bytes; nil when too large to be taken in one piece
	from int
	to   int
	kind Kind
	cut  bool
}

// Root returns the value that a source starts with. White space and a byte
// order mark before it and white space behind it are left out; what else
// follows the value is for Validate to find.
func Root(src Source) Node {
	mark := 0
	if src.Len() >= 3 && bytes.Equal(src.Slice(0, 3), []byte("\xef\xbb\xbf")) {
		mark = 3
	}
	c := newCursor(src, mark, src.Len())
	if _, ok := c.space(); !ok {
		return Node{src: src, from: c.pos(), to: c.pos()}
	}
	return NodeAt(src, c.pos(), trimEnd(src, c.pos(), src.Len()))
}

func trimEnd(src Source, from, to int) int {
	for to > from {
		at := max(from, to-64)
		tail := bytes.TrimRight(src.Slice(at, to), " \t\r\n")
		if to = at + len(tail); len(tail) > 0 {
			break
		}
	}
	return to
}

// NodeAt returns the value that occupies bytes [from, to) of a source. The
// bounds are clipped to the source.
func NodeAt(src Source, from, to int) Node {
	to = max(0, min(to, src.Len()))
	from = max(0, min(from, to))
	n := Node{src: src, from: from, to: to}
	if from == to {
		return n
	}
	if to-from <= inlineMax {
		n.data = src.Slice(from, to)
		n.kind = kindOf(n.data[0], n.data)
	} else {
		n.kind = kindOf(src.Slice(from, from+1)[0], nil)
	}
	n.cut = !n.closed()
	return n
}

// Parse returns the value in data: a Node over bytes of one's own.
func Parse(data []byte) Node { return Root(Bytes(data)) }

func kindOf(first byte, data []byte) Kind {
	switch {
	case first == '{':
		return Object
	case first == '[':
		return Array
	case first == '"':
		return String
	case first == '-' || first >= '0' && first <= '9':
		return Number
	case string(data) == "true" || string(data) == "false":
		return Bool
	case string(data) == "null":
		return Null
	}
	return Invalid
}

// closed reports whether a value ends with the byte that closes its kind.
func (n Node) closed() bool {
	return n.kind < String || n.Size() >= 2 && n.bytes(n.to-1, n.to)[0] == `"]}`[n.kind-String]
}

// Exists reports whether there is a value at all.
func (n Node) Exists() bool { return n.to > n.from }

// Kind returns what the value is.
func (n Node) Kind() Kind { return n.kind }

// Cut tells that the bytes ended inside the value.
func (n Node) Cut() bool { return n.cut }

// Span returns the offsets of the value's first byte and of the byte after it.
func (n Node) Span() (from, to int) { return n.from, n.to }

// Size is the number of bytes of the value as received.
func (n Node) Size() int { return n.to - n.from }

// Source returns where the value lies.
func (n Node) Source() Source { return n.src }

// Raw returns the bytes as received; the caller must not change them. For
// values over 1 MiB this may copy: see AppendRaw and WriteRange.
func (n Node) Raw() []byte {
	if n.data != nil || n.src == nil {
		return n.data
	}
	return n.src.Slice(n.from, n.to)
}

// AppendRaw appends at most limit bytes of the value as received.
func (n Node) AppendRaw(dst []byte, limit int) []byte {
	return append(dst, n.head(limit)...)
}

// head returns up to limit bytes of the value, without fetching the rest.
func (n Node) head(limit int) []byte {
	limit = min(limit, n.Size())
	if n.data != nil || n.src == nil {
		return n.data[:limit]
	}
	return n.src.Slice(n.from, n.from+limit)
}

func (n Node) cursor() cursor {
	if n.data != nil || n.src == nil {
		c := dataCursor(n.data, n.from)
		c.src = n.src
		return c
	}
	return *newCursor(n.src, n.from, n.to)
}

// within is a cursor behind the opening bracket.
func (n Node) within() *cursor {
	c := n.cursor()
	c.more()
	c.i++
	return &c // reading takes its address anyway: a copy would take memory once more
}

// Member is one name and value of an object.
type Member struct {
	// Name is the string node of the name; Key decodes it.
	Name  Node
	Value Node
}

// Key returns the decoded name.
func (m Member) Key() string { return m.Name.Text() }

// Members iterates over the members of an object in received order, duplicates
// included. It yields nothing for other kinds.
func (n Node) Members() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		if n.kind == Object {
			n.each(func(name, value Node) bool { return yield(Member{name, value}) })
		}
	}
}

// Elems iterates over the elements of an array. It yields nothing for other kinds.
func (n Node) Elems() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.kind == Array {
			n.each(func(_, value Node) bool { return yield(value) })
		}
	}
}

// Children iterates over the values in an array or object; names are zero Nodes in arrays.
func (n Node) Children() iter.Seq2[Node, Node] {
	return func(yield func(name, value Node) bool) {
		if n.kind == Object || n.kind == Array {
			n.each(yield)
		}
	}
}

// Len counts elements or members; 0 for other kinds.
func (n Node) Len() int {
	count := 0
	for range n.Children() {
		count++
	}
	return count
}

// each walks over the children of a container as far as they can be told apart.
func (n Node) each(yield func(name, value Node) bool) { n.eachHop(hop{}, yield) }

// eachHop is each without reading a container whose end is known.
func (n Node) eachHop(known hop, yield func(name, value Node) bool) {
	n.walk(known, func(p childBounds) bool {
		var name Node
		if p.nameTo > p.nameFrom {
			name = n.child(p.nameFrom, p.nameTo, '"', p.named)
		}
		return yield(name, n.child(p.from, p.to, p.first, p.whole))
	})
}

// walk finds where the children of a container lie.
func (n Node) walk(known hop, yield func(childBounds) bool) {
	c := n.within()
	c.hop = known
	for {
		if p, ok := c.nextChild(n.kind == Object); !ok || !yield(p) {
			return
		}
	}
}

// Pick walks over the members of an object and makes nodes only of those that
// are wanted: want is given each decoded name and returns a number, or -1 for
// what is not wanted; take gets that number and the value and reports whether to
// continue. It is the fast way to a few members of many records.
func (n Node) Pick(want func(name []byte) int, take func(number int, value Node) bool) {
	if n.kind != Object {
		return
	}
	n.walk(hop{}, func(p childBounds) bool {
		if p.nameTo == p.nameFrom {
			return true
		}
		k := want(decodedName(n.bytes(p.nameFrom, p.nameTo)))
		return k < 0 || take(k, n.child(p.from, p.to, p.first, p.whole))
	})
}

// bytes returns bytes [from, to) of the source, which lie in n.
func (n Node) bytes(from, to int) []byte {
	if n.data != nil {
		return n.data[from-n.from : to-n.from]
	}
	return n.src.Slice(from, to)
}

func decodedName(raw []byte) []byte {
	if name := inside(raw); plain(name) {
		return name
	}
	return appendDecoded(nil, inside(raw), len(raw)*3)
}

// child makes the node of bytes [from, to) inside n.
func (n Node) child(from, to int, first byte, whole bool) Node {
	v := Node{src: n.src, from: from, to: to, cut: !whole}
	if n.data != nil {
		v.data = n.data[from-n.from : to-n.from : to-n.from]
	} else if to-from <= inlineMax && n.src != nil {
		v.data = n.src.Slice(from, to)
	}
	v.kind = kindOf(first, v.data)
	// A literal that lost its end is no literal.
	if v.kind == Invalid && to == n.to {
		v.cut = true
	}
	return v
}

// Get returns the value of the first member with a name. Where a name occurs
// twice, Members shows all of them.
func (n Node) Get(name string) (value Node, ok bool) {
	if n.kind != Object {
		return Node{}, false
	}
	n.walk(hop{}, func(p childBounds) bool {
		if ok = p.nameTo > p.nameFrom && isName(n.bytes(p.nameFrom, p.nameTo), name); ok {
			value = n.child(p.from, p.to, p.first, p.whole)
		}
		return !ok
	})
	return value, ok
}

// isName reports whether a string as received, quotes included, means the name.
func isName(raw []byte, name string) bool {
	if len(raw) < 2 || bytes.IndexByte(raw, '\\') >= 0 {
		return string(decodedName(raw)) == name
	}
	return string(raw[1:len(raw)-1]) == name
}

// At returns element i of an array.
func (n Node) At(i int) (Node, bool) {
	if i < 0 {
		return Node{}, false
	}
	for v := range n.Elems() {
		if i == 0 {
			return v, true
		}
		i--
	}
	return Node{}, false
}

// Lookup follows a path. A step with a name of digits also finds an array
// element; a step Any takes the first child.
func (n Node) Lookup(p Path) (Node, bool) {
	for _, step := range p {
		next, ok := n.step(step)
		if !ok {
			return Node{}, false
		}
		n = next
	}
	return n, true
}

func (n Node) step(s Step) (Node, bool) {
	switch {
	case s.Index == Any:
		for _, v := range n.Children() {
			return v, true
		}
		return Node{}, false
	case s.IsIndex():
		return n.At(s.Index)
	case n.kind == Array:
		if i, ok := digits(s.Name); ok {
			return n.At(i)
		}
		return Node{}, false
	}
	return n.Get(s.Name)
}

// Select yields every value that a path reaches; Any steps branch.
func (n Node) Select(p Path) iter.Seq[Node] {
	return func(yield func(Node) bool) { n.selectAll(p, yield) }
}

func (n Node) selectAll(p Path, yield func(Node) bool) bool {
	for i, s := range p {
		if s.Index == Any {
			for _, v := range n.Children() {
				if !v.selectAll(p[i+1:], yield) {
					return false
				}
			}
			return true
		}
		next, ok := n.step(s)
		if !ok {
			return true
		}
		n = next
	}
	return yield(n)
}

// Scalars iterates over all strings, numbers, booleans and nulls in a value at
// any depth, names left out, in the order received. A scalar yields itself.
func (n Node) Scalars() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		c := n.cursor()
		for {
			b, ok := c.space()
			if !ok {
				return
			}
			if bytes.IndexByte([]byte("{}[],:"), b) >= 0 {
				c.i++
				continue
			}
			from, whole := c.pos(), c.value()
			to := c.pos()
			if b == '"' {
				if next, _ := c.space(); next == ':' {
					continue
				}
			}
			if !yield(n.child(from, to, b, whole)) {
				return
			}
		}
	}
}
