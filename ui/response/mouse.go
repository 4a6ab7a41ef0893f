package response

import (
	"maps"

	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Wheel scrolls the view.
func (p *Pane) Wheel(d int) {
	if p.HasAnswer() {
		p.current().wheel(p.Input, d)
		p.follow()
	}
}

// Sideways scrolls a view that has columns; it opens and folds nothing.
func (p *Pane) Sideways(d int) {
	if p.onTable() != nil || p.HasAnswer() && p.view.name() == "Raw" {
		p.Move(d, 0)
	}
}

// Click moves the cursor to a cell of the view, picks a tab or opens the filter in force.
func (p *Pane) Click(x, y int, double bool) intent.Intent {
	if !p.HasAnswer() || y < 0 {
		return nil
	}
	if y > 0 {
		ended := p.EndTyping()
		do := p.current().click(p.Input, x, y-1, double)
		p.follow()
		if do == nil {
			return ended
		}
		return intent.All{ended, do(p)}
	}
	tab, end := p.tabAt(x)
	if n := text.Width(p.chip(chipRoom(p.width, end))); n > 0 && x >= p.width-n-3 {
		p.OpenLine()
		return nil
	}
	ended := p.EndTyping()
	if tab == nil {
		return ended
	}
	p.ShowView(tab.name())
	return intent.All{ended, p.Examine()}
}

// tabAt is the view whose tab stands at a cell of the line of tabs, nil without one,
// and where the tabs end.
func (p *Pane) tabAt(x int) (at view, end int) {
	end = 1
	for _, v := range p.tabs() {
		n := text.Width(v.tab(p.Input)) + 3
		if x >= end && x < end+n-1 {
			at = v
		}
		end += n
	}
	return at, end
}

// Select moves the cursor to a cell of the view, and does nothing with it.
func (p *Pane) Select(x, y int) bool {
	if !p.HasAnswer() || y < 1 {
		return false
	}
	if v := p.onTable(); v != nil {
		v.point(p.Input, x, y-1)
		p.follow()
	} else if t := p.tree(); t != nil {
		t.point(y - 1)
	} else {
		p.current().click(p.Input, x, y-1, false)
	}
	return true
}

// Grab takes hold of the border of a column at a cell of the pane; a double
// click gives the column the width of what it holds. False without a border.
func (p *Pane) Grab(x, y int, double bool) bool {
	v := p.onTable()
	if v == nil || y != 1 {
		return false
	}
	_, col := v.columnAt(x, p.width)
	if col < 0 {
		return false
	}
	v.col = col
	if double {
		v.widths = maps.Clone(v.widths)
		delete(v.widths, v.columns[col].Name)
		v.measure()
	}
	v.grabbed = x - v.columns[col].width
	return true
}

// DragColumn moves the border that Grab took hold of to a cell of the pane.
func (p *Pane) DragColumn(x int) {
	if v := p.onTable(); v != nil {
		p.Resize(x - v.grabbed - v.columns[v.col].width)
	}
}

// columnAt is the column under a cell of the screen, and the one whose right border
// stands there or beside it: one cell is hard to hit. -1 without one.
func (v *tableView) columnAt(x, w int) (over, border int) {
	over, border = -1, -1
	from := v.gutter()
	for _, i := range v.shown(w) {
		to := from + v.columns[i].width
		if x >= from && x < to {
			over = i
		}
		if x == to-1 || x == to {
			border = i
		}
		from = to + 1
	}
	return over, border
}

// point puts the cursor on the row and the column under a cell below the tabs;
// false when there is no row.
func (v *tableView) point(in Input, x, y int) bool {
	i := v.scroll.Top + y - 1
	if y < 1 || i >= v.count() || y > v.scroll.Height {
		return false
	}
	v.scroll.Cursor = i
	if col, _ := v.columnAt(x, in.width); col >= 0 {
		v.col = col
	}
	return true
}

func (v *tableView) wheel(_ Input, d int) { v.scroll.Wheel(d, v.count()) }

func (v *rawView) wheel(in Input, d int) { v.scroll.Wheel(d, v.rows(in)) }

// WheelAside scrolls the record beside the view.
func (p *Pane) WheelAside(d int) { p.aside.wheel(p.Input, d) }

// ClickAside folds or unfolds the value at a line of the record beside the view.
func (p *Pane) ClickAside(y int) {
	if p.HasRecords() && p.aside.tree.point(y) {
		p.aside.tree.toggle()
	}
}

// point puts the cursor on the line that is drawn at row y of the window, which
// long texts shift; false when there is none.
func (t *tree) point(y int) bool {
	_, of := t.lines(plain, false, finder{})
	if y < 0 || y >= len(of) {
		return false
	}
	t.scroll.Cursor = of[y]
	return true
}
