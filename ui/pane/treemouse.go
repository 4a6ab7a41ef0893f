package pane

import "patchbay/ui/intent"

// Click puts the cursor on the row y of the window. A row that unfolds does so at
// once, and not again when the click is the second of two; what has a form
// opens when the cursor was there already or on a double click.
func (t *Tree) Click(y int, double bool) intent.Intent {
	before := t.scroll.Cursor
	if !t.Select(y) {
		return nil
	}
	switch n := t.Current(); n.Kind {
	case NodeAction, NodeSaved:
		if double || t.scroll.Cursor == before {
			return t.Open()
		}
	default:
		if !double {
			return t.Open()
		}
	}
	return nil
}

// Select puts the cursor on the row y of the window; false when there is none.
func (t *Tree) Select(y int) bool {
	i := t.scroll.Top + y
	if y < 0 || i < 0 || i >= len(t.visible()) {
		return false
	}
	t.scroll.Cursor = i
	return true
}
