package pages

import (
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Page is one row of a Ledger.
type Page struct {
	// Op is what was asked; Sent what in its params differs from the first page.
	Op   client.Operation
	Sent []Param
	// Env is the answer; its Body is nil once the ledger was told to drop bodies.
	Env *client.Envelope
	// Index knows the records; nil once the body was dropped.
	Index *rawjson.Index
	Rows  int
	// Meta is the answer's meta object; the zero Node when there is none.
	Meta rawjson.Node
	// NewIDs and Repeated count the rows whose key was not, or was, on an earlier
	// page. Rows are told apart by their bytes where they have no key.
	NewIDs, Repeated int
	// Bytes is the size of the body.
	Bytes int
	Took  time.Duration
	Next  Next
	// Total is the number of all records as the answer tells it; -1 when it does not.
	Total int

	facts facts
}

// Ledger is the pages of one run in the order they were asked for. It may be
// read while pages are added.
type Ledger struct {
	entity *catalog.Entity
	action *catalog.Action

	mu    sync.Mutex
	pages []Page
	seen  identities
	// asked tells which page was asked for how; lastFilled is the last page with rows.
	asked      map[string]int
	lastFilled int
}

// NewLedger returns an empty ledger for the pages of an action; both arguments
// may be nil where the catalog does not know them.
func NewLedger(e *catalog.Entity, a *catalog.Action) *Ledger {
	return &Ledger{entity: e, action: a, seen: identities{key: keyOf(e)}, asked: map[string]int{}, lastFilled: -1}
}

func keyOf(e *catalog.Entity) string {
	if e != nil {
		return e.Key
	}
	return "id"
}

// Add writes down an answer, working out what comes next. It reads all records.
func (l *Ledger) Add(op client.Operation, env *client.Envelope) Page {
	return l.AddIndexed(op, env, records.IndexEnvelope(env))
}

// AddIndexed is Add for an answer whose records are already indexed.
func (l *Ledger) AddIndexed(op client.Operation, env *client.Envelope, x *rawjson.Index) Page {
	if x == nil {
		x = records.IndexEnvelope(env)
	}
	p := Page{Op: op, Env: env, Index: x, Rows: x.Len(), Meta: Meta(env), Took: env.Took, Total: -1}
	if env.Body != nil {
		p.Bytes = env.Body.Len()
	}
	p.Next = Following(l.action, op, env, x)
	p.facts = l.look(&p)
	if p.facts.totalKnown {
		p.Total = p.facts.total
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pages) > 0 {
		p.Sent = Changed(l.pages[0].Op, op)
	}
	l.seen.count(&p, len(l.pages))
	l.trace(&p)
	l.pages = append(l.pages, p)
	return p
}

// trace notes how a page was asked for, and whether the one after it would be
// asked for like one that is there.
func (l *Ledger) trace(p *Page) {
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
func (l *Ledger) Pages() []Page {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Page(nil), l.pages...)
}

// Len is the number of pages.
func (l *Ledger) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pages)
}

// Next is what the page after the last one would send. Before the first page
// its State is Unknown.
func (l *Ledger) Next() Next {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pages) == 0 {
		return Next{State: Unknown, Why: "no page was asked for yet"}
	}
	return l.pages[len(l.pages)-1].Next
}

// Totals adds up the pages.
func (l *Ledger) Totals() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := Totals{Pages: len(l.pages), Total: -1, FirstTotal: -1}
	for i := range l.pages {
		p := &l.pages[i]
		t.Rows += p.Rows
		t.NewIDs += p.NewIDs
		t.Repeated += p.Repeated
		t.Bytes += int64(p.Bytes)
		t.Took += p.Took
		if p.Total >= 0 {
			t.Total = p.Total
			if t.FirstTotal < 0 {
				t.FirstTotal = p.Total
			}
		}
	}
	return t
}

// Totals is the sum of a ledger.
type Totals struct {
	Pages, Rows, NewIDs, Repeated int
	Bytes                         int64
	Took                          time.Duration
	// Total is the number of all records that exist as the newest answer that
	// speaks of it tells, FirstTotal as the oldest did; -1 when none does.
	Total, FirstTotal int
}

// drop forgets the body of a page, for runs that only stream.
func (l *Ledger) drop(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &l.pages[i]
	p.Meta = rawjson.Parse(append([]byte(nil), p.Meta.Raw()...))
	p.Index = nil
	env := *p.Env
	env.Body = nil
	p.Env = &env
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
	before     bool // no rows came where there should be some by the total
	orders     []order
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
func (l *Ledger) look(p *Page) facts {
	f := facts{allFrom: -1, rows: p.Rows}
	rule := pageOf(l.action, p.Op)
	if rule == nil {
		rule = &catalog.Page{}
		if l.action != nil && l.action.Page != nil {
			rule.Size = l.action.Page.Size
		}
	}
	r := read(l.action, rule, p.Op, p.Env, p.Index)
	f.rows, f.usual, f.asked = r.rows(), r.number("", rule.DefaultSize), r.asked()
	f.total, f.totalKnown = r.total()
	_, f.before = r.emptyBefore()
	f.flag.yes, f.flag.known, f.flag.from = r.more()
	f.flag.missing = !f.flag.known && r.flagMissing()
	_, f.valueName, f.hasValue = r.value()
	f.marksEnd = marksEnd(rule, f.valueName)
	f.documented = rule.Meta != ""
	if nested(l.action) || p.Env.Single {
		f.asked = 0
	}
	f.orders = ordersOf(p.Index, keyOf(l.entity))
	return f
}

// marksEnd tells whether a next value only marks where the page ends: then it
// is there on the last page too. Entries of a Link header that say themselves
// whether they lead to anything are always there as well.
func marksEnd(rule *catalog.Page, name string) bool {
	return strings.Contains(strings.ToLower(name), "end") || strings.Contains(rule.Next, "cursors.") ||
		strings.HasPrefix(rule.More, "@link.") && strings.HasPrefix(rule.Next, "@link.")
}

// nested tells whether the rows of a page come from several lists, each with a
// limit of its own.
func nested(a *catalog.Action) bool {
	if a == nil || a.Binding == nil {
		return false
	}
	path, err := rawjson.ParsePath(a.Binding.Records)
	if err != nil {
		return false
	}
	for _, s := range path {
		if s.Index == rawjson.Any {
			return true
		}
	}
	return false
}

// flagMissing tells whether the catalog promises a flag in the meta that the
// answer lacks. A flag that may be null says nothing when it is.
func (r *reading) flagMissing() bool {
	name := r.p.More
	if name != "" && name[0] == '!' {
		name = name[1:]
	}
	if name == "" || name[0] == '@' || !r.meta.Exists() {
		return false
	}
	if r.a != nil && len(r.a.Meta) > 0 && catalog.FieldAt(r.a.Meta, name) == nil {
		return false // the third party's own flag, which the service does not pass on
	}
	_, there := r.inMeta(name)
	return !there
}
