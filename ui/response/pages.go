package response

import (
	"bytes"
	"context"

	"patchbay/client/answer"
	"patchbay/ui/intent"
)

// ledgerRecords is how many records a page may hold to be entered into the
// ledger on the update loop: reading their ids takes about a microsecond each.
const ledgerRecords = 5_000

// enterLedger writes the newest page down. The ledger begins anew where it does
// not hold the pages before it.
func (p *Pane) enterLedger() intent.Intent {
	last := len(p.pages) - 1
	if p.pages[last].Err != nil || p.pages[last].Env == nil || p.pages[last].IsFile() {
		return nil
	}
	if p.ledger == nil || p.ledger.Len() != last || p.first != p.pages[0] {
		p.ledger, p.first = answer.NewRun(p.entity, p.action), p.pages[0]
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
	return intent.Task{What: "reading ids", Do: func(context.Context) (func() intent.Intent, error) {
		writeDown(ledger, due)
		return nil, nil
	}}
}

func writeDown(l *answer.Run, due []*answer.Page) {
	for _, page := range due {
		l.AddPage(page)
	}
}

// NewLedger returns a function that writes the pages of the run into a ledger
// of their own, for fetching on. It is run beside the update loop.
func (p *Pane) NewLedger() func() *answer.Run {
	entity, action, list := p.entity, p.action, p.pages
	return func() *answer.Run {
		l := answer.NewRun(entity, action)
		writeDown(l, list)
		return l
	}
}

// Append adds a page behind the last one; the cursor stays where it is.
func (p *Pane) Append(page *answer.Page) intent.Intent {
	p.stopped = ""
	p.pages = append(p.pages[:len(p.pages):len(p.pages)], page)
	in := p.enterLedger()
	if !p.together {
		return in
	}
	v := p.tableView()
	v.load(p.Input)
	return both(in, p.again())
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
		v.enter(p.Input)
	}
}

// Growing reports whether a document is still being read or looked at.
func (p *Pane) Growing() bool {
	if p.doc == nil {
		return p.awaited != nil && len(p.pages) == 0
	}
	return p.growing() || p.tableView().behind(p.Input)
}

// growing reports whether a document is still being read or judged.
func (in Input) growing() bool { return in.doc != nil && (in.doc.Growing() || !in.doc.Judged()) }

// Await says which document will be shown as soon as there is something to show.
func (p *Pane) Await(d *answer.Document) { p.awaited = d }

// Grow takes in what a document has grown by, and what is known once it has
// been read to its end.
func (p *Pane) Grow() intent.Intent {
	page := p.doc
	if page == nil {
		return nil
	}
	if fallen := page.Document.Fallen(); fallen != nil { // beside the loop, which goes on
		return intent.Task{Do: func(context.Context) (func() intent.Intent, error) { panic(fallen) }}
	}
	switch {
	case page.Judged():
		return p.catchUp()
	case page.Complete():
		return intent.All{judge(page, false), p.catchUp()}
	}
	switch page.Grow() {
	case answer.OtherColumns:
		if p.Page() == page {
			p.tableView().grown(p.Input)
		}
		fallthrough
	case answer.MoreRecords:
		return p.catchUp()
	}
	told, finished := judge(page, true), p.finish(page)
	// A text that is no JSON is shown line by line.
	if v, raw := p.current().(*rawView); raw && p.Page() == page && page.Index == nil && v.starts == nil &&
		bytes.IndexByte(answer.Head(page.Document.Source), 0) < 0 {
		return intent.All{told, finished, p.ToggleLines()}
	}
	return intent.All{told, finished}
}

// judge says once what is wrong with a document.
func judge(page *answer.Page, early bool) intent.Intent {
	if t := page.Judge(early); t != "" {
		return intent.Say{Text: t, Bad: true}
	}
	return nil
}

// finish shows a document that is whole now.
func (p *Pane) finish(page *answer.Page) intent.Intent {
	if p.Page() != page {
		return nil
	}
	if !p.current().fits(p.Input) {
		p.show("")
		return nil
	}
	p.grown()
	in := p.catchUp()
	if v := p.tableView(); !v.behind(p.Input) && !v.arranging {
		in = p.again()
	}
	return intent.All{in, p.Examine()}
}

// grown tells the views that keep something of the page that it is another now.
func (p *Pane) grown() {
	for _, v := range p.views {
		v.grown(p.Input)
	}
}

// TakeAs reads the records of the document as those of an entity: its columns,
// its words, its schema.
func (p *Pane) TakeAs(as answer.Question) intent.Intent {
	page := p.Page()
	if page == nil || page != p.doc || page.Index == nil {
		return nil
	}
	look := page.TakeAs(as)
	p.kind, p.entity, p.action = as.Kind, as.Entity, as.Action
	return intent.Task{What: "looking for columns", Do: func(context.Context) (func() intent.Intent, error) {
		apply := look()
		return func() intent.Intent {
			if !apply() {
				return nil
			}
			in := p.goToPage(p.cur, p.viewName())
			p.grown()
			said := "The records are read as " + as.Kind.Name + " " + as.Entity.Name
			return intent.All{in, intent.Say{Text: said}, p.Examine()}
		}, nil
	}}
}
