package ui

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/quantity"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Times of the screen.
const (
	// slow is when progress starts to show.
	slow = 300 * time.Millisecond
	// tickEvery is how often a running call redraws its elapsed time.
	tickEvery = 100 * time.Millisecond
	toastTime = 4 * time.Second
	quitTwice = time.Second
)

// interruptMsg ends the program; it comes from outside (SIGTERM).
type interruptMsg struct{}

// Interrupt is the message that ends the program from outside.
func Interrupt() tea.Msg { return interruptMsg{} }

// perform does what a pane or an overlay asked for. It alone starts commands.
func (m *Model) perform(in intent.Intent) tea.Cmd {
	switch in := in.(type) {
	case nil:
		return nil
	case intent.All:
		cmds := make([]tea.Cmd, 0, len(in))
		for _, one := range in {
			cmds = append(cmds, m.perform(one))
		}
		return tea.Batch(cmds...)
	case intent.Say:
		if in.Once && m.saidOnce == in.Text {
			return nil
		} else if in.Once {
			m.saidOnce = in.Text
		}
		if in.Log != "" && !in.Bad {
			return m.tell(in.Log, in.Text)
		}
		return m.say(in.Text, in.Bad)
	case intent.Notify:
		return m.notify(in.Since, in.Text)
	case intent.Log:
		m.log.Add(in)
	case intent.Copy:
		return m.copy(in)
	case intent.Unsay:
		if !m.toast.stays {
			m.toast.text = "" // what was wrong before is no longer so
		}
	case intent.Interrupt:
		return m.interrupt()
	case intent.Quit:
		return m.exit()
	case intent.Redraw:
		m.sent = nil // the terminal may have lost the image as well
		return tea.ClearScreen
	case intent.Suspend, intent.Edit, intent.Page:
		return away(m.outside(in))
	case intent.Stop:
		m.tasks.drop(in.Lane)
	case intent.SaveSettings:
		return m.saveSettings()
	case intent.Do:
		if a := m.actions.ByID(in.ID); a != nil {
			return m.do(a)
		}
	case intent.Then:
		return m.perform(in.F())
	case intent.OpenProfile:
		return m.openProfile(in)
	case intent.Task:
		return m.start(in)
	default:
		return m.perform(m.performByPart(in))
	}
	return nil
}

// outside is what another program does in the terminal meanwhile.
func (m *Model) outside(in intent.Intent) tea.Cmd {
	switch in := in.(type) {
	case intent.Edit:
		return edit(m.deps.Editor, m.req.Text())
	case intent.Page:
		return page(m.deps.Pager, in.Text)
	}
	return tea.Suspend
}

// performByPart has the stack, a pane or a feature do what was asked for; it may
// ask for more.
func (m *Model) performByPart(in intent.Intent) intent.Intent {
	switch in := in.(type) {
	case intent.Close:
		m.stack.Close(in.Overlay)
	case intent.Push:
		m.stack.Push(in.Overlay)
	case intent.Offer:
		if m.stack.Top() == nil && m.running() == nil {
			m.stack.Push(in.Overlay)
		}
	case intent.Choose:
		m.stack.Push(overlay.NewChoice(in))
	case intent.EditText:
		m.stack.Push(overlay.NewTextArea(in.Title, in.Note, in.Text, in.Done))
	case intent.Focus:
		m.arr.full = m.arr.full && !in.Narrow
		return m.focus(in.Pane)
	case intent.ShowPage:
		m.arr.focus = intent.Response
		return m.res.Open(in.Page)
	case intent.Reveal:
		return m.tree.Reveal(in.Connector, in.Entity, in.Action)
	case intent.UseOrganization:
		m.deps.Session.Organization = in.ID
	case intent.LoadWorkspaces:
		return m.places.Workspaces()
	case intent.LoadConnectors:
		return m.places.Connectors(in.Workspace)
	case intent.LoadKind:
		return m.places.Kind(in)
	case intent.OpenAction:
		return m.run.Open(in)
	case intent.Run:
		return m.run.Run(in.Force)
	case intent.NextPage:
		return m.run.Send(in.Op, true)
	case intent.GoTo:
		return m.places.GoTo(in)
	case intent.EditCell:
		return m.req.Continue(in)
	case intent.RunSaved:
		return m.saved.Run(in.Name)
	case intent.EditRow:
		return m.req.ContinueRow(in)
	}
	return nil
}

// toast is a short message in the status line.
type toast struct {
	id   int
	text string
	bad  bool
	// stays keeps it until a key is pressed, whatever runs meanwhile.
	stays bool
}

// say shows a short message for a while and keeps it in the log.
func (m *Model) say(t string, bad bool) tea.Cmd {
	if bad {
		return m.tell(intent.LogProblem, t)
	}
	return m.tell(intent.LogNote, t)
}

// tell is say for a line of a certain group of the log.
func (m *Model) tell(group, t string) tea.Cmd {
	m.toast = toast{id: m.toast.id + 1, text: t, bad: group == intent.LogProblem}
	m.log.Add(intent.Log{Group: group, Text: t})
	return m.later(toastTime, toastMsg{m.toast.id})
}

// copy puts text on the clipboard by both ways: natively and through the terminal.
func (m *Model) copy(in intent.Copy) tea.Cmd {
	write, name := m.deps.Clipboard, cmp.Or(m.deps.ClipboardName, "the clipboard")
	native := intent.Task{Lane: intent.Quiet, Do: func(context.Context) (func() intent.Intent, error) {
		how, note := "copied to "+name+", and over the terminal (OSC 52)", in.Note
		if write == nil || write(in.Text) != nil {
			how = "sent to the terminal's clipboard (OSC 52)"
			if len(in.Text) > terminalTakes {
				note += "; many terminals take no more than " + quantity.Size(terminalTakes) + ", E writes a file"
			}
		}
		said := in.What + " " + how + ", " + quantity.Size(int64(len(in.Text))) + note
		return func() intent.Intent { return intent.Say{Text: said, Log: intent.LogCopy} }, nil
	}}
	return tea.Batch(tea.SetClipboard(in.Text), m.start(native))
}

// terminalTakes is how much text nearly all terminals take through OSC 52.
const terminalTakes = 74_000

func (m *Model) startTicking() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.later(tickEvery, tickMsg{})
}

func (m *Model) tick() tea.Cmd {
	grown := m.perform(m.res.Grow())
	shown := func(t *task) bool { return t.Lane != intent.Quiet && t.Lane != intent.Typing }
	if !slices.ContainsFunc(m.tasks.open, shown) && !m.res.Growing() {
		m.ticking = false
		return grown
	}
	every := tickEvery
	if m.look.Drawn.Still {
		every = time.Second
	}
	return tea.Batch(grown, m.later(every, tickMsg{}))
}

// interrupt is ctrl+c: it cancels what runs; with nothing running, twice within a second quits.
func (m *Model) interrupt() tea.Cmd {
	if t := m.tasks.cancel(); t != nil {
		switch {
		case t.Stopped != nil:
			return m.perform(t.Stopped())
		case t.Lane == intent.Running:
			return nil // it tells itself how it ended
		}
		return m.say("Cancelled", false)
	}
	now := m.deps.Now()
	if now.Sub(m.lastInt) < quitTwice {
		return m.exit()
	}
	m.lastInt = now
	return m.say("ctrl+c again quits", false)
}
