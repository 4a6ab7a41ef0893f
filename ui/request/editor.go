package request

import (
	"encoding/json"

	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// line is one row of the request pane, ready to draw.
type line struct {
	depth    int
	label    text.Safe
	required bool
	// cells are the editable parts; a plain input has one.
	cells []cell
	// typ stands at the right; problem takes its place when something is wrong.
	// facts is the type with limits and default, shown where there is room.
	typ, facts, problem text.Safe
	// hint is shown in the status line while the cursor is on the row.
	hint       text.Safe
	expandable bool
	expanded   bool
	off        bool // disabled, not sent
	refused    bool // by the service that it was sent to
	// tree is set where the label is the lines of a tree, beside which the cells stand.
	tree    bool
	heading bool
}

// cell is one part of a line.
type cell struct {
	text text.Safe
	// note stands behind the text and is not part of it.
	note text.Safe
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
	// start begins the editing of a cell.
	start(row, cell int) begun
	// types says whether a cell can be typed into in one line; text begins that, and next
	// names the cell of the row that is typed into after it.
	types(row, cell int) bool
	text(row, cell int) begun
	next(row, cell int) (int, bool)
	// set stores what is typed into a cell, and says what is wrong with it.
	set(row, cell int, text string) string
	// menu lists what can be done with a row.
	menu(row int) []pick
	// fold opens or closes a row.
	fold(row int)
	// move shifts a row among its like, or into (1) a group and out (-1) of one, and remove
	// takes it away: both return the row to go to and why that cannot be.
	move(row, in, down int) (int, string)
	remove(row int) (int, string)
	params() json.RawMessage
	setParams(json.RawMessage) error
	// problems are the reasons not to send, each with the row it belongs to (-1 for none).
	problems() []problem
	// notice is something to know before sending that keeps nothing from being sent; "" without one.
	notice() string
}

// begun is how the editing of a cell begins: with a text, or with what to ask
// instead; with neither where the cell acts by itself.
type begun struct {
	edit, secret bool
	text         string
	// offered is set where the text gives way to what is typed.
	offered bool
	// known are values to complete what is typed with; only, that there are no others.
	known []string
	only  bool
	ask   intent.Intent
}

type problem struct {
	row  int
	text string
}
