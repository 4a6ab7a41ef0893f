// Package style derives every concrete text style from a theme's roles, once.
package style

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"patchbay/themes"
	"patchbay/ui/text"
)

// Styles are the concrete styles. The zero value draws plain text.
type Styles struct {
	Theme themes.Theme

	Text, Muted, Accent, Strong            lipgloss.Style
	Success, Warning, Error, Info          lipgloss.Style
	Border, BorderFocus, Title, TitleFocus lipgloss.Style
	// Selected is the row under the cursor of the pane with the focus,
	// SelectedBlur that of another pane, SelectedCell the one cell within
	// Selected that the cursor is on.
	Selected, SelectedBlur, SelectedCell lipgloss.Style
	// Match is a hit of a search, Marked a row that was marked.
	Match, Marked        lipgloss.Style
	Header, Key, KeyHint lipgloss.Style
	// Badge is a field that is typed into.
	Badge, Placeholder              lipgloss.Style
	JSONKey, JSONString, JSONNumber lipgloss.Style
	JSONKeyword, JSONPunct          lipgloss.Style

	// ASCII draws frames with +, -, = and | only.
	ASCII bool
	// Still is set where motion is unwanted: spinners stand still.
	Still bool
	// NoColor is set where shape and attributes alone tell things apart.
	NoColor bool
	// Cursor is the mark before a selected row: words and shape, not colour alone.
	Cursor string

	// Inks are what is drawn often.
	Inks Inks

	code                   code
	jsonLines, codeLines   painted
	foreground, background color.Color
	// raised are the styles of what lies over the screen, ground is its background,
	// behind the style of the screen below.
	raised *Styles
	ground Ink
	behind lipgloss.Style
}

// Options change how a theme is drawn.
type Options struct {
	ASCII bool
	Still bool
	// NoColor draws without colours: reverse, bold, underline and faint stand in.
	NoColor bool
	// Basic uses the terminal's own 16 colours by their meaning. The nearest of
	// the 16 to a theme's colours would not do: several roles fall together.
	Basic bool
}

// For adds what a terminal with that colour profile needs.
func (o Options) For(p colorprofile.Profile) Options {
	switch p {
	case colorprofile.NoTTY, colorprofile.ASCII:
		o.NoColor = true
	case colorprofile.ANSI:
		o.Basic = true
	}
	return o
}

// New derives all styles from t.
func New(t themes.Theme, o Options) *Styles {
	s := newStyles(t, o)
	s.raise(t, o)
	return s
}

func newStyles(t themes.Theme, o Options) *Styles {
	s := fromPalette(newPalette(t, o))
	switch {
	case o.NoColor:
		s.withoutColor()
	case o.Basic:
		s.withBasicColors()
	case t.Background != "":
		s.foreground, s.background = lipgloss.Color(t.Text), lipgloss.Color(t.Background)
	}
	s.Theme, s.ASCII, s.Still, s.NoColor = t, o.ASCII, o.Still, o.NoColor
	s.Inks, s.code = s.newInks(), s.newCode()
	s.Cursor = "▸"
	if o.ASCII {
		s.Cursor = ">"
	}
	return s
}

// palette is the colour of each role.
type palette struct {
	background, surface, selection         color.Color
	text, muted, border, accent            color.Color
	success, warning, error, info          color.Color
	key, str, number, keyword, punctuation color.Color
}

func newPalette(t themes.Theme, o Options) palette {
	switch {
	case o.NoColor:
		return one(lipgloss.NoColor{})
	case o.Basic:
		return basicPalette(t.Mode)
	}
	c := func(hex string) color.Color { return lipgloss.Color(hex) }
	return palette{
		background: c(t.Background), surface: c(t.Surface), selection: c(t.Selection),
		text: c(t.Text), muted: c(t.Muted), border: c(t.Border), accent: c(t.Accent),
		success: c(t.Success), warning: c(t.Warning), error: c(t.Error), info: c(t.Info),
		key: c(t.Key), str: c(t.String), number: c(t.Number), keyword: c(t.Keyword), punctuation: c(t.Punctuation),
	}
}

// one gives every role the same colour.
func one(c color.Color) palette {
	return palette{c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c}
}

// basicPalette stays with the seven plain colours: the bright half is grey in
// some terminals' palettes. Text keeps the terminal's own colour.
func basicPalette(mode string) palette {
	p := one(lipgloss.NoColor{})
	p.accent = lipgloss.Cyan
	if mode == "light" {
		p.accent = lipgloss.Blue // cyan is too pale on white
	}
	p.success, p.warning, p.error, p.info = lipgloss.Green, lipgloss.Yellow, lipgloss.Red, lipgloss.Magenta
	p.key, p.str, p.number, p.keyword = p.accent, p.success, p.warning, p.info
	return p
}

func fromPalette(p palette) *Styles {
	fg := func(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }
	return &Styles{
		Text: fg(p.text), Muted: fg(p.muted), Accent: fg(p.accent), Strong: fg(p.text).Bold(true),
		Success: fg(p.success), Warning: fg(p.warning), Error: fg(p.error).Bold(true), Info: fg(p.info),
		Border: fg(p.border), BorderFocus: fg(p.accent), Title: fg(p.muted), TitleFocus: fg(p.accent).Bold(true),
		Selected:     fg(p.text).Background(p.selection).Bold(true),
		SelectedBlur: fg(p.text).Background(p.surface),
		SelectedCell: fg(p.background).Background(p.accent).Bold(true),
		Match:        fg(p.warning).Bold(true).Underline(true),
		Marked:       fg(p.accent).Bold(true),
		Header:       fg(p.muted).Bold(true), Key: fg(p.accent).Bold(true), KeyHint: fg(p.muted),
		Badge:       fg(p.text).Background(p.surface),
		Placeholder: fg(p.muted).Italic(true),
		JSONKey:     fg(p.key), JSONString: fg(p.str), JSONNumber: fg(p.number),
		JSONKeyword: fg(p.keyword), JSONPunct: fg(p.punctuation),
	}
}

// shapes tells selection, typing and rank apart by attributes: the selected
// row is reversed, that of another pane underlined.
func (s *Styles) shapes() {
	plain := lipgloss.NewStyle()
	faint := plain.Faint(true)
	s.Muted, s.Border, s.Title, s.KeyHint, s.JSONPunct = faint, faint, faint, faint, faint
	s.Header = plain.Bold(true)
	s.Placeholder = faint.Italic(true)
	s.Selected = plain.Bold(true).Reverse(true)
	s.SelectedBlur = plain.Underline(true)
	s.Badge = plain.Underline(true)
}

// withBasicColors leaves backgrounds to reversal: which two of the 16 colours
// go together depends on the terminal's palette.
func (s *Styles) withBasicColors() {
	accent := s.Accent
	s.shapes()
	s.SelectedCell = accent.Bold(true).Reverse(true)
	s.BorderFocus = accent.Bold(true)
}

// withoutColor makes the cell under the cursor a gap in its reversed row, and
// titles and words of warning heavy.
func (s *Styles) withoutColor() {
	plain := lipgloss.NewStyle()
	s.shapes()
	s.SelectedCell = plain.Bold(true).Underline(true)
	s.TitleFocus = plain.Bold(true).Reverse(true)
	s.BorderFocus = plain.Bold(true)
	s.Warning = plain.Bold(true)
	s.JSONKey = plain.Bold(true)
}

// Terminal are the colours of plain text and background for the terminal
// itself, so that a theme also suits one with another background; nil leaves
// the terminal's own.
func (s *Styles) Terminal() (foreground, background color.Color) { return s.foreground, s.background }

// Data is text that is not ours: where the screen is drawn in ASCII its
// characters stay what they are.
func (s *Styles) Data(t string) string {
	if s == nil || !s.ASCII {
		return t
	}
	return text.Protect(t)
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

// FrameFor returns the box pieces of a pane. Where colour cannot tell the pane
// with the focus, its frame is a heavy one.
func (s *Styles) FrameFor(focused bool) Frame {
	switch {
	case !focused:
		return s.Frame()
	case s.ASCII:
		return Frame{"=", "|", "+", "+", "+", "+"}
	case s.NoColor:
		return Frame{"━", "┃", "┏", "┓", "┗", "┛"}
	}
	return s.Frame()
}
