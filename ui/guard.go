package ui

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/crew"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// Guard is the explorer as a program runs it: what panics in it ends nothing. The
// person is told, may save a report, and continues with form, place and history as
// they were.
type Guard struct {
	m *Model
	// keys are the last ones by name, oldest first, without what was typed.
	keys []string
	// told is the overlay that tells of a defect, as long as it is open.
	told *overlay.Reader
	// blamed is the overlay that had the input at the last defect, inRow how many keys
	// in a row ended in one.
	blamed intent.Overlay
	inRow  int
	// plain is why a page without panes is shown; nil while the explorer draws. said is
	// what that page says last.
	plain *defect
	said  string
}

// Guarded puts a guard around the explorer.
func Guarded(m *Model) *Guard { return &Guard{m: m} }

// defect is a panic that was caught.
type defect struct {
	doing, what string
	stack       []byte
}

// Error implements error.
func (d *defect) Error() string { return "a defect while " + d.doing + ": " + d.what }

// defectMsg tells of a panic beside the loop. Only a Guard takes it: without one it
// is a panic again.
type defectMsg struct{ *defect }

// try calls f and catches its panic.
func try(doing string, f func()) (d *defect) {
	defer func() {
		if r := recover(); r != nil {
			d = caught(doing, r)
		}
	}()
	f()
	return nil
}

// caught makes a defect of what a panic brought; it is called while the stack is that
// of the panic.
func caught(doing string, r any) *defect {
	const longest = 300
	if d, ok := r.(*defect); ok {
		return d
	}
	stack := debug.Stack()
	if p, ok := r.(*crew.Panic); ok { // of a goroutine that the work began
		stack = p.Stack
	}
	what := []rune(fmt.Sprint(r))
	return &defect{doing, string(what[:min(len(what), longest)]), stack}
}

// guarded is a command whose panic becomes a message, also within the commands that
// it brings.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		if d := try("working beside the screen", func() { msg = within(cmd()) }); d != nil {
			return defectMsg{d}
		}
		return msg
	}
}

// within guards the commands of a batch or a sequence; the framework names only the
// type of the first.
func within(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		out.Index(i).Set(reflect.ValueOf(guarded(v.Index(i).Interface().(tea.Cmd))))
	}
	return out.Interface()
}

// Init implements tea.Model.
func (g *Guard) Init() tea.Cmd {
	var cmd tea.Cmd
	if d := try("starting", func() { cmd = g.m.Init() }); d != nil {
		cmd = g.tell(d)
	}
	return guarded(cmd)
}

// Update implements tea.Model.
func (g *Guard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	key, isKey := msg.(tea.KeyPressMsg)
	if failed, ok := msg.(defectMsg); ok {
		return g, guarded(g.tell(failed.defect))
	}
	if g.plain != nil {
		switch msg.(type) {
		case tea.KeyPressMsg:
			return g, guarded(g.plainKey(key))
		case tea.PasteMsg, tea.MouseMsg:
			return g, nil
		}
	}
	var cmd tea.Cmd
	var top intent.Overlay
	d := try("handling "+named(msg), func() {
		top = g.m.stack.Top()
		g.note(msg)
		_, cmd = g.m.Update(msg)
	})
	switch _, resized := msg.(tea.WindowSizeMsg); {
	case d != nil:
		g.blame(top, isKey)
		cmd = tea.Batch(g.mend(msg), g.tell(d))
		if g.inRow >= mostInRow {
			g.plain = d
		}
	case isKey:
		g.inRow = 0
	case resized:
		g.plain = nil // it may be drawn in another size
	}
	return g, guarded(cmd)
}

// mostInRow is how many keys in a row may end in a defect until only the plain page
// takes them.
const mostInRow = 3

// blame closes an overlay that had the input at two defects one after the other.
func (g *Guard) blame(top intent.Overlay, key bool) {
	if key {
		g.inRow++
	}
	if top != nil && top == g.blamed {
		g.m.stack.Close(top)
	}
	g.blamed = top
}

// mend leaves nothing waiting for what a message was to bring.
func (g *Guard) mend(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case taskMsg:
		if t := g.m.tasks.get(msg.id); t != nil {
			g.m.tasks.end(t)
			if t.Undo != nil {
				_ = try("taking back "+t.What, t.Undo)
			}
		}
	case stepMsg:
		if t := g.m.tasks.get(msg.id); t != nil {
			return t.wait
		}
	case tickMsg:
		g.m.ticking = false
	}
	return nil
}

// tell shows a defect and keeps the place. One that is told already is not told
// again over it.
func (g *Guard) tell(d *defect) (cmd tea.Cmd) {
	failed := try("telling of a defect", func() {
		m := g.m
		m.log.Add(intent.Log{Group: intent.LogProblem, Text: g.clean(d.Error())})
		open := slices.ContainsFunc(m.stack.All(), func(l overlay.Layer) bool { return l.Overlay == g.told })
		if g.told == nil || !open {
			g.told = g.overlay(d)
			m.stack.Push(g.told)
			cmd = m.perform(m.places.Save()) // once: it may be what fails
		}
		m.fit()
	})
	if failed != nil {
		g.plain, g.said = d, ""
	}
	return cmd
}

// overlay tells of a defect over the screen.
func (g *Guard) overlay(d *defect) *overlay.Reader {
	r := &overlay.Reader{Heading: "A defect in patchbay", CopyText: g.report(d), CopyWhat: "the report",
		Body: []overlay.Line{
			{Text: g.clean(d.Error()), Tone: overlay.Bad}, {},
			{Text: "Form, place and history are kept: esc goes on where you were."}, {},
			{Text: reportWords, Tone: overlay.Dim},
		}}
	if g.m.deps.SaveReport != nil {
		r.Keys, r.KeyHelp = map[string]intent.Intent{"s": g.saving(d)}, "s saves a report"
	}
	return r
}

const reportWords = "A report holds where in the program it happened, its version, the size of the terminal and " +
	"the last keys by name: nothing that was typed, no data, no secrets. Please pass it on with what you did."

// saving is the task that writes a report.
func (g *Guard) saving(d *defect) intent.Task {
	save, report := g.m.deps.SaveReport, g.report(d)
	return intent.Task{Lane: intent.Quiet, Do: func(context.Context) (func() intent.Intent, error) {
		path, err := save(report)
		return func() intent.Intent { return intent.Say{Text: "The report is " + path, Log: intent.LogNote} }, err
	}}
}

// clean takes known secrets out of a text.
func (g *Guard) clean(t string) string { return g.m.deps.Redactor.Text(t) }

// report is what helps to find a defect.
func (g *Guard) report(d *defect) string {
	m := g.m
	return g.clean(fmt.Sprintf("patchbay %s, %s %s/%s\n%s\nterminal %dx%d, focus %d, overlays %d, tasks %d\n"+
		"last keys: %s\n\n%s", m.deps.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, d.Error(), m.width,
		m.height, m.arr.focus, len(m.stack.All()), len(m.tasks.open), strings.Join(g.keys, " "), d.stack))
}

// keysNoted is how many keys a report names.
const keysNoted = 20

// note remembers a key by its name; a letter that goes into a text is only told to be one.
func (g *Guard) note(msg tea.Msg) {
	name := ""
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if name = msg.String(); msg.Text != "" && g.m.takesText() {
			name = "(text)"
		}
	case tea.PasteMsg:
		name = "(paste)"
	case tea.MouseClickMsg:
		name = "(click)"
	default:
		return
	}
	g.keys = append(g.keys[max(len(g.keys)-keysNoted+1, 0):], name)
}

// takesText reports whether a letter may go into a text instead of being a key.
func (m *Model) takesText() bool {
	switch top := m.stack.Top().(type) {
	case nil:
		return m.focused().Typing()
	case *overlay.Reader:
		return top.TextField() != nil
	case *overlay.Confirm:
		return false
	}
	return true
}

// named says what a message is, without what it holds.
func named(msg tea.Msg) string {
	switch msg.(type) {
	case tea.KeyPressMsg:
		return "a key"
	case tea.PasteMsg:
		return "a paste"
	case tea.MouseMsg:
		return "the mouse"
	case taskMsg, stepMsg, dueMsg:
		return "what a task brought"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", msg), "tea.")
}

// View implements tea.Model. When the explorer cannot be drawn, the plain page is,
// until the person leaves it.
func (g *Guard) View() (v tea.View) {
	if g.plain == nil {
		d := try("drawing", func() { v = g.m.View() })
		if d == nil {
			return v
		}
		g.plain, g.said = d, ""
	}
	v = tea.NewView(string(text.Join(g.plainLines(), "\n")))
	v.AltScreen = true
	v.WindowTitle = "patchbay"
	return v
}

// plainLines is a page that needs nothing of the explorer but the size of its screen.
func (g *Guard) plainLines() []text.Safe {
	w, h := g.m.width, g.m.height
	if w <= 0 || h <= 0 {
		return nil
	}
	save := "s      saves a report\n"
	if g.m.deps.SaveReport == nil {
		save = ""
	}
	page := "patchbay cannot draw its screen because of a defect in it.\n\n" + g.clean(g.plain.Error()) + "\n\n" +
		save + "enter  goes back; what cannot be drawn is closed: the window, else the answer, else the form\n" +
		"q      leaves; the next start is where you were\n\n" + g.said + "\n\n" + reportWords
	var lines []text.Safe
	for l := range strings.SplitSeq(page, "\n") {
		lines = append(lines, text.Wrap(text.Sanitize(l), w)...)
	}
	lines = lines[:min(len(lines), h)]
	for i := range lines {
		lines[i] = text.Truncate(lines[i], w)
	}
	return lines
}

// plainKey is a key on the plain page.
func (g *Guard) plainKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "esc":
		g.goBack()
	case "q", "ctrl+c":
		return g.leave()
	case "s":
		if g.m.deps.SaveReport == nil {
			return nil
		}
		path, err := g.m.deps.SaveReport(g.report(g.plain))
		if g.said = "The report is " + path; err != nil {
			g.said = "The report could not be saved: " + err.Error()
		}
	}
	return nil
}

// goBack closes one thing after the other until the explorer can be drawn.
func (g *Guard) goBack() {
	m := g.m
	for _, give := range []func(){
		func() {},
		func() { m.stack = overlay.Stack{} },
		func() { m.res.Clear(nil, nil, nil) },
		func() { m.req.Close() },
	} {
		d := try("drawing", func() { give(); m.fit(); m.View() })
		if g.plain = d; d == nil {
			g.inRow = 0
			return
		}
	}
	g.said = "It still cannot be drawn, whatever is closed: leave and start again."
}

// leave ends the program once the place is kept, as far as that can be done.
func (g *Guard) leave() tea.Cmd {
	var last tea.Cmd
	_ = try("leaving", func() { last = g.m.exit() })
	return func() tea.Msg {
		if last != nil {
			_ = try("leaving", func() { last() })
		}
		return tea.QuitMsg{}
	}
}
