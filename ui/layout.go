package ui

import (
	"image"

	"patchbay/ui/intent"
)

// mode is one of the three arrangements.
type mode int

const (
	modeTiny   mode = iota // below 40x10: one sentence
	modeNarrow             // below 100 columns: one pane at a time
	modeWide               // everything at once
)

// Sizes at which the layoutInput changes, in cells.
const (
	tinyWidth, tinyHeight = 40, 10
	wideWidth             = 100
	asideWidth            = 156
)

// layoutInput is what the layout depends on beside the size.
type layoutInput struct {
	focus intent.Pane
	// full shows only the focused pane.
	full bool
	// folded shows the request as a two-line summary.
	folded bool
	// treeWidth and requestHeight are the person's splits; 0 means automatic.
	treeWidth, requestHeight int
	// requestWants is how many lines the open request would like to show.
	requestWants int
	// aside asks for a third column beside the response where there is room.
	aside bool
	// file is how many lines tell of the file that is read instead of a service;
	// 0 without one. Then there is neither tree nor form.
	file int
	// card shows the card of the first run in the foot of the response.
	card bool
}

// layout holds the rectangle of every part of the screen; parts that are not
// shown are empty.
type layout struct {
	mode                                   mode
	header, tree, request, response, aside image.Rectangle
	// card is the foot of the response's content.
	card                    image.Rectangle
	status, hints           image.Rectangle
	splitTree, splitRequest image.Rectangle
	requestFolded           bool
}

// newLayout divides a screen of w x h cells.
//
//	wide                                  narrow, response        narrow, tree or request
//	+----------------------------------+  +-----------------+     +-----------------+
//	|header                            |  |header           |     |header           |
//	+--------+---------------+---------+  +-----------------+     +-----------------+
//	|tree    |request        |aside    |  |request, 2 lines |     |tree             |
//	|        +---------------+ (from   |  +-----------------+     |   or            |
//	|        |response       | 156     |  |response         |     |request          |
//	|        |               | columns)|  |                 |     |                 |
//	+--------+---------------+---------+  +-----------------+     +-----------------+
//	|status: what the next page sends  |  |status           |     |status           |
//	|hints: about ten keys             |  |hints            |     |hints            |
//	+----------------------------------+  +-----------------+     +-----------------+
func newLayout(w, h int, a layoutInput) layout {
	if w < tinyWidth || h < tinyHeight {
		return layout{mode: modeTiny}
	}
	l := layout{
		header: image.Rect(0, 0, w, 1),
		status: image.Rect(0, h-2, w, h-1),
		hints:  image.Rect(0, h-1, w, h),
	}
	body := image.Rect(0, 1, w, h-2)
	l.mode = modeNarrow
	if w >= wideWidth {
		l.mode = modeWide
	}
	switch {
	case a.file > 0 && !a.full:
		l.ofFile(body, a)
	case a.full:
		*l.rect(a.focus) = body
	case l.mode == modeWide:
		l.wide(body, a)
	case a.focus == intent.Response && body.Dy() >= 10:
		l.requestFolded = true
		l.request = cutTop(&body, foldedRows)
		l.response = body
	default:
		*l.rect(a.focus) = body
	}
	if a.card {
		l.card = inner(l.response)
		rows := cardRows
		if l.card.Dy() < 3*cardRows {
			rows = 1
		}
		l.card.Min.Y = max(l.card.Max.Y-rows, l.card.Min.Y)
	}
	return l
}

// foldedRows is the height of the folded request: two lines and the frame.
const foldedRows = 4

func (l *layout) wide(body image.Rectangle, a layoutInput) {
	total := body.Dx()
	tw := a.treeWidth
	if tw == 0 {
		tw = min(max(total*27/100, 28), 44)
	}
	tw = min(max(tw, 16), total-50)
	l.tree = image.Rect(body.Min.X, body.Min.Y, body.Min.X+tw, body.Max.Y)
	body.Min.X = l.tree.Max.X
	l.splitTree = image.Rect(l.tree.Max.X-1, l.tree.Min.Y, l.tree.Max.X+1, l.tree.Max.Y)
	if a.aside && total >= asideWidth && a.focus != intent.Tree {
		l.cutAside(&body)
	}
	rows := a.requestHeight
	if rows == 0 {
		rows = min(max(a.requestWants+2, 9), body.Dy()*55/100)
	}
	rows = min(max(rows, foldedRows), max(body.Dy()-6, foldedRows))
	if a.folded {
		rows = foldedRows
	}
	l.requestFolded = a.folded
	l.request = cutTop(&body, rows)
	l.response = body
	l.splitRequest = image.Rect(body.Min.X, body.Min.Y-1, body.Max.X, body.Min.Y+1)
}

func (l *layout) cutAside(body *image.Rectangle) {
	aw := body.Dx() * 36 / 100
	l.aside = image.Rect(body.Max.X-aw, body.Min.Y, body.Max.X, body.Max.Y)
	body.Max.X -= aw
}

// ofFile gives a file all the room: its lines above, what it holds below.
//
//	+--------------------+---------+
//	|file                          |
//	+--------------------+---------+
//	|response            |aside    |
//	|                    |(from 156|
//	|                    | columns)|
//	+--------------------+---------+
func (l *layout) ofFile(body image.Rectangle, a layoutInput) {
	l.requestFolded = true
	if body.Dy() >= a.file+2+6 {
		l.request = cutTop(&body, a.file+2)
	}
	if a.aside && body.Dx() >= asideWidth {
		l.cutAside(&body)
	}
	l.response = body
}

func cutTop(r *image.Rectangle, n int) image.Rectangle {
	n = min(n, r.Dy())
	top := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+n)
	r.Min.Y += n
	return top
}

// inner is the space inside the frame of r; empty when r is too small for a frame.
func inner(r image.Rectangle) image.Rectangle {
	if r.Dx() < 3 || r.Dy() < 3 {
		return image.Rectangle{}
	}
	return r.Inset(1)
}

// rect is the room of a pane.
func (l *layout) rect(p intent.Pane) *image.Rectangle {
	return [...]*image.Rectangle{&l.tree, &l.request, &l.response}[p]
}

// content is the room inside the frame of a pane, above the card.
func (l *layout) content(p intent.Pane) image.Rectangle {
	r := inner(*l.rect(p))
	if p == intent.Response {
		r.Max.Y -= l.card.Dy()
	}
	return r
}
