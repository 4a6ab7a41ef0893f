package request

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/client/search"
	"patchbay/ui/input"
	"patchbay/ui/intent"
)

// Typing reports whether a text field has the input.
func (r *Pane) Typing() bool { return r.field != nil || (r.json != nil && r.json.editing) }

// TextField is the field that is typed into; nil while none is.
func (r *Pane) TextField() *input.Field { return r.field }

// CanType reports whether typing starts the editing of the cell under the cursor.
func (r *Pane) CanType() bool {
	return r.ed != nil && r.field == nil && r.json == nil && r.ed.types(r.scroll.Cursor, r.cell)
}

// EndTyping ends the editing and keeps what was typed.
func (r *Pane) EndTyping() intent.Intent {
	if r.field != nil {
		r.endField()
	}
	if r.json != nil && r.json.editing {
		r.json.end(r)
	}
	return nil
}

func (r *Pane) endField() string {
	p := r.ed.set(r.scroll.Cursor, r.cell, r.field.Value())
	r.field, r.problem = nil, ""
	return p
}

// Enter edits the cell under the cursor, or does what the row is for.
func (r *Pane) Enter() intent.Intent {
	if r.ed == nil {
		return nil
	}
	if r.json != nil {
		r.json.begin()
		return nil
	}
	b := r.ed.start(r.scroll.Cursor, r.cell)
	if b.edit {
		r.field = input.New(b.text)
		r.field.Secret = b.secret
		r.before = b.text
	}
	r.clamp()
	return b.ask
}

// Continue edits a cell of the row under the cursor, after a choice was made.
func (r *Pane) Continue(c intent.EditCell) intent.Intent {
	if e, ok := r.ed.(*searchEditor); ok {
		r.scroll.Cursor = e.newest(r.scroll.Cursor)
	}
	r.cell = c.Cell
	r.clamp()
	return r.Enter()
}

// ContinueRow edits a row of the form that was added or chosen: objects unfold.
func (r *Pane) ContinueRow(in intent.EditRow) intent.Intent {
	e, ok := r.ed.(*formEditor)
	if !ok {
		return nil
	}
	i := e.find(in.Path, -1)
	row, ok := e.row(i)
	if !ok {
		return nil
	}
	r.scroll.Cursor, r.cell = i, 0
	if !row.Expandable {
		r.clamp()
		return r.Enter()
	}
	e.f.Fold(in.Path, true)
	r.clamp()
	return nil
}

// newest is the last condition that waits for a value when row i is the one that
// adds one; else it is row i.
func (e *searchEditor) newest(i int) int {
	if row, ok := e.row(i); ok && row.kind == rowNode {
		return i
	}
	for at, row := range e.rows() {
		if row.kind == rowNode && row.node.Op == search.Condition && len(row.node.Value) == 0 {
			i = at
		}
	}
	return i
}

func (r *Pane) clamp() {
	lines := r.ed.lines()
	r.scroll.Move(0, len(lines))
	if r.scroll.Cursor < len(lines) {
		r.cell = min(max(r.cell, 0), max(len(lines[r.scroll.Cursor].cells)-1, 0))
	}
}

// Key handles a key while a text field has the input.
func (r *Pane) Key(msg tea.KeyPressMsg) intent.Intent {
	if r.json != nil {
		return r.json.key(r, msg)
	}
	if r.field == nil {
		if !r.CanType() {
			return nil
		}
		switch in := r.Enter().(type) {
		case intent.Choose:
			in.Query = msg.Text
			return in
		case intent.EditText:
			in.Text += msg.Text
			return in
		case nil:
		default:
			return in
		}
		if r.field == nil {
			return nil
		}
		r.field.Set("")
	}
	switch msg.String() {
	case "enter", "esc":
		if msg.String() == "esc" && r.problem != "" {
			r.field.Set(r.before)
		}
		if p := r.endField(); p != "" {
			return intent.Say{Text: p, Bad: true}
		}
	case "tab", "down":
		r.endField()
		r.Tab(1)
	case "shift+tab", "up":
		r.endField()
		r.Tab(-1)
	default:
		if r.field.Key(msg) {
			r.problem = r.ed.set(r.scroll.Cursor, r.cell, r.field.Value())
		}
	}
	return nil
}

// Tab goes to the next or previous field; false at the end.
func (r *Pane) Tab(d int) bool {
	if r.ed == nil || r.json != nil {
		return false
	}
	lines := r.ed.lines()
	if r.scroll.Cursor < len(lines) && r.cell+d >= 0 && r.cell+d < len(lines[r.scroll.Cursor].cells) {
		r.cell += d
		return true
	}
	next := r.scroll.Cursor + d
	if next < 0 || next >= len(lines) {
		return false
	}
	r.scroll.Cursor, r.cell = next, 0
	if d < 0 {
		r.cell = max(len(lines[next].cells)-1, 0)
	}
	return true
}

// Move moves the cursor by rows or cells.
func (r *Pane) Move(dx, dy int) {
	if r.ed == nil {
		return
	}
	if r.json != nil {
		r.json.scroll.Move(dy, len(r.json.rows))
		return
	}
	lines := r.ed.lines()
	if dy != 0 {
		r.scroll.Move(dy, len(lines))
		r.cell = 0
	}
	if dx != 0 && r.scroll.Cursor < len(lines) {
		l := lines[r.scroll.Cursor]
		if len(l.cells) > 1 {
			r.cell = min(max(r.cell+dx, 0), len(l.cells)-1)
		} else if l.expandable && l.expanded == (dx < 0) {
			r.ed.fold(r.scroll.Cursor)
		}
	}
	r.clamp()
}

// Half moves by half windows.
func (r *Pane) Half(d int) { r.Move(0, d*max(r.scroll.Height/2, 1)) }

// Wheel scrolls.
func (r *Pane) Wheel(d int) {
	switch {
	case r.json != nil:
		r.json.scroll.Wheel(d, len(r.json.rows))
	case r.ed != nil && r.field == nil:
		r.scroll.Wheel(d, len(r.ed.lines()))
	}
}

// Click puts the cursor on a row and edits it when it was there already. The
// mark of a row that unfolds does so at once.
func (r *Pane) Click(x, y int, double bool) intent.Intent {
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
func (r *Pane) Select(x, y int) bool {
	if r.ed == nil {
		return false
	}
	r.EndTyping()
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
