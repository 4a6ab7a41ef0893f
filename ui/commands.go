package ui

import (
	"context"
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/ui/dialog/places"
	"patchbay/ui/intent"
)

// later sends a message after a time.
func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// openProfile opens a profile; where that cannot be done the one in use goes on.
func (m *Model) openProfile(in intent.OpenProfile) tea.Cmd {
	open := m.deps.Open
	switch {
	case open == nil && in.Anew != nil:
		return m.perform(in.Anew())
	case open == nil:
		return m.perform(intent.LoadWorkspaces{})
	}
	return m.start(intent.Task{Lane: intent.Asking, What: "opening profile " + in.Name,
		Limit: places.Timeout, Do: func(ctx context.Context) (func() intent.Intent, error) {
			s, err := open(ctx, in.Name)
			return func() intent.Intent {
				if in.Anew == nil {
					return m.use(s)
				}
				m.deps.Session = s
				return in.Anew()
			}, err
		}})
}

// use takes up the session of another profile.
func (m *Model) use(s Session) intent.Intent {
	m.tasks.drop(intent.Running)
	m.session++
	m.deps.Session, m.deps.Document = s, nil
	m.req.Close()
	m.req.SwitchOff("")
	m.res.Clear(nil, nil, nil)
	m.arr.card = false
	m.arr.focus = intent.Tree
	m.places.Start(m.deps.Fresh)
	return intent.All{intent.LoadWorkspaces{}, intent.Say{Text: "Profile " + s.Name, Log: intent.LogSetting}}
}

// saveSettings stores the settings. What is written stays as it is although the
// maps of the places change meanwhile.
func (m *Model) saveSettings() tea.Cmd {
	save, s := m.deps.SaveSettings, m.deps.Settings
	if save == nil {
		return nil
	}
	s.TreeWidth, s.RequestHeight = m.arr.treeWidth, m.arr.requestHeight
	s.Places = maps.Clone(s.Places)
	return func() tea.Msg { return savedMsg{save(s)} }
}

// exit ends the program once the place is kept.
func (m *Model) exit() tea.Cmd {
	save := m.perform(m.places.Save())
	leave := func() tea.Msg {
		if save != nil {
			save()
		}
		return tea.QuitMsg{}
	}
	if m.sent == nil {
		return leave
	}
	return tea.Sequence(tea.Raw(takenBack(m.sent)), leave)
}

// openDocument shows a file or stream as soon as there is something to show.
func (m *Model) openDocument(d *answer.Document) tea.Cmd {
	m.arr.focus = intent.Response
	m.res.Await(d)
	return tea.Batch(m.startTicking(), m.start(intent.Task{Lane: intent.Quiet,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			d.Wait(ctx) // it ends with the document
			page := d.Page()
			return func() intent.Intent { return m.res.Open(page) }, nil
		}}))
}
