package input

import (
	"strings"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Hint is a key and what it does.
type Hint struct{ Key, Label string }

// Bar is the line at the foot of a pane in which a filter or a search is typed.
type Bar struct {
	Field *Field
	// Lead says in words what the text is for: "rows with".
	Lead string
	// Facts tell what came of it, such as "12 of 1,000 rows"; Bad why nothing can.
	Facts, Bad string
	// Keys change how the text is used; they are left out where there is no room.
	Keys []Hint
}

// lineField is the least room for what is typed.
const lineField = 14

// Fit tells the field its width in a line of w cells.
func (b Bar) Fit(w int) {
	lead, right := b.sides(w, &style.Styles{})
	b.Field.Fit(fieldWidth(w, lead, right))
}

// fieldWidth is what the sides of a line of w cells leave for the field.
func fieldWidth(w int, lead, right text.Safe) int {
	return max(w-text.Width(lead)-text.Width(right)-1, 1)
}

// Draw returns the line as w cells and the cell of its cursor.
func (b Bar) Draw(w int, s *style.Styles) (line text.Safe, cursor int) {
	s = s.Raised()
	lead, right := b.sides(w, s)
	field, x := b.Field.Draw(fieldWidth(w, lead, right), s)
	mark, words, _ := strings.Cut(string(lead), " ")
	out := s.Key.Render(text.Sanitize(mark)) + " " + s.Muted.Render(text.Sanitize(words)) + field + right + " "
	return s.Ground(text.Truncate(out, w)), min(text.Width(lead)+x, max(w-1, 0))
}

// sides are what stands before the field and behind it in a line of w cells.
func (b Bar) sides(w int, s *style.Styles) (lead, right text.Safe) {
	lead = text.Truncate(text.Sanitize(strings.TrimSpace("/ "+b.Lead)+" "), max(w-lineField, 2))
	facts, st := b.Facts, s.Text
	if b.Bad != "" {
		facts, st = b.Bad, s.Error
	}
	room := max(w-text.Width(lead)-lineField-2, 0)
	right = "  " + st.Render(text.Truncate(text.Sanitize(facts), room))
	for _, k := range b.Keys {
		next := "  " + s.Key.Render(text.Sanitize(k.Key)) + " " + s.KeyHint.Render(text.Sanitize(k.Label))
		if text.Width(right)+text.Width(next) > room {
			break
		}
		right += next
	}
	return lead, right
}
