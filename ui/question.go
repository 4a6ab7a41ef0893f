package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/overlay"
)

// answerPause is how long a question that just opened takes no answer: what was
// typed before it was seen is not meant for it.
const answerPause = 300 * time.Millisecond

// question is the confirmation on top and since when it was left alone.
type question struct {
	asked *overlay.Confirm
	since time.Time
}

// noteQuestion remembers when the confirmation on top opened.
func (m *Model) noteQuestion() {
	top, _ := m.stack.Top().(*overlay.Confirm)
	if top != m.asking.asked {
		m.asking = question{top, m.deps.Now()}
	}
}

// typedAhead tells whether a key comes too soon to be an answer. Text that goes
// on makes the question wait again, so that no letter of it answers; esc leaves
// at any time.
func (m *Model) typedAhead(msg tea.KeyPressMsg) bool {
	q := &m.asking
	if q.asked == nil || msg.String() == "esc" {
		return false
	}
	now := m.deps.Now()
	if !q.asked.Takes(msg) {
		q.since = now
		return false
	}
	return now.Sub(q.since) < m.answerPause
}
