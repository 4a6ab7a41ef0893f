// Package export writes records to files, pipes and the clipboard: JSON,
// NDJSON, CSV and Markdown tables. It streams, keeps the text of numbers as
// received, never leaves half a file under the name that was asked for, and
// continues a file that was not finished. It knows no service and no screen.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Options say what is written and how.
type Options struct {
	// Columns are what tabular formats show, in this order. For the others
	// nil writes whole records, otherwise objects with these columns' names.
	Columns []records.Column
	// SafeFormulas puts an apostrophe before CSV texts that a spreadsheet would run: = + - @.
	SafeFormulas bool
	// After is how many records there are already: what stands before the first
	// record is left out, to continue behind them.
	After int
}

// OptionsOf are those for the columns that a person sees, in a format.
func OptionsOf(f Format, columns []records.Column) Options {
	o := Options{SafeFormulas: true}
	if f.Tabular() {
		o.Columns = columns
	}
	return o
}

// names are the cells of a header.
func (o Options) names() []Cell {
	out := make([]Cell, len(o.Columns))
	for i := range o.Columns {
		out[i] = Cell{Text: []byte(o.Columns[i].Name), IsText: true}
	}
	return out
}

// Encoder writes records one after another. Errors of the writer stick.
type Encoder struct {
	w      *bufio.Writer
	format Format
	opts   Options
	plan   *records.Plan
	cells  []records.Cell
	record Record
	buf    []byte
	n      int
	err    error
}

// NewEncoder starts writing in a format. CSV and Markdown need columns.
func NewEncoder(w io.Writer, f Format, o Options) (*Encoder, error) {
	if f.Tabular() && len(o.Columns) == 0 {
		return nil, fmt.Errorf("%s needs columns, and none are known: fetch records first or name columns", f)
	}
	e := &Encoder{w: bufio.NewWriterSize(w, 64<<10), format: f, opts: o, record: Record{Options: o}}
	if o.Columns != nil {
		e.plan = records.NewPlan(o.Columns)
	}
	if o.After == 0 {
		e.write(f.Head(nil, o))
	}
	return e, nil
}

// Records is the number of records written, without those that were there already.
func (e *Encoder) Records() int { return e.n }

// empty reports whether there is no record yet.
func (e *Encoder) empty() bool { return e.opts.After+e.n == 0 }

func (e *Encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

// Record writes one record; names says which names its fields carry. One whose
// bytes ended too early is left out.
func (e *Encoder) Record(n rawjson.Node, names client.Names) error {
	if n.Cut() {
		return e.err
	}
	if e.plan != nil {
		e.cells = e.plan.Cells(n, names, e.cells)
	}
	if e.format.Tabular() {
		e.record.Cells = e.record.Cells[:0]
		for _, c := range e.cells {
			e.record.Cells = append(e.record.Cells, Cell{cellText(c), c.Node.Kind() == rawjson.String})
		}
	} else {
		e.record.JSON = oneLine(e.object(e.record.JSON[:0], n))
	}
	e.record.First = e.empty()
	e.buf = e.format.Record(e.buf[:0], &e.record)
	e.write(e.buf)
	e.n++
	return e.err
}

// Flush passes on what is buffered.
func (e *Encoder) Flush() error {
	if e.err == nil {
		e.err = e.w.Flush()
	}
	return e.err
}

// Close writes what follows the last record and flushes. It does not close the writer.
func (e *Encoder) Close() error {
	e.write(e.format.Tail(nil, e.empty()))
	return e.Flush()
}

// progressEvery is how many records are written between two looks at the context.
const progressEvery = 512

// Write streams rows (all when nil) of a set to w and returns how many records
// were written. It stops with the error of ctx; w then holds what came before.
func Write(
	ctx context.Context, w io.Writer, f Format, set *records.Set, rows []int32, o Options, progress records.Progress,
) (int, error) {
	e, err := NewEncoder(w, f, o)
	if err != nil {
		return 0, err
	}
	if rows == nil {
		rows = records.AllRows(set.Len())
	}
	for i, row := range rows {
		if i%progressEvery == 0 {
			if ctx.Err() != nil {
				_ = e.Flush()
				return e.n, ctx.Err()
			}
			if progress != nil {
				progress(i, len(rows))
			}
		}
		if err := e.Record(set.RecordNames(int(row))); err != nil {
			return e.n, err
		}
	}
	return e.n, e.Close()
}

// object appends a record for a format without columns: as received, or with the
// columns that it has.
func (e *Encoder) object(out []byte, n rawjson.Node) []byte {
	if e.plan == nil {
		out, _ = n.AppendCompact(out, 0)
		return out
	}
	out = append(out, '{')
	for i, c := range e.cells {
		if !c.Node.Exists() {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(rawjson.AppendQuoted(out, e.opts.Columns[i].Name), ':')
		out, _ = c.Node.AppendCompact(out, 0)
	}
	return append(out, '}')
}

// oneLine escapes control characters: none stands outside strings any more, and inside they are not allowed.
func oneLine(b []byte) []byte {
	control := func(c byte) bool { return c < 0x20 || c == 0x7f }
	if !slices.ContainsFunc(b, control) {
		return b
	}
	var out []byte
	for _, c := range b {
		if control(c) {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, c)
		}
	}
	return out
}

// cellText is a cell in full: strings decoded, numbers as received, containers
// as compact JSON, nothing for null and absent.
func cellText(c records.Cell) []byte {
	switch c.Node.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array, rawjson.Object:
		text, _ := c.Node.AppendCompact(nil, 0)
		return text
	}
	return []byte(c.Node.Text())
}

// unsafe reports whether a terminal or a reader might act on a rune instead of
// showing it: control characters and marks that turn the writing direction.
func unsafe(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f ||
		r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
