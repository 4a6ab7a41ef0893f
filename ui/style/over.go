package style

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/themes"
)

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

// HasGround tells whether what lies over the screen has a background of its
// own; without colours its frame and a margin set it apart.
func (s *Styles) HasGround() bool { return s.ground.open != "" }

// Ground gives a line, which may hold styles, the background of what lies over
// the screen, except where the line has one.
func (s *Styles) Ground(line string) string {
	if !s.HasGround() {
		return line
	}
	return s.ground.open + strings.ReplaceAll(line, reset, reset+s.ground.open) + reset
}

// Behind draws a line of the screen that something lies over: readable, but quiet.
func (s *Styles) Behind(line string) string { return s.behind.Render(ansi.Strip(line)) }

// reset is what styles write behind their text.
const reset = "\x1b[m"
