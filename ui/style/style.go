// Package style derives every concrete text style from a theme's roles, once. Of ours
// it imports themes and text only.
package style

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

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
	Cursor text.Safe

	// basic is set where there are the terminal's own 16 colours only.
	basic bool
	// images is set where the terminal draws images by itself.
	images bool

	code                   map[chroma.TokenType]Style
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
	// Images has the terminal draw images by itself, at placeholders.
	Images bool
}

// For adds what a terminal with that colour profile needs.
func (o Options) For(p colorprofile.Profile) Options {
	// A placeholder says by its colour which image it is of: it must arrive as it is.
	o.Images = o.Images && p == colorprofile.TrueColor
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
	case o.NoColor, o.Basic:
		s.shapes(o, fg(p.accent).Bold(true))
	case t.Background != "":
		s.foreground, s.background = lipgloss.Color(t.Text), lipgloss.Color(t.Background)
	}
	s.Theme, s.ASCII, s.Still, s.NoColor, s.basic, s.images = t, o.ASCII, o.Still, o.NoColor, o.Basic, o.Images
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
		Border: of(fg(p.border)), BorderFocus: of(fg(p.accent)),
		Title: of(fg(p.muted)), TitleFocus: of(fg(p.accent).Bold(true)),
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

// shapes tells selection, typing and rank apart by attributes: the selected row is
// reversed, that of another pane underlined. Which two of 16 colours go together
// depends on the terminal's palette, so backgrounds are left to reversal. Without
// colours the cell under the cursor is a gap in its reversed row, and titles and
// words of warning are heavy.
func (s *Styles) shapes(o Options, accent lipgloss.Style) {
	plain := lipgloss.NewStyle()
	faint := of(plain.Faint(true))
	s.Muted, s.Border, s.Title, s.KeyHint, s.JSONPunct = faint, faint, faint, faint, faint
	s.Header = of(plain.Bold(true))
	s.Placeholder = of(plain.Faint(true).Italic(true))
	s.Selected = of(plain.Bold(true).Reverse(true))
	s.SelectedBlur = of(plain.Underline(true))
	s.Badge = of(plain.Underline(true))
	s.SelectedCell, s.BorderFocus = of(accent.Reverse(true)), of(accent)
	if o.NoColor {
		bold := of(plain.Bold(true))
		s.SelectedCell = of(plain.Bold(true).Underline(true))
		s.TitleFocus = of(plain.Bold(true).Reverse(true))
		s.BorderFocus, s.Warning, s.JSONKey = bold, bold, bold
	}
}

// Terminal are the colours of plain text and background for the terminal
// itself, so that a theme also suits one with another background; nil leaves
// the terminal's own.
func (s *Styles) Terminal() (foreground, background color.Color) { return s.foreground, s.background }

// Data is text that is not ours: where the screen is drawn in ASCII its
// characters stay what they are.
func (s *Styles) Data(t text.Safe) text.Safe {
	if s == nil || !s.ASCII {
		return t
	}
	return text.Protect(t)
}

// Frame are the pieces of a box.
type Frame struct{ Top, Side, TopLeft, TopRight, BottomLeft, BottomRight text.Safe }

// FrameFor returns the box pieces of a pane. Where colour cannot tell the pane
// with the focus, its frame is a heavy one.
func (s *Styles) FrameFor(focused bool) Frame {
	switch {
	case s.ASCII && focused:
		return Frame{"=", "|", "+", "+", "+", "+"}
	case s.ASCII:
		return Frame{"-", "|", "+", "+", "+", "+"}
	case s.NoColor && focused:
		return Frame{"━", "┃", "┏", "┓", "┗", "┛"}
	}
	return Frame{"─", "│", "╭", "╮", "╰", "╯"}
}

// Style draws text of one line. It is what a lipgloss style writes before and
// behind the text, found once: rendering one looks at all that it may have, a
// box and wrapping too, and a screen draws hundreds of texts at every key.
type Style struct{ open, shut text.Safe }

func of(look lipgloss.Style) Style {
	open, shut, _ := strings.Cut(look.Render("x"), "x")
	return Style{text.Safe(open), text.Safe(shut)}
}

func fg(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }

// Render is the text in the style; nothing for no text.
func (s Style) Render(t text.Safe) text.Safe {
	if t == "" {
		return ""
	}
	return s.open + t + s.shut
}

// Raised are the styles of what lies over the screen: fields and chosen rows
// stand out from its own background.
func (s *Styles) Raised() *Styles {
	if s.raised == nil {
		return s
	}
	return s.raised
}

// raise derives the styles of what lies over the screen.
func (s *Styles) raise(t themes.Theme, o Options, p palette) {
	s.behind = s.Muted
	if !o.NoColor && !o.Basic && t.Overlay != "" {
		if t.Overlay != t.Background {
			p.surface = p.background
		}
		s.ground = of(fg(p.text).Background(lipgloss.Color(t.Overlay)))
		s.behind = of(fg(between(t.Muted, t.Border)))
	}
	s.raised = newStyles(t, o, p)
	s.raised.ground = s.ground
}

// between is the colour halfway from a to b.
func between(a, b string) color.Color {
	ca, errA := themes.Hex(a)
	cb, errB := themes.Hex(b)
	if errA != nil || errB != nil {
		return lipgloss.Color(a)
	}
	half := func(x, y uint8) uint8 { return uint8((int(x) + int(y)) / 2) }
	return color.RGBA{half(ca.R, cb.R), half(ca.G, cb.G), half(ca.B, cb.B), 0xff}
}

// HasGround reports whether what lies over the screen has a background of its
// own; without colours its frame and a margin set it apart.
func (s *Styles) HasGround() bool { return s.ground.open != "" }

// Ground gives a line, which may hold styles, the background of what lies over
// the screen, except where the line has one.
func (s *Styles) Ground(line text.Safe) text.Safe {
	if !s.HasGround() {
		return line
	}
	open := string(s.ground.open)
	return text.Safe(open + strings.ReplaceAll(string(line), reset, reset+open) + reset)
}

// Behind draws a line of the screen that something lies over: readable, but quiet.
func (s *Styles) Behind(line text.Safe) text.Safe {
	return s.behind.Render(text.Safe(ansi.Strip(string(line))))
}

// reset is what styles write behind their text.
const reset = "\x1b[m"
