package ui

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/ui/intent"
	"patchbay/ui/result"
)

// Results of commands. Each carries what identifies its question, so that an
// answer to a question that no longer stands is dropped.

type workspacesMsg struct {
	session int
	list    []client.Workspace
	err     error
}

type connectorsMsg struct {
	session   int
	workspace string
	list      []client.Connector
	err       error
}

type kindMsg struct {
	session   int
	connector client.Connector
	kind      *catalog.Kind
	err       error
}

// answerMsg is the end of a run.
type answerMsg struct {
	call int
	page *result.Page
	err  error
}

// eventMsg is something that happened during a run.
type eventMsg struct {
	call  int
	event client.Event
}

// eventsDoneMsg ends the listening to a run's events.
type eventsDoneMsg struct{ call int }

type tickMsg struct{}

// restMsg says that nothing was typed into the response's line since the change seq.
type restMsg struct{ seq int }

type toastMsg struct{ id int }

type copiedMsg struct {
	what   string
	size   int
	native error
	note   string
}

type sessionMsg struct {
	session Session
	err     error
}

type savedMsg struct{ err error }

// workMsg is the result of work on records off the update loop.
type workMsg struct {
	job   int
	apply func() intent.Intent
	err   error
}

// callTextMsg is a call of the sandbox, written for other programs.
type callTextMsg struct {
	title, text, address string
	err                  error
}

// appliedMsg is the outcome of work beside the update loop that only one
// feature knows: apply stores it. It is dropped when the session changed.
type appliedMsg struct {
	session int
	apply   func(*Model) tea.Cmd
}
