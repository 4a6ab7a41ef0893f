package ui

import (
	"image"
	"strings"

	"patchbay/ui/overlay"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// canvas collects the lines of the screen from left to right.
type canvas struct {
	lines  []text.Safe
	width  int
	styles *style.Styles
	// cursor is where the text cursor stands; nil where it does not show.
	cursor *image.Point
}

// rows appends lines to the rows of r, each padded to its width.
func (c *canvas) rows(r image.Rectangle, lines []text.Safe) {
	for i := range r.Dy() {
		var l text.Safe
		if i < len(lines) {
			l = lines[i]
		}
		c.lines[r.Min.Y+i] += text.Pad(l, r.Dx())
	}
}

// over puts lines over what is there.
func (c *canvas) over(r image.Rectangle, lines []text.Safe) {
	for i, l := range lines {
		if y := r.Min.Y + i; y < len(c.lines) {
			c.lines[y] = text.Splice(c.lines[y], l, r.Min.X)
		}
	}
}

// overlay draws an overlay, the screen behind it quiet.
func (c *canvas) overlay(o overlay.Layer) {
	if t, ok := o.Overlay.(interface{ SeeThrough() bool }); !ok || !t.SeeThrough() {
		for i, l := range c.lines {
			c.lines[i] = c.styles.Behind(l)
		}
	}
	box := o.Box
	lines, at := o.Framed(c.styles)
	if !c.styles.HasGround() && box.Min.X >= 1 && box.Max.X < c.width { // a margin tells it from the screen
		for i, l := range lines {
			lines[i] = " " + l + " "
		}
		box.Min.X--
	}
	c.over(box, lines)
	c.cursor = at
}

// framed is a pane ready to be drawn into a frame.
type framed struct {
	title, facts string
	// outcome is how what the facts begin with ended.
	outcome style.Outcome
	focused bool
	lines   []text.Safe
	// at is the text cursor within the lines; nil where it does not show.
	at *image.Point
}

// framed draws a pane into r: title left, facts right, lines inside.
func (c *canvas) framed(r image.Rectangle, f framed) {
	if r.Dx() < 3 || r.Dy() < 3 {
		c.rows(r, nil)
		return
	}
	if f.at != nil {
		p := f.at.Add(inner(r).Min)
		c.cursor = &p
	}
	s, edge, w := c.styles, c.styles.FrameFor(f.focused), r.Dx()
	border := s.Border
	if f.focused {
		border = s.BorderFocus
	}
	c.lines[r.Min.Y] += f.upperEdge(w, edge, border, s)
	side := border.Render(edge.Side)
	for i := range r.Dy() - 2 {
		var l text.Safe
		if i < len(f.lines) {
			l = f.lines[i]
		}
		c.lines[r.Min.Y+1+i] += side + text.Pad(l, w-2) + side
	}
	c.lines[r.Max.Y-1] += border.Render(edge.BottomLeft + text.Repeat(edge.Top, w-2) + edge.BottomRight)
}

func (f *framed) upperEdge(w int, edge style.Frame, border style.Style, s *style.Styles) text.Safe {
	look := s.Title
	if f.focused {
		look = s.TitleFocus
	}
	title, facts := text.Sanitize(f.title), text.Sanitize(f.facts)
	sign, result := s.Outcome(f.outcome)
	if sign != "" && facts != "" {
		facts = sign + " " + facts
	}
	facts = text.Truncate(facts, max(w-text.Width(title)-8, 0))
	title = text.Truncate(title, max(w-6, 0))
	fill := w - 2 - text.Width(title) - 3
	if facts != "" {
		fill -= text.Width(facts) + 3
	}
	top := border.Render(edge.TopLeft+edge.Top+" ") + look.Render(title) +
		border.Render(" "+text.Repeat(edge.Top, fill))
	if facts != "" {
		first, rest := facts, text.Safe("")
		if at := strings.Index(string(facts), " · "); at > 0 {
			first, rest = facts[:at], facts[at:]
		}
		top += " " + result.Render(first) + s.Text.Render(rest) + border.Render(" "+edge.Top)
	}
	return text.Pad(top, w-1) + border.Render(edge.TopRight)
}
