package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/rawjson"
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
	// Exact tells capital from small letters; without it they are the same.
	Exact bool
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
	err := eachBlock(ctx, len(rows), progress, func(block, from, to int) {
		m, record := matcher{tests: tests}, set.Scan()
		for _, row := range rows[from:to] {
			if m.keeps(record(int(row))) {
				kept[block] = append(kept[block], row)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]int32, 0, len(rows)/4)
	for _, k := range kept {
		out = append(out, k...)
	}
	return out, nil
}

// Hit tells which field of a record makes it pass, the first of those that
// prefer holds or else of all; ok is false where none does by itself.
func (f *Filter) Hit(record rawjson.Node, prefer func(rawjson.Path) bool) (hit rawjson.Path, ok bool) {
	t, err := f.compile()
	if err != nil || f.Invert || f.Text == "" || f.Column != nil || f.Mode == InState {
		return nil, false
	}
	m := matcher{tests: []*test{t}}
	if m.hopeless(t, record) {
		return nil, false
	}
	for n := range record.Scalars() {
		if !m.text(t, n) {
			continue
		}
		from, _ := n.Span()
		path := rawjson.PathAt(record, from)
		if !f.looksAt(path) {
			continue
		}
		if prefer(path) {
			return path, true
		}
		if !ok {
			hit, ok = path, true
		}
	}
	return hit, ok
}

// looksAt tells whether one of the columns holds what stands at a path.
func (f *Filter) looksAt(path rawjson.Path) bool {
	return len(f.Columns) == 0 || slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Covers(path, client.Neutral) })
}

// Check tells what is wrong with a filter; nil when it can be used.
func (f *Filter) Check() error {
	_, err := f.compile()
	return err
}

// test is a filter made ready. It is shared by goroutines.
type test struct {
	Filter
	pattern *rawjson.Pattern
	runes   []rune // of a fuzzy filter, small unless Exact
	state   State  // of a filter by state
	derived bool   // values are looked at that the record does not hold itself
}

func (f *Filter) compile() (*test, error) {
	t := &test{Filter: *f, derived: slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Derive != nil })}
	switch f.Mode {
	case InState:
		return t, t.readState()
	case Fuzzy:
		for _, r := range f.Text {
			t.runes = append(t.runes, t.fold(r))
		}
		return t, nil
	}
	if f.Text == "" {
		if f.Mode == Regexp {
			return nil, errors.New("the filter is empty: type a regular expression")
		}
		return t, nil
	}
	pattern, err := rawjson.Query{Text: f.Text, Regexp: f.Mode == Regexp, Fold: !f.Exact}.Compile()
	t.pattern = pattern
	return t, err
}

func (t *test) readState() error {
	for _, s := range [...]State{Absent, Null, Empty} {
		if t.Text == s.String() && t.Column != nil {
			t.state = s
			return nil
		}
	}
	return fmt.Errorf("say %s, %s or %s", Absent, Null, Empty)
}

func (t *test) fold(r rune) rune {
	if t.Exact {
		return r
	}
	return unicode.ToLower(r)
}

// matcher applies tests to records; it belongs to one goroutine.
type matcher struct {
	tests []*test
	buf   []byte
}

func (m *matcher) keeps(record rawjson.Node, names client.Names) bool {
	for _, t := range m.tests {
		if m.passes(t, record, names) == t.Invert {
			return false
		}
	}
	return true
}

func (m *matcher) passes(t *test, record rawjson.Node, names client.Names) bool {
	if t.Mode == InState {
		return cellOf(t.Column.value(record, names)).State == t.state
	}
	if t.Column != nil {
		return m.value(t, t.Column.value(record, names))
	}
	if m.hopeless(t, record) && !t.derived {
		return false
	}
	if len(t.Columns) > 0 {
		return slices.ContainsFunc(t.Columns, func(c Column) bool { return m.value(t, c.value(record, names)) })
	}
	for n := range record.Scalars() {
		if m.text(t, n) {
			return true
		}
	}
	return false
}

// hopeless tells from the record as received that no value can match.
func (m *matcher) hopeless(t *test, record rawjson.Node) bool {
	if t.pattern == nil || t.Mode == Regexp {
		return false
	}
	raw := record.Raw()
	return !t.pattern.Match(raw) && bytes.IndexByte(raw, '\\') < 0
}

// value tests a cell: a scalar, or any scalar in an array or object.
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
	case t.Mode == Fuzzy:
		return t.fuzzy(m.buf)
	case t.Mode == Equals && t.Exact:
		return string(m.buf) == t.Text
	case t.Mode == Equals:
		return bytes.EqualFold(m.buf, []byte(t.Text))
	case t.pattern == nil:
		return true
	}
	return t.pattern.Match(m.buf)
}

// fuzzy tells whether the runes of the filter stand in text in their order.
func (t *test) fuzzy(text []byte) bool {
	rest := t.runes
	for len(rest) > 0 && len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if t.fold(r) == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
