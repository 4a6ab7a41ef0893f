package request

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"patchbay/client/search"
	"patchbay/ui/intent"
)

// draft is all that the pane holds: the params, those that are not sent among them, and
// the text of the JSON view, which may be none.
type draft struct {
	params json.RawMessage
	// query is a search with what is not complete yet; nil for a form.
	query *search.Query
	json  bool
	text  string
}

func (d draft) same(o draft) bool {
	return d.json == o.json && d.text == o.text && bytes.Equal(d.params, o.params) &&
		reflect.DeepEqual(d.query, o.query)
}

// draft is what the pane holds now.
func (r *Pane) draft() draft {
	d := draft{params: slices.Clone(r.Draft()), json: r.json != nil}
	if d.json {
		d.text = strings.Join(r.json.rows, "\n")
	}
	if e, ok := r.ed.(*searchEditor); ok {
		q := e.q.Clone()
		d.query = &q
	}
	return d
}

// restore brings back what the pane held.
func (r *Pane) restore(d draft) error {
	if e, ok := r.ed.(*searchEditor); ok && d.query != nil {
		e.q, r.json = d.query.Clone(), nil
	} else if err := r.SetParams(d.params); err != nil {
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
	if r.ed != nil && !r.Typing() && !r.dragged.on {
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
