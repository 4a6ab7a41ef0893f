package response

import (
	"patchbay/client/answer"
	"patchbay/ui/style"
)

// Outcome is how the call shown ended; of documents nothing is said.
func (p *Pane) Outcome() style.Outcome { return OutcomeOf(p.Page()) }

// OutcomeOf is how the call of a page ended; of documents nothing is said.
func OutcomeOf(page *answer.Page) style.Outcome {
	if page == nil || page.Document != nil {
		return style.NoOutcome
	}
	return style.OutcomeOf(page.Err != nil, page.Err != nil && page.Err.Class.Refused())
}
