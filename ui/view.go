package ui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/response"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// View draws the whole screen. It changes nothing: what it needs is computed by fit.
func (m *Model) View() tea.View {
	lines, cursor := m.screen()
	if m.look.Drawn.ASCII {
		for i := range lines {
			lines[i] = text.Plain(lines[i])
		}
	}
	v := tea.NewView(string(text.Join(lines, "\n")))
	v.AltScreen = true
	v.ReportFocus = true
	title := "patchbay"
	if d := m.deps.Document; d != nil {
		title += ": " + d.Name
	} else if c, e, a := m.req.Place(); m.req.HasAction() {
		title += ": " + c.Name + " " + e + " " + a
	}
	v.WindowTitle = string(text.Sanitize(title))
	if !m.released {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
		v.Cursor.Shape = tea.CursorBar // it shows only where text is typed
	}
	if m.look.Chosen {
		v.ForegroundColor, v.BackgroundColor = m.look.Styles.Terminal()
	}
	v.ProgressBar = m.terminalProgress()
	return v
}

// screen returns at most height lines of at most width cells, and the cursor's cell.
func (m *Model) screen() ([]text.Safe, *image.Point) {
	if m.width <= 0 || m.height <= 0 {
		return nil, nil
	}
	if m.lay.mode == modeTiny {
		return tinyScreen(m.width, m.height), nil
	}
	c := &canvas{lines: make([]text.Safe, m.height), width: m.width, styles: m.look.Styles}
	c.rows(m.lay.header, []text.Safe{m.header().line(m.width, m.look.Styles)})
	m.drawPanes(c)
	f := m.foot()
	f.draw(c, m.lay.status, m.lay.hints)
	if m.stack.Top() != nil {
		c.cursor = nil
	}
	for _, o := range m.stack.All() {
		c.overlay(o)
	}
	f.drawOver(c, m.stack.Top() != nil, m.lay.hints)
	return c.lines, c.cursor
}

func (m *Model) drawPanes(c *canvas) {
	if r := m.lay.tree; !r.Empty() {
		f := m.drawn(intent.Tree)
		f.title = "1 Connectors"
		if t := m.tree.Filter(); t != "" && !m.tree.Typing() {
			f.facts = "/" + t
		}
		c.framed(r, f)
	}
	if r := m.lay.request; !r.Empty() {
		c.framed(r, m.drawnRequest(r))
	}
	if r := m.lay.response; !r.Empty() {
		c.framed(r, m.drawnResponse(r))
	}
	if r := m.lay.aside; !r.Empty() {
		var f framed
		if m.recordAside() {
			f.title, f.lines = m.res.Aside(m.look.Styles)
		} else {
			in := inner(r)
			f.title, f.lines = m.docs.Aside(in.Dx(), in.Dy(), m.look.Styles)
		}
		c.framed(r, f)
	}
}

// drawn draws a pane into its room.
func (m *Model) drawn(id intent.Pane) framed {
	f := framed{focused: m.arr.focus == id}
	in := m.lay.content(id)
	cursor := f.focused && (id != intent.Tree || m.stack.Top() == nil)
	f.lines, f.at = m.of(id).Lines(in.Dx(), in.Dy(), m.look.Styles, cursor)
	f.lines = f.lines[:min(len(f.lines), in.Dy())]
	if !f.focused {
		f.at = nil
	}
	return f
}

func (m *Model) drawnRequest(r image.Rectangle) framed {
	w := inner(r).Dx()
	f := framed{title: "File", focused: m.arr.focus == intent.Request}
	if d := m.deps.Document; d != nil {
		f.lines = fileLines(d, m.res, w, m.look.Styles)
		return f
	}
	if m.lay.requestFolded {
		f.lines = m.req.Summary(w, m.look.Styles)
	} else {
		f = m.drawn(intent.Request)
	}
	f.title, f.facts = m.req.Title(), m.req.Facts(w, f.focused)
	return f
}

func (m *Model) drawnResponse(r image.Rectangle) framed {
	f := framed{focused: m.arr.focus == intent.Response}
	t := m.running()
	if t != nil && t.Awaited {
		f.lines = m.run.Lines(t.started, inner(r).Dx(), m.look.Styles, m.look.Drawn)
	} else {
		f = m.drawn(intent.Response)
		if rows := m.lay.card.Dy(); rows > 0 { // the card of the first run at the foot
			card := firstCard(m.lay.card.Dx(), m.res.Scope() == string(action.InTable), m.look.Styles)
			blank := make([]text.Safe, max(m.lay.content(intent.Response).Dy()-len(f.lines), 0))
			f.lines = slices.Concat(f.lines, blank, card[len(card)-rows:])
		}
	}
	f.title = "3 Response" // the number is its key
	if m.deps.Document != nil {
		f.title = "Content"
	}
	if t != nil {
		f.facts = m.run.Facts(t.started)
	} else {
		f.outcome = m.res.Outcome()
		f.facts = m.res.Facts(r.Dx() - len(f.title) - 2 - 8)
	}
	return f
}

// tinyScreen says that there is too little room.
func tinyScreen(w, h int) []text.Safe {
	lines := text.Wrap(text.Sprintf("patchbay needs %dx%d cells; this is %dx%d. Make the window larger; "+
		"ctrl+c twice quits.", tinyWidth, tinyHeight, w, h), w)
	lines = lines[:min(len(lines), h)]
	for i := range lines {
		lines[i] = text.Truncate(lines[i], w)
	}
	return lines
}

// terminalProgress mirrors the run in the terminal's own progress report.
func (m *Model) terminalProgress() *tea.ProgressBar {
	t := m.running()
	if t == nil || m.deps.Now().Sub(t.started) < slow {
		return nil
	}
	if far := t.far.Load(); far > 0 {
		return tea.NewProgressBar(tea.ProgressBarDefault, int(far/10))
	}
	if got, total := m.run.Received(); total > 0 {
		return tea.NewProgressBar(tea.ProgressBarDefault, int(got*100/total))
	}
	return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
}

// cardRows is the height of the card of the first run, at the foot of the response's
// content; where that is low the card's last line stands alone.
const cardRows = 5

// firstCard says what can be done first; table where a table is shown.
func firstCard(w int, table bool, s *style.Styles) []text.Safe {
	row := func(k1, t1, k2, t2 text.Safe) text.Safe {
		half := w / 2
		left := " " + s.Key.Render(k1) + " " + s.Text.Render(t1)
		return text.Pad(left, half) + s.Key.Render(k2) + " " + s.Text.Render(t2)
	}
	key, what := text.Safe("enter"), text.Safe("open this record")
	if !table {
		key, what = "[", "the view before"
	}
	const head = " first time here? "
	rest := text.Repeat("─", w-2-text.Width(head))
	return []text.Safe{
		s.Border.Render("──") + s.Accent.Render(head) + s.Border.Render(rest),
		row(key, what, ".", "fetch the next page"),
		row("]", "other views: JSON, Pages, Wire", "Y", "copy this call as curl, Python, …"),
		row("ctrl+p", "search every entity and action", "?", "every key"),
		" " + s.Muted.Render(text.Truncate("Generated data. esc hides this card for good; patchbay login signs in.",
			w-2)),
	}
}

// fileShape says what a file holds.
func fileShape(d *answer.Document, res *response.Pane) string {
	n := d.Index.Len()
	if p := res.Page(); p != nil && p.Document == d && p.Index == nil {
		return "no JSON"
	}
	switch d.Index.Shape() {
	case rawjson.Lines:
		return d.Records()
	case rawjson.List:
		where := d.Index.Path().Dotted()
		if where == "." {
			return "an array of " + quantity.Digits(n)
		}
		return quantity.Count(n, "record", "records") + " at " + where
	case rawjson.Single:
		return "one value"
	}
	return "no record found yet"
}

// fileLines tell of the file, in place of the request.
func fileLines(d *answer.Document, res *response.Pane, w int, s *style.Styles) []text.Safe {
	size := "a stream"
	switch {
	case d.Size >= 0:
		size = quantity.Size(d.Size)
	case d.Own > 0:
		size = quantity.Size(d.Own)
	case d.Note != "":
		size = d.Note
	}
	facts := text.Sanitize(d.Name + " · " + size + " · " + fileShape(d, res) + takenWords(res))
	lines := []text.Safe{" " + s.Text.Render(text.Truncate(facts, w-2))}
	if p := res.Page(); p != nil && p.Broken() != "" {
		for _, l := range text.Wrap(text.Sanitize(p.Broken()), max(w-2, 8)) {
			lines = append(lines, " "+s.Warning.Render(l))
		}
	}
	if r := d.Remark; r != nil && r() != nil && *r() != "" {
		lines = append(lines, " "+s.Warning.Render(text.Truncate(text.Sanitize(*r()), w-2)))
	}
	if d.Note != "" && (d.Size >= 0 || d.Own > 0) {
		lines = append(lines, " "+s.Muted.Render(text.Truncate(text.Sanitize(d.Note), w-2)))
	}
	if res.TakenAs().Entity == nil && res.HasRecords() {
		hint := text.Truncate("A says of which entity of the catalog the records are", w-2)
		lines = append(lines, " "+s.Muted.Render(hint))
	}
	return lines[:min(len(lines), mostFileLines)]
}

// mostFileLines is how many lines of the screen a file's description may take.
const mostFileLines = 4

// takenWords tell of which entity the records are taken to be.
func takenWords(res *response.Pane) string {
	as := res.TakenAs()
	if as.Entity == nil {
		return ""
	}
	return " · read as " + as.Kind.Name + " " + as.Entity.Name
}
