package result

import "patchbay/client/records"

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
