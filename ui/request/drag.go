package request

// dragged is a condition or a sort key that follows the pointer; over is the row where that was last.
type dragged struct {
	on   bool
	over int
}

// Grab begins to drag the condition, group or sort key in the row of a click; false where there is none.
func (r *Pane) Grab() bool {
	e, ok := r.ed.(*searchEditor)
	if !ok || r.json != nil || r.Typing() {
		return false
	}
	row, ok := e.row(r.scroll.Cursor)
	moves := row.kind == rowSort || row.kind == rowNode && len(row.path) > 0
	r.dragged = dragged{on: ok && moves, over: r.scroll.Cursor}
	return r.dragged.on
}

// Drag moves what was grabbed to the line y of the content.
func (r *Pane) Drag(y int) {
	e, ok := r.ed.(*searchEditor)
	to := r.scroll.Top + y - r.headerRows()
	if !ok || !r.dragged.on || to == r.dragged.over || y < r.headerRows() {
		return
	}
	r.dragged.over = to
	r.scroll.Cursor, r.cell = e.drag(r.scroll.Cursor, to), 0
}

// Drop ends the dragging.
func (r *Pane) Drop() { r.dragged = dragged{} }
