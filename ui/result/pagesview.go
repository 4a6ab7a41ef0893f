package result

import (
	"fmt"

	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// pagesView is the ledger: one row per page, what was sent and what came.
type pagesView struct {
	base
	scroll pane.Scroll
}

func (v *pagesView) name() string      { return "Pages" }
func (v *pagesView) scope() string     { return "pages" }
func (v *pagesView) fits(p *Pane) bool { return p.HasAnswer() && p.page().Err == nil }

func (v *pagesView) tab(p *Pane) string {
	if n := len(p.pages); n > 1 {
		return fmt.Sprintf("Pages %d", n)
	}
	return "Pages"
}

func (v *pagesView) enter(p *Pane) { v.scroll.Cursor = p.cur }

func (v *pagesView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	out := []string{s.Header.Render(text.Pad(fmt.Sprintf("  %-5s %8s %10s %10s  %s", "page", "rows", "bytes", "time", "params sent"), w))}
	v.scroll.Fit(len(p.pages), max(h-3, 1))
	from, to := v.scroll.Window(len(p.pages), max(h-3, 1))
	for i := from; i < to; i++ {
		page := p.pages[i]
		shown := " "
		if i == p.cur {
			shown = "●"
			if s.ASCII {
				shown = "*"
			}
		}
		params := text.Sanitize(string(page.Op.Params))
		if params == "" {
			params = "none"
		}
		l := text.Pad(fmt.Sprintf("%s %-5d %8s %10s %10s  %s", shown, i+1, groupDigits(page.Len()), sizeText(page.Size()), durationText(page.Took()), params), w)
		if i == v.scroll.Cursor && focused {
			out = append(out, s.Selected.Render(l))
		} else {
			out = append(out, s.Text.Render(l))
		}
	}
	last := p.pages[len(p.pages)-1]
	return append(out, "", " "+s.Muted.Render(text.Truncate(text.Sanitize(last.Next.Text()), w-2)))
}

func (v *pagesView) move(p *Pane, _, dy int) {
	v.scroll.Move(dy, len(p.pages))
	p.cur = min(max(v.scroll.Cursor, 0), len(p.pages)-1)
}

func (v *pagesView) click(p *Pane, _, y int, _ bool) intent.Intent {
	v.scroll.Cursor = min(max(v.scroll.Top+y-1, 0), len(p.pages)-1)
	p.cur = v.scroll.Cursor
	return nil
}
