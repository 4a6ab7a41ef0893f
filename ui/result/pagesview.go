package result

import (
	"fmt"
	"strings"

	"patchbay/client/pages"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// pagesView is the ledger: one row per page, what was sent and what came, and
// what is odd about the paging.
type pagesView struct {
	base
	scroll pane.Scroll
}

func (v *pagesView) name() string  { return "Pages" }
func (v *pagesView) scope() string { return "pages" }
func (v *pagesView) fits(p *Pane) bool {
	return p.HasAnswer() && p.page().Err == nil && p.page().Document == nil
}

func (v *pagesView) tab(p *Pane) string {
	t := "Pages"
	if n := len(p.pages); n > 1 {
		t = fmt.Sprintf("Pages %d", n)
	}
	for _, verdict := range p.verdicts() {
		if !verdict.Note {
			return t + " !"
		}
	}
	return t
}

func (v *pagesView) enter(p *Pane) { v.scroll.Cursor = p.cur }

func (v *pagesView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	below := v.details(p, w, s)
	room := max(h-1-len(below), min(len(p.pages), max(h/3, 1)))
	odd := oddPages(p.verdicts())
	v.scroll.Fit(len(p.pages), room)
	from, to := v.scroll.Window(len(p.pages), room)
	sent := v.sentWidth(p, from, to, w)
	head := fmt.Sprintf("  %-5s %7s %7s %6s %9s %8s  %s", "page", "rows", "new", "again", "bytes", "time", "sent")
	if sent > 0 {
		head = text.Pad(head, beforeSent+sent) + "  meta received"
	}
	out := []string{s.Header.Render(text.Pad(head, w))}
	for i := from; i < to; i++ {
		l := v.row(p, i, odd[i], s)
		if sent > 0 {
			l = text.Pad(l+text.Pad(v.sent(p, i), sent)+"  "+v.received(p, i, w), w)
		} else {
			l = text.Pad(l+v.sent(p, i), w)
		}
		if i == v.scroll.Cursor && focused {
			out = append(out, s.Selected.Render(l))
		} else {
			out = append(out, s.Text.Render(l))
		}
	}
	out = append(out, below...)
	return out[:min(len(out), h)]
}

func (v *pagesView) row(p *Pane, i int, odd bool, s *style.Styles) string {
	page := p.pages[i]
	shown := " "
	switch {
	case i == p.cur && s.ASCII:
		shown = "*"
	case i == p.cur:
		shown = "●"
	}
	fresh, again := "", ""
	if led := p.ledgerPage(i); led != nil {
		fresh, again = groupDigits(led.NewIDs), groupDigits(led.Repeated)
	}
	number := fmt.Sprint(i + 1)
	if odd {
		number += " !"
	}
	return fmt.Sprintf("%s %-5s %7s %7s %6s %9s %8s  ", shown, number, groupDigits(page.Len()), fresh, again, sizeText(page.Size()), durationText(page.Took()))
}

// beforeSent is how wide the columns before the params are, leastSent and
// leastReceived what the params and the meta beside them need to be of use.
const (
	beforeSent    = 51
	leastSent     = 8
	leastReceived = 16
)

// sentWidth is how wide the params are so that the meta has room beside them;
// 0 where there is none.
func (v *pagesView) sentWidth(p *Pane, from, to, w int) int {
	longest := leastSent
	for i := from; i < to; i++ {
		longest = max(longest, text.Width(v.sent(p, i)))
	}
	room := w - beforeSent - 2
	longest = min(longest, room*3/5)
	if longest < leastSent || room-longest < leastReceived {
		return 0
	}
	return longest
}

// sent is what a page sent: all params of the first one, then what changed.
func (v *pagesView) sent(p *Pane, i int) string {
	if led := p.ledgerPage(i); led != nil && i > 0 && len(led.Sent) > 0 {
		return sentText(led.Sent)
	}
	if t := text.Sanitize(string(p.pages[i].Op.Params)); t != "" {
		return t
	}
	return "no params"
}

// received is the meta that came with a page.
func (v *pagesView) received(p *Pane, i, w int) string {
	led := p.ledgerPage(i)
	if led == nil || !led.Meta.Exists() {
		return "none"
	}
	b, _ := led.Meta.AppendCompact(nil, 2*w)
	return text.Sanitize(string(b))
}

func sentText(params []pages.Param) string {
	parts := make([]string, len(params))
	for i, one := range params {
		value := string(one.Value)
		if one.Value == nil {
			value = "left out"
		}
		parts[i] = one.Name + " = " + value
	}
	return text.Sanitize(strings.Join(parts, ", "))
}

// details are the lines below the ledger: the page under the cursor, the sum, the verdicts.
func (v *pagesView) details(p *Pane, w int, s *style.Styles) []string {
	at := min(v.scroll.Cursor, len(p.pages)-1)
	page := p.pages[at]
	out := []string{""}
	put := func(label, t string, st style.Style) {
		if t != "" {
			out = append(out, " "+s.Muted.Render(text.Pad(label, 6))+st.Render(text.Truncate(text.Sanitize(t), max(w-8, 0))))
		}
	}
	meta := "none"
	if led := p.ledgerPage(at); led != nil && led.Meta.Exists() {
		b, _ := led.Meta.AppendCompact(nil, 4*w)
		meta = string(b)
	}
	put("meta", meta, s.Text)
	put("next", strings.TrimPrefix(page.Next.Text(), "next page "), s.Text)
	if p.ledger != nil && p.ledger.Len() > 1 {
		put("sum", totalsText(p.ledger.Totals()), s.Muted)
	}
	if p.stopped != "" {
		for _, l := range text.Wrap(text.Sanitize(p.stopped), max(w-4, 8)) {
			out = append(out, " "+s.Warning.Render(l))
		}
	}
	return append(out, verdictLines(p.verdicts(), w, s)...)
}

func totalsText(t pages.Totals) string {
	sum := fmt.Sprintf("%s in %d pages, %s of them new, %s, %s", rowsText(t.Rows), t.Pages, groupDigits(t.NewIDs), sizeText(int(t.Bytes)), durationText(t.Took))
	if t.Total >= 0 {
		sum += fmt.Sprintf("; the server speaks of %s", groupDigits(t.Total))
	}
	if t.FirstTotal != t.Total {
		sum += fmt.Sprintf(", on the first page of %s", groupDigits(t.FirstTotal))
	}
	return sum
}

func (v *pagesView) move(p *Pane, _, dy int) { v.scroll.Move(dy, len(p.pages)) }

func (v *pagesView) where(p *Pane) string {
	return fmt.Sprintf("page %d of %d fetched", v.scroll.Cursor+1, len(p.pages))
}

func (v *pagesView) click(p *Pane, _, y int, double bool) intent.Intent {
	if y < 1 {
		return nil
	}
	v.scroll.Cursor = min(max(v.scroll.Top+y-1, 0), len(p.pages)-1)
	if double {
		return p.OpenPage()
	}
	return nil
}

// OpenPage shows the page under the ledger's cursor.
func (p *Pane) OpenPage() intent.Intent {
	v, ok := p.current().(*pagesView)
	if !ok {
		return nil
	}
	p.together = false
	return p.goToPage(min(max(v.scroll.Cursor, 0), len(p.pages)-1), "Table")
}
