package pane

import "patchbay/ui/intent"

// Wheel scrolls.
func (r *Request) Wheel(d int) {
	switch {
	case r.json != nil:
		r.json.scroll.Wheel(d, len(r.json.rows))
	case r.ed != nil && r.field == nil:
		r.scroll.Wheel(d, len(r.ed.lines()))
	}
}

// Click puts the cursor on a row and edits it when it was there already. The
// mark of a row that unfolds does so at once.
func (r *Request) Click(x, y int, double bool) intent.Intent {
	if r.json != nil {
		r.json.click(y, double)
		return nil
	}
	row, cell := r.scroll.Cursor, r.cell
	if !r.Select(x, y) {
		return nil
	}
	l := r.ed.lines()[r.scroll.Cursor]
	if l.expandable && !double && x < 4+2*l.depth {
		r.ed.fold(r.scroll.Cursor)
		r.clamp()
		return nil
	}
	if double || l.heading || row == r.scroll.Cursor && cell == r.cell {
		return r.Enter()
	}
	return nil
}

// Select puts the cursor on the cell under a point, and ends the editing of
// another; false when there is no row.
func (r *Request) Select(x, y int) bool {
	if r.ed == nil {
		return false
	}
	r.StopEditing()
	i := r.scroll.Top + y - r.headerRows()
	lines := r.ed.lines()
	if r.json != nil || y < r.headerRows() || i >= len(lines) {
		return false
	}
	w := r.width - r.jsonBeside(r.width)
	r.scroll.Cursor, r.cell = i, cellAt(lines[i], x-min(labelWidth, w/3)-3)
	return true
}

// cellAt is the cell of a row that is x cells behind its label.
func cellAt(l line, x int) int {
	at := 0
	for i, c := range l.cells {
		if c.width == 0 || x < at+c.width+1 {
			return i
		}
		at += c.width + 1
	}
	return max(len(l.cells)-1, 0)
}
