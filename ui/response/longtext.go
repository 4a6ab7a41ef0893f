package response

import (
	"strings"

	"patchbay/client/rawjson"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

const (
	// wrappedBytes is how much of a long text is wrapped for the window.
	wrappedBytes = 16 << 10
	// firstOfText is how many lines of a long text are shown until it is unfolded.
	firstOfText = 3
)

// isLong reports whether a value is a text that takes more than a line of so many cells.
func (t *tree) isLong(l rawjson.Line, room int) (full string, more, long bool) {
	if !t.wrap || l.Node.Kind() != rawjson.String {
		return "", false, false
	}
	b, more := l.Node.AppendText(nil, wrappedBytes)
	full = string(b)
	return full, more, more || strings.Contains(full, "\n") || text.Width(text.Sanitize(full))+2 > room
}

// longText is a text that takes several lines of so many cells, the first ones of it
// unless it was unfolded or a search found it: then what the window holds, and how to see
// the rest. It is nil for any other value.
func (t *tree) longText(l rawjson.Line, room int, focused, found bool, s *style.Styles) []text.Safe {
	full, more, long := t.isLong(l, room)
	if !long || room < 8 {
		return nil
	}
	var pieces []text.Safe
	for _, part := range text.Lines(`"` + full + `"`) {
		pieces = append(pieces, text.Wrap(part, room)...)
	}
	end := text.Safe("")
	most := max(t.height-2, 1) // so that all of it is in the window
	switch n := len(pieces); {
	case !found && !t.unfolded[nodeFrom(l.Node)] && n > firstOfText+1:
		end = text.Ellipsis + " " + text.Count(n-firstOfText, "more line", "more lines")
		if more {
			end = text.Ellipsis + " of " + text.Size(int64(l.Node.Size()))
		}
		if focused {
			end += "; enter shows more"
		}
		pieces = pieces[:min(firstOfText, most)]
	case more, n > most+1:
		end = text.Ellipsis + " of " + text.Size(int64(l.Node.Size())) + "; i on it shows all"
		pieces = pieces[:min(n, most)]
	}
	for i := range pieces {
		if pieces[i] = s.Data(pieces[i]); i > 0 {
			pieces[i] = linked(l.Node, s.JSONString.Render(pieces[i]))
		}
	}
	if end != "" {
		pieces = append(pieces, s.Muted.Render(text.Truncate(end, room)))
	}
	return pieces
}

// toggleText unfolds the long text under the cursor, or folds it; false where none is.
func (t *tree) toggleText() bool {
	l, ok := t.current()
	if !ok {
		return false
	}
	if _, _, long := t.isLong(l, t.room(l, labelOf(l, t.width, plain))); !long {
		return false
	}
	if t.unfolded == nil {
		t.unfolded = map[int]bool{}
	}
	at := nodeFrom(l.Node)
	t.unfolded[at] = !t.unfolded[at]
	return true
}
