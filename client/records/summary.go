package records

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"patchbay/client/rawjson"
)

// Summary is what a column holds in the rows looked at.
type Summary struct {
	// Rows looked at; each is in exactly one of the counts below.
	Rows                              int
	Values, Empty, Nulls, Absent, Cut int
	// Kinds counts values by rawjson.Kind.
	Kinds [rawjson.Object + 1]int
	// Distinct is the number of different values as received. With More set
	// there are more than were told apart, and Common may miss some.
	Distinct int
	More     bool
	// Min and Max are the smallest and largest value in sorting order; zero Nodes when there is none.
	Min, Max rawjson.Node
	// Common are the most common values, most common first.
	Common []Count
}

// Count is a value and how often it occurs.
type Count struct {
	// Value is one of the cells that hold it.
	Value rawjson.Node
	N     int
}

const (
	// distinctMax is how many different values one worker tells apart.
	distinctMax = 200_000
	// commonMax is how many common values a summary lists.
	commonMax = 20
	// valueMax is how much of a value tells it from others.
	valueMax = 1 << 10
)

// Summarize looks at a column in rows (all rows when nil). The error is that of ctx.
func Summarize(ctx context.Context, set *Set, rows []int32, c *Column, progress Progress) (*Summary, error) {
	rows = rowsOf(set, rows)
	plan := NewPlan([]Column{*c})
	tallies := make([]tally, runtime.GOMAXPROCS(0))
	err := EachBlock(ctx, len(tallies), len(rows), progress, func(worker, from, to int) {
		t := &tallies[worker]
		for _, row := range rows[from:to] {
			record, names := set.RecordNames(int(row))
			t.cells = plan.Cells(record, names, t.cells)
			t.count(t.cells[0], row)
		}
	})
	if err != nil {
		return nil, err
	}
	all := &tallies[0]
	for i := range tallies[1:] {
		all.join(&tallies[i+1])
	}
	s := all.Summary
	s.Distinct = len(all.seen)
	if all.min.set {
		s.Min, s.Max = CellOf(set, int(all.min.row), c).Node, CellOf(set, int(all.max.row), c).Node
	}
	for _, v := range mostCommon(all.seen) {
		s.Common = append(s.Common, Count{CellOf(set, int(v.row), c).Node, v.n})
	}
	return &s, nil
}

// tally counts the cells of some rows.
type tally struct {
	Summary
	seen     map[string]*seen
	min, max extreme
	cells    []Cell
	w        keyWriter
}

type seen struct {
	n   int
	row int32 // the first row found to hold the value
}

// extreme is the smallest or largest value so far.
type extreme struct {
	value sortValue
	text  string
	row   int32
	set   bool
}

// offer replaces the extreme when the candidate lies beyond it in a direction (-1 or 1).
func (e *extreme) offer(v sortValue, text []byte, row int32, direction int) {
	if e.set {
		c := v.compareFirst(e.value)
		if c == 0 {
			c = v.compareText(string(text), e.text)
		}
		if c*direction < 0 || c == 0 && row >= e.row {
			return
		}
	}
	*e = extreme{v, string(text), row, true}
}

func (t *tally) count(c Cell, row int32) {
	t.Rows++
	switch c.State {
	case Absent:
		t.Absent++
		return
	case Cut:
		t.Cut++
		return
	case Null:
		t.Nulls++
		return
	case Empty:
		t.Empty++
	default:
		t.Values++
	}
	t.Kinds[c.Node.Kind()]++
	raw := c.Node.Raw()
	raw = raw[:min(len(raw), valueMax)]
	if s := t.seen[string(raw)]; s != nil {
		s.n++
		s.row = min(s.row, row)
	} else {
		t.add(string(raw), seen{1, row})
	}
	t.w.arena, t.w.from = t.w.arena[:0], 0
	v := t.w.write(c)
	t.min.offer(v, t.w.arena, row, -1)
	t.max.offer(v, t.w.arena, row, 1)
}

func (t *tally) add(value string, s seen) {
	if len(t.seen) >= distinctMax {
		t.More = true
		return
	}
	if t.seen == nil {
		t.seen = map[string]*seen{}
	}
	t.seen[value] = &s
}

func (t *tally) join(o *tally) {
	t.Rows += o.Rows
	t.Values += o.Values
	t.Empty += o.Empty
	t.Nulls += o.Nulls
	t.Absent += o.Absent
	t.Cut += o.Cut
	t.More = t.More || o.More
	for k, n := range o.Kinds {
		t.Kinds[k] += n
	}
	for value, s := range o.seen {
		if have := t.seen[value]; have != nil {
			have.n += s.n
			have.row = min(have.row, s.row)
		} else {
			t.add(value, *s)
		}
	}
	if o.min.set {
		t.min.offer(o.min.value, []byte(o.min.text), o.min.row, -1)
		t.max.offer(o.max.value, []byte(o.max.text), o.max.row, 1)
	}
}

// mostCommon returns the values seen most, those that came first before others seen as often.
func mostCommon(all map[string]*seen) []seen {
	order := func(a, b seen) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.row, b.row)) }
	var top []seen
	for _, s := range all {
		if len(top) == commonMax && order(*s, top[commonMax-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, *s, order)
		top = slices.Insert(top, at, *s)
		top = top[:min(len(top), commonMax)]
	}
	return top
}
