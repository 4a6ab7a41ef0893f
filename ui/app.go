// Package ui is the explorer: one Bubble Tea program whose root model decides
// who handles a message and performs the intents that panes and overlays
// return. Only this package knows the service.
package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/saved"
	"patchbay/client/wirelog"
	"patchbay/themes"
	"patchbay/ui/overlay"
	"patchbay/ui/pane"
	"patchbay/ui/result"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Model is the root of the explorer. Use New.
type Model struct {
	deps Deps
	// session counts the sessions opened; answers to an older one are dropped.
	session int

	styles *style.Styles
	dark   bool
	// profile is how many colours the terminal shows.
	profile colorprofile.Profile
	// chosen is set once the person chose a theme, so that the terminal's background no longer decides.
	chosen bool

	width, height int
	arr           arrangement
	lay           layout

	tree  *pane.Tree
	req   *pane.Request
	res   *result.Pane
	stack overlay.Stack

	actions []action
	keymap  keymap
	prefix  string // first key of a two-key sequence

	asking question
	// answerPause is how long a question that just opened takes no answer.
	answerPause time.Duration

	// later sends a message after a time.
	later func(time.Duration, tea.Msg) tea.Cmd

	call     *call
	lastCall int
	lastJob  int
	jobs     jobs
	writing  jobs
	waits    waits

	// listens is where the built-in sandbox can be reached; "" until it listens.
	listens string

	// queries are the jq programs that were run, oldest first, also before this
	// start; lastQuery is the newest since.
	queries   []string
	lastQuery string
	// unfinished is the export of every page that stopped last.
	unfinished *pageExport

	back     []profile.Place
	log      log
	toast    toast
	saidOnce string   // the last problem that sayOnce told
	notices  []string // what was wrong at the start
	docsTop  int      // first line of the documentation at the side
	mouse    mouseState
	released bool // the terminal has its own mouse selection
	focused  bool // the terminal window has the focus
	// wholeCharacters is set where the terminal counts cells by them.
	wholeCharacters bool
	ticking         bool
	lastInt         time.Time // last ctrl+c with nothing running
	card            bool      // the first-run card is shown
	pending         *pendingPlace
	calls           []saved.Call // those last read, for the palette
	commands        []string     // typed behind ":"
}

// New returns the explorer in its first state. It does no I/O.
func New(deps Deps) *Model {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	m := &Model{deps: deps, later: later, answerPause: answerPause, dark: true, profile: colorprofile.TrueColor, focused: true, tree: pane.NewTree(), actions: actionTable()}
	m.keymap = newKeymap(m.actions, deps.Keys)
	m.req = pane.NewRequest(deps.Now)
	m.res = result.New(deps.Now)
	m.res.Recall(m.recallLayout)
	m.res.Wirelog(wirelog.Options{Version: deps.Version, Redactor: deps.Redactor})
	m.queries, m.commands = deps.Settings.Queries, deps.Settings.Commands
	m.arr = arrangement{treeWidth: deps.Settings.TreeWidth, requestHeight: deps.Settings.RequestHeight, aside: true}
	m.deps.ASCII, m.deps.Still = deps.ASCII || deps.Settings.ASCII, deps.Still || deps.Settings.Still
	m.card = deps.Fresh && !deps.Settings.CardDone
	m.setTheme(deps.Settings.Theme)
	m.notices = append(m.notices, deps.Notices...)
	m.notices = append(m.notices, m.keymap.problems...)
	for _, n := range m.notices {
		m.log.add(deps.Now(), logProblem, text.Sanitize(n), nil)
	}
	m.planStart()
	return m
}

// setTheme applies the named theme, or the default for the terminal's background.
func (m *Model) setTheme(name string) {
	m.chosen = name != ""
	if name == "" {
		name = "patchbay-light"
		if m.dark {
			name = "patchbay-dark"
		}
	}
	t, err := themes.Load(name, m.deps.ThemeDir)
	if err != nil {
		m.notices = append(m.notices, err.Error())
		if t, err = themes.Load("patchbay-dark", ""); err != nil {
			t = themes.Theme{}
		}
	}
	m.restyle(t)
}

// restyle derives the styles of a theme for what the terminal can show.
func (m *Model) restyle(t themes.Theme) {
	o := style.Options{ASCII: m.deps.ASCII, Still: m.deps.Still, NoColor: m.deps.NoColor}
	m.styles = style.New(t, o.For(m.profile))
}

// Init starts the first questions: what is behind the terminal, which workspaces there are.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{askBackground(), m.loadSaved(nil)}
	if m.deps.Document != nil {
		cmds = append(cmds, m.openDocument(m.deps.Document))
	} else {
		cmds = append(cmds, m.listWorkspaces())
	}
	return tea.Batch(append(cmds, m.sayNotices())...)
}

// sayNotices shows what was wrong at the start, which is in the log already,
// until a key is pressed.
func (m *Model) sayNotices() tea.Cmd {
	n := len(m.notices)
	if n == 0 {
		return nil
	}
	t := text.Sanitize(m.notices[0])
	if n > 1 {
		t = fmt.Sprintf("%d notices at the start, L lists them: %s", n, t)
	}
	m.toast = toast{id: m.toast.id + 1, text: t, bad: true, stays: true}
	return nil
}

// Update decides who handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.noteQuestion()
	return m, cmd
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg, tea.FocusMsg, tea.BlurMsg, tea.ResumeMsg:
		return m.fact(msg)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseMsg:
		return m.mouseInput(msg)
	case interruptMsg:
		return tea.Quit
	}
	if dark, ok := scheme(msg); ok {
		return m.followScheme(dark)
	}
	return m.result(msg)
}

// fact stores what the terminal tells of itself.
func (m *Model) fact(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m.relayout()
	case tea.BackgroundColorMsg:
		m.takeDark(msg.IsDark())
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.restyle(m.styles.Theme)
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset() {
			m.wholeCharacters = true
			text.MeasureBy(ansi.GraphemeWidth) // the renderer does so from now on
		}
	case tea.FocusMsg:
		m.focused = true
		return tea.RequestBackgroundColor // it may have changed meanwhile
	case tea.ResumeMsg:
		return m.comeBack()
	case tea.BlurMsg:
		m.focused = false
	}
	return nil
}

// result stores the outcome of a command, unless its question no longer stands.
func (m *Model) result(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case workspacesMsg:
		return m.gotWorkspaces(msg)
	case connectorsMsg:
		return m.gotConnectors(msg)
	case kindMsg:
		return m.gotKind(msg)
	case eventMsg:
		return m.gotEvent(msg)
	case answerMsg:
		return m.gotAnswer(msg)
	case jqTickMsg:
		return m.jqTick(msg)
	case jqPreviewMsg:
		return m.gotPreview(msg)
	case fetchedPageMsg:
		return m.gotFetchedPage(msg)
	case fetchDoneMsg:
		return m.gotFetchDone(msg)
	case waitedMsg:
		return m.waited(msg)
	case exportedMsg:
		return m.gotExported(msg)
	case workMsg:
		return m.gotWork(msg)
	case tickMsg:
		return m.tick()
	case restMsg:
		return m.perform(m.res.Rested(msg.seq))
	case toastMsg:
		if msg.id == m.toast.id {
			m.toast.text = ""
		}
	case copiedMsg:
		return m.gotCopied(msg)
	case appliedMsg:
		if msg.session == m.session && msg.apply != nil {
			return tea.Batch(msg.apply(m), m.relayout())
		}
	case callTextMsg:
		return m.gotCallText(msg)
	case sessionMsg:
		return m.gotSession(msg)
	case editedMsg:
		return m.gotEdited(msg)
	case savedMsg:
		if msg.err != nil {
			return m.say("Settings could not be saved: "+msg.err.Error(), true)
		}
	}
	return nil
}

// relayout computes the rectangles anew and tells the panes their sizes.
func (m *Model) relayout() tea.Cmd {
	m.arr.requestWants = m.req.Wants()
	m.arr.folded = m.arr.focus != paneRequest && m.res.HasAnswer()
	m.arr.file = 0
	if m.deps.Document != nil {
		m.arr.focus, m.arr.file = paneResponse, len(m.documentSummary(m.width-2))
	}
	m.lay = newLayout(m.width, m.height, m.arr)
	m.tree.Fit(inner(m.lay.tree).Dy())
	rq := inner(m.lay.request)
	m.req.Fit(rq.Dx(), rq.Dy())
	rs := inner(m.lay.response)
	m.res.Fit(rs.Dx(), rs.Dy())
	return nil
}

// focusOn moves the focus to a pane.
func (m *Model) focusOn(p paneID) tea.Cmd {
	if m.arr.focus == paneRequest && p != paneRequest {
		m.req.StopEditing()
	}
	var kept tea.Cmd
	if m.arr.focus == paneResponse && p != paneResponse {
		kept = m.perform(m.res.EndLine())
	}
	if m.arr.focus == paneTree && p != paneTree {
		m.tree.EndLine()
	}
	m.arr.focus = p
	return tea.Batch(kept, m.relayout())
}

// cycleFocus moves the focus to the next or previous pane.
func (m *Model) cycleFocus(d int) tea.Cmd {
	return m.focusOn(paneID((int(m.arr.focus) + d + 3) % 3))
}

// target is the connector and operation the request pane holds.
func (m *Model) target() client.Target {
	return m.req.Connector().Target(m.deps.Session.Name)
}
