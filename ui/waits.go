package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// wait is a question to the service that goes on beside the update loop and has
// no pane of its own to tell so.
type wait struct {
	what    string
	started time.Time
	stop    context.CancelFunc
}

// waits are those under way, oldest first by number.
type waits struct {
	last int
	open map[int]wait
}

// waitedMsg is the end of one; inner is what it found out.
type waitedMsg struct {
	id    int
	inner tea.Msg
}

// wait asks something beside the update loop, for at most limit. The status line
// says what, once that takes long, and ctrl+c cancels it.
func (m *Model) wait(what string, limit time.Duration, f func(context.Context) tea.Msg) tea.Cmd {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	m.waits.last++
	id := m.waits.last
	if m.waits.open == nil {
		m.waits.open = map[int]wait{}
	}
	m.waits.open[id] = wait{what, m.deps.Now(), stop}
	ask := func() tea.Msg {
		defer stop()
		return waitedMsg{id, f(ctx)}
	}
	return tea.Batch(ask, m.startTicking())
}

// ask is wait for what only one feature knows: what f returns is run on the loop.
func (m *Model) ask(what string, limit time.Duration, f func(context.Context) func(*Model) tea.Cmd) tea.Cmd {
	session := m.session
	return m.wait(what, limit, func(ctx context.Context) tea.Msg { return appliedMsg{session, f(ctx)} })
}

func (m *Model) waited(msg waitedMsg) tea.Cmd {
	delete(m.waits.open, msg.id)
	return m.result(msg.inner)
}

// text says what is waited for longest; empty while that is too short to read.
func (w *waits) text(now time.Time) string {
	first := 0
	for id := range w.open {
		if first == 0 || id < first {
			first = id
		}
	}
	one, ok := w.open[first]
	if !ok || now.Sub(one.started) < slow {
		return ""
	}
	return fmt.Sprintf("%s  %.1f s · ctrl+c cancels", one.what, now.Sub(one.started).Seconds())
}

// cancel stops all of them; each tells how it ended by itself. False when there was none.
func (w *waits) cancel() bool {
	for _, one := range w.open {
		one.stop()
	}
	any := len(w.open) > 0
	w.open = nil
	return any
}

// working says what goes on beside the panes; empty when nothing does.
func (m *Model) working() string {
	now := m.deps.Now()
	for _, lane := range []*jobs{&m.jobs, &m.writing} {
		if t := lane.text(now); t != "" {
			return t
		}
	}
	return m.waits.text(now)
}
