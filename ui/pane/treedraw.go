package pane

import (
	"image"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Lines draws the window and tells where the text cursor stands, if one does.
func (t *Tree) Lines(w, h int, s *style.Styles, focused bool) ([]string, *image.Point) {
	if t.line == nil || h < 3 {
		return t.rowLines(w, h, s, focused), nil
	}
	lines := t.rowLines(w, h-1, s, focused)
	for len(lines) < h-1 {
		lines = append(lines, "")
	}
	facts := ""
	if t.filter != "" {
		facts = text.Count(len(t.visible()), "row", "rows")
	}
	line, x := InputLine{Field: t.line, Facts: facts}.Draw(w, s)
	return append(lines, line), &image.Point{X: x, Y: h - 1}
}

func (t *Tree) rowLines(w, h int, s *style.Styles, focused bool) []string {
	if msg, empty := t.Empty(); empty {
		st := s.Muted
		if t.problem != "" {
			st = s.Error
		}
		var lines []string
		for _, l := range text.Wrap(msg, w-1) {
			lines = append(lines, " "+st.Render(l))
		}
		return clip(lines, h)
	}
	rows := t.visible()
	from, to := t.scroll.Window(len(rows), h)
	lines := make([]string, 0, h)
	for i := from; i < to; i++ {
		lines = append(lines, t.rowLine(rows[i], w, s, i == t.scroll.Cursor, focused))
	}
	return lines
}

func (t *Tree) rowLine(n *Node, w int, s *style.Styles, current, focused bool) string {
	label := n.Label
	if n.Kind != NodeMessage {
		label = s.Data(label)
	}
	left := text.Spaces(1+2*t.depth[n]) + n.glyph(s) + " " + label
	if n.Kind == NodeConnector && n.Mark != "" {
		left += " " + n.Mark
	}
	noteStyle, labelStyle := s.Muted, s.Text
	switch {
	case n.Kind == NodeMessage && n.bad:
		labelStyle = s.Error
	case n.Kind == NodeMessage:
		labelStyle = s.Muted
	case n.Kind == NodeWorkspace:
		labelStyle = s.Strong
	}
	if n.Note == "deletes" || n.Note == "writes" {
		noteStyle = s.Warning
	}
	note := n.Note
	if n.Kind == NodeAction && note != "" { // what to know before running weighs more than the end of a name
		left = text.Truncate(left, max(w-text.Width(note)-2, 8))
	}
	if room := w - text.Width(left) - 2; text.Width(note) > room {
		note = text.Truncate(note, max(room, 0))
	}
	if current {
		st := s.SelectedBlur
		if focused {
			st = s.Selected
			left = s.Cursor + left[1:]
		}
		return st.Render(text.Between(left, note+" ", w))
	}
	left = text.Truncate(left, w)
	gap := w - text.Width(left) - text.Width(note) - 1
	if note == "" || gap < 1 {
		return labelStyle.Render(left)
	}
	return labelStyle.Render(left) + text.Spaces(gap) + noteStyle.Render(note)
}

func (n *Node) glyph(s *style.Styles) string {
	open, shut, leaf := "▾", "▸", "·"
	if s.ASCII {
		open, shut, leaf = "v", ">", "."
	}
	switch {
	case n.Kind == NodeMessage:
		return " "
	case n.Kind == NodeAction, n.Kind == NodeSaved:
		return leaf
	case n.open:
		return open
	}
	return shut
}

func clip(lines []string, h int) []string {
	if len(lines) > h {
		return lines[:max(h, 0)]
	}
	return lines
}

// Empty tells whether there is nothing to show, and why.
func (t *Tree) Empty() (message string, empty bool) {
	switch {
	case t.loading:
		return "Asking for workspaces…", true
	case t.problem != "":
		return t.problem, true
	case len(t.roots) == 0:
		return "No workspace is visible to these credentials. p switches profile or organization.", true
	case len(t.visible()) == 0:
		return "Nothing here matches \"" + text.Sanitize(t.filter) + "\". esc clears the filter; ctrl+p searches the whole catalog.", true
	}
	return "", false
}
