package response

import (
	"fmt"
	"slices"
	"time"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

func (v *tableView) fit(in Input, w, h int) {
	v.load(in)
	v.unshare()
	v.scrollColumns(w)
	v.share(w)
	h = max(h-2, 1) // below the header and above the cell's line
	// The window moves by half when the cursor leaves it by a line: scrolling sends the
	// whole window to the terminal, which a slow line feels.
	switch at := v.scroll.Cursor; {
	case at == v.scroll.Top+h && h > 3:
		v.scroll.Top += h / 2
	case at == v.scroll.Top-1 && h > 3:
		v.scroll.Top = max(at-h/2, 0)
	}
	v.scroll.Fit(v.count(), h)
	v.window = v.window[:0]
	for i, to := v.scroll.Window(v.count(), h); i < to; i++ {
		v.window = append(v.window, v.cells.row(v.table, v.rowAt(i), !v.page.Growing()))
	}
	v.findHit(v.rowAt(v.scroll.Cursor), w)
}

func (v *tableView) lines(in Input, w, h int, s *style.Styles, focused bool) []text.Safe {
	out := []text.Safe{v.header(w, s)}
	for i, cells := range v.window {
		out = append(out, v.line(v.scroll.Top+i, cells, w, s, focused))
	}
	if v.count() == 0 {
		out = append(out, v.emptyLines(in, w, h-2, s)...)
	}
	return append(filled(out, h-1), v.peek(in, w, s))
}

func (v *tableView) emptyText(in Input) text.Safe {
	switch {
	case in.growing(), v.behind(in):
		return "Reading; rows appear as they come."
	case v.filtered() && v.set.Len() > 0:
		return "No row passes the filter. esc takes it away."
	case in.cur > 0:
		return "This page is empty."
	case in.action != nil && in.action.Name == "context_store_search":
		return "W names the condition that empties the result; 2 goes to the conditions. The replica may lag: " +
			"list asks the live data."
	case in.Page().Document != nil:
		return "No records were found in it."
	}
	return "2 goes to the params: fewer of them, or wider bounds, find more."
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
		used, spare := fixed-1, 0
		for i := range v.col + 1 {
			c := &v.columns[i]
			if i >= v.left {
				used += c.natural + 1
			}
			if i < n || i >= v.left {
				spare += c.natural - v.least(c)
			}
		}
		last := &v.columns[v.col]
		if used <= w || last.of != ofText && used-last.natural < w && used-w <= spare {
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
	for i := max(v.left, n); i < min(v.until, len(v.columns)) && used < w; i++ {
		list = append(list, i)
		used += v.columns[i].width + 1
	}
	return list
}

func (v *tableView) header(w int, s *style.Styles) text.Safe {
	if v.set == nil {
		return ""
	}
	_, n := v.pinnedWidth(w)
	var b text.Builder
	b.Add(s.Header.Render(text.PadLeft("#", v.gutter()-2)) + "  ")
	used := v.gutter()
	for at, i := range v.shown(w) {
		c := &v.columns[i]
		cw := min(c.width, w-used)
		if cw <= 0 {
			break
		}
		mark := v.sortMark(c.Name, s) + v.brokenMark(c.Name)
		t := text.Truncate(s.Data(text.Sanitize(c.Title)), max(cw-text.Width(mark), 0)) + mark
		if at == n && v.left > n {
			t = "‹" + t
		}
		st, behind := &s.Header, text.Safe(" ")
		if i == v.col {
			st = &s.TitleFocus
		}
		switch used += cw + 1; {
		case used > w:
			behind = ""
		case i == n-1 && n > 1:
			behind = s.Border.Render(s.FrameFor(false).Side)
		}
		t = aligned(t, cw, c.right)
		if end := len(t) - 1; used > w && i < len(v.columns)-1 && t[end] == ' ' { // more stand at the right
			t = t[:end] + text.Ellipsis
		}
		b.Add(st.Render(t) + behind)
	}
	return text.Truncate(b.Take(), w)
}

func aligned(t text.Safe, w int, right bool) text.Safe {
	if right {
		return text.PadLeft(t, w)
	}
	return text.Pad(t, w)
}

// sortMarks stand behind the name of a column that sorts, in ASCII or not, falling or not.
var sortMarks = map[bool]map[bool]text.Safe{false: {false: "▲", true: "▼"}, true: {false: "^", true: "v"}}

func (v *tableView) sortMark(name string, s *style.Styles) text.Safe {
	i := slices.IndexFunc(v.sort, func(k records.SortKey) bool { return k.Column.Name == name })
	if i < 0 {
		return ""
	}
	mark := sortMarks[s.ASCII][v.sort[i].Desc]
	if len(v.sort) > 1 {
		mark += text.Digits(i + 1)
	}
	return mark
}

func (v *tableView) line(i int, row []records.Cell, w int, s *style.Styles, focused bool) text.Safe {
	number := text.Truncate(v.number(i, " "), w)
	cells := v.pieces(row, w, number, s)
	if i == v.scroll.Cursor {
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
		b.add(v.colour(c, s), t)
	}
	b.flush()
	return b.out.Take()
}

// number is what stands before the cells of a line: its record's number and its mark.
func (v *tableView) number(i int, lead text.Safe) text.Safe {
	row, mark := v.rowAt(i), text.Safe(" ")
	inRange := v.anchor >= 0 && i >= min(v.anchor, v.scroll.Cursor) && i <= max(v.anchor, v.scroll.Cursor)
	if v.marked(row) || inRange {
		mark = "*"
	}
	return lead + text.PadLeft(text.Sprintf("%d", row+1), v.gutter()-3) + mark + " "
}

// runs joins neighbouring texts of one style: each change of style costs a
// terminal more bytes than a cell's text.
type runs struct {
	out, run text.Builder
	style    *style.Style
}

func (r *runs) add(st *style.Style, t text.Safe) {
	if st != r.style {
		r.flush()
		r.style = st
	}
	r.run.Add(t)
}

func (r *runs) flush() {
	if r.run.Len() > 0 {
		r.out.Add(r.style.Render(r.run.Take()))
	}
}

// piece is a cell as it is drawn: cut and padded to the width of its column.
type piece struct {
	column int
	cell   records.Cell
	text   text.Safe
}

func (v *tableView) pieces(row []records.Cell, w int, number text.Safe, s *style.Styles) []piece {
	used := text.Width(number)
	if v.gutter() > w {
		return nil
	}
	list := v.shown(w)
	out := make([]piece, 0, len(list))
	for _, i := range list {
		c := &v.columns[i]
		cw := min(c.width, w-used)
		if cw <= 0 {
			break
		}
		out = append(out, piece{i, row[i], aligned(fitted(&c.Column, row[i], cw, s), cw, c.right)})
		used += cw + 1
	}
	return out
}

// currentLine draws the line under the cursor in few styles: what a terminal
// is sent for a move of the cursor is mostly changes of style.
func (v *tableView) currentLine(cells []piece, w int, s *style.Styles, focused bool) text.Safe {
	st, lead := s.SelectedBlur, text.Safe(" ")
	if focused {
		st, lead = s.Selected, s.Cursor
	}
	before := v.number(v.scroll.Cursor, lead)
	var under, behind text.Safe
	for _, c := range cells {
		switch {
		case c.column < v.col:
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

// colour is the style of a cell that is not under the cursor.
func (v *tableView) colour(c piece, s *style.Styles) *style.Style {
	switch {
	case c.cell.State == records.Null, c.cell.State == records.Absent, c.cell.State == records.Empty:
		return &s.Muted
	case v.terms.marks(c.text):
		return &s.Match
	case v.columns[c.column].Key:
		return &s.Accent
	case container(c.cell.Node):
		return &s.Muted
	}
	return &s.Text
}

// peek tells path, exact value, type and the catalog's word of the cell under the cursor.
func (v *tableView) peek(in Input, w int, s *style.Styles) text.Safe {
	row := v.rowAt(v.scroll.Cursor)
	if row < 0 || row >= v.set.Len() || len(v.columns) == 0 {
		return ""
	}
	c := &v.columns[v.col]
	value := s.Data(exactText(&c.Column, v.table.Cell(row, v.col)))
	kind := c.Type
	if c.Field == nil && in.Page().Entity != nil && !c.Whole() {
		kind += " · not in the catalog"
	}
	if made := v.computed(c.Name); made != nil {
		kind = v.computedNote(made, row)
	}
	told := "  " + kind
	if c.Doc != "" {
		told += " · " + c.Doc
	}
	if bad := answer.FlawOf(v.set.Record(row)); bad != "" {
		told = "  " + bad
	}
	tail := text.Sanitize(told)
	path := s.Data(text.Sanitize(v.cellPath(row, &c.Column)))
	hit := v.lastHit.told(w*2/3, s)
	if hit != "" {
		hit += "  "
	}
	room := max(w-text.Width(path)-text.Width(hit)-4, 0)
	value = text.Truncate(value, max(room*2/3, room-text.Width(tail)))
	return text.Truncate(" "+s.Info.Render(hit)+s.Muted.Render(path+"  ")+
		s.Text.Render(value)+s.Muted.Render(text.Truncate(tail, max(room-text.Width(value), 0))), w)
}

// exactText is a cell's value as received, with the time it means.
func exactText(c *records.Column, cell records.Cell) text.Safe {
	switch cell.State {
	case records.Absent, records.Null:
		return text.Sanitize(cell.State.String())
	}
	value := text.Sanitize(string(cell.Node.AppendRaw(nil, 200)))
	if cell.State == records.Cut {
		value += " (cut off)"
	}
	if cell.Node.Kind() == rawjson.Number {
		if t, ok := c.Time(cell); ok {
			value += text.Sanitize(t.UTC().Format(" = " + time.RFC3339))
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
