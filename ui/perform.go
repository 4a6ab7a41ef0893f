package ui

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/pane"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// Times of the screen.
const (
	// slow is when progress starts to show.
	slow = 300 * time.Millisecond
	// tickEvery is how often a running call redraws its elapsed time.
	tickEvery = 100 * time.Millisecond
	toastTime = 4 * time.Second
	// typingPause is how long the typing must rest before rows are filtered.
	typingPause = 80 * time.Millisecond
	quitTwice   = time.Second
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
	case intent.Close:
		m.stack.Pop()
	case intent.Say:
		if in.Log != "" && !in.Bad {
			return m.tell(logKind(in.Log), in.Text)
		}
		return m.say(in.Text, in.Bad)
	case intent.Copy:
		return m.copy(in.Text, in.What)
	case intent.Do:
		if a := m.actionByID(in.ID); a != nil {
			return m.do(a)
		}
	case intent.Call:
		return m.perform(in.F())
	case intent.LoadWorkspaces:
		return m.reload()
	case intent.LoadConnectors:
		return m.listConnectors(in.Workspace)
	case intent.LoadKind:
		return loadKind(m.deps.Catalog, m.session, in.Connector)
	case intent.OpenAction:
		return m.openAction(in)
	case intent.Run:
		return m.run(in.Force)
	case intent.GoTo:
		return m.goTo(in.Hit)
	case intent.Work:
		return m.startWork(in)
	case result.Rest:
		return m.later(typingPause, restMsg{in.Seq})
	case intent.Choose:
		return m.choose(in)
	case pane.EditCell:
		return m.continueEdit(in)
	case pane.RunSaved:
		return m.runSavedName(in.Name)
	case pane.EditRow:
		return m.perform(m.req.ContinueRow(in))
	case intent.EditText:
		return m.push(overlay.NewTextArea(in.Title, in.Note, in.Text, in.Done))
	case command:
		return in.cmd
	}
	return nil
}

// command is an intent of the root's own overlays: a command to start.
type command struct{ cmd tea.Cmd }

// then makes an intent of a function of the root that returns a command.
func then(f func() tea.Cmd) intent.Intent {
	return intent.Call{F: func() intent.Intent { return command{f()} }}
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
		return m.tell(logProblem, t)
	}
	return m.tell(logNote, t)
}

// tell is say for a line of a certain group of the log.
func (m *Model) tell(kind logKind, t string) tea.Cmd {
	t = text.Sanitize(t)
	m.toast = toast{id: m.toast.id + 1, text: t, bad: kind == logProblem}
	m.log.add(m.deps.Now(), kind, t, nil)
	return m.later(toastTime, toastMsg{m.toast.id})
}

// sayOnce tells of a problem that comes with every run: it is shown the first time.
func (m *Model) sayOnce(t string) tea.Cmd {
	if m.saidOnce == t {
		return nil
	}
	m.saidOnce = t
	return m.say(t, true)
}

// copy puts text on the clipboard by both ways: natively and through the terminal.
func (m *Model) copy(t, what string) tea.Cmd {
	return m.copyWith(t, what, "")
}

// copyWith copies and adds a note to the message that says so.
func (m *Model) copyWith(t, what, note string) tea.Cmd {
	return tea.Batch(tea.SetClipboard(t), copyNative(m.deps.Clipboard, what, t, note))
}

func (m *Model) gotCopied(msg copiedMsg) tea.Cmd {
	how := "copied to " + cmp.Or(m.deps.ClipboardName, "the clipboard") + ", and over the terminal (OSC 52)"
	note := msg.note
	if msg.native != nil {
		how = "sent to the terminal's clipboard (OSC 52)"
		if msg.size > terminalTakes {
			note += "; many terminals take no more than " + text.Size(terminalTakes) + ", E writes a file"
		}
	}
	return m.tell(logCopy, msg.what+" "+how+", "+text.Size(int64(msg.size))+note)
}

// terminalTakes is how much text nearly all terminals take through OSC 52.
const terminalTakes = 74_000

// openAction shows the form of an action and remembers the place before.
func (m *Model) openAction(in intent.OpenAction) tea.Cmd {
	if in.Connector.Kind == "" {
		return m.say("The catalog does not know connectors of type "+text.Sanitize(in.Connector.Type)+", so there is no form for it", true)
	}
	k, err := m.deps.Catalog.Kind(in.Connector.Kind)
	if err != nil {
		return m.say(err.Error(), true)
	}
	e := k.Entity(in.Entity)
	if e == nil {
		return m.say(k.Title+" has no entity "+in.Entity, true)
	}
	a := e.Action(in.Action)
	if a == nil {
		return m.say(in.Entity+" has no action "+in.Action, true)
	}
	if in.Params == nil && !in.Run && m.isOpen(in) {
		return tea.Batch(m.focusOn(paneRequest), m.relayout()) // the form and its answer stay
	}
	m.remember()
	m.end()
	problem := m.req.Open(in.Connector, k, e, a, in.Params)
	m.res.Clear(k, e, a)
	m.docsTop = 0
	m.arr.focus = paneRequest
	m.arr.full = false
	cmds := []tea.Cmd{m.savePlace()}
	if problem != "" {
		cmds = append(cmds, m.say(problem, true))
	}
	if in.Run {
		cmds = append(cmds, m.run(false))
	}
	return tea.Batch(append(cmds, m.relayout())...)
}

// isOpen tells whether the form is already that of the action.
func (m *Model) isOpen(in intent.OpenAction) bool {
	if !m.req.HasAction() {
		return false
	}
	c, e, a := m.req.Place()
	return c.ID == in.Connector.ID && c.Name == in.Connector.Name && c.Workspace == in.Connector.Workspace && c.Local == in.Connector.Local &&
		e == in.Entity && a == in.Action
}

// run sends what the form holds, after asking when it writes.
func (m *Model) run(force bool) tea.Cmd {
	if why := m.cannotRun(); why != "" {
		return m.say(why, true)
	}
	m.req.StopEditing()
	op, problem := m.req.Operation()
	if problem != "" && !force {
		m.arr.focus = paneRequest
		return tea.Batch(m.say(problem+"  (ctrl+r sends it anyway)", true), m.relayout())
	}
	if !m.toast.stays {
		m.toast.text = "" // what was wrong before is no longer so
	}
	if a := m.req.Action(); a.Writes() || op.Writes() {
		m.stack.Push(m.confirmWrite(op))
		return nil
	}
	return m.send(op)
}

// nothingDocumented is what the documentation says of actions without params.
const nothingDocumented = "No params are documented."

func (m *Model) confirmWrite(op client.Operation) overlay.Overlay {
	a, c := m.req.Action(), m.req.Connector()
	where := "the hosted service"
	if c.Local {
		where = "the third-party API"
	}
	if m.deps.Session.Sandbox {
		where = "the sandbox (generated data)"
	}
	lines := []string{
		strings.ToUpper(op.Action[:1]) + op.Action[1:] + " " + op.Entity + " on " + text.Sanitize(c.Name) + " through " + where + ".",
	}
	if len(op.Params) > 0 {
		lines = append(lines, "params "+text.Truncate(text.Sanitize(string(op.Params)), 400))
	} else {
		lines = append(lines, "No param is set.")
	}
	if a.Destructive {
		lines = append(lines, "This may lose data for good.")
	}
	for _, note := range a.Notes {
		if note.Text != nothingDocumented { // that is of the documentation, not of this call
			lines = append(lines, text.Sanitize(note.Text))
		}
	}
	lines = append(lines, "It is sent once and never repeated by itself.")
	return &overlay.Confirm{Heading: "This changes data", Text: lines, Yes: "Yes, send it", No: "No", Danger: true, Strict: a.Destructive,
		Not: intent.Say{Text: "Not sent: " + op.Entity + " " + op.Action + ". The params are still in the form"},
		Do:  then(func() tea.Cmd { return m.send(op) })}
}

// send starts a run and shows it.
func (m *Model) send(op client.Operation) tea.Cmd {
	return m.start(op, false)
}

// nextPage asks for the page after the shown one, or shows it when it is there already.
func (m *Model) nextPage() tea.Cmd {
	if in, ok := m.res.ShowPage(1); ok {
		return m.perform(in)
	}
	op, ok := m.res.NextOp()
	if !ok {
		return nil
	}
	return m.start(op, true)
}

func (m *Model) start(op client.Operation, intoPages bool) tea.Cmd {
	c, ctx := m.begin()
	c.intoPages = intoPages
	ask := m.question(op)
	if !intoPages {
		m.res.Start(ask)
	}
	m.arr.focus = paneResponse
	return tea.Batch(m.savePlace(), execute(ctx, m.deps.Session.Service, c, ask), listen(c), m.startTicking(), m.relayout())
}

func (m *Model) question(op client.Operation) result.Question {
	return result.Question{Target: m.target(), Op: op, Kind: m.req.Kind(), Entity: m.req.Entity(), Action: m.req.Action(), Asked: m.deps.Now()}
}

func (m *Model) startTicking() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.later(tickEvery, tickMsg{})
}

func (m *Model) tick() tea.Cmd {
	grown := m.perform(m.res.Grow())
	if !m.running() && !m.jobs.running() && !m.writing.running() && len(m.waits.open) == 0 && !m.res.Growing() {
		m.ticking = false
		return tea.Batch(grown, m.relayout())
	}
	every := tickEvery
	if m.deps.Still {
		every = time.Second
	}
	return tea.Batch(grown, m.later(every, tickMsg{}))
}

func (m *Model) gotEvent(msg eventMsg) tea.Cmd {
	if m.call == nil || msg.call != m.call.id {
		return nil
	}
	m.call.note(msg.event, m.deps.Now())
	if msg.event.Kind == client.EventRetry {
		m.log.add(m.deps.Now(), logNote, "attempt failed: "+text.Sanitize(msg.event.Reason)+", trying again", nil)
	}
	return listen(m.call)
}

// gotAnswer stores the end of the current run; the params stay in the form whatever came.
func (m *Model) gotAnswer(msg answerMsg) tea.Cmd {
	if m.call == nil || msg.call != m.call.id {
		return nil
	}
	since := m.call.started
	intoPages := m.call.intoPages
	m.end()
	cmd := m.perform(m.res.Add(msg.page, intoPages))
	m.logAnswer(msg.page)
	return tea.Batch(cmd, m.notify(since, msg.page.Headline()), m.keepRun(msg.page), m.relayout())
}

func (m *Model) logAnswer(p *result.Page) {
	m.log.add(m.deps.Now(), logCall, p.Headline(), p)
}

func (m *Model) gotWorkspaces(msg workspacesMsg) tea.Cmd {
	if msg.session != m.session {
		return nil
	}
	problem := ""
	if msg.err != nil {
		problem = sentences(client.AsError(msg.err)) + " R asks again."
	}
	m.tree.SetWorkspaces(msg.list, problem)
	if len(m.deps.Session.Local) > 0 {
		m.tree.AddGroup("local", "called directly", m.deps.Session.Local)
	}
	if problem != "" {
		m.log.add(m.deps.Now(), logProblem, text.Sanitize(problem), nil)
		if asksOrganization(msg.err) {
			return tea.Batch(m.openOrganizations(), m.relayout())
		}
		return m.relayout()
	}
	if m.pending != nil {
		return tea.Batch(m.resume(), m.relayout())
	}
	if len(msg.list) == 1 {
		return m.perform(m.tree.Open())
	}
	return m.relayout()
}

// sentences is an error and its next step as sentences.
func sentences(e *client.Error) string {
	what := strings.TrimRight(e.Error(), ". ")
	return strings.TrimSpace(what + ". " + e.Next)
}

func (m *Model) gotConnectors(msg connectorsMsg) tea.Cmd {
	if msg.session != m.session {
		return nil
	}
	problem := ""
	if msg.err != nil {
		problem = sentences(client.AsError(msg.err))
		m.log.add(m.deps.Now(), logProblem, text.Sanitize(problem), nil)
	}
	m.tree.SetConnectors(msg.workspace, msg.list, problem)
	if m.pending != nil {
		return tea.Batch(m.resume(), m.relayout())
	}
	return m.relayout()
}

func (m *Model) gotKind(msg kindMsg) tea.Cmd {
	if msg.session != m.session {
		return nil
	}
	problem := ""
	if msg.err != nil {
		problem = msg.err.Error()
	}
	m.tree.SetKind(msg.connector, msg.kind, problem)
	if m.pending != nil {
		return tea.Batch(m.resume(), m.relayout())
	}
	return m.relayout()
}

func (m *Model) reload() tea.Cmd {
	m.tree.Reload()
	return m.listWorkspaces()
}

func (m *Model) gotSession(msg sessionMsg) tea.Cmd {
	if msg.err != nil {
		e := client.AsError(msg.err)
		return m.say(strings.TrimSpace(e.Error()+". "+e.Next), true)
	}
	m.end()
	m.session++
	m.deps.Session = msg.session
	m.deps.Document = nil
	m.req.Close()
	m.res.Clear(nil, nil, nil)
	m.back, m.card = nil, false
	m.arr.focus = paneTree
	m.planStart()
	return tea.Batch(m.reload(), m.tell(logSetting, "Profile "+msg.session.Name), m.relayout())
}

func (m *Model) gotEdited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		return tea.Batch(m.comeBack(), m.say("The editor ended with an error: "+msg.err.Error()+". Nothing was changed", true))
	}
	return tea.Batch(m.comeBack(), m.perform(m.req.SetText(msg.text)), m.relayout())
}

// interrupt is ctrl+c: it cancels what runs; with nothing running, twice within a second quits.
func (m *Model) interrupt() tea.Cmd {
	now := m.deps.Now()
	if m.running() && m.call.export != nil {
		m.call.cancel() // what came is written first
		return nil
	}
	if m.running() && m.call.many != nil {
		m.end()
		t := "Stopped: " + text.Count(m.res.PageCount(), "page is", "pages are") + " kept, m goes on"
		m.res.Stopped(t)
		return tea.Batch(m.say(t, false), m.relayout())
	}
	if m.running() {
		m.end()
		m.res.Canceled()
		return tea.Batch(m.say("Cancelled. The params are still in the form", false), m.relayout())
	}
	if m.jobs.cancel() || m.waits.cancel() || m.writing.cancel() {
		return m.say("Cancelled", false)
	}
	if now.Sub(m.lastInt) < quitTwice {
		return m.exit()
	}
	m.lastInt = now
	return m.say("ctrl+c again quits", false)
}

func (m *Model) gotCallText(msg callTextMsg) tea.Cmd {
	if msg.err != nil {
		return m.say("The sandbox could not listen on a loopback port: "+msg.err.Error(), true)
	}
	m.listens = msg.address
	m.log.add(m.deps.Now(), logNote, "the sandbox now listens on "+msg.address+" so that copied calls run", nil)
	return m.copyWith(msg.text, msg.title, "; while patchbay runs, the sandbox listens on "+msg.address)
}
