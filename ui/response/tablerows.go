package response

import (
	"context"
	"slices"
	"strings"

	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
)

// arrangement is how rows are filtered and sorted.
type arrangement struct {
	terms terms
	// under are filters kept before, which the rows must pass too.
	under []terms
	// sort is never changed in place.
	sort []records.SortKey
}

// settle notes that the rows shown are those asked for; work that is under way
// for others counts no more.
func (v *tableView) settle() {
	v.asked++
	v.arranging, v.settled, v.last = false, true, v.arrangement
}

// unsettle goes back to how the rows shown are arranged.
func (v *tableView) unsettle() { v.arranging, v.settled, v.arrangement = false, true, v.last }

// arranged reports whether the rows are filtered or sorted.
func (v *tableView) arranged() bool {
	return v.rows != nil || len(v.sort) > 0 || v.filtered()
}

// filtered reports whether a filter is in force.
func (v *tableView) filtered() bool { return v.terms.text != "" || len(v.under) > 0 }

// inForce are all filters that rows must pass, oldest first.
func (v *tableView) inForce() []terms {
	list := slices.Clone(v.under)
	if v.terms.text != "" {
		list = append(list, v.terms)
	}
	return list
}

// filterBy keeps the rows that pass.
func (p *Pane) filterBy(t terms) intent.Intent {
	v := p.tableView()
	v.load(p.Input)
	v.terms, v.settled = t, false
	return p.arrange()
}

// filterOf makes a filter of terms. A column that this page does not have is absent
// in all its rows.
func (v *tableView) filterOf(t terms) records.Filter {
	f := records.Filter{Text: t.text, Mode: t.mode, Invert: t.invert}
	switch {
	case t.column != "":
		known := v.known()
		if i := slices.IndexFunc(known, func(c records.Column) bool { return c.Name == t.column }); i >= 0 {
			f.Column = &known[i]
			break
		}
		f.Column = &records.Column{Name: t.column, Derive: func(rawjson.Node) rawjson.Node { return rawjson.Node{} }}
	case t.shown:
		f.Columns = v.shownColumns()
	}
	return f
}

// rescope filters anew where the filter looks at the columns shown and others
// are shown now.
func (p *Pane) rescope() intent.Intent {
	if !slices.ContainsFunc(p.tableView().inForce(), func(t terms) bool { return t.shown }) {
		return nil
	}
	return p.again()
}

// chip is the filter in force, and how many rows pass it; empty without one.
func (v *tableView) chip() (words, count string) {
	switch {
	case !v.filtered() || v.set == nil:
		return "", ""
	case !v.settled:
		count = "filtering"
	default:
		count = quantity.Digits(v.count()) + " of " + quantity.Digits(v.set.Len())
	}
	var list []string
	for _, t := range v.inForce() {
		list = append(list, t.lead()+" \""+t.text+"\"")
	}
	return strings.Join(list, ", "), count
}

// loaded tells that a filter is not asked of a server, where there is one.
func (v *tableView) loaded() string {
	if v.page.Document != nil || !v.settled {
		return ""
	}
	return " loaded"
}

// followTable makes the record under the cursor of the table the one that all show.
func (p *Pane) followTable() { p.cur, p.row = p.tableView().record(p.Input) }

// arrange filters and sorts beside the update loop.
func (p *Pane) arrange() intent.Intent {
	v := p.tableView()
	var filters []records.Filter
	for _, t := range v.inForce() {
		filters = append(filters, v.filterOf(t))
	}
	if len(filters) == 0 && len(v.sort) == 0 {
		v.rows = nil
		v.settle()
		v.enter(p.Input)
		return nil
	}
	v.asked++
	v.arranging = true
	asked, set, n, keys := v.asked, v.set, v.set.Len(), v.sort
	what := "filtering"
	if len(filters) == 0 {
		what = "sorting"
	}
	work := intent.Work(what, func(ctx context.Context) ([]int32, error) {
		return arranged(ctx, set, n, filters, keys)
	}, func(rows []int32) intent.Intent {
		switch {
		case v.asked != asked:
		case v.set != set:
			v.unsettle()
		default:
			v.rows, v.looked = rows, n
			v.settle()
			v.scroll.Cursor, v.scroll.Top = 0, 0
			p.followTable()
		}
		return nil
	})
	work.Undo = func() {
		if v.asked == asked {
			v.unsettle()
		}
	}
	return work
}

func arranged(ctx context.Context, set *records.Set, n int, filters []records.Filter,
	keys []records.SortKey) (rows []int32, err error) {
	rows = records.AllRows(n)
	if len(filters) > 0 {
		if rows, err = records.Filtered(ctx, set, rows, filters, intent.Report(ctx)); err != nil {
			return nil, err
		}
	}
	if len(keys) > 0 {
		if rows, err = records.Sorted(ctx, set, rows, keys, intent.Report(ctx)); err != nil {
			return nil, err
		}
	}
	if rows == nil {
		rows = []int32{}
	}
	return rows, nil
}

// resume filters and sorts the rows of another page as those of the table that was
// shown before. A page without rows passes the order on.
func (p *Pane) resume(was *tableView) intent.Intent {
	v := p.tableView()
	v.arrangement = was.arrangement
	if !v.fits(p.Input) {
		return nil
	}
	if _, chosen := p.remembered(); !chosen {
		v.join(was.columns)
	}
	v.col = max(slices.Index(v.names(), was.column()), 0)
	v.settled = false
	if p.Page().Visit.Left {
		return p.again()
	}
	return p.arrange()
}

// fewRows is up to how many rows are arranged anew with each one that comes.
const fewRows = 20_000

// behind reports whether rows came since the rows were arranged: all that there
// will be, or enough to arrange them anew.
func (v *tableView) behind(in Input) bool {
	if v.page == nil || v.page != in.doc || !v.arranged() || v.arranging {
		return false
	}
	n := v.set.Len()
	return n > v.looked && (v.page.Complete() || n < fewRows || n/4 > v.looked/3)
}

// catchUp arranges the rows anew where more came, unless something else is done now.
func (p *Pane) catchUp() intent.Intent {
	v := p.tableView()
	if !v.behind(p.Input) {
		return nil
	}
	work, ok := p.again().(intent.Task)
	if !ok {
		return nil
	}
	work.Lane = intent.Idle
	return work
}

// again filters and sorts anew after rows or columns changed.
func (p *Pane) again() intent.Intent {
	v := p.tableView()
	if !v.arranged() {
		return nil
	}
	in := p.arrange()
	work, ok := in.(intent.Task)
	if !ok {
		return in
	}
	// The record under the cursor stays under it, wherever it is now.
	return work.Around(func(apply func() intent.Intent) intent.Intent {
		row := v.rowAt(v.scroll.Cursor)
		in := apply()
		if i := slices.Index(v.rows, int32(row)); i >= 0 {
			v.scroll.Cursor = i
			p.followTable()
		}
		return in
	})
}

// Sort sorts by the column under the cursor: rising, falling, then not at all.
func (p *Pane) Sort(add bool) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	c := v.columns[v.col].Column
	v.sort = slices.Clone(v.sort)
	at := slices.IndexFunc(v.sort, func(k records.SortKey) bool { return k.Column.Name == c.Name })
	switch {
	case at < 0 && add:
		v.sort = append(v.sort, records.SortKey{Column: &c})
	case at < 0:
		v.sort = []records.SortKey{{Column: &c}}
	case !v.sort[at].Desc:
		v.sort[at].Desc = true
	default:
		v.sort = slices.Delete(v.sort, at, at+1)
	}
	return p.arrange()
}

// FilterColumn keeps those of the rows shown whose cell in the column holds a
// value of its summary.
func (p *Pane) FilterColumn(column string, value SummaryValue) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	v.under = v.inForce()
	return p.filterBy(terms{text: value.Exact, mode: value.mode, column: column})
}

// Mark marks or unmarks the row under the cursor and continues to the next; it ends a
// range of marks.
func (p *Pane) Mark() {
	v := p.onTable()
	switch {
	case v == nil || v.count() == 0:
	case v.anchor >= 0:
		v.markRange()
	default:
		row := v.rowAt(v.scroll.Cursor)
		v.setMark(row, !v.marked(row))
		p.Move(0, 1)
	}
}

// MarkRange starts or ends a range of marks.
func (p *Pane) MarkRange() {
	v := p.onTable()
	switch {
	case v == nil || v.count() == 0:
	case v.anchor < 0:
		v.anchor = v.scroll.Cursor
	default:
		v.markRange()
	}
}

// Unmark takes all marks away, on every page; it reports whether there were any.
func (p *Pane) Unmark() bool {
	v := p.tableView()
	if p.markCount() == 0 && v.anchor < 0 {
		return false
	}
	for _, page := range p.pages {
		page.Marks.Clear()
	}
	v.anchor = -1
	return true
}

func (v *tableView) markRange() {
	for i := min(v.anchor, v.scroll.Cursor); i <= max(v.anchor, v.scroll.Cursor) && i < v.count(); i++ {
		v.setMark(v.rowAt(i), true)
	}
	v.anchor = -1
}

// marked reports whether a row is marked. Marks belong to the pages, so that they
// are there whichever page is shown.
func (v *tableView) marked(row int) bool {
	page, record := v.set.PageOf(row)
	return page >= 0 && v.parts[page].Marks.Has(record)
}

func (v *tableView) setMark(row int, on bool) {
	if page, record := v.set.PageOf(row); page >= 0 {
		v.parts[page].Marks.Set(record, on)
	}
}
