// Package ui is the explorer: one Bubble Tea program whose root model decides
// who handles a message and performs the intents that panes and overlays
// return. It puts panes, features and overlays together; of ours only cmd imports it.
package ui

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"patchbay/catalog"
	"patchbay/client/wirelog"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/request"
	"patchbay/ui/response"
	"patchbay/ui/text"
	"patchbay/ui/tree"
)

// Model is the root of the explorer. Use New.
type Model struct {
	deps Deps
	// session counts the sessions opened; answers to an older one are dropped.
	session int

	panes
	stack overlay.Stack

	actions *action.Table
	prefix  string // first key of a two-key sequence

	asking openConfirm
	// answerPause is how long a question that just opened takes no answer.
	answerPause time.Duration

	// later sends a message after a time.
	later func(time.Duration, tea.Msg) tea.Cmd

	tasks tasks

	features
	all []dialog.Feature

	toast    toast
	saidOnce string          // the last problem that sayOnce told
	sent     *response.Image // what the terminal was given to draw by itself
	notices  []string        // what was wrong at the start
	mouse    mouseState
	released bool // the terminal has its own mouse selection
	hasFocus bool // the terminal window has the focus
	// wholeCharacters is set where the terminal counts cells by them.
	wholeCharacters bool
	ticking         bool
	lastInt         time.Time // last ctrl+c with nothing running
}

// New returns the explorer in its first state. It does no I/O.
func New(deps Deps) *Model {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	m := &Model{deps: deps, later: later, answerPause: answerPause, hasFocus: true}
	m.tree = tree.New()
	m.req = request.New(deps.Now)
	m.req.Loaded = func(e *catalog.Entity, name string) []string { return m.res.Values(e, name) }
	m.res = response.New(deps.Now, deps.Views...)
	m.res.Wirelog(wirelog.Options{Version: deps.Version, Redactor: deps.Redactor})
	m.arr = layoutInput{treeWidth: deps.Settings.TreeWidth, requestHeight: deps.Settings.RequestHeight, aside: true}
	m.arr.card = deps.Fresh && !deps.Settings.CardDone
	m.features, m.all = newFeatures(host{m}, deps)
	m.actions = action.NewTable(m.actionRows(), deps.Keys)
	if deps.Document != nil {
		m.req.SwitchOff("this is a file: no service is asked; patchbay without a file opens the connectors")
	}
	if err := m.look.Use(cmp.Or(deps.Theme, deps.Settings.Theme)); err != nil {
		m.notices = append(m.notices, err.Error())
	}
	m.notices = append(m.notices, deps.Notices...)
	m.notices = append(m.notices, m.actions.Problems...)
	for _, n := range m.notices {
		m.log.Add(intent.Log{Group: intent.LogProblem, Text: n})
	}
	m.places.Start(deps.Fresh)
	return m
}

// Init starts the first questions: what is behind the terminal, which workspaces there are.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{askBackground(), m.perform(m.saved.Load())}
	if m.deps.Document != nil {
		cmds = append(cmds, m.openDocument(m.deps.Document))
	} else {
		cmds = append(cmds, m.perform(m.places.Workspaces()))
	}
	if n := len(m.notices); n > 0 { // what was wrong stays until a key is pressed; the log has all of it
		t := m.notices[0]
		if n > 1 {
			t = fmt.Sprintf("%d notices at the start, L lists them: %s", n, t)
		}
		m.toast = toast{id: m.toast.id + 1, text: t, bad: true, stays: true}
	}
	return tea.Batch(cmds...)
}

// Update decides who handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.fit()
	m.noteQuestion()
	if image := m.sendImage(); image != nil {
		cmd = tea.Batch(cmd, image)
	}
	return m, cmd
}

// fit tells everything visible its room: drawing changes nothing.
func (m *Model) fit() {
	file := 0
	if d := m.deps.Document; d != nil {
		file = len(fileLines(d, m.res, m.width-2, m.look.Styles))
	}
	m.panes.fit(file)
	m.stack.Fit(m.width, m.height)
}

// route hands input to who gets it, and stores what the terminal tells of itself.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseMsg:
		return m.mouseInput(msg)
	case interruptMsg:
		return tea.Quit
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.look.SetDark(msg.IsDark())
	case tea.ColorProfileMsg:
		m.look.SetColors(msg.Profile)
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset() {
			m.wholeCharacters = true
			text.MeasureBy(ansi.GraphemeWidth) // the renderer does so from now on
		}
	case tea.FocusMsg:
		m.hasFocus = true
		return tea.RequestBackgroundColor // it may have changed meanwhile
	case tea.ResumeMsg:
		return m.comeBack()
	case tea.BlurMsg:
		m.hasFocus = false
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		_, dark := msg.(uv.DarkColorSchemeEvent)
		m.look.SetDark(dark)
		return tea.RequestBackgroundColor // the scheme may be reported before the colours change
	default:
		return m.result(msg)
	}
	return nil
}

// Results of commands. Each carries what identifies its question, so that an
// answer to a question that no longer stands is dropped.
type (
	tickMsg  struct{}
	toastMsg struct{ id int }
	savedMsg struct{ err error }
	toldMsg  struct{ text string }
)

// Told is the message of something that a person should know and that no task tells.
func Told(text string) tea.Msg { return toldMsg{text} }

// result stores the outcome of a command, unless its question no longer stands.
func (m *Model) result(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case taskMsg:
		return m.finished(msg)
	case stepMsg:
		if t := m.tasks.get(msg.id); t != nil {
			return tea.Batch(m.performSteps(t), t.wait)
		}
	case dueMsg: // unless a newer one took the place of the task that waited
		if t := m.tasks.get(msg.id); t != nil {
			return tea.Batch(t.run, t.wait)
		}
	case tickMsg:
		return m.tick()
	case toastMsg:
		if msg.id == m.toast.id {
			m.toast.text = ""
		}
	case editedMsg:
		if msg.err != nil {
			return tea.Batch(m.comeBack(),
				m.say("The editor ended with an error: "+msg.err.Error()+". Nothing was changed", true))
		}
		return tea.Batch(m.comeBack(), m.perform(m.req.SetText(msg.text)))
	case pagedMsg:
		if msg.err != nil {
			return tea.Batch(m.comeBack(), m.say("The pager ended with an error: "+msg.err.Error(), true))
		}
		return m.comeBack()
	case toldMsg:
		return m.say(msg.text, true)
	case defectMsg:
		panic(msg.defect)
	case savedMsg:
		if msg.err != nil {
			return m.say("Settings could not be saved: "+msg.err.Error(), true)
		}
	}
	return nil
}
