// Package records turns received pages into a table: which columns there are,
// what stands in a cell, and rows filtered, sorted and summarised. It decodes
// only what is looked at. Rows are numbers; every derived order is a []int32
// of them that nobody changes, so that a view can swap one for another.
//
// It asks nobody, and imports nothing of the screen.
package records

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// Page is one answer in a Set.
type Page struct {
	// Index knows the records; it may still grow while it is the last page.
	Index *rawjson.Index
	// Names reports whether the records carry neutral or wire names.
	Names client.Names
}

// Set is the records of one or more pages in the order they came. Pages may be
// added by one goroutine while others read. The zero Set is empty and ready.
type Set struct {
	mu    sync.Mutex
	pages atomic.Pointer[[]setPage]
}

type setPage struct {
	Page
	first int // number of the page's first record in the set
	count int // records taken from it; growing while it is the last page
}

const growing = -1

// snapshot returns the pages as they are now; nobody changes the slice.
func (s *Set) snapshot() []setPage {
	if p := s.pages.Load(); p != nil {
		return *p
	}
	return nil
}

// Add appends a page and returns its number. What the page before it holds by
// then is all that the set takes from that one.
func (s *Set) Add(p Page) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.snapshot()
	pages := append(make([]setPage, 0, len(old)+1), old...)
	first := 0
	if k := len(pages) - 1; k >= 0 {
		last := &pages[k]
		last.count = last.Index.Len()
		first = last.first + last.count
	}
	pages = append(pages, setPage{Page: p, first: first, count: growing})
	s.pages.Store(&pages)
	return len(pages) - 1
}

// AddEnvelope indexes an answer where its envelope says the records lie,
// appends it and returns the number of the page.
func (s *Set) AddEnvelope(env *client.Envelope) int {
	return s.Add(Page{Index: IndexEnvelope(env), Names: env.Names})
}

// IndexEnvelope indexes the records of an answer; the index is empty when it holds none.
func IndexEnvelope(env *client.Envelope) *rawjson.Index {
	if env.Body == nil || env.Records.Empty() {
		return rawjson.IndexNodes(rawjson.Bytes(nil), rawjson.List)
	}
	if env.Kept != nil { // the answer holds others too
		nodes := make([]rawjson.Node, len(env.Kept))
		for i, k := range env.Kept {
			nodes[i] = rawjson.NodeAt(env.Body, k.From, k.To)
		}
		return rawjson.IndexNodes(env.Body, rawjson.List, nodes...)
	}
	path, err := rawjson.ParsePath(env.RecordsPath)
	if err != nil {
		path = nil
	}
	if _, branches := path.UntilAny(); branches {
		return rawjson.IndexSelected(env.Body, path)
	}
	return rawjson.IndexSpan(env.Body, env.Records.From, env.Records.To, path)
}

// Len is the number of records present.
func (s *Set) Len() int {
	pages := s.snapshot()
	if len(pages) == 0 {
		return 0
	}
	last := pages[len(pages)-1]
	return last.first + last.Index.Len()
}

// Pages is the number of pages.
func (s *Set) Pages() int { return len(s.snapshot()) }

// Page returns page p and the rows [from, to) that it holds.
func (s *Set) Page(p int) (page Page, from, to int) {
	sp := s.snapshot()[p]
	return sp.Page, sp.first, sp.first + sp.len()
}

func (p setPage) len() int {
	if p.count == growing {
		return p.Index.Len()
	}
	return p.count
}

// find returns the page that holds a row; -1 when there is no such row.
func find(pages []setPage, row int) int {
	k := len(pages) - 1
	if k >= 0 && row < pages[k].first {
		k = sort.Search(len(pages), func(k int) bool { return pages[k].first > row }) - 1
	}
	if row < 0 || k < 0 || row-pages[k].first >= pages[k].len() {
		return -1
	}
	return k
}

// PageOf returns the page of a row and the record's number in it; -1 when there is no such row.
func (s *Set) PageOf(row int) (page, record int) {
	pages := s.snapshot()
	k := find(pages, row)
	if k < 0 {
		return -1, -1
	}
	return k, row - pages[k].first
}

// Record returns the record of a row; the zero Node when there is none.
func (s *Set) Record(row int) rawjson.Node {
	node, _ := s.RecordNames(row)
	return node
}

// RecordNames returns the record of a row and which names its fields carry.
func (s *Set) RecordNames(row int) (rawjson.Node, client.Names) {
	pages := s.snapshot()
	k := find(pages, row)
	if k < 0 {
		return rawjson.Node{}, client.Neutral
	}
	return pages[k].Index.Record(row - pages[k].first), pages[k].Names
}

// Scan returns a function like RecordNames for one that passes over all rows
// by itself: a record is good until the next is asked for.
func (s *Set) Scan() func(row int) (rawjson.Node, client.Names) {
	var page *rawjson.Index
	var records *rawjson.Scanner
	return func(row int) (rawjson.Node, client.Names) {
		pages := s.snapshot()
		k := find(pages, row)
		if k < 0 {
			return rawjson.Node{}, client.Neutral
		}
		if page != pages[k].Index {
			page = pages[k].Index
			records = page.Scan()
		}
		return records.Record(row - pages[k].first), pages[k].Names
	}
}

// PathOf returns where a row's record lies in the body of its page.
func (s *Set) PathOf(row int) rawjson.Path {
	page, record := s.PageOf(row)
	if page < 0 {
		return nil
	}
	return s.snapshot()[page].Index.PathOf(record)
}

// Table is a Set seen through columns. It holds no cells: they are read from
// the records each time. Make a new one when the columns change.
type Table struct {
	Set     *Set
	Columns []Column
	plan    *Plan
}

// NewTable returns the table of a set with the given columns.
func NewTable(set *Set, columns []Column) *Table {
	return &Table{Set: set, Columns: columns, plan: NewPlan(columns)}
}

// Row returns the cells of a row in the order of the columns, in dst when it is large enough.
func (t *Table) Row(row int, dst []Cell) []Cell {
	record, names := t.Set.RecordNames(row)
	return t.plan.Cells(record, names, dst)
}

// Cell returns one cell.
func (t *Table) Cell(row, column int) Cell {
	return CellOf(t.Set, row, &t.Columns[column])
}

// CellOf returns the cell of a column in a row.
func CellOf(set *Set, row int, c *Column) Cell {
	record, names := set.RecordNames(row)
	if n := c.value(record, names); n.Exists() {
		return cellOf(n)
	}
	if record.Cut() {
		return Cell{State: Cut}
	}
	return Cell{}
}

// Marks are rows that a person chose. The zero Marks is empty and ready. A row
// keeps its mark however the table is filtered or sorted.
type Marks struct {
	bits  []uint64
	count int
}

// Has reports whether a row is marked.
func (m *Marks) Has(row int) bool {
	return row >= 0 && row/64 < len(m.bits) && m.bits[row/64]>>(row%64)&1 == 1
}

// Set marks a row, or takes its mark away.
func (m *Marks) Set(row int, on bool) {
	if row < 0 || m.Has(row) == on {
		return
	}
	if row/64 >= len(m.bits) {
		m.bits = append(m.bits, make([]uint64, row/64+1-len(m.bits))...)
	}
	m.bits[row/64] ^= 1 << (row % 64)
	if on {
		m.count++
	} else {
		m.count--
	}
}

// Clear takes all marks away.
func (m *Marks) Clear() { *m = Marks{} }

// Clone returns a copy that shares nothing.
func (m *Marks) Clone() Marks { return Marks{bits: slices.Clone(m.bits), count: m.count} }

// Len is the number of marked rows.
func (m *Marks) Len() int { return m.count }

// Rows returns the marked rows in rising order.
func (m *Marks) Rows() []int32 {
	rows := make([]int32, 0, m.count)
	for row := range len(m.bits) * 64 {
		if m.Has(row) {
			rows = append(rows, int32(row))
		}
	}
	return rows
}
