// Package overlay holds what lies over the main screen: lists to choose from,
// questions, texts to read and one-line prompts. The top one gets all input.
package overlay

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Overlay is one layer.
type Overlay interface {
	// Title stands in the frame; Facts at its other end, such as how many there are.
	Title() string
	Facts() string
	// Hints are the keys that work here, for the frame's lower edge.
	Hints() string
	// Want is the size of the content the overlay would like, given the screen.
	Want(w, h int) (int, int)
	// Key handles a key press.
	Key(msg tea.KeyPressMsg) intent.Intent
	// Paste handles pasted text.
	Paste(s string) intent.Intent
	// Wheel scrolls by d rows; Click is a click on a cell of the content.
	Wheel(d int) intent.Intent
	Click(x, y int, double bool) intent.Intent
	// Draw returns at most h lines of at most w cells and the cursor's cell, if one shows.
	Draw(w, h int, s *style.Styles) ([]string, *image.Point)
}

// Stack holds the open overlays, the top one last.
type Stack struct{ items []Overlay }

// Push opens o above all others.
func (k *Stack) Push(o Overlay) { k.items = append(k.items, o) }

// Pop closes the top overlay.
func (k *Stack) Pop() {
	if len(k.items) > 0 {
		k.items = k.items[:len(k.items)-1]
	}
}

// Clear closes all.
func (k *Stack) Clear() { k.items = nil }

// Top is the overlay that gets the input; nil without one.
func (k *Stack) Top() Overlay {
	if len(k.items) == 0 {
		return nil
	}
	return k.items[len(k.items)-1]
}

// All lists the overlays from the lowest to the top.
func (k *Stack) All() []Overlay { return k.items }

// Box is the rectangle of o, with its frame, centred on a screen of w x h cells.
func Box(o Overlay, w, h int) image.Rectangle {
	ow, oh := o.Want(max(w-4, 1), max(h-4, 1))
	ow, oh = min(max(ow, 24)+4, w), min(max(oh, 1)+2, h)
	x, y := (w-ow)/2, max((h-oh)/3, 0)
	return image.Rect(x, y, x+ow, y+oh)
}

// Content is the space of the content in a box.
func Content(box image.Rectangle) image.Rectangle {
	r := image.Rect(box.Min.X+2, box.Min.Y+1, box.Max.X-2, box.Max.Y-1)
	if r.Dx() < 1 || r.Dy() < 1 {
		return image.Rectangle{Min: box.Min, Max: box.Min}
	}
	return r
}

// Framed draws o into its box: lines as wide as the box, and the cursor on the screen.
func Framed(o Overlay, box image.Rectangle, s *style.Styles) ([]string, *image.Point) {
	in := Content(box)
	s = s.Raised()
	lines, cur := o.Draw(in.Dx(), in.Dy(), s)
	e := newEdge(box.Dx(), s)
	out := make([]string, 0, box.Dy())
	out = append(out, e.line(e.f.TopLeft, e.f.TopRight, s.TitleFocus.Render(text.Truncate(o.Title(), box.Dx()-6)), s.Muted.Render(o.Facts())))
	for i := range in.Dy() {
		l := ""
		if i < len(lines) {
			l = lines[i]
		}
		out = append(out, e.bar.Render(e.f.Side)+" "+text.Pad(l, in.Dx())+" "+e.bar.Render(e.f.Side))
	}
	out = append(out, e.line(e.f.BottomLeft, e.f.BottomRight, s.KeyHint.Render(shortHints(o.Hints(), box.Dx()-6)), ""))
	out = out[:min(len(out), box.Dy())]
	for i := range out {
		out[i] = s.Ground(out[i])
	}
	if cur != nil {
		p := cur.Add(in.Min)
		cur = &p
	}
	return out, cur
}

// Margin is how many blank cells are left of and right of a box, so that it is
// told from the screen where it has no background of its own.
func Margin(s *style.Styles) int {
	if s.HasGround() {
		return 0
	}
	return 1
}

// HintAt is the key whose hint stands at a point of the lower edge of o; "" without one.
func HintAt(o Overlay, box image.Rectangle, p image.Point) string {
	if p.Y != box.Max.Y-1 {
		return ""
	}
	at := box.Min.X + 3
	for _, part := range strings.Split(shortHints(o.Hints(), box.Dx()-6), " · ") {
		if p.X >= at && p.X < at+text.Width(part) {
			key, _, _ := strings.Cut(part, " ")
			return key
		}
		at += text.Width(part) + text.Width(" · ")
	}
	return ""
}

// shortHints leaves hints out until the rest fits into w cells; the last one,
// which tells the way out, stays longest.
func shortHints(hints string, w int) string {
	parts := strings.Split(hints, " · ")
	for len(parts) > 1 && text.Width(hints) > w {
		parts = slices.Delete(parts, len(parts)-2, len(parts)-1)
		hints = strings.Join(parts, " · ")
	}
	return hints
}

// edge draws the upper and the lower side of a frame: a quiet one on a
// background of its own, a strong one without.
type edge struct {
	w   int
	f   style.Frame
	bar style.Style
}

func newEdge(w int, s *style.Styles) edge {
	if s.HasGround() {
		return edge{w, s.Frame(), s.Border}
	}
	return edge{w, s.FrameFor(true), s.BorderFocus}
}

// line has a label at the left and facts at the right, as far as there is room.
func (e edge) line(left, right, label, facts string) string {
	if e.w < 4 {
		return e.bar.Render(text.Truncate(left+right, e.w))
	}
	label = spaced(text.Truncate(label, e.w-6))
	facts = spaced(facts)
	fill := e.w - 4 - text.Width(label) - text.Width(facts)
	if fill < 1 {
		fill, facts = fill+text.Width(facts), ""
	}
	return e.bar.Render(left+e.f.Top) + label + e.bar.Render(strings.Repeat(e.f.Top, max(fill, 0))) + facts + e.bar.Render(e.f.Top+right)
}

func spaced(t string) string {
	if text.Width(t) == 0 {
		return ""
	}
	return " " + t + " "
}
