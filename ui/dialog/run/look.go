package run

import (
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/transport"
	"patchbay/ui/action"
	"patchbay/ui/intent"
)

// unsure follows what is told of a write that was stopped while it was sent.
const unsure = "it is not known whether the change was made: look before you repeat it"

// stopped says what a run that was cancelled leaves behind.
func (f *Feature) stopped(ask answer.Question) intent.Intent {
	if !ask.Action.Writes() {
		return intent.Say{Text: "Cancelled. The params are still in the form"}
	}
	f.doubted = transport.Look(ask.Kind, ask.Target, ask.Op)
	return intent.Say{Text: "Cancelled; " + unsure, Bad: true}
}

// shows is the call that shows whether the last write was carried out; nil where that
// is known, or nothing shows it.
func (f *Feature) shows() *client.Look {
	if page := f.Response().Page(); f.doubted == nil && page != nil && page.Err != nil {
		return page.Err.Look
	}
	return f.doubted
}

func (f *Feature) nothingUnsure() string {
	return action.Reason(f.shows() == nil, "there is no change whose outcome is unknown and can be looked at")
}

// look opens the call that shows whether a write was carried out, and runs it where
// nothing is missing.
func (f *Feature) look() intent.Intent {
	l := f.shows()
	return intent.OpenAction{Connector: f.Request().Connector(), Entity: l.Op.Entity, Action: l.Op.Action,
		Params: l.Op.Params, Run: len(l.Missing) == 0}
}
