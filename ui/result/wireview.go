package result

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
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
	// starts are the lines that attempts begin with.
	starts []int
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
	v.starts = v.starts[:0]
	for _, a := range p.page().Attempts() {
		v.starts = append(v.starts, len(out))
		out = append(out, attemptLines(a, w, p.wrap, s)...)
	}
	v.n = len(out)
	v.scroll.Height = h
	v.scroll.Wheel(0, v.n)
	return out[min(v.scroll.Top, max(len(out)-1, 0)):]
}

func (v *wireView) where(*Pane) string {
	if v.n <= v.scroll.Height {
		return ""
	}
	at, _ := slices.BinarySearch(v.starts, v.scroll.Top+1)
	t := fmt.Sprintf("line %d of %d", v.scroll.Top+1, v.n)
	if len(v.starts) > 1 {
		t += fmt.Sprintf(", attempt %d of %d", at, len(v.starts))
	}
	return t
}

func attemptLines(a client.Attempt, w int, wrap bool, s *style.Styles) []string {
	head := fmt.Sprintf("%d  %s %s", a.N, a.Method, text.Sanitize(a.URL))
	if a.Purpose != "" && a.Purpose != "call" {
		head += "  for the " + text.Sanitize(a.Purpose)
	}
	out := wrappedText(" ", head, w, wrap, s.Strong)
	status := strings.TrimSpace(fmt.Sprint(a.Status, " ", http.StatusText(a.Status)))
	if a.Error != "" {
		status = text.Sanitize(a.Error)
	}
	sizes := "  " + sizesText(a)
	if text.Width(status+sizes) <= w-4 {
		out = append(out, "    "+s.Text.Render(status)+s.Muted.Render(sizes))
	} else {
		out = append(out, wrappedText("    ", status, w, wrap, s.Text)...)
		out = append(out, wrappedText("    ", strings.TrimSpace(sizes), w, true, s.Muted)...)
	}
	out = append(out, wrappedText("    ", timesText(a), w, true, s.Muted)...)
	if a.Reason != "" {
		verb := "not repeated: "
		if a.Retry {
			verb = "repeated after " + durationText(a.Wait) + ": "
		}
		out = append(out, wrappedText("    ", verb+text.Sanitize(a.Reason), w, wrap, s.Warning)...)
	}
	out = append(out, headerLines("> ", a.RequestHeaders, w, wrap, s)...)
	if len(a.RequestBody) > 0 {
		for _, l := range wrappedText("", text.Sanitize(string(a.RequestBody)), w-6, wrap, style.Style{}) {
			out = append(out, "    "+s.Muted.Render("> ")+text.Truncate(s.JSON(l), max(w-6, 0)))
		}
	}
	return append(append(out, headerLines("< ", a.ResponseHeaders, w, wrap, s)...), "")
}

// wrappedText is a text behind a blank, cut or wrapped.
func wrappedText(lead, t string, w int, wrap bool, st style.Style) []string {
	room := max(w-len(lead), 1)
	lines := []string{text.Truncate(t, room)}
	if wrap {
		lines = text.Wrap(t, room)
	}
	for i := range lines {
		lines[i] = lead + st.Render(lines[i])
	}
	return lines
}

// sizesText tells how much went over the wire each way.
func sizesText(a client.Attempt) string {
	t := text.Sanitize(a.Proto)
	if a.Remote != "" {
		t += " with " + text.Sanitize(a.Remote)
	}
	t += "  sent " + sizeText(int(a.RequestBytes)) + ", received "
	if a.WireBytes > 0 && a.WireBytes != a.ResponseBytes {
		t += sizeText(int(a.WireBytes)) + ", unpacked "
	}
	return strings.TrimSpace(t + sizeText(int(a.ResponseBytes)))
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

func headerLines(mark string, list []client.Header, w int, wrap bool, s *style.Styles) []string {
	var out []string
	for _, h := range list {
		name := text.Truncate(text.Sanitize(h.Name)+": ", max(w-6, 0))
		lines := wrappedText("", text.Sanitize(h.Value), w-6-text.Width(name), wrap, s.Text)
		for i, l := range lines {
			lead := s.JSONKey.Render(name)
			if i > 0 {
				lead = strings.Repeat(" ", text.Width(name))
			}
			out = append(out, text.Truncate("    "+s.Muted.Render(mark)+lead+l, w))
		}
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
