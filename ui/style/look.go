package style

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Style draws text of one line. It is what a lipgloss style writes before and
// behind the text, found once: rendering one looks at all that it may have, a
// box and wrapping too, and a screen draws hundreds of texts at every key.
type Style struct{ open, shut string }

func of(look lipgloss.Style) Style {
	open, shut, _ := strings.Cut(look.Render("x"), "x")
	return Style{open, shut}
}

func fg(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }

// Render is the text in the style; nothing for no text.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.open + text + s.shut
}
