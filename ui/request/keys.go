package request

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
)

// Typing reports whether a text field has the input.
func (r *Pane) Typing() bool { return r.field != nil || (r.json != nil && r.json.editing) }

// TextField is the field that is typed into; nil while none is.
func (r *Pane) TextField() *input.Field { return r.field }

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

// endField stores what was typed, unless nothing was, and says what is wrong with it.
func (r *Pane) endField() string {
	if r.sure {
		r.field.TakeCompletion()
	}
	p := r.problem
	if t := r.field.Value(); t != r.before {
		p = r.ed.set(r.scroll.Cursor, r.cell, t)
	}
	r.field, r.problem = nil, ""
	r.note()
	return p
}

// takeBack ends the typing and forgets what was typed since the field opened.
func (r *Pane) takeBack() intent.Intent {
	typed := r.field.Value() != r.before || r.grown
	r.field, r.problem = nil, ""
	if !typed {
		return nil
	}
	return intent.Failed(r.restore(r.opened))
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
	r.opened = r.draft()
	return r.enter()
}

func (r *Pane) enter() intent.Intent {
	b := r.ed.start(r.scroll.Cursor, r.cell)
	if b.edit {
		r.begin(b)
	}
	r.clamp()
	return b.ask
}

// begin opens a field over the cell under the cursor.
func (r *Pane) begin(b begun) {
	r.field = input.New(b.text)
	if b.offered {
		r.field.Offer(b.text)
	}
	r.field.Secret, r.field.Completions = b.secret, b.known
	r.before, r.sure, r.grown = b.text, b.only, false
}

// Type opens a field over the cell under the cursor, or over the next one that takes text.
func (r *Pane) Type() {
	if r.ed == nil || r.json != nil || r.field != nil {
		return
	}
	if !r.ed.types(r.scroll.Cursor, r.cell) {
		r.hop(1)
		return
	}
	r.opened = r.draft()
	r.begin(r.ed.text(r.scroll.Cursor, r.cell))
	r.clamp()
}

// hop goes to the next (1) or previous (-1) cell that takes text and types there; behind
// the last comes the first.
func (r *Pane) hop(d int) {
	if r.field != nil {
		r.endField()
	}
	lines := r.ed.lines()
	if len(lines) == 0 { // nothing can be typed
		return
	}
	row, cell := min(r.scroll.Cursor, len(lines)-1), r.cell
	for range cellsOf(lines) + 1 {
		if cell += d; cell < 0 || cell >= len(lines[row].cells) {
			row = (row + d + len(lines)) % len(lines)
			if cell = 0; d < 0 {
				cell = max(len(lines[row].cells)-1, 0)
			}
		}
		if r.ed.types(row, cell) {
			r.scroll.Cursor, r.cell = row, cell
			r.Type()
			return
		}
	}
}

// cellsOf is how many places a cursor can be at.
func cellsOf(lines []line) int {
	n := 0
	for _, l := range lines {
		n += max(len(l.cells), 1)
	}
	return n
}

// Continue types into a cell of the row under the cursor, after a choice was made.
func (r *Pane) Continue(c intent.EditCell) intent.Intent {
	if e, ok := r.ed.(*searchEditor); ok {
		r.scroll.Cursor = e.newest(r.scroll.Cursor)
	}
	r.cell = c.Cell
	r.clamp()
	r.Type()
	return nil
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
		in := r.enter()
		r.grown = r.field != nil
		return in
	}
	e.f.Fold(in.Path, true)
	r.clamp()
	return nil
}

func (r *Pane) clamp() {
	lines := r.ed.lines()
	r.scroll.Move(0, len(lines))
	if r.scroll.Cursor < len(lines) {
		r.cell = min(max(r.cell, 0), max(len(lines[r.scroll.Cursor].cells)-1, 0))
	}
}

// Key handles a key while a text field has the input; on a row no key types.
func (r *Pane) Key(msg tea.KeyPressMsg) intent.Intent {
	if r.json != nil {
		return r.json.key(r, msg)
	}
	if r.field == nil {
		return nil
	}
	switch msg.String() {
	case "esc":
		return r.takeBack()
	case "enter":
		return r.accept()
	case "tab":
		if in, ok := r.another(); ok {
			return in
		}
		r.hop(1)
	case "shift+tab":
		r.hop(-1)
	case "down":
		r.step(1)
	case "up":
		r.step(-1)
	default:
		if !r.leap(msg) && r.field.Key(msg) {
			r.changed()
		}
	}
	return nil
}

// changed takes over what is typed.
func (r *Pane) changed() { r.problem = r.ed.set(r.scroll.Cursor, r.cell, r.field.Value()) }

// step goes through the values that the field knows; without any to another field.
func (r *Pane) step(d int) {
	if !r.field.Step(d) {
		r.hop(d)
		return
	}
	r.changed()
}

// accept ends the typing and keeps what was typed; a condition goes on to what it lacks.
func (r *Pane) accept() intent.Intent {
	if p := r.endField(); p != "" {
		return intent.Say{Text: p, Bad: true}
	}
	cell, more := r.ed.next(r.scroll.Cursor, r.cell)
	if more {
		r.cell = cell
		r.Type()
	} else if e, ok := r.ed.(*searchEditor); ok {
		r.scroll.Cursor, r.cell = e.behind(r.scroll.Cursor), 0
	}
	return nil
}

// TypeHere types into the cell under the cursor, or into the next one that takes text.
func (r *Pane) TypeHere() intent.Intent {
	if r.json != nil {
		r.json.begin()
	}
	r.Type()
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
	if at := r.refusedRow(); at >= r.scroll.Top && i > at {
		i = max(i-len(r.words(r.width-r.jsonBeside(r.width), &style.Styles{})), at)
	}
	lines := r.ed.lines()
	if r.json != nil || y < r.headerRows() || i >= len(lines) {
		return false
	}
	w := r.width - r.jsonBeside(r.width)
	r.scroll.Cursor, r.cell = i, cellAt(lines[i], x-lines[i].labelCells(w)-3)
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
