package result

import (
	"strings"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// cutMark stands behind a value whose end never came.
const cutMark = "✂"

// rowsKept is how many decoded rows are kept before all are forgotten: more than
// the tallest screen has.
const rowsKept = 512

// decoded are the cells of the rows that were drawn last. A screen is drawn at
// every key and mostly shows the same rows; a computed cell runs a program.
type decoded struct {
	table *records.Table
	rows  map[int][]records.Cell
}

// row is a row's cells. They are kept only where settled is set: while a page
// still comes its last record may be cut off.
func (d *decoded) row(t *records.Table, row int, settled bool) []records.Cell {
	if t != d.table || !settled || len(d.rows) >= rowsKept {
		d.table, d.rows = t, make(map[int][]records.Cell)
	}
	if cells, ok := d.rows[row]; ok {
		return cells
	}
	cells := t.Row(row, nil)
	if settled {
		d.rows[row] = cells
	}
	return cells
}

// cellText is what a cell shows: the value, times in a readable form.
func cellText(c *records.Column, cell records.Cell, s *style.Styles) string {
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
	t = s.Data(text.Sanitize(t))
	if more {
		t += text.Ellipsis
	}
	if cell.State == records.Cut {
		t += cutMark
	}
	return t
}

// fitted is what a cell shows in w cells. Two ids or long numbers often differ
// only at their end, so both their ends are shown; the mark of a value whose
// end never came stays, as the ellipsis alone says that there is more to see.
func fitted(c *records.Column, cell records.Cell, w int, s *style.Styles) string {
	t := cellText(c, cell, s)
	switch {
	case text.Width(t) <= w:
		return t
	case cell.State == records.Cut && w > 2:
		return text.Truncate(strings.TrimSuffix(t, cutMark), w-text.Width(cutMark)) + cutMark
	case strings.ContainsRune(t, ' '): // prose, or a time, which tells most at its beginning
	case cell.Node.Kind() == rawjson.Number, cell.Node.Kind() == rawjson.String && identifies(c):
		return text.Middle(t, w)
	}
	return t
}

// identifies tells whether a column holds ids, by the catalog or by its name.
func identifies(c *records.Column) bool {
	if c.Key || strings.EqualFold(c.Title, "id") {
		return true
	}
	for _, end := range [...]string{"_id", "Id", "ID", ".id"} {
		if strings.HasSuffix(c.Title, end) {
			return true
		}
	}
	return false
}
