package result

import (
	"context"
	"slices"

	"patchbay/client/records"
	"patchbay/ui/intent"
)

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
	return p.turn(view)
}

// leavePage notes where the cursor is, for coming back.
func (p *Pane) leavePage() { p.page().at, p.page().left = p.row, true }

// turn shows another page of the same run: the rows stay filtered and sorted as
// they are, the columns stay, and the search goes on in what the page holds.
func (p *Pane) turn(view string) intent.Intent { return p.carry(view, p.tableView().order()) }

// rerun shows the first page of another run of the same action. Its columns are
// its own: it may have been asked for other fields.
func (p *Pane) rerun(view string) intent.Intent {
	was := p.tableView().order()
	was.columns = nil
	return p.carry(view, was)
}

func (p *Pane) carry(view string, was order) intent.Intent {
	find, line := p.find.terms, p.line
	p.show(view)
	p.row = min(p.page().at, max(p.page().Len()-1, 0))
	p.current().enter(p)
	if p.viewName() == view {
		p.line = line // typing goes on
	}
	in := p.tableView().resume(p, was)
	if v, ok := p.current().(seeker); ok && find.text != "" {
		p.find = finder{terms: find}
		return both(in, p.seek(v))
	}
	return in
}

// both does one work after the other, as one: a second would end the first.
func both(a, b intent.Intent) intent.Intent {
	first, one := a.(intent.Work)
	then, two := b.(intent.Work)
	if !one || !two {
		return intent.All{a, b}
	}
	undo := func() {
		for _, w := range []intent.Work{first, then} {
			if w.Undo != nil {
				w.Undo()
			}
		}
	}
	return intent.Work{What: then.What, Undo: undo, Do: func(ctx context.Context) (func() intent.Intent, error) {
		applyFirst, err := first.Do(ctx)
		if err != nil {
			return nil, err
		}
		applyThen, err := then.Do(ctx)
		if err != nil {
			return nil, err
		}
		return func() intent.Intent { return intent.All{applied(applyFirst), applied(applyThen)} }, nil
	}}
}

// applied applies what work gave, if that is anything.
func applied(apply func() intent.Intent) intent.Intent {
	if apply == nil {
		return nil
	}
	return apply()
}

// order is how the rows of a table are filtered and sorted, and what is shown of them.
type order struct {
	terms
	under   []terms
	sort    []records.SortKey
	columns []column
	// at is the name of the column under the cursor.
	at string
}

func (v *tableView) order() order {
	was := order{terms: v.terms, under: v.under, sort: slices.Clone(v.sort), columns: v.columns}
	if v.col < len(v.columns) {
		was.at = v.columns[v.col].Name
	}
	return was
}

// resume filters and sorts the rows of another page as those before were. A
// page without rows passes the order on.
func (v *tableView) resume(p *Pane, was order) intent.Intent {
	v.sort, v.under = was.sort, was.under
	if !v.fits(p) {
		v.terms = was.terms
		return nil
	}
	if _, chosen := p.remembered(); !chosen {
		v.join(was.columns)
	}
	v.col = max(slices.Index(v.names(), was.at), 0)
	v.setTerms(was.terms)
	if p.page().left {
		return v.again(p)
	}
	return v.arrange(p)
}

// shown is what the pane showed before something was opened over it.
type shown struct {
	pages     []*Page
	cur, row  int
	together  bool
	views     []view
	view      int
	find      finder
	unsettled bool // a document was still being read
}

// OpenOver shows a page made from what is shown, such as the result of a
// query; leaving it goes back.
func (p *Pane) OpenOver(page *Page) {
	p.under = append(p.under, shown{p.pages, p.cur, p.row, p.together, p.views, p.view, p.find, p.page().Growing()})
	p.pages, p.cur, p.together, p.views = []*Page{page}, 0, false, Views()
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
	p.row = min(back.row, max(p.page().Len()-1, 0))
	p.current().enter(p)
	return true
}
