package result

import (
	"context"
	"errors"
	"fmt"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Document is a file or a stream that is explored instead of an answer, also
// while it is still being read.
type Document struct {
	// Name is shown; safe to draw.
	Name string
	// Size is the number of bytes in all; -1 while a stream has not ended.
	Size   int64
	Source rawjson.Source
	Index  *rawjson.Index
}

// OpenDocument begins to read src beside the caller, until ctx ends.
func OpenDocument(ctx context.Context, name string, src rawjson.Source, size int64) *Document {
	d := &Document{Name: text.Sanitize(name), Size: size, Source: src, Index: rawjson.NewIndex(src, rawjson.IndexOptions{})}
	go func() { _ = d.Index.Run(ctx) }() // Err of the index keeps how it ended
	return d
}

// firstRecords is how many records are waited for before the first screen.
const firstRecords = 200

// Wait returns when there is something to show: the first records, or the end.
func (d *Document) Wait(ctx context.Context) {
	for have := 0; have < firstRecords; {
		n, done, err := d.Index.Wait(ctx, have)
		if done || err != nil {
			return
		}
		have = max(n, have)
	}
}

// Page makes a page of what is there; Grow goes on with it.
func (d *Document) Page() *Page {
	p := &Page{Document: d, Env: &client.Envelope{Body: d.Source, Names: client.Neutral}, Index: d.Index}
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

// Broken says where a document stops being JSON; empty when it is sound.
func (p *Page) Broken() string {
	if p.Document == nil || !p.complete {
		return ""
	}
	err := p.Document.Index.Err()
	var bad *rawjson.SyntaxError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &bad) && bad.Cut:
		return fmt.Sprintf("cut off at line %s: %s expected, the end found", groupDigits(bad.Line), bad.Expected)
	case errors.As(err, &bad):
		return fmt.Sprintf("broken at line %s, column %s: %s expected, %s found", groupDigits(bad.Line), groupDigits(bad.Column), bad.Expected, bad.Found)
	}
	return "could not be read to its end: " + err.Error()
}

// read tells how much of a document has been looked at.
func (p *Page) read() string {
	d := p.Document
	scanned := d.Index.Scanned()
	if d.Size > 0 {
		return fmt.Sprintf("reading %d%%", int64(scanned)*100/d.Size)
	}
	return "reading, " + sizeText(scanned) + " so far"
}

// Growing tells whether the page shown is still being read.
func (p *Pane) Growing() bool { return p.page().Growing() }

// Grow takes in what a document has grown by. When it has ended, the columns
// are looked for again over all of it, beside the update loop.
func (p *Pane) Grow() intent.Intent {
	page := p.page()
	if !page.Growing() {
		return nil
	}
	done := page.Index.Done() // before the rest is looked at, so that nothing is missed
	page.settle()
	if !done {
		return nil
	}
	page.complete = true
	if page.noJSON() {
		page.Index = nil // it is no JSON at all: only the bytes can be shown
		page.set = &records.Set{}
	}
	broken := page.Broken()
	var say intent.Intent
	if broken != "" {
		say = intent.Say{Text: "The document is " + broken + ". The records before it are shown", Bad: true}
	}
	look := intent.Work{What: "looking for columns", Do: func(context.Context) (func() intent.Intent, error) {
		columns := records.Columns(page.set, records.ColumnOptions{})
		return func() intent.Intent { return p.finish(page, columns) }, nil
	}}
	return intent.All{say, look}
}

// noJSON tells that not even the first value is JSON.
func (p *Page) noJSON() bool {
	first := p.Index.Record(0)
	if p.Index.Shape() == rawjson.List || first.Size() > smallBody {
		return false
	}
	return first.Kind() < rawjson.String && !rawjson.Valid(first.Raw())
}

// finish shows a document that is whole now with the columns found in all of it.
func (p *Pane) finish(page *Page, columns []records.Column) intent.Intent {
	page.columns = columns
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
	return intent.All{p.tableView().again(p), p.Examine()}
}

// grower is a view that keeps something of a page that may still grow; it is
// told when the page is whole.
type grower interface{ grown(*Pane) }

// documentFacts is the truth line of a document.
func (p *Page) documentFacts() string {
	f := p.Document.Name + " · " + rowsText(p.Len()) + " · " + sizeText(p.Size())
	switch {
	case p.Growing():
		return f + " · " + p.read()
	case p.Broken() != "":
		return f + " · broken, as far as it goes"
	}
	return f
}
