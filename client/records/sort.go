package records

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
)

// SortKey is one column to sort by.
type SortKey struct {
	Column *Column
	Desc   bool
}

// Sorted returns rows (all rows when nil) in the order of the keys: numbers
// before times before texts before truth values before arrays and objects,
// each by value; null, then absent come last in either direction. Texts are
// compared without regard to case, digits in them by their number. Rows that
// are equal in all keys keep their order. The error is that of ctx.
func Sorted(ctx context.Context, set *Set, rows []int32, keys []SortKey, progress Progress) ([]int32, error) {
	rows = rowsOf(set, rows)
	if len(keys) == 0 {
		return slices.Clone(rows), ctx.Err()
	}
	s := sorter{rows: rows, keys: keys, values: make([][]sortValue, len(keys))}
	for k := range keys {
		s.values[k] = make([]sortValue, len(rows))
	}
	s.texts = make([][]string, len(keys))
	for k := range keys {
		s.texts[k] = make([]string, len(rows))
	}
	if err := s.read(ctx, set, progress); err != nil {
		return nil, err
	}
	order, err := s.sort(ctx)
	if err != nil {
		return nil, err
	}
	for i, p := range order {
		order[i] = rows[p]
	}
	return order, nil
}

// entry is a row that is being sorted: its first value beside its place in rows, in 16 bytes.
type entry struct {
	first uint64
	place int32
	class class
}

func (e entry) value() sortValue { return sortValue{e.first, e.class} }

type sorter struct {
	rows   []int32
	keys   []SortKey
	values [][]sortValue
	texts  [][]string
}

// read fills values and texts from the records, in one pass over each.
func (s *sorter) read(ctx context.Context, set *Set, progress Progress) error {
	columns := make([]Column, len(s.keys))
	for k := range s.keys {
		columns[k] = *s.keys[k].Column
	}
	plan := NewPlan(columns)
	return eachBlock(ctx, len(s.rows), progress, func(_, from, to int) {
		var cells []Cell
		w := keyWriter{}
		for i := from; i < to; i++ {
			record, names := set.RecordNames(int(s.rows[i]))
			cells = plan.Cells(record, names, cells)
			for k := range cells {
				s.values[k][i] = w.write(cells[k])
				w.mark(i, k)
			}
		}
		// One string for the texts of a block: a row's text is a part of it.
		all := string(w.arena)
		for _, m := range w.marks {
			s.texts[m.key][m.row] = all[m.from:m.to]
		}
	})
}

func (s *sorter) compare(a, b entry) int {
	if c := s.compareKey(0, a.value(), b.value(), a.place, b.place); c != 0 {
		return c
	}
	for k := 1; k < len(s.keys); k++ {
		v := s.values[k]
		if c := s.compareKey(k, v[a.place], v[b.place], a.place, b.place); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.place, b.place)
}

func (s *sorter) compareKey(k int, a, b sortValue, i, j int32) int {
	if a.class >= classNull || b.class >= classNull {
		return cmp.Compare(a.class, b.class)
	}
	c := a.compareFirst(b)
	if c == 0 {
		c = a.compareText(s.texts[k][i], s.texts[k][j])
	}
	if s.keys[k].Desc {
		return -c
	}
	return c
}

// sortRun is how many rows are sorted in one go. Between runs and merges the
// sorter looks at ctx and lets other goroutines run.
const sortRun = 4096

// sort orders the places of rows: short runs first, then merges, on all cores.
func (s *sorter) sort(ctx context.Context) ([]int32, error) {
	n := len(s.rows)
	entries, spare := make([]entry, n), make([]entry, n)
	for i, v := range s.values[0] {
		entries[i] = entry{v.first, int32(i), v.class}
	}
	err := s.inParallel(ctx, (n+sortRun-1)/sortRun, func(k int) {
		slices.SortFunc(entries[k*sortRun:min((k+1)*sortRun, n)], s.compare)
	})
	for width := sortRun; width < n && err == nil; width *= 2 {
		err = s.inParallel(ctx, (n+2*width-1)/(2*width), func(k int) {
			from := k * 2 * width
			mid, to := min(from+width, n), min(from+2*width, n)
			s.merge(spare[from:to], entries[from:mid], entries[mid:to])
		})
		entries, spare = spare, entries
	}
	if err != nil {
		return nil, err
	}
	order := make([]int32, n)
	for i, e := range entries {
		order[i] = e.place
	}
	return order, nil
}

func (s *sorter) inParallel(ctx context.Context, jobs int, do func(k int)) error {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), jobs)
	for w := range workers {
		wg.Go(func() {
			for k := w; k < jobs && ctx.Err() == nil; k += workers {
				do(k)
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// merge joins two ordered runs.
func (s *sorter) merge(out, a, b []entry) {
	if len(a) > 0 && len(b) > 0 && s.compare(a[len(a)-1], b[0]) <= 0 {
		copy(out[copy(out, a):], b)
		return
	}
	for i := range out {
		if len(b) == 0 || len(a) > 0 && s.compare(a[0], b[0]) <= 0 {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
		if i%sortRun == sortRun-1 {
			runtime.Gosched()
		}
	}
}
