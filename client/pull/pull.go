// Package pull writes the records of all pages of a call: to a writer, or to a
// file that can be stopped at any moment and gone on with later.
package pull

import (
	"encoding/json"
	"io"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
	"patchbay/client/rawjson"
)

// NoEnd is why a file is not gone on with whose pages did not lead to an end.
const NoEnd = "the pages of the unfinished file could not be followed to their end"

// Writer takes records one after another.
type Writer interface {
	Record(n rawjson.Node, names client.Names) error
}

// Pages writes the records of pages as they come: its Page is a Fetcher's OnPage.
type Pages struct {
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

// Options say how records are written, once the first page is there.
type Options func(first *client.Envelope) (export.Options, error)

// To writes what fetch brings to w. What it began is ended in order even when a
// page in the middle fails, so that what came can be read.
func To(w io.Writer, f export.Format, options Options, fetch func(*Pages) error) error {
	var enc *export.Encoder
	p := &Pages{save: func(json.RawMessage) error { return enc.Flush() }}
	p.open = func(first *client.Envelope) (Writer, error) {
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
