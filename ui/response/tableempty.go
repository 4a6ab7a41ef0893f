package response

import (
	"patchbay/client/asked"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// emptyLines tell in the middle of h lines why there is no row, what was asked, and what
// to try.
func (v *tableView) emptyLines(in Input, w, h int, s *style.Styles) []text.Safe {
	said := []string{string(v.emptyText(in))}
	if page := in.Page(); page.Document == nil && page.Action != nil && !in.growing() && !v.filtered() {
		told := "Asked: " + page.Op.Entity + " " + page.Op.Action
		if words := asked.InWords(page.Entity, page.Action, page.Op.Params); words != "" {
			told += ", " + words
		}
		said = append([]string{"No records."}, append([]string{told + "."}, said...)...)
	}
	var lines []text.Safe
	for i, t := range said {
		st := &s.Muted
		if i == 0 {
			st = &s.Strong
		}
		for _, line := range text.Wrap(text.Sanitize(t), max(w-4, 8)) {
			lines = append(lines, text.Spaces(max((w-text.Width(line))/2, 1))+st.Render(line))
		}
	}
	lines = lines[:min(len(lines), max(h, 0))]
	return append(make([]text.Safe, max((h-len(lines))/2, 0)), lines...)
}
