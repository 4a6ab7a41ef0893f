package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// mouseState remembers the last press, for double clicks and drags.
type mouseState struct {
	at   image.Point
	when time.Time
	// local is the press within its pane, and over how many overlays were open.
	local image.Point
	over  int
	drag  dragging
}

// dragging is what moves with the pointer until the button is released.
type dragging int

const (
	dragNothing dragging = iota
	dragTree
	dragRequest
	dragColumn
)

// doubleClick is how close in time two clicks on one cell are one gesture.
const doubleClick = 400 * time.Millisecond

// mouseInput finds the part of the screen under the pointer and hands it the event.
func (m *Model) mouseInput(msg tea.MouseMsg) tea.Cmd {
	p := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return tea.Batch(m.wheel(p, msg), m.relayout())
	case tea.MouseClickMsg:
		return m.press(p, msg.Button)
	case tea.MouseMotionMsg:
		return m.drag(p)
	case tea.MouseReleaseMsg:
		return m.release(p)
	}
	return nil
}

// press is a button going down: the left one selects and acts, the right one
// lists what can be done with the thing under the pointer.
func (m *Model) press(p image.Point, b tea.MouseButton) tea.Cmd {
	m.mouse.drag = dragNothing
	if b == tea.MouseRight && m.stack.Top() == nil && m.lay.mode != modeTiny {
		return m.contextMenu(p)
	}
	if b != tea.MouseLeft {
		return nil
	}
	now := m.deps.Now()
	double := m.mouse.at == p && now.Sub(m.mouse.when) < doubleClick
	if double && m.mouse.over != len(m.stack.All()) {
		return nil // the first click opened or closed what lies here
	}
	m.mouse.at, m.mouse.when, m.mouse.over = p, now, len(m.stack.All())
	return tea.Batch(m.click(p, double), m.relayout())
}

func (m *Model) wheel(p image.Point, msg tea.MouseWheelMsg) tea.Cmd {
	d := 3
	if msg.Button == tea.MouseWheelUp || msg.Button == tea.MouseWheelLeft {
		d = -3
	}
	sideways := msg.Button == tea.MouseWheelLeft || msg.Button == tea.MouseWheelRight || msg.Mod.Contains(tea.ModShift)
	if top := m.stack.Top(); top != nil {
		return m.perform(top.Wheel(d))
	}
	switch {
	case p.In(m.lay.tree):
		m.tree.Wheel(d)
	case p.In(m.lay.request):
		m.req.Wheel(d)
	case p.In(m.lay.aside):
		m.wheelAside(d)
	case p.In(m.lay.response) && sideways:
		m.res.Sideways(d / 3)
	case p.In(m.lay.response):
		m.res.Wheel(d)
	}
	return nil
}

// textField is the field that is typed into; nil when none is.
func (m *Model) textField() *input.Field {
	if top := m.stack.Top(); top != nil {
		if o, ok := top.(interface{ TextField() *input.Field }); ok {
			return o.TextField()
		}
		return nil
	}
	switch m.arr.focus {
	case paneTree:
		return m.tree.TextField()
	case paneRequest:
		return m.req.TextField()
	}
	return m.res.TextField()
}

// clickText puts the text cursor to where the field that is typed into was
// clicked; false when something else was.
func (m *Model) clickText(p image.Point) bool {
	f := m.textField()
	if f == nil {
		return false
	}
	_, at := m.screen()
	return at != nil && at.Y == p.Y && f.Click(p.X-at.X)
}

func (m *Model) click(p image.Point, double bool) tea.Cmd {
	if m.clickText(p) {
		return nil
	}
	if top := m.stack.Top(); top != nil {
		return m.clickOverlay(top, p, double)
	}
	switch {
	case m.lay.mode == modeTiny:
	case p.In(m.lay.splitTree):
		m.mouse.drag = dragTree
	case p.In(m.lay.splitRequest) && !m.lay.requestFolded:
		m.mouse.drag = dragRequest
	case p.In(m.lay.header):
		return m.clickHeader(p.X)
	case p.In(m.lay.aside):
		return m.clickAside(p, double)
	case p.In(m.lay.status):
		return m.clickStatus()
	case p.In(m.lay.hints):
		return m.pressed(m.hintAt(p.X))
	default:
		return m.clickPane(p, double)
	}
	return nil
}

func (m *Model) clickOverlay(top overlay.Overlay, p image.Point, double bool) tea.Cmd {
	box := overlay.Box(top, m.width, m.height)
	if !p.In(box) {
		return m.pressed("esc")
	}
	if name := overlay.HintAt(top, box, p); name != "" {
		return m.pressed(name)
	}
	at := p.Sub(overlay.Content(box).Min)
	return m.perform(top.Click(at.X, at.Y, double))
}

// clickPane moves the focus to the pane under the pointer and hands it the click.
func (m *Model) clickPane(p image.Point, double bool) tea.Cmd {
	id, r, ok := m.paneAt(p)
	if !ok {
		return nil
	}
	at := p.Sub(inner(r).Min)
	if double {
		at = m.mouse.local // the focus may have moved the panes since the first click
	}
	m.mouse.local = at
	folded := m.lay.requestFolded
	cmd := m.focusOn(id)
	switch id {
	case paneTree:
		return tea.Batch(cmd, m.perform(m.tree.Click(at.Y, double)))
	case paneRequest:
		return tea.Batch(cmd, m.clickRequest(at, r, folded, double))
	}
	if m.res.Grab(at.X, at.Y, double) {
		m.mouse.drag = dragColumn
		return cmd
	}
	return tea.Batch(cmd, m.perform(m.res.Click(at.X, at.Y, double)))
}

// clickRequest is a click on the request: its title switches the view, and a
// summary has no fields to hit.
func (m *Model) clickRequest(at image.Point, r image.Rectangle, folded, double bool) tea.Cmd {
	switch {
	case m.deps.Document != nil:
	case at.Y < 0 && m.onViewSwitch(at.X, r):
		return m.perform(m.req.ToggleJSON())
	case !folded && at.Y >= 0:
		return m.perform(m.req.Click(at.X, at.Y, double))
	}
	return nil
}

// onViewSwitch tells whether a cell of the request's upper edge is that of the
// words "form json".
func (m *Model) onViewSwitch(x int, r image.Rectangle) bool {
	end := r.Dx() - 4
	return m.req.HasAction() && x < end && x >= end-text.Width("[form] json")
}

func (m *Model) paneAt(p image.Point) (paneID, image.Rectangle, bool) {
	for _, id := range []paneID{paneTree, paneRequest, paneResponse} {
		if r := m.lay.rect(id); p.In(r) {
			return id, r, true
		}
	}
	return 0, image.Rectangle{}, false
}

// contextMenu selects what is under the pointer and lists what can be done with it.
func (m *Model) contextMenu(p image.Point) tea.Cmd {
	id, r, ok := m.paneAt(p)
	if !ok {
		return nil
	}
	at := p.Sub(inner(r).Min)
	folded := m.lay.requestFolded
	cmd := m.focusOn(id)
	switch {
	case id == paneTree:
		m.tree.Select(at.Y)
	case id == paneRequest && !folded:
		m.req.Select(at.X, at.Y)
	case id == paneResponse:
		m.res.Select(at.X, at.Y)
	}
	a := m.actionByID("actions")
	for _, s := range m.scopes() {
		if own := m.actionByID(string(s) + ".actions"); own != nil {
			a = own
			break
		}
	}
	if id == paneRequest && m.req.HasAction() {
		a = m.actionByID("request.state")
	}
	return tea.Batch(cmd, m.do(a))
}

// clickAside folds the record beside the table; a double click gives it the pane.
func (m *Model) clickAside(p image.Point, double bool) tea.Cmd {
	switch {
	case !m.asideIsRecord() && double:
		return m.openDocs()
	case !m.asideIsRecord():
	case double:
		return tea.Batch(m.focusOn(paneResponse), m.perform(m.res.OpenRecord()))
	default:
		m.res.ClickAside(p.Y - inner(m.lay.aside).Min.Y)
	}
	return nil
}

// clickStatus opens the log, where a message that was cut is told in full.
func (m *Model) clickStatus() tea.Cmd {
	if m.toast.text == "" {
		return nil
	}
	return m.openLog()
}

func (m *Model) drag(p image.Point) tea.Cmd {
	switch m.mouse.drag {
	case dragTree:
		m.arr.treeWidth = max(p.X+1-m.lay.tree.Min.X, 16)
	case dragRequest:
		m.arr.requestHeight = max(p.Y+1-m.lay.request.Min.Y, foldedRows)
	case dragColumn:
		m.res.DragColumn(p.X - inner(m.lay.response).Min.X)
	default:
		return nil
	}
	return m.relayout()
}

// release ends a drag where the pointer is: the motion before it may have been
// left out of a flood.
func (m *Model) release(p image.Point) tea.Cmd {
	cmd := m.drag(p)
	was := m.mouse.drag
	m.mouse.drag = dragNothing
	switch was {
	case dragTree, dragRequest:
		if p == m.mouse.at {
			return cmd
		}
		return tea.Batch(cmd, m.saveSettings())
	case dragColumn:
		return tea.Batch(cmd, m.keepLayout())
	}
	return cmd
}

// Filter coalesces floods of wheel and motion events: of a burst that arrives
// within one frame only the first is kept.
func Filter(now func() time.Time) func(tea.Model, tea.Msg) tea.Msg {
	var last time.Time
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		switch msg.(type) {
		case tea.MouseWheelMsg, tea.MouseMotionMsg:
			t := now()
			if t.Sub(last) < 8*time.Millisecond {
				return nil
			}
			last = t
		}
		return msg
	}
}
