// Package overlay holds what lies over the main screen: lists to choose from,
// questions, texts to read and one-line prompts. The top one gets all input. It knows
// no feature, and of the panes only the request form, which Form shows.
package overlay

import (
	"image"
	"slices"
	"strings"

	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Overlay is one layer.
type Overlay = intent.Overlay

// Base is what an Overlay does that it has no methods of its own for: nothing.
type Base struct{}

// Facts implements Overlay.
func (Base) Facts() string { return "" }

// Paste implements Overlay.
func (Base) Paste(string) intent.Intent { return nil }

// Wheel implements Overlay.
func (Base) Wheel(int) intent.Intent { return nil }

// Click implements Overlay.
func (Base) Click(int, int, bool) intent.Intent { return nil }

// Layer is an open overlay and its rectangle with the frame, as Fit placed it.
type Layer struct {
	Overlay
	Box image.Rectangle
}

// Stack holds the open overlays, the top one last.
type Stack struct{ items []Layer }

// Push opens o above all others.
func (k *Stack) Push(o Overlay) { k.items = append(k.items, Layer{Overlay: o}) }

// Close closes o and those above it, the top one when o is nil. One that is closed
// already closes nothing.
func (k *Stack) Close(o Overlay) {
	if o == nil {
		k.items = k.items[:max(len(k.items)-1, 0)]
	} else if i := slices.IndexFunc(k.items, func(l Layer) bool { return l.Overlay == o }); i >= 0 {
		k.items = k.items[:i]
	}
}

// Top is the overlay that gets the input; nil without one.
func (k *Stack) Top() Overlay {
	if len(k.items) == 0 {
		return nil
	}
	return k.items[len(k.items)-1].Overlay
}

// All lists the overlays from the lowest to the top.
func (k *Stack) All() []Layer { return k.items }

// Fit places every overlay on a screen of w x h cells and tells it its room.
func (k *Stack) Fit(w, h int) {
	for i, l := range k.items {
		k.items[i].Box = Box(l.Overlay, w, h)
		in := Content(k.items[i].Box)
		l.Fit(in.Dx(), in.Dy())
	}
}

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

// Framed draws the layer: lines as wide as its box, and the cursor on the screen.
func (o Layer) Framed(s *style.Styles) ([]text.Safe, *image.Point) {
	box, in := o.Box, Content(o.Box)
	s = s.Raised()
	lines, cur := o.Draw(in.Dx(), in.Dy(), s)
	e := edge{box.Dx(), s.FrameFor(false), s.Border}
	if !s.HasGround() {
		e.f, e.bar = s.FrameFor(true), s.BorderFocus
	}
	out := make([]text.Safe, 0, box.Dy())
	title := s.TitleFocus.Render(text.Truncate(text.Sanitize(o.Title()), box.Dx()-6))
	out = append(out, e.line(e.f.TopLeft, e.f.TopRight, title, s.Muted.Render(text.Sanitize(o.Facts()))))
	for i := range in.Dy() {
		var l text.Safe
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
	return out, moved(cur, in.Min)
}

// moved is a cursor that was told within a box at a point; nil without one.
func moved(cursor *image.Point, at image.Point) *image.Point {
	if cursor == nil {
		return nil
	}
	p := cursor.Add(at)
	return &p
}

// HintAt is the key whose hint stands at a point of the lower edge; "" without one.
func (o Layer) HintAt(p image.Point) string {
	if p.Y != o.Box.Max.Y-1 {
		return ""
	}
	at := o.Box.Min.X + 3
	for part := range strings.SplitSeq(string(shortHints(o.Hints(), o.Box.Dx()-6)), " · ") {
		width := text.Width(text.Sanitize(part))
		if p.X >= at && p.X < at+width {
			key, _, _ := strings.Cut(part, " ")
			return key
		}
		at += width + text.Width(" · ")
	}
	return ""
}

// shortHints leaves hints out until the rest fits into w cells; the last one,
// which tells the way out, stays longest.
func shortHints(hints string, w int) text.Safe {
	parts := strings.Split(hints, " · ")
	for len(parts) > 1 && text.Width(text.Sanitize(hints)) > w {
		parts = slices.Delete(parts, len(parts)-2, len(parts)-1)
		hints = strings.Join(parts, " · ")
	}
	return text.Sanitize(hints)
}

// edge draws the upper and the lower side of a frame: a quiet one on a
// background of its own, a strong one without.
type edge struct {
	w   int
	f   style.Frame
	bar style.Style
}

// line has a label at the left and facts at the right, as far as there is room.
func (e edge) line(left, right, label, facts text.Safe) text.Safe {
	if e.w < 4 {
		return e.bar.Render(text.Truncate(left+right, e.w))
	}
	label = spaced(text.Truncate(label, e.w-6))
	facts = spaced(facts)
	fill := e.w - 4 - text.Width(label) - text.Width(facts)
	if fill < 1 {
		fill, facts = fill+text.Width(facts), ""
	}
	return e.bar.Render(left+e.f.Top) + label + e.bar.Render(text.Repeat(e.f.Top, fill)) + facts +
		e.bar.Render(e.f.Top+right)
}

func spaced(t text.Safe) text.Safe {
	if text.Width(t) == 0 {
		return ""
	}
	return " " + t + " "
}
