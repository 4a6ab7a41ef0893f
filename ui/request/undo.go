package request

import (
	"bytes"
	"encoding/json"
	"slices"

	"patchbay/ui/intent"
)

// mostUndone is how many changes of a request can be undone.
const mostUndone = 100

// undo remembers the params as they were before each change.
type undo struct {
	begun        bool
	now          json.RawMessage
	before, then []json.RawMessage
}

// note remembers a change; nothing while a text is typed, whose end is the change.
func (r *Pane) note() {
	if r.ed == nil || r.action == nil || r.Typing() {
		return
	}
	now := r.Draft()
	switch u := &r.undo; {
	case !u.begun:
		u.begun, u.now = true, slices.Clone(now)
	case !bytes.Equal(now, u.now):
		u.before = append(u.before[max(len(u.before)-mostUndone+1, 0):], u.now)
		u.now, u.then = slices.Clone(now), nil
	}
}

// Undo takes the last change of the params back, Redo makes it again. What was typed,
// pasted, removed or reset counts as one change.
func (r *Pane) Undo() intent.Intent {
	return r.step(&r.undo.before, &r.undo.then, "nothing was changed that could be taken back")
}

// Redo makes the change again that Undo took back.
func (r *Pane) Redo() intent.Intent {
	return r.step(&r.undo.then, &r.undo.before, "nothing was taken back that could be made again")
}

func (r *Pane) step(from, to *[]json.RawMessage, none string) intent.Intent {
	r.note() // of a change since the last drawing
	if len(*from) == 0 {
		return intent.Say{Text: none, Bad: true}
	}
	last := len(*from) - 1
	params := (*from)[last]
	kept := slices.Clone(r.undo.now)
	if err := r.SetParams(params); err != nil {
		return intent.Say{Text: err.Error(), Bad: true}
	}
	*from, *to = (*from)[:last], append(*to, kept)
	r.undo.now = slices.Clone(r.Draft())
	r.clamp()
	return nil
}
