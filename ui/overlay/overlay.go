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
	// Title stands in the frame.
	Title() string
	// Hints are the keys that work here, for the frame's lower edge.
	Hints() string
	// Want is the size of the content the overlay would like, given the screen.
	Want(w, h int) (int, int)
	// Key handles a key press.
	Key(msg tea.KeyPressMsg) intent.Intent
	// Paste handles pasted text.
	Paste(s string) intent.Intent
	// Wheel scrolls by d rows; Click is a click on a cell of the content.
	Wheel(d int)
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
	lines, cur := o.Draw(in.Dx(), in.Dy(), s)
	f := s.FrameFor(true)
	w := box.Dx()
	out := make([]string, 0, box.Dy())
	out = append(out, edge(f.TopLeft, f.TopRight, f.Top, o.Title(), w, s, s.TitleFocus))
	for i := range in.Dy() {
		l := ""
		if i < len(lines) {
			l = lines[i]
		}
		out = append(out, s.BorderFocus.Render(f.Side)+" "+text.Pad(l, in.Dx())+" "+s.BorderFocus.Render(f.Side))
	}
	out = append(out, edge(f.BottomLeft, f.BottomRight, f.Top, shortHints(o.Hints(), w-6), w, s, s.KeyHint))
	if cur != nil {
		p := cur.Add(in.Min)
		cur = &p
	}
	return out[:min(len(out), box.Dy())], cur
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

func edge(left, right, bar, label string, w int, s *style.Styles, st interface{ Render(...string) string }) string {
	if w < 4 {
		return s.BorderFocus.Render(text.Truncate(left+right, w))
	}
	label = text.Truncate(label, w-6)
	if label != "" {
		label = " " + label + " "
	}
	n := w - 3 - text.Width(label)
	fill := ""
	for range max(n, 0) {
		fill += bar
	}
	return s.BorderFocus.Render(left+bar) + st.Render(label) + s.BorderFocus.Render(fill+right)
}
