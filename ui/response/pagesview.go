package response

import (
	"fmt"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// pagesView is the ledger: one row per page, what was sent and what came, and
// what is odd about the paging.
type pagesView struct {
	base
	scroll input.Scroll
}

func (v *pagesView) fits(in Input) bool {
	return in.HasAnswer() && in.Page().Err == nil && !in.Page().IsFile()
}

func (v *pagesView) tab(in Input) text.Safe {
	t := v.title
	if n := len(in.pages); n > 1 {
		t = text.Sprintf("Pages %d", n)
	}
	for _, verdict := range in.verdicts() {
		if !verdict.Note {
			return t + " !"
		}
	}
	return t
}

func (v *pagesView) enter(in Input) { v.scroll.Cursor = in.cur }

func (v *pagesView) fit(in Input, w, h int) {
	below := len(v.details(in, w, plain))
	v.scroll.Fit(len(in.pages), max(h-1-below, min(len(in.pages), max(h/3, 1))))
}

func (v *pagesView) lines(in Input, w, h int, s *style.Styles, focused bool) []text.Safe {
	from, to := v.scroll.Window(len(in.pages), v.scroll.Height)
	sent := v.sentWidth(in, from, to, w)
	head := text.Sprintf("    %-4s %7s %7s %6s %9s %8s  %s", "page", "rows", "new", "again", "bytes", "time", "sent")
	if sent > 0 {
		head = text.Pad(head, beforeSent+sent) + "  meta received"
	}
	out := []text.Safe{s.Header.Render(text.Pad(head, w))}
	for i := from; i < to; i++ {
		l := v.row(in, i)
		if sent > 0 {
			l += text.Pad(v.sent(in, i), sent) + "  " + text.Sanitize(v.meta(in, i, 2*w))
		} else {
			l += v.sent(in, i)
		}
		sign, ended := s.Outcome(in.pageOutcome(i))
		shown := v.shown(i == in.cur, s)
		if i == v.scroll.Cursor && focused {
			out = append(out, s.Selected.Render(text.Pad(shown+sign+l, w)))
			continue
		}
		out = append(out, text.Pad(s.Text.Render(shown)+ended.Render(sign)+s.Text.Render(l), w))
	}
	out = append(out, v.details(in, w, s)...)
	return out[:min(len(out), h)]
}

// shown marks the page that the other views show.
func (v *pagesView) shown(on bool, s *style.Styles) text.Safe {
	switch {
	case on && s.ASCII:
		return "* "
	case on:
		return "● "
	}
	return "  "
}

// row is what is told of a page, without the marks before it.
func (v *pagesView) row(in Input, i int) text.Safe {
	page := in.pages[i]
	var fresh, again text.Safe
	if led := in.ledgerPage(i); led != nil {
		fresh, again = text.Digits(led.NewIDs), text.Digits(led.Repeated)
	}
	return text.Sprintf(" %-4d %7s %7s %6s %9s %8s  ", i+1, text.Digits(page.Len()), fresh, again,
		text.Size(int64(page.Size())), text.Duration(page.Took()))
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
func (v *pagesView) sentWidth(in Input, from, to, w int) int {
	longest := leastSent
	for i := from; i < to; i++ {
		longest = max(longest, text.Width(v.sent(in, i)))
	}
	room := w - beforeSent - 2
	longest = min(longest, room*3/5)
	if longest < leastSent || room-longest < leastReceived {
		return 0
	}
	return longest
}

// sent is what a page sent: all params of the first one, then what changed.
func (v *pagesView) sent(in Input, i int) text.Safe {
	if led := in.ledgerPage(i); led != nil && i > 0 && len(led.Sent) > 0 {
		parts := make([]string, len(led.Sent))
		for i, one := range led.Sent {
			parts[i] = one.Name + " = " + string(one.Value)
			if one.Value == nil {
				parts[i] += "left out"
			}
		}
		return text.Sanitize(strings.Join(parts, ", "))
	}
	if t := text.Sanitize(string(in.pages[i].Op.Params)); t != "" {
		return t
	}
	return "no params"
}

// meta is what came with the records of a page, at most limit bytes of it.
func (v *pagesView) meta(in Input, i, limit int) string {
	led := in.ledgerPage(i)
	if led == nil || !led.Meta.Exists() {
		return "none"
	}
	b, _ := led.Meta.AppendCompact(nil, limit)
	return string(b)
}

// details are the lines below the ledger: the page under the cursor, the sum, the verdicts.
func (v *pagesView) details(in Input, w int, s *style.Styles) []text.Safe {
	at := min(v.scroll.Cursor, len(in.pages)-1)
	out := []text.Safe{""}
	put := func(label text.Safe, t string, st style.Style) {
		if t != "" {
			out = append(out, " "+s.Muted.Render(text.Pad(label, 6))+st.Render(text.Truncate(text.Sanitize(t),
				max(w-8, 0))))
		}
	}
	put("meta", v.meta(in, at, 4*w), s.Text)
	next := strings.TrimPrefix(in.pages[at].Next.Text(), "next page ")
	if at+1 < len(in.pages) { // what it sent stands in its line
		next = fmt.Sprintf("page %d is here already", at+2)
	}
	put("next", next, s.Text)
	if in.ledger != nil && in.ledger.Len() > 1 {
		put("sum", totalsText(in.ledger.Totals()), s.Muted)
	}
	if in.stopped != "" {
		out = append(out, wrappedText(" ", in.stopped, max(w-3, 9), true, s.Warning)...)
	}
	return append(out, verdictLines(in.verdicts(), w, s)...)
}

// verdictLines says what is odd about the paging, each name once.
func verdictLines(list []answer.Verdict, w int, s *style.Styles) []text.Safe {
	var out []text.Safe
	for _, told := range answer.Tell(list) {
		st := &s.Error
		if told.Note {
			st = &s.Warning
		}
		for i, l := range text.Wrap(text.Sanitize(told.Sentence()), max(w-4, 8)) {
			if i > 0 {
				out = append(out, "   "+s.Text.Render(l))
				continue
			}
			name := min(len(told.Name), len(l))
			out = append(out, " "+st.Render(l[:name])+s.Text.Render(l[name:]))
		}
	}
	return out
}

func totalsText(t answer.Totals) string {
	sum := fmt.Sprintf("%s in %d pages, %s of them new, %s, %s", answer.Rows(t.Rows), t.Pages,
		quantity.Digits(t.NewIDs), quantity.Size(int64(t.Bytes)), quantity.Duration(t.Took))
	if t.Total >= 0 {
		sum += fmt.Sprintf("; the server speaks of %s", quantity.Digits(t.Total))
	}
	if t.FirstTotal != t.Total {
		sum += fmt.Sprintf(", on the first page of %s", quantity.Digits(t.FirstTotal))
	}
	return sum
}

func (v *pagesView) move(in Input, _, dy int) { v.scroll.Move(dy, len(in.pages)) }
func (v *pagesView) wheel(in Input, d int)    { v.scroll.Move(d, len(in.pages)) }

func (v *pagesView) where(in Input) text.Safe {
	return text.Sprintf("page %d of %d fetched", v.scroll.Cursor+1, len(in.pages))
}

func (v *pagesView) click(in Input, _, y int, double bool) press {
	if y < 1 {
		return nil
	}
	v.scroll.Cursor = min(max(v.scroll.Top+y-1, 0), len(in.pages)-1)
	if double {
		return (*Pane).OpenPage
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
