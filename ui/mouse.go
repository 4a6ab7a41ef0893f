package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
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
	dragRow
)

// doubleClick is how close in time two clicks on one cell are one gesture.
const doubleClick = 400 * time.Millisecond

// mouseInput finds the part of the screen under the pointer and hands it the event.
func (m *Model) mouseInput(msg tea.MouseMsg) tea.Cmd {
	p := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(p, msg)
	case tea.MouseClickMsg:
		return m.press(p, msg.Button)
	case tea.MouseMotionMsg:
		m.drag(p)
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
	return m.click(p, double)
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
	id, _, ok := m.at(p)
	switch {
	case ok && id == intent.Response && sideways:
		m.res.Sideways(d / 3)
	case ok:
		m.of(id).Wheel(d)
	case p.In(m.lay.aside) && m.recordAside():
		m.res.WheelAside(d)
	case p.In(m.lay.aside):
		in := inner(m.lay.aside)
		m.docs.Wheel(d, in.Dx(), in.Dy(), m.look.Styles)
	}
	return nil
}

// clickText puts the text cursor to where the field that is typed into was
// clicked; false when something else was.
func (m *Model) clickText(p image.Point) bool {
	var typed any = m.focused()
	if top := m.stack.Top(); top != nil {
		typed = top
	}
	o, ok := typed.(interface{ TextField() *input.Field })
	if !ok || o.TextField() == nil {
		return false
	}
	_, at := m.screen()
	return at != nil && at.Y == p.Y && o.TextField().Click(p.X-at.X)
}

func (m *Model) click(p image.Point, double bool) tea.Cmd {
	if m.clickText(p) {
		return nil
	}
	if all := m.stack.All(); len(all) > 0 {
		top := all[len(all)-1]
		if !p.In(top.Box) {
			return m.pressed("esc")
		} else if name := top.HintAt(p); name != "" {
			return m.pressed(name)
		}
		at := p.Sub(overlay.Content(top.Box).Min)
		return m.perform(top.Click(at.X, at.Y, double))
	}
	switch {
	case m.lay.mode == modeTiny:
	case p.In(m.lay.splitTree):
		m.mouse.drag = dragTree
	case p.In(m.lay.splitRequest) && !m.lay.requestFolded:
		m.mouse.drag = dragRequest
	case p.In(m.lay.header):
		return m.perform(m.header().click(p.X, m.width, m.look.Styles))
	case p.In(m.lay.aside):
		return m.clickAside(p, double)
	case p.In(m.lay.status):
		if m.toast.text == "" {
			return nil
		}
		return m.perform(intent.Do{ID: "log"}) // there a message that was cut stands in full
	case p.In(m.lay.hints):
		return m.pressed(m.foot().key(p.X, m.width, m.look.Styles))
	default:
		return m.clickPane(p, double)
	}
	return nil
}

// clickPane moves the focus to the pane under the pointer and hands it the click.
func (m *Model) clickPane(p image.Point, double bool) tea.Cmd {
	id, r, ok := m.at(p)
	if !ok {
		return nil
	}
	at := p.Sub(inner(r).Min)
	if double {
		at = m.mouse.local // the focus may have moved the panes since the first click
	}
	m.mouse.local = at
	folded := m.lay.requestFolded
	cmd := m.perform(m.focus(id))
	switch {
	case id == intent.Request && at.Y < 0 && m.deps.Document == nil && m.onViewSwitch(at.X):
		return tea.Batch(cmd, m.perform(m.req.ToggleJSON()))
	case id == intent.Request && (folded || at.Y < 0 || m.deps.Document != nil):
		return cmd // a summary has no fields to hit
	case id == intent.Response && m.res.Grab(at.X, at.Y, double):
		m.mouse.drag = dragColumn
		return cmd
	}
	cmd = tea.Batch(cmd, m.perform(m.of(id).Click(at.X, at.Y, double)))
	if id == intent.Request && m.stack.Top() == nil && m.req.Grab() {
		m.mouse.drag = dragRow
	}
	return cmd
}

// contextMenu selects what is under the pointer and lists what can be done with it.
func (m *Model) contextMenu(p image.Point) tea.Cmd {
	id, r, ok := m.at(p)
	if !ok {
		return nil
	}
	at := p.Sub(inner(r).Min)
	folded := m.lay.requestFolded
	cmd := m.perform(m.focus(id))
	if id != intent.Request || !folded {
		m.of(id).Select(at.X, at.Y)
	}
	menu := "actions"
	if own := string(m.scopes()[0]) + ".actions"; m.actions.ByID(own) != nil {
		menu = own
	}
	if id == intent.Request && m.req.HasAction() {
		menu = "request.state"
	}
	return tea.Batch(cmd, m.perform(intent.Do{ID: menu}))
}

// clickAside folds the record beside the table; a double click gives it the pane.
func (m *Model) clickAside(p image.Point, double bool) tea.Cmd {
	switch {
	case !m.recordAside() && double:
		return m.perform(intent.Do{ID: "docs"})
	case !m.recordAside():
	case double:
		return tea.Batch(m.perform(m.focus(intent.Response)), m.perform(m.res.OpenRecord()))
	default:
		m.res.ClickAside(p.Y - inner(m.lay.aside).Min.Y)
	}
	return nil
}

func (m *Model) drag(p image.Point) {
	switch m.mouse.drag {
	case dragTree:
		m.arr.treeWidth = max(p.X+1-m.lay.tree.Min.X, 16)
	case dragRequest:
		m.arr.requestHeight = max(p.Y+1-m.lay.request.Min.Y, foldedRows)
	case dragColumn:
		m.res.DragColumn(p.X - inner(m.lay.response).Min.X)
	case dragRow:
		m.req.Drag(p.Y - inner(m.lay.request).Min.Y)
	}
}

// release ends a drag where the pointer is: the motion before it may have been
// left out of a flood.
func (m *Model) release(p image.Point) tea.Cmd {
	m.drag(p)
	was := m.mouse.drag
	m.mouse.drag = dragNothing
	switch {
	case was == dragRow:
		m.req.Drop()
	case was == dragColumn:
		return m.perform(m.res.Arrange(func() intent.Intent { return nil }))
	case was != dragNothing && p != m.mouse.at:
		return m.saveSettings()
	}
	return nil
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
