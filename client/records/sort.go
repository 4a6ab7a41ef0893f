package records

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"patchbay/client/rawjson"
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
	s.texts = make([][]string, len(keys))
	for k := range keys {
		s.values[k], s.texts[k] = make([]sortValue, len(rows)), make([]string, len(rows))
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
	return EachBlock(ctx, runtime.GOMAXPROCS(0), len(s.rows), progress, func(_, from, to int) {
		var cells []Cell
		w := keyWriter{}
		for i := from; i < to; i++ {
			record, names := set.RecordNames(int(s.rows[i]))
			cells = plan.Cells(record, names, cells)
			for k := range cells {
				s.values[k][i] = w.write(cells[k])
				if len(w.arena) > w.from {
					w.marks = append(w.marks, textMark{i, k, w.from, len(w.arena)})
					w.from = len(w.arena)
				}
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
	x, y := sortValue{a.first, a.class}, sortValue{b.first, b.class}
	if c := s.compareKey(0, x, y, a.place, b.place); c != 0 {
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
	n, workers := len(s.rows), runtime.GOMAXPROCS(0)
	entries, spare := make([]entry, n), make([]entry, n)
	for i, v := range s.values[0] {
		entries[i] = entry{v.first, int32(i), v.class}
	}
	err := inParallel(ctx, workers, (n+sortRun-1)/sortRun, func(_, k int) {
		slices.SortFunc(entries[k*sortRun:min((k+1)*sortRun, n)], s.compare)
	})
	for width := sortRun; width < n && err == nil; width *= 2 {
		err = inParallel(ctx, workers, (n+2*width-1)/(2*width), func(_, k int) {
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

// class is the kind of a value as sorting sees it, in sorting order.
type class uint8

const (
	classNumber class = iota
	classTime
	classText
	classBool
	classContainer
	classNull
	classAbsent
)

const (
	// collateMax is how much of a text decides its place.
	collateMax = 512
	// exactDigits is how long a number may be for float64 to tell it from all others as short.
	exactDigits = 15
)

// sortValue is what a cell sorts by: its class, eight bytes that decide most
// comparisons, and for the rest a text that keyWriter writes.
type sortValue struct {
	first uint64
	class class
}

// compareFirst compares by class and first bytes.
func (v sortValue) compareFirst(o sortValue) int {
	if c := cmp.Compare(v.class, o.class); c != 0 {
		return c
	}
	return cmp.Compare(v.first, o.first)
}

// compareText compares two values of the same class and first bytes by their texts.
func (v sortValue) compareText(a, b string) int {
	if v.class == classNumber && (a != "" || b != "") {
		return ParseDecimal(v.digits(a)).compare(ParseDecimal(v.digits(b)))
	}
	return strings.Compare(a, b)
}

// digits returns the text of a number. Those short enough were not kept: their float tells them exactly.
func (v sortValue) digits(text string) string {
	if text != "" {
		return text
	}
	bits := v.first
	if bits>>63 == 1 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
}

// keyWriter turns cells into sort values; texts go into one arena.
type keyWriter struct {
	arena []byte
	marks []textMark // which parts of it are the texts of which rows
	from  int        // where the text of the present cell begins
	buf   []byte
}

type textMark struct{ row, key, from, to int }

func (w *keyWriter) write(c Cell) sortValue {
	switch c.State {
	case Absent, Cut:
		return sortValue{class: classAbsent}
	case Null:
		return sortValue{class: classNull}
	}
	switch c.Node.Kind() {
	case rawjson.Number:
		return w.number(c.Node.Raw())
	case rawjson.Bool:
		return sortValue{class: classBool, first: uint64(c.Node.Raw()[0])}
	case rawjson.String:
		w.buf, _ = c.Node.AppendText(w.buf[:0], collateMax)
		return w.text(w.buf)
	}
	w.buf, _ = c.Node.AppendCompact(w.buf[:0], 64)
	return w.collate(w.buf, classContainer)
}

// number gives the order of float64; where that cannot tell two numbers apart, the digits do.
func (w *keyWriter) number(raw []byte) sortValue {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || len(raw) > exactDigits || f == 0 && len(raw) > 1 {
		w.arena = append(w.arena, raw...)
	}
	if f == 0 {
		f = 0 // minus zero is zero
	}
	bits := math.Float64bits(f) // as an integer of the same order
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return sortValue{class: classNumber, first: bits}
}

func (w *keyWriter) text(text []byte) sortValue {
	if t, ok := ParseTime(text); ok {
		// Seconds decide; what is below a second is a text of nine digits.
		w.arena = append(w.arena, strconv.Itoa(1e9+t.Nanosecond())...)
		return sortValue{class: classTime, first: uint64(t.Unix()) ^ 1<<63}
	}
	return w.collate(text, classText)
}

// collate writes a text so that comparing bytes compares without case and
// digits by their number: a run of digits is '0', its length, its digits.
func (w *keyWriter) collate(text []byte, class class) sortValue {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isDigit(c):
			i += w.digits(text[i:])
		case c < utf8.RuneSelf:
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			w.arena = append(w.arena, c)
			i++
		default:
			r, n := utf8.DecodeRune(text[i:])
			w.arena = utf8.AppendRune(w.arena, unicode.ToLower(r))
			i += n
		}
	}
	var first [8]byte
	copy(first[:], w.arena[w.from:])
	return sortValue{class: class, first: binary.BigEndian.Uint64(first[:])}
}

func (w *keyWriter) digits(text []byte) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	zeros := 0
	for zeros < n-1 && text[zeros] == '0' {
		zeros++
	}
	w.arena = append(w.arena, '0', byte(min(n-zeros, 255)))
	w.arena = append(w.arena, text[zeros:n]...)
	return n
}

// Decimal is a JSON number taken apart: 0.Digits times ten to the power of Exp.
// All spellings of a number are the same Decimal.
type Decimal struct {
	Negative bool
	Digits   string // without zeros in front or behind; empty for zero
	Exp      int
}

// exponentMax bounds exponents; beyond it numbers count as equally large.
const exponentMax = 1 << 40

// ParseDecimal takes a JSON number of any length apart. The empty text counts as zero.
func ParseDecimal(s string) Decimal {
	var d Decimal
	s, d.Negative = strings.CutPrefix(s, "-")
	mantissa := s
	if k := strings.IndexAny(s, "eE"); k >= 0 {
		mantissa = s[:k]
		e, err := strconv.ParseInt(s[k+1:], 10, 64)
		if err != nil && strings.HasPrefix(s[k+1:], "-") {
			e = -exponentMax
		} else if err != nil {
			e = exponentMax
		}
		d.Exp = int(max(-exponentMax, min(e, exponentMax)))
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.Exp += len(whole)
	all := whole + fraction
	d.Digits = strings.TrimLeft(all, "0")
	d.Exp -= len(all) - len(d.Digits)
	d.Digits = strings.TrimRight(d.Digits, "0")
	if d.Digits == "" {
		return Decimal{}
	}
	return d
}

// compare compares two numbers exactly.
func (d Decimal) compare(o Decimal) int {
	switch {
	case d.Negative && !o.Negative:
		return -1
	case o.Negative && !d.Negative:
		return 1
	case d.Negative:
		d, o = o, d
	}
	if d.Digits == "" || o.Digits == "" {
		return cmp.Compare(len(d.Digits), len(o.Digits))
	}
	return cmp.Or(cmp.Compare(d.Exp, o.Exp), strings.Compare(d.Digits, o.Digits))
}
