package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/action"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/request"
	"patchbay/ui/response"
	"patchbay/ui/style"
	"patchbay/ui/text"
	"patchbay/ui/tree"
)

// pane is one of the three: each takes input, answers with intents and draws
// itself as lines.
type pane interface {
	Fit(w, h int)
	Lines(w, h int, s *style.Styles, focused bool) ([]text.Safe, *image.Point)
	Move(dx, dy int)
	Half(d int)
	Wheel(d int)
	// Click is a click on a cell of the content; Select only moves the cursor there.
	Click(x, y int, double bool) intent.Intent
	Select(x, y int) bool
	// Typing reports whether a text is typed into the pane. Then Key and Paste get all
	// input, EndTyping keeps what was typed, and TypingHints are the keys that work.
	Typing() bool
	Key(msg tea.KeyPressMsg) intent.Intent
	Paste(s string) intent.Intent
	EndTyping() intent.Intent
	TypingHints() []input.Hint
}

// panes are the three panes, how they are arranged, and which has the focus.
type panes struct {
	tree *tree.Pane
	req  *request.Pane
	res  *response.Pane

	width, height int
	arr           layoutInput
	lay           layout
}

// of is the pane of an id.
func (p *panes) of(id intent.Pane) pane {
	return [...]pane{p.tree, p.req, p.res}[id]
}

// focused is the pane with the focus.
func (p *panes) focused() pane { return p.of(p.arr.focus) }

// fit computes the rectangles anew and tells the panes their sizes; file is how
// many lines tell of the file that is read, 0 without one.
func (p *panes) fit(file int) {
	p.arr.requestWants = p.req.Wants()
	p.arr.folded = p.arr.focus != intent.Request && p.res.HasAnswer()
	if p.arr.file = file; file > 0 {
		p.arr.focus = intent.Response
	}
	p.lay = newLayout(p.width, p.height, p.arr)
	for _, id := range []intent.Pane{intent.Tree, intent.Request, intent.Response} {
		if id == intent.Request && p.lay.requestFolded {
			p.req.FitSummary()
			continue
		}
		r := p.lay.content(id)
		p.of(id).Fit(r.Dx(), r.Dy())
	}
	if r := inner(p.lay.aside); !r.Empty() && p.recordAside() {
		p.res.FitAside(r.Dx(), r.Dy())
	}
}

// focus moves the focus to a pane; what is typed in the one before is kept.
func (p *panes) focus(id intent.Pane) intent.Intent {
	var kept intent.Intent
	if id != p.arr.focus {
		kept = p.focused().EndTyping()
	}
	p.arr.focus = id
	return kept
}

// cycle moves the focus to the next or previous pane.
func (p *panes) cycle(d int) intent.Intent {
	return p.focus(intent.Pane((int(p.arr.focus) + d + 3) % 3))
}

// scopes lists where keys are looked up, the most specific first.
func (p *panes) scopes() []action.Scope {
	switch p.arr.focus {
	case intent.Tree:
		return []action.Scope{action.InTree, action.InAny}
	case intent.Request:
		return []action.Scope{action.InRequest, action.InAny}
	}
	return []action.Scope{action.Scope(p.res.Scope()), action.InResponse, action.InAny}
}

// at is the pane under a point of the screen, and its rectangle.
func (p *panes) at(pt image.Point) (id intent.Pane, r image.Rectangle, ok bool) {
	for _, id := range []intent.Pane{intent.Tree, intent.Request, intent.Response} {
		if r := *p.lay.rect(id); pt.In(r) {
			return id, r, true
		}
	}
	return 0, image.Rectangle{}, false
}

// recordAside reports whether the record stands at the side, not the documentation.
func (p *panes) recordAside() bool {
	return p.res.HasAnswer() && p.arr.focus != intent.Request && !(p.req.HasAction() && p.res.Scope() == "record")
}

// onViewSwitch reports whether a cell of the request's upper edge is that of the
// words "form json".
func (p *panes) onViewSwitch(x int) bool {
	end := p.lay.request.Dx() - 4
	return p.req.HasAction() && x < end && x >= end-text.Width("[form] json")
}

// onePane says why there is no other pane to go to, and no split to move.
func (p *panes) onePane() string {
	return action.Reason(p.arr.file > 0, "beside a file stand no tree and no form")
}

func focusOn(id intent.Pane) func() intent.Intent { return action.Asks(intent.Focus{Pane: id}) }

func (p *panes) focusActions() []action.Row {
	row := func(id, key, label, help string, do func() intent.Intent) action.Row {
		return action.Row{ID: id, In: action.InAny, Keys: []string{key}, Label: label, Help: help,
			Disabled: p.onePane, Do: do}
	}
	rows := []action.Row{
		row("focus.tree", "1", "tree", "Go to the tree of connectors", focusOn(intent.Tree)),
		row("focus.request", "2", "request", "Go to the request form", focusOn(intent.Request)),
		row("focus.response", "3", "response", "Go to the response", focusOn(intent.Response)),
		row("focus.next", "tab", "pane", "Go to the next pane", func() intent.Intent { return p.cycle(1) }),
		row("focus.previous", "shift+tab", "previous pane", "Go to the previous pane",
			func() intent.Intent { return p.cycle(-1) }),
	}
	rows[3].Footer = 9
	return rows
}

// farAway moves past any list; panes stop at their ends.
const farAway = 1 << 40

func (p *panes) moveActions() []action.Row {
	row := func(id, key, other, help string, do func()) action.Row {
		return action.Row{ID: id, In: action.InAny, Keys: []string{key, other}, Label: help, Help: help,
			Do: func() intent.Intent { do(); return nil }}
	}
	return []action.Row{
		row("move.down", "j", "down", "Down one row", func() { p.focused().Move(0, 1) }),
		row("move.up", "k", "up", "Up one row", func() { p.focused().Move(0, -1) }),
		row("move.halfdown", "ctrl+d", "pgdown", "Down half a screen", func() { p.focused().Half(1) }),
		row("move.halfup", "ctrl+u", "pgup", "Up half a screen", func() { p.focused().Half(-1) }),
		row("move.top", "g", "home", "To the first row", func() { p.focused().Move(0, -farAway) }),
		row("move.end", "G", "end", "To the last row", func() { p.focused().Move(0, farAway) }),
		row("move.left", "h", "left", "Left one column", func() { p.focused().Move(-1, 0) }),
		row("move.right", "l", "right", "Right one column", func() { p.focused().Move(1, 0) }),
	}
}

// windowActions move the splits, and the focus by direction.
func (p *panes) windowActions() []action.Row {
	row := func(id string, keys []string, label, help string, do func() intent.Intent) action.Row {
		return action.Row{ID: id, In: action.InAny, Keys: keys, Label: label, Help: help, Disabled: p.onePane, Do: do}
	}
	split := func(id, key, label, help string, wider, taller int) action.Row {
		return row(id, []string{key}, label, help, func() intent.Intent {
			w, h := p.lay.tree.Dx(), p.lay.request.Dy()
			switch {
			case wider != 0 && w > 0:
				p.arr.treeWidth = max(w+wider, 16)
			case taller != 0 && h > 0 && !p.lay.requestFolded:
				p.arr.requestHeight = max(h+taller, foldedRows)
			default:
				return nil // there is no split
			}
			return intent.SaveSettings{}
		})
	}
	two := func(keys ...string) []string { return []string{"ctrl+w " + keys[0], "ctrl+w " + keys[1]} }
	return []action.Row{
		{ID: "window.full", In: action.InAny, Keys: []string{"f"}, Label: "full screen",
			Help: "Show only this pane, or all again",
			Do:   func() intent.Intent { p.arr.full = !p.arr.full; return nil }},
		split("window.narrower", "<", "narrower", "Make the tree narrower", -4, 0),
		split("window.wider", ">", "wider", "Make the tree wider", 4, 0),
		split("window.shorter", "{", "shorter request", "Make the request pane shorter", 0, -2),
		split("window.taller", "}", "taller request", "Make the request pane taller", 0, 2),
		row("window.left", two("h", "left"), "pane left", "Go to the pane at the left", focusOn(intent.Tree)),
		row("window.right", two("l", "right"), "pane right", "Go to the pane at the right", focusOn(intent.Response)),
		row("window.up", two("k", "up"), "pane above", "Go to the pane above", focusOn(intent.Request)),
		row("window.down", two("j", "down"), "pane below", "Go to the pane below", focusOn(intent.Response)),
		row("window.cycle", two("w", "ctrl+w"), "next pane", "Go to the next pane",
			func() intent.Intent { return p.cycle(1) }),
	}
}
