package answer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"patchbay/client"
	"patchbay/client/crew"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
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
	// readers look at what is there, source brings it where it comes from elsewhere;
	// brought is closed once it came to its end.
	readers, source crew.Crew
	brought         chan struct{}
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
	outlines Outlines
}

// OpenDocument begins to read src beside the caller, until ctx ends.
func OpenDocument(ctx context.Context, src rawjson.Source, r Reading) *Document {
	var paths []rawjson.Path
	if a := r.As.Action; a != nil && a.Binding != nil && a.Binding.Records != "" {
		if path, err := rawjson.ParsePath(a.Binding.Records); err == nil {
			paths = append(paths, path)
		}
	}
	index := rawjson.NewIndex(src, paths...)
	if r.Table { // its rows are the records, whatever a cell holds
		index = rawjson.NewLines(src)
	}
	d := &Document{Reading: r, Source: src, Index: index, whole: make(chan struct{})}
	d.readers.Go(func() { d.read(ctx) })
	d.readers.Go(func() { d.watch(ctx) })
	return d
}

// OpenStream is OpenDocument of a source that fill fills.
func OpenStream(ctx context.Context, src rawjson.Growing, r Reading, fill func()) *Document {
	d := OpenDocument(ctx, src, r)
	d.brought = make(chan struct{})
	d.source.Go(func() {
		defer close(d.brought)
		fill()
	})
	return d
}

// read reads the document to its end, and looks at all of it.
func (d *Document) read(ctx context.Context) {
	defer close(d.whole)
	e, flaw := &ending{json: true}, "broken: a defect ended the reading"
	defer func() { // after a panic too, which Fallen tells of
		d.ended.Store(e)
		d.flaw.Store(&flaw)
	}()
	_ = d.Index.Run(ctx) // Err of the index keeps how it ended
	e.json = !noJSON(d.Index)
	if e.json {
		p := d.Page()
		p.complete = true
		e.columns, e.outlines = p.Columns, p.outline()
	}
	d.ended.Store(e)
	flaw = d.lookForFlaws(ctx, e.json)
}

// endPatience is how long the end waits for a stream: what waits for another program to
// write something cannot be ended.
const endPatience = 100 * time.Millisecond

// End waits until nothing is read any more, after the end of the context that the
// document was opened with.
func (d *Document) End() {
	d.readers.Wait()
	if d.brought == nil {
		return
	}
	select {
	case <-d.brought:
		d.source.Wait()
	case <-time.After(endPatience):
	}
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
		case <-ctx.Done():
			return
		}
		n := d.waitFor(ctx, have+1)
		if d.Index.Done() || ctx.Err() != nil {
			return
		}
		p := d.Page()
		d.soFar.Store(&p.Columns)
		have = 2 * n
	}
}

// WaitWhole returns when all is known of the document, or ctx ends.
func (d *Document) WaitWhole(ctx context.Context) {
	select {
	case <-d.whole:
	case <-ctx.Done():
	}
}

const (
	// firstRecords is how many records are waited for before the first screen.
	firstRecords = 200
	// firstPause is how long they are waited for once there is one.
	firstPause = 100 * time.Millisecond
)

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

// Page makes a page of what is there; its Grow continues with it.
func (d *Document) Page() *Page {
	p := &Page{Question: d.As, Document: d, Env: &client.Envelope{Body: d.Source, Names: client.Neutral},
		Index: d.Index}
	p.Env.Names = p.namesIn(d.As)
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

// Growing reports whether more of the page may come.
func (p *Page) Growing() bool { return p != nil && p.Document != nil && !p.complete }

// Growth is what a look at a growing document brought.
type Growth int

// The kinds of growth.
const (
	// MoreRecords: records may have come, the columns are as they were.
	MoreRecords Growth = iota
	// OtherColumns: records that came have other columns.
	OtherColumns
	// AllRead: the document has been read to its end.
	AllRead
)

// Fallen is a panic of the reading, once, for where somebody can be told; nil without one.
func (d *Document) Fallen() *crew.Panic { return cmp.Or(d.readers.Fallen(), d.source.Fallen()) }

// Grow takes in what a document has grown by, and what is known once it has
// been read to its end.
func (p *Page) Grow() Growth {
	e := p.Document.ended.Load() // before the rest is looked at, so that nothing is missed
	p.settle()
	if e == nil {
		// The columns that are shown at first may be others now.
		same := func(a, b records.Column) bool { return a.Name == b.Name && a.Useful() == b.Useful() }
		c := p.Document.soFar.Load()
		if c == nil || p.Taken != nil || slices.EqualFunc(*c, p.Columns, same) {
			return MoreRecords
		}
		p.Columns = *c
		return OtherColumns
	}
	p.complete, p.Outlines = true, e.outlines
	if !e.json {
		p.Index, p.Set = nil, &records.Set{} // only the bytes can be shown
	}
	if p.Taken == nil && (e.columns != nil || !e.json) {
		p.Columns = e.columns
	}
	return AllRead
}

// Complete reports whether the document has been read to its end.
func (p *Page) Complete() bool { return p.complete }

// Judged reports whether it is known if all of a document is JSON.
func (p *Page) Judged() bool { return p.judged }

// Judge says what is wrong with a document where that was not said before; early
// is set where the look at all of it may still continue.
func (p *Page) Judge(early bool) string {
	before := p.told
	if p.Document.flaw.Load() != nil {
		p.judged = true
	} else if !early {
		return ""
	}
	if p.told = p.Broken(); p.told == before || p.told == "" {
		return ""
	}
	t := "The document is " + p.told
	if p.Len() > 0 {
		t += ". All else is shown"
	}
	return t
}

// Records says how many records the document holds, where one follows the other.
func (d *Document) Records() string {
	if d.Table {
		return Rows(d.Index.Len())
	}
	return LinesText(d.Index)
}

// LinesText counts the values of NDJSON in the word for how they are laid out.
func LinesText(x *rawjson.Index) string {
	word := linesWord(x)
	return quantity.Count(x.Len(), word+" of JSON", word+"s of JSON")
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

// Progress says how much of a document has been looked at.
func (d *Document) Progress() string {
	scanned := d.Index.Scanned()
	if d.Size > 0 {
		return fmt.Sprintf("reading %d%%", int64(scanned)*100/d.Size)
	}
	return "reading, " + quantity.Size(int64(scanned)) + " so far"
}

// DocumentFacts is the name, rows and size of a document in one line, and what is
// wrong with it.
func (p *Page) DocumentFacts() string {
	d := p.Document
	size := quantity.Size(int64(p.Size()))
	if d.Own > 0 {
		size = quantity.Size(d.Own)
	}
	f := d.Name + " · " + Rows(p.Len()) + " · " + size
	bad, atAPlace := errors.AsType[*rawjson.SyntaxError](d.Index.Err())
	switch {
	case !p.Growing() && p.Index == nil && !Blank(d.Source):
		return d.Name + " · no JSON · " + size
	case !p.Growing() && Blank(d.Source):
		return d.Name + " · empty file · " + size
	case SourceErr(d.Source) != nil:
		return f + " · changed since it was opened"
	case p.Growing():
		return f + " · " + d.Progress()
	case p.Broken() != "" && d.Index.Shape() == rawjson.Lines && !d.Index.CutRecord():
		return f + " · with bad " + linesWord(d.Index) + "s"
	case p.Broken() != "" && atAPlace && bad.Cut:
		return f + " · cut off, as far as it goes"
	case p.Broken() != "":
		return f + " · broken, as far as it goes"
	}
	if p.queried && p.Len() > 0 && p.Record(0).Kind() == rawjson.Object {
		f += " · keys sorted"
	}
	return f
}

// SmallBody is the size up to which a body is shown with more levels open.
const SmallBody = 64 << 10

// outlined is the size from which a body is laid out beside the update loop:
// to find the members of an object is to read all of it.
const outlined = 1 << 20

// manyRecords is from where on even counting the lines of a tree takes a while.
const manyRecords = 500_000

// firstLines is how many lines of a tree are laid out with it: a screen full.
const firstLines = 200

// Outlines are the trees of a large body, made before a view shows them. A tree
// belongs to one goroutine, so a view takes its tree away.
type Outlines struct{ Whole, Record *rawjson.Tree }

// outline lays out what a view would have to read whole. Where the index knows
// nearly all of the body as not too many records, nothing is left to read.
func (p *Page) outline() (o Outlines) {
	if p.Size() < outlined {
		return o
	}
	if x := p.Index; x != nil && x.Shape() != rawjson.Single && x.Len() < manyRecords {
		if from, to := x.Bounds(); x.Shape() == rawjson.Lines || to-from > p.Size()/2 {
			return o
		}
	}
	root, _, levels := p.Layout()
	o.Whole = rawjson.NewTree(root, p.Index, levels)
	o.Whole.Lines(0, firstLines, nil) // finds what the containers hold that are open there
	if p.Len() > 0 {
		o.Whole.Reveal(from(p.Record(0)))
	}
	if p.Len() != 1 {
		return o
	}
	record := p.Index.Record(0)
	if from(record) == from(root) && record.Size() == root.Size() { // the only record is all of the body
		o.Record = o.Whole.Twin(RecordLevels(record))
	} else {
		o.Record = rawjson.NewTree(record, nil, RecordLevels(record))
	}
	return o
}

// Layout is what the JSON view shows of a page, where that lies in the body, and
// how many of its levels are open at first.
func (p *Page) Layout() (root rawjson.Node, base rawjson.Path, levels int) {
	root, levels = rawjson.Root(p.Env.Body), 1
	switch x := p.Index; {
	case x == nil:
		levels = 2
	case x.Shape() == rawjson.Lines:
		root = rawjson.Node{}
	case p.Growing() && x.Shape() == rawjson.List:
		// Only the array of the records is known so far.
		from, _ := x.Bounds()
		root, base = rawjson.NodeAt(p.Env.Body, from, p.Size()), x.Path()
	default:
		levels += len(x.Path())
	}
	if p.Size() < SmallBody {
		levels++
	}
	return root, base, levels
}

// RecordLevels is how many levels of a record are open at first.
func RecordLevels(record rawjson.Node) int {
	if record.Size() > SmallBody {
		return 1
	}
	return 2
}

// Take gives a tree that was made before, once.
func Take(t **rawjson.Tree) *rawjson.Tree {
	made := *t
	*t = nil
	return made
}

// from is where a value begins.
func from(n rawjson.Node) int {
	at, _ := n.Span()
	return at
}
