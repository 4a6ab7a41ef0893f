package overlay

import (
	"fmt"
	"image"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Prompt asks for one line of text.
type Prompt struct {
	Base
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

// Hints implements Overlay.
func (p *Prompt) Hints() string {
	hints := "enter accepts · esc cancels"
	if p.History != nil {
		hints = "↑↓ earlier ones · " + hints
	}
	if p.Complete != nil {
		hints = "tab completes · " + hints
	}
	return hints
}

// Want implements Overlay.
func (p *Prompt) Want(w, _ int) (int, int) {
	most, rows := 72, 3
	if p.Suggest != nil {
		most, rows = 92, 3+suggestionRows
	}
	w = min(w, most)
	return w, len(text.Wrap(text.Sanitize(p.Text), w)) + rows
}

// Key implements Overlay.
func (p *Prompt) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "esc":
		return intent.All{intent.Close{}, p.Cancel}
	case "enter":
		v := p.Field.Value()
		if p.Check != nil {
			if p.problem = p.Check(v); p.problem != "" {
				return nil
			}
		}
		return intent.All{intent.Close{}, p.Done(v)}
	case "tab":
		p.complete(1)
		return nil
	case "shift+tab":
		p.complete(-1)
		return nil
	case "up":
		p.recall(1)
	case "down":
		p.recall(-1)
	default:
		p.tab = 0
		if !p.Field.Key(msg) {
			return nil
		}
	}
	return p.changed()
}

func (p *Prompt) changed() intent.Intent {
	p.problem = ""
	if p.Changed == nil {
		return nil
	}
	return p.Changed(p.Field.Value())
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

// TextField is the field that is typed into.
func (p *Prompt) TextField() *input.Field { return p.Field }

// Fit implements Overlay.
func (p *Prompt) Fit(w, _ int) { p.Field.Fit(w - 2) }

// Draw implements Overlay.
func (p *Prompt) Draw(w, _ int, s *style.Styles) ([]text.Safe, *image.Point) {
	var lines []text.Safe
	for _, l := range text.Wrap(text.Sanitize(p.Text), w) {
		lines = append(lines, s.Muted.Render(l))
	}
	field, x := p.Field.Draw(w-2, s)
	at := image.Point{X: x + 2, Y: len(lines)}
	lines = append(lines, s.Key.Render("> ")+field)
	if p.problem != "" {
		lines = append(lines, s.Error.Render(text.Truncate(text.Sanitize(p.problem), w)))
	}
	return append(lines, p.suggested(w, s)...), &at
}

// suggested draws the suggestions; the one that tab took last is marked.
func (p *Prompt) suggested(w int, s *style.Styles) []text.Safe {
	if p.Suggest == nil {
		return nil
	}
	stem := p.Field.Value()
	if p.tab != 0 {
		stem = p.stem
	}
	var lines []text.Safe
	for i, it := range p.Suggest(stem) {
		lead := text.Safe("  ")
		if p.tab != 0 && p.taken == i {
			lead = s.Cursor + " "
		}
		left := text.Pad(lead+text.Truncate(text.Sanitize(it.Text), w*2/5-3), w*2/5)
		key := text.Sanitize(it.Key)
		room := w - w*2/5 - text.Width(key) - 2
		note := text.Pad(text.Truncate(text.Sanitize(it.Note), room), room+1)
		lines = append(lines, s.Text.Render(left)+s.Muted.Render(note)+s.Key.Render(key))
	}
	return lines
}

// TextArea edits a text of several lines.
type TextArea struct {
	Heading string
	// Note says what becomes of the text.
	Note string
	// Done gets the text when it is kept.
	Done func(string) intent.Intent

	area *input.Area
	was  string
	// top is the first line shown, above how many rows stand over it.
	top, above int
}

// NewTextArea returns an editor that holds value, its cursor at the end.
func NewTextArea(heading, note, value string, done func(string) intent.Intent) *TextArea {
	return &TextArea{Heading: heading, Note: note, Done: done, was: value, area: input.NewArea(value)}
}

// Title implements Overlay.
func (t *TextArea) Title() string { return t.Heading }

// Facts implements Overlay.
func (t *TextArea) Facts() string {
	return fmt.Sprintf("line %d of %d", t.area.Row()+1, t.area.Len())
}

// Hints implements Overlay.
func (t *TextArea) Hints() string { return "esc keeps the text · ctrl+g drops the changes" }

// Want implements Overlay.
func (t *TextArea) Want(w, h int) (int, int) {
	return min(w, 90), min(max(t.area.Len()+3, 8), h*3/4)
}

// Key implements Overlay.
func (t *TextArea) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "ctrl+g":
		return intent.Close{}
	case "esc", "ctrl+s", "ctrl+j":
		if t.area.Value() == t.was {
			return intent.Close{}
		}
		return intent.All{intent.Close{}, t.Done(t.area.Value())}
	}
	t.area.Key(msg)
	return nil
}

// Paste implements Overlay.
func (t *TextArea) Paste(s string) intent.Intent {
	t.area.Insert(s)
	return nil
}

// Wheel implements Overlay.
func (t *TextArea) Wheel(d int) intent.Intent {
	t.area.MoveRows(d)
	return nil
}

// Click implements Overlay.
func (t *TextArea) Click(_, y int, _ bool) intent.Intent {
	if row := t.top + y - t.above; y >= t.above && row < t.area.Len() {
		t.area.MoveRows(row - t.area.Row())
	}
	return nil
}

// Fit implements Overlay.
func (t *TextArea) Fit(_, h int) {
	t.above = 0
	if t.Note != "" && h > 4 {
		t.above = 2
	}
	t.top = max(min(t.top, t.area.Row()), t.area.Row()-max(h-t.above, 1)+1, 0)
}

// Draw implements Overlay.
func (t *TextArea) Draw(w, h int, s *style.Styles) ([]text.Safe, *image.Point) {
	var out []text.Safe
	if t.above > 0 {
		out = append(out, s.Muted.Render(text.Truncate(text.Sanitize(t.Note), w)), "")
	}
	var at *image.Point
	for i := t.top; i < t.area.Len() && i < t.top+max(h-t.above, 1); i++ {
		l, x := t.area.Draw(i, w)
		if x >= 0 {
			at = &image.Point{X: x, Y: len(out)}
		}
		out = append(out, s.Text.Render(s.Data(l)))
	}
	return out, at
}
