package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// jobs is the work on records that goes on beside the update loop. One job
// runs at a time; a new one replaces the old.
type jobs struct {
	id   int
	what string
	stop context.CancelFunc
}

// startWork begins a job that a view asked for.
func (m *Model) startWork(in intent.Work) tea.Cmd {
	m.jobs.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	m.jobs.id++
	m.jobs.what, m.jobs.stop = in.What, cancel
	return work(ctx, m.jobs.id, in.Do)
}

// cancel stops the running job; it reports whether there was one.
func (j *jobs) cancel() bool {
	if j.stop == nil {
		return false
	}
	j.stop()
	j.stop = nil
	return true
}

func (m *Model) gotWork(msg workMsg) tea.Cmd {
	if msg.job != m.jobs.id {
		return nil
	}
	m.jobs.cancel()
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		return m.say(msg.err.Error(), true)
	}
	if msg.apply == nil {
		return m.relayout()
	}
	return tea.Batch(m.perform(msg.apply()), m.relayout())
}
