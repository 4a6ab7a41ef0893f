package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// key handles a key press in the one order: what works everywhere, the top
// overlay, a text field, the focused pane's actions, the global ones.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	msg = m.actions.AsTyped(msg)
	name := msg.String()
	if m.toast.bad {
		m.toast.text = "" // it was about the key before
	}
	top := m.stack.Top()
	if a := m.actions.Find(name, action.InAny); a != nil && a.Typing &&
		(top == nil || a.ID == "cancel" || a.ID == "redraw" || a.ID == "suspend") { // others act on what it covers
		return m.do(a)
	}
	if top != nil {
		if m.typedAhead(msg) {
			return nil
		}
		return m.perform(top.Key(msg))
	}
	if m.focused().Typing() {
		if a := m.actions.Find(name, m.scopes()[0]); a != nil && a.Typing {
			return m.do(a)
		}
		return m.perform(m.focused().Key(msg))
	}
	if m.prefix != "" {
		name, m.prefix = m.prefix+" "+name, ""
	} else if m.actions.Begins(name) {
		m.prefix = name
		return nil
	}
	if m.arr.card && name == "esc" {
		m.arr.card, m.deps.Settings.CardDone = false, true
		return m.saveSettings()
	}
	a := m.actions.Find(name, m.scopes()...)
	if a != nil {
		return m.do(a)
	}
	return nil
}

func (m *Model) paste(s string) tea.Cmd {
	if top := m.stack.Top(); top != nil {
		return m.perform(top.Paste(s))
	}
	if m.focused().Typing() {
		return m.perform(m.focused().Paste(s))
	}
	if m.arr.focus == intent.Request || m.lay.mode == modeWide {
		return m.perform(m.call.Paste(s))
	}
	return nil
}

// do runs an action, or says why it cannot be run now.
func (m *Model) do(a *action.Row) tea.Cmd {
	if why := a.Why(); why != "" {
		return m.say(why, true)
	}
	return m.perform(a.Do())
}

// pressed does what a key does whose name was clicked, such as "ctrl+p" or
// "ctrl+w h"; texts that name no key do nothing.
func (m *Model) pressed(name string) tea.Cmd {
	var keys []tea.KeyPressMsg
	for _, part := range strings.Fields(name) {
		k, ok := action.Press(part)
		if !ok {
			return nil
		}
		keys = append(keys, k)
	}
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, m.key(k))
	}
	return tea.Batch(cmds...)
}

// answerPause is how long a question that just opened takes no answer: what was
// typed before it was seen is not meant for it.
const answerPause = 300 * time.Millisecond

// openConfirm is the confirmation on top and since when it was left alone.
type openConfirm struct {
	asked *overlay.Confirm
	since time.Time
}

// noteQuestion remembers when the confirmation on top opened.
func (m *Model) noteQuestion() {
	top, _ := m.stack.Top().(*overlay.Confirm)
	if top != m.asking.asked {
		m.asking = openConfirm{top, m.deps.Now()}
	}
}

// typedAhead reports whether a key comes too soon to be an answer. Text that goes
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
