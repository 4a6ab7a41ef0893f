package response

import (
	"strings"

	"patchbay/client/answer"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Insists is how a person has a page fetched that would lead nowhere.
const Insists = "m asks all the same"

// LeadsNowhere says why it is pointless to ask for the page after the last one; ""
// where it is not, or where nothing asks for one.
func (in Input) LeadsNowhere() string {
	if last := in.Last(); last == nil || last.Next.State != answer.More || !in.inLedger() {
		return ""
	}
	v, _ := in.ledger.Blocked()
	return v.Text
}

// fault is the worst that is wrong with the paging, beside that the next page is not
// known, which is told anyway; "" where nothing is.
func (in Input) fault(next answer.Next) string {
	for _, told := range answer.Tell(in.verdicts()) {
		if !told.Note && (next.State != answer.Unknown || !strings.Contains(told.Text, next.Why)) {
			return told.Sentence()
		}
	}
	return ""
}

// faultStatus names what is wrong with the paging in the status line: with what the next
// page would send where both have room.
func (in Input) faultStatus(where text.Safe, next answer.Next, w int, s *style.Styles) []text.Safe {
	if why := in.LeadsNowhere(); why != "" {
		return told(where, text.Sanitize(why+"; "+Insists), w, s, &s.Error)
	}
	fault := text.Sanitize(in.fault(next))
	with := fault + " │ " + text.Sanitize(next.Short())
	if text.Width(where)+3+text.Width(with) <= w {
		fault = with
	}
	return told(where, fault, w, s, &s.Warning)
}

// pageOutcome is how the ledger marks a page: by what is odd about it.
func (in Input) pageOutcome(i int) style.Outcome {
	out := OutcomeOf(in.pages[i])
	for _, v := range in.verdicts() {
		switch {
		case v.Page != i:
		case !v.Note:
			return style.Failed
		default:
			out = style.Refused
		}
	}
	return out
}
