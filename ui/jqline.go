package ui

import (
	"cmp"
	"context"
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// jqPause is how long the typing must rest before the preview runs.
const jqPause = 120 * time.Millisecond

// linesKept is how many earlier lines, queries or commands, are offered.
const linesKept = 50

// withNewest puts a line at the end of those typed before, oldest first, each
// of them once. The list it was given stays as it is.
func withNewest(lines []string, line string) []string {
	out := append(slices.DeleteFunc(slices.Clone(lines), func(old string) bool { return old == line }), line)
	return out[max(len(out)-linesKept, 0):]
}

// jqTickMsg says that nothing was typed since; seq tells since when.
type jqTickMsg struct{ seq int }

// jqPreviewMsg is the outcome of a preview.
type jqPreviewMsg struct {
	seq   int
	lines []string
	note  string
}

// jqLine is the line for a query over what is loaded, with a live preview.
type jqLine struct {
	m      *Model
	field  *input.Field
	bodies bool

	seq   int
	stop  context.CancelFunc
	lines []string
	note  string
	// bad is what is wrong with the program, badAt where; -1 when unknown.
	bad   string
	badAt int
	back  int // how far up the history
}

func (m *Model) openQuery() tea.Cmd {
	q := &jqLine{m: m, field: input.New(""), badAt: -1}
	q.field.Offer(cmp.Or(m.lastQuery, "."))
	m.stack.Push(q)
	return m.perform(q.changed())
}

// Title implements overlay.Overlay.
func (q *jqLine) Title() string { return "jq over " + q.m.res.Fed(q.query()) }

func (q *jqLine) query() result.Query {
	return result.Query{Program: q.field.Value(), Bodies: q.bodies}
}

// Facts implements overlay.Overlay.
func (q *jqLine) Facts() string { return "keys of objects come sorted" }

// Hints implements overlay.Overlay.
func (q *jqLine) Hints() string {
	return "enter opens the results · tab records or answers · ↑↓ earlier queries · esc closes"
}

// Want implements overlay.Overlay.
func (q *jqLine) Want(w, h int) (int, int) { return min(w, 120), h * 2 / 3 }

// Key implements overlay.Overlay.
func (q *jqLine) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "esc":
		q.halt()
		return intent.Close{}
	case "enter":
		return q.accept()
	case "tab":
		q.bodies = !q.bodies
		return q.changed()
	case "up":
		return q.recall(1)
	case "down":
		return q.recall(-1)
	}
	if q.field.Key(msg) {
		q.back = 0
		return q.changed()
	}
	return nil
}

func (q *jqLine) recall(d int) intent.Intent {
	n := len(q.m.queries)
	if q.back+d < 1 || q.back+d > n {
		return nil
	}
	q.back += d
	q.field.Set(q.m.queries[n-q.back])
	return q.changed()
}

func (q *jqLine) accept() intent.Intent {
	if q.bad != "" {
		return nil
	}
	q.halt()
	program := q.field.Value()
	return intent.All{intent.Close{}, q.m.res.Run(q.query()), then(func() tea.Cmd { return q.m.keepQuery(program) })}
}

// keepQuery remembers a query, also for the next start unless nothing of this
// session is to be kept.
func (m *Model) keepQuery(program string) tea.Cmd {
	m.lastQuery = program
	m.queries = withNewest(m.queries, program)
	if m.deps.Session.NoHistory {
		return nil
	}
	m.deps.Settings.Queries = m.queries
	return m.saveSettings()
}

// changed checks the program and asks for a preview once the typing rests.
func (q *jqLine) changed() intent.Intent {
	q.halt()
	q.seq++
	q.badAt, q.bad = result.QueryError(q.field.Value())
	if q.bad != "" {
		return nil
	}
	return command{q.m.later(jqPause, jqTickMsg{q.seq})}
}

func (q *jqLine) halt() {
	if q.stop != nil {
		q.stop()
		q.stop = nil
	}
}

// preview runs the beginning of the query, unless more was typed since.
func (m *Model) jqTick(msg jqTickMsg) tea.Cmd {
	q, ok := m.stack.Top().(*jqLine)
	if !ok || q.seq != msg.seq {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	q.stop = cancel
	run := m.res.Preview(q.query())
	return func() tea.Msg {
		lines, note := run(ctx)
		return jqPreviewMsg{msg.seq, lines, note}
	}
}

func (m *Model) gotPreview(msg jqPreviewMsg) tea.Cmd {
	if q, ok := m.stack.Top().(*jqLine); ok && q.seq == msg.seq {
		q.lines, q.note = msg.lines, msg.note
	}
	return nil
}

// Paste implements overlay.Overlay.
func (q *jqLine) Paste(s string) intent.Intent {
	q.field.Paste(s)
	return q.changed()
}

// Wheel implements overlay.Overlay.
func (q *jqLine) Wheel(int) intent.Intent { return nil }

// TextField is the field that is typed into.
func (q *jqLine) TextField() *input.Field { return q.field }

// Click implements overlay.Overlay.
func (q *jqLine) Click(int, int, bool) intent.Intent { return nil }

// Draw implements overlay.Overlay.
func (q *jqLine) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	line, x := q.field.Draw(w-2, s)
	out := []string{s.Key.Render("| ") + line}
	said, look := text.WrapTo(q.note, w, jqWords), s.Muted
	if q.bad != "" {
		said, look = q.wrong(w), s.Error
	}
	for _, l := range said {
		out = append(out, look.Render(l))
	}
	for _, l := range q.lines {
		out = append(out, s.JSON(text.Truncate(s.Data(l), w)))
	}
	return out[:min(len(out), max(h, 0))], &image.Point{X: 2 + x}
}

// jqWords is how many lines the words about a program may take.
const jqWords = 4

// wrong says what is wrong with the program, behind a mark below the place where
// there is room for both.
func (q *jqLine) wrong(w int) []string {
	if at := q.badAt + 4; q.badAt >= 0 && at+text.Width(q.bad) <= w {
		return []string{strings.Repeat(" ", q.badAt+2) + "^ " + q.bad}
	} else if q.badAt >= 0 && at <= w {
		return append([]string{strings.Repeat(" ", q.badAt+2) + "^"}, text.WrapTo(q.bad, w, jqWords)...)
	}
	return text.WrapTo(q.bad, w, jqWords)
}

// openDerive asks for a column that is computed; on such a column it asks for
// its new program.
func (m *Model) openDerive() tea.Cmd {
	old := ""
	if c, ok := m.res.Computed(); ok {
		old = c.Name + " = " + c.Program
	}
	p := overlay.NewPrompt("A computed column", "NAME = a jq program over each record, such as: total = .amount / 100. NAME = alone takes the column away.", old, func(v string) intent.Intent {
		name, program, _ := strings.Cut(v, "=")
		derive := arranges(func(m *Model) intent.Intent { return m.res.Derive(strings.TrimSpace(name), strings.TrimSpace(program)) })
		return then(func() tea.Cmd { return derive(m) })
	})
	p.Check = func(v string) string {
		name, program, ok := strings.Cut(v, "=")
		name, program = strings.TrimSpace(name), strings.TrimSpace(program)
		if !ok || name == "" {
			return "type a name, =, and a jq program"
		}
		if why := m.res.NotComputed(name); why != "" {
			return why
		}
		_, bad := result.QueryError(program)
		return bad
	}
	return m.push(p)
}
