package overlay

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Prompt asks for one line of text.
type Prompt struct {
	Heading string
	// Text explains what is asked.
	Text string
	// Check returns why the value cannot be used; nil or "" accepts.
	Check func(string) string
	// Done gets the value; it returns what to do.
	Done func(string) intent.Intent
	// Changed is called as the person types, for live effects.
	Changed func(string) intent.Intent
	Cancel  intent.Intent
	// Complete returns completions of what is typed, for tab.
	Complete func(string) []string
	// Suggest lists the first completions with what they are; they stand below the line.
	Suggest func(string) []Suggestion
	// History are earlier values, oldest first, for up and down.
	History []string

	Field   *input.Field
	problem string
	tab     int
	stem    string
	taken   int // the completion that stands in the field
	back    int // how far up the history
}

// Suggestion is a completion of what is typed: what it does and the key that
// does the same.
type Suggestion struct{ Text, Note, Key string }

// suggestionRows is how many suggestions a prompt has room for.
const suggestionRows = 8

// NewPrompt returns a prompt holding value.
func NewPrompt(heading, explain, value string, done func(string) intent.Intent) *Prompt {
	return &Prompt{Heading: heading, Text: explain, Done: done, Field: input.New(value)}
}

// Title implements Overlay.
func (p *Prompt) Title() string { return p.Heading }

// Facts implements Overlay.
func (p *Prompt) Facts() string { return "" }

// Hints implements Overlay.
func (p *Prompt) Hints() string {
	switch {
	case p.Complete != nil && p.History != nil:
		return "tab completes · ↑↓ earlier ones · enter accepts · esc cancels"
	case p.Complete != nil:
		return "tab completes · enter accepts · esc cancels"
	case p.History != nil:
		return "↑↓ earlier ones · enter accepts · esc cancels"
	}
	return "enter accepts · esc cancels"
}

// Want implements Overlay.
func (p *Prompt) Want(w, _ int) (int, int) {
	most := 72
	if p.Suggest != nil {
		most = 92
	}
	w = min(w, most)
	h := len(text.Wrap(p.Text, w)) + 3
	if p.Suggest != nil {
		h += suggestionRows
	}
	return w, h
}

// Key implements Overlay.
func (p *Prompt) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "esc":
		return intent.All{intent.Close{}, p.Cancel}
	case "enter":
		return p.accept()
	case "tab":
		p.complete(1)
		return nil
	case "shift+tab":
		p.complete(-1)
		return nil
	case "up":
		p.recall(1)
		return p.changed()
	case "down":
		p.recall(-1)
		return p.changed()
	}
	p.tab = 0
	if p.Field.Key(msg) {
		return p.changed()
	}
	return nil
}

func (p *Prompt) changed() intent.Intent {
	p.problem = ""
	if p.Changed == nil {
		return nil
	}
	return p.Changed(p.Field.Value())
}

func (p *Prompt) accept() intent.Intent {
	v := p.Field.Value()
	if p.Check != nil {
		if p.problem = text.Sanitize(p.Check(v)); p.problem != "" {
			return nil
		}
	}
	return intent.All{intent.Close{}, p.Done(v)}
}

// recall goes back (1) or forward (-1) in the history; past its newest value
// stands what was typed.
func (p *Prompt) recall(d int) {
	if len(p.History) == 0 {
		return
	}
	if p.back == 0 {
		p.stem = p.Field.Value()
	}
	p.back = min(max(p.back+d, 0), len(p.History))
	if p.back == 0 {
		p.Field.Set(p.stem)
		return
	}
	p.Field.Set(p.History[len(p.History)-p.back])
}

// complete steps through the completions of what was typed before the first tab.
func (p *Prompt) complete(d int) {
	if p.Complete == nil {
		return
	}
	if p.tab == 0 {
		p.stem = p.Field.Value()
	}
	list := p.Complete(p.stem)
	if len(list) == 0 {
		return
	}
	p.tab += d
	p.taken = ((p.tab-1)%len(list) + len(list)) % len(list)
	p.Field.Set(list[p.taken])
}

// Paste implements Overlay.
func (p *Prompt) Paste(s string) intent.Intent {
	p.Field.Paste(s)
	return p.changed()
}

// Wheel implements Overlay.
func (p *Prompt) Wheel(int) intent.Intent { return nil }

// TextField is the field that is typed into.
func (p *Prompt) TextField() *input.Field { return p.Field }

// Click implements Overlay.
func (p *Prompt) Click(int, int, bool) intent.Intent { return nil }

// Draw implements Overlay.
func (p *Prompt) Draw(w, _ int, s *style.Styles) ([]string, *image.Point) {
	var lines []string
	for _, l := range text.Wrap(p.Text, w) {
		lines = append(lines, s.Muted.Render(l))
	}
	field, x := p.Field.Draw(w-2, s)
	at := image.Point{X: x + 2, Y: len(lines)}
	lines = append(lines, s.Key.Render("> ")+field)
	if p.problem != "" {
		lines = append(lines, s.Error.Render(text.Truncate(p.problem, w)))
	}
	return append(lines, p.suggested(w, s)...), &at
}

// suggested draws the suggestions; the one that tab took last is marked.
func (p *Prompt) suggested(w int, s *style.Styles) []string {
	if p.Suggest == nil {
		return nil
	}
	stem := p.Field.Value()
	if p.tab != 0 {
		stem = p.stem
	}
	var lines []string
	for i, it := range p.Suggest(stem) {
		lead := "  "
		if p.tab != 0 && p.taken == i {
			lead = s.Cursor + " "
		}
		left := text.Pad(lead+text.Truncate(it.Text, w*2/5-3), w*2/5)
		room := w - w*2/5 - text.Width(it.Key) - 2
		lines = append(lines, s.Text.Render(left)+s.Muted.Render(text.Pad(text.Truncate(it.Note, room), room+1))+s.Key.Render(it.Key))
	}
	return lines
}
