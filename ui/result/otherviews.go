package result

import (
	"fmt"
	"strings"

	"patchbay/client"
	"patchbay/ui/intent"
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
	put := func(label, t string, st renderer) {
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

// rawView shows the exact bytes, made safe for the screen.
type rawView struct {
	base
	width  int
	scroll pane.Scroll
}

func (v *rawView) name() string      { return "Raw" }
func (v *rawView) tab(*Pane) string  { return "Raw" }
func (v *rawView) scope() string     { return "raw" }
func (v *rawView) fits(p *Pane) bool { return p.HasAnswer() && p.page().Size() > 0 }
func (v *rawView) reset(*Pane)       { v.scroll = pane.Scroll{} }

// rawChunk is how many bytes a row shows: a fixed number, so that any row of a
// body of any size is found without reading what stands before it.
func rawChunk(w int) int { return max(w-12, 8) }

func (v *rawView) rows(p *Pane, w int) int {
	n := rawChunk(w)
	return (p.page().Size() + n - 1) / n
}

func (v *rawView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.width = w
	n, chunk := v.rows(p, w), rawChunk(w)
	v.scroll.Fit(n, h)
	from, to := v.scroll.Window(n, h)
	out := make([]string, 0, h)
	for i := from; i < to; i++ {
		a, b := i*chunk, min((i+1)*chunk, p.page().Size())
		line := text.Sanitize(string(p.page().Env.Body.Slice(a, b)))
		num := s.Muted.Render(text.PadLeft(groupDigits(a), 9) + "  ")
		line = text.Truncate(line, w-12)
		switch {
		case i == v.scroll.Cursor && focused:
			out = append(out, num+s.Selected.Render(line))
		case p.find.matches(line):
			out = append(out, num+s.Match.Render(line))
		default:
			out = append(out, num+s.JSON(line))
		}
	}
	return out
}

func (v *rawView) move(p *Pane, _, dy int) { v.scroll.Move(dy, v.rows(p, max(v.width, 20))) }

func (v *rawView) where(p *Pane) string {
	return fmt.Sprintf("byte %s of %s", groupDigits(v.scroll.Cursor*rawChunk(max(v.width, 20))), groupDigits(p.page().Size()))
}

func (v *rawView) search(p *Pane) intent.Intent {
	if p.find.text == "" {
		return nil
	}
	return v.next(p, 1)
}

// next looks for the text in the bytes from the cursor on, at most a window at a time.
func (v *rawView) next(p *Pane, d int) intent.Intent {
	body, chunk := p.page().Env.Body, rawChunk(max(v.width, 20))
	at := findBytes(body, p.find.text, v.scroll.Cursor*chunk, d, chunk)
	if at < 0 {
		return intent.Say{Text: "the body does not hold \"" + p.find.text + "\"", Bad: true}
	}
	v.scroll.Cursor = at / chunk
	return nil
}

// findBytes returns the offset of the next (d 1) or previous (d -1) hit around an offset, wrapping; -1 without one.
func findBytes(body client.Body, t string, from, d, chunk int) int {
	const window = 1 << 20
	low := strings.ToLower(t)
	n := body.Len()
	start := min(from+chunk, n)
	if d < 0 {
		start = max(from-1, 0)
	}
	for done := 0; done <= n+window; done += window {
		a, b := start, min(start+window+len(t), n)
		if d < 0 {
			a, b = max(start-window, 0), min(start+len(t), n)
		}
		part := strings.ToLower(string(body.Slice(a, max(a, b))))
		i := strings.Index(part, low)
		if d < 0 {
			i = strings.LastIndex(part, low)
		}
		if i >= 0 {
			return a + i
		}
		if start += d * window; start >= n {
			start = 0
		} else if start < 0 {
			start = n
		}
	}
	return -1
}

func (v *rawView) click(p *Pane, _, y int, _ bool) intent.Intent {
	v.scroll.Cursor = min(v.scroll.Top+y, v.rows(p, max(v.width, 20))-1)
	return nil
}

// pagesView is the ledger: one row per page, what was sent and what came.
type pagesView struct {
	base
	scroll pane.Scroll
}

func (v *pagesView) name() string      { return "Pages" }
func (v *pagesView) scope() string     { return "pages" }
func (v *pagesView) fits(p *Pane) bool { return p.HasAnswer() && p.page().Err == nil }

func (v *pagesView) tab(p *Pane) string {
	if n := len(p.pages); n > 1 {
		return fmt.Sprintf("Pages %d", n)
	}
	return "Pages"
}

func (v *pagesView) enter(p *Pane) { v.scroll.Cursor = p.cur }

func (v *pagesView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	out := []string{s.Header.Render(text.Pad(fmt.Sprintf("  %-5s %8s %10s %10s  %s", "page", "rows", "bytes", "time", "params sent"), w))}
	v.scroll.Fit(len(p.pages), max(h-3, 1))
	from, to := v.scroll.Window(len(p.pages), max(h-3, 1))
	for i := from; i < to; i++ {
		page := p.pages[i]
		shown := " "
		if i == p.cur {
			shown = "●"
			if s.ASCII {
				shown = "*"
			}
		}
		params := text.Sanitize(string(page.Op.Params))
		if params == "" {
			params = "none"
		}
		l := text.Pad(fmt.Sprintf("%s %-5d %8s %10s %10s  %s", shown, i+1, groupDigits(page.Len()), sizeText(page.Size()), durationText(page.Took()), params), w)
		if i == v.scroll.Cursor && focused {
			out = append(out, s.Selected.Render(l))
		} else {
			out = append(out, s.Text.Render(l))
		}
	}
	last := p.pages[len(p.pages)-1]
	return append(out, "", " "+s.Muted.Render(text.Truncate(text.Sanitize(last.Next.Text()), w-2)))
}

func (v *pagesView) move(p *Pane, _, dy int) {
	v.scroll.Move(dy, len(p.pages))
	p.cur = min(max(v.scroll.Cursor, 0), len(p.pages)-1)
}

func (v *pagesView) click(p *Pane, _, y int, _ bool) intent.Intent {
	v.scroll.Cursor = min(max(v.scroll.Top+y-1, 0), len(p.pages)-1)
	p.cur = v.scroll.Cursor
	return nil
}

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
	times := fmt.Sprintf("dns %s · connect %s · tls %s · first byte %s · body %s · total %s",
		durationText(a.DNS), durationText(a.Connect), durationText(a.TLS), durationText(a.FirstByte), durationText(a.BodyTime), durationText(a.Total))
	if a.Reused {
		times = fmt.Sprintf("connection reused · first byte %s · body %s · total %s", durationText(a.FirstByte), durationText(a.BodyTime), durationText(a.Total))
	}
	out = append(out, "    "+s.Muted.Render(text.Truncate(times, w-4)))
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

func headerLines(mark string, list []client.Header, w int, s *style.Styles) []string {
	var out []string
	for _, h := range list {
		name := text.Sanitize(h.Name) + ": "
		out = append(out, "    "+s.Muted.Render(mark+" ")+s.JSONKey.Render(text.Truncate(name, w-6))+s.Text.Render(text.Truncate(text.Sanitize(h.Value), max(w-6-text.Width(name), 0))))
	}
	return out
}

func (v *wireView) move(_ *Pane, _, dy int) { v.scroll.Wheel(dy, v.n) }
