package request

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"patchbay/ui/intent"
)

// draft is all that the pane holds: the params, those that are not sent among them, and
// the text of the JSON view, which may be none.
type draft struct {
	params json.RawMessage
	json   bool
	text   string
}

func (d draft) same(o draft) bool {
	return d.json == o.json && d.text == o.text && bytes.Equal(d.params, o.params)
}

// draft is what the pane holds now.
func (r *Pane) draft() draft {
	d := draft{params: slices.Clone(r.Draft()), json: r.json != nil}
	if d.json {
		d.text = strings.Join(r.json.rows, "\n")
	}
	return d
}

// restore brings back what the pane held.
func (r *Pane) restore(d draft) error {
	if err := r.SetParams(d.params); err != nil {
		return err
	}
	if d.json {
		r.json = newJSONText(r)
		r.json.set(d.text)
		r.json.apply(r)
	}
	r.clamp()
	return nil
}

// note remembers a change; nothing while a text is typed, whose end is the change.
func (r *Pane) note() {
	if r.ed != nil && !r.Typing() {
		r.undo.Note(r.draft(), draft.same)
	}
}

// Undo takes the last change back: what was typed, pasted, removed or reset, and the
// switch between form and JSON. Redo makes it again.
func (r *Pane) Undo() intent.Intent {
	return r.turn(r.undo.Back, "nothing was changed that could be taken back")
}

// Redo makes the change again that Undo took back.
func (r *Pane) Redo() intent.Intent {
	return r.turn(r.undo.Forth, "nothing was taken back that could be made again")
}

func (r *Pane) turn(step func() (draft, bool), none string) intent.Intent {
	r.note() // of a change since the last drawing
	d, ok := step()
	if !ok {
		return intent.Say{Text: none, Bad: true}
	}
	if err := r.restore(d); err != nil {
		return intent.Failed(err)
	}
	r.undo.Is(r.draft())
	return nil
}
