package ui

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client/ownfile"
	"patchbay/ui/pasted"
	"patchbay/ui/repaint"
)

// editedMsg is the person's editor having ended.
type editedMsg struct {
	text string
	err  error
}

// edit opens the person's editor on a text in a private temporary file.
func edit(editor []string, t string) tea.Cmd {
	return func() tea.Msg {
		dir, err := os.MkdirTemp("", "patchbay-")
		if err != nil {
			return editedMsg{err: err}
		}
		file := filepath.Join(dir, "params.json")
		if err := os.WriteFile(file, []byte(t), 0o600); err != nil {
			return editedMsg{err: err}
		}
		cmd := exec.Command(editor[0], append(editor[1:len(editor):len(editor)], file)...)
		return tea.Exec(&onScreen{cmd}, func(err error) tea.Msg {
			defer os.RemoveAll(dir)
			if err != nil {
				return editedMsg{err: err}
			}
			data, err := ownfile.Read(file, ownfile.Large)
			return editedMsg{string(data), err}
		})()
	}
}

// pagedMsg is the person's pager having ended.
type pagedMsg struct{ err error }

// page runs the person's pager on a text.
func page(pager []string, t *os.File) tea.Cmd {
	return func() tea.Msg {
		cmd := exec.Command(pager[0], pager[1:]...)
		cmd.Stdin = t
		return tea.Exec(&onScreen{cmd}, func(err error) tea.Msg {
			_ = t.Close() // it was only read
			return pagedMsg{err}
		})()
	}
}

// onScreen runs a program in the terminal in patchbay's place. It gets the
// terminal's own file: to a writer that only stands before it an editor would
// not believe that it has a screen.
type onScreen struct{ *exec.Cmd }

// leastAway is how long the terminal is left to another program at least. The
// framework's renderer ends in a goroutine of its own; if it came to its end only
// after the next one began, it would stop that one's clock and the screen stay empty.
const leastAway = 150 * time.Millisecond

// Run runs the program to its end.
func (c *onScreen) Run() error {
	least := time.After(leastAway)
	err := c.Cmd.Run()
	<-least
	return err
}

// SetStdin gives the program the terminal's input, unless it reads a text there: then
// it takes the keys from the terminal by itself.
func (c *onScreen) SetStdin(r io.Reader) {
	if c.Stdin != nil {
		return
	}
	if f, ok := r.(*pasted.File); ok {
		r = f.Terminal()
	}
	c.Stdin = r
}

// SetStdout gives the program the terminal.
func (c *onScreen) SetStdout(w io.Writer) {
	if f, ok := w.(*repaint.File); ok {
		w = f.Terminal()
	}
	c.Stdout = w
}

// SetStderr gives the program a place for its complaints.
func (c *onScreen) SetStderr(w io.Writer) { c.Stderr = w }

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

// away leaves the terminal to another program for a while.
func away(cmd tea.Cmd) tea.Cmd { return tea.Sequence(tea.Raw(StopFollowing), cmd) }

// comeBack is what to do when that program ended: it may have left anything on
// the screen, and the renderer switched whole-character widths off when it left
// and does not think of them itself. Nor does the terminal keep images for it.
func (m *Model) comeBack() tea.Cmd {
	m.sent = nil
	var widths tea.Cmd
	if m.wholeCharacters {
		widths = tea.Raw(ansi.RequestModeUnicodeCore)
	}
	return tea.Batch(tea.ClearScreen, widths, askBackground())
}
