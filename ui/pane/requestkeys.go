package pane

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
)

// Editing tells whether a text field has the input.
func (r *Request) Editing() bool { return r.field != nil || (r.json != nil && r.json.editing) }

// TextField is the field that is typed into; nil while none is.
func (r *Request) TextField() *input.Field { return r.field }

// CanType tells whether typing starts the editing of the cell under the cursor.
func (r *Request) CanType() bool {
	return r.ed != nil && r.field == nil && r.json == nil && r.ed.types(r.scroll.Cursor, r.cell)
}

// StopEditing ends the editing and keeps what was typed.
func (r *Request) StopEditing() {
	if r.field != nil {
		r.endField()
	}
	if r.json != nil && r.json.editing {
		r.json.end(r)
	}
}

func (r *Request) endField() string {
	p := r.ed.set(r.scroll.Cursor, r.cell, r.field.Value())
	r.field, r.problem = nil, ""
	return p
}

// Enter edits the cell under the cursor, or does what the row is for.
func (r *Request) Enter() intent.Intent {
	if r.ed == nil {
		return nil
	}
	if r.json != nil {
		r.json.begin()
		return nil
	}
	t, secret, in, edit := r.ed.start(r.scroll.Cursor, r.cell)
	if edit {
		r.field = input.New(t)
		r.field.Secret = secret
		r.before = t
	}
	r.clamp()
	return in
}

// Continue goes on with a cell of the row under the cursor, after a choice was made.
func (r *Request) Continue(c EditCell) intent.Intent {
	r.selectNew()
	r.cell = c.Cell
	r.clamp()
	return r.Enter()
}

// ContinueRow goes on with a row of the form that was added or chosen.
func (r *Request) ContinueRow(in EditRow) intent.Intent {
	e, ok := r.ed.(*formEditor)
	if !ok {
		return nil
	}
	row, edit := e.editRow(in.Path)
	if row < 0 {
		return nil
	}
	r.scroll.Cursor, r.cell = row, 0
	r.clamp()
	if edit {
		return r.Enter()
	}
	return nil
}

// selectNew puts the cursor on the last condition that waits for a value when
// the cursor is on the row that adds one.
func (r *Request) selectNew() {
	e, ok := r.ed.(*searchEditor)
	if !ok {
		return
	}
	if row, ok := e.row(r.scroll.Cursor); ok && row.kind == rowNode {
		return
	}
	for i, row := range e.rows() {
		if row.kind == rowNode && row.node.Op == "condition" && len(row.node.Value) == 0 {
			r.scroll.Cursor = i
		}
	}
}

func (r *Request) clamp() {
	lines := r.ed.lines()
	r.scroll.Move(0, len(lines))
	if r.scroll.Cursor < len(lines) {
		r.cell = min(max(r.cell, 0), max(len(lines[r.scroll.Cursor].cells)-1, 0))
	}
}

// Key handles a key while a text field has the input.
func (r *Request) Key(msg tea.KeyPressMsg) intent.Intent {
	if r.json != nil {
		return r.json.key(r, msg)
	}
	if r.field == nil {
		if r.ed == nil {
			return nil
		}
		if !r.ed.types(r.scroll.Cursor, r.cell) {
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
			r.problem = r.ed.check(r.scroll.Cursor, r.cell, r.field.Value())
		}
	}
	return nil
}

// Tab goes to the next or previous field; false at the end.
func (r *Request) Tab(d int) bool {
	if r.ed == nil || r.json != nil {
		return false
	}
	lines := r.ed.lines()
	if r.scroll.Cursor < len(lines) && len(lines[r.scroll.Cursor].cells) > 1 {
		if c := r.cell + d; c >= 0 && c < len(lines[r.scroll.Cursor].cells) {
			r.cell = c
			return true
		}
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
func (r *Request) Move(dx, dy int) {
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
func (r *Request) Half(d int) { r.Move(0, d*max(r.scroll.Height/2, 1)) }
