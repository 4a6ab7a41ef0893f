package result

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
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
	width int
	right bool // numbers stand at the right
}

// tableView shows the records as rows: those of the page shown, or of all
// pages of the run together.
type tableView struct {
	// page and pages are what is loaded: one page, or the first pages of the run.
	page  *Page
	pages int
	set   *records.Set
	// parts are the pages whose records the set holds, in its order.
	parts []*Page
	all   []records.Column
	table *records.Table

	columns []column
	pinned  int
	widths  map[string]int
	derived []*computed

	// rows are the records shown, in order; nil shows all as received.
	rows []int32
	sort []records.SortKey
	// terms is the filter in force, settled is set once the rows are those that
	// pass it; filter is the text that is marked in the cells.
	terms terms
	// under are filters kept before, which the rows must pass too.
	under   []terms
	settled bool
	filter  string
	// asked counts how often the rows were asked to be arranged; last is the order
	// of the rows as they are shown, until what was asked last is done.
	// arranging is set in between, looked is how many rows there were to arrange.
	asked     int
	last      arrangement
	arranging bool
	looked    int
	anchor    int // the other end of a range being marked; -1 without one

	scroll pane.Scroll
	col    int
	left   int // first column after the pinned ones
	// grabbed is where the column whose border is dragged begins.
	grabbed int
	lastHit rowHit
	// cells are those of the rows drawn last, buf those of the row being drawn.
	cells decoded
	buf   []records.Cell
}

func (v *tableView) name() string  { return "Table" }
func (v *tableView) scope() string { return "table" }
func (v *tableView) fits(p *Pane) bool {
	return p.HasAnswer() && p.page().Err == nil && p.page().Index != nil && !p.page().Env.Single
}

func (v *tableView) tab(p *Pane) string {
	t := "Table"
	if p.together {
		t = fmt.Sprintf("Table of %d pages", len(p.pages))
	}
	if n := p.markCount(); n > 0 {
		t += fmt.Sprintf(" %d marked", n)
	}
	return t
}

func (v *tableView) reset(p *Pane) {
	v.page, v.rows, v.terms, v.under, v.filter, v.sort = nil, nil, terms{}, nil, "", nil
	v.settle()
	v.anchor = -1
	v.scroll = pane.Scroll{Height: v.scroll.Height}
	v.col, v.left = 0, 0
	v.load(p)
}

func (v *tableView) names() []string {
	names := make([]string, len(v.columns))
	for i, c := range v.columns {
		names[i] = c.Name
	}
	return names
}

// load shows the page of the pane, or all its pages, unless they are shown already.
func (v *tableView) load(p *Pane) {
	if !v.fits(p) {
		return
	}
	if p.together {
		v.loadAll(p)
		return
	}
	if v.page == p.page() {
		return
	}
	v.page, v.pages = p.page(), 0
	v.set, v.all, v.parts = v.page.set, v.page.columns, []*Page{v.page}
	v.choose(p)
}

// loadAll shows the pages of the run as one table. Pages only come at the end,
// so that rows keep their numbers.
func (v *tableView) loadAll(p *Pane) {
	if v.page == p.pages[0] && v.pages == len(p.pages) {
		return
	}
	fresh := v.page != p.pages[0] || v.pages == 0
	v.page, v.pages = p.pages[0], len(p.pages)
	v.set, v.parts = p.LoadedSet(), p.parts()
	v.all = p.allColumns()
	if fresh {
		v.choose(p)
		return
	}
	at := v.order().at
	if _, chosen := p.remembered(); !chosen {
		v.join(v.columns)
	}
	v.retable()
	v.col = max(slices.Index(v.names(), at), 0)
}

// grown takes the columns of a page that is whole now, unless the person chose some.
func (v *tableView) grown(p *Pane) {
	if v.page != p.page() || v.page.chosen {
		return
	}
	v.all = v.page.columns
	at := ""
	if v.col < len(v.columns) {
		at = v.columns[v.col].Name
	}
	v.choose(p)
	if i := slices.Index(v.names(), at); i >= 0 {
		v.col = i
	}
}

// choose shows the columns that the person once chose for the entity, else the useful ones.
func (v *tableView) choose(p *Pane) {
	v.columns, v.pinned, v.widths = nil, 1, nil
	l, ok := p.remembered()
	if p.ofEntity() {
		v.recompute(l.Computed)
	}
	if ok {
		v.pinned, v.widths = max(l.Pinned, 0), l.Widths
		v.take(l.Columns)
	}
	if len(v.columns) == 0 {
		v.useful()
		for _, c := range v.derived {
			v.columns = append(v.columns, column{Column: c.column()})
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
			known = append(known, c.column())
		}
	}
	return known
}

func (v *tableView) useful() {
	for _, c := range v.all {
		if c.Useful() {
			v.columns = append(v.columns, column{Column: c})
		}
	}
	if len(v.columns) > 0 {
		return
	}
	for _, c := range v.all {
		v.columns = append(v.columns, column{Column: c})
	}
}

// retable makes the table anew after the columns or the pages changed.
func (v *tableView) retable() {
	cols := make([]records.Column, len(v.columns))
	for i, c := range v.columns {
		cols[i] = c.Column
	}
	v.table = records.NewTable(v.set, cols)
	v.col = min(v.col, max(len(cols)-1, 0))
	v.pinned = min(v.pinned, len(cols))
}

// measure sets the widths from the first records, so that nothing jumps while scrolling.
func (v *tableView) measure() {
	for i := range v.columns {
		c := &v.columns[i]
		c.width = min(max(text.Width(text.Sanitize(c.Title))+2, minColumnWidth), maxColumnWidth)
		c.right = true
	}
	seen := make([]int, len(v.columns))
	var cells []records.Cell
	for row := range min(v.set.Len(), widthSample) {
		cells = v.table.Row(row, cells)
		for i, cell := range cells {
			c := &v.columns[i]
			if cell.State != records.Value {
				continue
			}
			seen[i]++
			if cell.Node.Kind() != rawjson.Number || isTime(&c.Column) {
				c.right = false
			}
			if c.width < maxColumnWidth {
				c.width = max(c.width, min(text.Width(cellText(&c.Column, cell, nil))+1, maxColumnWidth))
			}
		}
	}
	for i := range v.columns {
		c := &v.columns[i]
		c.right = c.right && seen[i] > 0
		if mark := v.brokenMark(c.Name); mark != "" { // the sample may have shown it
			c.width = min(c.width+text.Width(mark), maxColumnWidth)
		}
		if w := v.widths[c.Name]; w > 0 {
			c.width = w
		}
	}
}

func isTime(c *records.Column) bool {
	return strings.HasPrefix(c.Format, "unix") || strings.HasPrefix(c.Format, "date") || c.Format == "time"
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

// leads tells whether the table's cursor is on the record that other views show.
func (v *tableView) leads(p *Pane) bool {
	return v.fits(p) && v.set != nil && v.count() > 0 && v.rowAt(v.scroll.Cursor) == v.recordRow(p)
}

func (v *tableView) move(p *Pane, dx, dy int) {
	v.load(p)
	v.scroll.Move(dy, v.count())
	if dx != 0 {
		v.col = min(max(v.col+dx, 0), max(len(v.columns)-1, 0))
	}
	v.follow(p)
}

// follow makes the record under the cursor, and its page, the one that other views show.
func (v *tableView) follow(p *Pane) {
	row := v.rowAt(v.scroll.Cursor)
	if row < 0 {
		return
	}
	if !p.together {
		p.row = row
		return
	}
	if page, record := v.set.PageOf(row); page >= 0 {
		p.cur, p.row = slices.Index(p.pages, v.parts[page]), record
	}
}

// recordRow is the row of the record that the other views show.
func (v *tableView) recordRow(p *Pane) int {
	if !p.together {
		return p.row
	}
	n := slices.Index(v.parts, p.page())
	if n < 0 {
		return 0
	}
	_, from, _ := v.set.Page(n)
	return from + p.row
}

// enter puts the cursor on the record that the other views show.
func (v *tableView) enter(p *Pane) {
	v.load(p)
	row := v.recordRow(p)
	if v.rows == nil {
		v.scroll.Cursor = row
		return
	}
	if i := slices.Index(v.rows, int32(row)); i >= 0 {
		v.scroll.Cursor = i
	}
}

func (v *tableView) click(p *Pane, x, y int, double bool) intent.Intent {
	if y == 0 {
		if col := v.columnAt(x, p.width); col >= 0 {
			v.col = col
			return p.Sort(false)
		}
		return nil
	}
	if v.point(p, x, y) && double {
		return p.OpenRecord()
	}
	return nil
}

func (v *tableView) where(p *Pane) string {
	n := v.count()
	if n == 0 {
		return "no rows"
	}
	t := fmt.Sprintf("row %s of %s", groupDigits(v.scroll.Cursor+1), groupDigits(n))
	if v.rows != nil && n != v.set.Len() {
		t += " shown, " + groupDigits(v.set.Len()) + " in all"
	}
	t += p.markedText()
	if v.anchor >= 0 {
		t += ", marking a range: V or space ends it"
	}
	return t
}

// tableView is the table of the pane.
func (p *Pane) tableView() *tableView {
	for _, v := range p.views {
		if t, ok := v.(*tableView); ok {
			return t
		}
	}
	return nil
}

// onTable is the table while it is the view shown and has columns; nil otherwise.
func (p *Pane) onTable() *tableView {
	if !p.HasAnswer() {
		return nil
	}
	v, ok := p.current().(*tableView)
	if !ok {
		return nil
	}
	v.load(p)
	if len(v.columns) == 0 {
		return nil
	}
	return v
}
