package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/rawjson"

	"patchbay/client/crew"
)

// Mode says how a filter's text is compared.
type Mode uint8

// The modes of a filter.
const (
	Contains Mode = iota // the text stands somewhere in the value
	Regexp               // the text is a regular expression that matches
	Fuzzy                // the letters of the text stand in the value in this order
	Equals               // the value is the text
	InState              // the cell of Column is absent, null or empty, as the text says
)

// Filter keeps rows by what their values say. Names of fields never count.
type Filter struct {
	Text string
	Mode Mode
	// Invert keeps the rows that do not match.
	Invert bool
	// Column is the one that is looked at; nil for every value in the record, at any depth.
	Column *Column
	// Columns, where there are any, are the only ones looked at.
	Columns []Column
}

// cellMax is how much of one value a filter or sort looks at.
const cellMax = 64 << 10

// Filtered returns those of rows (all rows when nil) that pass every filter, in
// their order. Errors are those of ctx and of a regular expression.
func Filtered(ctx context.Context, set *Set, rows []int32, filters []Filter, progress Progress) ([]int32, error) {
	tests := make([]*test, len(filters))
	for i := range filters {
		var err error
		if tests[i], err = filters[i].compile(); err != nil {
			return nil, err
		}
	}
	rows = rowsOf(set, rows)
	kept := make([][]int32, (len(rows)+blockRows-1)/blockRows)
	err := EachBlock(ctx, runtime.GOMAXPROCS(0), len(rows), progress, func(_, from, to int) {
		m, record := matcher{}, set.Scan()
		for _, row := range rows[from:to] {
			r, names := record(int(row))
			fails := func(t *test) bool { return m.passes(t, r, names) == t.Invert }
			if block := &kept[from/blockRows]; !slices.ContainsFunc(tests, fails) {
				*block = append(*block, row)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]int32, 0, len(rows)/4) // nil would be all rows
	for _, k := range kept {
		out = append(out, k...)
	}
	return out, nil
}

// Hit says which field of a record makes it pass, the first of those that
// prefer holds or else of all; ok is false where none does by itself.
func (f *Filter) Hit(record rawjson.Node, prefer func(rawjson.Path) bool) (hit rawjson.Path, ok bool) {
	t, err := f.compile()
	if err != nil || f.Invert || f.Text == "" || f.Column != nil || f.Mode == InState {
		return nil, false
	}
	if t.hopeless(record) {
		return nil, false
	}
	var m matcher
	for n := range record.Scalars() {
		if !m.text(t, n) {
			continue
		}
		from, _ := n.Span()
		path := rawjson.PathAt(record, from)
		covers := func(c Column) bool { return c.Covers(path, client.Neutral) }
		switch {
		case len(f.Columns) > 0 && !slices.ContainsFunc(f.Columns, covers):
		case prefer(path):
			return path, true
		case !ok:
			hit, ok = path, true
		}
	}
	return hit, ok
}

// beforeHit is how many characters of a text an excerpt shows before the match in it.
const beforeHit = 12

// excerptBytes is how much of a text an excerpt holds behind its beginning.
const excerptBytes = 512

// Excerpt is a text around what makes it pass, from its beginning where that is near.
func (f *Filter) Excerpt(n rawjson.Node) string {
	b, more := n.AppendText(nil, cellMax)
	from := 0
	if t, err := f.compile(); err == nil && t.pattern != nil {
		m, _ := t.pattern.Find(b)
		for from = m.From; from > 0 && utf8.RuneCount(b[from:m.From]) < beforeHit; {
			_, size := utf8.DecodeLastRune(b[:from])
			from -= size
		}
	}
	to := len(b)
	if to-from > excerptBytes {
		for to = from + excerptBytes; !utf8.RuneStart(b[to]); to-- {
		}
		more = true
	}
	out := string(b[from:to])
	if from > 0 {
		out = "…" + out
	}
	if more {
		out += "…"
	}
	return out
}

// Check says what is wrong with a filter; nil when it can be used.
func (f *Filter) Check() error {
	_, err := f.compile()
	return err
}

// test is a filter made ready. It is shared by goroutines.
type test struct {
	Filter
	pattern *rawjson.Pattern
	runes   []rune // of a fuzzy filter, small
	state   State  // of a filter by state
	derived bool   // values are looked at that the record does not hold itself
}

func (f *Filter) compile() (*test, error) {
	t := &test{Filter: *f, derived: slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Derive != nil })}
	switch f.Mode {
	case InState:
		for _, s := range [...]State{Absent, Null, Empty} {
			if t.Text == s.String() && t.Column != nil {
				t.state = s
				return t, nil
			}
		}
		return t, fmt.Errorf("say %s, %s or %s", Absent, Null, Empty)
	case Fuzzy:
		for _, r := range f.Text {
			t.runes = append(t.runes, unicode.ToLower(r))
		}
		return t, nil
	}
	if f.Text == "" {
		if f.Mode == Regexp {
			return nil, errors.New("the filter is empty: type a regular expression")
		}
		return t, nil
	}
	pattern, err := rawjson.Query{Text: f.Text, Regexp: f.Mode == Regexp, Fold: true}.Compile()
	t.pattern = pattern
	return t, err
}

// matcher applies tests to records; it belongs to one goroutine.
type matcher struct{ buf []byte }

func (m *matcher) passes(t *test, record rawjson.Node, names client.Names) bool {
	if t.Mode == InState {
		return cellOf(t.Column.value(record, names)).State == t.state
	}
	if t.Column != nil {
		return m.value(t, t.Column.value(record, names))
	}
	if t.hopeless(record) && !t.derived {
		return false
	}
	if len(t.Columns) > 0 {
		return slices.ContainsFunc(t.Columns, func(c Column) bool { return m.value(t, c.value(record, names)) })
	}
	return m.value(t, record)
}

// hopeless tells from the record as received that no value can match.
func (t *test) hopeless(record rawjson.Node) bool {
	if t.pattern == nil || t.Mode == Regexp {
		return false
	}
	raw := record.Raw()
	return !t.pattern.Match(raw) && bytes.IndexByte(raw, '\\') < 0
}

// value tests a cell or a record: a scalar, or any scalar in an array or object.
func (m *matcher) value(t *test, n rawjson.Node) bool {
	for v := range n.Scalars() {
		if m.text(t, v) {
			return true
		}
	}
	return false
}

func (m *matcher) text(t *test, n rawjson.Node) bool {
	m.buf, _ = n.AppendText(m.buf[:0], cellMax)
	switch {
	case t.Mode == Fuzzy: // the runes stand in the text in their order
		rest := t.runes
		for text := m.buf; len(rest) > 0 && len(text) > 0; {
			r, n := utf8.DecodeRune(text)
			text = text[n:]
			if unicode.ToLower(r) == rest[0] {
				rest = rest[1:]
			}
		}
		return len(rest) == 0
	case t.Mode == Equals:
		return bytes.EqualFold(m.buf, []byte(t.Text))
	case t.pattern == nil:
		return true
	}
	return t.pattern.Match(m.buf)
}

// Progress is told how far long work has come, from any goroutine. It may be nil.
type Progress func(done, total int)

// blockRows is how many rows a worker takes at once. Between blocks it lets
// other goroutines run, so that the screen stays alive while all cores work.
const blockRows = 1024

// AllRows returns the rows 0 to n-1.
func AllRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// rowsOf returns rows, or all rows of the set when it is nil.
func rowsOf(set *Set, rows []int32) []int32 {
	if rows == nil {
		return AllRows(set.Len())
	}
	return rows
}

// EachBlock calls work for all blocks of n items on some goroutines. worker is less
// than workers and never the same at the same time; blocks come in no order. It stops
// with the error of ctx.
func EachBlock(
	ctx context.Context, workers, n int, progress Progress, work func(worker, from, to int),
) error {
	var done atomic.Int64
	return inParallel(ctx, workers, (n+blockRows-1)/blockRows, func(worker, k int) {
		from, to := k*blockRows, min((k+1)*blockRows, n)
		work(worker, from, to)
		if now := int(done.Add(int64(to - from))); progress != nil {
			progress(now, n)
		}
	})
}

// inParallel does the jobs 0 to n-1 on some goroutines, and lets others run in between.
func inParallel(ctx context.Context, workers, n int, do func(worker, k int)) error {
	var next atomic.Int64
	var wg crew.Crew
	for w := range min(workers, n) {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < n && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				do(w, k)
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
