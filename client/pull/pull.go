// Package pull writes the records of all pages of a call: to a writer, or to a
// file that can be stopped at any moment and gone on with later.
package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
	"patchbay/client/rawjson"
)

// Writer takes records one after another.
type Writer interface {
	Record(n rawjson.Node, names client.Names) error
}

// Pages writes the records of pages as they come: its Page is a Fetcher's OnPage.
type Pages struct {
	// Have is how many records were written, by earlier runs too.
	Have int
	// open makes the writer once the first page is there; save is told after each
	// page but the last what comes next.
	open func(first *client.Envelope) (Writer, error)
	save func(next json.RawMessage) error
	w    Writer
}

// Page writes the first records of a page.
func (p *Pages) Page(page pages.Page, take int) (err error) {
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
	if page.Next.State != pages.More || take < page.Rows {
		return nil
	}
	next, err := json.Marshal(page.Next.Op)
	if err != nil {
		return err
	}
	return p.save(next)
}

// Options say how records are written once the first page is there; columns are
// those of an unfinished file, nil for a new one.
type Options func(first *client.Envelope, columns []string) (export.Options, error)

// To writes what fetch brings to w. What it began is ended in order even when a
// page in the middle fails, so that what came can be read.
func To(w io.Writer, f export.Format, options Options, fetch func(*Pages) error) error {
	var enc *export.Encoder
	p := &Pages{save: func(json.RawMessage) error { return enc.Flush() }}
	p.open = func(first *client.Envelope) (Writer, error) {
		o, err := options(first, nil)
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

// Resumable tells whether a file of the format can be gone on with.
func Resumable(f export.Format) bool { return f == export.NDJSON || f == export.CSV }

// File is a file that all pages of a call are written to, and that a later run
// of the same call goes on with. Until it is whole there are PATH.part and
// PATH.part.json beside it.
type File struct {
	Path   string
	Format export.Format
	// Call tells calls apart; see CallID.
	Call    string
	Options Options
}

// Unfinished is how far an earlier run of this call came, nil when nothing of
// it is there. The error says that the unfinished file is of another call, or damaged.
func (f *File) Unfinished() (*export.Checkpoint, error) {
	cp, err := export.ReadCheckpoint(f.Path)
	if err != nil || cp == nil {
		return nil, err
	}
	if cp.Call != f.Call || cp.Format != f.Format {
		return nil, export.ErrOtherCall
	}
	if len(cp.Next) == 0 || cp.Records == 0 {
		return nil, nil
	}
	return cp, nil
}

// Write writes what fetch brings, from op or from where an earlier run
// stopped. When it fails, kept tells whether there is something to go on with.
func (f *File) Write(op client.Operation, fetch func(start client.Operation, p *Pages) error) (kept bool, err error) {
	cp, err := f.Unfinished()
	if err != nil {
		return false, err
	}
	var file *export.Resumable
	p := &Pages{save: func(next json.RawMessage) error { return file.Save(next) }}
	p.open = func(first *client.Envelope) (Writer, error) {
		var columns []string
		if cp != nil {
			columns = cp.Columns
		}
		o, err := f.Options(first, columns)
		if err == nil {
			file, err = export.Resume(f.Path, f.Format, f.Call, o)
		}
		return file, err
	}
	if cp != nil {
		op.Params, p.Have = nil, cp.Records
		if err := json.Unmarshal(cp.Next, &op); err != nil {
			return false, err
		}
		if p.w, err = p.open(nil); err != nil {
			return false, err
		}
	}
	err = fetch(op, p)
	switch {
	case file == nil:
		return false, err
	case err != nil:
		return true, errors.Join(err, file.Stop())
	}
	return false, file.Finish()
}

// CallID tells calls apart without telling what they hold.
func CallID(t client.Target, op client.Operation, format string, columns []string) string {
	text, err := json.Marshal([]any{t, op, format, columns})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
