// Package result shows what came back: the answer of an operation, page by
// page, as a table, a record, a tree, bytes, and as what happened on the wire.
package result

import (
	"context"
	"fmt"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/drift"
	"patchbay/client/pages"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/text"
)

// Question is what was asked: enough to ask again and to read the answer.
type Question struct {
	Target client.Target
	Op     client.Operation
	Kind   *catalog.Kind
	Entity *catalog.Entity
	Action *catalog.Action
	Asked  time.Time
}

// Page is one answer, prepared for the views: nothing of it is parsed on the
// update loop. Env and Err may both be set when a failed call had a body.
type Page struct {
	Question
	Env *client.Envelope
	Err *client.Error
	// Index knows the records; nil when the answer holds none.
	Index *rawjson.Index
	Next  pages.Next
	// Document is set when the page is a file or stream instead of an answer.
	Document *Document
	// queried is set when the page is the results of a query.
	queried bool
	// complete is set when a document has been read to its end.
	complete bool
	// judged is set once it is known whether all of it is JSON; told is what was
	// last said of it.
	judged bool
	told   string
	// taken is the entity that a person said the records of a document are of.
	taken *catalog.Entity
	// chosen is set once the person chose columns, so that later findings do not replace them.
	chosen bool
	// drift is how the records differ from the catalog; nil until that is known.
	drift *drift.Report
	// at is the record that the cursor was on when the page was left for another.
	at   int
	left bool
	// marks are the records that a person marked.
	marks records.Marks
	// set and columns are what the table shows.
	set     *records.Set
	columns []records.Column
	// outlines are the trees of a large body that no view has taken yet.
	outlines outlines
}

// NewPage indexes an answer. It runs beside the update loop.
func NewPage(ctx context.Context, q Question, env *client.Envelope, err error) *Page {
	p := &Page{Question: q, Env: env}
	if err != nil {
		p.Err = client.AsError(err)
		if p.Env == nil {
			p.Env = p.Err.Envelope
		}
		return p
	}
	if env == nil || env.Body == nil {
		return p
	}
	if !env.Records.Empty() {
		p.Index = records.IndexEnvelope(env)
	}
	p.Next = pages.Following(q.Action, q.Op, env, p)
	p.tabulate()
	p.outlines = p.outline()
	p.examine(ctx)
	return p
}

// sampled is how many records are looked at for columns: all of most pages.
const sampled = 2_000

// tabulate finds the columns of the records.
func (p *Page) tabulate() {
	if p.Index == nil {
		return
	}
	p.set = &records.Set{}
	p.set.Add(records.Page{Index: p.Index, Names: p.names()})
	o := records.ColumnOptions{Sample: sampled}
	if p.Entity != nil {
		o.Fields, o.Key = p.Entity.RecordOf(p.Action), p.Entity.Key
	}
	p.columns = records.Columns(p.set, o)
}

// Len is the number of records on the page.
func (p *Page) Len() int {
	if p == nil || p.Index == nil {
		return 0
	}
	return p.Index.Len()
}

// Record returns record i of the page.
func (p *Page) Record(i int) rawjson.Node { return p.Index.Record(i) }

// Size is the number of bytes of the body.
func (p *Page) Size() int {
	if p == nil || p.Env == nil || p.Env.Body == nil {
		return 0
	}
	return p.Env.Body.Len()
}

// Status is the HTTP status of the answer; 0 when none arrived.
func (p *Page) Status() int {
	switch {
	case p.Err != nil && p.Err.Status != 0:
		return p.Err.Status
	case p.Env != nil:
		return p.Env.Status
	}
	return 0
}

// Attempts are the exchanges behind the answer.
func (p *Page) Attempts() []client.Attempt {
	if p.Err != nil && len(p.Err.Attempts) > 0 {
		return p.Err.Attempts
	}
	if p.Env != nil {
		return p.Env.Attempts
	}
	return nil
}

// Took is the time from the question to the answer.
func (p *Page) Took() time.Duration {
	if p.Env != nil && p.Env.Took > 0 {
		return p.Env.Took
	}
	var d time.Duration
	for _, a := range p.Attempts() {
		d += a.Total + a.Wait
	}
	return d
}

// Headline says in one line what was asked and what came, for the log.
func (p *Page) Headline() string {
	if p.Document != nil {
		return p.Document.Name + ": " + rowsText(p.Len()) + ", " + sizeText(p.Size())
	}
	what := p.Op.Entity + " " + p.Op.Action + " on " + text.Sanitize(p.Target.Name)
	if p.Err != nil {
		return what + ": " + text.Sanitize(p.Err.Error())
	}
	return fmt.Sprintf("%s: %d, %s, %s", what, p.Status(), rowsText(p.Len()), durationText(p.Took()))
}

func rowsText(n int) string {
	if n == 1 {
		return "1 row"
	}
	return groupDigits(n) + " rows"
}

func groupDigits(n int) string { return text.Digits(n) }

func sizeText(n int) string { return text.Size(int64(n)) }

func durationText(d time.Duration) string { return text.Duration(d) }
