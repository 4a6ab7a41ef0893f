package response

import (
	"slices"

	"patchbay/client/answer"
	"patchbay/client/records"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Limits of the table's drawing, in cells and bytes.
const (
	maxColumnWidth = 30
	minColumnWidth = 4
	// widest is how wide a person can make a column.
	widest      = 200
	cellBytes   = 512
	widthSample = 60
)

// column is one column as shown.
type column struct {
	records.Column
	// width is that on the screen, natural the one without regard to others, need what
	// shows all of it; of says how it gives way.
	width, natural, need, of int
	right                    bool // numbers stand at the right
}

// tableView shows the records as rows: those of the page shown, or of all
// pages of the run together.
type tableView struct {
	base
	// page and pages are what is loaded: one page, or the first pages of the run.
	page  *answer.Page
	pages int
	set   *records.Set
	// parts are the pages whose records the set holds, in its order.
	parts []*answer.Page
	all   []records.Column
	table *records.Table

	columns []column
	pinned  int
	widths  map[string]int
	derived []*answer.Computed

	// rows are the records shown, in order; nil shows all as received.
	rows []int32
	// arrangement is how the rows were asked to be filtered and sorted last, settled is
	// set once they are; last is how the rows shown are.
	arrangement
	settled bool
	last    arrangement
	// asked counts how often they were asked for, arranging is set until that is done,
	// looked is how many rows there were then.
	asked     int
	arranging bool
	looked    int
	anchor    int // the other end of a range being marked; -1 without one

	scroll input.Scroll
	col    int
	left   int // first column after the pinned ones
	until  int // first column that is not shown at the right
	// grabbed is where the column whose border is dragged begins.
	grabbed int
	lastHit rowHit
	// cells are those of the rows shown last, window those of the rows shown now.
	cells  decoded
	window [][]records.Cell
}

func (v *tableView) fits(in Input) bool {
	return in.HasAnswer() && in.Page().Err == nil && in.Page().Index != nil && !in.Page().Env.Single
}

func (v *tableView) tab(in Input) text.Safe {
	t := text.Safe("Table")
	if in.together {
		t = text.Sprintf("Table of %d pages", len(in.pages))
	}
	if n := in.markCount(); n > 0 {
		t += text.Sprintf(" %d marked", n)
	}
	return t
}

func (v *tableView) reset(in Input) {
	v.page, v.rows, v.arrangement = nil, nil, arrangement{}
	v.settle()
	v.anchor = -1
	v.scroll = input.Scroll{Height: v.scroll.Height}
	v.col, v.left = 0, 0
	v.load(in)
}

func (v *tableView) names() []string {
	names := make([]string, len(v.columns))
	for i, c := range v.columns {
		names[i] = c.Name
	}
	return names
}

// column is the name of the column under the cursor; empty without one.
func (v *tableView) column() string {
	if v.col < len(v.columns) {
		return v.columns[v.col].Name
	}
	return ""
}

// load shows the page of the pane, or all its pages, unless they are shown already.
// Pages only come at the end, so that rows keep their numbers.
func (v *tableView) load(in Input) {
	if !v.fits(in) {
		return
	}
	first, n := in.Page(), 0
	if in.together {
		first, n = in.pages[0], len(in.pages)
	}
	if v.page == first && v.pages == n {
		return
	}
	fresh := v.page != first || v.pages == 0 || n == 0
	switch {
	case n == 0:
		v.set, v.all, v.parts = first.Set, first.Columns, []*answer.Page{first}
	case fresh:
		v.set, v.all, v.parts = answer.SetOf(in.pages), columnsOf(nil, in.pages), in.parts()
	default:
		v.set, v.all, v.parts = answer.SetOf(in.pages), columnsOf(v.all, in.pages[v.pages:]), in.parts()
	}
	v.page, v.pages = first, n
	if fresh {
		v.choose(in)
		return
	}
	at := v.column()
	if _, chosen := in.remembered(); !chosen {
		v.join(v.columns)
	}
	v.retable()
	v.col = max(slices.Index(v.names(), at), 0)
}

// grown takes the columns of a page that is whole now, unless the person chose some.
func (v *tableView) grown(in Input) {
	if v.page != in.Page() || v.page.Visit.Chosen {
		return
	}
	v.all = v.page.Columns
	at := v.column()
	v.choose(in)
	if i := slices.Index(v.names(), at); i >= 0 {
		v.col = i
	}
}

// choose shows the columns that the person once chose for the entity, else the useful ones.
func (v *tableView) choose(in Input) {
	v.columns, v.pinned, v.widths = nil, 1, nil
	l, ok := in.remembered()
	if in.ofEntity() {
		v.recompute(l.Computed)
	}
	if ok {
		v.pinned, v.widths = max(l.Pinned, 0), l.Widths
		v.take(l.Columns)
	}
	if len(v.columns) == 0 {
		v.useful()
		for _, c := range v.derived {
			v.columns = append(v.columns, column{Column: c.Column()})
		}
	}
	v.retable()
	v.measure()
}

// take shows the named columns in that order.
func (v *tableView) take(names []string) {
	v.columns = nil
	for _, n := range names {
		for _, c := range v.known() {
			if c.Name == n {
				v.columns = append(v.columns, column{Column: c})
			}
		}
	}
}

// known are all columns that can be shown.
func (v *tableView) known() []records.Column {
	known := v.all[:len(v.all):len(v.all)]
	for _, c := range v.derived {
		if !slices.ContainsFunc(v.all, func(data records.Column) bool { return data.Name == c.Name }) {
			known = append(known, c.Column())
		}
	}
	return known
}

// useful shows the columns that are of use; all where none is.
func (v *tableView) useful() {
	list := slices.DeleteFunc(slices.Clone(v.all), func(c records.Column) bool { return !c.Useful() })
	if len(list) == 0 {
		list = v.all
	}
	for _, c := range list {
		v.columns = append(v.columns, column{Column: c})
	}
}

// shownColumns are the columns shown, in order.
func (v *tableView) shownColumns() []records.Column {
	columns := make([]records.Column, len(v.columns))
	for i, c := range v.columns {
		columns[i] = c.Column
	}
	return columns
}

// retable makes the table anew after the columns or the pages changed.
func (v *tableView) retable() {
	v.table = records.NewTable(v.set, v.shownColumns())
	v.col = min(v.col, max(len(v.columns)-1, 0))
	v.pinned = min(v.pinned, len(v.columns))
}

func (v *tableView) count() int {
	if v.rows != nil {
		return len(v.rows)
	}
	if v.set == nil {
		return 0
	}
	return v.set.Len()
}

// rowAt is the record number of line i; -1 without one.
func (v *tableView) rowAt(i int) int {
	if v.rows == nil {
		return i
	}
	if i < 0 || i >= len(v.rows) {
		return -1
	}
	return int(v.rows[i])
}

// leads reports whether the table's cursor is on the record that other views show.
func (v *tableView) leads(in Input) bool {
	return v.fits(in) && v.set != nil && v.count() > 0 && v.rowAt(v.scroll.Cursor) == v.recordRow(in)
}

func (v *tableView) move(_ Input, dx, dy int) {
	v.scroll.Move(dy, v.count())
	if dx != 0 {
		v.col = min(max(v.col+dx, 0), max(len(v.columns)-1, 0))
	}
}

// record is the page and the record under the cursor.
func (v *tableView) record(in Input) (cur, row int) {
	line := v.rowAt(v.scroll.Cursor)
	if line < 0 {
		return in.cur, in.row
	}
	if !in.together {
		return in.cur, line
	}
	if page, record := v.set.PageOf(line); page >= 0 {
		return slices.Index(in.pages, v.parts[page]), record
	}
	return in.cur, in.row
}

// recordRow is the row of the record that the other views show.
func (v *tableView) recordRow(in Input) int {
	if !in.together {
		return in.row
	}
	n := slices.Index(v.parts, in.Page())
	if n < 0 {
		return 0
	}
	_, from, _ := v.set.Page(n)
	return from + in.row
}

// enter puts the cursor on the record that the other views show.
func (v *tableView) enter(in Input) {
	v.load(in)
	row := v.recordRow(in)
	if v.rows == nil {
		v.scroll.Cursor = row
		return
	}
	if i := slices.Index(v.rows, int32(row)); i >= 0 {
		v.scroll.Cursor = i
	}
}

func (v *tableView) click(in Input, x, y int, double bool) press {
	if y > 0 {
		if v.point(in, x, y) && double {
			return (*Pane).OpenRecord
		}
		return nil
	}
	col, _ := v.columnAt(x, in.width)
	if col < 0 {
		return nil
	}
	v.col = col
	return func(p *Pane) intent.Intent { return p.Sort(false) }
}

func (v *tableView) where(in Input) text.Safe {
	n := v.count()
	if n == 0 {
		return "no rows"
	}
	t := text.Sprintf("row %s of %s", text.Digits(v.scroll.Cursor+1), text.Digits(n))
	if v.rows != nil && n != v.set.Len() && !in.counted {
		t += " shown, " + text.Digits(v.set.Len()) + " in all"
	}
	if marked := in.markCount(); marked > 0 {
		t += ", " + text.Digits(marked) + " marked"
		if others := marked - in.Page().Marks.Len(); others > 0 && !in.together {
			t += ", " + text.Digits(others) + " on other pages"
		}
	}
	if v.anchor >= 0 {
		t += ", marking a range: V or space ends it"
	}
	return t
}

// tableView is the table of the pane.
func (p *Pane) tableView() *tableView {
	i := slices.IndexFunc(p.views, func(v view) bool { _, ok := v.(*tableView); return ok })
	return p.views[i].(*tableView)
}

// onTable is the table while it is the view shown and has columns; nil otherwise.
func (p *Pane) onTable() *tableView {
	if v, ok := p.current().(*tableView); ok && p.HasAnswer() && len(v.columns) > 0 {
		return v
	}
	return nil
}
