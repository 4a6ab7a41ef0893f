// Package input is a one-line text field: the editing is that of bubbles'
// textinput, the drawing is our own so that pasted text is harmless on screen. It
// is part of no pane: of ui it imports style and text only.
package input

import (
	"strings"

	"charm.land/bubbles/v2/key"
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
	// Completions are values that may be meant: the rest of the first one that begins
	// with what is typed stands dimmed behind the cursor, and right takes it.
	Completions []string
	// offered is set while the text is only proposed: what is typed takes its place.
	offered bool
	width   int // in cells, as told by Fit
	// stem is what was typed before Step went through the completions.
	stem    string
	stepped bool
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

// Offered reports whether the text is only proposed.
func (f *Field) Offered() bool { return f.offered }

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
	if name := msg.String(); (name == "right" || name == "end") && f.TakeCompletion() {
		return true
	}
	f.stepped = false
	if f.offered && msg.Text != "" {
		f.m.SetValue("")
	}
	f.offered = false
	f.m, _ = f.m.Update(f.guarded(msg))
	return f.m.Value() != before
}

// guarded replaces the deletion of the next word by that of the next character
// where that is the last one: there deleteWordForward of bubbles v2.2.1 reads one
// past the end and panics.
func (f *Field) guarded(msg tea.KeyPressMsg) tea.KeyPressMsg {
	if key.Matches(msg, f.m.KeyMap.DeleteWordForward) && f.m.Position() == len([]rune(f.m.Value()))-1 {
		return tea.KeyPressMsg{Code: tea.KeyDelete}
	}
	return msg
}

// Paste inserts text at the cursor; each line break becomes a space.
func (f *Field) Paste(s string) {
	f.stepped = false
	if f.offered {
		f.Set("")
	}
	f.m, _ = f.m.Update(tea.PasteMsg{Content: strings.ReplaceAll(s, "\r\n", "\n")})
}

// Fit tells the field how wide it is drawn.
func (f *Field) Fit(w int) { f.width = w }

// Click puts the cursor to the character that lies d cells from it; false when
// that is outside the field.
func (f *Field) Click(d int) bool {
	left, _ := f.sides(f.width, nil)
	if at := text.Width(left) + d; at < 0 || at >= f.width {
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
func (f *Field) Draw(w int, s *style.Styles) (line text.Safe, cursor int) {
	if f.m.Value() == "" && f.Placeholder != "" {
		return s.Placeholder.Render(text.Pad(text.Sanitize(f.Placeholder), w)), 0
	}
	left, right := f.sides(w, s)
	cursor = text.Width(left)
	if whole := left + right; f.offered && text.Width(whole) <= w {
		return s.SelectedBlur.Render(whole) + s.Text.Render(text.Pad("", w-text.Width(whole))), cursor
	}
	rest := text.Truncate(text.Sanitize(f.rest()), max(w-text.Width(left+right), 0))
	return s.Text.Render(left+right) + s.Muted.Render(rest) +
		s.Text.Render(text.Spaces(w-text.Width(left+right+rest))), cursor
}

// sides are what a field of w cells shows before its cursor, and what stands behind it.
func (f *Field) sides(w int, s *style.Styles) (left, right text.Safe) {
	runes := []rune(f.m.Value())
	pos := min(f.m.Position(), len(runes))
	near := 4*max(w, 0) + 64 // of a long text only what may be seen is looked at
	left = s.Data(f.show(string(runes[max(pos-near, 0):pos])))
	right = s.Data(f.show(string(runes[pos:min(pos+near, len(runes))])))
	if text.Width(left) > w-1 {
		left = text.TruncateLeft(left, w-1)
	}
	return left, right
}

func (f *Field) show(v string) text.Safe {
	if f.Secret {
		return text.Repeat("*", len([]rune(v)))
	}
	return text.Sanitize(v)
}
