package result

import (
	"fmt"

	"patchbay/client"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// errorView says what went wrong, in which layer, and what to do.
type errorView struct {
	base
	scroll pane.Scroll
	n      int
}

func (v *errorView) name() string      { return "Error" }
func (v *errorView) tab(*Pane) string  { return "Error" }
func (v *errorView) scope() string     { return "error" }
func (v *errorView) fits(p *Pane) bool { return p.HasAnswer() && p.page().Err != nil }
func (v *errorView) reset(*Pane)       { v.scroll = pane.Scroll{} }

var classWords = map[client.Class]string{
	client.ClassAuth: "Not signed in", client.ClassScope: "Not allowed", client.ClassNotFound: "Not found",
	client.ClassInvalid: "The request is wrong", client.ClassRefused: "Refused", client.ClassRateLimited: "Too many requests",
	client.ClassUpstream: "The other side failed", client.ClassNetwork: "No connection", client.ClassTLS: "No trusted connection",
	client.ClassTimeout: "No answer in time", client.ClassCanceled: "Cancelled", client.ClassBadResponse: "An answer that cannot be read",
	client.ClassConfig: "Settings are missing or wrong", client.ClassOther: "It did not work",
}

func (v *errorView) lines(p *Pane, w, h int, s *style.Styles, _ bool) []string {
	e := p.page().Err
	head := classWords[e.Class]
	if e.Status != 0 {
		head += fmt.Sprintf("  (HTTP %d)", e.Status)
	}
	out := []string{" " + s.Error.Render(head) + s.Muted.Render("   in: "+string(e.Layer)), ""}
	put := func(label, t string, st style.Style) {
		if t == "" {
			return
		}
		for i, l := range text.Wrap(text.Sanitize(t), max(w-16, 20)) {
			lab := text.Pad("", 13)
			if i == 0 {
				lab = text.Pad(label, 13)
			}
			out = append(out, " "+s.Muted.Render(lab)+st.Render(l))
		}
	}
	put("what", e.Message, s.Text)
	put("field", e.Field, s.Warning)
	put("do next", e.Next, s.Success)
	out = append(out, "")
	put("server said", e.Server, s.Text)
	put("tried to", e.Doing, s.Text)
	if e.RetryAfter > 0 {
		put("wait", durationText(e.RetryAfter)+", the server asks", s.Text)
	}
	put("request id", e.RequestID, s.Text)
	if n := len(p.page().Attempts()); n > 0 {
		put("attempts", fmt.Sprintf("%d; the Wire view shows each", n), s.Muted)
	}
	v.n = len(out)
	v.scroll.Height = h
	v.scroll.Wheel(0, v.n)
	return out[min(v.scroll.Top, max(len(out)-1, 0)):]
}

func (v *errorView) move(_ *Pane, _, dy int) { v.scroll.Wheel(dy, v.n) }

func (v *errorView) copies(p *Pane) []CopyOption {
	e := p.page().Err
	report := fmt.Sprintf("%s\nclass: %s\nlayer: %s\nstatus: %d\nserver: %s\nrequest id: %s\n", e.Error(), e.Class, e.Layer, e.Status, e.Server, e.RequestID)
	return append([]CopyOption{fixed("Error as a report", "error report", report)}, bodyCopies(p)...)
}
