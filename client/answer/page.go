// Package answer holds what came back: a Page is one answer or document with its
// records, columns, flaws and outline, a Run the pages of one call as they were
// asked for, with what is odd about the paging of the server. It fetches to a
// limit, asks queries of what is loaded, and writes all pages to a file that can
// be stopped and continued. Its words are those of the catalog; it knows no
// terminal, escapes nothing, and imports nothing of the screen.
package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/download"
	"patchbay/client/drift"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
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
	Next  Next
	// File is set when the answer is a file, whole or in part.
	File *download.Result
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
	// Taken is the entity that a person said the records of a document are of.
	Taken *catalog.Entity
	// Drift is how the records differ from the catalog; nil until that is known.
	Drift *drift.Report
	// Marks are the records that a person marked, Visit is where they left the page.
	Marks records.Marks
	Visit Visit
	// Set and Columns are the records as a table.
	Set     *records.Set
	Columns []records.Column
	// Outlines are the trees of a large body that no view has taken yet.
	Outlines Outlines
}

// Visit is what a person did on a page: the record that the cursor was on when it
// was left for another, and whether columns were chosen, so that later findings
// do not replace them.
type Visit struct {
	Row          int
	Left, Chosen bool
}

// NewPage reads an answer and prepares it to be shown.
func NewPage(ctx context.Context, q Question, env *client.Envelope, err error) *Page {
	p := &Page{Question: q, Env: env}
	switch {
	case err != nil:
		if p.Err = client.AsError(err); p.Env == nil {
			p.Env = p.Err.Envelope
		}
	case env != nil && env.Body != nil:
		return readPage(q, env).Prepare(ctx)
	}
	return p
}

// readPage indexes an answer and works out what comes next.
func readPage(q Question, env *client.Envelope) *Page {
	p := &Page{Question: q, Env: env}
	if !env.Records.Empty() && env.Body != nil {
		p.Index = records.IndexEnvelope(env)
	}
	p.Next = Following(q.Action, q.Op, env, p)
	return p
}

// Prepare makes ready what the views need: columns, outlines, and how the
// records differ from the catalog.
func (p *Page) Prepare(ctx context.Context) *Page {
	p.tabulate()
	p.Outlines = p.outline()
	if p.Index != nil && p.Action != nil && p.Index.Len() <= examined {
		p.Drift, _ = p.Examine(ctx, p.Set, nil) // cancelled with the call; the view asks again
	}
	return p
}

// PrepareBehind makes ready a page of many: what it has in common with the one before is
// kept once, and how its records differ from the catalog is found when it is asked for.
func (p *Page) PrepareBehind(before *Page) *Page {
	p.tabulate()
	p.Outlines = p.outline()
	same := len(p.Columns) == len(before.Columns)
	for i := range min(len(p.Columns), len(before.Columns)) {
		c, b := p.Columns[i], before.Columns[i]
		if c.Name != b.Name || c.Type != b.Type || c.Title != b.Title || !slices.Equal(c.Path, b.Path) {
			same = false
			continue
		}
		same = same && c.Seen == b.Seen && c.Nulls == b.Nulls && c.Holds == b.Holds
		b.Seen, b.Nulls, b.Holds = c.Seen, c.Nulls, c.Holds
		p.Columns[i] = b
	}
	if same {
		p.Columns = before.Columns
	}
	return p
}

// sampled is how many records are looked at for columns: all of most pages.
const sampled = 2_000

// tabulate finds the columns of the records.
func (p *Page) tabulate() {
	if p.Index == nil {
		return
	}
	p.Set = SetOf([]*Page{p})
	o := records.ColumnOptions{Sample: sampled}
	if p.Entity != nil {
		o.Fields, o.Key = p.Entity.RecordOf(p.Action), p.Entity.Key
	}
	p.Columns = records.Columns(p.Set, o)
	if p.Action != nil && p.Action.Name == catalog.ActionSemanticSearch {
		slices.SortStableFunc(p.Columns, func(a, b records.Column) int { return hitRank(a) - hitRank(b) })
	}
}

// hitRank puts what a search by meaning says of a hit before the record: its score, and
// the text around it.
func hitRank(c records.Column) int {
	if i := slices.Index([]string{"metadata.score", "metadata.context"}, c.Name); i >= 0 {
		return i
	}
	return 2
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

// diskShare is how many bytes on disk weigh as much as one in memory.
const diskShare = 64

// Weight is what it costs to keep the page, in bytes of memory. A file lies on disk,
// of which there is more.
func (p *Page) Weight() int {
	switch {
	case p == nil:
		return 0
	case p.File != nil:
		return p.Size() / diskShare
	}
	n := p.Size()
	if p.Env != nil {
		if _, onDisk := p.Env.Body.(*rawjson.File); onDisk {
			n /= diskShare
		}
		for _, a := range p.Env.Attempts {
			n += len(a.RequestBody)
		}
	}
	return n
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
	if p.Document != nil && p.File == nil {
		return p.Document.Name + ": " + Rows(p.Len()) + ", " + quantity.Size(int64(p.Size()))
	}
	what := p.Op.Entity + " " + p.Op.Action + " on " + p.Target.Name
	if p.Err != nil {
		return what + ": " + p.Err.Error()
	}
	if p.File != nil {
		return what + ": " + p.FileFacts()
	}
	return fmt.Sprintf("%s: %d, %s, %s", what, p.Status(), Rows(p.Len()), quantity.Duration(p.Took()))
}

// Rows counts rows in words.
func Rows(n int) string { return quantity.Count(n, "row", "rows") }

// Names are the names that the fields of the page have.
func (p *Page) Names() client.Names {
	if p.Env == nil || p.Env.Names == "" {
		return client.Neutral
	}
	return p.Env.Names
}

// Value is a field of a record of the page by its dotted path in neutral
// names, whatever names the body has.
func (p *Page) Value(rec rawjson.Node, field string) (rawjson.Node, bool) {
	at := rec
	parts := strings.Split(field, ".")
	for i, name := range parts {
		next, ok := at.Get(name)
		if !ok && p.Names() == client.Wire && p.Entity != nil {
			if f := p.Entity.RecordField(p.Action, strings.Join(parts[:i+1], ".")); f != nil && f.Alias != "" {
				next, ok = at.Get(f.Alias)
			}
		}
		if !ok {
			return rawjson.Node{}, false
		}
		at = next
	}
	return at, true
}

// examined is how many records a page may hold to be held against the catalog
// as soon as it arrives.
const examined = 5_000

// Examine holds records, those of this page and of others of its run, against the catalog.
func (p *Page) Examine(ctx context.Context, set *records.Set, progress records.Progress) (*drift.Report, error) {
	q := drift.Question{Entity: p.Entity, Action: p.Action, Op: p.Op}
	if p.Kind != nil {
		q.Kind = p.Kind.Name
	}
	return drift.Examine(ctx, set, q, progress)
}

// Of is the page as one of the question that its run asks.
func (p *Page) Of(q Question) *Page {
	q.Op = p.Op
	return &Page{Question: q, Env: p.Env, Index: p.Index, Next: p.Next}
}

// peeked is how many records are looked at for the names of their fields.
const peeked = 20

// FieldNames are the names of the fields in the first records.
func (p *Page) FieldNames() []string {
	var names []string
	seen := map[string]bool{}
	for i := range min(p.Len(), peeked) {
		for m := range p.Record(i).Members() {
			if name := m.Key(); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// namesIn says which names of the catalog the records go by: those of the
// third party where more of theirs are met.
func (p *Page) namesIn(as Question) client.Names {
	if as.Entity == nil {
		return client.Neutral
	}
	neutral, wire := 0, 0
	for _, name := range p.FieldNames() {
		for _, f := range as.Entity.RecordOf(as.Action) {
			switch {
			case f.WireName() == f.Name:
			case name == f.Name:
				neutral++
			case name == f.WireName():
				wire++
			}
		}
	}
	if wire > neutral {
		return client.Wire
	}
	return client.Neutral
}

// TakeAs makes the records of the document those of an entity. What it returns
// looks for their columns, beside the caller, and gives what takes them over: false
// where the records were taken as others since.
func (p *Page) TakeAs(as Question) func() (apply func() bool) {
	p.Taken = as.Entity
	p.Kind, p.Entity, p.Action, p.Drift = as.Kind, as.Entity, as.Action, nil
	p.Env.Names = p.namesIn(as)
	set := SetOf([]*Page{p})
	o := records.ColumnOptions{Fields: as.Entity.RecordOf(as.Action), Key: as.Entity.Key, Sample: sampled}
	return func() func() bool {
		columns := records.Columns(set, o)
		return func() bool {
			if p.Taken != as.Entity {
				return false
			}
			p.Set, p.Columns = set, columns
			return true
		}
	}
}

// UsualAction is the action whose answers are most often saved: the entity's list.
func UsualAction(e *catalog.Entity) *catalog.Action {
	for _, name := range []string{catalog.ActionList, catalog.ActionContextStoreSearch, catalog.ActionAPISearch,
		catalog.ActionGet} {
		if a := e.Action(name); a != nil {
			return a
		}
	}
	if len(e.Actions) > 0 {
		return &e.Actions[0]
	}
	return nil
}

// Candidate is an entity that records may be of.
type Candidate struct {
	As Question
	// Known is how many of their fields the entity has.
	Known int
	score float64
}

// Candidates are all entities of the catalog, the likeliest for fields of these
// names first. A kind that cannot be read is left out: doctor tells of it.
func (p *Page) Candidates(ctx context.Context, c *catalog.Catalog, names []string) ([]Candidate, error) {
	var out []Candidate
	for _, about := range c.Kinds() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k, err := c.Kind(about.Name)
		if err != nil {
			continue
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			as := Question{Kind: k, Entity: e, Action: UsualAction(e)}
			known, score := p.likeness(as, names)
			out = append(out, Candidate{as, known, score})
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}

// likeness counts how many of the fields the entity has, how many of its fields
// they are, and its constants, which tell the entities of one kind apart.
func (p *Page) likeness(as Question, names []string) (known int, score float64) {
	fields := as.Entity.RecordOf(as.Action)
	if len(fields) == 0 || len(names) == 0 {
		return 0, 0
	}
	for _, name := range names {
		if catalog.FieldByName(fields, name) != nil {
			known++
		}
	}
	score = float64(known) / float64(len(names)) * (1 + float64(known)/float64(len(fields)))
	for i := range fields {
		if len(fields[i].Const) == 0 {
			continue
		}
		if v, ok := p.Record(0).Get(fields[i].Name); ok && string(v.Raw()) == string(fields[i].Const) {
			score++
		}
	}
	return known, score
}
