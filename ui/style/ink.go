package style

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink is what a style writes before and after text of one line. Rendering a
// style looks at everything that a style may have, a box and wrapping too;
// what is drawn by the dozen at every key uses its ink.
type Ink struct{ open, shut string }

func inkOf(st lipgloss.Style) Ink {
	open, shut, _ := strings.Cut(st.Render("x"), "x")
	return Ink{open, shut}
}

// Draw is text of one line in the ink; nothing for no text.
func (k *Ink) Draw(text string) string {
	if text == "" {
		return ""
	}
	return k.open + text + k.shut
}

// Inks are the inks of the styles of the same names.
type Inks struct{ Text, Muted, Accent, Match, Key, KeyHint Ink }

func (s *Styles) newInks() Inks {
	return Inks{inkOf(s.Text), inkOf(s.Muted), inkOf(s.Accent), inkOf(s.Match), inkOf(s.Key), inkOf(s.KeyHint)}
}
