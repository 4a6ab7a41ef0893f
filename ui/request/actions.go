package request

import (
	"patchbay/ui/action"
	"patchbay/ui/intent"
)

// Actions are the rows of the action table that work in the request pane.
func (r *Pane) Actions() []action.Row {
	step := func(d int, pastTheLast string) func() intent.Intent {
		return func() intent.Intent {
			if r.Tab(d) {
				return nil
			}
			return intent.Do{ID: pastTheLast}
		}
	}
	moves := func(id, key, label, help string, in, down int) action.Row {
		return action.Row{ID: id, In: action.InRequest, Keys: []string{key}, Label: label, Help: help,
			Disabled: r.Missing, Do: r.onRow(func(i int) (int, string) { return r.ed.move(i, in, down) })}
	}
	return []action.Row{
		{ID: "request.edit", In: action.InRequest, Keys: []string{"enter"}, Label: "edit", Footer: 2,
			Disabled: r.Missing, Do: r.Enter,
			Help: "Type into the field under the cursor, or do what its row says"},
		{ID: "request.type", In: action.InRequest, Keys: []string{"i"}, Label: "type", Disabled: r.Missing,
			Help: "Type into the field under the cursor or the next one, where every key types", Do: r.TypeHere},
		{ID: "request.next", In: action.InRequest, Keys: []string{"tab"}, Label: "next field",
			Help: "Go to the next field; while typing, type there", Do: step(1, "focus.next")},
		{ID: "request.previous", In: action.InRequest, Keys: []string{"shift+tab"}, Label: "previous field",
			Help: "Go to the previous field; while typing, type there", Do: step(-1, "focus.previous")},
		{ID: "request.json", In: action.InRequest, Keys: []string{"v"}, Label: "form or JSON", Footer: 3,
			Disabled: r.Missing, Help: "Switch between the form and its JSON", Do: r.ToggleJSON},
		{ID: "request.state", In: action.InRequest, Keys: []string{"x"}, Label: "unset, null", Footer: 4,
			Help: "Set the field to absent, null or empty; add or remove rows", Disabled: r.Missing, Do: r.Menu},
		{ID: "request.remove", In: action.InRequest, Keys: []string{"delete"}, Label: "remove", Disabled: r.Missing,
			Help: "Remove the row of a list, the condition or group; leave any other field out",
			Do:   r.onRow(func(i int) (int, string) { return r.ed.remove(i) })},
		moves("request.into", "shift+right", "into group",
			"Move the condition into the group above it, or into a new one", 1, 0),
		moves("request.out", "shift+left", "out of group", "Move the condition out of its group", -1, 0),
		moves("request.up", "shift+up", "row up", "Move the condition or the row of a list up", 0, -1),
		moves("request.down", "shift+down", "row down", "Move the condition or the row of a list down", 0, 1),
		{ID: "request.reset", In: action.InRequest, Keys: []string{"ctrl+x"}, Label: "reset",
			Help: "Empty the whole form; undo brings it back", Disabled: r.Missing,
			Do: func() intent.Intent {
				r.Reset()
				return intent.Say{Text: "The form is empty; u brings back what it held"}
			}},
		{ID: "request.undo", In: action.InRequest, Keys: []string{"u", "alt+u", "ctrl+_", "ctrl+/"},
			Label: "undo", Disabled: r.Missing, Do: r.Undo,
			Help: "Take the last change back: typed, pasted, removed, reset, or the switch between form and JSON"},
		{ID: "request.redo", In: action.InRequest, Keys: []string{"U", "alt+r", "ctrl+shift+z"}, Label: "redo",
			Help: "Make the change again that was taken back", Disabled: r.Missing, Do: r.Redo},
	}
}

// onRow is what an action does with the row under the cursor: do returns the row to go to,
// and why it cannot be done.
func (r *Pane) onRow(do func(row int) (int, string)) func() intent.Intent {
	return func() intent.Intent {
		if r.ed == nil || r.json != nil {
			return intent.Say{Text: "v goes back to the form first", Bad: true}
		}
		to, why := do(r.scroll.Cursor)
		r.scroll.Cursor = to
		r.clamp()
		return said(why)
	}
}

// Missing says why there is no request; "" when an action is open.
func (r *Pane) Missing() string {
	switch {
	case r.HasAction():
		return ""
	case r.off != "":
		return r.off
	}
	return "choose an action first: 1 goes to the tree, ctrl+p searches the whole catalog"
}

// SwitchOff says why there can be no request at all; "" takes that back.
func (r *Pane) SwitchOff(why string) { r.off = why }
