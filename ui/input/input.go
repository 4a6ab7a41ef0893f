// Package input is a one-line text field: the editing is that of bubbles'
// textinput, the drawing is our own so that pasted text is harmless on screen.
package input

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Field is a one-line text field. Use New.
type Field struct {
	m textinput.Model
	// Secret hides what is typed.
	Secret bool
	// Placeholder is shown while the field is empty.
	Placeholder string
	// offered is set while the text is only proposed: what is typed takes its place.
	offered bool
	// width and cell are how wide the field was drawn last, and where its cursor was.
	width, cell int
}

// New returns a field with the given text and the cursor behind it.
func New(value string) *Field {
	f := &Field{m: textinput.New()}
	f.m.SetVirtualCursor(false)
	f.m.Focus()
	f.Set(value)
	return f
}

// Offer proposes a text: it is there to be used or edited, and gives way to the
// first character that is typed.
func (f *Field) Offer(value string) {
	f.Set(value)
	f.offered = value != ""
}

// Set replaces the text and puts the cursor behind it.
func (f *Field) Set(value string) {
	f.offered = false
	f.m.SetValue(value)
	f.m.CursorEnd()
}

// Value is the text as typed.
func (f *Field) Value() string { return f.m.Value() }

// Key edits; it reports whether the text changed.
func (f *Field) Key(msg tea.KeyPressMsg) bool {
	before := f.m.Value()
	if f.offered && msg.Text != "" {
		f.m.SetValue("")
	}
	f.offered = false
	f.m, _ = f.m.Update(msg)
	return f.m.Value() != before
}

// Paste inserts text at the cursor; each line break becomes a space.
func (f *Field) Paste(s string) {
	if f.offered {
		f.Set("")
	}
	f.m, _ = f.m.Update(tea.PasteMsg{Content: strings.ReplaceAll(s, "\r\n", "\n")})
}

// Click puts the cursor to the character that lies d cells from it, as the field
// was drawn last; false when that is outside the field.
func (f *Field) Click(d int) bool {
	if at := f.cell + d; at < 0 || at >= f.width {
		return false
	}
	runes := []rune(f.m.Value())
	pos := min(f.m.Position(), len(runes))
	to := pos
	for to < len(runes) && d > 0 && text.Width(f.show(string(runes[pos:to+1]))) <= d {
		to++
	}
	for to > 0 && d < 0 && text.Width(f.show(string(runes[to:pos]))) < -d {
		to--
	}
	f.m.SetCursor(to)
	f.offered = false
	return true
}

// Draw returns the field as w cells and the cell of the cursor within it.
func (f *Field) Draw(w int, s *style.Styles) (line string, cursor int) {
	line, cursor = f.draw(w, s)
	f.width, f.cell = w, cursor
	return line, cursor
}

func (f *Field) draw(w int, s *style.Styles) (line string, cursor int) {
	runes := []rune(f.m.Value())
	if len(runes) == 0 && f.Placeholder != "" {
		return s.Placeholder.Render(text.Pad(f.Placeholder, w)), 0
	}
	pos := min(f.m.Position(), len(runes))
	near := 4*max(w, 0) + 64 // of a long text only what may be seen is looked at
	left, right := s.Data(f.show(string(runes[max(pos-near, 0):pos]))), s.Data(f.show(string(runes[pos:min(pos+near, len(runes))])))
	if lw := text.Width(left); lw > w-1 {
		left = text.TruncateLeft(left, w-1)
	}
	cursor = text.Width(left)
	if whole := left + right; f.offered && text.Width(whole) <= w {
		return s.SelectedBlur.Render(whole) + s.Text.Render(text.Pad("", w-text.Width(whole))), cursor
	}
	return s.Text.Render(text.Pad(left+right, w)), cursor
}

func (f *Field) show(v string) string {
	if f.Secret {
		n := len([]rune(v))
		out := make([]rune, n)
		for i := range out {
			out[i] = '*'
		}
		return string(out)
	}
	return text.Sanitize(v)
}
