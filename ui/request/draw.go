package request

import (
	"image"
	"strconv"
	"strings"

	"patchbay/client/asked"
	"patchbay/client/quantity"
	"patchbay/ui/input"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Title names the request.
func (r *Pane) Title() string {
	if r.action == nil {
		return "2 Request"
	}
	return "2 Request  " + r.entity.Name + " / " + r.action.Name
}

// Mode says whether keys type into a field or act on rows.
func (r *Pane) Mode() string {
	if r.Typing() {
		return "typing"
	}
	return "rows"
}

// Facts tells the view and whether the request is valid, in an edge of w cells: the
// first problem itself where there is room. Where the pane has the focus, the mode too.
func (r *Pane) Facts(w int, focused bool) string {
	if r.ed == nil {
		return ""
	}
	view := "[form] json"
	if r.json != nil {
		view = "form [json]"
	}
	if focused {
		view = r.Mode() + " · " + view
	}
	if r.json != nil && r.json.bad != "" {
		return "not JSON · " + view
	}
	list := r.ed.problems()
	if len(list) == 0 && w > 0 && w < len(r.Title())+text.Width(text.Sanitize("valid · "+view))+edgeCells {
		return view
	}
	if len(list) == 0 {
		return "valid · " + view
	}
	first := list[0].text
	if more := len(list) - 1; more > 0 {
		first += ", " + strconv.Itoa(more) + " more"
	}
	if room := w - len(r.Title()) - len(view) - edgeCells; text.Width(text.Sanitize(first)) > room {
		first = quantity.Count(len(list), "problem", "problems")
	}
	return first + " · " + view
}

// edgeCells is what the edge of a pane takes beside its title and facts.
const edgeCells = 12

// Status says what the row under the cursor wants, in one line of w cells; what
// is wrong with it may take two.
func (r *Pane) Status(w int, s *style.Styles) []text.Safe {
	bad, hint := r.advice()
	if bad == "" {
		return []text.Safe{s.Muted.Render(text.Truncate(hint, w))}
	}
	lines := text.WrapTo(bad, w, 2)
	if room := w - text.Width(lines[0]) - 2; len(lines) == 1 && hint != "" && room > 8 {
		return []text.Safe{s.Error.Render(bad) + s.Muted.Render("  "+text.Truncate(hint, room))}
	}
	for i := range lines {
		lines[i] = s.Error.Render(lines[i])
	}
	return lines
}

// advice is what is wrong with the row under the cursor, and what it takes.
func (r *Pane) advice() (bad, hint text.Safe) {
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
	if r.field != nil {
		if known := r.field.Fitting(""); len(known) > 0 {
			l.hint = "↑↓ " + text.Sanitize(strings.Join(known, " ")) + "  ·  " + l.hint
		}
		if r.cell < len(l.cells) && l.cells[r.cell].note != "" { // a number and what it means
			l.hint = text.Sanitize(strings.TrimSpace(string(l.cells[r.cell].note))) + "  ·  " + l.hint
		}
	}
	if l.problem == "" || r.completing() {
		return "", l.hint
	}
	named := strings.HasPrefix(string(l.problem), string(l.label))
	if l.tree || l.label == "·" || named { // the problem names its field
		return l.problem, l.hint
	}
	return l.label + ": " + l.problem, l.hint
}

// completing reports whether what is typed is the beginning of a value that is known.
func (r *Pane) completing() bool { return r.field != nil && r.field.Completing() }

// TypingHints are the keys that work while a field is edited.
func (r *Pane) TypingHints() []input.Hint {
	if r.json != nil {
		return []input.Hint{{Key: "esc", Label: "done"}, {Key: "ctrl+j", Label: "run"},
			{Key: "ctrl+c", Label: "cancel"}}
	}
	end := "leave"
	if r.field != nil && r.field.Value() != r.before {
		end = "as before"
	}
	next := "next field"
	if r.adding() {
		next = "next condition"
	}
	return []input.Hint{{Key: "enter", Label: "done"}, {Key: "tab", Label: next}, {Key: "esc", Label: end},
		{Key: "ctrl+j", Label: "run"}}
}

// Summary is the request in two lines.
func (r *Pane) Summary(w int, s *style.Styles) []text.Safe {
	if r.ed == nil {
		return []text.Safe{s.Muted.Render(" no request yet")}
	}
	params := text.Safe("no params")
	if t := asked.InWords(r.entity, r.action, r.Params()); t != "" {
		params = s.Data(text.Sanitize(t))
	}
	state := s.Success.Render("valid")
	if list := r.ed.problems(); len(list) > 0 {
		state = s.Error.Render(text.Sanitize(list[0].text))
	}
	return []text.Safe{" " + s.Text.Render(text.Truncate(params, w-2)),
		" " + state + s.Muted.Render(
			text.Truncate("   2 edits the request · P shows its JSON, as sent · Y copies it", max(w-14, 0)))}
}

const labelWidth = 26

// Lines draws the pane and says where the text cursor stands.
func (r *Pane) Lines(w, h int, s *style.Styles, focused bool) ([]text.Safe, *image.Point) {
	if r.ed == nil {
		out := []text.Safe{""}
		for _, l := range text.Wrap("Open a connector and an entity in the tree and choose an action: its form "+
			"appears here. ctrl+p searches every entity, action and param of the catalog.", max(w-2, 10)) {
			out = append(out, " "+s.Muted.Render(l))
		}
		return out, nil
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
	refused, words := r.refusedRow(), r.words(w-side, s)
	from, to := r.scroll.Window(len(lines), max(h-len(out)-len(words), 1))
	var at *image.Point
	for i := from; i < to; i++ {
		row := lines[i]
		row.refused = i == refused
		l, x := r.line(row, w-side, s, i == r.scroll.Cursor, focused)
		if x >= 0 {
			at = &image.Point{X: x, Y: len(out)}
		}
		out = append(out, l)
		if i == refused {
			out = append(out, words...)
		}
	}
	return r.withJSON(out, w, h, side, s), at
}

// line draws one row; x is the cell of the text cursor, -1 without one.
func (r *Pane) line(l line, w int, s *style.Styles, current, focused bool) (text.Safe, int) {
	lead := text.Safe(" ")
	if current && focused {
		lead = s.Key.Render(s.Cursor)
	}
	mark, fold := text.Safe(" "), text.Safe("  ")
	switch {
	case l.refused:
		mark = "!"
	case l.required:
		mark = "*"
	}
	if l.expandable { // text.Plain knows them in ASCII
		fold = map[bool]text.Safe{true: "▾ ", false: "▸ "}[l.expanded]
	}
	if current && r.completing() {
		l.problem = ""
	}
	lw, room, right := l.parts(w)
	label := text.Pad(text.Spaces(2*l.depth)+fold+l.label, lw)
	if l.tree {
		label = text.Pad(l.label, lw)
	}
	labelStyle := s.Text
	switch {
	case current && !l.off:
		labelStyle = s.Strong
	case l.off, l.heading, l.tree:
		labelStyle = s.Muted
	}
	out := lead + s.Warning.Render(mark) + labelStyle.Render(label) + " "
	if l.heading {
		return lead + " " + labelStyle.Render(text.Truncate(fold+l.label, w-2)), -1
	}
	rightStyle := s.Muted
	if l.problem != "" {
		rightStyle = s.Error
	}
	body, x := r.cells(l, room, s, current && focused)
	if x >= 0 {
		x += lw + 3
	}
	return out + body + text.Spaces(room-text.Width(body)+1) + rightStyle.Render(right), x
}

// labelCells is how wide the label is in a row of w cells.
func (l line) labelCells(w int) int {
	if l.tree {
		return min(text.Width(l.label), max(w-3*leastCell, 0))
	}
	return min(labelWidth, w/3)
}

// parts divides w cells: how wide the label is, the room for the cells of the row, and
// what stands at the right of them.
func (l line) parts(w int) (label, room int, right text.Safe) {
	least := 0 // the room that the cells need to be read and typed into
	for _, c := range l.cells {
		if c.width > 0 {
			least += c.width + 1
		} else {
			least += max(leastCell, min(text.Width(c.text), 2*leastCell))
		}
	}
	label = l.labelCells(w)
	right = text.Truncate(l.right(w-label-5), max(min(w/2-4, w-label-5-least), 1))
	return label, w - label - 4 - text.Width(right) - 1, right
}

// cellWidths are the widths of the cells that have room.
func (l line) cellWidths(room int) []int {
	var out []int
	for _, c := range l.cells {
		w := c.width
		if w == 0 || w > room {
			w = room
		}
		if w <= 0 {
			break
		}
		out = append(out, w)
		if room -= w; c.width > 0 {
			room--
		}
	}
	return out
}

// leastCell is the room that a cell without a width of its own keeps beside
// what is told at the right of its row.
const leastCell = 12

// right is what stands at the right of a row with room for cells and it: what
// is wrong, else the type with its limits, else the type alone.
func (l line) right(room int) text.Safe {
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

func (r *Pane) cells(l line, room int, s *style.Styles, active bool) (text.Safe, int) {
	var out text.Safe
	used, cursor := 0, -1
	for i, cw := range l.cellWidths(room) {
		c := l.cells[i]
		here := active && i == r.cell
		switch {
		case here && r.field != nil:
			f, x := r.field.Draw(cw, s)
			out += s.Badge.Render(f)
			cursor = used + x
		case here:
			t := text.Truncate(s.Data(c.text)+c.note, cw)
			if c.width > 0 {
				t = text.Pad(t, cw)
			}
			out += s.Selected.Render(t)
			if c.width == 0 {
				out += text.Spaces(cw - text.Width(t))
			}
		default:
			look := [...]style.Style{toneValue: s.JSONString, toneAbsent: s.Muted, toneNull: s.JSONKeyword,
				toneWord: s.Accent, toneBad: s.Error}[c.tone]
			if l.off {
				look = s.Muted
			}
			out += look.Render(text.Pad(s.Data(c.text)+c.note, cw))
		}
		used += cw
		if c.width > 0 && used < room {
			out += " "
			used++
		}
	}
	return out, cursor
}
