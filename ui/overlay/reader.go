package overlay

import (
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
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

	scroll  pane.Scroll
	wrapped []drawn
	width   int
	search  *input.Field
	query   string
}

type drawn struct {
	text string
	line int
	tone Tone
	pre  string
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
	if r.Wide {
		w = min(w, 140)
	} else {
		w = min(w, 92)
	}
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
		label := ""
		if l.Label != "" {
			label = text.Pad(l.Label, max(l.LabelWidth, text.Width(l.Label))) + "  "
		}
		room := max(w-l.Indent-text.Width(label), 8)
		for j, part := range text.Wrap(l.Text, room) {
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
	if r.search != nil {
		return r.searchKey(msg)
	}
	n := len(r.wrapped)
	key := msg.String()
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
	what, t := r.CopyWhat, r.CopyText
	if what == "" {
		what = "text"
	}
	if t == "" {
		var b strings.Builder
		for _, l := range r.Body {
			b.WriteString(strings.TrimRight(text.Spaces(l.Indent)+l.Label+" "+l.Text, " "))
			b.WriteByte('\n')
		}
		t = b.String()
	}
	return intent.Copy{Text: t, What: what}
}

func (r *Reader) searchKey(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "esc":
		r.search, r.query = nil, ""
	case "enter":
		r.query, r.search = r.search.Value(), nil
		r.find(0)
	default:
		r.search.Key(msg)
	}
	return nil
}

// find scrolls to the next (d 1), previous (-1) or first (0) line that holds the query.
func (r *Reader) find(d int) {
	q := strings.ToLower(r.query)
	if q == "" {
		return
	}
	step := d
	if d == 0 {
		step = 1
	}
	n := len(r.wrapped)
	for i := 1; i <= n; i++ {
		at := ((r.scroll.Top+step*i-(1-abs(d))*step)%n + n) % n
		if strings.Contains(strings.ToLower(r.wrapped[at].pre+r.wrapped[at].text), q) {
			r.scroll.Wheel(at-r.scroll.Top, n)
			return
		}
	}
}

func abs(n int) int { return max(n, -n) }

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

// Click implements Overlay.
func (r *Reader) Click(int, int, bool) intent.Intent { return nil }

// Draw implements Overlay.
func (r *Reader) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	r.wrap(w)
	if r.search != nil {
		h--
	}
	r.scroll.Height = h
	r.scroll.Wheel(0, len(r.wrapped))
	var lines []string
	for i := r.scroll.Top; i < len(r.wrapped) && len(lines) < h; i++ {
		d := r.wrapped[i]
		if r.Data || d.tone == JSON {
			d.text = s.Data(d.text)
		}
		var body string
		switch {
		case r.query != "" && strings.Contains(strings.ToLower(d.text), strings.ToLower(r.query)):
			body = s.Match.Render(d.text)
		case d.tone == JSON:
			body = s.JSON(d.text)
		default:
			body = toneStyle(d.tone, s).Render(d.text)
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

func toneStyle(t Tone, s *style.Styles) style.Style {
	switch t {
	case Heading:
		return s.Header
	case Dim:
		return s.Muted
	case Good:
		return s.Success
	case Bad:
		return s.Error
	case Warn:
		return s.Warning
	case Accent:
		return s.Accent
	}
	return s.Text
}
