package ui

import (
	"encoding/json"
	"slices"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/ui/intent"
)

// remember puts the present place on the way back.
func (m *Model) remember() {
	if !m.req.HasAction() {
		return
	}
	c, e, a := m.req.Place()
	p := profile.Place{Connector: c, Entity: e, Action: a}
	if n := len(m.back); n > 0 && m.back[n-1].Same(p) {
		return
	}
	m.back = append(m.back, p)
}

func (m *Model) goBack() tea.Cmd {
	p := m.back[len(m.back)-1]
	m.back = m.back[:len(m.back)-1]
	before := len(m.back)
	cmd := m.openAction(intent.OpenAction{Connector: p.Connector, Entity: p.Entity, Action: p.Action})
	m.back = m.back[:min(before, len(m.back))]
	return tea.Batch(cmd, m.perform(m.tree.Reveal(p.Connector, p.Entity, p.Action)))
}

// savePlace keeps the place and what its form holds for the next start. Params
// of a session without a history are not kept, nor those of an action that may
// hold a secret.
func (m *Model) savePlace() tea.Cmd {
	if !m.req.HasAction() || m.deps.Document != nil {
		return nil
	}
	c, e, a := m.req.Place()
	if m.deps.Settings.Places == nil {
		m.deps.Settings.Places = map[string]profile.Place{}
	}
	c.Raw = nil
	p := profile.Place{Connector: c, Entity: e, Action: a}
	if !m.deps.Session.NoHistory && !slices.ContainsFunc(m.req.Action().Params, func(f catalog.Field) bool { return f.Secret }) {
		p.Params = m.req.Draft()
	}
	m.deps.Settings.Places[m.deps.Session.Name] = p
	return m.saveSettings()
}

func (m *Model) saveSettings() tea.Cmd {
	s := m.deps.Settings
	s.TreeWidth, s.RequestHeight = m.arr.treeWidth, m.arr.requestHeight
	places := make(map[string]profile.Place, len(s.Places))
	for k, v := range s.Places {
		places[k] = v
	}
	s.Places = places
	return saveSettings(m.deps.SaveSettings, s)
}

// exit ends the program once the place is kept.
func (m *Model) exit() tea.Cmd {
	save := m.savePlace()
	return func() tea.Msg {
		if save != nil {
			save()
		}
		return tea.QuitMsg{}
	}
}

// pendingPlace is a place that waits for lists to arrive.
type pendingPlace struct {
	place  profile.Place
	params json.RawMessage
	run    bool
	// focus is the pane that gets the focus at the end.
	focus paneID
	// byKind takes the first connector of the place's kind, whatever its name.
	byKind bool
}

// planStart decides what the first screen shows.
func (m *Model) planStart() {
	if p, ok := m.deps.Settings.Places[m.deps.Session.Name]; ok && p.Connector.Workspace != "" {
		m.pending = &pendingPlace{place: p, focus: paneRequest, params: p.Params}
		return
	}
	if m.deps.Session.Sandbox {
		m.pending = &pendingPlace{focus: paneResponse, run: m.deps.Fresh, byKind: true,
			place:  profile.Place{Connector: client.Connector{Workspace: "demo", Kind: "payments"}, Entity: "customers", Action: "list"},
			params: json.RawMessage(`{"limit":20}`)}
	}
}

// resume goes on towards the pending place as far as the lists that are there allow.
func (m *Model) resume() tea.Cmd {
	p := m.pending
	if p.byKind {
		for _, c := range m.tree.Connectors() {
			if c.Kind == p.place.Connector.Kind && c.Workspace == p.place.Connector.Workspace {
				p.place.Connector, p.byKind = c, false
			}
		}
	}
	if in := m.tree.Reveal(p.place.Connector, p.place.Entity, p.place.Action); in != nil {
		return m.perform(in)
	}
	cur := m.tree.Current()
	if cur == nil || cur.Action != p.place.Action || cur.Entity != p.place.Entity {
		if !m.tree.Waiting() {
			m.pending = nil
		}
		return nil
	}
	m.pending = nil
	cmd := m.openAction(intent.OpenAction{Connector: cur.Connector, Entity: cur.Entity, Action: cur.Action, Params: p.params, Run: p.run})
	m.arr.focus = p.focus
	return tea.Batch(cmd, m.relayout())
}
