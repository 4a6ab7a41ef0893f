package overlay

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Confirm asks before something happens. The answer No is chosen until the
// person moves or presses y.
type Confirm struct {
	Base
	Heading string
	// Text says what will happen; one paragraph per element.
	Text []string
	// Yes and No name the answers.
	Yes, No string
	Do      intent.Intent
	// Not is done when the answer is no; nil does nothing.
	Not intent.Intent
	// Danger draws the text as a warning.
	Danger bool
	// Strict wants the answer to be chosen and then given: y alone does not, since
	// it copies elsewhere and is easily pressed by habit.
	Strict bool

	yes  bool
	rows int // lines above the answers
}

// Title implements Overlay.
func (c *Confirm) Title() string { return c.Heading }

// Hints implements Overlay.
func (c *Confirm) Hints() string {
	if c.Strict {
		return "tab chooses yes, enter answers · n or esc no"
	}
	return "y yes · n or esc no · tab switches · enter answers"
}

// Want implements Overlay.
func (c *Confirm) Want(w, _ int) (int, int) {
	w = min(w, 68)
	return w, len(c.wrapped(w)) + 2
}

func (c *Confirm) wrapped(w int) []text.Safe {
	var lines []text.Safe
	for _, p := range c.Text {
		lines = append(lines, text.Wrap(text.Sanitize(p), w)...)
	}
	return lines
}

// Takes reports whether a key means anything here.
func (c *Confirm) Takes(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "y", "Y", "n", "N", "esc", "q", "tab", "shift+tab", "left", "right", "h", "l", "enter":
		return true
	}
	return false
}

func (c *Confirm) answer(yes bool) intent.Intent {
	if yes {
		return intent.All{intent.Close{}, c.Do}
	}
	return intent.All{intent.Close{}, c.Not}
}

// Key implements Overlay.
func (c *Confirm) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "y", "Y":
		if !c.Strict {
			return c.answer(true)
		}
		c.yes = true
	case "n", "N", "esc", "q":
		return c.answer(false)
	case "tab", "shift+tab", "left", "right", "h", "l":
		c.yes = !c.yes
	case "enter":
		return c.answer(c.yes)
	}
	return nil
}

// Click implements Overlay.
func (c *Confirm) Click(x, y int, _ bool) intent.Intent {
	if y != c.rows {
		return nil
	}
	noEnd := 2 + text.Width(text.Sanitize(c.No)) + 4
	switch {
	case x < noEnd:
		return c.answer(false)
	case x < noEnd+text.Width(text.Sanitize(c.Yes))+6:
		return c.answer(true)
	}
	return nil
}

// Fit implements Overlay.
func (c *Confirm) Fit(w, h int) { c.rows = min(len(c.wrapped(w)), max(h-2, 0)) + 1 }

// Draw implements Overlay.
func (c *Confirm) Draw(w, _ int, s *style.Styles) ([]text.Safe, *image.Point) {
	st := s.Text
	if c.Danger {
		st = s.Warning
	}
	var lines []text.Safe
	for _, l := range c.wrapped(w) {
		lines = append(lines, st.Render(l))
	}
	lines = lines[:min(len(lines), max(c.rows-1, 0))]
	no, yes := "[ "+c.No+" ]", "  "+c.Yes+"  "
	noStyle, yesStyle := s.Selected, s.Muted
	if c.yes {
		no, yes = "  "+c.No+"  ", "[ "+c.Yes+" ]"
		noStyle, yesStyle = s.Muted, s.Selected
	}
	lines = append(lines, "", noStyle.Render(text.Sanitize(no))+"  "+yesStyle.Render(text.Sanitize(yes)))
	return lines, nil
}
