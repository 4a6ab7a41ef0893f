// Package response shows what came back: the answer of an operation, page by
// page, as a table, a record, a tree, bytes, and as what happened on the wire. A
// view reads an Input and draws; the Pane owns them and all that changes. What an
// answer is stands in client/answer. It must not import the root of ui or a dialog.
package response

import (
	"context"
	"slices"
	"time"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/ui/intent"
	"patchbay/ui/undo"
)

// Pane is the response: the pages of one run seen through views that share a cursor.
type Pane struct {
	// Input is what the views read; the pane alone changes it.
	Input
	now func() time.Time
	// awaited is the document that is shown once there is something of it.
	awaited *answer.Document
	// canceled is set when the run was stopped before its answer came.
	canceled bool
	// refused says why the action cannot be run; empty when it can.
	refused string

	// offered names the views there are; none names all.
	offered []string

	views []view
	// view is the one shown; current has what it keeps of the page loaded.
	view view
	// line is being typed; nil when none is.
	line *line
	// before is the run before this one, of the same action.
	before []*answer.Page
	// under is what was shown before a derived answer was opened over it.
	under []shown
	// aside draws the record beside the view.
	aside recordView

	height int
	// undo holds what was done to the table of the pages noted.
	undo  undo.Stack[undone]
	noted []*answer.Page
}

// New returns an empty pane with the views of those names, the table among them;
// with all where none is named.
func New(now func() time.Time, views ...string) *Pane {
	p := &Pane{now: now, offered: views}
	p.renew()
	return p
}

// renew makes the views anew.
func (p *Pane) renew() {
	p.views = Views(p.offered...)
	p.view = p.views[0]
}

// Clear forgets the pages and waits for the answer of another action.
func (p *Pane) Clear(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	*p = Pane{now: p.now, offered: p.offered, height: p.height,
		Input: Input{kind: k, entity: e, action: a, layouts: p.layouts, wirelog: p.wirelog, width: p.width}}
	p.renew()
}

// Refused notes why the action cannot be run, in words that follow a colon.
func (p *Pane) Refused(why string) { p.refused = why }

// Start begins a new run; the pages of the one before stay until an answer comes.
func (p *Pane) Start(q answer.Question) {
	p.kind, p.entity, p.action, p.canceled = q.Kind, q.Entity, q.Action, false
}

// Stopped notes why the fetching of pages ended before its time. It stands
// with the pages until the next one comes.
func (p *Pane) Stopped(why string) { p.stopped = why }

// Canceled notes that the run was stopped.
func (p *Pane) Canceled() { p.canceled = len(p.pages) == 0 }

// Add shows an answer: as a further page of the run, or as the first of a new one.
func (p *Pane) Add(page *answer.Page, more bool) intent.Intent {
	p.canceled, p.stopped = false, ""
	keep := p.viewName()
	again := len(p.pages) > 0 && !page.IsFile() && page.Action != nil && p.pages[0].Action == page.Action &&
		len(p.under) == 0
	switch {
	case more && page.Err != nil:
		p.stopped = "The next page failed: " + page.Err.Error() + ". . tries again"
		return intent.Say{Text: p.stopped, Bad: true}
	case more && p.together:
		return p.Append(page)
	case more:
		p.leavePage()
		p.pages = append(p.pages[:p.cur+1:p.cur+1], page)
		p.cur = len(p.pages) - 1
	default:
		p.begin(page)
	}
	p.kind, p.entity, p.action = page.Kind, page.Entity, page.Action
	var in intent.Intent
	if more || again {
		in = p.turn(keep, again && !more)
	} else {
		p.show(keep)
	}
	return both(p.enterLedger(), in)
}

// begin starts a run with its first page and keeps the one before for comparing.
func (p *Pane) begin(page *answer.Page) {
	if p.doc = nil; page.Document != nil {
		p.doc = page
	}
	if len(p.pages) > 0 && p.pages[0].Action == page.Action && p.pages[0].Err == nil && page.Err == nil &&
		!page.IsFile() {
		p.before = p.pages
	}
	if len(p.under) > 0 {
		p.views = p.under[0].views // those of an answer: what is over it has its own
	}
	page.Marks.Clear() // an answer reopened begins without
	p.pages, p.cur, p.together, p.under = []*answer.Page{page}, 0, false, nil
	p.shelf = &answer.Shelf{}
}

// Shelf keeps the bodies of further pages of the run.
func (p *Pane) Shelf() *answer.Shelf { return p.shelf }

// Open shows a page that was kept, such as one from the log.
func (p *Pane) Open(page *answer.Page) intent.Intent { return p.Add(page, false) }

// show puts the cursor at the start of the current page and picks a view that fits.
func (p *Pane) show(name string) {
	p.row = 0
	p.find, p.line = finder{}, nil
	p.view = p.views[0]
	for i, v := range p.tabs() {
		if i == 0 || v.name() == name {
			p.view = v
		}
	}
	for _, v := range p.views {
		v.reset(p.Input)
	}
}

// tabs are the views that fit the answer, in their order.
func (p *Pane) tabs() []view {
	return slices.DeleteFunc(slices.Clone(p.views), func(v view) bool { return !p.HasAnswer() || !v.fits(p.Input) })
}

func (p *Pane) viewName() string {
	if len(p.pages) == 0 || p.Page().Err != nil {
		return ""
	}
	return p.view.name()
}

// current is the view shown, with what it keeps of the page.
func (p *Pane) current() view {
	if p.HasAnswer() {
		p.view.load(p.Input)
	}
	return p.view
}

// Scope names the view for key dispatch.
func (p *Pane) Scope() string { return p.view.scope() }

// CycleView shows the next or previous view that fits.
func (p *Pane) CycleView(d int) intent.Intent {
	tabs := p.tabs()
	n := len(tabs)
	if n == 0 {
		return nil
	}
	p.ShowView(tabs[(slices.Index(tabs, p.view)+d+n)%n].name())
	return p.Examine()
}

// ViewNames are the views that fit the answer, in the order of their tabs.
func (p *Pane) ViewNames() []string {
	var out []string
	for _, v := range p.tabs() {
		out = append(out, v.name())
	}
	return out
}

// ShowView shows the view of that name, on the same cursor.
func (p *Pane) ShowView(name string) {
	for _, v := range p.tabs() {
		if v.name() == name {
			p.view = v
			v.enter(p.Input)
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
	case p.view.name() == "Table" && p.Unmark():
		return nil, true
	}
	if tabs := p.tabs(); len(tabs) > 0 && tabs[0] != p.view {
		p.ShowView(tabs[0].name())
		return nil, true
	}
	return nil, p.closeOver()
}

// unfilter takes the newest filter of the table away, those under it stay; or the search.
func (p *Pane) unfilter() intent.Intent {
	v, ok := p.current().(*tableView)
	if !ok {
		return p.Find("")
	}
	list := v.inForce()
	list = list[:len(list)-1]
	top := terms{}
	if n := len(list); n > 0 {
		list, top = list[:n-1], list[n-1]
	}
	v.under = list
	return p.filterBy(top)
}

// filtered reports whether the view is searched or its rows are filtered.
func (p *Pane) filtered() bool {
	if v, ok := p.current().(*tableView); ok {
		return v.filtered()
	}
	return p.find.text != ""
}

// Searching reports whether the rows shown are those of a filter, or the view
// shows the hits of a search.
func (p *Pane) Searching() bool { return p.HasAnswer() && p.NoLine() == "" && p.filtered() }

// Fit tells the pane its size, and the view its room. A view that has none keeps its
// window until it is seen again.
func (p *Pane) Fit(w, h int) {
	p.width, p.height = w, h
	if !p.HasAnswer() {
		return
	}
	v := p.current()
	if rows := p.viewRows(w, h); rows > 0 {
		v.fit(p.Input, w, rows)
	}
	if p.line != nil {
		p.bar().Fit(w)
	}
	p.note()
}

// ToggleWrap turns the wrapping of long lines on or off.
func (p *Pane) ToggleWrap() {
	if p.HasAnswer() && p.view.name() == "Record" {
		p.cut = !p.cut
		return
	}
	p.wrap = !p.wrap
}

// Move moves the cursor of the view.
func (p *Pane) Move(dx, dy int) {
	if p.HasAnswer() {
		p.current().move(p.Input, dx, dy)
		p.follow()
	}
}

// Half moves by half windows.
func (p *Pane) Half(d int) { p.Move(0, d*max((p.height-2)/2, 1)) }

// follow makes the record under the cursor of the view the one that all show.
func (p *Pane) follow() { p.cur, p.row = p.view.record(p.Input) }

// ShowPage moves among the pages that are kept; ok is false when there is none
// in that direction.
func (p *Pane) ShowPage(d int) (in intent.Intent, ok bool) {
	at := p.cur + d
	if p.together || at < 0 || at >= len(p.pages) {
		return nil, false
	}
	return p.goToPage(at, p.viewName()), true
}

// goToPage shows a page that is kept, on the record where it was left.
func (p *Pane) goToPage(at int, view string) intent.Intent {
	p.leavePage()
	p.cur = at
	return p.turn(view, false)
}

// leavePage notes where the cursor is, for coming back.
func (p *Pane) leavePage() { p.Page().Visit.Row, p.Page().Visit.Left = p.row, true }

// turn shows another page: the rows stay filtered and sorted as they are, and the
// search continues in what the page holds. So do the columns, but for the page of
// another run, which may have been asked for other fields.
func (p *Pane) turn(view string, otherRun bool) intent.Intent {
	was := *p.tableView()
	if otherRun {
		was.columns = nil
	}
	find, line := p.find.terms, p.line
	p.show(view)
	p.row = min(p.Page().Visit.Row, max(p.Page().Len()-1, 0))
	p.current().enter(p.Input)
	if p.viewName() == view {
		p.line = line // typing continues
	}
	in := p.resume(&was)
	if v, ok := p.current().(seeker); ok && find.text != "" {
		p.find = finder{terms: find}
		return both(in, p.seek(v))
	}
	return in
}

// both does one work after the other, as one: a second would end the first.
func both(a, b intent.Intent) intent.Intent {
	first, one := a.(intent.Task)
	then, two := b.(intent.Task)
	if !one || !two {
		return intent.All{a, b}
	}
	undo := func() {
		for _, w := range []intent.Task{first, then} {
			if w.Undo != nil {
				w.Undo()
			}
		}
	}
	return intent.Task{What: then.What, Undo: undo, Do: func(ctx context.Context) (func() intent.Intent, error) {
		var given []func() intent.Intent
		for _, w := range []intent.Task{first, then} {
			apply, err := w.Do(ctx)
			if err != nil {
				return nil, err
			}
			given = append(given, apply)
		}
		return func() intent.Intent {
			var all intent.All
			for _, apply := range given {
				if apply != nil {
					all = append(all, apply())
				}
			}
			return all
		}, nil
	}}
}

// shown is what the pane showed before something was opened over it.
type shown struct {
	pages     []*answer.Page
	cur, row  int
	together  bool
	views     []view
	view      view
	find      finder
	unsettled bool // a document was still being read
}

// OpenOver shows a page made from what is shown, such as the result of a
// query; leaving it goes back.
func (p *Pane) OpenOver(page *answer.Page) {
	p.under = append(p.under, shown{p.pages, p.cur, p.row, p.together, p.views, p.view, p.find, p.Page().Growing()})
	p.pages, p.cur, p.together = []*answer.Page{page}, 0, false
	p.renew()
	p.show("")
}

// closeOver goes back to what was shown before, as it was; false when nothing was.
func (p *Pane) closeOver() bool {
	n := len(p.under)
	if n == 0 {
		return false
	}
	back := p.under[n-1]
	p.pages, p.cur, p.under, p.together = back.pages, back.cur, p.under[:n-1], back.together
	p.views, p.view = back.views, back.view
	if back.unsettled { // other columns may have been found since
		p.show(p.viewName())
	}
	p.find, p.line = back.find, nil
	p.row = min(back.row, max(p.Page().Len()-1, 0))
	p.current().enter(p.Input)
	return true
}
