package ui

import (
	"image"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// toastRows is how many lines a message may take.
const toastRows = 5

// foot is what the last two lines hold, and the message over them.
type foot struct {
	toast toast
	// status is what is under way, else what the next page would send; a second line takes
	// the room of the hints.
	status []text.Safe
	// hints are the keys for what has the focus; all is the key that finds every other.
	hints []hint
	all   string
}

// message is what the toast says in w cells, on a ground of its own.
func (f *foot) message(w int, s *style.Styles) []text.Safe {
	if f.toast.text == "" {
		return nil
	}
	s = s.Raised()
	t, st := f.toast.text, s.Success
	if f.toast.bad {
		t, st = "! "+t, s.Warning
	}
	lines := text.WrapWords(text.Sanitize(t), max(w-2, 1), toastRows)
	for i := range lines {
		lines[i] = s.Ground(text.Pad(" "+st.Render(lines[i]), w))
	}
	return lines
}

// draw draws the status and the hints.
func (f *foot) draw(c *canvas, status, hints image.Rectangle) {
	lines := f.message(c.width, c.styles)
	if lines == nil {
		lines = f.status
	}
	c.rows(status, lines[:min(len(lines), 1)])
	var keys text.Safe
	used := 0
	for _, h := range f.placed(c.width, c.styles) {
		keys += text.Spaces(h.at-used) + c.styles.Key.Render(text.Sanitize(h.Key)) + " " +
			c.styles.KeyHint.Render(text.Sanitize(h.Label))
		used = h.at + h.width()
	}
	if len(lines) == 2 && f.toast.text == "" {
		keys = text.Between(lines[1], text.TrimLeft(keys, " "), c.width)
	}
	c.rows(hints, []text.Safe{keys})
}

// drawOver draws a message over what is there: a long one grows upwards, so that the keys
// stay in sight.
func (f *foot) drawOver(c *canvas, covered bool, hints image.Rectangle) {
	lines := f.message(c.width, c.styles)
	if len(lines) < 2 && !covered {
		return
	}
	c.over(image.Rect(0, max(hints.Min.Y-len(lines), 0), c.width, hints.Min.Y), lines)
}

// placed are the hints that fit into a line of w cells, and where they stand: the
// way to all other keys at the right end.
func (f *foot) placed(w int, s *style.Styles) []hint {
	var last []hint
	room := w - 1
	if f.all != "" {
		h := hint{Hint: input.Hint{Key: f.all, Label: "keys"}}
		h.at = w - 1 - h.width()
		if h.at > 0 {
			last, room = append(last, h), h.at-1
		}
	}
	if f.toast.text == "" && len(f.status) > 1 {
		return last
	}
	var out []hint
	at := 1
	for _, h := range f.hints {
		if at+h.width()+2 > room {
			break
		}
		h.at = at
		at += h.width() + 2
		out = append(out, h)
	}
	return append(out, last...)
}

// key is the key whose hint stands at a cell of the last line; "" without one.
func (f *foot) key(x, w int, s *style.Styles) string {
	for _, h := range f.placed(w, s) {
		if x >= h.at && x < h.at+h.width() {
			return h.Key
		}
	}
	return ""
}

// hint is a key of the last line and what it does; at is the cell where it stands.
type hint struct {
	input.Hint
	at int
}

func (h hint) width() int {
	return text.Width(text.Sanitize(h.Key)) + 1 + text.Width(text.Sanitize(h.Label))
}

// foot puts the last lines together.
func (m *Model) foot() *foot {
	f := &foot{toast: m.toast, status: m.status()}
	var hints []input.Hint // those that help where the person is, then those that always work
	switch {
	case m.running() != nil:
		hints = []input.Hint{{Key: "ctrl+c", Label: "cancel"}, {Key: "1 2 3", Label: "panes"}}
	case m.focused().Typing():
		hints = m.focused().TypingHints()
	default:
		hints = m.actions.Hints(m.scopes())
	}
	for _, h := range hints {
		f.hints = append(f.hints, hint{Hint: h})
	}
	if keys := m.actions.Keys("help"); len(keys) > 0 && !m.focused().Typing() {
		f.all = keys[0]
	}
	return f
}

// status says what is under way, else what the next page would send.
func (m *Model) status() []text.Safe {
	w, s := m.width, m.look.Styles
	one := func(st style.Style, t string) []text.Safe {
		return []text.Safe{" " + st.Render(text.Truncate(text.Sanitize(t), w-1))}
	}
	now, run := m.deps.Now(), m.running()
	switch {
	case m.tasks.text(now) != "":
		return one(s.Accent, m.tasks.text(now))
	case m.prefix != "":
		return one(s.Accent, m.prefix+" …")
	case run != nil && run.words.Load() != nil:
		return one(s.Accent, run.text(now))
	case run != nil:
		return one(s.Muted, run.What)
	}
	var lines []text.Safe
	switch opened := m.req.HasAction() || m.res.HasAnswer(); {
	case m.arr.focus == intent.Request:
		lines = m.req.Status(w-2, s)
	case opened:
		lines = m.res.Status(w-2, s)
	default:
		way := text.Safe("1 goes to the tree, ctrl+p searches the whole catalog")
		if m.arr.focus == intent.Tree {
			way = "enter opens the row; ctrl+p searches the whole catalog"
		}
		lines = []text.Safe{s.Muted.Render(text.Truncate(way, w-2))}
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}
