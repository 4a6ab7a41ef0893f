package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/overlay"
)

// mouseState remembers the last press, for double clicks and drags.
type mouseState struct {
	at    image.Point
	when  time.Time
	split int // the split that is dragged: 1 tree, 2 request
}

// doubleClick is how close in time two clicks on one cell are one gesture.
const doubleClick = 400 * time.Millisecond

// mouseInput finds the part of the screen under the pointer and hands it the event.
func (m *Model) mouseInput(msg tea.MouseMsg) tea.Cmd {
	p := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(p, msg)
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		now := m.deps.Now()
		double := m.mouse.at == p && now.Sub(m.mouse.when) < doubleClick
		m.mouse.at, m.mouse.when = p, now
		return tea.Batch(m.click(p, double), m.relayout())
	case tea.MouseMotionMsg:
		return m.drag(p)
	case tea.MouseReleaseMsg:
		if m.mouse.split != 0 {
			m.mouse.split = 0
			return m.saveSettings()
		}
	}
	return nil
}

func (m *Model) wheel(p image.Point, msg tea.MouseWheelMsg) tea.Cmd {
	d := 3
	if msg.Button == tea.MouseWheelUp || msg.Button == tea.MouseWheelLeft {
		d = -3
	}
	sideways := msg.Button == tea.MouseWheelLeft || msg.Button == tea.MouseWheelRight || msg.Mod.Contains(tea.ModShift)
	if top := m.stack.Top(); top != nil {
		top.Wheel(d)
		return nil
	}
	switch {
	case p.In(m.lay.tree):
		m.tree.Wheel(d)
	case p.In(m.lay.request):
		m.req.Wheel(d)
	case p.In(m.lay.response) && sideways:
		m.res.Move(d/3, 0)
	case p.In(m.lay.response):
		m.res.Wheel(d)
	}
	return nil
}

func (m *Model) click(p image.Point, double bool) tea.Cmd {
	if top := m.stack.Top(); top != nil {
		box := overlay.Box(top, m.width, m.height)
		if !p.In(box) {
			return m.key(tea.KeyPressMsg{Code: tea.KeyEscape})
		}
		at := p.Sub(overlay.Content(box).Min)
		return m.perform(top.Click(at.X, at.Y, double))
	}
	switch {
	case p.In(m.lay.splitTree):
		m.mouse.split = 1
	case p.In(m.lay.splitRequest) && !m.lay.requestFolded:
		m.mouse.split = 2
	case p.In(m.lay.tree):
		cmd := m.focusOn(paneTree)
		return tea.Batch(cmd, m.perform(m.tree.Click(p.Y-inner(m.lay.tree).Min.Y, double)))
	case p.In(m.lay.request):
		cmd := m.focusOn(paneRequest)
		at := p.Sub(inner(m.lay.request).Min)
		return tea.Batch(cmd, m.perform(m.req.Click(at.X, at.Y, double)))
	case p.In(m.lay.response):
		cmd := m.focusOn(paneResponse)
		at := p.Sub(inner(m.lay.response).Min)
		return tea.Batch(cmd, m.perform(m.res.Click(at.X, at.Y, double)))
	case p.In(m.lay.hints):
		return m.clickHint(p.X)
	}
	return nil
}

// clickHint runs the footer's action under the pointer.
func (m *Model) clickHint(x int) tea.Cmd {
	at := 1
	for _, h := range m.hints() {
		n := len([]rune(h.key)) + 1 + len([]rune(h.label))
		if x >= at && x < at+n {
			if i := m.keymap.find(h.key, m.scopes()); i >= 0 {
				return m.do(&m.actions[i])
			}
			return nil
		}
		at += n + 2
	}
	return nil
}

func (m *Model) drag(p image.Point) tea.Cmd {
	switch m.mouse.split {
	case 1:
		m.arr.treeWidth = max(p.X+1-m.lay.tree.Min.X, 16)
	case 2:
		m.arr.requestHeight = max(p.Y+1-m.lay.request.Min.Y, foldedRows)
	default:
		return nil
	}
	return m.relayout()
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
