package pane

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
)

// Filter is the text that rows must contain; empty shows all.
func (t *Tree) Filter() string { return t.filter }

// SetFilter changes the filter and keeps the cursor on its node where possible.
func (t *Tree) SetFilter(s string) {
	cur := t.Current()
	t.filter, t.dirty = s, true
	t.place(cur)
}

// OpenLine begins to type a filter.
func (t *Tree) OpenLine() { t.line, t.was = input.New(t.filter), t.filter }

// Typing tells whether a filter is being typed.
func (t *Tree) Typing() bool { return t.line != nil }

// EndLine ends the typing and keeps the filter.
func (t *Tree) EndLine() { t.line = nil }

// LineKey handles a key while a filter is typed; the rows follow at once.
func (t *Tree) LineKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "enter":
		t.EndLine()
	case "esc":
		t.EndLine()
		t.SetFilter(t.was)
	case "up":
		t.Move(-1)
	case "down":
		t.Move(1)
	case "pgup":
		t.Half(-1)
	case "pgdown":
		t.Half(1)
	default:
		if t.line.Key(msg) {
			t.SetFilter(t.line.Value())
		}
	}
}

// LinePaste puts pasted text into the filter.
func (t *Tree) LinePaste(s string) {
	t.line.Paste(s)
	t.SetFilter(t.line.Value())
}

// LineHints are the keys that work while a filter is typed.
func (t *Tree) LineHints() []Hint {
	drop := "drop"
	if t.was != "" {
		drop = "as before"
	}
	return []Hint{{"enter", "keep"}, {"esc", drop}, {"up down", "rows"}}
}
