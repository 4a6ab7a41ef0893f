package ui

import (
	"cmp"
	"slices"
	"strings"

	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// actionRows lists every action in the order of the help; features put theirs
// where they belong.
func (m *Model) actionRows() []action.Row {
	rows := slices.Concat(m.run.Actions(), m.focusActions(), m.moveActions(), m.tree.Actions(),
		m.req.Actions(), m.res.Actions(), m.windowActions(), m.ownActions())
	for _, f := range m.all {
		rows = append(rows, f.Actions()...)
	}
	return rows
}

// ownActions are those on the program and its terminal.
func (m *Model) ownActions() []action.Row {
	row := func(id, key, label, help string, do func() intent.Intent) action.Row {
		return action.Row{ID: id, In: action.InAny, Keys: []string{key}, Label: label, Help: help, Do: do}
	}
	typing := func(r action.Row) action.Row { r.Typing = true; return r }
	behind := func(id string, r action.Row) action.Row { r.After = id; return r }
	editor := action.Row{ID: "request.editor", After: "request.state", In: action.InRequest, Keys: []string{"e"},
		Label: "$EDITOR", Help: "Edit the params in your editor", Do: action.Asks(intent.Edit{}),
		Disabled: func() string {
			return cmp.Or(m.req.Missing(),
				action.Reason(len(m.deps.Editor) == 0, "set EDITOR or VISUAL to use your editor"))
		}}
	suspend := row("suspend", "ctrl+z", "suspend", "Suspend the program to the shell", action.Asks(intent.Suspend{}))
	suspend.Disabled = m.deps.NoSuspend
	return []action.Row{
		behind("run.force", typing(row("cancel", "ctrl+c", "cancel", "Cancel what runs; twice within a second quits",
			action.Asks(intent.Interrupt{})))),
		editor,
		behind("log", row("mouse", "M", "mouse",
			"Release the mouse so that the terminal selects text, or take it again", m.toggleMouse)),
		typing(row("redraw", "ctrl+l", "redraw", "Draw the screen anew", action.Asks(intent.Redraw{}))),
		typing(suspend),
		row("quit", "q", "quit", "Ask to quit", m.askQuit),
		row("leave", "esc", "leave", "Leave a field, a filter, the full screen; never quits", m.leaveSomething),
	}
}

// leaveSomething is esc in a pane: it undoes the smallest thing that narrows the screen.
func (m *Model) leaveSomething() intent.Intent {
	switch {
	case m.arr.focus == intent.Tree && m.tree.Filter() != "":
		m.tree.SetFilter("")
	case m.arr.full:
		m.arr.full = false
	default:
		m.toast.text = ""
	}
	return nil
}

func (m *Model) toggleMouse() intent.Intent {
	m.released = !m.released
	said := "Mouse taken: click, wheel and drag work here"
	if m.released {
		said = "Mouse released: the terminal selects text. M takes it again"
	}
	return intent.Say{Log: intent.LogSetting, Text: said}
}

// askQuit asks whether to leave, and says what would not be whole then.
func (m *Model) askQuit() intent.Intent {
	said := []string{"Leave patchbay?"}
	if t := m.tasks.unwritten(); t != "" {
		said = append(said, t)
	}
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Quit?", Text: said, Yes: "Quit", No: "Stay",
		Do: intent.Quit{}}}
}

// KeyTable lists every action as [where, keys, help, id], in the order of the
// help: for the command line and the README. own replaces keys by action id;
// problems tell what is wrong with them.
func KeyTable(own map[string][]string) (rows [][4]string, problems []string) {
	t := New(Deps{Keys: own}).actions
	rows = make([][4]string, 0, len(t.Rows))
	for i := range t.Rows {
		r := &t.Rows[i]
		rows = append(rows, [4]string{string(r.In), strings.Join(t.Keys(r.ID), ", "), r.Help, r.ID})
	}
	return rows, t.Problems
}

// KeyMarkdown is the key list as the README shows it.
func KeyMarkdown() string {
	var b strings.Builder
	b.WriteString("| Where | Keys | What it does |\n|---|---|---|\n")
	rows, _ := KeyTable(nil)
	for _, r := range rows {
		keys := "`" + strings.ReplaceAll(strings.ReplaceAll(r[1], ", ", "` `"), "|", "\\|") + "`"
		if r[1] == "" {
			keys = "palette only"
		}
		b.WriteString("| " + r[0] + " | " + keys + " | " + r[2] + " |\n")
	}
	return b.String()
}
