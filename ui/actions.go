package ui

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// scope is where an action's keys work. The most specific scope wins.
type scope string

const (
	inAny      scope = "any pane"
	inTree     scope = "tree"
	inRequest  scope = "request"
	inResponse scope = "response"
	inTable    scope = "table"
	inRecord   scope = "record"
	inJSON     scope = "JSON"
	inRaw      scope = "raw"
	inPages    scope = "pages"
	inSchema   scope = "schema"
	inWire     scope = "wire"
)

// allScopes are all scopes in the order of the screen.
var allScopes = []scope{inAny, inTree, inRequest, inResponse, inTable, inRecord, inJSON, inRaw, inPages, inSchema, inWire}

// action is one row of the table that key dispatch, footer, help, palette and
// the key list of the README come from.
type action struct {
	// ID is the stable name for rebinding, "scope.verb".
	ID   string
	In   scope
	Keys []string
	// Label is a word or two for the footer; Help one sentence.
	Label, Help string
	// Now, where set, is the label for what is on the screen.
	Now func(*Model) string
	// Footer ranks the action in the footer of its scope, 1 first; 0 leaves it out.
	Footer int
	// Typing marks actions whose keys work inside a text field too.
	Typing bool
	// Yields marks actions whose keys are typed into the field of the form that
	// the cursor is on, if it takes text: all but those people press there by habit.
	Yields bool
	// Disabled says why the action cannot be used now; nil or "" when it can.
	Disabled func(*Model) string
	Do       func(*Model) tea.Cmd
}

// move is an action that moves the cursor of the focused pane.
func move(id string, keys []string, help string, f func(*Model)) action {
	return action{ID: id, In: inAny, Keys: keys, Label: help, Help: help, Do: func(m *Model) tea.Cmd { f(m); return m.afterMove() }}
}

// asks is an action that only hands an intent to the root.
func asks(f func(*Model) intent.Intent) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.perform(f(m)) }
}

// actionTable lists every action. Order is the order in help.
func actionTable() []action {
	var table []action
	for _, part := range [][]action{runActions(), placeActions(), moveActions(), treeActions(), requestActions(),
		resultActions(), platformActions(), windowActions(), screenActions()} {
		table = append(table, part...)
	}
	return table
}

func runActions() []action {
	return []action{
		{ID: "run", In: inAny, Keys: []string{"r"}, Label: "run", Help: "Send the request as it stands in the form", Footer: 1,
			Disabled: (*Model).cannotRun, Do: asks(func(*Model) intent.Intent { return intent.Run{} })},
		{ID: "run.typing", In: inAny, Keys: []string{"ctrl+j", "ctrl+enter", "f5"}, Label: "run", Help: "Send the request, also while typing", Typing: true,
			Disabled: (*Model).cannotRun, Do: asks(func(*Model) intent.Intent { return intent.Run{} })},
		{ID: "run.force", In: inAny, Keys: []string{"ctrl+r"}, Label: "run anyway", Help: "Send the request although checks found something wrong",
			Disabled: (*Model).noRequest, Do: asks(func(*Model) intent.Intent { return intent.Run{Force: true} })},
		{ID: "cancel", In: inAny, Keys: []string{"ctrl+c"}, Label: "cancel", Help: "Cancel what runs; twice within a second quits", Typing: true,
			Do: (*Model).interrupt},
		{ID: "preview", In: inAny, Keys: []string{"P"}, Label: "preview", Help: "Show the exact request before it is sent",
			Disabled: (*Model).noRequest, Do: (*Model).openPreview},
		{ID: "copy.call", In: inAny, Keys: []string{"Y"}, Label: "copy call", Help: "Copy the call as JSON, curl, CLI, Python or Go", Footer: 6,
			Disabled: (*Model).noRequest, Do: (*Model).openCopyCall},
		{ID: "copy", In: inAny, Keys: []string{"y"}, Label: "copy", Help: "Copy the value, the record, its path or the body", Footer: 5,
			Do: (*Model).openCopy},
	}
}

func placeActions() []action {
	return []action{
		{ID: "focus.tree", In: inAny, Keys: []string{"1"}, Label: "tree", Help: "Go to the tree of connectors", Disabled: (*Model).noPanes, Do: focus(paneTree)},
		{ID: "focus.request", In: inAny, Yields: true, Keys: []string{"2"}, Label: "request", Help: "Go to the request form", Disabled: (*Model).noPanes, Do: focus(paneRequest)},
		{ID: "focus.response", In: inAny, Keys: []string{"3"}, Label: "response", Help: "Go to the response", Disabled: (*Model).noPanes, Do: focus(paneResponse)},
		{ID: "focus.next", In: inAny, Keys: []string{"tab"}, Label: "pane", Help: "Go to the next pane", Footer: 9, Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.cycleFocus(1) }},
		{ID: "focus.previous", In: inAny, Keys: []string{"shift+tab"}, Label: "previous pane", Help: "Go to the previous pane", Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.cycleFocus(-1) }},
		{ID: "palette", In: inAny, Keys: []string{"ctrl+p", "ctrl+k"}, Label: "search all", Help: "Search the whole catalog and every action", Footer: 7, Typing: true, Do: (*Model).openPalette},
		{ID: "actions", In: inAny, Keys: []string{"x"}, Label: "actions", Help: "List what can be done with the thing under the cursor", Do: (*Model).openThing},
		{ID: "docs", In: inAny, Keys: []string{"d"}, Label: "docs", Help: "Show the documentation of what is under the cursor", Footer: 8,
			Disabled: (*Model).noDocs, Do: (*Model).openDocs},
		{ID: "back", In: inAny, Keys: []string{"-"}, Label: "back", Help: "Go back to the last place",
			Disabled: func(m *Model) string { return reason(len(m.back) == 0, "there is no earlier place yet") }, Do: (*Model).goBack},
		{ID: "command", In: inAny, Keys: []string{":"}, Label: "command", Help: "Type a place, an action or a command: charges list, set limit 50", Do: (*Model).openCommand},
		{ID: "help", In: inAny, Keys: []string{"?"}, Label: "keys", Help: "Search every key and action, and run it", Do: (*Model).openHelp},
	}
}

func moveActions() []action {
	return []action{
		move("move.down", []string{"j", "down"}, "Down one row", func(m *Model) { m.moveBy(0, 1) }),
		move("move.up", []string{"k", "up"}, "Up one row", func(m *Model) { m.moveBy(0, -1) }),
		move("move.halfdown", []string{"ctrl+d", "pgdown"}, "Down half a screen", func(m *Model) { m.moveHalf(1) }),
		move("move.halfup", []string{"ctrl+u", "pgup"}, "Up half a screen", func(m *Model) { m.moveHalf(-1) }),
		move("move.top", []string{"g", "home"}, "To the first row", func(m *Model) { m.moveBy(0, -farAway) }),
		move("move.end", []string{"G", "end"}, "To the last row", func(m *Model) { m.moveBy(0, farAway) }),
		move("move.left", []string{"h", "left"}, "Left one column", func(m *Model) { m.moveBy(-1, 0) }),
		move("move.right", []string{"l", "right"}, "Right one column", func(m *Model) { m.moveBy(1, 0) }),
	}
}

// farAway moves past any list; panes stop at their ends.
const farAway = 1 << 40

func treeActions() []action {
	return []action{
		{ID: "tree.open", In: inTree, Keys: []string{"enter", "l", "right", "space"}, Label: "open", Help: "Open the row: unfold it, or show the form of the action", Footer: 2,
			Do: asks(func(m *Model) intent.Intent { return m.tree.Open() })},
		{ID: "tree.close", In: inTree, Keys: []string{"h", "left"}, Label: "close", Help: "Fold the row or go to its parent",
			Do: func(m *Model) tea.Cmd { m.tree.Fold(); return nil }},
		{ID: "tree.filter", In: inTree, Keys: []string{"/"}, Label: "filter", Help: "Filter the tree by words while you type", Footer: 3, Do: func(m *Model) tea.Cmd { m.tree.OpenLine(); return nil }},
		{ID: "tree.reload", In: inTree, Keys: []string{"R"}, Label: "reload", Help: "Ask for workspaces and connectors again", Do: (*Model).reload},
		{ID: "profile", In: inTree, Keys: []string{"p"}, Label: "profile", Help: "Switch to another profile", Do: (*Model).openProfiles},
	}
}

func requestActions() []action {
	return []action{
		{ID: "request.edit", In: inRequest, Keys: []string{"enter"}, Label: "edit", Help: "Edit the field under the cursor; a key that stands for nothing here types into it at once", Footer: 2,
			Disabled: (*Model).noRequest, Do: asks(func(m *Model) intent.Intent { return m.req.Enter() })},
		{ID: "request.next", In: inRequest, Keys: []string{"tab"}, Label: "next field", Help: "Go to the next field", Do: func(m *Model) tea.Cmd { return m.requestTab(1) }},
		{ID: "request.previous", In: inRequest, Keys: []string{"shift+tab"}, Label: "previous field", Help: "Go to the previous field", Do: func(m *Model) tea.Cmd { return m.requestTab(-1) }},
		{ID: "request.json", In: inRequest, Keys: []string{"v"}, Label: "form or JSON", Help: "Switch between the form and its JSON", Footer: 3,
			Disabled: (*Model).noRequest, Do: asks(func(m *Model) intent.Intent { return m.req.ToggleJSON() })},
		{ID: "request.state", In: inRequest, Keys: []string{"x"}, Label: "unset, null", Help: "Set the field to absent, null or empty; add or remove rows", Footer: 4,
			Disabled: (*Model).noRequest, Do: (*Model).openFieldMenu},
		{ID: "request.editor", In: inRequest, Keys: []string{"e"}, Label: "$EDITOR", Help: "Edit the params in your editor",
			Disabled: (*Model).noEditor, Do: (*Model).openEditor},
		{ID: "request.reset", In: inRequest, Keys: []string{"ctrl+x"}, Label: "reset", Help: "Empty the whole form",
			Disabled: (*Model).noRequest, Do: func(m *Model) tea.Cmd { m.req.Reset(); return nil }},
	}
}

func windowActions() []action {
	return []action{
		{ID: "window.full", In: inAny, Keys: []string{"f"}, Label: "full screen", Help: "Show only this pane, or all again", Do: func(m *Model) tea.Cmd { m.arr.full = !m.arr.full; return m.relayout() }},
		{ID: "window.narrower", In: inAny, Yields: true, Keys: []string{"<"}, Label: "narrower", Help: "Make the tree narrower", Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.resizeTree(-4) }},
		{ID: "window.wider", In: inAny, Yields: true, Keys: []string{">"}, Label: "wider", Help: "Make the tree wider", Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.resizeTree(4) }},
		{ID: "window.shorter", In: inAny, Yields: true, Keys: []string{"{"}, Label: "shorter request", Help: "Make the request pane shorter", Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.resizeRequest(-2) }},
		{ID: "window.taller", In: inAny, Yields: true, Keys: []string{"}"}, Label: "taller request", Help: "Make the request pane taller", Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.resizeRequest(2) }},
		{ID: "window.left", In: inAny, Keys: []string{"ctrl+w h", "ctrl+w left"}, Label: "pane left", Help: "Go to the pane at the left", Disabled: (*Model).noPanes, Do: focus(paneTree)},
		{ID: "window.right", In: inAny, Keys: []string{"ctrl+w l", "ctrl+w right"}, Label: "pane right", Help: "Go to the pane at the right", Disabled: (*Model).noPanes, Do: focus(paneResponse)},
		{ID: "window.up", In: inAny, Keys: []string{"ctrl+w k", "ctrl+w up"}, Label: "pane above", Help: "Go to the pane above", Disabled: (*Model).noPanes, Do: focus(paneRequest)},
		{ID: "window.down", In: inAny, Keys: []string{"ctrl+w j", "ctrl+w down"}, Label: "pane below", Help: "Go to the pane below", Disabled: (*Model).noPanes, Do: focus(paneResponse)},
		{ID: "window.cycle", In: inAny, Keys: []string{"ctrl+w w", "ctrl+w ctrl+w"}, Label: "next pane", Help: "Go to the next pane", Disabled: (*Model).noPanes, Do: func(m *Model) tea.Cmd { return m.cycleFocus(1) }},
		{ID: "theme", In: inAny, Yields: true, Keys: []string{"T"}, Label: "theme", Help: "Choose a theme, with a live preview", Do: (*Model).openThemes},
		{ID: "log", In: inAny, Keys: []string{"L"}, Label: "log", Help: "Show what the program did", Do: (*Model).openLog},
		{ID: "mouse", In: inAny, Keys: []string{"M"}, Label: "mouse", Help: "Release the mouse so that the terminal selects text, or take it again", Do: (*Model).toggleMouse},
		{ID: "redraw", In: inAny, Keys: []string{"ctrl+l"}, Label: "redraw", Help: "Draw the screen anew", Typing: true, Do: func(*Model) tea.Cmd { return tea.ClearScreen }},
		{ID: "suspend", In: inAny, Keys: []string{"ctrl+z"}, Label: "suspend", Help: "Suspend the program to the shell", Typing: true, Do: func(*Model) tea.Cmd { return away(tea.Suspend) }},
		{ID: "quit", In: inAny, Keys: []string{"q"}, Label: "quit", Help: "Ask to quit", Do: (*Model).askQuit},
		{ID: "leave", In: inAny, Keys: []string{"esc"}, Label: "leave", Help: "Leave a field, a filter, the full screen; never quits", Do: (*Model).leave},
	}
}

func focus(p paneID) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.focusOn(p) }
}

// reason returns why when bad holds.
func reason(bad bool, why string) string {
	if bad {
		return why
	}
	return ""
}
