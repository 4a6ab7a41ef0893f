package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/ui/intent"
	"patchbay/ui/repaint"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// listTimeout bounds the listing of workspaces and connectors.
const listTimeout = 45 * time.Second

func (m *Model) listWorkspaces() tea.Cmd {
	s, session := m.deps.Session.Service, m.session
	return m.wait("asking for workspaces", listTimeout, func(ctx context.Context) tea.Msg {
		if s == nil {
			return workspacesMsg{session: session, err: errors.New("no service is configured: p chooses a profile")}
		}
		list, err := s.Workspaces(ctx)
		return workspacesMsg{session, list, err}
	})
}

func (m *Model) listConnectors(workspace string) tea.Cmd {
	s, session := m.deps.Session.Service, m.session
	return m.wait("asking for the connectors of "+text.Sanitize(workspace), listTimeout, func(ctx context.Context) tea.Msg {
		list, err := s.Connectors(ctx, workspace)
		return connectorsMsg{session, workspace, list, err}
	})
}

func loadKind(c *catalog.Catalog, session int, connector client.Connector) tea.Cmd {
	return func() tea.Msg {
		name := connector.Kind
		if name == "" {
			name = connector.Type
		}
		k, err := c.Kind(name)
		return kindMsg{session, connector, k, err}
	}
}

// execute runs an operation and prepares its answer for the views, both off the update loop.
func execute(ctx context.Context, ex client.Executor, c *call, ask result.Question) tea.Cmd {
	return func() tea.Msg {
		defer close(c.events)
		env, err := ex.Execute(ctx, ask.Target, ask.Op)
		return answerMsg{c.id, result.NewPage(ctx, ask, env, err), err}
	}
}

// listen waits for the next event of a call.
func listen(c *call) tea.Cmd {
	return func() tea.Msg {
		e, ok := <-c.events
		if !ok {
			return eventsDoneMsg{c.id}
		}
		return eventMsg{c.id, e}
	}
}

// later sends a message after a time.
func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// copyNative writes to the native clipboard; OSC 52 goes out beside it.
func copyNative(write func(string) error, what, t, note string) tea.Cmd {
	return func() tea.Msg {
		err := errors.New("no native clipboard")
		if write != nil {
			err = write(t)
		}
		return copiedMsg{what: what, size: len(t), native: err, note: note}
	}
}

func (m *Model) openSession(profile string) tea.Cmd {
	open := m.deps.Open
	return m.wait("opening profile "+text.Sanitize(profile), listTimeout, func(ctx context.Context) tea.Msg {
		s, err := open(ctx, profile)
		return sessionMsg{s, err}
	})
}

func saveSettings(save func(profile.State) error, s profile.State) tea.Cmd {
	if save == nil {
		return nil
	}
	return func() tea.Msg { return savedMsg{save(s)} }
}

// work runs a job on records off the update loop; apply is run on the loop when it is done.
func work(ctx context.Context, id int, job func(context.Context) (func() intent.Intent, error)) tea.Cmd {
	return func() tea.Msg {
		apply, err := job(ctx)
		return workMsg{id, apply, err}
	}
}

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
			data, err := os.ReadFile(file)
			return editedMsg{string(data), err}
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

// SetStdin gives the program the terminal's input.
func (c *onScreen) SetStdin(r io.Reader) { c.Stdin = r }

// SetStdout gives the program the terminal.
func (c *onScreen) SetStdout(w io.Writer) {
	if f, ok := w.(*repaint.File); ok {
		w = f.Terminal()
	}
	c.Stdout = w
}

// SetStderr gives the program a place for its complaints.
func (c *onScreen) SetStderr(w io.Writer) { c.Stderr = w }

// listenThenCopy makes the sandbox reachable for other programs before a call
// to it is copied, so that the copied text runs unchanged.
func listenThenCopy(listen func() (string, error), title, t, base string) tea.Cmd {
	return func() tea.Msg {
		address, err := listen()
		return callTextMsg{title: title, text: strings.ReplaceAll(t, base, address), address: address, err: err}
	}
}

// async runs f beside the update loop, for at most limit; what it returns is
// run on the loop. It is for work on this machine; ask is for the network.
func (m *Model) async(limit time.Duration, f func(context.Context) func(*Model) tea.Cmd) tea.Cmd {
	session := m.session
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return appliedMsg{session, f(ctx)}
	}
}
