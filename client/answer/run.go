package answer

import (
	"slices"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Entry is a page of a Run, and what the pages before it say of it.
type Entry struct {
	// Page is the answer; its body and its Index are nil once the run was told to drop them.
	*Page
	// Sent is what in the params differs from the first page.
	Sent []Param
	Rows int
	// Meta is the answer's meta object; the zero Node when there is none.
	Meta rawjson.Node
	// NewIDs and Repeated count the rows whose key was not, or was, on an earlier
	// page. Rows are told apart by their bytes where they have no key.
	NewIDs, Repeated int
	// Bytes is the size of the body.
	Bytes int
	// Total is the number of all records as the answer tells it; -1 when it does not.
	Total int

	facts facts
}

// Fresh is how many records of the page are worth handing on: none of a page that an
// earlier one holds as a whole.
func (p *Entry) Fresh() int {
	if p.facts.allFrom >= 0 {
		return 0
	}
	return p.Rows
}

// Run is the pages of one call in the order they were asked for, written down as in a ledger. It may be
// read while pages are added.
type Run struct {
	entity *catalog.Entity
	action *catalog.Action

	mu    sync.Mutex
	pages []Entry
	seen  identities
	// asked says which page was asked for how; lastFilled is the last page with rows.
	asked      map[string]int
	lastFilled int
}

// NewRun returns an empty run for the pages of an action; both arguments
// may be nil where the catalog does not know them.
func NewRun(e *catalog.Entity, a *catalog.Action) *Run {
	return &Run{entity: e, action: a, seen: identities{key: KeyOf(e)}, asked: map[string]int{}, lastFilled: -1}
}

// Describe says which action the pages are of, where that was not known at the start.
// It comes before the first page.
func (l *Run) Describe(e *catalog.Entity, a *catalog.Action) {
	l.entity, l.action = e, a
	l.seen.key = KeyOf(e)
}

// KeyOf is the field that tells the records of an entity apart; e may be nil.
func KeyOf(e *catalog.Entity) string {
	if e != nil {
		return e.Key
	}
	return "id"
}

// Add reads an answer and writes it down.
func (l *Run) Add(op client.Operation, env *client.Envelope) Entry {
	return l.AddPage(readPage(Question{Op: op, Entity: l.entity, Action: l.action}, env))
}

// AddPage writes a page down.
func (l *Run) AddPage(page *Page) Entry {
	p := Entry{Page: page, Rows: page.Len(), Bytes: page.Size(), Meta: Meta(page.Env), Total: -1}
	p.facts = l.look(&p)
	if p.facts.totalKnown {
		p.Total = p.facts.total
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pages) > 0 {
		p.Sent = Changed(l.pages[0].Op, p.Op)
	}
	l.seen.count(&p, len(l.pages))
	l.trace(&p)
	l.pages = append(l.pages, p)
	return p
}

// trace notes how a page was asked for, and whether the one after it would be
// asked for like one that is there.
func (l *Run) trace(p *Entry) {
	n := len(l.pages)
	if _, ok := l.asked[wording(p.Op)]; !ok {
		l.asked[wording(p.Op)] = n
	}
	p.facts.backTo = -1
	if p.Next.State == More {
		if wording(p.Next.Op) == wording(p.Op) {
			p.facts.backTo = n
		} else if k, ok := l.asked[wording(p.Next.Op)]; ok {
			p.facts.backTo = k
		}
	}
	if p.facts.rows > 0 {
		l.lastFilled = n
	}
	p.facts.empties = n - l.lastFilled
}

func wording(op client.Operation) string { return string(op.Params) + "\x00" + op.NextURL }

// Pages returns the pages so far.
func (l *Run) Pages() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.pages)
}

// Len is the number of pages.
func (l *Run) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pages)
}

// Next is what the page after the last one would send. Before the first page
// its State is Unknown.
func (l *Run) Next() Next {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pages) == 0 {
		return Next{State: Unknown, Why: "no page was asked for yet"}
	}
	return l.pages[len(l.pages)-1].Next
}

// Totals adds up the pages.
func (l *Run) Totals() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := Totals{Pages: len(l.pages), Total: -1, FirstTotal: -1}
	for i := range l.pages {
		p := &l.pages[i]
		t.Rows += p.Rows
		t.NewIDs += p.NewIDs
		t.Repeated += p.Repeated
		t.Bytes += int64(p.Bytes)
		t.Took += p.Took()
		if p.Total >= 0 {
			t.Total = p.Total
			if t.FirstTotal < 0 {
				t.FirstTotal = p.Total
			}
		}
	}
	return t
}

// Totals is the sum of a run.
type Totals struct {
	Pages, Rows, NewIDs, Repeated int
	Bytes                         int64
	Took                          time.Duration
	// Total is the number of all records that exist as the newest answer that
	// speaks of it tells, FirstTotal as the oldest did; -1 when none does.
	Total, FirstTotal int
}

// drop forgets the body of a page, for runs that only stream.
func (l *Run) drop(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &l.pages[i]
	p.Meta = rawjson.Parse(append([]byte(nil), p.Meta.Raw()...))
	page, env := *p.Page, *p.Env
	env.Body = nil
	page.Env, page.Index = &env, nil
	p.Page = &page
}

// facts are what the verdicts need to know of a page once its body is gone.
type facts struct {
	asked      int // page size asked for; 0 none
	usual      int // the page size when none is asked for; 0 unknown
	rows       int // as sent, those left out here included
	flag       flag
	hasValue   bool   // the answer holds a next value
	marksEnd   bool   // that value marks where the page ends, so the last page has one too
	valueName  string // where
	documented bool   // the catalog says that the answer carries the value
	total      int
	totalKnown bool
	begins     bool // it was asked for as the first page
	before     bool // no rows came where there should be some by the total
	orders     []trend
	// allFrom is the earlier page that holds all ids of this one, in the same order; -1 none.
	allFrom int
	within  int  // rows whose id another row of the page has with other contents
	doubles int  // rows that are on the page more than once
	again   int  // rows whose id was on an earlier page
	stale   int  // pages in a row, up to this one, without anything new
	byBytes bool // repeated rows were found by their bytes, not by their key
	empties int  // pages without rows in a row, up to this one
	backTo  int  // the page that the next one would be asked for like; -1 none
}

type flag struct {
	yes, known bool
	from       string
	missing    bool // documented, and not there
}

// look gathers the facts of a page that do not depend on the other pages.
func (l *Run) look(p *Entry) facts {
	f := facts{allFrom: -1, rows: p.Rows}
	rule := pageOf(l.action, p.Op, p.Env)
	if rule == nil {
		rule = &catalog.Page{}
		if l.action != nil && l.action.Page != nil {
			rule.Size, rule.Total = l.action.Page.Size, l.action.Page.Total
		}
	}
	r := read(l.action, rule, p.Op, p.Env, p.Page)
	f.rows, f.usual = r.rows(), r.number("", rule.DefaultSize)
	if n, ok := given(p.Op.Params, rule.Size); ok {
		f.asked = r.capped(n)
	}
	f.total, f.totalKnown = r.total()
	f.begins, f.before = r.begins(), r.emptyBefore()
	f.flag.yes, f.flag.known, f.flag.from = r.more()
	f.flag.missing = !f.flag.known && r.flagMissing()
	_, f.valueName, f.hasValue = r.value()
	// A value that only marks where the page ends is there on the last page too.
	// Entries of a Link header that say themselves whether they lead to anything are
	// always there as well.
	f.marksEnd = strings.Contains(strings.ToLower(f.valueName), "end") ||
		strings.Contains(r.valuePlace(), "cursors.") ||
		strings.HasPrefix(rule.More, "@link.") && strings.HasPrefix(rule.Next, "@link.")
	f.documented = rule.Meta != ""
	if nested(l.action) || p.Env.Single {
		f.asked = 0
	}
	f.orders = ordersOf(p.Page, KeyOf(l.entity))
	return f
}

// nested reports whether the rows of a page come from several lists, each with a
// limit of its own.
func nested(a *catalog.Action) bool {
	if a == nil || a.Binding == nil {
		return false
	}
	path, err := rawjson.ParsePath(a.Binding.Records)
	if err != nil {
		return false
	}
	_, branches := path.UntilAny()
	return branches
}

// flagMissing reports whether the catalog promises a flag in the meta that the
// answer lacks. A flag that may be null says nothing when it is.
func (r *reading) flagMissing() bool {
	name := strings.TrimPrefix(r.p.More, "!")
	// One that the catalog does not show is the third party's own flag, which the
	// service does not pass on.
	foreign := r.a != nil && len(r.a.Meta) > 0 && catalog.FieldAt(r.a.Meta, name) == nil
	_, there := r.inMeta(name)
	return name != "" && name[0] != '@' && r.meta.Exists() && !foreign && !there
}
