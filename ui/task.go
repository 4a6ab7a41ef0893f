package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// tasks is all work beside the update loop, oldest first. It starts tasks, knows
// how far they are and stops them; what they bring is performed by the root.
type tasks struct {
	last int
	open []*task
}

// task is one that is under way.
type task struct {
	intent.Task
	id      int
	session int
	started time.Time
	ctx     context.Context
	stop    context.CancelFunc
	// stopped is set once it was cancelled and is to tell how it ended.
	stopped bool
	// steps are what the task asks for while it continues, oldest first, under mu.
	mu          sync.Mutex
	steps       []func() intent.Intent
	added, done chan struct{}
	// far is how far the task has come, in thousandths; words say it where a share is
	// not known. Both are written by the task.
	far   atomic.Int64
	words atomic.Pointer[string]
	// seen is what a question tells of its attempts.
	seen dialog.Attempts
}

// taskMsg is the end of a task, stepMsg that it posted something before.
type (
	taskMsg struct {
		id    int
		apply func() intent.Intent
		err   error
	}
	stepMsg struct{ id int }
	// dueMsg begins a task that was to wait.
	dueMsg struct{ id int }
)

// begin opens a task, under a context that Report, Words and Post find it by.
func (ts *tasks) begin(in intent.Task, session int, now func() time.Time) *task {
	ts.last++
	in.Tells = in.Tells || in.Lane == intent.Asking
	t := &task{Task: in, id: ts.last, session: session, started: now()}
	if in.Limit > 0 {
		t.ctx, t.stop = context.WithTimeout(context.Background(), in.Limit)
	} else {
		t.ctx, t.stop = context.WithCancel(context.Background())
	}
	t.added, t.done = make(chan struct{}, 1), make(chan struct{})
	t.ctx = intent.WithProgress(t.ctx, intent.Progress{
		Words: func(w string) { t.words.Store(&w) },
		Report: func(done, total int) {
			if total > 0 {
				t.far.Store(int64(done) * 1000 / int64(total))
			}
		},
		Post: func(step func() intent.Intent) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.steps = append(t.steps, step)
			select {
			case t.added <- struct{}{}:
			default: // the loop was told already
			}
		},
	})
	if in.Lane == intent.Asking { // runs tell of their attempts by themselves
		t.ctx = dialog.Observed(t.ctx, func(e client.Event) { t.seen.Note(e, now()) })
	}
	ts.open = append(ts.open, t)
	return t
}

// run is the command that does the work; wait the one that tells of its steps.
func (t *task) run() tea.Msg {
	defer close(t.done)
	defer t.stop()
	done := taskMsg{id: t.id}
	if d := try(cmp.Or(t.What, "working beside the screen"), func() { done.apply, done.err = t.Do(t.ctx) }); d != nil {
		done.err = d
	}
	return done
}

func (t *task) wait() tea.Msg {
	select {
	case <-t.added:
		return stepMsg{t.id}
	case <-t.done:
		return nil // the outcome brings the steps that are left: no further drawing for it
	}
}

// get finds a task that is under way; nil when it ended or was dropped.
func (ts *tasks) get(id int) *task {
	for _, t := range ts.open {
		if t.id == id {
			return t
		}
	}
	return nil
}

// in is the task of a lane that takes one at a time; nil while it is free.
func (ts *tasks) in(lanes ...intent.Lane) *task {
	for _, t := range ts.open {
		if !t.stopped && slices.Contains(lanes, t.Lane) {
			return t
		}
	}
	return nil
}

// end forgets a task.
func (ts *tasks) end(t *task) {
	ts.open = slices.DeleteFunc(ts.open, func(o *task) bool { return o == t })
}

// drop stops the task of some lanes, and forgets it unless it is to tell how it
// ended; it returns nil when there was none.
func (ts *tasks) drop(lanes ...intent.Lane) *task {
	t := ts.in(lanes...)
	if t == nil {
		return nil
	}
	t.stop()
	t.stopped = true
	if !t.Tells {
		ts.end(t)
		if t.Undo != nil {
			t.Undo()
		}
	}
	return t
}

// cancel is what ctrl+c stops: the run, else the work on records, else all questions,
// else what is written out. It returns one of those stopped, nil when there was none.
func (ts *tasks) cancel() *task {
	for _, lanes := range [][]intent.Lane{{intent.Running}, {intent.Records, intent.Idle}, {intent.Asking},
		{intent.Writing}} {
		stopped := ts.drop(lanes...)
		for t := stopped; t != nil && t.Lane == intent.Asking; t = ts.drop(intent.Asking) {
			stopped = t
		}
		if stopped != nil {
			return stopped
		}
	}
	return nil
}

// text says what is under way beside the panes; empty while that is too quick to read.
func (ts *tasks) text(now time.Time) string {
	for _, lane := range []intent.Lane{intent.Records, intent.Idle, intent.Writing, intent.Asking} {
		if t := ts.in(lane); t != nil && now.Sub(t.started) >= slow {
			return t.text(now)
		}
	}
	return ""
}

func (t *task) text(now time.Time) string {
	what, stops := t.What, cmp.Or(t.Stops, "cancels")
	if t.Lane == intent.Asking {
		what += fmt.Sprintf("  %.1f s", now.Sub(t.started).Seconds())
		if seen := t.seen.Seen(); seen.Waits() {
			what += fmt.Sprintf(" · %s, trying again in %.0f s", seen.Failed(), max(seen.Until.Sub(now), 0).Seconds())
		}
		return what + " · ctrl+c " + stops
	}
	if far := t.far.Load(); far > 0 && t.Lane != intent.Running {
		what += fmt.Sprintf(" %d%%", far/10)
	} else if w := t.words.Load(); w != nil {
		what += ": " + *w
	}
	return what + " · ctrl+c " + stops
}

// unwritten says what is being written out still; empty when nothing is.
func (ts *tasks) unwritten() string {
	for _, t := range ts.open {
		if t.Unwritten != "" {
			return t.Unwritten
		}
	}
	if t := ts.in(intent.Writing); t != nil {
		return "This is under way and ends then: " + t.What + "."
	}
	return ""
}

// start begins a task, unless its lane refuses it.
func (m *Model) start(in intent.Task) tea.Cmd {
	switch in.Lane {
	case intent.Writing:
		if t := m.tasks.in(intent.Writing); t != nil {
			return m.say("this goes on still: "+t.What+"; ctrl+c stops it", true)
		}
	case intent.Idle:
		if m.tasks.in(intent.Records, intent.Idle) != nil {
			if in.Undo != nil {
				in.Undo()
			}
			return nil
		}
	case intent.Records:
		m.tasks.drop(intent.Records, intent.Idle)
	case intent.Running, intent.Typing:
		m.tasks.drop(in.Lane)
	}
	if (in.Lane == intent.Records || in.Lane == intent.Writing) && !m.toast.bad {
		m.toast.text = "" // it would hide how far the work is
	}
	t := m.tasks.begin(in, m.session, m.deps.Now)
	if in.After > 0 {
		return m.later(in.After, dueMsg{t.id})
	}
	if in.Lane == intent.Quiet {
		return tea.Batch(t.run, t.wait) // nothing of it is shown
	}
	return tea.Batch(t.run, t.wait, m.startTicking())
}

// performSteps performs what a task posted.
func (m *Model) performSteps(t *task) tea.Cmd {
	t.mu.Lock()
	steps := t.steps
	t.steps = nil
	t.mu.Unlock()
	var cmds []tea.Cmd
	for _, step := range steps {
		if m.tasks.get(t.id) == nil {
			break // a step before ended it
		}
		cmds = append(cmds, m.perform(step()))
	}
	return tea.Batch(cmds...)
}

// finished stores the outcome of a task, unless nobody waits for it any more.
func (m *Model) finished(msg taskMsg) tea.Cmd {
	t := m.tasks.get(msg.id)
	if t == nil {
		return nil
	}
	steps := m.performSteps(t)
	m.tasks.end(t)
	asked := t.Lane == intent.Asking || t.Lane == intent.Quiet || t.Lane == intent.Typing
	d, failed := errors.AsType[*defect](msg.err)
	switch {
	case failed:
		if t.Undo != nil {
			t.Undo()
		}
		return tea.Batch(steps, func() tea.Msg { return defectMsg{d} })
	case asked && t.session != m.session:
		return steps
	case msg.err != nil:
		if t.Undo != nil {
			t.Undo()
		}
		if errors.Is(msg.err, context.Canceled) {
			return steps
		}
		return tea.Batch(steps, m.say(dialog.Troubled(msg.err), true))
	}
	var told tea.Cmd
	if t.Lane != intent.Running && !asked {
		told = m.notify(t.started, t.What+": done")
	}
	if msg.apply == nil {
		return tea.Batch(steps, told)
	}
	return tea.Batch(steps, told, m.perform(msg.apply()))
}

// longRun is how long something takes that is worth a notification.
const longRun = 5 * time.Second

// notify tells on the desktop what ended, when it took long and the person looks elsewhere.
func (m *Model) notify(since time.Time, what string) tea.Cmd {
	if m.hasFocus || m.deps.Notification == nil || m.deps.Settings.Quiet || m.deps.Now().Sub(since) < longRun {
		return nil
	}
	return tea.Raw(m.deps.Notification(text.Short(what, 120)))
}

// running is the run under way; nil when none is.
func (m *Model) running() *task { return m.tasks.in(intent.Running) }
