package tree

import (
	"image"
	"strings"

	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Lines draws the window and says where the text cursor stands, if one does.
func (t *Pane) Lines(w, h int, s *style.Styles, focused bool) ([]text.Safe, *image.Point) {
	if t.line == nil || h < 3 {
		return t.rowLines(w, h, s, focused), nil
	}
	lines := t.rowLines(w, h-1, s, focused)
	for len(lines) < h-1 {
		lines = append(lines, "")
	}
	line, x := t.bar().Draw(w, s)
	return append(lines, line), &image.Point{X: x, Y: h - 1}
}

// bar is the line in which the filter is typed.
func (t *Pane) bar() input.Bar {
	facts := ""
	if t.filter != "" {
		facts = quantity.Count(len(t.visible()), "row", "rows")
	}
	return input.Bar{Field: t.line, Facts: facts}
}

func (t *Pane) rowLines(w, h int, s *style.Styles, focused bool) []text.Safe {
	if msg, empty := t.Empty(); empty {
		st, sign := s.Muted, text.Safe(" ")
		if t.problem != "" {
			sign, st = s.Outcome(style.Failed)
			sign += " "
		}
		var lines []text.Safe
		for _, l := range text.Wrap(text.Sanitize(msg), w-text.Width(sign)) {
			lines = append(lines, st.Render(sign+l))
			sign = text.Spaces(text.Width(sign))
		}
		return lines[:min(len(lines), max(h, 0))]
	}
	rows := t.visible()
	from, to := t.scroll.Window(len(rows), h)
	lines := make([]text.Safe, 0, h)
	for i := from; i < to; i++ {
		lines = append(lines, t.rowLine(rows[i], w, s, i == t.scroll.Cursor, focused))
	}
	return lines
}

func (t *Pane) rowLine(n *Node, w int, s *style.Styles, current, focused bool) text.Safe {
	label, note := text.Sanitize(n.Label), text.Sanitize(n.Note)
	if n.Kind != NodeMessage {
		label = s.Data(label)
	} else {
		label = n.shown
	}
	left := text.Spaces(1+2*t.depth[n]) + n.glyph(s) + " " + label
	mark, healthStyle := n.health(s)
	noteStyle, labelStyle := s.Muted, s.Text
	switch {
	case n.Kind == NodeMessage && n.bad:
		labelStyle = s.Error
	case n.Kind == NodeMessage:
		labelStyle = s.Muted
	case n.Kind == NodeWorkspace:
		labelStyle = s.Strong
	}
	if note == "deletes" || note == "writes" {
		noteStyle = s.Warning
	}
	if n.Kind == NodeAction && note != "" { // what to know before running weighs more than the end of a name
		left = text.Truncate(left, max(w-text.Width(note)-2, 8))
	}
	left = text.Truncate(left, max(w-text.Width(mark), 1))
	if room := w - text.Width(left) - text.Width(mark) - 2; text.Width(note) > room {
		number, _, counts := strings.Cut(n.Note, " entit")
		switch {
		case counts && len(number) <= room: // the number says more than the beginning of the word
			note = text.Sanitize(number)
		case mark != "":
			note = ""
		default:
			note = text.Truncate(note, max(room, 0))
		}
	}
	if current {
		st := s.SelectedBlur
		if focused {
			st = s.Selected
			left = s.Cursor + left[1:]
		}
		return st.Render(text.Between(left+mark, note+" ", w))
	}
	line := labelStyle.Render(left) + healthStyle.Render(mark)
	gap := w - text.Width(left) - text.Width(mark) - text.Width(note) - 1
	if note == "" || gap < 1 {
		return line
	}
	return line + text.Spaces(gap) + noteStyle.Render(note)
}

// health is the mark of a connector that was checked; it is never cut.
func (n *Node) health(s *style.Styles) (mark text.Safe, look style.Style) {
	if n.Kind != NodeConnector || n.Mark == "" {
		return "", s.Text
	}
	sign, look := s.Outcome(n.Health)
	if mark = " "; sign != "" {
		mark += sign + " "
	}
	return mark + text.Sanitize(n.Mark), look
}

func (n *Node) glyph(s *style.Styles) text.Safe {
	switch {
	case n.Kind == NodeMessage && n.bad && !n.on:
		return "✗"
	case n.Kind == NodeMessage:
		return " "
	case n.Kind == NodeAction, n.Kind == NodeSaved:
		return map[bool]text.Safe{true: ".", false: "·"}[s.ASCII]
	case n.open:
		return "▾"
	}
	return "▸"
}

// Empty reports whether there is nothing to show, and why.
func (t *Pane) Empty() (message string, empty bool) {
	switch {
	case t.loading:
		return "Asking for workspaces…", true
	case t.problem != "":
		return t.problem, true
	case len(t.roots) == 0:
		return "No workspace is visible to these credentials. p switches profile or organization.", true
	case len(t.visible()) == 0:
		return "Nothing here matches \"" + t.filter +
			"\". esc clears the filter; ctrl+p searches the whole catalog.", true
	}
	return "", false
}

// Actions are the rows of the action table that work in the tree.
func (t *Pane) Actions() []action.Row {
	return []action.Row{
		{ID: "tree.open", In: action.InTree, Keys: []string{"enter", "space"}, Label: "open", Footer: 2,
			Help: "Open the row: unfold it or fold it, or show the form of the action", Do: t.Open},
		{ID: "tree.in", In: action.InTree, Keys: []string{"l", "right"}, Label: "go in",
			Help: "Unfold the row, or go to the first row inside it", Do: t.In},
		{ID: "tree.close", In: action.InTree, Keys: []string{"h", "left"}, Label: "close",
			Help: "Fold the row or go to its parent", Do: func() intent.Intent { t.Fold(); return nil }},
		{ID: "tree.filter", In: action.InTree, Keys: []string{"/"}, Label: "filter", Footer: 3,
			Help: "Filter the tree by words while you type, also what is folded",
			Do:   func() intent.Intent { t.OpenLine(); return nil }},
		{ID: "tree.reload", In: action.InTree, Keys: []string{"R"}, Label: "reload",
			Help: "Ask for workspaces and connectors again; on one that the service described, for its description",
			Do:   t.reload},
	}
}

// reload asks again for what the cursor is on: for the description of a connector, else
// for everything.
func (t *Pane) reload() intent.Intent {
	for n := t.Current(); n != nil; n = n.parent {
		if n.Kind == NodeConnector && n.Described {
			return intent.LoadKind{Connector: n.Connector, Anew: true}
		}
	}
	return intent.LoadWorkspaces{}
}
