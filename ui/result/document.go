package result

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Document is a file or a stream that is explored instead of an answer, also
// while it is still being read.
type Document struct {
	Reading
	Source rawjson.Source
	Index  *rawjson.Index

	// ended is set once it has been read to its end, flaw once it has been looked
	// whether all of it is JSON.
	ended atomic.Pointer[ending]
	// soFar are the columns of what was there when they were last looked for.
	soFar atomic.Pointer[[]records.Column]
	flaw  atomic.Pointer[string]
	// bad is how many values were found to be no JSON, of the first checked ones.
	bad, checked atomic.Int64
	whole        chan struct{}
}

// Reading says what is read.
type Reading struct {
	// Name is shown.
	Name string
	// Size is the number of bytes in all; -1 for a stream.
	Size int64
	// Own is the size of the file itself where Size is not known of what is shown; 0 for none.
	Own int64
	// Table is set where the records are the rows of a table of text.
	Table bool
	// Remark says once all is read what a person should know of it; it may be nil.
	Remark func() *string
	// Note says how the bytes were made what is shown; empty where they are shown as they are.
	Note string
	// As says which records these are: kind, entity and action of the catalog;
	// its zero value where nobody said.
	As Question
}

// ending is what is known once a document has been read.
type ending struct {
	json     bool
	columns  []records.Column
	outlines outlines
}

// OpenDocument begins to read src beside the caller, until ctx ends.
func OpenDocument(ctx context.Context, src rawjson.Source, r Reading) *Document {
	r.Name, r.Note = text.Sanitize(r.Name), text.Sanitize(r.Note)
	var o rawjson.IndexOptions
	if a := r.As.Action; a != nil && a.Binding != nil && a.Binding.Records != "" {
		if path, err := rawjson.ParsePath(a.Binding.Records); err == nil {
			o.Paths = append(o.Paths, path)
		}
	}
	d := &Document{Reading: r, Source: src, Index: rawjson.NewIndex(src, o), whole: make(chan struct{})}
	go func() {
		defer close(d.whole)
		_ = d.Index.Run(ctx) // Err of the index keeps how it ended
		d.end(ctx)
	}()
	go d.watch(ctx)
	return d
}

// watchPause is how often columns are looked for anew at most.
const watchPause = 250 * time.Millisecond

// watch looks for columns anew whenever there are twice as many records: those of
// a slow stream show by and by what they hold.
func (d *Document) watch(ctx context.Context) {
	for have := 1; ; {
		select {
		case <-time.After(watchPause):
		case <-d.whole:
			return
		}
		n := d.waitFor(ctx, have+1)
		if d.Index.Done() || ctx.Err() != nil {
			return
		}
		p := d.Page()
		d.soFar.Store(&p.columns)
		have = 2 * n
	}
}

// end finds out what a document that has been read holds in all.
func (d *Document) end(ctx context.Context) {
	e := &ending{json: !noJSON(d.Index)}
	if e.json {
		p := d.Page()
		p.complete = true
		e.columns, e.outlines = p.columns, p.outline()
	}
	d.ended.Store(e)
	flaw := d.lookForFlaws(ctx, e.json)
	d.flaw.Store(&flaw)
}

// WaitWhole returns when all is known of the document, or ctx ends.
func (d *Document) WaitWhole(ctx context.Context) {
	select {
	case <-d.whole:
	case <-ctx.Done():
	}
}

// firstRecords is how many records are waited for before the first screen.
const firstRecords = 200

// firstPause is how long they are waited for once there is one.
const firstPause = 100 * time.Millisecond

// Wait returns when there is something to show: the first records, or the end.
func (d *Document) Wait(ctx context.Context) {
	have := d.waitFor(ctx, 1)
	ctx, cancel := context.WithTimeout(ctx, firstPause)
	defer cancel()
	if have < firstRecords {
		d.waitFor(ctx, firstRecords)
	}
}

// waitFor returns when there are n records, or the document or ctx ended.
func (d *Document) waitFor(ctx context.Context, n int) (have int) {
	for have < n {
		more, done, err := d.Index.Wait(ctx, have)
		if have = max(more, have); done || err != nil {
			break
		}
	}
	return have
}

// Page makes a page of what is there; Grow goes on with it.
func (d *Document) Page() *Page {
	p := &Page{Question: d.As, Document: d, Env: &client.Envelope{Body: d.Source, Names: client.Neutral}, Index: d.Index}
	p.Env.Names = namesIn(d.As, d.Index)
	p.settle()
	p.tabulate()
	return p
}

// settle takes over what the index knows by now.
func (p *Page) settle() {
	x := p.Index
	p.Env.Single = x.Shape() == rawjson.Single
	p.Env.RecordsPath = x.Path().String()
	if from, to := x.Bounds(); x.Done() && to > from {
		p.Env.Records = client.Span{From: from, To: to}
	}
}

// Growing tells whether more of the page may come.
func (p *Page) Growing() bool { return p != nil && p.Document != nil && !p.complete }

// read tells how much of a document has been looked at.
func (d *Document) read() string {
	scanned := d.Index.Scanned()
	if d.Size > 0 {
		return fmt.Sprintf("reading %d%%", int64(scanned)*100/d.Size)
	}
	return "reading, " + sizeText(scanned) + " so far"
}

// Growing tells whether a document is still being read or looked at.
func (p *Pane) Growing() bool {
	switch {
	case p.doc == nil:
		return p.awaited != nil && len(p.pages) == 0
	case p.doc.Growing(), !p.doc.judged:
		return true
	}
	return p.tableView().behind(p)
}

// Await says which document will be shown as soon as there is something to show.
func (p *Pane) Await(d *Document) { p.awaited = d }

// Grow takes in what a document has grown by, and what is known once it has
// been read to its end.
func (p *Pane) Grow() intent.Intent {
	page := p.doc
	switch {
	case page == nil:
		return nil
	case page.judged:
		return p.tableView().catchUp(p)
	case page.complete:
		return intent.All{page.judge(false), p.tableView().catchUp(p)}
	}
	e := page.Document.ended.Load() // before the rest is looked at, so that nothing is missed
	page.settle()
	if e == nil {
		p.widen(page)
		return p.tableView().catchUp(p)
	}
	page.complete, page.outlines = true, e.outlines
	if !e.json {
		page.Index = nil // only the bytes can be shown
		page.set = &records.Set{}
	}
	told := page.judge(true)
	return intent.All{told, p.finish(page, e.columns), p.byLines(page)}
}

// widen takes over columns that were found while the document grew.
func (p *Pane) widen(page *Page) {
	c := page.Document.soFar.Load()
	if c == nil || page.taken != nil || sameColumns(*c, page.columns) {
		return
	}
	page.columns = *c
	if p.page() == page {
		p.tableView().grown(p)
	}
}

// sameColumns tells whether the same columns are shown of both at first.
func sameColumns(a, b []records.Column) bool {
	return slices.EqualFunc(a, b, func(a, b records.Column) bool { return a.Name == b.Name && a.Useful() == b.Useful() })
}

// byLines shows a document that is a text and no JSON line by line.
func (p *Pane) byLines(page *Page) intent.Intent {
	v, raw := p.current().(*rawView)
	if !raw || p.page() != page || page.Index != nil || v.starts != nil || bytes.IndexByte(head(page.Document.Source), 0) >= 0 {
		return nil
	}
	return p.ToggleLines()
}

// judge says once what is wrong with a document; early is set where the look
// at all of it may still go on.
func (page *Page) judge(early bool) intent.Intent {
	before := page.told
	if page.Document.flaw.Load() != nil {
		page.judged = true
	} else if !early {
		return nil
	}
	page.told = page.Broken()
	if page.told == before || page.told == "" {
		return nil
	}
	t := "The document is " + page.told
	if page.Index != nil && page.Index.Len() > 0 {
		t += ". All else is shown"
	}
	return intent.Say{Text: t, Bad: true}
}

// finish shows a document that is whole now with the columns found in all of it.
func (p *Pane) finish(page *Page, columns []records.Column) intent.Intent {
	if page.taken == nil {
		page.columns = columns
	}
	if p.page() != page {
		return nil
	}
	if !p.current().fits(p) {
		p.show("")
		return nil
	}
	for _, v := range p.views {
		if g, ok := v.(grower); ok {
			g.grown(p)
		}
	}
	if v := p.tableView(); !v.behind(p) && !v.arranging {
		return intent.All{v.again(p), p.Examine()}
	}
	return intent.All{p.tableView().catchUp(p), p.Examine()}
}

// grower is a view that keeps something of a page that may still grow; it is
// told when the page is whole.
type grower interface{ grown(*Pane) }

// Records says how many records the document holds, where one follows the other.
func (d *Document) Records() string {
	n := d.Index.Len()
	if d.Table {
		return rowsText(n)
	}
	return linesText(d.Index)
}

// linesText counts the values of NDJSON in the word for how they are laid out.
func linesText(x *rawjson.Index) string {
	word := linesWord(x)
	if n := x.Len(); n != 1 {
		return groupDigits(n) + " " + word + "s of JSON"
	}
	return "1 " + word + " of JSON"
}

// linesWord is line where each value has one, value where they take several.
func linesWord(x *rawjson.Index) string {
	for i := range min(x.Len(), 8) {
		if bytes.IndexByte(x.Record(i).AppendRaw(nil, 64<<10), '\n') >= 0 {
			return "value"
		}
	}
	return "line"
}

// cut tells whether the document ends too early.
func (d *Document) cut() bool {
	var bad *rawjson.SyntaxError
	return errors.As(d.Index.Err(), &bad) && bad.Cut
}

// documentFacts is the truth line of a document.
func (p *Page) documentFacts() string {
	d := p.Document
	size := sizeText(p.Size())
	if d.Own > 0 {
		size = text.Size(d.Own)
	}
	f := d.Name + " · " + rowsText(p.Len()) + " · " + size
	switch {
	case !p.Growing() && p.Index == nil && !blank(d.Source):
		return d.Name + " · no JSON · " + size
	case !p.Growing() && blank(d.Source):
		return d.Name + " · empty file · " + size
	case sourceErr(d.Source) != nil:
		return f + " · changed since it was opened"
	case p.Growing():
		return f + " · " + d.read()
	case p.Broken() != "" && d.Index.Shape() == rawjson.Lines && !d.Index.CutRecord():
		return f + " · with bad " + linesWord(d.Index) + "s"
	case p.Broken() != "" && d.cut():
		return f + " · cut off, as far as it goes"
	case p.Broken() != "":
		return f + " · broken, as far as it goes"
	}
	if p.queried && p.Len() > 0 && p.Record(0).Kind() == rawjson.Object {
		f += " · keys sorted"
	}
	return f
}
