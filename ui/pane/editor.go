package pane

import (
	"encoding/json"

	"patchbay/ui/intent"
)

// line is one row of the request pane, ready to draw. Texts are safe.
type line struct {
	depth    int
	label    string
	required bool
	// cells are the editable parts; a plain input has one.
	cells []cell
	// typ stands at the right; problem takes its place when something is wrong.
	// facts is the type with limits and default, shown where there is room.
	typ, facts, problem string
	// hint is shown in the status line while the cursor is on the row.
	hint       string
	expandable bool
	expanded   bool
	off        bool // disabled, not sent
	heading    bool
}

// cell is one part of a line.
type cell struct {
	text string
	// note stands behind the text and is not part of it.
	note string
	tone tone
	// width of the cell; 0 takes what is left.
	width int
}

type tone int

const (
	toneValue tone = iota
	toneAbsent
	toneNull
	toneWord // an operator, a group
	toneBad
)

// editor is what the request pane edits: the params of an action as a form, or
// as a search.
type editor interface {
	// lines are the visible rows.
	lines() []line
	// start begins the editing of a cell: the text to start with, or a choice to
	// open instead, or nothing when the cell acts by itself.
	start(row, cell int) (text string, secret bool, in intent.Intent, edit bool)
	// types tells whether typing on a cell starts something.
	types(row, cell int) bool
	// check says what is wrong with text as it is typed into a cell.
	check(row, cell int, text string) string
	// set stores what was typed.
	set(row, cell int, text string) string
	// menu lists what can be done with a row.
	menu(row int) []intent.Option
	// choose does one of them; it returns the row to go to.
	choose(row int, option string) (int, intent.Intent)
	// fold opens or closes a row.
	fold(row int)
	params() json.RawMessage
	setParams(json.RawMessage) error
	// problems are the reasons not to send, each with the row it belongs to (-1 for none).
	problems() []problem
	// notice is something to know before sending that keeps nothing from being sent; "" without one.
	notice() string
	// target returns the referenced entity of a row; "" without one.
	target(row int) string
}

type problem struct {
	row  int
	text string
}
