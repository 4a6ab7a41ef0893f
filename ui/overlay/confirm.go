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
	rows int
}

// Title implements Overlay.
func (c *Confirm) Title() string { return c.Heading }

// Facts implements Overlay.
func (c *Confirm) Facts() string { return "" }

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

func (c *Confirm) wrapped(w int) []string {
	var lines []string
	for _, p := range c.Text {
		lines = append(lines, text.Wrap(p, w)...)
	}
	return lines
}

// Takes tells whether a key means anything here.
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

// Paste implements Overlay.
func (c *Confirm) Paste(string) intent.Intent { return nil }

// Wheel implements Overlay.
func (c *Confirm) Wheel(int) intent.Intent { return nil }

// Click implements Overlay.
func (c *Confirm) Click(x, y int, _ bool) intent.Intent {
	if y != c.rows {
		return nil
	}
	noEnd := 2 + text.Width(c.No) + 4
	switch {
	case x < noEnd:
		return c.answer(false)
	case x < noEnd+text.Width(c.Yes)+6:
		return c.answer(true)
	}
	return nil
}

// Draw implements Overlay.
func (c *Confirm) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	st := s.Text
	if c.Danger {
		st = s.Warning
	}
	var lines []string
	for _, l := range c.wrapped(w) {
		lines = append(lines, st.Render(l))
	}
	if len(lines) > h-2 {
		lines = lines[:max(h-2, 0)]
	}
	no, yes := "[ "+c.No+" ]", "  "+c.Yes+"  "
	noStyle, yesStyle := s.Selected, s.Muted
	if c.yes {
		no, yes = "  "+c.No+"  ", "[ "+c.Yes+" ]"
		noStyle, yesStyle = s.Muted, s.Selected
	}
	lines = append(lines, "", noStyle.Render(no)+"  "+yesStyle.Render(yes))
	c.rows = len(lines) - 1
	return lines, nil
}
