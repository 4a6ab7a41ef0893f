package result

import (
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/pages"
	"patchbay/client/wirelog"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Pane is the response: the pages of one run seen through views that share a cursor.
type Pane struct {
	now    func() time.Time
	kind   *catalog.Kind
	entity *catalog.Entity
	action *catalog.Action

	pages []*Page
	cur   int
	// awaited is the document that is shown once there is something of it.
	awaited *Document
	// canceled is set when the run was stopped before its answer came.
	canceled bool
	// stopped says why the fetching of pages ended too early; empty where it did not.
	stopped string

	views []view
	view  int
	// row is the record under the cursor, shared by the views.
	row int
	// wrap shows long lines in full where they are cut otherwise, cut the
	// other way round in the record view.
	wrap, cut bool
	find      finder
	// doc is the document that is explored; nil without one.
	doc *Page
	// line is being typed; nil when none is.
	line *line

	// ledger holds the pages of the run that begins with first.
	ledger *pages.Ledger
	first  *Page
	// before is the run before this one, of the same action.
	before []*Page
	// under is what was shown before a derived answer was opened over it.
	under []shown
	// together shows the pages of the run as one table.
	together bool
	recall   func(kind, entity string) (Layout, bool)
	wirelog  wirelog.Options
	// aside draws the record beside the view.
	aside recordView

	width, height int
}

// New returns an empty pane.
func New(now func() time.Time) *Pane {
	p := &Pane{now: now}
	p.views = Views()
	return p
}

// Clear forgets the pages and waits for the answer of another action.
func (p *Pane) Clear(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	*p = Pane{now: p.now, kind: k, entity: e, action: a, recall: p.recall, wirelog: p.wirelog, views: Views(), width: p.width, height: p.height}
}

// Start begins a new run; the pages of the one before stay until an answer comes.
func (p *Pane) Start(q Question) {
	p.kind, p.entity, p.action, p.canceled = q.Kind, q.Entity, q.Action, false
}

// Stopped notes why the fetching of pages ended before its time. It stands
// with the pages until the next one comes.
func (p *Pane) Stopped(why string) { p.stopped = why }

// Canceled notes that the run was stopped.
func (p *Pane) Canceled() { p.canceled = len(p.pages) == 0 }

// Add shows an answer: as a further page of the run, or as the first of a new one.
func (p *Pane) Add(page *Page, more bool) intent.Intent {
	p.canceled, p.stopped = false, ""
	keep := p.viewName()
	again := false
	if more && page.Err == nil && p.together {
		return p.Append(page)
	} else if more && page.Err == nil {
		p.leavePage()
		p.pages = append(p.pages[:p.cur+1:p.cur+1], page)
		p.cur = len(p.pages) - 1
	} else if more {
		p.stopped = "The next page failed: " + page.Err.Error() + ". . tries again"
		return intent.Say{Text: p.stopped, Bad: true}
	} else {
		again = p.asksAgain(page)
		p.begin(page)
	}
	p.kind, p.entity, p.action = page.Kind, page.Entity, page.Action
	var in intent.Intent
	switch {
	case more:
		in = p.turn(keep)
	case again:
		in = p.rerun(keep)
	default:
		p.show(keep)
	}
	return both(p.enterLedger(), in)
}

// asksAgain tells whether a first page is of the action whose pages are shown.
func (p *Pane) asksAgain(page *Page) bool {
	return len(p.pages) > 0 && page.Document == nil && page.Action != nil && p.pages[0].Action == page.Action && len(p.under) == 0
}

// begin starts a run with its first page and keeps the one before for comparing.
func (p *Pane) begin(page *Page) {
	if p.doc = nil; page.Document != nil {
		p.doc = page
	}
	if len(p.pages) > 0 && p.pages[0].Action == page.Action && p.pages[0].Err == nil && page.Err == nil && page.Document == nil {
		p.before = p.pages
	}
	if len(p.under) > 0 {
		p.views = p.under[0].views // those of an answer: what is over it has its own
	}
	page.marks.Clear() // an answer reopened begins without
	p.pages, p.cur, p.together, p.under = []*Page{page}, 0, false, nil
}

// Open shows a page that was kept, such as one from the log.
func (p *Pane) Open(page *Page) intent.Intent { return p.Add(page, false) }

// show puts the cursor at the start of the current page and picks a view that fits.
func (p *Pane) show(name string) {
	p.row = 0
	p.find, p.line = finder{}, nil
	p.view = -1
	for i, v := range p.views {
		if v.fits(p) && (p.view < 0 || v.name() == name) {
			p.view = i
		}
	}
	p.view = max(p.view, 0)
	for _, v := range p.views {
		v.reset(p)
	}
}

func (p *Pane) viewName() string {
	if len(p.pages) == 0 || p.page().Err != nil {
		return ""
	}
	return p.current().name()
}

// page is the page shown; nil when there is none.
func (p *Pane) page() *Page {
	if p.cur < 0 || p.cur >= len(p.pages) {
		return nil
	}
	return p.pages[p.cur]
}

func (p *Pane) current() view { return p.views[p.view] }

// Page is the page shown; nil when there is none.
func (p *Pane) Page() *Page { return p.page() }

// PageNumber is the number of the page shown, from 1.
func (p *Pane) PageNumber() int { return p.cur + 1 }

// HasAnswer tells whether there is anything to read.
func (p *Pane) HasAnswer() bool { return p.page() != nil }

// HasRecords tells whether the page holds records.
func (p *Pane) HasRecords() bool { return p.page() != nil && p.page().Len() > 0 }

// HasPrevious tells whether there is a page before the one shown.
func (p *Pane) HasPrevious() bool { return p.cur > 0 }

// NoNext says why there is no next page to ask for; "" when there is one.
func (p *Pane) NoNext() string {
	if p.cur+1 < len(p.pages) && !p.together {
		return ""
	}
	n := p.Last().Next
	if p.page().Err != nil {
		return "the call failed, so there is no next page"
	}
	if n.State == pages.More {
		return ""
	}
	return n.Text()
}

// NextOp is the operation that asks for the page after the last one.
func (p *Pane) NextOp() (client.Operation, bool) {
	page := p.page()
	if p.together {
		page = p.Last()
	}
	if page == nil || page.Next.State != pages.More {
		return client.Operation{}, false
	}
	return page.Next.Op, true
}

// Scope names the view for key dispatch.
func (p *Pane) Scope() string { return p.current().scope() }

// CycleView shows the next or previous view that fits.
func (p *Pane) CycleView(d int) intent.Intent {
	for i := 1; i <= len(p.views); i++ {
		at := ((p.view+d*i)%len(p.views) + len(p.views)) % len(p.views)
		if p.views[at].fits(p) {
			p.ShowView(p.views[at].name())
			return p.Examine()
		}
	}
	return nil
}

// ViewNames are the views that fit the answer, in the order of their tabs.
func (p *Pane) ViewNames() []string {
	var out []string
	for _, v := range p.views {
		if p.HasAnswer() && v.fits(p) {
			out = append(out, v.name())
		}
	}
	return out
}

// ShowView shows the view of that name, on the same cursor.
func (p *Pane) ShowView(name string) {
	for i, v := range p.views {
		if v.name() == name && v.fits(p) {
			p.view = i
			v.enter(p)
		}
	}
}

// OpenRecord shows the record under the cursor.
func (p *Pane) OpenRecord() intent.Intent {
	p.ShowView("Record")
	return nil
}

// Leave goes back from a view to the first one, or takes a filter or the marks
// away; false when there is nothing to leave.
func (p *Pane) Leave() (in intent.Intent, left bool) {
	switch {
	case !p.HasAnswer():
		return nil, false
	case p.filtered():
		return p.unfilter(), true
	case p.current().name() == "Table" && p.Unmark():
		return nil, true
	}
	if first := p.firstView(); first != p.view {
		p.ShowView(p.views[first].name())
		return nil, true
	}
	return nil, p.closeOver()
}

// unfilter takes the newest filter of the table away, or the search.
func (p *Pane) unfilter() intent.Intent {
	if v, ok := p.current().(*tableView); ok {
		v.load(p)
		return v.unfilter(p)
	}
	return p.apply(terms{})
}

// filtered tells whether the view is searched or its rows are filtered.
func (p *Pane) filtered() bool {
	if v, ok := p.current().(*tableView); ok {
		return v.filtered()
	}
	return p.find.text != ""
}

// firstView is the view that an answer opens with.
func (p *Pane) firstView() int {
	for i, v := range p.views {
		if v.fits(p) {
			return i
		}
	}
	return p.view
}

// Fit tells the pane its size.
func (p *Pane) Fit(w, h int) { p.width, p.height = w, h }

// ToggleWrap turns the wrapping of long lines on or off.
func (p *Pane) ToggleWrap() {
	if p.HasAnswer() && p.current().name() == "Record" {
		p.cut = !p.cut
		return
	}
	p.wrap = !p.wrap
}

// stepRecord goes to another record, in the order of the table and among its rows.
func (p *Pane) stepRecord(d int) {
	v := p.tableView()
	if v.load(p); v.leads(p) {
		v.move(p, 0, d)
		return
	}
	p.step(d)
}

// step goes to another record of the page.
func (p *Pane) step(d int) { p.row = min(max(p.row+d, 0), max(p.page().Len()-1, 0)) }

// Move moves the cursor of the view.
func (p *Pane) Move(dx, dy int) {
	if p.HasAnswer() {
		p.current().move(p, dx, dy)
	}
}

// Half moves by half windows.
func (p *Pane) Half(d int) { p.Move(0, d*max((p.height-2)/2, 1)) }

// Facts is the truth line in about w cells: status, rows, time, size, page, more or not.
func (p *Pane) Facts(w int) string {
	page := p.page()
	if page == nil {
		return ""
	}
	if page.Err != nil {
		f := strings.ToLower(classWords[page.Err.Class])
		if page.Status() != 0 {
			f = fmt.Sprintf("%d · %s", page.Status(), f)
		}
		return f + " · " + durationText(page.Took())
	}
	if page.Document != nil {
		return page.documentFacts()
	}
	if name := p.current().name(); p.together && (name == "Table" || name == "Pages") {
		return fitting(w, p.togetherFacts())
	}
	return fitting(w, page.facts(p.cur+1))
}

// togetherFacts are those of all pages as one table.
func (p *Pane) togetherFacts() []fact {
	var rows, size int
	var took time.Duration
	for _, page := range p.pages {
		rows, size, took = rows+page.Len(), size+page.Size(), took+page.Took()
	}
	list := []fact{{rowsText(rows) + " of " + fmt.Sprintf("%d pages", len(p.pages)), 0}, {durationText(took), 2}, {sizeText(size), 3}}
	switch p.Last().Next.State {
	case pages.More:
		list = append(list, fact{"more", 0})
	case pages.End:
		list = append(list, fact{"no more", 0})
	case pages.Unknown:
		list = append(list, fact{"more unknown", 0})
	}
	return list
}

// fact is a part of the truth line; those of a higher rank are left out first
// where there is no room.
type fact struct {
	text string
	rank int
}

func (page *Page) facts(number int) []fact {
	list := []fact{{fmt.Sprint(page.Status()), 1}}
	if page.Index != nil {
		list = append(list, fact{rowsText(page.Len()), 0})
	}
	list = append(list, fact{durationText(page.Took()), 2}, fact{sizeText(page.Size()), 3})
	switch page.Next.State {
	case pages.More:
		list = append(list, fact{fmt.Sprintf("page %d, more", number), 0})
	case pages.End:
		list = append(list, fact{fmt.Sprintf("page %d, last", number), 0})
	case pages.Unknown:
		list = append(list, fact{fmt.Sprintf("page %d, more unknown", number), 0})
	}
	if n := len(page.Attempts()); n > 1 {
		list = append(list, fact{fmt.Sprintf("%d attempts", n), 2})
	}
	return list
}

// fitting joins the facts that fit into w cells.
func fitting(w int, list []fact) string {
	for worst := 3; ; worst-- {
		var parts []string
		for _, f := range list {
			if f.rank <= worst {
				parts = append(parts, f.text)
			}
		}
		if t := strings.Join(parts, " · "); worst == 0 || text.Width(t) <= w {
			return t
		}
	}
}
