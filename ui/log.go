package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// logKind tells the lines of the log apart.
type logKind string

const (
	logCall    logKind = "request"
	logCopy    logKind = "copy"
	logFile    logKind = intent.LogFile
	logSetting logKind = "setting"
	logNote    logKind = "note"
	logProblem logKind = "problem"
)

// logGroups are the groups of the log: their names, and what to say while one is empty.
var logGroups = []struct {
	kind        logKind
	name, empty string
}{
	{"", "everything", "Nothing happened yet."},
	{logCall, "requests", "No request was sent yet. r sends the one in the form."},
	{logCopy, "copies", "Nothing was copied yet. y copies what is under the cursor, Y the call."},
	{logFile, "files", "No file was written yet. E writes records, the body or findings."},
	{logSetting, "settings", "No setting was changed yet. T chooses a theme, M releases the mouse."},
	{logNote, "notes", "There was nothing else to tell yet."},
	{logProblem, "problems", "There was no problem."},
}

// logKept is how many lines the log keeps.
const logKept = 500

// entry is one line of the log; page reopens the answer of a call.
type entry struct {
	at   time.Time
	kind logKind
	text string
	page *result.Page
}

// log is what the program did, oldest first.
type log struct{ entries []entry }

func (l *log) add(at time.Time, k logKind, t string, p *result.Page) {
	l.entries = append(l.entries, entry{at, k, t, p})
	if n := len(l.entries); n > logKept {
		l.entries = append(l.entries[:0], l.entries[n-logKept:]...)
	}
}

// items are the lines of a group, newest first.
func (l *log) items(k logKind) []overlay.Item {
	var out []overlay.Item
	for _, e := range slices.Backward(l.entries) {
		if k != "" && e.kind != k {
			continue
		}
		out = append(out, overlay.Item{Title: e.at.Format("15:04:05") + "  " + text.Pad(string(e.kind), len(logProblem)) + "  " + e.text, Value: e})
	}
	return out
}

// logList is the log as a list, one group of it at a time.
type logList struct {
	overlay.List
	log   *log
	group int
}

// openLog lists what the program did; choosing a call reopens its answer.
func (m *Model) openLog() tea.Cmd {
	l := &logList{log: &m.log, List: overlay.List{Prompt: "type to search", Wide: true, Help: "tab next group · enter opens · esc closes",
		Choose: func(it overlay.Item) intent.Intent {
			return then(func() tea.Cmd { return m.reopen(it.Value.(entry)) })
		}}}
	l.turn(0)
	return m.push(l)
}

// turn shows another group.
func (l *logList) turn(d int) {
	n := len(logGroups)
	l.group = (l.group + d + n) % n
	g := logGroups[l.group]
	l.Heading, l.Empty = "Log: "+g.name, g.empty
	items := l.log.items(g.kind)
	if len(items) > 0 {
		l.Empty = "" // what is typed matches nothing
	}
	l.Source = overlay.Static(items)
	l.Refresh()
}

// Key implements overlay.Overlay.
func (l *logList) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "tab":
		l.turn(1)
		return nil
	case "shift+tab":
		l.turn(-1)
		return nil
	}
	return l.List.Key(msg)
}

// reopen shows the answer of a call again, or a line in full.
func (m *Model) reopen(e entry) tea.Cmd {
	if e.page != nil {
		opened := m.perform(m.res.Open(e.page))
		return tea.Batch(opened, m.focusOn(paneResponse))
	}
	return m.push(&overlay.Reader{Heading: "Log: " + string(e.kind), CopyText: e.text, CopyWhat: "line of the log",
		Body: []overlay.Line{{Text: e.at.Format("2 January 2006, 15:04:05"), Tone: overlay.Dim}, {}, {Text: e.text}}})
}
