package overlay

import (
	"fmt"
	"image"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// TextArea edits a text of several lines. The editing is that of bubbles'
// textarea, the drawing our own.
type TextArea struct {
	Heading string
	// Note says what becomes of the text.
	Note string
	// Done gets the text when it is kept.
	Done func(string) intent.Intent

	area textarea.Model
	was  string
	top  int
}

// NewTextArea returns an editor that holds value, its cursor at the end.
func NewTextArea(heading, note, value string, done func(string) intent.Intent) *TextArea {
	t := &TextArea{Heading: heading, Note: note, Done: done, was: value, area: textarea.New()}
	t.area.ShowLineNumbers = false
	t.area.CharLimit, t.area.MaxHeight, t.area.MaxWidth = 0, 0, 0
	t.area.SetWidth(1 << 15) // lines are not wrapped, so that rows are lines
	t.area.SetHeight(1 << 10)
	t.area.SetValue(value)
	t.area.Focus()
	return t
}

// Title implements Overlay.
func (t *TextArea) Title() string { return t.Heading }

// Facts implements Overlay.
func (t *TextArea) Facts() string {
	return fmt.Sprintf("line %d of %d", t.area.Line()+1, t.area.LineCount())
}

// Hints implements Overlay.
func (t *TextArea) Hints() string { return "ctrl+s or esc keeps the text · ctrl+g drops the changes" }

// Want implements Overlay.
func (t *TextArea) Want(w, h int) (int, int) {
	return min(w, 90), min(max(t.area.LineCount()+3, 8), h*3/4)
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
	t.area, _ = t.area.Update(msg)
	return nil
}

// Paste implements Overlay.
func (t *TextArea) Paste(s string) intent.Intent {
	t.area.InsertString(strings.ReplaceAll(s, "\r\n", "\n"))
	return nil
}

// Wheel implements Overlay.
func (t *TextArea) Wheel(d int) intent.Intent {
	for range max(d, 0) {
		t.area.CursorDown()
	}
	for range max(-d, 0) {
		t.area.CursorUp()
	}
	return nil
}

// Click implements Overlay.
func (t *TextArea) Click(int, int, bool) intent.Intent { return nil }

// Draw implements Overlay.
func (t *TextArea) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	var out []string
	if t.Note != "" && h > 4 {
		out = append(out, s.Muted.Render(text.Truncate(t.Note, w)), "")
	}
	rows := strings.Split(t.area.Value(), "\n")
	room := max(h-len(out), 1)
	line := t.area.Line()
	t.top = max(min(t.top, line), line-room+1, 0)
	col := t.column(rows[min(line, len(rows)-1)])
	left := max(col-(w-2), 0)
	at := &image.Point{X: col - left, Y: len(out) + line - t.top}
	for i := t.top; i < len(rows) && i < t.top+room; i++ {
		l := shownLine(rows[i])
		if left > 0 {
			l = text.TruncateLeft(l, max(text.Width(l)-left, 0))
		}
		out = append(out, s.Text.Render(text.Truncate(l, w)))
	}
	return out, at
}

func shownLine(l string) string { return text.Sanitize(strings.ReplaceAll(l, "\t", "  ")) }

// column is the cell of the text cursor in its line.
func (t *TextArea) column(row string) int {
	info := t.area.LineInfo()
	runes := []rune(row)
	n := min(info.StartColumn+info.ColumnOffset, len(runes))
	return text.Width(shownLine(string(runes[:n])))
}
