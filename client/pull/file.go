package pull

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/records"
)

// File is a file that all pages of a call are written to, and that a later run
// of the same call goes on with. Until it is whole there are PATH.part and
// PATH.part.json beside it.
type File struct {
	Path   string
	Format export.Format
	// Call tells calls apart; see CallID.
	Call string
	// Options are those of a new file; an unfinished one goes on as it began.
	Options Options
	// Known are the columns that an unfinished file may name.
	Known []records.Column
	// Columns are the names of those that a person asked for; nil where any will do.
	Columns []string
	// Max is how many records the file may have; 0 is no bound.
	Max int
}

// Unfinished is how far an earlier run of this call came, nil when there is
// nothing to go on with. The error is an export.Conflict where the unfinished
// file is in the way.
func (f *File) Unfinished() (*export.Checkpoint, error) {
	cp, err := export.Look(f.Path, f.Format, f.Call)
	if err != nil || cp == nil {
		return nil, err
	}
	return cp, f.fits(*cp)
}

// fits tells whether going on with a file leads to what was asked for.
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
func (f *File) Write(op client.Operation, fetch func(start client.Operation, p *Pages) error) (kept int, err error) {
	w := &writing{File: f}
	p := &Pages{open: w.open, save: func(next json.RawMessage) error { return w.file.Save(next) }}
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
func (w *writing) goOn(op *client.Operation, p *Pages) (err error) {
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
	o, err := w.earlier(cp)
	next := client.Operation{}
	if err == nil && json.Unmarshal(cp.Next, &next) != nil {
		err = export.ErrDamaged
	}
	if err != nil {
		return errors.Join(err, w.file.Leave())
	}
	*op, p.Have, p.Dropped, p.w = next, cp.Records, cp.Behind, w.file
	if err := w.file.Begin(o); err != nil {
		return errors.Join(err, w.file.Leave())
	}
	return nil
}

// earlier are the options of a file that was begun.
func (w *writing) earlier(cp export.Checkpoint) (export.Options, error) {
	if err := w.fits(cp); err != nil {
		return export.Options{}, err
	}
	columns, err := columnsOf(cp, w.Known)
	return cp.Options(columns), err
}

// open makes a file ready for its first record.
func (w *writing) open(first *client.Envelope) (Writer, error) {
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
