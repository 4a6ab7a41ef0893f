// Package intent holds what panes and overlays ask of the program. They
// change nothing themselves: the root model performs each intent.
package intent

import (
	"context"
	"encoding/json"

	"patchbay/catalog"
	"patchbay/client"
)

// Intent is one of the types below; nil means that nothing is asked.
type Intent any

// LoadWorkspaces asks for the list of workspaces.
type LoadWorkspaces struct{}

// LoadConnectors asks for the connectors of a workspace.
type LoadConnectors struct{ Workspace string }

// LoadKind asks for the catalog entry of a connector's kind.
type LoadKind struct{ Connector client.Connector }

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

// Copy puts text on the clipboard. What names it in the message: "value", "curl command".
type Copy struct{ Text, What string }

// Do runs the action of the action table with that id.
type Do struct{ ID string }

// GoTo opens the place that a catalog search hit names.
type GoTo struct{ Hit catalog.Hit }

// Close closes the top overlay.
type Close struct{}

// Say shows a short message; Bad marks a refusal.
type Say struct {
	Text string
	Bad  bool
	// Log is the group of the log that it belongs to; empty for notes and problems.
	Log string
}

// LogFile is the group of files that were written.
const LogFile = "file"

// All performs several intents in order.
type All []Intent

// Chosen is what a menu, picker or prompt answers: the tag it was opened with
// and the chosen value. It closes the overlay.
type Chosen struct {
	Tag   string
	Value string
	Index int
}

// Call runs a function of the root; overlays carry it for their answers.
type Call struct{ F func() Intent }

// Work asks for work on records beside the update loop. Do runs on another
// goroutine; the function it returns is run on the loop and stores the outcome.
type Work struct {
	What string
	// Keep lets it go on while other work begins and ends: it writes something out.
	Keep bool
	Do   func(context.Context) (apply func() Intent, err error)
	// Idle work is begun only where no other work is under way: it must not end what
	// a person asked for.
	Idle bool
	// Undo, where set, is run on the loop in place of apply when the work is stopped
	// or fails: it takes back what was shown in advance.
	Undo func()
}

// Around is the same work, with something done before or after its outcome is
// applied: f applies it.
func (w Work) Around(f func(apply func() Intent) Intent) Work {
	do := w.Do
	w.Do = func(ctx context.Context) (func() Intent, error) {
		apply, err := do(ctx)
		if err != nil {
			return nil, err
		}
		return func() Intent { return f(apply) }, nil
	}
	return w
}

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
