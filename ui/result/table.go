package result

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Limits of the table's drawing, in cells and bytes.
const (
	maxColumnWidth = 42
	minColumnWidth = 4
	cellBytes      = 512
	widthSample    = 60
)

// column is one column as shown.
type column struct {
	records.Column
	width int
	right bool // numbers stand at the right
}

// tableView shows the records as rows.
type tableView struct {
	base
	page    *Page
	set     *records.Set
	table   *records.Table
	columns []column
	// rows are the records shown, in order; nil shows all as received.
	rows   []int32
	sort   []records.SortKey
	filter string
	mode   records.Mode
	invert bool
	marks  records.Marks
	anchor int // the other end of a range being marked; -1 without one
	scroll pane.Scroll
	col    int
	left   int // first column after the frozen one
	buf    []records.Cell
}

func (v *tableView) name() string  { return "Table" }
func (v *tableView) scope() string { return "table" }
func (v *tableView) fits(p *Pane) bool {
	return p.HasAnswer() && p.page().Err == nil && p.page().Index != nil && !p.page().Env.Single
}

func (v *tableView) tab(*Pane) string {
	if n := v.marks.Len(); n > 0 {
		return fmt.Sprintf("Table %d marked", n)
	}
	return "Table"
}

// reset keeps sort and columns while the columns of the new page are the same.
func (v *tableView) reset(p *Pane) {
	keep := v.names()
	v.page, v.rows, v.filter, v.sort = nil, nil, "", nil
	v.marks.Clear()
	v.anchor = -1
	v.scroll = pane.Scroll{Height: v.scroll.Height}
	v.load(p)
	if len(keep) > 0 && slices.Equal(keep, v.names()) {
		return
	}
	v.col, v.left = 0, 0
}

func (v *tableView) names() []string {
	names := make([]string, len(v.columns))
	for i, c := range v.columns {
		names[i] = c.Name
	}
	return names
}

func (v *tableView) load(p *Pane) {
	if v.page == p.page() || !v.fits(p) {
		return
	}
	v.page = p.page()
	v.set = v.page.set
	v.setColumns(v.page.columns)
}

// setColumns shows the useful ones of the columns, at widths that fit what they hold.
func (v *tableView) setColumns(all []records.Column) {
	v.columns = v.columns[:0]
	for _, c := range all {
		if c.Useful() {
			v.columns = append(v.columns, column{Column: c})
		}
	}
	if len(v.columns) == 0 {
		for _, c := range all {
			v.columns = append(v.columns, column{Column: c})
		}
	}
	v.retable()
	v.measure()
}

// retable makes the table anew after the columns changed.
func (v *tableView) retable() {
	cols := make([]records.Column, len(v.columns))
	for i, c := range v.columns {
		cols[i] = c.Column
	}
	v.table = records.NewTable(v.set, cols)
	v.col = min(v.col, max(len(cols)-1, 0))
}

// measure sets the widths from the first records, so that nothing jumps while scrolling.
func (v *tableView) measure() {
	for i := range v.columns {
		c := &v.columns[i]
		c.width = max(text.Width(c.Title)+2, minColumnWidth)
		c.right = true
	}
	seen := make([]int, len(v.columns))
	for row := range min(v.set.Len(), widthSample) {
		v.buf = v.table.Row(row, v.buf)
		for i, cell := range v.buf {
			c := &v.columns[i]
			if cell.State != records.Value {
				continue
			}
			seen[i]++
			if cell.Node.Kind() != rawjson.Number || v.isTime(c) {
				c.right = false
			}
			if c.width < maxColumnWidth {
				c.width = max(c.width, min(text.Width(v.cellText(c, cell))+1, maxColumnWidth))
			}
		}
	}
	for i := range v.columns {
		v.columns[i].right = v.columns[i].right && seen[i] > 0
	}
}

func (v *tableView) isTime(c *column) bool {
	return strings.HasPrefix(c.Format, "unix") || strings.HasPrefix(c.Format, "date") || c.Format == "time"
}

// cellText is what a cell shows: the value, times in a readable form.
func (v *tableView) cellText(c *column, cell records.Cell) string {
	switch cell.State {
	case records.Absent:
		return "·"
	case records.Null:
		return "null"
	case records.Empty:
		return string(cell.Node.AppendRaw(nil, 8))
	}
	if cell.Node.Kind() == rawjson.Number {
		if t, ok := c.Time(cell); ok {
			return t.UTC().Format("2006-01-02 15:04:05")
		}
	}
	t, more := cell.Text(cellBytes)
	t = text.Sanitize(t)
	if more {
		t += text.Ellipsis
	}
	if cell.State == records.Cut {
		t += "✂"
	}
	return t
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

// rowAt is the record number of line i.
func (v *tableView) rowAt(i int) int {
	if v.rows != nil {
		if i < 0 || i >= len(v.rows) {
			return -1
		}
		return int(v.rows[i])
	}
	return i
}

func (v *tableView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	out := []string{v.header(w, s)}
	bodyH := max(h-2, 1)
	v.scroll.Fit(v.count(), bodyH)
	v.scrollColumns(w)
	from, to := v.scroll.Window(v.count(), bodyH)
	for i := from; i < to; i++ {
		out = append(out, v.line(i, w, s, focused))
	}
	if v.count() == 0 {
		out = append(out, " "+s.Muted.Render(v.emptyText(p)))
	}
	for len(out) < h-1 {
		out = append(out, "")
	}
	return append(out, v.peek(p, w, s))
}

func (v *tableView) emptyText(p *Pane) string {
	switch {
	case v.filter != "" && v.set.Len() > 0:
		return "No row passes the filter. esc takes it away."
	case p.cur > 0:
		return "This page is empty."
	case p.action != nil && p.action.Name == "context_store_search":
		return "Nothing matches. 2 goes to the conditions; the replica may also lag behind: list asks the live data."
	}
	return "The answer holds no records. 2 goes to the params."
}

// gutter is the width of the row numbers and the mark before them.
func (v *tableView) gutter() int { return len(fmt.Sprint(v.set.Len())) + 3 }

// scrollColumns keeps the column under the cursor visible beside the frozen first one.
func (v *tableView) scrollColumns(w int) {
	if v.col == 0 || len(v.columns) == 0 {
		v.left = max(min(v.left, len(v.columns)-1), 1)
		if v.col == 0 {
			v.left = 1
		}
		return
	}
	if v.col < v.left {
		v.left = v.col
	}
	v.left = max(v.left, 1)
	for v.left < v.col {
		used := v.gutter() + v.columns[0].width + 1
		for i := v.left; i <= v.col; i++ {
			used += v.columns[i].width + 1
		}
		if used <= w {
			return
		}
		v.left++
	}
}

// shown lists the columns on the screen with their cells [from, from+width).
func (v *tableView) shown(w int) []int {
	if len(v.columns) == 0 {
		return nil
	}
	list := []int{0}
	used := v.gutter() + v.columns[0].width + 1
	for i := v.left; i < len(v.columns) && used < w; i++ {
		if i == 0 {
			continue
		}
		list = append(list, i)
		used += v.columns[i].width + 1
	}
	return list
}

func (v *tableView) header(w int, s *style.Styles) string {
	if v.set == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(s.Header.Render(text.PadLeft("#", v.gutter()-2)) + "  ")
	used := v.gutter()
	for n, i := range v.shown(w) {
		c := v.columns[i]
		t := text.Sanitize(c.Title) + v.sortMark(c.Name, s)
		if n == 1 && v.left > 1 {
			t = "‹" + t
		}
		cw := min(c.width, w-used)
		if cw <= 0 {
			break
		}
		st := s.Header
		if i == v.col {
			st = s.TitleFocus
		}
		if c.right {
			b.WriteString(st.Render(text.PadLeft(t, cw)))
		} else {
			b.WriteString(st.Render(text.Pad(t, cw)))
		}
		used += cw + 1
		b.WriteByte(' ')
	}
	return text.Truncate(b.String(), w)
}

func (v *tableView) sortMark(name string, s *style.Styles) string {
	for i, k := range v.sort {
		if k.Column.Name != name {
			continue
		}
		up, down := "▲", "▼"
		if s.ASCII {
			up, down = "^", "v"
		}
		mark := up
		if k.Desc {
			mark = down
		}
		if len(v.sort) > 1 {
			mark += fmt.Sprint(i + 1)
		}
		return mark
	}
	return ""
}

func (v *tableView) line(i, w int, s *style.Styles, focused bool) string {
	row := v.rowAt(i)
	current := i == v.scroll.Cursor
	lead := " "
	if current && focused {
		lead = s.Cursor
	}
	mark := " "
	if v.marks.Has(row) || v.inRange(i) {
		mark = "*"
	}
	v.buf = v.table.Row(row, v.buf)
	var b strings.Builder
	used := v.gutter()
	number := lead + text.PadLeft(fmt.Sprint(row+1), v.gutter()-3) + mark + " "
	plain := s.Text
	if current {
		plain = s.SelectedBlur
		if focused {
			plain = s.Selected
		}
	}
	if current {
		b.WriteString(plain.Render(number))
	} else {
		b.WriteString(s.Muted.Render(number))
	}
	for _, c := range v.shown(w) {
		cw := min(v.columns[c].width, w-used)
		if cw <= 0 {
			break
		}
		b.WriteString(v.cell(c, cw, current, focused, s))
		used += cw
		if used < w {
			b.WriteString(gap(current, plain))
			used++
		}
	}
	if current && used < w {
		b.WriteString(plain.Render(text.Spaces(w - used)))
	}
	return b.String()
}

func gap(current bool, st renderer) string {
	if current {
		return st.Render(" ")
	}
	return " "
}

type renderer interface{ Render(...string) string }

func (v *tableView) inRange(i int) bool {
	return v.anchor >= 0 && i >= min(v.anchor, v.scroll.Cursor) && i <= max(v.anchor, v.scroll.Cursor)
}

func (v *tableView) cell(i, w int, current, focused bool, s *style.Styles) string {
	c, cell := &v.columns[i], v.buf[i]
	t := v.cellText(c, cell)
	if c.right {
		t = text.PadLeft(t, w)
	} else {
		t = text.Pad(t, w)
	}
	var st renderer = s.Text
	switch {
	case current && focused && i == v.col:
		st = s.Selected.Reverse(true)
	case current && focused:
		st = s.Selected
	case current:
		st = s.SelectedBlur
	case cell.State == records.Null, cell.State == records.Absent, cell.State == records.Empty:
		st = s.Muted
	case v.filter != "" && strings.Contains(strings.ToLower(t), strings.ToLower(v.filter)):
		st = s.Match
	case c.Key:
		st = s.Accent
	case cell.Node.Kind() == rawjson.Bool:
		st = s.JSONKeyword
	case cell.Node.Kind() == rawjson.Object || cell.Node.Kind() == rawjson.Array:
		st = s.Muted
	}
	return st.Render(t)
}

// peek tells path, exact value, type and the catalog's word of the cell under the cursor.
func (v *tableView) peek(p *Pane, w int, s *style.Styles) string {
	row := v.rowAt(v.scroll.Cursor)
	if row < 0 || row >= v.set.Len() || len(v.columns) == 0 {
		return ""
	}
	c := &v.columns[v.col]
	cell := v.table.Cell(row, v.col)
	value := cell.State.String()
	if cell.State == records.Value || cell.State == records.Empty || cell.State == records.Cut {
		value = text.Sanitize(string(cell.Node.AppendRaw(nil, 200)))
		if cell.Node.Kind() == rawjson.Number {
			if t, ok := c.Time(cell); ok {
				value += " = " + t.UTC().Format(time.RFC3339)
			}
		}
	}
	kind := c.Type
	if kind == "" {
		kind = "not in the catalog"
	}
	tail := "  " + kind
	if c.Doc != "" {
		tail += " · " + c.Doc
	}
	path := text.Sanitize(p.page().Index.PathOf(row).Dotted() + "." + c.Name)
	room := max(w-text.Width(path)-4, 0)
	value = text.Truncate(value, max(room*2/3, room-text.Width(tail)))
	return " " + s.Muted.Render(path+"  ") + s.Text.Render(value) + s.Muted.Render(text.Truncate(tail, max(room-text.Width(value), 0)))
}

func (v *tableView) move(p *Pane, dx, dy int) {
	v.load(p)
	v.scroll.Move(dy, v.count())
	if dx != 0 {
		v.col = min(max(v.col+dx, 0), max(len(v.columns)-1, 0))
	}
	v.follow(p)
}

func (v *tableView) follow(p *Pane) {
	if row := v.rowAt(v.scroll.Cursor); row >= 0 {
		p.row = row
	}
}

// enter puts the cursor on the record that the other views show.
func (v *tableView) enter(p *Pane) {
	v.load(p)
	if v.rows == nil {
		v.scroll.Cursor = p.row
		return
	}
	if i := slices.Index(v.rows, int32(p.row)); i >= 0 {
		v.scroll.Cursor = i
	}
}

func (v *tableView) click(p *Pane, x, y int, double bool) intent.Intent {
	col := v.columnAt(x, p.width)
	if y == 0 {
		if col >= 0 {
			v.col = col
			return p.Sort(false)
		}
		return nil
	}
	i := v.scroll.Top + y - 1
	if i >= v.count() {
		return nil
	}
	v.scroll.Cursor = i
	if col >= 0 {
		v.col = col
	}
	v.follow(p)
	if double {
		return p.OpenRecord()
	}
	return nil
}

func (v *tableView) columnAt(x, w int) int {
	at := v.gutter()
	for _, i := range v.shown(w) {
		if x >= at && x < at+v.columns[i].width {
			return i
		}
		at += v.columns[i].width + 1
	}
	return -1
}

func (v *tableView) where(*Pane) string {
	n := v.count()
	if n == 0 {
		return "no rows"
	}
	t := fmt.Sprintf("row %s of %s", groupDigits(v.scroll.Cursor+1), groupDigits(n))
	if v.rows != nil && n != v.set.Len() {
		t += " shown, " + groupDigits(v.set.Len()) + " on the page"
	}
	if n := v.marks.Len(); n > 0 {
		t += fmt.Sprintf(", %d marked", n)
	}
	return t
}

// search filters the rows: text, ~regex, !inverse, 'fuzzy; column:text looks at one column.
func (v *tableView) search(p *Pane) intent.Intent {
	v.filter = ""
	f, note := v.parseFilter(p.find.text)
	p.find.note = note
	if err := f.Check(); err != nil {
		return intent.Say{Text: err.Error(), Bad: true}
	}
	if f.Text != "" && !f.Invert && f.Mode == records.Contains {
		v.filter = f.Text
	}
	return v.arrange(p, f)
}

func (v *tableView) parseFilter(t string) (records.Filter, string) {
	f := records.Filter{Text: t}
	if t == "" {
		return f, ""
	}
	note := "rows with "
	if rest, ok := strings.CutPrefix(f.Text, "!"); ok {
		f.Text, f.Invert = rest, true
		note = "rows without "
	}
	if name, rest, ok := strings.Cut(f.Text, ":"); ok {
		for i := range v.columns {
			if v.columns[i].Name == name {
				f.Column, f.Text = &v.columns[i].Column, rest
				note += name + " "
			}
		}
	}
	if rest, ok := strings.CutPrefix(f.Text, "~"); ok {
		f.Text, f.Mode = rest, records.Regexp
		note += "~"
	} else if rest, ok := strings.CutPrefix(f.Text, "'"); ok {
		f.Text, f.Mode = rest, records.Fuzzy
		note += "about "
	} else if rest, ok := strings.CutPrefix(f.Text, "="); ok && f.Column != nil {
		f.Text, f.Mode = rest, records.Equals
		note += "= "
	}
	return f, note + "\"" + text.Sanitize(f.Text) + "\""
}

// arrange filters and sorts beside the update loop.
func (v *tableView) arrange(p *Pane, f records.Filter) intent.Intent {
	if f.Text == "" && len(v.sort) == 0 {
		v.rows = nil
		v.enter(p)
		return nil
	}
	set, keys, page := v.set, slices.Clone(v.sort), v.page
	return intent.Work{What: "sorting and filtering", Do: func(ctx context.Context) (func() intent.Intent, error) {
		var rows []int32
		var err error
		if f.Text != "" {
			if rows, err = records.Filtered(ctx, set, nil, []records.Filter{f}, nil); err != nil {
				return nil, err
			}
		}
		if len(keys) > 0 {
			if rows == nil {
				rows = records.AllRows(set.Len())
			}
			if rows, err = records.Sorted(ctx, set, rows, keys, nil); err != nil {
				return nil, err
			}
		}
		if rows == nil {
			rows = []int32{}
		}
		return func() intent.Intent {
			if v.page == page {
				v.rows = rows
				v.scroll.Cursor, v.scroll.Top = 0, 0
				v.follow(p)
			}
			return nil
		}, nil
	}}
}

func (v *tableView) next(_ *Pane, d int) intent.Intent {
	v.scroll.Move(d, v.count())
	return nil
}

// Sort sorts by the column under the cursor: rising, falling, then not at all.
func (p *Pane) Sort(add bool) intent.Intent {
	v, ok := p.current().(*tableView)
	if !ok || len(v.columns) == 0 {
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
	f, _ := v.parseFilter(p.find.text)
	return v.arrange(p, f)
}

// Mark marks or unmarks the row under the cursor and goes on to the next.
func (p *Pane) Mark() {
	if v, ok := p.current().(*tableView); ok && v.count() > 0 {
		if v.anchor >= 0 {
			v.markRange()
			return
		}
		v.marks.Toggle(v.rowAt(v.scroll.Cursor))
		v.move(p, 0, 1)
	}
}

// MarkRange starts or ends a range of marks.
func (p *Pane) MarkRange() {
	if v, ok := p.current().(*tableView); ok && v.count() > 0 {
		if v.anchor < 0 {
			v.anchor = v.scroll.Cursor
			return
		}
		v.markRange()
	}
}

func (v *tableView) markRange() {
	for i := min(v.anchor, v.scroll.Cursor); i <= max(v.anchor, v.scroll.Cursor); i++ {
		v.marks.Set(v.rowAt(i), true)
	}
	v.anchor = -1
}

// Cell is the path, the exact text and the decoded text of the cell under the cursor.
func (p *Pane) Cell() (path, raw, decoded string, ok bool) {
	v, isTable := p.current().(*tableView)
	if !isTable || v.count() == 0 || len(v.columns) == 0 {
		return "", "", "", false
	}
	row := v.rowAt(v.scroll.Cursor)
	cell := v.table.Cell(row, v.col)
	path = p.page().Index.PathOf(row).Dotted() + "." + v.columns[v.col].Name
	if cell.State == records.Absent {
		return path, "", "", true
	}
	b, _ := cell.Node.AppendIndent(nil, copyLimit)
	decodedText, _ := cell.Text(copyLimit)
	return path, string(b), decodedText, true
}

// Columns lists all columns of the page and those shown, in order.
func (p *Pane) Columns() (all []records.Column, shown []string) {
	v := p.tableView()
	if v == nil || v.page == nil {
		return nil, nil
	}
	return v.page.columns, v.names()
}

// SetColumns shows the named columns in that order.
func (p *Pane) SetColumns(names []string) {
	v := p.tableView()
	if v == nil || v.page == nil || len(names) == 0 {
		return
	}
	v.columns = nil
	for _, n := range names {
		for _, c := range v.page.columns {
			if c.Name == n {
				v.columns = append(v.columns, column{Column: c})
			}
		}
	}
	v.retable()
	v.measure()
}

func (p *Pane) tableView() *tableView {
	for _, v := range p.views {
		if t, ok := v.(*tableView); ok {
			return t
		}
	}
	return nil
}

func (v *tableView) copies(p *Pane) []CopyOption {
	_, raw, decoded, ok := p.Cell()
	var out []CopyOption
	if ok {
		path, _, _, _ := p.Cell()
		out = append(out, fixed("Value", "value", decoded), fixed("Value as JSON", "value", raw), fixed("Path  "+path, "path", path))
	}
	if v.marks.Len() > 0 {
		rows := v.marks.Rows()
		out = append(out, CopyOption{Title: fmt.Sprintf("%d marked rows as NDJSON", len(rows)), What: "marked rows", Text: func(context.Context) (string, error) { return v.ndjson(rows) }})
	}
	out = append(out, CopyOption{Title: "All rows shown as NDJSON", What: "rows", Text: func(context.Context) (string, error) {
		rows := v.rows
		if rows == nil {
			rows = records.AllRows(v.set.Len())
		}
		return v.ndjson(rows)
	}})
	return append(out, recordCopies(p)...)
}

func (v *tableView) ndjson(rows []int32) (string, error) {
	var b []byte
	for _, r := range rows {
		b, _ = v.set.Record(int(r)).AppendCompact(b, 0)
		b = append(b, '\n')
		if len(b) > copyLimit {
			return "", fmt.Errorf("these rows are more than %s, too much for a clipboard: mark fewer", sizeText(copyLimit))
		}
	}
	if !json.Valid(b[:max(len(b)-1, 0)]) && len(rows) == 1 {
		return "", fmt.Errorf("the record is cut off, so it cannot be copied whole")
	}
	return string(b), nil
}
