package result

import (
	"context"

	"patchbay/client/pages"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
)

// ledgerRecords is how many records a page may hold to be entered into the
// ledger on the update loop: reading their ids takes about a microsecond each.
const ledgerRecords = 5_000

// enterLedger writes the newest page down. The ledger begins anew where it does
// not hold the pages before it.
func (p *Pane) enterLedger() intent.Intent {
	last := len(p.pages) - 1
	if p.pages[last].Err != nil || p.pages[last].Env == nil || p.pages[last].Document != nil {
		return nil
	}
	if p.ledger == nil || p.ledger.Len() != last || p.first != p.pages[0] {
		p.ledger, p.first = pages.NewLedger(p.entity, p.action), p.pages[0]
	}
	due := p.pages[p.ledger.Len():]
	n := 0
	for _, page := range due {
		n += page.Len()
	}
	ledger := p.ledger
	if n <= ledgerRecords {
		writeDown(ledger, due)
		return nil
	}
	return intent.Work{What: "reading ids", Do: func(context.Context) (func() intent.Intent, error) {
		writeDown(ledger, due)
		return nil, nil
	}}
}

func writeDown(l *pages.Ledger, due []*Page) {
	for _, page := range due {
		x := page.Index
		if x == nil {
			x = rawjson.IndexNodes(rawjson.Bytes(nil), nil)
		}
		l.AddIndexed(page.Op, page.Env, x)
	}
}

func (p *Pane) ledgerPage(i int) *pages.Page {
	if p.ledger == nil || p.first != p.pages[0] {
		return nil
	}
	if list := p.ledger.Pages(); i < len(list) {
		return &list[i]
	}
	return nil
}

func (p *Pane) verdicts() []pages.Verdict {
	if p.ledger == nil || len(p.pages) == 0 || p.first != p.pages[0] {
		return nil
	}
	return p.ledger.Verdicts()
}

// NewLedger returns a function that writes the pages of the run into a ledger
// of their own, for fetching on. It is run beside the update loop.
func (p *Pane) NewLedger() func() *pages.Ledger {
	entity, action, list := p.entity, p.action, p.pages
	return func() *pages.Ledger {
		l := pages.NewLedger(entity, action)
		writeDown(l, list)
		return l
	}
}

// Fetched makes a page of one that a fetch brought. It runs beside the update loop.
func Fetched(q Question, l pages.Page) *Page {
	q.Op = l.Op
	p := &Page{Question: q, Env: l.Env, Index: l.Index, Next: l.Next}
	if l.Env.Records.Empty() {
		p.Index = nil
	}
	p.tabulate()
	p.examine(context.Background())
	return p
}

// Append adds a page behind the last one; the cursor stays where it is.
func (p *Pane) Append(page *Page) intent.Intent {
	p.stopped = ""
	p.pages = append(p.pages[:len(p.pages):len(p.pages)], page)
	in := p.enterLedger()
	if !p.together {
		return in
	}
	v := p.tableView()
	v.load(p)
	return both(in, v.again(p))
}

// Together shows the pages of the run as one table, or each for itself again.
func (p *Pane) Together(on bool) intent.Intent {
	if p.together == on || !p.HasAnswer() {
		return nil
	}
	p.together = on
	return p.goToPage(p.cur, "Table")
}

// ShowRow puts the cursor on a row of the last page.
func (p *Pane) ShowRow(row int) {
	if len(p.pages) == 0 {
		return
	}
	p.cur, p.row = len(p.pages)-1, row
	if v, ok := p.current().(*tableView); ok {
		v.enter(p)
	}
}

// IsTogether tells whether the pages are shown as one table.
func (p *Pane) IsTogether() bool { return p.together }

// PageCount is the number of pages kept.
func (p *Pane) PageCount() int { return len(p.pages) }

// LoadedSet is the records of all pages of the run.
func (p *Pane) LoadedSet() *records.Set {
	set := &records.Set{}
	for _, page := range p.pages {
		if page.Index != nil {
			set.Add(records.Page{Index: page.Index, Names: page.names()})
		}
	}
	return set
}

// First is the first page of the run; nil when there is none.
func (p *Pane) First() *Page {
	if len(p.pages) == 0 {
		return nil
	}
	return p.pages[0]
}

// Last is the last page of the run; nil when there is none.
func (p *Pane) Last() *Page {
	if len(p.pages) == 0 {
		return nil
	}
	return p.pages[len(p.pages)-1]
}
