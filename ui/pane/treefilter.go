package pane

import (
	"strings"

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

// TextField is the field of the filter; nil while none is typed.
func (t *Tree) TextField() *input.Field { return t.line }

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

// visible are the rows that the filter and what is folded leave.
func (t *Tree) visible() []*Node {
	if !t.dirty {
		return t.rows
	}
	t.rows, t.depth, t.dirty = t.rows[:0], map[*Node]int{}, false
	words := strings.Fields(strings.ToLower(t.filter))
	for _, n := range t.roots {
		t.walk(n, 0, words, "")
	}
	if t.saved != nil {
		t.walk(t.saved, 0, words, "")
	}
	t.scroll.Move(0, len(t.rows))
	return t.rows
}

// walk adds n and its visible descendants; with a filter, only what matches
// and what leads there. It reports whether anything was added.
func (t *Tree) walk(n *Node, depth int, words []string, path string) bool {
	path += " " + strings.ToLower(n.Label)
	at := len(t.rows)
	t.rows = append(t.rows, n)
	t.depth[n] = depth
	hit := len(words) > 0 && n.Kind != NodeMessage && containsAll(path, words) && containsAny(strings.ToLower(n.Label), words)
	below := false
	if n.open || len(words) > 0 {
		for _, c := range n.children {
			if len(words) > 0 && hit && !n.open {
				break // the match itself is enough; its children stay folded
			}
			below = t.walk(c, depth+1, words, path) || below
		}
	}
	if len(words) > 0 && !hit && !below {
		t.rows = t.rows[:at]
		return false
	}
	return true
}

func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
