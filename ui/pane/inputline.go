package pane

import (
	"strings"

	"patchbay/ui/input"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// InputLine is the line at the foot of a pane in which a filter or a search is typed.
type InputLine struct {
	Field *input.Field
	// Lead says in words what the text is for: "rows with".
	Lead string
	// Facts tell what came of it, such as "12 of 1,000 rows"; Bad why nothing can.
	Facts, Bad string
	// Keys change how the text is used; they are left out where there is no room.
	Keys []Hint
}

// lineField is the least room for what is typed.
const lineField = 14

// Draw returns the line as w cells and the cell of its cursor.
func (l InputLine) Draw(w int, s *style.Styles) (line string, cursor int) {
	s = s.Raised()
	lead := text.Truncate(strings.TrimSpace("/ "+l.Lead)+" ", max(w-lineField, 2))
	facts, st := l.Facts, s.Text
	if l.Bad != "" {
		facts, st = l.Bad, s.Error
	}
	room := max(w-text.Width(lead)-lineField-2, 0)
	facts = text.Truncate(facts, room)
	right := "  " + st.Render(facts)
	for _, k := range l.Keys {
		next := "  " + s.Key.Render(k.Key) + " " + s.KeyHint.Render(k.Label)
		if text.Width(right)+text.Width(next) > room {
			break
		}
		right += next
	}
	field, x := l.Field.Draw(max(w-text.Width(lead)-text.Width(right)-1, 1), s)
	mark, words, _ := strings.Cut(lead, " ")
	out := s.Key.Render(mark) + " " + s.Muted.Render(words) + field + right + " "
	return s.Ground(text.Truncate(out, w)), min(text.Width(lead)+x, max(w-1, 0))
}
