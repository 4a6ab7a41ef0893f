package result

import (
	"fmt"

	"patchbay/client/pages"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Status says where the cursor is and what the next page would send, in one
// line of w cells: in fewer words where there is little room. Why a next page
// cannot be known, or what is broken, may take two lines.
func (p *Pane) Status(w int, s *style.Styles) []string {
	page := p.page()
	switch {
	case page == nil && p.awaited != nil:
		return []string{s.Muted.Render(text.Truncate(p.awaited.read(), w))}
	case page == nil:
		return []string{s.Muted.Render(text.Truncate("r runs the request in the form", w))}
	case page.Err != nil:
		return []string{s.Muted.Render(text.Truncate("the params are kept: 2 edits them, r runs again", w))}
	}
	where := p.current().where(p)
	if broken := page.Broken(); broken != "" {
		return told(where, safe(broken), w, &s.Text, &s.Warning)
	}
	if p.stopped != "" && p.together {
		return told(where, safe(p.stopped), w, &s.Text, &s.Warning)
	}
	next := page.Next
	switch {
	case p.together:
		next = p.Last().Next
	case p.cur+1 < len(p.pages):
		return told(where, text.Truncate(fmt.Sprintf("page %d is here already", p.cur+2), w), w, &s.Text, &s.Muted)
	}
	switch next.State {
	case pages.None:
		return told(where, "", w, &s.Text, &s.Muted)
	case pages.Unknown:
		return told(where, safe(next.Text()), w, &s.Text, &s.Warning)
	}
	full, short := safe(next.Text()), safe(next.Short())
	if text.Width(where)+3+text.Width(full) > w {
		full = short
	}
	if text.Width(where)+3+text.Width(full) > w {
		where = ""
	}
	return told(where, text.Truncate(full, w), w, &s.Text, &s.Muted)
}

// told is where the cursor is and what to know, in one line, or what to know in two.
func told(where, what string, w int, st, whatStyle *style.Style) []string {
	if where != "" && what != "" {
		where += " │ "
	}
	if text.Width(where)+text.Width(what) <= w || what == "" {
		return []string{text.Truncate(st.Render(where)+whatStyle.Render(what), w)}
	}
	lines := text.WrapTo(what, w, 2)
	for i := range lines {
		lines[i] = whatStyle.Render(lines[i])
	}
	return lines
}
