package ui

import (
	"image"
	"testing"

	"patchbay/ui/intent"
)

func TestLayoutCoversTheScreenWithoutOverlap(t *testing.T) {
	for _, a := range []layoutInput{
		{}, {focus: intent.Request}, {focus: intent.Response, folded: true}, {focus: intent.Response, full: true},
		{focus: intent.Response, aside: true, requestWants: 30}, {treeWidth: 70, requestHeight: 50},
		{focus: intent.Response, aside: true, file: 1}, {focus: intent.Response, aside: true, file: 4, requestHeight: 50}, {focus: intent.Response, file: 2, full: true},
	} {
		for w := 1; w <= 210; w++ {
			for h := 1; h <= 70; h++ {
				checkLayout(t, w, h, a)
			}
		}
	}
}

func checkLayout(t *testing.T, w, h int, a layoutInput) {
	t.Helper()
	l := newLayout(w, h, a)
	if l.mode == modeTiny {
		if w >= tinyWidth && h >= tinyHeight {
			t.Fatalf("%dx%d %+v: tiny although there is room", w, h, a)
		}
		return
	}
	parts := []image.Rectangle{l.header, l.tree, l.request, l.response, l.aside, l.status, l.hints}
	area := 0
	for i, p := range parts {
		area += p.Dx() * p.Dy()
		if !p.Empty() && !p.In(image.Rect(0, 0, w, h)) {
			t.Fatalf("%dx%d %+v: part %d %v lies outside the screen", w, h, a, i, p)
		}
		for j := range i {
			if p.Overlaps(parts[j]) {
				t.Fatalf("%dx%d %+v: parts %d and %d overlap", w, h, a, i, j)
			}
		}
	}
	if area != w*h {
		t.Fatalf("%dx%d %+v: parts cover %d of %d cells", w, h, a, area, w*h)
	}
	if l.rect(a.focus).Empty() {
		t.Fatalf("%dx%d %+v: the focused pane has no room", w, h, a)
	}
}
