package ui

import tea "charm.land/bubbletea/v2"

// moveBy moves the cursor of the focused pane.
func (m *Model) moveBy(dx, dy int) {
	switch m.arr.focus {
	case paneTree:
		m.tree.Move(dy)
	case paneRequest:
		m.req.Move(dx, dy)
	case paneResponse:
		m.res.Move(dx, dy)
	}
}

// moveHalf moves by half windows.
func (m *Model) moveHalf(d int) {
	switch m.arr.focus {
	case paneTree:
		m.tree.Half(d)
	case paneRequest:
		m.req.Half(d)
	case paneResponse:
		m.res.Half(d)
	}
}

func (m *Model) afterMove() tea.Cmd { return nil }

// requestTab goes to the next or previous field; past the last one to the next pane.
func (m *Model) requestTab(d int) tea.Cmd {
	if m.req.Tab(d) {
		return nil
	}
	return m.cycleFocus(d)
}

func (m *Model) resizeTree(d int) tea.Cmd {
	w := m.lay.tree.Dx()
	if w == 0 {
		return nil
	}
	m.arr.treeWidth = max(w+d, 16)
	return tea.Batch(m.relayout(), m.saveSettings())
}

func (m *Model) resizeRequest(d int) tea.Cmd {
	h := m.lay.request.Dy()
	if h == 0 || m.lay.requestFolded {
		return nil
	}
	m.arr.requestHeight = max(h+d, foldedRows)
	return tea.Batch(m.relayout(), m.saveSettings())
}

// leave is esc in a pane: it undoes the smallest thing that narrows the screen.
func (m *Model) leave() tea.Cmd {
	switch {
	case m.arr.focus == paneTree && m.tree.Filter() != "":
		m.tree.SetFilter("")
	case m.arr.full:
		m.arr.full = false
	case m.toast.text != "":
		m.toast.text = ""
	}
	return m.relayout()
}

// leaveResponse leaves the smallest thing that narrows the response; with
// nothing to leave it does otherwise.
func (m *Model) leaveResponse(otherwise func(*Model) tea.Cmd) tea.Cmd {
	if in, left := m.res.Leave(); left {
		return m.perform(in)
	}
	return otherwise(m)
}

func (m *Model) toggleMouse() tea.Cmd {
	m.released = !m.released
	if m.released {
		return m.tell(logSetting, "Mouse released: the terminal selects text. M takes it again")
	}
	return m.tell(logSetting, "Mouse taken: click, wheel and drag work here")
}
