package response

import (
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Lines draws the pane and says where the text cursor stands, if one does.
func (p *Pane) Lines(w, h int, s *style.Styles, focused bool) ([]text.Safe, *image.Point) {
	if !p.HasAnswer() {
		return p.emptyLines(w, s), nil
	}
	out := []text.Safe{p.tabLine(w, s)}
	rows := p.viewRows(w, h)
	if rows == 0 {
		return out, nil
	}
	out = append(out, p.current().lines(p.Input, w, rows, s, focused)...)
	if p.line == nil {
		return out, nil
	}
	line, x := p.bar().Draw(w, s)
	return append(filled(out, h-1)[:h-1], line), &image.Point{X: x, Y: h - 1}
}

// viewRows is how many lines the view has in a pane of w x h cells; 0 where that is too
// small for anything that could be read.
func (p *Pane) viewRows(w, h int) int {
	if h < 4 || w < 10 {
		return 0
	}
	if _, table := p.current().(*tableView); table || p.line == nil {
		return h - 1 // the last line of a table, which tells of the cell, gives way to what is typed
	}
	return h - 2
}

func (p *Pane) emptyLines(w int, s *style.Styles) []text.Safe {
	msg := "Nothing was asked yet. The answer appears here."
	switch {
	case p.awaited != nil && len(p.pages) == 0:
		msg = p.awaited.Name + " is shown as soon as a record of it is there: " + p.awaited.Progress() + "."
	case p.canceled && p.action.Writes():
		msg = "The run was cancelled before its answer came. It is not known whether the change was made: look " +
			"before you repeat it."
	case p.canceled:
		msg = "The run was cancelled before its answer came. r runs it again; the params are still in the form."
	case p.action != nil && p.refused != "":
		msg = p.entity.Name + " " + p.action.Name + " cannot be run: " + p.refused + "."
	case p.action != nil:
		msg = "r runs " + p.entity.Name + " " + p.action.Name
		if p.action.Writes() {
			msg += ", which changes data: you are asked before it is sent."
		} else {
			msg += ". The answer appears here."
		}
	}
	return append([]text.Safe{""}, wrappedText(" ", msg, max(w-1, 11), true, s.Muted)...)
}

// hitUnseen is where the filter hits the row under the cursor of the table shown, where
// that is not seen.
func (p *Pane) hitUnseen(w int, s *style.Styles) text.Safe {
	if v, ok := p.view.(*tableView); ok {
		return v.lastHit.told(w, s)
	}
	return ""
}

// tabChip is what stands beside the tabs in w cells.
func (p *Pane) tabChip(w int, s *style.Styles) text.Safe {
	return p.chip(chipRoom(w, text.Width(p.tabNames(s))))
}

func (p *Pane) tabNames(s *style.Styles) text.Safe {
	var out text.Safe = " "
	for _, v := range p.tabs() {
		if v == p.view {
			out += s.Key.Render("["+v.tab(p.Input)+"]") + " "
		} else {
			out += s.Muted.Render(" "+v.tab(p.Input)+" ") + " "
		}
	}
	return out
}

func (p *Pane) tabLine(w int, s *style.Styles) text.Safe {
	out, right := p.tabNames(s), p.tabChip(w, s)
	if right != "" {
		right = s.Badge.Render(" "+right+" ") + " "
	} else if plain := strings.TrimRight(ansi.Strip(string(out)), " "); text.Width(text.Sanitize(plain)) <= w {
		return text.Cut(out, w) // only the blanks behind the last tab are cut
	}
	return text.Between(out, right, w)
}

// chipRoom is how wide a chip may be beside the tabs, which stay in reach.
func chipRoom(w, tabs int) int { return w - tabs - 4 }

// chip tells of the filter and the search in force, in at most w cells: with little room
// only how many there are, with none nothing.
func (p *Pane) chip(w int) text.Safe {
	if p.line != nil {
		return ""
	}
	words, count, of := "", "", ""
	if p.find.text != "" {
		words, count = "/"+p.find.text, p.find.count()
	}
	if v := p.tableView(); v.fits(p.Input) && (words == "" || p.view == view(v)) {
		words, count = v.chip()
		of = v.loaded()
	}
	if words == "" {
		return ""
	}
	if whole := text.Sanitize(words + " · " + count + of); text.Width(whole) <= w {
		return whole
	}
	tail := text.Sanitize(" · " + count)
	if room := w - text.Width(tail); room >= fewestWords {
		return text.Truncate(text.Sanitize(words), room) + tail
	}
	if only := text.Sanitize(count); text.Width(only) <= w {
		return only
	}
	return ""
}

// fewestWords is how much of a filter's words is worth showing.
const fewestWords = 6

// FitAside tells the record beside the view its room.
func (p *Pane) FitAside(w, h int) {
	if !p.HasRecords() {
		return
	}
	p.aside.load(p.Input)
	p.aside.tree.wrap = !p.cut
	p.aside.tree.fit(w, h)
}

// Aside is what stands beside the view where there is room: the record under the cursor.
func (p *Pane) Aside(s *style.Styles) (title string, lines []text.Safe) {
	if !p.HasRecords() {
		return "Record", []text.Safe{"", " " + s.Muted.Render("no record under the cursor")}
	}
	lines, _ = p.aside.tree.lines(s, false, finder{})
	return "Record " + quantity.Digits(p.row+1) + " of " + quantity.Digits(p.Page().Len()), lines
}

// fact is a part of the truth line; those of a higher rank are left out first
// where there is no room.
type fact struct {
	text string
	rank int
}

// moreWords say what comes behind a page, and behind all pages as one table.
var moreWords = map[answer.State][2]string{
	answer.More: {"more", "more"}, answer.End: {"last", "no more"}, answer.Unknown: {"more unknown", "more unknown"},
}

// Facts is the truth line in about w cells: status, rows, time, size, page, more or not.
func (p *Pane) Facts(w int) string {
	page := p.Page()
	switch {
	case page == nil:
		return ""
	case page.Err != nil:
		f := strings.ToLower(classWords[page.Err.Class])
		if page.Status() != 0 {
			f = fmt.Sprintf("%d · %s", page.Status(), f)
		}
		return f + " · " + quantity.Duration(page.Took())
	case page.File != nil:
		return fitting(w, fact{fmt.Sprint(page.Status()), 1}, fact{page.FileFacts(), 0},
			fact{quantity.Duration(page.Took()), 2})
	case page.Document != nil:
		return page.DocumentFacts()
	}
	if name := p.view.name(); p.together && (name == "Table" || name == "Pages") {
		var rows, size int
		var took time.Duration
		for _, page := range p.pages {
			rows, size, took = rows+page.Len(), size+page.Size(), took+page.Took()
		}
		return fitting(w, fact{fmt.Sprintf("%s of %d pages", answer.Rows(rows), len(p.pages)), 0},
			fact{quantity.Duration(took), 2}, fact{quantity.Size(int64(size)), 3},
			fact{moreWords[p.Last().Next.State][1], 0})
	}
	var rows, number, attempts string
	if page.Index != nil {
		rows = answer.Rows(page.Len())
	}
	if more := moreWords[page.Next.State][0]; more != "" {
		number = fmt.Sprintf("page %d, %s", p.cur+1, more)
	}
	if n := client.Calls(page.Attempts()); n > 1 {
		attempts = fmt.Sprintf("%d attempts", n)
	}
	return fitting(w, fact{fmt.Sprint(page.Status()), 1}, fact{rows, 0}, fact{quantity.Duration(page.Took()), 2},
		fact{quantity.Size(int64(page.Size())), 3}, fact{number, 0}, fact{attempts, 2})
}

// fitting joins the facts that fit into w cells.
func fitting(w int, list ...fact) string {
	for worst := 3; ; worst-- {
		var parts []string
		for _, f := range list {
			if f.rank <= worst && f.text != "" {
				parts = append(parts, f.text)
			}
		}
		if t := strings.Join(parts, " · "); worst == 0 || text.Width(text.Sanitize(t)) <= w {
			return t
		}
	}
}

// Status says where the cursor is and what the next page would send, in one
// line of w cells: in fewer words where there is little room. Why a next page
// cannot be known, or what is broken, may take two lines.
func (p *Pane) Status(w int, s *style.Styles) []text.Safe {
	page := p.Page()
	muted := func(what string) []text.Safe {
		return []text.Safe{s.Muted.Render(text.Truncate(text.Sanitize(what), w))}
	}
	switch {
	case page == nil && p.awaited != nil:
		return muted(p.awaited.Progress())
	case page == nil:
		return muted("r runs the request in the form")
	case page.Err != nil && page.Err.Fate == client.FateUnknown:
		return muted("the params are kept: 2 shows them")
	case page.Err != nil:
		return muted("the params are kept: 2 edits them, r runs again")
	}
	in := p.Input
	if v := p.tableView(); v.rows != nil && v.leads(in) {
		in.line, in.lines = v.scroll.Cursor, v.count()
	}
	in.counted = p.line != nil || p.tabChip(p.width, s) != ""
	where := p.current().where(in)
	next := page.Next
	switch {
	case p.Typing() && p.hitUnseen(w, s) != "": // the line of the table that tells it is typed over
		return told(where, p.hitUnseen(w-text.Width(where)-3, s), w, s, &s.Info)
	case page.Broken() != "":
		return told(where, text.Sanitize(page.Broken()), w, s, &s.Warning)
	case p.together && p.stopped != "":
		return told(where, text.Sanitize(p.stopped), w, s, &s.Warning)
	case p.together:
		next = p.Last().Next
	case p.cur+1 < len(p.pages):
		return told(where, text.Truncate(text.Sprintf("page %d is here already", p.cur+2), w), w, s, &s.Muted)
	}
	if in.fault(next) != "" {
		return in.faultStatus(where, next, w, s)
	}
	full := text.Sanitize(next.Text())
	switch next.State {
	case answer.None:
		return told(where, "", w, s, &s.Muted)
	case answer.Unknown:
		return told(where, full, w, s, &s.Warning)
	}
	if text.Width(where)+3+text.Width(full) > w {
		full = text.Sanitize(next.Short())
	}
	switch narrow := text.Width(where)+3+text.Width(full) > w; {
	case narrow && p.filtered() && !in.counted: // nothing else says how many rows pass
		full = ""
	case narrow:
		where = ""
	}
	return told(where, text.Truncate(full, w), w, s, &s.Muted)
}

// told is where the cursor is and what to know, in one line, or what to know in two.
func told(where, what text.Safe, w int, s *style.Styles, st *style.Style) []text.Safe {
	if where != "" && what != "" {
		where += " │ "
	}
	if text.Width(where)+text.Width(what) <= w || what == "" {
		return []text.Safe{text.Truncate(s.Text.Render(where)+st.Render(what), w)}
	}
	lines := text.WrapTo(what, w, 2)
	for i := range lines {
		lines[i] = st.Render(lines[i])
	}
	return lines
}
