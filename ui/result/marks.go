package result

import (
	"fmt"
	"slices"

	"patchbay/client/records"
)

// Mark marks or unmarks the row under the cursor and goes on to the next.
func (p *Pane) Mark() {
	v := p.onTable()
	if v == nil || v.count() == 0 {
		return
	}
	if v.anchor >= 0 {
		v.markRange()
		return
	}
	row := v.rowAt(v.scroll.Cursor)
	v.setMark(row, !v.marked(row))
	v.move(p, 0, 1)
}

// MarkRange starts or ends a range of marks.
func (p *Pane) MarkRange() {
	v := p.onTable()
	switch {
	case v == nil || v.count() == 0:
	case v.anchor < 0:
		v.anchor = v.scroll.Cursor
	default:
		v.markRange()
	}
}

// Unmark takes all marks away, on every page; it reports whether there were any.
func (p *Pane) Unmark() bool {
	v := p.tableView()
	if v == nil || (p.markCount() == 0 && v.anchor < 0) {
		return false
	}
	for _, page := range p.pages {
		page.marks.Clear()
	}
	v.anchor = -1
	return true
}

func (v *tableView) markRange() {
	for i := min(v.anchor, v.scroll.Cursor); i <= max(v.anchor, v.scroll.Cursor) && i < v.count(); i++ {
		v.setMark(v.rowAt(i), true)
	}
	v.anchor = -1
}

// Marks belong to the pages, so that they are there whichever page is shown.
func (v *tableView) marked(row int) bool {
	page, record := v.set.PageOf(row)
	return page >= 0 && v.parts[page].marks.Has(record)
}

func (v *tableView) setMark(row int, on bool) {
	if page, record := v.set.PageOf(row); page >= 0 {
		v.parts[page].marks.Set(record, on)
	}
}

// parts are the pages of the run that hold records.
func (p *Pane) parts() []*Page {
	var out []*Page
	for _, page := range p.pages {
		if page.Index != nil {
			out = append(out, page)
		}
	}
	return out
}

// markCount is how many rows are marked on all pages.
func (p *Pane) markCount() int {
	n := 0
	for _, page := range p.pages {
		n += page.marks.Len()
	}
	return n
}

// markedRows are the marked rows of all pages, as rows of one set.
func (p *Pane) markedRows() (*records.Set, []int32) {
	set := p.LoadedSet()
	rows := make([]int32, 0, p.markCount())
	for i, page := range p.parts() {
		_, from, _ := set.Page(i)
		for _, record := range page.marks.Rows() {
			rows = append(rows, int32(from)+record)
		}
	}
	return set, rows
}

func markedRowsText(n int) string {
	if n == 1 {
		return "1 marked row"
	}
	return groupDigits(n) + " marked rows"
}

// markedText says behind the cursor's place how many rows are marked, and how
// many of them are out of sight on other pages.
func (p *Pane) markedText() string {
	n := p.markCount()
	if n == 0 {
		return ""
	}
	t := ", " + groupDigits(n) + " marked"
	if others := n - p.page().marks.Len(); others > 0 && !p.together {
		t += fmt.Sprintf(", %s on other pages", groupDigits(others))
	}
	return t
}

// rowNumber says which row of the run a row of the loaded set is.
func (p *Pane) rowNumber(set *records.Set, row int) string {
	if len(p.pages) > 1 && !p.together {
		if page, record := set.PageOf(row); page >= 0 {
			return fmt.Sprintf("%s of page %d", groupDigits(record+1), slices.Index(p.pages, p.parts()[page])+1)
		}
	}
	return groupDigits(row + 1)
}
