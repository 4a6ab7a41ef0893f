package result

import (
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Lines draws the pane and tells where the text cursor stands, if one does.
func (p *Pane) Lines(w, h int, s *style.Styles, focused bool) ([]string, *image.Point) {
	if !p.HasAnswer() {
		return p.emptyLines(w, s), nil
	}
	out := []string{p.tabLine(w, s)}
	if h < 4 || w < 10 {
		return out, nil // too small for anything that could be read
	}
	if p.line == nil {
		return append(out, p.current().lines(p, w, h-1, s, focused)...), nil
	}
	rows := h - 2
	if _, table := p.current().(*tableView); table {
		rows++ // its last line, which tells of the cell, gives way
	}
	out = append(out, p.current().lines(p, w, rows, s, focused)...)
	for len(out) < h-1 {
		out = append(out, "")
	}
	line, at := p.drawLine(w, h-1, s)
	return append(out[:h-1], line), at
}

func (p *Pane) emptyLines(w int, s *style.Styles) []string {
	msg := "Nothing was asked yet. The answer appears here."
	switch {
	case p.awaited != nil && len(p.pages) == 0:
		msg = p.awaited.Name + " is shown as soon as a record of it is there: " + p.awaited.read() + "."
	case p.canceled:
		msg = "The run was cancelled before its answer came. r runs it again; the params are still in the form."
	case p.action != nil:
		msg = "r runs " + p.entity.Name + " " + p.action.Name + ". The answer appears here."
		if p.action.Writes() {
			msg = "r runs " + p.entity.Name + " " + p.action.Name + ", which changes data: you are asked before it is sent."
		}
	}
	out := []string{""}
	for _, l := range text.Wrap(msg, max(w-2, 10)) {
		out = append(out, " "+s.Muted.Render(l))
	}
	return out
}

func (p *Pane) tabLine(w int, s *style.Styles) string {
	out := " "
	for i, v := range p.views {
		if !v.fits(p) {
			continue
		}
		if i == p.view {
			out += s.Key.Render("["+v.tab(p)+"]") + " "
		} else {
			out += s.Muted.Render(" "+v.tab(p)+" ") + " "
		}
	}
	right := p.chip(chipRoom(w, text.Width(out)))
	if right != "" {
		right = s.Badge.Render(" "+right+" ") + " "
	} else if plain := strings.TrimRight(ansi.Strip(out), " "); text.Width(plain) <= w {
		return text.Cut(out, w) // only the blanks behind the last tab are cut
	}
	return text.Between(out, right, w)
}

// chipRoom is how wide a chip may be beside the tabs, which give way to its beginning.
func chipRoom(w, tabs int) int { return max(w-tabs-4, min(24, w-12)) }

func (p *Pane) tabsWidth() int {
	n := 1
	for _, v := range p.views {
		if v.fits(p) {
			n += text.Width(v.tab(p)) + 3
		}
	}
	return n
}

// chip tells of the filter and the search in force, in at most w cells.
func (p *Pane) chip(w int) string {
	if p.line != nil {
		return ""
	}
	words, count := "", ""
	if p.find.text != "" {
		words, count = "/"+safe(p.find.text), p.find.count()
	}
	if v := p.tableView(); v != nil && v.fits(p) && (words == "" || p.current() == view(v)) {
		words, count = v.chip()
	}
	if words == "" {
		return ""
	}
	count = " · " + count
	return text.Truncate(text.Truncate(words, max(w-text.Width(count), 6))+count, w)
}

// Aside is what stands beside the view where there is room: the record under the cursor.
func (p *Pane) Aside(w, h int, s *style.Styles) (string, []string) {
	if !p.HasRecords() {
		return "Record", []string{"", " " + s.Muted.Render("no record under the cursor")}
	}
	p.aside.load(p)
	p.aside.tree.wrap = !p.cut
	return "Record " + groupDigits(p.row+1) + " of " + groupDigits(p.page().Len()), p.aside.tree.lines(w, max(h, 0), s, false, nil)
}
