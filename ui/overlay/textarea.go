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

// Draw implements Overlay.
func (t *TextArea) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	var out []string
	if t.Note != "" && h > 4 {
		out = append(out, s.Muted.Render(text.Truncate(t.Note, w)), "")
	}
	t.above = len(out)
	room := max(h-len(out), 1)
	t.top = max(min(t.top, t.area.Row()), t.area.Row()-room+1, 0)
	var at *image.Point
	for i := t.top; i < t.area.Len() && i < t.top+room; i++ {
		l, x := t.area.Draw(i, w)
		if x >= 0 {
			at = &image.Point{X: x, Y: len(out)}
		}
		out = append(out, s.Text.Render(s.Data(l)))
	}
	return out, at
}
