package response

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/wirelog"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// wireView shows every exchange: headers, times, sizes, retries.
type wireView struct {
	base
	sheet
	// starts are the lines that attempts begin with.
	starts []int
}

func (v *wireView) fits(in Input) bool { return in.HasAnswer() && len(in.Page().Attempts()) > 0 }

func (v *wireView) tab(in Input) text.Safe {
	if n := len(in.Page().Attempts()); n > 1 {
		return text.Sprintf("Wire %d", n)
	}
	return v.title
}

func (v *wireView) fit(in Input, w, h int) {
	n := 0
	v.starts = v.starts[:0]
	for _, a := range in.Page().Attempts() {
		v.starts = append(v.starts, n)
		n += len(attemptLines(a, w, in.wrap, plain))
	}
	v.keep(n, h)
}

func (v *wireView) lines(in Input, w, h int, s *style.Styles, _ bool) []text.Safe {
	var out []text.Safe
	for _, a := range in.Page().Attempts() {
		out = append(out, attemptLines(a, w, in.wrap, s)...)
	}
	return v.window(out, h)
}

func (v *wireView) where(Input) text.Safe {
	if v.n <= v.scroll.Height {
		return ""
	}
	at, _ := slices.BinarySearch(v.starts, v.scroll.Top+1)
	t := text.Sprintf("line %d of %d", v.scroll.Top+1, v.n)
	if len(v.starts) > 1 {
		t += text.Sprintf(", attempt %d of %d", at, len(v.starts))
	}
	return t
}

func attemptLines(a client.Attempt, w int, wrap bool, s *style.Styles) []text.Safe {
	head := fmt.Sprintf("%d  %s %s", a.N, a.Method, a.URL)
	if a.Purpose != "" && a.Purpose != "call" {
		head += "  for the " + a.Purpose
	}
	out := wrappedText(" ", head, w, wrap, s.Strong)
	status := strings.TrimSpace(fmt.Sprint(a.Status, " ", http.StatusText(a.Status)))
	if a.Error != "" {
		status = a.Error
	}
	sizes := sizesText(a)
	if line := text.Sanitize(status); text.Width(line)+2+text.Width(text.Sanitize(sizes)) <= w-4 {
		out = append(out, "    "+s.Text.Render(line)+s.Muted.Render("  "+text.Sanitize(sizes)))
	} else {
		out = append(out, wrappedText("    ", status, w, wrap, s.Text)...)
		out = append(out, wrappedText("    ", sizes, w, true, s.Muted)...)
	}
	out = append(out, wrappedText("    ", timesText(a), w, true, s.Muted)...)
	if a.Reason != "" {
		verb := "not repeated: "
		if a.Retry {
			verb = "repeated after " + quantity.Duration(a.Wait) + ": "
		}
		out = append(out, wrappedText("    ", verb+a.Reason, w, wrap, s.Warning)...)
	}
	out = append(out, headerLines("> ", a.RequestHeaders, w, wrap, s)...)
	if len(a.RequestBody) > 0 {
		for _, l := range wrappedText("", string(a.RequestBody), w-6, wrap, style.Style{}) {
			out = append(out, "    "+s.Muted.Render("> ")+text.Truncate(s.JSON(l), max(w-6, 0)))
		}
	}
	return append(append(out, headerLines("< ", a.ResponseHeaders, w, wrap, s)...), "")
}

// wrappedText is a text, made harmless, behind a blank, cut or wrapped.
func wrappedText(lead text.Safe, t string, w int, wrap bool, st style.Style) []text.Safe {
	room := max(w-len(lead), 1)
	lines := []text.Safe{text.Truncate(text.Sanitize(t), room)}
	if wrap {
		lines = text.Wrap(text.Sanitize(t), room)
	}
	for i := range lines {
		lines[i] = lead + st.Render(lines[i])
	}
	return lines
}

// sizesText says how much went over the wire each way.
func sizesText(a client.Attempt) string {
	t := a.Proto
	if a.Remote != "" {
		t += " with " + a.Remote
	}
	t += "  sent " + quantity.Size(int64(a.RequestBytes)) + ", received "
	if a.WireBytes > 0 && a.WireBytes != a.ResponseBytes {
		t += quantity.Size(int64(a.WireBytes)) + ", unpacked "
	}
	return strings.TrimSpace(t + quantity.Size(int64(a.ResponseBytes)))
}

// timesText says how long the steps of an attempt took. Steps that did not
// happen are left out: a connection used again asks no name server.
func timesText(a client.Attempt) string {
	var parts []string
	if a.Reused {
		parts = append(parts, "connection reused")
	}
	for _, step := range []struct {
		name string
		took time.Duration
	}{{"dns", a.DNS}, {"connect", a.Connect}, {"tls", a.TLS}, {"first byte", a.FirstByte}, {"server", a.Server},
		{"body", a.BodyTime}} {
		if step.took > 0 {
			parts = append(parts, step.name+" "+quantity.Duration(step.took))
		}
	}
	return strings.Join(append(parts, "total "+quantity.Duration(a.Total)), " · ")
}

// labelled puts a label before the first of some lines, and blanks before the others.
func labelled(label text.Safe, lines []text.Safe) []text.Safe {
	for i := range lines {
		lines[i] = label + lines[i]
		label = text.Spaces(text.Width(label))
	}
	return lines
}

func headerLines(mark text.Safe, list []client.Header, w int, wrap bool, s *style.Styles) []text.Safe {
	var out []text.Safe
	for _, h := range list {
		name := text.Truncate(text.Sanitize(h.Name)+": ", max(w-6, 0))
		lines := wrappedText("", h.Value, w-6-text.Width(name), wrap, s.Text)
		for _, l := range labelled(s.JSONKey.Render(name), lines) {
			out = append(out, text.Truncate("    "+s.Muted.Render(mark)+l, w))
		}
	}
	return out
}

// exports write the exchange shown, and those of all pages of the run.
func (v *wireView) exports(in Input) []Export {
	out := wireExports("", in.wirelog, in.Page())
	if len(in.pages) > 1 {
		out = append(out, wireExports(fmt.Sprintf(" of all %d pages", len(in.pages)), in.wirelog, in.pages...)...)
	}
	return out
}

func wireExports(of string, o wirelog.Options, list ...*answer.Page) []Export {
	whole := make([]wirelog.Call, len(list))
	bare := make([]wirelog.Call, len(list))
	for i, page := range list {
		whole[i] = wirelog.Call{Attempts: page.Attempts(), Envelope: page.Env}
		bare[i] = wirelog.Call{Attempts: page.Attempts()}
	}
	return []Export{
		{Title: "HTTP archive (HAR)" + of, What: "archive", Detail: "Secrets are left out, bodies over 1 MiB are cut.",
			File: "patchbay.har",
			Write: func(ctx context.Context, w io.Writer) error {
				return wirelog.HAR(contextWriter{ctx, w}, whole, o)
			}},
		{Title: "Text like curl -v" + of, What: "exchange",
			Detail: "Secrets are left out, and so are the bodies of answers.", File: "patchbay.txt",
			Write: func(ctx context.Context, w io.Writer) error {
				return wirelog.Text(contextWriter{ctx, w}, bare, o)
			}},
	}
}
