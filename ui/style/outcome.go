package style

import "patchbay/ui/text"

// Outcome says in one of three ways how a call ended, which is what a screen tells
// apart at a glance.
type Outcome int

// The outcomes; NoOutcome says nothing.
const (
	NoOutcome Outcome = iota
	Done
	Refused
	Failed
)

// OutcomeOf is the outcome of a call with an error or without; refused says that
// somebody said no.
func OutcomeOf(failed, refused bool) Outcome {
	switch {
	case !failed:
		return Done
	case refused:
		return Refused
	}
	return Failed
}

// Outcome is how one is drawn: a style, and a sign for where there are no colours.
// Where nothing is said the sign is empty.
func (s *Styles) Outcome(o Outcome) (sign text.Safe, look Style) {
	switch o {
	case Done:
		return "✓", s.Success
	case Refused:
		return "!", s.Warning
	case Failed:
		return "✗", s.Error
	}
	return "", s.Text
}
