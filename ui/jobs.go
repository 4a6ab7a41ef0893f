package ui

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// jobs is a lane of the work on records that goes on beside the update loop.
// One job runs at a time in it; a new one replaces the old. What is written out
// has a lane of its own, so that looking at records does not end it.
type jobs struct {
	id      int
	what    string
	stop    context.CancelFunc
	undo    func()
	started time.Time
	// far is how far the job has come, in thousandths; it is written by the job.
	far *atomic.Int64
	// words say it where a share is not known.
	words *atomic.Pointer[string]
}

// startWork begins a job that a view asked for.
func (m *Model) startWork(in intent.Work) tea.Cmd {
	lane := &m.jobs
	if in.Keep {
		lane = &m.writing
		if lane.running() {
			return m.say("this goes on still: "+lane.what+"; ctrl+c stops it", true)
		}
	}
	if in.Idle && lane.running() {
		if in.Undo != nil {
			in.Undo()
		}
		return nil
	}
	lane.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	far, words := new(atomic.Int64), new(atomic.Pointer[string])
	ctx = intent.WithWords(ctx, func(t string) { words.Store(&t) })
	ctx = intent.WithReport(ctx, func(done, total int) {
		if total > 0 {
			far.Store(int64(done) * 1000 / int64(total))
		}
	})
	m.lastJob++
	if !m.toast.bad && !in.Idle {
		m.toast.text = "" // it would hide how far the work is
	}
	*lane = jobs{id: m.lastJob, what: in.What, stop: cancel, undo: in.Undo, started: m.deps.Now(), far: far, words: words}
	return tea.Batch(work(ctx, lane.id, in.Do), m.startTicking())
}

// running tells whether a job is under way.
func (j *jobs) running() bool { return j.stop != nil }

// text says what the job does and how far it is; empty while that is too quick to read.
func (j *jobs) text(now time.Time) string {
	if !j.running() || now.Sub(j.started) < slow {
		return ""
	}
	t := j.what
	if far := j.far.Load(); far > 0 {
		t += fmt.Sprintf(" %d%%", far/10)
	} else if w := j.words.Load(); w != nil {
		t += ": " + *w
	}
	return t + " · ctrl+c cancels"
}

// cancel stops the running job; it reports whether there was one.
func (j *jobs) cancel() bool {
	if j.stop == nil {
		return false
	}
	j.stop()
	undo := j.undo
	j.stop, j.undo = nil, nil
	if undo != nil {
		undo()
	}
	return true
}

func (m *Model) gotWork(msg workMsg) tea.Cmd {
	lane := &m.jobs
	if msg.job == m.writing.id {
		lane = &m.writing
	}
	if msg.job != lane.id {
		return nil
	}
	since, what := lane.started, lane.what
	if msg.err == nil {
		lane.undo = nil
	}
	lane.cancel()
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		return m.say(msg.err.Error(), true)
	}
	ended := m.notify(since, what+": done")
	if msg.apply == nil {
		return tea.Batch(ended, m.relayout())
	}
	return tea.Batch(ended, m.perform(msg.apply()), m.relayout())
}
