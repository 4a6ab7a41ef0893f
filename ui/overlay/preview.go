package overlay

import (
	"strings"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

const (
	// mostPreview is how many lines a preview may take. leastPreview is how many it takes
	// although not every row of the list is in sight then, leastItems how many of those are.
	mostPreview  = 30
	leastPreview = 6
	leastItems   = 6
)

// longest is how many lines the longest preview has.
func (l *List) longest() int {
	n := 0
	for _, it := range l.items {
		n = max(n, strings.Count(strings.TrimSpace(it.Detail), "\n")+1)
	}
	return min(n, mostPreview)
}

// fitPreview gives the preview what a list of h lines can spare: as much for every item, so
// that nothing jumps.
func (l *List) fitPreview(h int) {
	rows := len(l.items)
	for i := range l.items {
		if l.heading(i) {
			rows++
		}
	}
	room := max(h-3-rows, min(leastPreview, h-3-min(rows, leastItems)))
	l.lines = max(min(l.longest(), room), 0)
}

// preview is the text of an item, its lines as they are: as many as have room.
func (l *List) preview(it Item, w int, s *style.Styles) []text.Safe {
	if l.lines == 0 {
		return nil
	}
	out := make([]text.Safe, 1+l.lines)
	if it.Disabled != "" {
		for i, t := range text.WrapTo(text.Sanitize("Not now: "+it.Disabled), w, l.lines) {
			out[1+i] = s.Warning.Render(t)
		}
		return out
	}
	lines := text.Lines(strings.TrimSpace(it.Detail))
	shown := min(len(lines), l.lines)
	if len(lines) > shown {
		shown--
		out[1+shown] = s.Muted.Render(text.Ellipsis + " " + text.Count(len(lines)-shown, "more line", "more lines"))
	}
	for i, t := range lines[:shown] {
		out[1+i] = s.Text.Render(text.Truncate(s.Data(t), w))
	}
	return out
}
