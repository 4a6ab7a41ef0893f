// Package intent holds what panes, overlays and features ask of the program.
// They change nothing outside themselves: the root model performs each intent.
// The set is sealed: only types of this package are intents, and a test fails for
// one that the root does not perform. It imports no pane, no overlay, no feature.
package intent

import (
	"encoding/json"
	"image"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/form"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Intent is one of the types of this package; nil means that nothing is asked.
type Intent interface{ sealed() }

// OpenProfile works with a profile from now on. Anew is set where that one is in use
// and keeps something else now: what is on the screen stays, and Anew follows.
type OpenProfile struct {
	Name string
	Anew func() Intent
}

// UseOrganization says in which organization the session makes its calls now.
type UseOrganization struct{ ID string }

// LoadWorkspaces asks for the list of workspaces.
type LoadWorkspaces struct{}

// LoadConnectors asks for the connectors of a workspace.
type LoadConnectors struct{ Workspace string }

// LoadKind asks for the catalog entry of a connector's kind; Anew asks the service for
// its description although there is one.
type LoadKind struct {
	Connector client.Connector
	Anew      bool
}

// OpenAction shows the request form of an action. Params, when not nil,
// fill the form; Run sends it at once.
type OpenAction struct {
	Connector client.Connector
	Entity    string
	Action    string
	Params    json.RawMessage
	Run       bool
}

// Run sends the request as it stands; Force sends it although checks failed.
type Run struct{ Force bool }

// NextPage sends an operation that asks for the next page of the run shown.
type NextPage struct{ Op client.Operation }

// RunSaved runs the saved call of that name.
type RunSaved struct{ Name string }

// Copy puts text on the clipboard. What names it in the message: "value", "curl
// command"; Note is added to that message.
type Copy struct{ Text, What, Note string }

// Do runs the action of the action table with that id.
type Do struct{ ID string }

// GoTo opens the place that a catalog search hit names, in a connector: where only its
// name is given it is looked for, where none is, the nearest of the hit's kind is taken.
type GoTo struct {
	Hit       catalog.Hit
	Connector client.Connector
}

// ShowPage shows an answer in the response, as if it had just come.
type ShowPage struct{ Page *answer.Page }

// Reveal shows a connector in the tree, or an entity or action of it.
type Reveal struct {
	Connector      client.Connector
	Entity, Action string
}

// Push opens an overlay above all others.
type Push struct{ Overlay Overlay }

// Offer opens an overlay that nobody asked for: not where another is open, or
// something runs.
type Offer struct{ Overlay Overlay }

// Close closes the top overlay; with Overlay that one and those above it.
type Close struct{ Overlay Overlay }

// Say shows a short message; Bad marks a refusal.
type Say struct {
	Text string
	Bad  bool
	// Once leaves it out where the same was said last by such a message: a problem that
	// comes with every run.
	Once bool
	// Log is the group of the log that it belongs to; empty for notes and problems.
	Log string
}

// Failed says why something could not be done; nil for no error.
func Failed(err error) Intent {
	if err == nil {
		return nil
	}
	return Say{Text: err.Error(), Bad: true}
}

// Notify tells on the desktop what ended, when it took long since it began and the
// person looks elsewhere.
type Notify struct {
	Since time.Time
	Text  string
}

// Unsay takes the message away that is shown, unless it is to stay.
type Unsay struct{}

// Log keeps a line in the log without showing it: a text in one of the log's groups,
// notes where it is empty, or the answer of a request.
type Log struct {
	Text, Group string
	Page        *answer.Page
}

// Groups of the log, as its lines name them.
const (
	LogCall    = "request"
	LogCopy    = "copy"
	LogFile    = "file"
	LogSetting = "setting"
	LogNote    = "note"
	LogProblem = "problem"
)

// All performs several intents in order.
type All []Intent

// Then asks for what F returns once the intents before it are performed. F reads
// and changes only what its owner holds.
type Then struct{ F func() Intent }

// Pane names a place that can have the focus.
type Pane int

// The panes, in the order of their keys.
const (
	Tree Pane = iota
	Request
	Response
)

// Focus moves the focus to a pane; Narrow ends its having the screen alone.
type Focus struct {
	Pane   Pane
	Narrow bool
}

// Interrupt cancels what runs; with nothing running, twice within a second quits.
type Interrupt struct{}

// Quit ends the program once the place is kept.
type Quit struct{}

// Redraw draws the screen anew, Suspend leaves the terminal to the shell.
type (
	Redraw  struct{}
	Suspend struct{}
)

// Edit opens the params in the person's own editor.
type Edit struct{}

// Page hands the terminal to the person's pager, which reads the text from its
// beginning; the file is closed then.
type Page struct{ Text *os.File }

// Stop stops the task of a lane that takes one at a time.
type Stop struct{ Lane Lane }

// SaveSettings stores the settings as they stand.
type SaveSettings struct{}

// Option is one value of a Choose.
type Option struct {
	Title, Note, Detail string
	Value               string
	Disabled            string
}

// Choose opens a searched list of options. Free lets the typed text itself be
// chosen. Done gets the value of the choice.
type Choose struct {
	Title   string
	Options []Option
	Current string
	Free    bool
	// Query is what was typed already.
	Query string
	Done  func(value string) Intent
}

// EditText asks for a text of several lines. Done gets it; what was typed is
// never lost before that.
type EditText struct {
	Title string
	// Note says in a line what becomes of the text.
	Note string
	Text string
	Done func(text string) Intent
}

// EditRow puts the cursor of the request form on a row and edits it.
type EditRow struct{ Path form.Path }

// EditCell continues with a cell of the form's row under the cursor.
type EditCell struct{ Cell int }

// Overlay is one layer above the main screen. The top one gets all input.
type Overlay interface {
	// Title stands in the frame; Facts at its other end, such as how many there are.
	Title() string
	Facts() string
	// Hints are the keys that work here, for the frame's lower edge.
	Hints() string
	// Want is the size of the content the overlay would like, given the screen.
	Want(w, h int) (int, int)
	// Key handles a key press.
	Key(msg tea.KeyPressMsg) Intent
	// Paste handles pasted text.
	Paste(s string) Intent
	// Wheel scrolls by d rows; Click is a click on a cell of the content.
	Wheel(d int) Intent
	Click(x, y int, double bool) Intent
	// Fit tells the overlay the room of its content; it follows every message.
	Fit(w, h int)
	// Draw returns at most h lines of at most w cells and the cursor's cell, if one shows.
	// It changes nothing: the room is that of the last Fit.
	Draw(w, h int, s *style.Styles) ([]text.Safe, *image.Point)
}

func (OpenProfile) sealed()     {}
func (UseOrganization) sealed() {}
func (LoadWorkspaces) sealed()  {}
func (LoadConnectors) sealed()  {}
func (LoadKind) sealed()        {}
func (OpenAction) sealed()      {}
func (Run) sealed()             {}
func (NextPage) sealed()        {}
func (RunSaved) sealed()        {}
func (Copy) sealed()            {}
func (Do) sealed()              {}
func (GoTo) sealed()            {}
func (ShowPage) sealed()        {}
func (Reveal) sealed()          {}
func (Push) sealed()            {}
func (Offer) sealed()           {}
func (Close) sealed()           {}
func (Say) sealed()             {}
func (Notify) sealed()          {}
func (Unsay) sealed()           {}
func (Log) sealed()             {}
func (All) sealed()             {}
func (Then) sealed()            {}
func (Focus) sealed()           {}
func (Page) sealed()            {}
func (Stop) sealed()            {}
func (SaveSettings) sealed()    {}
func (Choose) sealed()          {}
func (EditText) sealed()        {}
func (EditRow) sealed()         {}
func (EditCell) sealed()        {}
func (Task) sealed()            {}
func (Interrupt) sealed()       {}
func (Quit) sealed()            {}
func (Redraw) sealed()          {}
func (Suspend) sealed()         {}
func (Edit) sealed()            {}
