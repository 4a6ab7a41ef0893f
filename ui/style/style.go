// Package style derives every concrete text style from a theme's roles, once.
package style

import (
	"charm.land/lipgloss/v2"

	"patchbay/themes"
)

// Styles are the concrete styles. The zero value draws plain text.
type Styles struct {
	Theme themes.Theme

	Text, Muted, Accent, Strong              lipgloss.Style
	Success, Warning, Error, Info            lipgloss.Style
	Border, BorderFocus, Title, TitleFocus   lipgloss.Style
	Selected, SelectedBlur, Match, Marked    lipgloss.Style
	Header, Key, KeyHint, Badge, Placeholder lipgloss.Style
	JSONKey, JSONString, JSONNumber          lipgloss.Style
	JSONKeyword, JSONPunct                   lipgloss.Style
	Surface                                  lipgloss.Style

	// ASCII draws frames with +, - and | only.
	ASCII bool
	// Still is set where motion is unwanted: spinners stand still.
	Still bool
	// Cursor is the mark before a selected row: words and shape, not colour alone.
	Cursor string
}

// Options change how a theme is drawn.
type Options struct {
	ASCII bool
	Still bool
}

// New derives all styles from t.
func New(t themes.Theme, o Options) *Styles {
	fg := func(c string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(c)) }
	on := func(s lipgloss.Style, bg string) lipgloss.Style { return s.Background(lipgloss.Color(bg)) }
	s := &Styles{
		Theme: t, ASCII: o.ASCII, Still: o.Still,
		Text: fg(t.Text), Muted: fg(t.Muted), Accent: fg(t.Accent), Strong: fg(t.Text).Bold(true),
		Success: fg(t.Success), Warning: fg(t.Warning), Error: fg(t.Error).Bold(true), Info: fg(t.Info),
		Border: fg(t.Border), BorderFocus: fg(t.Accent), Title: fg(t.Muted), TitleFocus: fg(t.Accent).Bold(true),
		Selected:     on(fg(t.Text), t.Selection).Bold(true),
		SelectedBlur: on(fg(t.Text), t.Surface),
		Match:        fg(t.Warning).Bold(true).Underline(true),
		Marked:       fg(t.Accent).Bold(true),
		Header:       fg(t.Muted).Bold(true), Key: fg(t.Accent).Bold(true), KeyHint: fg(t.Muted),
		Badge:       on(fg(t.Text), t.Surface),
		Placeholder: fg(t.Muted).Italic(true),
		JSONKey:     fg(t.Key), JSONString: fg(t.String), JSONNumber: fg(t.Number),
		JSONKeyword: fg(t.Keyword), JSONPunct: fg(t.Punctuation),
		Surface: on(fg(t.Text), t.Surface),
		Cursor:  "▸",
	}
	if o.ASCII {
		s.Cursor = ">"
	}
	return s
}

// Frame are the pieces of a box.
type Frame struct{ Top, Side, TopLeft, TopRight, BottomLeft, BottomRight string }

// Frame returns the box pieces for the style.
func (s *Styles) Frame() Frame {
	if s.ASCII {
		return Frame{"-", "|", "+", "+", "+", "+"}
	}
	return Frame{"─", "│", "╭", "╮", "╰", "╯"}
}
