package ui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Mode 2031 makes a terminal tell when the person changes between light and dark.
const (
	followBackground = "\x1b[?2031h"
	// StopFollowing ends that; whoever runs the program writes it at the end, so
	// that the shell gets no such report as input.
	StopFollowing = "\x1b[?2031l"
)

// askBackground asks what is behind the terminal, and to be told of changes.
// Where neither is answered, the screen stays dark.
func askBackground() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, tea.Raw(followBackground))
}

// followScheme takes over what the terminal tells of itself; its background is
// asked for as well, since a scheme may be reported before the colours change.
func (m *Model) followScheme(dark bool) tea.Cmd {
	m.takeDark(dark)
	return tea.RequestBackgroundColor
}

// takeDark follows the terminal until the person chose a theme.
func (m *Model) takeDark(dark bool) {
	if changed := m.dark != dark; changed && !m.chosen {
		m.dark = dark
		m.setTheme("")
	}
	m.dark = dark
}

// scheme tells whether a message is a report of the terminal's scheme, and which.
func scheme(msg tea.Msg) (dark, ok bool) {
	switch msg.(type) {
	case uv.DarkColorSchemeEvent:
		return true, true
	case uv.LightColorSchemeEvent:
		return false, true
	}
	return false, false
}

// away leaves the terminal to another program for a while.
func away(cmd tea.Cmd) tea.Cmd { return tea.Sequence(tea.Raw(StopFollowing), cmd) }

// comeBack is what to do when that program ended: it may have left anything on
// the screen, and the renderer switched whole-character widths off when it left
// and does not think of them itself.
func (m *Model) comeBack() tea.Cmd {
	var widths tea.Cmd
	if m.wholeCharacters {
		widths = tea.Raw(ansi.RequestModeUnicodeCore)
	}
	return tea.Batch(tea.ClearScreen, widths, askBackground())
}
