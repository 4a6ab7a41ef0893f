package tree

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Filter is the text that rows must contain; empty shows all.
func (t *Pane) Filter() string { return t.filter }

// SetFilter changes the filter and keeps the cursor on its node where possible.
func (t *Pane) SetFilter(s string) {
	cur := t.Current()
	t.filter, t.dirty = s, true
	t.place(cur)
}

// OpenLine begins to type a filter.
func (t *Pane) OpenLine() { t.line, t.was = input.New(t.filter), t.filter }

// Typing reports whether a filter is being typed.
func (t *Pane) Typing() bool { return t.line != nil }

// TextField is the field of the filter; nil while none is typed.
func (t *Pane) TextField() *input.Field { return t.line }

// EndTyping ends the typing and keeps the filter.
func (t *Pane) EndTyping() intent.Intent {
	t.line = nil
	return nil
}

// Key handles a key while a filter is typed; the rows follow at once.
func (t *Pane) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "enter":
		t.EndTyping()
	case "esc":
		t.EndTyping()
		t.SetFilter(t.was)
	case "up":
		t.Move(0, -1)
	case "down":
		t.Move(0, 1)
	case "pgup":
		t.Half(-1)
	case "pgdown":
		t.Half(1)
	default:
		if t.line.Key(msg) {
			t.SetFilter(t.line.Value())
			return t.Complete()
		}
	}
	return nil
}

// Paste puts pasted text into the filter.
func (t *Pane) Paste(s string) intent.Intent {
	t.line.Paste(s)
	t.SetFilter(t.line.Value())
	return t.Complete()
}

// mostCompleted is how many connectors a filter looks into: each has some hundred rows.
const mostCompleted = 100

// Complete asks for what a filter must know of nodes that were never unfolded; nothing
// without a filter.
func (t *Pane) Complete() intent.Intent {
	if t.filter == "" {
		return nil
	}
	var all intent.All
	left := mostCompleted
	for _, r := range t.roots {
		if !r.loaded && !r.loading && len(r.children) == 0 {
			r.loading = true
			all = append(all, intent.LoadConnectors{Workspace: r.Workspace})
		}
		for _, n := range r.children {
			if n.Kind == NodeConnector && n.Connector.Kind != "" && !n.loaded && !n.loading && left > 0 {
				n.loading = true
				left--
				all = append(all, intent.LoadKind{Connector: n.Connector})
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// TypingHints are the keys that work while a filter is typed.
func (t *Pane) TypingHints() []input.Hint {
	drop := "drop"
	if t.was != "" {
		drop = "as before"
	}
	return []input.Hint{{Key: "enter", Label: "keep"}, {Key: "esc", Label: drop}, {Key: "up down", Label: "rows"}}
}

// visible are the rows that the filter and what is folded leave.
func (t *Pane) visible() []*Node {
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
func (t *Pane) walk(n *Node, depth int, words []string, path string) bool {
	path += " " + strings.ToLower(n.Label)
	at := len(t.rows)
	t.add(n, depth)
	lacks := func(w string) bool { return !strings.Contains(path, w) }
	names := func(w string) bool { return strings.Contains(strings.ToLower(n.Label), w) }
	hit := len(words) > 0 && n.Kind != NodeMessage && !slices.ContainsFunc(words, lacks) &&
		slices.ContainsFunc(words, names)
	below := false
	if n.open || len(words) > 0 {
		for _, c := range n.children {
			if len(words) > 0 && hit && !n.open {
				break // the match itself is enough; its children stay folded
			}
			below = t.walk(c, depth+1, words, path) || below
		}
	}
	if hit && n.open && !below { // it was unfolded to see what is in it
		for _, c := range n.children {
			t.walk(c, depth+1, nil, path)
		}
	}
	if len(words) > 0 && !hit && !below {
		t.rows = t.rows[:at]
		return false
	}
	return true
}

// add adds the row of a node; a message that is longer than the tree is wide has several.
func (t *Pane) add(n *Node, depth int) {
	t.rows = append(t.rows, n)
	t.depth[n] = depth
	if n.Kind != NodeMessage {
		return
	}
	for i, part := range text.Wrap(text.Sanitize(n.Label), max(t.width-2*depth-4, leastMessage)) {
		row := n
		if i > 0 {
			more := *n
			row, more.on = &more, true
			t.rows = append(t.rows, row)
			t.depth[row] = depth
		}
		row.shown = part
	}
}

// leastMessage is how wide the lines of a message are at least.
const leastMessage = 12

// Click puts the cursor on the row y of the window. A row that unfolds does so at
// once, and not again when the click is the second of two; what has a form
// opens when the cursor was there already or on a double click.
func (t *Pane) Click(_, y int, double bool) intent.Intent {
	before := t.scroll.Cursor
	if !t.Select(0, y) {
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
func (t *Pane) Select(_, y int) bool {
	i := t.scroll.Top + y
	if y < 0 || i < 0 || i >= len(t.visible()) {
		return false
	}
	t.scroll.Cursor = i
	return true
}
