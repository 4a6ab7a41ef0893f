package result

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"patchbay/client/export"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// arrangement is how rows are filtered and sorted.
type arrangement struct {
	terms  terms
	under  []terms
	filter string
	sort   []records.SortKey
}

// settle notes that the rows shown are those asked for; work that is under way
// for others counts no more.
func (v *tableView) settle() {
	v.asked++
	v.arranging = false
	v.last, v.settled = arrangement{v.terms, v.under, v.filter, slices.Clone(v.sort)}, true
}

// unsettle goes back to how the rows shown are arranged.
func (v *tableView) unsettle() {
	v.arranging = false
	v.terms, v.under, v.filter, v.sort, v.settled = v.last.terms, v.last.under, v.last.filter, slices.Clone(v.last.sort), true
}

// arranged tells whether the rows are filtered or sorted.
func (v *tableView) arranged() bool {
	return v.rows != nil || len(v.sort) > 0 || v.filtered()
}

// filtered tells whether a filter is in force.
func (v *tableView) filtered() bool { return v.terms.text != "" || len(v.under) > 0 }

// inForce are all filters that rows must pass, oldest first.
func (v *tableView) inForce() []terms {
	list := slices.Clone(v.under)
	if v.terms.text != "" {
		list = append(list, v.terms)
	}
	return list
}

// unfilter takes the newest filter away; those under it stay.
func (v *tableView) unfilter(p *Pane) intent.Intent {
	list := v.inForce()
	list = list[:len(list)-1]
	top := terms{}
	if n := len(list); n > 0 {
		list, top = list[:n-1], list[n-1]
	}
	v.under = list
	return v.filterBy(p, top)
}

// filterBy keeps the rows that pass.
func (v *tableView) filterBy(p *Pane, t terms) intent.Intent {
	v.load(p)
	v.setTerms(t)
	return v.arrange(p)
}

func (v *tableView) setTerms(t terms) {
	v.terms, v.filter, v.settled = t, "", false
	if t.text != "" && !t.invert && t.mode == records.Contains {
		v.filter = t.text
	}
}

// filterOf makes a filter of terms.
func (v *tableView) filterOf(t terms) records.Filter {
	f := records.Filter{Text: t.text, Mode: t.mode, Invert: t.invert}
	switch {
	case t.column != "":
		f.Column = v.columnOf(t.column)
	case t.shown:
		f.Columns = v.shownColumns()
	}
	return f
}

// columnOf finds a column by its name. One that this page does not have is
// absent in all its rows.
func (v *tableView) columnOf(name string) *records.Column {
	for _, c := range v.known() {
		if c.Name == name {
			return &c
		}
	}
	return &records.Column{Name: name, Derive: func(rawjson.Node) rawjson.Node { return rawjson.Node{} }}
}

// rescope filters anew where the filter looks at the columns shown and others
// are shown now.
func (v *tableView) rescope(p *Pane) intent.Intent {
	if !slices.ContainsFunc(v.inForce(), func(t terms) bool { return t.shown }) {
		return nil
	}
	return v.again(p)
}

// kept tells how many rows pass: "12 of 1,000 rows".
func (v *tableView) kept() string {
	switch {
	case !v.filtered():
		return rowsText(v.set.Len())
	case !v.settled:
		return "filtering"
	}
	return groupDigits(v.count()) + " of " + rowsText(v.set.Len())
}

// chip is the filter in force, and how many rows pass it; empty without one.
func (v *tableView) chip() (words, count string) {
	switch {
	case !v.filtered() || v.set == nil:
		return "", ""
	case !v.settled:
		count = "filtering"
	default:
		count = groupDigits(v.count()) + " of " + groupDigits(v.set.Len())
	}
	var list []string
	for _, t := range v.inForce() {
		list = append(list, t.lead()+" \""+t.text+"\"")
	}
	return safe(strings.Join(list, ", ")), count
}

func safe(t string) string { return text.Sanitize(t) }

// arrange filters and sorts beside the update loop.
func (v *tableView) arrange(p *Pane) intent.Intent {
	var filters []records.Filter
	for _, t := range v.inForce() {
		filters = append(filters, v.filterOf(t))
	}
	if len(filters) == 0 && len(v.sort) == 0 {
		v.rows = nil
		v.settle()
		v.enter(p)
		return nil
	}
	v.asked++
	v.arranging = true
	asked, set, n, keys := v.asked, v.set, v.set.Len(), slices.Clone(v.sort)
	what := "filtering"
	if len(filters) == 0 {
		what = "sorting"
	}
	undo := func() {
		if v.asked == asked {
			v.unsettle()
		}
	}
	return intent.Work{What: what, Undo: undo, Do: func(ctx context.Context) (func() intent.Intent, error) {
		rows, err := arranged(ctx, set, n, filters, keys)
		if err != nil {
			return nil, err
		}
		return func() intent.Intent {
			if v.asked != asked {
				return nil
			}
			if v.set != set {
				v.unsettle()
				return nil
			}
			v.rows, v.looked = rows, n
			v.settle()
			v.scroll.Cursor, v.scroll.Top = 0, 0
			v.follow(p)
			return nil
		}, nil
	}}
}

func arranged(ctx context.Context, set *records.Set, n int, filters []records.Filter, keys []records.SortKey) (rows []int32, err error) {
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

// fewRows is up to how many rows are arranged anew with each one that comes.
const fewRows = 20_000

// behind tells whether rows came since the rows were arranged: all that there
// will be, or enough to arrange them anew.
func (v *tableView) behind(p *Pane) bool {
	if v.page == nil || v.page != p.doc || !v.arranged() || v.arranging {
		return false
	}
	n := v.set.Len()
	return n > v.looked && (v.page.complete || n < fewRows || n/4 > v.looked/3)
}

// catchUp arranges the rows anew where more came, unless something else is done now.
func (v *tableView) catchUp(p *Pane) intent.Intent {
	if !v.behind(p) {
		return nil
	}
	work, ok := v.again(p).(intent.Work)
	if !ok {
		return nil
	}
	work.Idle = true
	return work
}

// again filters and sorts anew after rows or columns changed.
func (v *tableView) again(p *Pane) intent.Intent {
	if !v.arranged() {
		return nil
	}
	in := v.arrange(p)
	work, ok := in.(intent.Work)
	if !ok {
		return in
	}
	// The record under the cursor stays under it, wherever it is now.
	return work.Around(func(apply func() intent.Intent) intent.Intent {
		row := v.rowAt(v.scroll.Cursor)
		in := apply()
		if i := slices.Index(v.rows, int32(row)); i >= 0 {
			v.scroll.Cursor = i
			v.follow(p)
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
	return v.arrange(p)
}

// FilterColumn keeps those of the rows shown whose cell in the column holds a
// value of its summary.
func (p *Pane) FilterColumn(column string, value SummaryValue) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	v.under = v.inForce()
	return v.filterBy(p, terms{text: value.Exact, mode: value.mode, column: column})
}

func (v *tableView) copies(p *Pane) []CopyOption {
	var out []CopyOption
	if c, ok := p.Cell(); ok {
		out = c.copies()
	}
	if n := p.markCount(); n > 0 {
		out = append(out, v.markedCopies(p, markedRowsText(n))...)
	}
	set, shown := v.set, v.shownRows()
	out = append(out, CopyOption{Title: "All rows shown as NDJSON", What: "rows", Text: func(context.Context) (string, error) { return ndjson(set, shown) }})
	return append(out, recordCopies(p)...)
}

// markedCopies copy the marked rows in each of the formats that they are exported in.
func (v *tableView) markedCopies(p *Pane, which string) []CopyOption {
	set, rows := p.markedRows()
	var out []CopyOption
	for _, f := range export.Formats {
		o := export.Options{SafeFormulas: true}
		if f.Tabular() {
			o.Columns = v.shownColumns()
		}
		out = append(out, CopyOption{Title: which + " as " + formatTitles[f], What: "marked rows", Text: func(ctx context.Context) (string, error) {
			var b clipping
			if _, err := export.Write(ctx, &b, f, set, rows, o, nil); err != nil {
				return "", err
			}
			return b.String(), nil
		}})
	}
	return out
}

// clipping is text for a clipboard: it takes no more than fits there.
type clipping struct{ strings.Builder }

func (c *clipping) Write(b []byte) (int, error) {
	if c.Len()+len(b) > copyLimit {
		return 0, errTooMuch
	}
	return c.Builder.Write(b)
}

var errTooMuch = fmt.Errorf("these rows are more than %s, too much for a clipboard: E writes them to a file", sizeText(copyLimit))

// shownRows are the rows of the table in their order.
func (v *tableView) shownRows() []int32 {
	if v.rows != nil {
		return v.rows
	}
	return records.AllRows(v.set.Len())
}

func ndjson(set *records.Set, rows []int32) (string, error) {
	var b []byte
	for _, r := range rows {
		rec := set.Record(int(r))
		if rec.Cut() {
			return "", fmt.Errorf("record %d is cut off, so it cannot be copied whole", r+1)
		}
		b, _ = rec.AppendCompact(b, 0)
		b = append(b, '\n')
		if len(b) > copyLimit {
			return "", errTooMuch
		}
	}
	return string(b), nil
}
