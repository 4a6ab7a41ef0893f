package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// File is a file that all pages of a call are written to, and that a later run
// of the same call continues. Until it is whole there are PATH.part and
// PATH.part.json beside it.
type File struct {
	Path   string
	Format export.Format
	// Call tells calls apart; see CallID.
	Call string
	// Options are those of a new file; an unfinished one continues as it began.
	Options OptionsOf
	// Known are the columns that an unfinished file may name.
	Known []records.Column
	// Columns are the names of those that a person asked for; nil where any will do.
	Columns []string
	// Max is how many records the file may have; 0 is no bound.
	Max int
}

// Unfinished is how far an earlier run of this call came, nil when there is
// nothing to continue. The error is an export.Conflict where the unfinished
// file is in the way.
func (f *File) Unfinished() (*export.Checkpoint, error) {
	cp, err := export.Look(f.Path, f.Format, f.Call)
	if err != nil || cp == nil {
		return nil, err
	}
	return cp, f.fits(*cp)
}

// fits reports whether continuing a file leads to what was asked for.
func (f *File) fits(cp export.Checkpoint) error {
	switch {
	case cp.Records == 0:
		return nil
	case f.Columns != nil && !slices.Equal(f.Columns, cp.Columns):
		return &export.Conflict{Why: "the unfinished file has other columns"}
	case f.Max > 0 && cp.Records > f.Max:
		return &export.Conflict{Why: fmt.Sprintf("the unfinished file holds %d records already", cp.Records)}
	}
	return nil
}

// Write writes what fetch brings, from op or from where an earlier run
// stopped. When it fails, kept is how many records the unfinished file holds.
func (f *File) Write(op client.Operation, fetch func(start client.Operation, p *PageWriter) error) (kept int,
	err error) {
	w := &writing{File: f}
	p := &PageWriter{open: w.open, save: func(next json.RawMessage) error { return w.file.Save(next) }}
	if err := w.goOn(&op, p); err != nil {
		return 0, err
	}
	err = fetch(op, p)
	if w.file == nil {
		return 0, err
	}
	if err == nil {
		if err = w.file.Finish(); err == nil {
			return 0, nil
		}
		return w.file.Kept(), err
	}
	if p.Blocked != "" {
		err = errors.Join(err, w.file.Block(p.Blocked))
	}
	err = errors.Join(err, w.file.Stop())
	return w.file.Kept(), err
}

// writing is one run of a File.
type writing struct {
	*File
	file *export.Resumable
}

// goOn takes up what an earlier run left, if it left anything.
func (w *writing) goOn(op *client.Operation, p *PageWriter) (err error) {
	if !export.Begun(w.Path) {
		return nil
	}
	if w.file, err = export.Resume(w.Path, w.Format, w.Call); err != nil {
		return err
	}
	cp := w.file.Start()
	if cp.Records == 0 {
		return nil
	}
	err = w.fits(cp)
	var columns []records.Column
	if err == nil {
		columns, err = columnsOf(cp, w.Known)
	}
	next := client.Operation{}
	if err == nil && json.Unmarshal(cp.Next, &next) != nil {
		err = export.ErrDamaged
	}
	if err == nil {
		*op, p.Have, p.Dropped, p.w = next, cp.Records, cp.Behind, w.file
		err = w.file.Begin(cp.Options(columns))
	}
	if err != nil {
		return errors.Join(err, w.file.Leave())
	}
	return nil
}

// open makes a file ready for its first record.
func (w *writing) open(first *client.Envelope) (recordWriter, error) {
	o, err := w.Options(first)
	if err != nil {
		return nil, err
	}
	if w.file == nil {
		if w.file, err = export.Resume(w.Path, w.Format, w.Call); err != nil {
			return nil, err
		}
	}
	return w.file, w.file.Begin(o)
}

// NoEnd is why a file is not continued whose pages did not lead to an end.
const NoEnd = "the pages of the unfinished file could not be followed to their end"

// recordWriter takes records one after another.
type recordWriter interface {
	Record(n rawjson.Node, names client.Names) error
}

// PageWriter writes the records of pages as they come: its Page is a Fetcher's OnPage.
type PageWriter struct {
	// Have is how many records were written, by earlier runs too.
	Have int
	// Dropped is how many bytes an earlier run left behind those records, a page
	// that was not whole mostly. They are gone.
	Dropped int64
	// Blocked is set to the reason where the pages turn out not to lead to an end,
	// so that no later run adds more of them.
	Blocked string
	// open makes the writer once the first page is there; save is told after each
	// page but the last what comes next.
	open func(first *client.Envelope) (recordWriter, error)
	save func(next json.RawMessage) error
	w    recordWriter
}

// Page writes the first records of a page.
func (p *PageWriter) Page(page Entry, take int) (err error) {
	if p.w == nil {
		if p.w, err = p.open(page.Env); err != nil {
			return err
		}
	}
	for i := range take {
		if err := p.w.Record(page.Index.Record(i), page.Env.Names); err != nil {
			return err
		}
	}
	p.Have += take
	if page.Next.State != More || take < page.Rows {
		return nil
	}
	next, err := json.Marshal(page.Next.Op)
	if err != nil {
		return err
	}
	return p.save(next)
}

// OptionsOf says how records are written, once the first page is there.
type OptionsOf func(first *client.Envelope) (export.Options, error)

// WriteTo writes what fetch brings to w. What it began is ended in order even when a
// page in the middle fails, so that what came can be read.
func WriteTo(w io.Writer, f export.Format, options OptionsOf, fetch func(*PageWriter) error) error {
	var enc *export.Encoder
	p := &PageWriter{save: func(json.RawMessage) error { return enc.Flush() }}
	p.open = func(first *client.Envelope) (recordWriter, error) {
		o, err := options(first)
		if err == nil {
			enc, err = export.NewEncoder(w, f, o)
		}
		return enc, err
	}
	err := fetch(p)
	if enc != nil {
		if closed := enc.Close(); err == nil {
			err = closed
		}
	}
	return err
}

// CallID tells calls apart without telling what they hold. A hosted connector
// is the same under every profile that reaches it at the same service; a local
// one has the credentials of its profile.
func CallID(service string, t client.Target, op client.Operation) string {
	where := []string{"hosted", service, t.ConnectorID}
	switch {
	case t.Local:
		where = []string{"local", t.Profile, t.Kind, strings.ToLower(t.Name), t.BaseURL}
	case t.ConnectorID == "":
		where = append(where, t.Workspace, t.Name)
	}
	// Params count without the order of their keys and the space between them, numbers
	// as they are written. Those that are no object stay as they are.
	d := json.NewDecoder(bytes.NewReader(op.Params))
	d.UseNumber()
	object := map[string]any{}
	var params any = object
	if err := d.Decode(&object); err != nil && len(bytes.TrimSpace(op.Params)) > 0 {
		params = string(op.Params)
	}
	fields := func(names []string) []string { return append([]string{}, names...) } // nil and empty are the same
	parts := []any{where, op.Entity, op.Action, params, fields(op.SelectFields), fields(op.ExcludeFields), op.NextURL}
	if op.Truncate {
		parts = append(parts, "truncate")
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// columnsOf are the columns that a checkpoint names; nil where records are whole.
func columnsOf(cp export.Checkpoint, known []records.Column) ([]records.Column, error) {
	var out []records.Column
	for _, name := range cp.Columns {
		c, err := records.Named(name, known)
		if program := cp.Programs[name]; program != "" {
			computed := NewComputed(records.Computed{Name: name, Program: program})
			computed.limit = writtenTime
			if c, err = computed.Column(), nil; computed.bad != "" {
				err = errors.New(computed.bad)
			}
		}
		if err != nil {
			return nil, &export.Conflict{Why: fmt.Sprintf("column %q of the unfinished file cannot be made: %v", name,
				err)}
		}
		c.Name = name
		out = append(out, c)
	}
	return out, nil
}
