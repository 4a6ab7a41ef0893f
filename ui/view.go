package ui

import (
	"fmt"
	"image"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// View draws the whole screen. It changes nothing that input depends on.
func (m *Model) View() tea.View {
	lines, cursor := m.screen()
	if m.deps.ASCII {
		for i := range lines {
			lines[i] = text.Plain(lines[i])
		}
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.ReportFocus = true
	v.WindowTitle = m.windowTitle()
	if !m.released {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
	}
	if m.chosen {
		v.ForegroundColor, v.BackgroundColor = m.styles.Terminal()
	}
	v.ProgressBar = m.terminalProgress()
	return v
}

func (m *Model) windowTitle() string {
	if d := m.deps.Document; d != nil {
		return "patchbay: " + d.Name
	}
	if !m.req.HasAction() {
		return "patchbay"
	}
	c, e, a := m.req.Place()
	return "patchbay: " + text.Sanitize(c.Name) + " " + e + " " + a
}

// terminalProgress mirrors a running call in the terminal's own progress report.
func (m *Model) terminalProgress() *tea.ProgressBar {
	if m.call == nil || m.deps.Now().Sub(m.call.started) < slow {
		return nil
	}
	if share, known := m.call.far.Share(); known {
		return tea.NewProgressBar(tea.ProgressBarDefault, int(share*100))
	}
	if t := m.call.last.Total; t > 0 {
		return tea.NewProgressBar(tea.ProgressBarDefault, int(m.call.last.Bytes*100/t))
	}
	return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
}

// screen returns at most height lines of at most width cells, and the cursor's cell.
func (m *Model) screen() ([]string, *image.Point) {
	if m.width <= 0 || m.height <= 0 {
		return nil, nil
	}
	if m.lay.mode == modeTiny {
		return m.tinyScreen(), nil
	}
	c := canvas{lines: make([]string, m.height), width: m.width}
	var cursor *image.Point
	c.rows(m.lay.header, []string{m.headerLine(m.width)})
	cursor = m.drawTree(&c)
	if p := m.drawRequest(&c); p != nil {
		cursor = p
	}
	if p := m.drawResponse(&c); p != nil {
		cursor = p
	}
	m.drawAside(&c)
	m.drawFoot(&c)
	for _, o := range m.stack.All() {
		cursor = m.drawOver(&c, o)
	}
	m.drawToast(&c)
	return c.lines, cursor
}

// drawOver draws an overlay, the screen behind it quiet.
func (m *Model) drawOver(c *canvas, o overlay.Overlay) *image.Point {
	if t, ok := o.(interface{ SeeThrough() bool }); !ok || !t.SeeThrough() {
		for i, l := range c.lines {
			c.lines[i] = m.styles.Behind(l)
		}
	}
	box := overlay.Box(o, m.width, m.height)
	lines, at := overlay.Framed(o, box, m.styles)
	if n := overlay.Margin(m.styles); box.Min.X >= n && box.Max.X+n <= m.width {
		for i, l := range lines {
			lines[i] = text.Spaces(n) + l + text.Spaces(n)
		}
		box.Min.X -= n
	}
	c.over(box, lines)
	return at
}

func (m *Model) tinyScreen() []string {
	lines := text.Wrap(fmt.Sprintf("patchbay needs %dx%d cells; this is %dx%d. Make the window larger; ctrl+c twice quits.",
		tinyWidth, tinyHeight, m.width, m.height), m.width)
	if len(lines) > m.height {
		lines = lines[:m.height]
	}
	for i := range lines {
		lines[i] = text.Truncate(lines[i], m.width)
	}
	return lines
}

// canvas collects the lines of the screen from left to right.
type canvas struct {
	lines []string
	width int
}

// rows appends lines to the rows of r, each padded to its width.
func (c *canvas) rows(r image.Rectangle, lines []string) {
	for i := range r.Dy() {
		l := ""
		if i < len(lines) {
			l = lines[i]
		}
		c.lines[r.Min.Y+i] += text.Pad(l, r.Dx())
	}
}

// boxed appends the lines of a frame, which have the width of r already.
func (c *canvas) boxed(r image.Rectangle, lines []string) {
	if len(lines) != r.Dy() {
		c.rows(r, lines)
		return
	}
	for i, l := range lines {
		c.lines[r.Min.Y+i] += l
	}
}

// over puts lines over what is there.
func (c *canvas) over(r image.Rectangle, lines []string) {
	for i, l := range lines {
		if y := r.Min.Y + i; y < len(c.lines) {
			c.lines[y] = text.Splice(c.lines[y], l, r.Min.X)
		}
	}
}

// framed draws a pane: title left, facts right, lines inside.
func (m *Model) framed(r image.Rectangle, title, facts string, focused bool, lines []string) []string {
	s, f, w := m.styles, m.styles.FrameFor(focused), r.Dx()
	if r.Dx() < 3 || r.Dy() < 3 {
		return nil
	}
	border, titleStyle := s.Border, s.Title
	if focused {
		border, titleStyle = s.BorderFocus, s.TitleFocus
	}
	facts = text.Truncate(facts, max(w-text.Width(title)-8, 0))
	title = text.Truncate(title, max(w-6, 0))
	fill := w - 2 - text.Width(title) - 3
	if facts != "" {
		fill -= text.Width(facts) + 3
	}
	top := border.Render(f.TopLeft+f.Top+" ") + titleStyle.Render(title) + border.Render(" "+strings.Repeat(f.Top, max(fill, 0)))
	if facts != "" {
		top += " " + s.Text.Render(facts) + border.Render(" "+f.Top)
	}
	top = text.Pad(top, w-1) + border.Render(f.TopRight)
	out := append(make([]string, 0, r.Dy()), top)
	side := border.Render(f.Side)
	for i := range r.Dy() - 2 {
		l := ""
		if i < len(lines) {
			l = lines[i]
		}
		out = append(out, side+text.Pad(l, w-2)+side)
	}
	return append(out, border.Render(f.BottomLeft+strings.Repeat(f.Top, w-2)+f.BottomRight))
}

func (m *Model) drawTree(c *canvas) *image.Point {
	r := m.lay.tree
	if r.Empty() {
		return nil
	}
	in, focused := inner(r), m.arr.focus == paneTree
	facts := ""
	if f := m.tree.Filter(); f != "" && !m.tree.Typing() {
		facts = "/" + text.Sanitize(f)
	}
	lines, at := m.tree.Lines(in.Dx(), in.Dy(), m.styles, focused && m.stack.Top() == nil)
	c.boxed(r, m.framed(r, "1 Connectors", facts, focused, lines))
	return m.cursorIn(in, at, focused)
}

// cursorIn is the text cursor of a pane on the screen; nil where it does not show.
func (m *Model) cursorIn(in image.Rectangle, at *image.Point, focused bool) *image.Point {
	if at == nil || !focused || m.stack.Top() != nil {
		return nil
	}
	p := at.Add(in.Min)
	return &p
}

func (m *Model) drawRequest(c *canvas) *image.Point {
	r := m.lay.request
	if r.Empty() {
		return nil
	}
	in, focused := inner(r), m.arr.focus == paneRequest
	var lines []string
	var at *image.Point
	if m.deps.Document != nil {
		c.boxed(r, m.framed(r, "File", "", focused, m.documentSummary(in.Dx())))
		return nil
	}
	if m.lay.requestFolded {
		lines = m.req.Summary(in.Dx(), m.styles)
	} else {
		lines, at = m.req.Lines(in.Dx(), in.Dy(), m.styles, focused)
	}
	c.boxed(r, m.framed(r, m.req.Title(), m.req.Facts(), focused, lines))
	return m.cursorIn(in, at, focused)
}

// responseTitle names the pane of the answer; the number is its key.
func (m *Model) responseTitle() string {
	if m.deps.Document != nil {
		return "Content"
	}
	return "3 Response"
}

func (m *Model) drawResponse(c *canvas) *image.Point {
	r := m.lay.response
	if r.Empty() {
		return nil
	}
	in, focused := inner(r), m.arr.focus == paneResponse
	var lines []string
	var at *image.Point
	switch {
	case m.running() && !m.call.intoPages && m.deps.Now().Sub(m.call.started) >= 0:
		lines = m.runningLines(in.Dx())
	default:
		lines, at = m.withCard(in)
	}
	c.boxed(r, m.framed(r, m.responseTitle(), m.responseFacts(), focused, lines))
	return m.cursorIn(in, at, focused)
}

func (m *Model) drawAside(c *canvas) {
	r := m.lay.aside
	if r.Empty() {
		return
	}
	in := inner(r)
	title, lines := m.docsAside(in.Dx(), in.Dy())
	if m.asideIsRecord() {
		title, lines = m.res.Aside(in.Dx(), in.Dy(), m.styles)
	}
	c.boxed(r, m.framed(r, title, "", false, lines))
}

// runningLines is what the response pane shows while an answer is awaited.
func (m *Model) runningLines(w int) []string {
	s := m.styles
	elapsed := m.deps.Now().Sub(m.call.started)
	lines := []string{"", " " + s.Accent.Render(m.spinner()+" waiting for the answer") + s.Muted.Render(fmt.Sprintf("  %.1f s", elapsed.Seconds()))}
	switch {
	case m.call.retries > 0 && !m.call.until.IsZero():
		wait := max(m.call.until.Sub(m.deps.Now()), 0)
		lines = append(lines, " "+s.Warning.Render(text.Truncate(fmt.Sprintf("attempt %d failed: %s; trying again in %.0f s", m.call.retries, text.Sanitize(m.call.reason), wait.Seconds()), w-2)))
	case m.call.last.Kind == "progress" && m.call.last.Bytes > 0:
		lines = append(lines, " "+s.Muted.Render(progressText(m.call.last.Bytes, m.call.last.Total, elapsed)))
	}
	return append(lines, "", " "+s.Muted.Render("ctrl+c cancels"))
}

func progressText(got, total int64, elapsed time.Duration) string {
	t := text.Size(got) + " received"
	if total > 0 {
		t += fmt.Sprintf(" of %s, %d%%", text.Size(total), got*100/total)
	}
	if sec := elapsed.Seconds(); sec > 0.5 {
		t += ", " + text.Size(int64(float64(got)/sec)) + "/s"
	}
	return t
}

var spinnerFrames = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

func (m *Model) spinner() string {
	if m.deps.Still || m.call == nil {
		return "…"
	}
	n := int(m.deps.Now().Sub(m.call.started) / tickEvery)
	if m.deps.ASCII {
		return string(`|/-\`[n%4])
	}
	return spinnerFrames[n%len(spinnerFrames)]
}

func (m *Model) responseFacts() string {
	if m.running() {
		f := "running " + fmt.Sprintf("%.1f s", m.deps.Now().Sub(m.call.started).Seconds())
		if m.call.retries > 0 {
			f += fmt.Sprintf(", attempt %d", m.call.retries+1)
		}
		return f
	}
	return m.res.Facts(m.lay.response.Dx() - len(m.responseTitle()) - 8)
}
