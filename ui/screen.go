package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/text"
)

// screenActions change how the screen is drawn and what it tells. They are kept
// between starts.
func screenActions() []action {
	return []action{
		{ID: "screen.ascii", In: inAny, Label: "ASCII", Help: "Draw with ASCII characters only, or with lines again", Do: (*Model).toggleASCII},
		{ID: "screen.motion", In: inAny, Label: "motion", Help: "Keep the screen still while something runs, or let it move again", Do: (*Model).toggleMotion},
		{ID: "screen.notify", In: inAny, Label: "notify", Help: "Tell on the desktop when a long run ends in another window, or stay quiet", Disabled: (*Model).noNotify, Do: (*Model).toggleNotify},
	}
}

func (m *Model) toggleASCII() tea.Cmd {
	m.deps.ASCII = !m.deps.ASCII
	m.deps.Settings.ASCII = m.deps.ASCII
	m.restyle(m.styles.Theme)
	return tea.Batch(m.saveSettings(), m.tell(logSetting, either(m.deps.ASCII, "Drawn with ASCII characters only", "Drawn with lines")))
}

func (m *Model) toggleMotion() tea.Cmd {
	m.deps.Still = !m.deps.Still
	m.deps.Settings.Still = m.deps.Still
	m.restyle(m.styles.Theme)
	return tea.Batch(m.saveSettings(), m.tell(logSetting, either(m.deps.Still, "Nothing moves by itself", "Spinners move")))
}

func (m *Model) noNotify() string {
	return reason(m.deps.Notification == nil, "this terminal shows nothing on the desktop")
}

func (m *Model) toggleNotify() tea.Cmd {
	m.deps.Settings.Quiet = !m.deps.Settings.Quiet
	return tea.Batch(m.saveSettings(), m.tell(logSetting, either(m.deps.Settings.Quiet, "No notifications on the desktop", "Long runs that end in another window are told on the desktop")))
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// longRun is how long something takes that is worth a notification.
const longRun = 5 * time.Second

// notify tells on the desktop what ended, when it took long and the person looks elsewhere.
func (m *Model) notify(since time.Time, what string) tea.Cmd {
	if m.focused || m.deps.Notification == nil || m.deps.Settings.Quiet || m.deps.Now().Sub(since) < longRun {
		return nil
	}
	return tea.Raw(m.deps.Notification(text.Truncate(text.Sanitize(what), 120)))
}
