package pane

import (
	"encoding/json"
	"fmt"
	"image"
	"strings"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Title names the request.
func (r *Request) Title() string {
	if r.action == nil {
		return "2 Request"
	}
	return "2 Request  " + r.entity.Name + " / " + r.action.Name
}

// Facts tells the view and whether the request is valid.
func (r *Request) Facts() string {
	if r.ed == nil {
		return ""
	}
	view := "[form] json"
	if r.json != nil {
		view = "form [json]"
	}
	if r.Editing() {
		view = "typing · " + view
	}
	if r.json != nil && r.json.bad != "" {
		return "not JSON · " + view
	}
	if n := len(r.ed.problems()); n > 0 {
		return text.Count(n, "problem", "problems") + " · " + view
	}
	return "valid · " + view
}

// Status says what the row under the cursor wants, in one line of w cells; what
// is wrong with it may take two.
func (r *Request) Status(w int, s *style.Styles) []string {
	bad, hint := r.advice()
	if bad == "" {
		return []string{s.Muted.Render(text.Truncate(hint, w))}
	}
	lines := text.WrapTo(bad, w, 2)
	if room := w - text.Width(lines[0]) - 2; len(lines) == 1 && hint != "" && room > 8 {
		return []string{s.Error.Render(bad) + s.Muted.Render("  "+text.Truncate(hint, room))}
	}
	for i := range lines {
		lines[i] = s.Error.Render(lines[i])
	}
	return lines
}

// advice is what is wrong with the row under the cursor, and what it takes.
func (r *Request) advice() (bad, hint string) {
	switch {
	case r.ed == nil:
		return "", "Choose an action in the tree, or press ctrl+p and type what you look for"
	case r.problem != "":
		return text.Sanitize(r.problem), ""
	case r.json != nil && r.json.bad != "":
		return text.Sanitize(r.json.bad), ""
	case r.json != nil:
		return "", "enter edits the JSON; v goes back to the form"
	}
	lines := r.ed.lines()
	if r.scroll.Cursor >= len(lines) {
		return "", ""
	}
	l := lines[r.scroll.Cursor]
	if l.problem == "" {
		return "", l.hint
	}
	if l.label == "·" { // a condition: the problem names its field
		return l.problem, l.hint
	}
	return l.label + ": " + l.problem, l.hint
}

// EditingHints are the keys that work while a field is edited.
func (r *Request) EditingHints() []Hint {
	if r.json != nil {
		return []Hint{{"esc", "end editing"}, {"ctrl+j", "run"}, {"ctrl+c", "cancel"}}
	}
	end := "end editing"
	if r.problem != "" {
		end = "as before" // what is wrong is not kept
	}
	return []Hint{{"enter", "done"}, {"tab", "next field"}, {"esc", end}, {"ctrl+j", "run"}}
}

// Hint is a key and what it does.
type Hint struct{ Key, Label string }

// Summary is the request in two lines.
func (r *Request) Summary(w int, s *style.Styles) []string {
	if r.ed == nil {
		return []string{s.Muted.Render(" no request yet")}
	}
	params := "no params"
	if p := r.Params(); len(p) > 0 {
		params = s.Data(text.Sanitize(string(p)))
	}
	state := s.Success.Render("valid")
	if list := r.ed.problems(); len(list) > 0 {
		state = s.Error.Render(list[0].text)
	}
	return []string{" " + s.Text.Render(text.Truncate(params, w-2)),
		" " + state + s.Muted.Render(text.Truncate("   2 edits the request · P shows the exact call · Y copies it", max(w-14, 0)))}
}

const labelWidth = 26

// Lines draws the pane and tells where the text cursor stands.
func (r *Request) Lines(w, h int, s *style.Styles, focused bool) ([]string, *image.Point) {
	if r.ed == nil {
		return r.emptyLines(w, s), nil
	}
	if r.json != nil {
		return r.json.lines(w, h, s, focused)
	}
	out := r.header(s, w)
	lines := r.ed.lines()
	if len(lines) == 0 {
		return append(out, "", " "+s.Muted.Render("This action takes no params. r runs it.")), nil
	}
	side := r.jsonBeside(w)
	from, to := r.scroll.Window(len(lines), max(h-len(out), 1))
	var at *image.Point
	for i := from; i < to; i++ {
		l, x := r.line(lines[i], w-side, s, i == r.scroll.Cursor, focused)
		if x >= 0 {
			at = &image.Point{X: x, Y: len(out)}
		}
		out = append(out, l)
	}
	return r.withJSON(out, w, h, side, s), at
}

func (r *Request) emptyLines(w int, s *style.Styles) []string {
	out := []string{""}
	for _, l := range text.Wrap("Open a connector and an entity in the tree and choose an action: its form appears here. ctrl+p searches every entity, action and param of the catalog.", max(w-2, 10)) {
		out = append(out, " "+s.Muted.Render(l))
	}
	return out
}

// line draws one row; x is the cell of the text cursor, -1 without one.
func (r *Request) line(l line, w int, s *style.Styles, current, focused bool) (string, int) {
	lead := " "
	if current && focused {
		lead = s.Key.Render(s.Cursor)
	}
	mark := " "
	if l.required {
		mark = "*"
	}
	fold := "  "
	if l.expandable {
		fold = map[bool]string{true: "▾ ", false: "▸ "}[l.expanded]
		if s.ASCII {
			fold = map[bool]string{true: "v ", false: "> "}[l.expanded]
		}
	}
	lw := min(labelWidth, w/3)
	label := text.Pad(text.Spaces(2*l.depth)+fold+l.label, lw)
	labelStyle := s.Text
	switch {
	case l.off:
		labelStyle = s.Muted
	case current:
		labelStyle = s.Strong
	case l.heading:
		labelStyle = s.Muted
	}
	out := lead + s.Warning.Render(mark) + labelStyle.Render(label) + " "
	if l.heading {
		return lead + " " + labelStyle.Render(text.Truncate(fold+l.label, w-2)), -1
	}
	right, rightStyle := l.right(w-lw-5), s.Muted
	if l.problem != "" {
		rightStyle = s.Error
	}
	right = text.Truncate(right, max(min(w/2-4, w-lw-5-l.least()), 1))
	room := w - lw - 4 - text.Width(right) - 1
	body, x := r.cells(l, room, s, current && focused)
	if x >= 0 {
		x += lw + 3
	}
	return out + body + text.Spaces(room-text.Width(body)+1) + rightStyle.Render(right), x
}

// leastCell is the room that a cell without a width of its own keeps beside
// what is told at the right of its row.
const leastCell = 12

// least is the room that the cells of the row need to be read and typed into.
func (l line) least() int {
	n := 0
	for _, c := range l.cells {
		if c.width > 0 {
			n += c.width + 1
		} else {
			n += max(leastCell, min(text.Width(c.text), 2*leastCell))
		}
	}
	return n
}

// right is what stands at the right of a row with room for cells and it: what
// is wrong, else the type with its limits, else the type alone.
func (l line) right(room int) string {
	if l.problem != "" {
		return "! " + l.problem
	}
	cells := 0
	for _, c := range l.cells {
		cells += max(c.width, min(text.Width(c.text+c.note), 40), 14) + 1
	}
	if l.facts != "" && text.Width(l.facts) <= room-cells {
		return l.facts
	}
	return l.typ
}

func (r *Request) cells(l line, room int, s *style.Styles, active bool) (string, int) {
	var b strings.Builder
	used, cursor := 0, -1
	for i, c := range l.cells {
		cw := c.width
		if cw == 0 || cw > room-used {
			cw = room - used
		}
		if cw <= 0 {
			break
		}
		here := active && i == r.cell
		switch {
		case here && r.field != nil:
			f, x := r.field.Draw(cw, s)
			b.WriteString(s.Badge.Render(f))
			cursor = used + x
		case here:
			t := text.Truncate(s.Data(c.text)+c.note, cw)
			if c.width > 0 {
				t = text.Pad(t, cw)
			}
			b.WriteString(s.Selected.Render(t))
			if c.width == 0 {
				b.WriteString(text.Spaces(cw - text.Width(t)))
			}
		default:
			b.WriteString(cellStyle(c, l, s).Render(text.Pad(s.Data(c.text)+c.note, cw)))
		}
		used += cw
		if c.width > 0 && used < room {
			b.WriteByte(' ')
			used++
		}
	}
	return b.String(), cursor
}

func cellStyle(c cell, l line, s *style.Styles) style.Style {
	switch {
	case l.off, c.tone == toneAbsent:
		return s.Muted
	case c.tone == toneNull:
		return s.JSONKeyword
	case c.tone == toneWord:
		return s.Accent
	case c.tone == toneBad:
		return s.Error
	}
	return s.JSONString
}

func indented(p json.RawMessage) string {
	if len(p) == 0 {
		p = json.RawMessage("{}")
	}
	var b strings.Builder
	if err := indentTo(&b, p); err != nil {
		return string(p)
	}
	return b.String()
}

// Where says in words which place is open, for messages.
func (r *Request) Where() string {
	if r.action == nil {
		return ""
	}
	return fmt.Sprintf("%s %s on %s", r.entity.Name, r.action.Name, text.Sanitize(r.connector.Name))
}
