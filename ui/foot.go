package ui

import (
	"image"
	"strings"

	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// toastRows is how many lines a message may take.
const toastRows = 5

// toastLines are the lines of the message shown, on a ground of their own.
func (m *Model) toastLines(w int) []string {
	if m.toast.text == "" {
		return nil
	}
	s := m.styles.Raised()
	t, st := m.toast.text, s.Success
	if m.toast.bad {
		t, st = "! "+t, s.Warning
	}
	lines := text.WrapWords(t, max(w-2, 1), toastRows)
	for i := range lines {
		lines[i] = s.Ground(text.Pad(" "+st.Render(lines[i]), w))
	}
	return lines
}

// statusLines are a message while there is one, else what goes on, else what
// the next page would send. More than one line takes the room of the hints.
func (m *Model) statusLines(w int) []string {
	if lines := m.toastLines(w); lines != nil {
		return lines
	}
	s := m.styles
	one := func(st style.Style, t string) []string { return []string{" " + st.Render(text.Truncate(t, w-1))} }
	switch {
	case m.working() != "":
		return one(s.Accent, m.working())
	case m.prefix != "":
		return one(s.Accent, m.prefix+" …")
	case m.running() && m.call.many != nil:
		return one(s.Accent, m.fetchText())
	case m.running():
		return one(s.Muted, "asked "+m.req.Where())
	}
	var lines []string
	if hint := m.unopened(); hint != "" {
		lines = []string{s.Muted.Render(text.Truncate(hint, w-2))}
	} else if m.arr.focus == paneRequest {
		lines = m.req.Status(w-2, s)
	} else {
		lines = m.res.Status(w-2, s)
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// unopened says how to come to an action while none is open; "" where the pane
// with the focus has words of its own.
func (m *Model) unopened() string {
	switch {
	case m.req.HasAction() || m.res.HasAnswer() || m.arr.focus == paneRequest:
		return ""
	case m.arr.focus == paneTree:
		return "enter opens the row; ctrl+p searches the whole catalog"
	}
	return "1 goes to the tree, ctrl+p searches the whole catalog"
}

// drawFoot draws the status and the hints.
func (m *Model) drawFoot(c *canvas) {
	lines := m.statusLines(m.width)
	c.rows(m.lay.status, lines[:min(len(lines), 1)])
	hints := m.hintLine(m.width)
	if len(lines) == 2 && m.toast.text == "" {
		hints = text.Between(lines[1], strings.TrimLeft(hints, " "), m.width)
	}
	c.rows(m.lay.hints, []string{hints})
}

// drawToast draws a message over what is there: a long one grows upwards.
func (m *Model) drawToast(c *canvas) {
	lines := m.toastLines(m.width)
	if len(lines) < 2 && m.stack.Top() == nil {
		return
	}
	end := m.lay.hints.Min.Y
	if len(lines) > 1 {
		end = m.height
	}
	c.over(image.Rect(0, max(end-len(lines), 0), m.width, end), lines)
}

// hintLine lists about ten keys for what has the focus.
func (m *Model) hintLine(w int) string {
	s := m.styles
	var b strings.Builder
	used := 0
	for _, h := range m.placedHints(w) {
		b.WriteString(text.Spaces(h.at-used) + s.Key.Render(h.key) + " " + s.KeyHint.Render(h.label))
		used = h.at + h.width()
	}
	return text.Pad(b.String(), w)
}

// placedHints are the hints that fit into a line of w cells, and where they
// stand: the way to all other keys at the right end.
func (m *Model) placedHints(w int) []hint {
	var last []hint
	room := w - 1
	if keys := m.keymap.keys["help"]; len(keys) > 0 && !m.req.Editing() && !m.typesLine() {
		h := hint{key: keys[0], label: "keys"}
		h.at = w - 1 - h.width()
		if h.at > 0 {
			last, room = append(last, h), h.at-1
		}
	}
	var out []hint
	if rows := len(m.statusLines(w)); rows > 1 && m.toast.text != "" {
		return nil // a long message has their place
	} else if rows > 1 {
		return last
	}
	at := 1
	for _, h := range m.hints() {
		if at+h.width()+2 > room {
			break
		}
		h.at = at
		at += h.width() + 2
		out = append(out, h)
	}
	return append(out, last...)
}

// hintAt is the key whose hint stands at a cell of the footer; "" without one.
func (m *Model) hintAt(x int) string {
	for _, h := range m.placedHints(m.width) {
		if x >= h.at && x < h.at+h.width() {
			return h.key
		}
	}
	return ""
}

// hint is a key of the footer and what it does; at is the cell where it stands.
type hint struct {
	key, label string
	at         int
}

func (h hint) width() int { return text.Width(h.key) + 1 + text.Width(h.label) }

func hintsOf(list []pane.Hint) []hint {
	out := make([]hint, len(list))
	for i, h := range list {
		out[i] = hint{key: h.Key, label: h.Label}
	}
	return out
}

// hints are the footer's keys: what helps where the person is, then what always works.
func (m *Model) hints() []hint {
	if m.running() {
		return []hint{{key: "ctrl+c", label: "cancel"}, {key: "1 2 3", label: "panes"}}
	}
	switch {
	case m.arr.focus == paneRequest && m.req.Editing():
		return hintsOf(m.req.EditingHints())
	case m.typesLine() && m.arr.focus == paneTree:
		return hintsOf(m.tree.LineHints())
	case m.typesLine():
		return hintsOf(m.res.LineHints())
	}
	scopes := m.scopes()
	var hints []hint
	for _, s := range scopes {
		for rank := 1; rank <= 10; rank++ {
			for i := range m.actions {
				a := &m.actions[i]
				if a.In != s || a.Footer != rank || (a.Disabled != nil && a.Disabled(m) != "") {
					continue
				}
				keys := m.keymap.keys[a.ID]
				if len(keys) == 0 || m.keymap.find(keys[0], scopes) != i {
					continue // a more specific action has the key
				}
				label := a.Label
				if a.Now != nil {
					label = a.Now(m)
				}
				hints = append(hints, hint{key: keyName(keys), label: label})
			}
		}
	}
	return hints
}
