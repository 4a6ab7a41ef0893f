package overlay

import (
	"cmp"
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Tone is how a line of a Reader is drawn.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Heading
	Dim
	Good
	Bad
	Warn
	Accent
	JSON // highlighted as JSON
)

// Line is one paragraph of a Reader; Indent cells stand before it and before its continuation.
type Line struct {
	Text   string
	Tone   Tone
	Indent int
	// Label is drawn in accent before the text, padded to LabelWidth.
	Label      string
	LabelWidth int
}

// Reader shows a text to read, search and copy.
type Reader struct {
	Base
	Heading string
	Body    []Line
	// CopyText is what y copies, CopyWhat names it; the body's text when empty.
	CopyText, CopyWhat string
	// Keys are further keys and what they ask; KeyHelp names them in the lower edge.
	Keys    map[string]intent.Intent
	KeyHelp string
	// Data tells that the whole text is data, none of it ours.
	Data bool
	// Wide asks for the full width.
	Wide bool

	scroll  input.Scroll
	wrapped []drawn
	width   int
	search  *input.Field
	query   string
}

type drawn struct {
	text, pre text.Safe
	line      int
	tone      Tone
}

// Title implements Overlay.
func (r *Reader) Title() string { return r.Heading }

// Facts implements Overlay.
func (r *Reader) Facts() string {
	n := len(r.wrapped)
	if n <= r.scroll.Height || r.scroll.Height <= 0 {
		return ""
	}
	return fmt.Sprintf("lines %d-%d of %d", r.scroll.Top+1, min(r.scroll.Top+r.scroll.Height, n), n)
}

// Hints implements Overlay.
func (r *Reader) Hints() string {
	h := "↑↓ scroll · / search · y copy · esc closes"
	if r.KeyHelp != "" {
		h = r.KeyHelp + " · " + h
	}
	return h
}

// Want implements Overlay.
func (r *Reader) Want(w, h int) (int, int) {
	most := 92
	if r.Wide {
		most = 140
	}
	w = min(w, most)
	r.wrap(w)
	return w, min(max(len(r.wrapped), 3), h)
}

func (r *Reader) wrap(w int) {
	if w == r.width {
		return
	}
	r.width, r.wrapped = w, nil
	for i, l := range r.Body {
		pre := text.Spaces(l.Indent)
		label := text.Sanitize(l.Label)
		if label != "" {
			label = text.Pad(label, max(l.LabelWidth, text.Width(label))) + "  "
		}
		room := max(w-l.Indent-text.Width(label), 8)
		for j, part := range text.Wrap(text.Sanitize(l.Text), room) {
			d := drawn{text: part, line: i, tone: l.Tone, pre: pre + text.Spaces(text.Width(label))}
			if j == 0 {
				d.pre = pre + label
			}
			r.wrapped = append(r.wrapped, d)
		}
	}
}

// Key implements Overlay.
func (r *Reader) Key(msg tea.KeyPressMsg) intent.Intent {
	n, key := len(r.wrapped), msg.String()
	switch {
	case r.search != nil && key == "esc":
		r.search, r.query = nil, ""
		return nil
	case r.search != nil && key == "enter":
		r.query, r.search = r.search.Value(), nil
		r.find(0)
		return nil
	case r.search != nil:
		r.search.Key(msg)
		return nil
	}
	if in, ok := r.Keys[key]; ok {
		return in
	}
	switch key {
	case "esc", "q", "enter":
		return intent.Close{}
	case "down", "j":
		r.scroll.Wheel(1, n)
	case "up", "k":
		r.scroll.Wheel(-1, n)
	case "pgdown", "ctrl+d", "space":
		r.scroll.Wheel(max(r.scroll.Height-1, 1), n)
	case "pgup", "ctrl+u":
		r.scroll.Wheel(-max(r.scroll.Height-1, 1), n)
	case "g", "home":
		r.scroll.Wheel(-n, n)
	case "G", "end":
		r.scroll.Wheel(n, n)
	case "/":
		r.search = input.New("")
	case "n":
		r.find(1)
	case "N":
		r.find(-1)
	case "y":
		return r.copy()
	}
	return nil
}

func (r *Reader) copy() intent.Intent {
	t := r.CopyText
	if t == "" {
		var b strings.Builder
		for _, l := range r.Body {
			b.WriteString(strings.TrimRight(string(text.Spaces(l.Indent)+text.Sanitize(l.Label+" "+l.Text)), " "))
			b.WriteByte('\n')
		}
		t = b.String()
	}
	return intent.Copy{Text: t, What: cmp.Or(r.CopyWhat, "text")}
}

// find scrolls to the next (d 1), previous (-1) or first (0) line that holds the query.
func (r *Reader) find(d int) {
	q := strings.ToLower(r.query)
	if q == "" {
		return
	}
	n := len(r.wrapped)
	for i := range n {
		at := ((r.scroll.Top+d+i*cmp.Or(d, 1))%n + n) % n
		if strings.Contains(strings.ToLower(string(r.wrapped[at].pre+r.wrapped[at].text)), q) {
			r.scroll.Wheel(at-r.scroll.Top, n)
			return
		}
	}
}

// Paste implements Overlay.
func (r *Reader) Paste(s string) intent.Intent {
	if r.search != nil {
		r.search.Paste(s)
	}
	return nil
}

// Wheel implements Overlay.
func (r *Reader) Wheel(d int) intent.Intent {
	r.scroll.Wheel(d, len(r.wrapped))
	return nil
}

// TextField is the field that is typed into; nil while nothing is searched.
func (r *Reader) TextField() *input.Field { return r.search }

// Fit implements Overlay.
func (r *Reader) Fit(w, h int) {
	r.wrap(w)
	if r.search != nil {
		h--
		r.search.Fit(w - 2)
	}
	r.scroll.Height = h
	r.scroll.Wheel(0, len(r.wrapped))
}

// Draw implements Overlay.
func (r *Reader) Draw(w, h int, s *style.Styles) ([]text.Safe, *image.Point) {
	if r.search != nil {
		h--
	}
	var lines []text.Safe
	for i := r.scroll.Top; i < len(r.wrapped) && len(lines) < h; i++ {
		d := r.wrapped[i]
		if r.Data || d.tone == JSON {
			d.text = s.Data(d.text)
		}
		var body text.Safe
		switch {
		case r.query != "" && strings.Contains(strings.ToLower(string(d.text)), strings.ToLower(r.query)):
			body = s.Match.Render(d.text)
		case d.tone == JSON:
			body = s.JSON(d.text)
		default:
			body = [...]style.Style{Plain: s.Text, Heading: s.Header, Dim: s.Muted, Good: s.Success, Bad: s.Error,
				Warn: s.Warning, Accent: s.Accent}[d.tone].Render(d.text)
		}
		lines = append(lines, s.Accent.Render(d.pre)+body)
	}
	if r.search == nil {
		return lines, nil
	}
	for len(lines) < h {
		lines = append(lines, "")
	}
	l, x := r.search.Draw(w-2, s)
	return append(lines, s.Key.Render("/ ")+l), &image.Point{X: x + 2, Y: h}
}

// Live is a Reader whose text grows while something is under way.
type Live struct {
	Reader
	// Running is shown in the lower edge while it is not empty.
	Running string
	// Stop is performed when the overlay closes.
	Stop intent.Intent

	// left is set once the person scrolled away from the end.
	left bool
}

// Set puts lines in place of those that are there. The window follows its end unless
// the person scrolled away from it.
func (l *Live) Set(lines []Line) {
	l.Body = lines
	l.width = -1
}

// Wheel implements Overlay.
func (l *Live) Wheel(d int) intent.Intent {
	l.Reader.Wheel(d)
	l.scrolled()
	return nil
}

func (l *Live) scrolled() { l.left = l.scroll.Top+l.scroll.Height < len(l.wrapped) }

// Hints implements Overlay.
func (l *Live) Hints() string {
	if l.Running != "" {
		return l.Running + " · esc stops and closes"
	}
	return l.Reader.Hints()
}

// Want implements Overlay.
func (l *Live) Want(w, h int) (int, int) {
	w, n := l.Reader.Want(w, h)
	return w, min(max(n, 12), h)
}

// Key implements Overlay.
func (l *Live) Key(msg tea.KeyPressMsg) intent.Intent {
	in := l.Reader.Key(msg)
	if _, closes := in.(intent.Close); closes {
		return intent.All{intent.Close{}, l.Stop}
	}
	l.scrolled()
	return in
}

// Fit implements Overlay.
func (l *Live) Fit(w, h int) {
	if !l.left {
		l.wrap(w)
		l.scroll.Top = len(l.wrapped)
	}
	l.Reader.Fit(w, h)
}
