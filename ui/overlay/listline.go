package overlay

import (
	"slices"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

// leastNote is how wide the room for a note must be to be of use.
const leastNote = 7

// line draws an item in w cells, its note at noteAt.
func (l *List) line(it Item, w, noteAt int, s *style.Styles, current bool) text.Safe {
	cursor, signed := text.Safe("  "), l.signed()
	if current {
		cursor = s.Cursor + " "
	}
	sign, ended := s.Outcome(it.Outcome)
	if signed {
		sign = text.Pad(sign, 2)
	}
	key := text.Sanitize(it.Key)
	room := w - 2 - text.Width(sign) - text.Width(key) - 1
	title, result, note := text.Sanitize(it.Title), text.Sanitize(it.Result), l.note(it)
	if result != "" {
		title = text.Truncate(title, max(room-2-text.Width(result), 8))
	}
	title = text.Truncate(title, room)
	if note != "" || result != "" {
		title += text.Spaces(min(noteAt-text.Width(title), room-text.Width(title)-2-text.Width(result)))
	}
	if result != "" {
		result = "  " + result
	}
	if room -= text.Width(title) + text.Width(result) + 2; note != "" && room >= leastNote {
		note = "  " + text.Truncate(note, room)
	} else {
		note = ""
	}
	if current {
		return s.Selected.Render(text.Between(cursor+sign+title+result+note, key, w))
	}
	titleStyle := s.Text
	if it.Disabled != "" {
		titleStyle = s.Muted
	}
	line := cursor + ended.Render(sign) + marked(title, it.Marks, titleStyle, s.Match) + ended.Render(result) +
		s.Muted.Render(note)
	used := 2 + text.Width(sign) + text.Width(title) + text.Width(result) + text.Width(note)
	return line + text.Spaces(w-used-text.Width(key)) + s.Key.Render(key)
}

// note is what stands behind the title of an item.
func (l *List) note(it Item) text.Safe {
	if it.Disabled != "" && (!l.Terse || l.last != "") {
		return text.Sanitize("not now: " + it.Disabled)
	}
	return text.Sanitize(it.Note)
}

// signed reports whether a column of signs tells how things ended.
func (l *List) signed() bool {
	return slices.ContainsFunc(l.items, func(it Item) bool { return it.Outcome != style.NoOutcome })
}

// noteAt is the width of the titles, so that notes stand below each other;
// titles that are long sentences are not waited for.
func (l *List) noteAt(w int) int {
	n := 0
	for _, it := range l.items {
		if tw := text.Width(text.Sanitize(it.Title)); tw <= w*2/5 && (it.Note != "" || it.Result != "") {
			n = max(n, tw)
		}
	}
	return n
}
