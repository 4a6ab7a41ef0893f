package response

import (
	"fmt"

	"patchbay/client"
	"patchbay/client/quantity"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// errorView says what went wrong, in which layer, and what to do.
type errorView struct {
	base
	sheet
}

func (v *errorView) fits(in Input) bool { return in.HasAnswer() && in.Page().Err != nil }
func (v *errorView) reset(Input)        { v.sheet = sheet{} }

var classWords = map[client.Class]string{
	client.ClassAuth: "Not signed in", client.ClassScope: "Not allowed", client.ClassNotFound: "Not found",
	client.ClassInvalid: "The request is wrong", client.ClassRefused: "Refused",
	client.ClassRateLimited: "Too many requests",
	client.ClassUpstream:    "The other side failed", client.ClassNetwork: "No connection",
	client.ClassTLS:     "No trusted connection",
	client.ClassTimeout: "No answer in time", client.ClassCanceled: "Cancelled",
	client.ClassBadResponse: "An answer that cannot be read",
	client.ClassConfig:      "Settings are missing or wrong", client.ClassOther: "It did not work",
}

func (v *errorView) fit(in Input, w, h int) { v.keep(len(failureLines(in, w, plain)), h) }

func (v *errorView) lines(in Input, w, h int, s *style.Styles, _ bool) []text.Safe {
	return v.window(failureLines(in, w, s), h)
}

func failureLines(in Input, w int, s *style.Styles) []text.Safe {
	e := in.Page().Err
	head := text.Sanitize(classWords[e.Class])
	if e.Status != 0 {
		head += text.Sprintf("  (HTTP %d)", e.Status)
	}
	out := []text.Safe{" " + s.Error.Render(head) + s.Muted.Render("   in: "+text.Sanitize(string(e.Layer))), ""}
	put := func(label text.Safe, t string, st style.Style) {
		if t != "" {
			lines := wrappedText("", t, max(w-16, 20), true, st)
			out = append(out, labelled(" "+s.Muted.Render(text.Pad(label, 13)), lines)...)
		}
	}
	put("what", e.Message, s.Text)
	put("field", e.Field, s.Warning)
	put("do next", e.Advice(), s.Success)
	out = append(out, "")
	put("server said", e.Server, s.Text)
	put("tried to", e.Doing, s.Text)
	if e.RetryAfter > 0 {
		put("wait", quantity.Duration(e.RetryAfter)+", the server asks", s.Text)
	}
	put("request id", e.RequestID, s.Text)
	if n := client.Calls(in.Page().Attempts()); n > 0 {
		put("attempts", fmt.Sprintf("%d; the Wire view shows each", n), s.Muted)
	}
	return out
}

func (v *errorView) copies(in Input) []CopyOption {
	e := in.Page().Err
	report := fmt.Sprintf("%s\nclass: %s\nlayer: %s\nstatus: %d\nserver: %s\nrequest id: %s\n", e.Error(), e.Class,
		e.Layer, e.Status, e.Server, e.RequestID)
	return append([]CopyOption{fixed("Error as a report", "error report", report)}, bodyCopies(in)...)
}
