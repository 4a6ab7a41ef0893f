package result

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// wireView shows every exchange: headers, times, sizes, retries.
type wireView struct {
	base
	scroll pane.Scroll
	n      int
}

func (v *wireView) name() string      { return "Wire" }
func (v *wireView) scope() string     { return "wire" }
func (v *wireView) fits(p *Pane) bool { return p.HasAnswer() && len(p.page().Attempts()) > 0 }

func (v *wireView) tab(p *Pane) string {
	if n := len(p.page().Attempts()); n > 1 {
		return fmt.Sprintf("Wire %d", n)
	}
	return "Wire"
}

func (v *wireView) lines(p *Pane, w, h int, s *style.Styles, _ bool) []string {
	var out []string
	for _, a := range p.page().Attempts() {
		out = append(out, attemptLines(a, w, s)...)
	}
	v.n = len(out)
	v.scroll.Height = h
	v.scroll.Wheel(0, v.n)
	return out[min(v.scroll.Top, max(len(out)-1, 0)):]
}

func attemptLines(a client.Attempt, w int, s *style.Styles) []string {
	head := fmt.Sprintf(" %d  %s %s", a.N, a.Method, text.Sanitize(a.URL))
	out := []string{s.Strong.Render(text.Truncate(head, w))}
	status := fmt.Sprintf("%d", a.Status)
	if a.Error != "" {
		status = text.Sanitize(a.Error)
	}
	out = append(out, "    "+s.Text.Render(status)+s.Muted.Render(text.Truncate(fmt.Sprintf("  %s  sent %s, received %s", a.Proto, sizeText(int(a.RequestBytes)), sizeText(int(a.ResponseBytes))), max(w-8-text.Width(status), 0))))
	for _, l := range text.Wrap(timesText(a), w-4) {
		out = append(out, "    "+s.Muted.Render(l))
	}
	if a.Reason != "" {
		verb := "not repeated: "
		if a.Retry {
			verb = "repeated after " + durationText(a.Wait) + ": "
		}
		out = append(out, "    "+s.Warning.Render(text.Truncate(verb+text.Sanitize(a.Reason), w-4)))
	}
	out = append(out, headerLines(">", a.RequestHeaders, w, s)...)
	if len(a.RequestBody) > 0 {
		out = append(out, "    "+s.Muted.Render("> ")+text.Truncate(s.JSON(text.Truncate(text.Sanitize(string(a.RequestBody)), w-6)), w-6))
	}
	return append(append(out, headerLines("<", a.ResponseHeaders, w, s)...), "")
}

// timesText tells how long the steps of an attempt took. Steps that did not
// happen are left out: a connection used again asks no name server.
func timesText(a client.Attempt) string {
	var parts []string
	if a.Reused {
		parts = append(parts, "connection reused")
	}
	for _, step := range []struct {
		name string
		took time.Duration
	}{{"dns", a.DNS}, {"connect", a.Connect}, {"tls", a.TLS}, {"first byte", a.FirstByte}, {"server", a.Server}, {"body", a.BodyTime}} {
		if step.took > 0 {
			parts = append(parts, step.name+" "+durationText(step.took))
		}
	}
	return strings.Join(append(parts, "total "+durationText(a.Total)), " · ")
}

func headerLines(mark string, list []client.Header, w int, s *style.Styles) []string {
	var out []string
	for _, h := range list {
		name := text.Sanitize(h.Name) + ": "
		out = append(out, "    "+s.Muted.Render(mark+" ")+s.JSONKey.Render(text.Truncate(name, w-6))+s.Text.Render(text.Truncate(text.Sanitize(h.Value), max(w-6-text.Width(name), 0))))
	}
	return out
}

func (v *wireView) move(_ *Pane, _, dy int) { v.scroll.Wheel(dy, v.n) }

func (v *wireView) copies(p *Pane) []CopyOption {
	var out []CopyOption
	for _, e := range wireExports(p) {
		out = append(out, CopyOption{Title: e.Title, What: e.What, Text: func(ctx context.Context) (string, error) {
			var b bytes.Buffer
			err := e.Write(ctx, &b)
			return b.String(), err
		}})
	}
	return append(out, bodyCopies(p)...)
}
