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

	Text, Muted, Accent, Strong            Style
	Success, Warning, Error, Info          Style
	Border, BorderFocus, Title, TitleFocus Style
	// Selected is the row under the cursor of the pane with the focus,
	// SelectedBlur that of another pane, SelectedCell the one cell within
	// Selected that the cursor is on.
	Selected, SelectedBlur, SelectedCell Style
	// Match is a hit of a search, Marked a row that was marked.
	Match, Marked        Style
	Header, Key, KeyHint Style
	// Badge is a field that is typed into.
	Badge, Placeholder              Style
	JSONKey, JSONString, JSONNumber Style
	JSONKeyword, JSONPunct          Style

	// ASCII draws frames with +, -, = and | only.
	ASCII bool
	// Still is set where motion is unwanted: spinners stand still.
	Still bool
	// NoColor is set where shape and attributes alone tell things apart.
	NoColor bool
	// Cursor is the mark before a selected row: words and shape, not colour alone.
	Cursor string

	code                   code
	jsonLines, codeLines   painted
	foreground, background color.Color
	// raised are the styles of what lies over the screen, ground is its background,
	// behind the style of the screen below.
	raised *Styles
	ground Style
	behind Style
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
	p := newPalette(t, o)
	s := newStyles(t, o, p)
	s.raise(t, o, p)
	return s
}

func newStyles(t themes.Theme, o Options, p palette) *Styles {
	s := fromPalette(p)
	switch {
	case o.NoColor:
		s.withoutColor()
	case o.Basic:
		s.withBasicColors(p.accent)
	case t.Background != "":
		s.foreground, s.background = lipgloss.Color(t.Text), lipgloss.Color(t.Background)
	}
	s.Theme, s.ASCII, s.Still, s.NoColor = t, o.ASCII, o.Still, o.NoColor
	s.code = s.newCode()
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
	return &Styles{
		Text: of(fg(p.text)), Muted: of(fg(p.muted)), Accent: of(fg(p.accent)), Strong: of(fg(p.text).Bold(true)),
		Success: of(fg(p.success)), Warning: of(fg(p.warning)), Error: of(fg(p.error).Bold(true)), Info: of(fg(p.info)),
		Border: of(fg(p.border)), BorderFocus: of(fg(p.accent)), Title: of(fg(p.muted)), TitleFocus: of(fg(p.accent).Bold(true)),
		Selected:     of(fg(p.text).Background(p.selection).Bold(true)),
		SelectedBlur: of(fg(p.text).Background(p.surface)),
		SelectedCell: of(fg(p.background).Background(p.accent).Bold(true)),
		Match:        of(fg(p.warning).Bold(true).Underline(true)),
		Marked:       of(fg(p.accent).Bold(true)),
		Header:       of(fg(p.muted).Bold(true)), Key: of(fg(p.accent).Bold(true)), KeyHint: of(fg(p.muted)),
		Badge:       of(fg(p.text).Background(p.surface)),
		Placeholder: of(fg(p.muted).Italic(true)),
		JSONKey:     of(fg(p.key)), JSONString: of(fg(p.str)), JSONNumber: of(fg(p.number)),
		JSONKeyword: of(fg(p.keyword)), JSONPunct: of(fg(p.punctuation)),
	}
}

// shapes tells selection, typing and rank apart by attributes: the selected
// row is reversed, that of another pane underlined.
func (s *Styles) shapes() {
	plain := lipgloss.NewStyle()
	faint := of(plain.Faint(true))
	s.Muted, s.Border, s.Title, s.KeyHint, s.JSONPunct = faint, faint, faint, faint, faint
	s.Header = of(plain.Bold(true))
	s.Placeholder = of(plain.Faint(true).Italic(true))
	s.Selected = of(plain.Bold(true).Reverse(true))
	s.SelectedBlur = of(plain.Underline(true))
	s.Badge = of(plain.Underline(true))
}

// withBasicColors leaves backgrounds to reversal: which two of the 16 colours
// go together depends on the terminal's palette.
func (s *Styles) withBasicColors(accent color.Color) {
	s.shapes()
	s.SelectedCell = of(fg(accent).Bold(true).Reverse(true))
	s.BorderFocus = of(fg(accent).Bold(true))
}

// withoutColor makes the cell under the cursor a gap in its reversed row, and
// titles and words of warning heavy.
func (s *Styles) withoutColor() {
	plain := lipgloss.NewStyle()
	s.shapes()
	bold := of(plain.Bold(true))
	s.SelectedCell = of(plain.Bold(true).Underline(true))
	s.TitleFocus = of(plain.Bold(true).Reverse(true))
	s.BorderFocus, s.Warning, s.JSONKey = bold, bold, bold
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
