package result

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

func (v *tableView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	v.scrollColumns(w)
	out := []string{v.header(w, s)}
	bodyH := max(h-2, 1)
	v.jump(bodyH)
	v.scroll.Fit(v.count(), bodyH)
	from, to := v.scroll.Window(v.count(), bodyH)
	for i := from; i < to; i++ {
		out = append(out, v.line(i, w, s, focused))
	}
	if v.count() == 0 {
		out = append(out, " "+s.Muted.Render(text.Truncate(v.emptyText(p), max(w-2, 0))))
	}
	for len(out) < h-1 {
		out = append(out, "")
	}
	return append(out, v.peek(p, w, s))
}

// jump moves the window by half when the cursor leaves it by a line: scrolling
// sends the whole window to the terminal, which a slow line feels.
func (v *tableView) jump(h int) {
	switch at := v.scroll.Cursor; {
	case at == v.scroll.Top+h && h > 3:
		v.scroll.Top += h / 2
	case at == v.scroll.Top-1 && h > 3:
		v.scroll.Top = max(at-h/2, 0)
	}
}

func (v *tableView) emptyText(p *Pane) string {
	switch {
	case p.Growing():
		return "Reading; rows appear as they come."
	case v.filtered() && v.set.Len() > 0:
		return "No row passes the filter. esc takes it away."
	case p.cur > 0:
		return "This page is empty."
	case p.action != nil && p.action.Name == "context_store_search":
		return "Nothing matches. W names the condition that empties the result; 2 goes to the conditions. The replica may lag: list asks the live data."
	case p.page().Document != nil:
		return "No records were found in it."
	}
	return "The answer holds no records. 2 goes to the params."
}

// gutter is the width of the row numbers and the mark before them. While rows
// still come it has room for a million, so that nothing moves sideways.
func (v *tableView) gutter() int {
	n := v.set.Len()
	if v.page.Growing() {
		n = max(n, 999_999)
	}
	return len(fmt.Sprint(n)) + 3
}

// pinnedWidth is what the row numbers and the pinned columns take of w cells,
// and how many columns fit there: never so many that nothing else has room.
func (v *tableView) pinnedWidth(w int) (width, columns int) {
	width = v.gutter()
	for i := range min(v.pinned, len(v.columns)) {
		next := width + v.columns[i].width + 1
		if i > 0 && next > w*2/3 {
			break
		}
		width, columns = next, i+1
	}
	return width, columns
}

// scrollColumns keeps the column under the cursor visible beside the pinned ones.
func (v *tableView) scrollColumns(w int) {
	fixed, n := v.pinnedWidth(w)
	v.left = min(max(v.left, n), max(len(v.columns)-1, n))
	if v.col < n {
		return
	}
	v.left = min(v.left, v.col)
	for ; v.left < v.col; v.left++ {
		used := fixed
		for i := v.left; i <= v.col; i++ {
			used += v.columns[i].width + 1
		}
		if used-1 <= w {
			return
		}
	}
}

// shown lists the columns on a screen of w cells.
func (v *tableView) shown(w int) []int {
	used, n := v.pinnedWidth(w)
	list := make([]int, 0, 16)
	for i := range n {
		list = append(list, i)
	}
	for i := max(v.left, n); i < len(v.columns) && used < w; i++ {
		list = append(list, i)
		used += v.columns[i].width + 1
	}
	return list
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

func (v *tableView) header(w int, s *style.Styles) string {
	if v.set == nil {
		return ""
	}
	_, n := v.pinnedWidth(w)
	var b strings.Builder
	b.WriteString(s.Header.Render(text.PadLeft("#", v.gutter()-2)) + "  ")
	used := v.gutter()
	for at, i := range v.shown(w) {
		c := &v.columns[i]
		mark := v.sortMark(c.Name, s) + v.brokenMark(c.Name)
		t := text.Truncate(s.Data(text.Sanitize(c.Title)), max(min(c.width, w-used)-text.Width(mark), 0)) + mark
		if at == n && v.left > n {
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
		b.WriteString(st.Render(aligned(t, cw, c.right)))
		used += cw + 1
		if i == n-1 && n > 1 && used <= w {
			b.WriteString(s.Border.Render(s.Frame().Side))
			continue
		}
		b.WriteByte(' ')
	}
	return text.Truncate(b.String(), w)
}

func aligned(t string, w int, right bool) string {
	if right {
		return text.PadLeft(t, w)
	}
	return text.Pad(t, w)
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
	if v.marked(row) || v.inRange(i) {
		mark = "*"
	}
	v.buf = v.cells.row(v.table, row, !v.page.Growing())
	number := text.Truncate(lead+text.PadLeft(fmt.Sprint(row+1), v.gutter()-3)+mark+" ", w)
	cells := v.pieces(w, number, s)
	if current {
		return v.currentLine(cells, w, s, focused)
	}
	var b runs
	b.add(&s.Muted, number)
	used := text.Width(number)
	for _, c := range cells {
		t := c.text
		if used += text.Width(t); used < w {
			t += " "
			used++
		}
		b.add(v.colour(c.column, c.text, s), t)
	}
	return b.end()
}

// runs joins neighbouring texts of one style: each change of style costs a
// terminal more bytes than a cell's text.
type runs struct {
	out, run strings.Builder
	style    *style.Style
}

func (r *runs) add(st *style.Style, t string) {
	if st != r.style {
		r.flush()
		r.style = st
	}
	r.run.WriteString(t)
}

func (r *runs) flush() {
	if r.run.Len() > 0 {
		r.out.WriteString(r.style.Render(r.run.String()))
		r.run.Reset()
	}
}

func (r *runs) end() string {
	r.flush()
	return r.out.String()
}

// piece is a cell as it is drawn: cut and padded to the width of its column.
type piece struct {
	column int
	text   string
}

func (v *tableView) pieces(w int, number string, s *style.Styles) []piece {
	used := text.Width(number)
	list := v.shown(w)
	out := make([]piece, 0, len(list))
	for _, i := range list {
		c := &v.columns[i]
		cw := min(c.width, w-used)
		if cw <= 0 {
			break
		}
		out = append(out, piece{i, aligned(fitted(&c.Column, v.buf[i], cw, s), cw, c.right)})
		used += cw + 1
	}
	if len(out) == 0 || v.gutter() > w {
		return nil
	}
	return out
}

// currentLine draws the line under the cursor in few styles: what a terminal
// is sent for a move of the cursor is mostly changes of style.
func (v *tableView) currentLine(cells []piece, w int, s *style.Styles, focused bool) string {
	st := s.SelectedBlur
	lead := " "
	if focused {
		st, lead = s.Selected, s.Cursor
	}
	row := v.rowAt(v.scroll.Cursor)
	mark := " "
	if v.marked(row) || v.inRange(v.scroll.Cursor) {
		mark = "*"
	}
	before := lead + text.PadLeft(fmt.Sprint(row+1), v.gutter()-3) + mark + " "
	under, behind := "", ""
	for _, c := range cells {
		switch {
		case c.column < v.col, v.col < 0:
			before += c.text + " "
		case c.column == v.col:
			under = c.text
		default:
			behind += " " + c.text
		}
	}
	room := w - text.Width(before) - text.Width(under)
	if !focused {
		return st.Render(text.Pad(before+under+behind, w))
	}
	return text.Truncate(st.Render(before)+s.SelectedCell.Render(under)+st.Render(text.Pad(behind, max(room, 0))), w)
}

func (v *tableView) inRange(i int) bool {
	return v.anchor >= 0 && i >= min(v.anchor, v.scroll.Cursor) && i <= max(v.anchor, v.scroll.Cursor)
}

// colour is the style of a cell that is not under the cursor.
func (v *tableView) colour(i int, t string, s *style.Styles) *style.Style {
	cell := v.buf[i]
	switch {
	case cell.State == records.Null, cell.State == records.Absent, cell.State == records.Empty:
		return &s.Muted
	case v.filter != "" && strings.Contains(strings.ToLower(t), strings.ToLower(v.filter)):
		return &s.Match
	case v.columns[i].Key:
		return &s.Accent
	case container(cell.Node):
		return &s.Muted
	}
	return &s.Text
}

// peek tells path, exact value, type and the catalog's word of the cell under the cursor.
func (v *tableView) peek(p *Pane, w int, s *style.Styles) string {
	row := v.rowAt(v.scroll.Cursor)
	if row < 0 || row >= v.set.Len() || len(v.columns) == 0 {
		return ""
	}
	c := &v.columns[v.col]
	value := s.Data(exactText(&c.Column, v.table.Cell(row, v.col)))
	kind := c.Type
	if c.Field == nil && p.page().Entity != nil && !c.Whole() {
		kind += " · not in the catalog"
	}
	if made := v.computed(c.Name); made != nil {
		kind = v.computedNote(made, row)
	}
	tail := "  " + kind
	if c.Doc != "" {
		tail += " · " + c.Doc
	}
	if bad := flawOf(v.set.Record(row)); bad != "" {
		tail = "  " + bad
	}
	path := s.Data(text.Sanitize(v.cellPath(row, &c.Column)))
	hit := v.hit(row, w)
	if hit != "" {
		hit = text.Truncate(s.Data(text.Sanitize("hit in "+hit)), max(w/2, 0)) + "  "
	}
	room := max(w-text.Width(path)-text.Width(hit)-4, 0)
	value = text.Truncate(value, max(room*2/3, room-text.Width(tail)))
	return text.Truncate(" "+s.Info.Render(hit)+s.Muted.Render(path+"  ")+s.Text.Render(value)+s.Muted.Render(text.Truncate(tail, max(room-text.Width(value), 0))), w)
}

// exactText is a cell's value as received, with the time it means.
func exactText(c *records.Column, cell records.Cell) string {
	switch cell.State {
	case records.Absent, records.Null:
		return cell.State.String()
	}
	value := text.Sanitize(string(cell.Node.AppendRaw(nil, 200)))
	if cell.State == records.Cut {
		value += " (cut off)"
	}
	if cell.Node.Kind() == rawjson.Number {
		if t, ok := c.Time(cell); ok {
			value += " = " + t.UTC().Format(time.RFC3339)
		}
	}
	return value
}

// cellPath is where a cell lies in the body of its page, by the names it has there.
func (v *tableView) cellPath(row int, c *records.Column) string {
	way := v.set.PathOf(row)
	if c.Derive != nil {
		return way.With(rawjson.Name(c.Name)).Dotted()
	}
	return slices.Concat(way, c.In(v.set.RecordNames(row))).Dotted()
}
