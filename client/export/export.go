// Package export writes records to files, pipes and the clipboard: JSON,
// NDJSON, CSV and Markdown tables. It streams, keeps the text of numbers as
// received, and never leaves half a file under the name that was asked for.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Format is how records are written.
type Format string

// The formats.
const (
	JSON     Format = "json"     // one array, one record a line
	NDJSON   Format = "ndjson"   // one record a line
	CSV      Format = "csv"      // RFC 4180 with a header; nested fields as columns a.b
	Markdown Format = "markdown" // a table
)

// Formats lists all formats in the order they are offered.
var Formats = []Format{JSON, NDJSON, CSV, Markdown}

// ParseFormat reads the name of a format or a file's extension.
func ParseFormat(name string) (Format, error) {
	switch strings.ToLower(strings.TrimPrefix(name, ".")) {
	case "json":
		return JSON, nil
	case "ndjson", "jsonl":
		return NDJSON, nil
	case "csv":
		return CSV, nil
	case "markdown", "md":
		return Markdown, nil
	}
	return "", fmt.Errorf("format %q is not known: use json, ndjson, csv or markdown", name)
}

// Tabular tells whether the format has columns and so needs to be given some.
func (f Format) Tabular() bool { return f == CSV || f == Markdown }

// Extension is the usual ending of files of the format, with its dot.
func (f Format) Extension() string {
	if f == Markdown {
		return ".md"
	}
	return "." + string(f)
}

// Options say what is written and how.
type Options struct {
	// Columns are what CSV and Markdown show, in this order. For JSON and
	// NDJSON nil writes whole records, otherwise objects with these columns' names.
	Columns []records.Column
	// SafeFormulas puts an apostrophe before CSV texts that a spreadsheet would run: = + - @.
	SafeFormulas bool
	// After is how many records there are already: what stands before the first
	// record is left out, to go on behind them.
	After int
}

// Encoder writes records one after another. Errors of the writer stick.
type Encoder struct {
	w      *bufio.Writer
	format Format
	opts   Options
	plan   *records.Plan
	cells  []records.Cell
	buf    []byte
	n      int
	cut    int
	err    error
}

// NewEncoder starts writing in a format. CSV and Markdown need columns.
func NewEncoder(w io.Writer, f Format, o Options) (*Encoder, error) {
	if f.Tabular() && len(o.Columns) == 0 {
		return nil, fmt.Errorf("%s needs columns, and none are known: fetch records first or name columns", f)
	}
	e := &Encoder{w: bufio.NewWriterSize(w, 64<<10), format: f, opts: o}
	if o.Columns != nil {
		e.plan = records.NewPlan(o.Columns)
	}
	if o.After == 0 {
		e.head()
	}
	return e, nil
}

// Records is the number of records written, without those that were there already.
func (e *Encoder) Records() int { return e.n }

// Cut is the number of records left out because their bytes ended too early.
func (e *Encoder) Cut() int { return e.cut }

// empty tells whether there is no record yet.
func (e *Encoder) empty() bool { return e.opts.After+e.n == 0 }

func (e *Encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

// Record writes one record; names tells which names its fields carry.
func (e *Encoder) Record(n rawjson.Node, names client.Names) error {
	if n.Cut() {
		e.cut++
		return e.err
	}
	e.buf = e.buf[:0]
	switch {
	case e.format.Tabular():
		e.row(n, names)
	case e.plan != nil:
		e.object(n, names)
	default:
		e.whole(n)
	}
	switch {
	case e.format == JSON && e.empty():
		e.write([]byte("\n"))
	case e.format == JSON:
		e.write([]byte(",\n"))
	}
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
	if e.format == JSON {
		end := "\n]\n"
		if e.empty() {
			end = "]\n"
		}
		e.write([]byte(end))
	}
	return e.Flush()
}

// progressEvery is how many records are written between two looks at the context.
const progressEvery = 512

// Write streams rows (all when nil) of a set to w and returns how many records
// were written. It stops with the error of ctx; w then holds what came before.
func Write(ctx context.Context, w io.Writer, f Format, set *records.Set, rows []int32, o Options, progress records.Progress) (int, error) {
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
