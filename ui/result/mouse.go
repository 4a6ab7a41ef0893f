package result

import (
	"maps"

	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// wheeler is a view whose window scrolls and keeps the cursor inside it.
type wheeler interface{ wheel(p *Pane, d int) }

// Wheel scrolls the view.
func (p *Pane) Wheel(d int) {
	if !p.HasAnswer() {
		return
	}
	if v, ok := p.current().(wheeler); ok {
		v.wheel(p, d)
		return
	}
	p.Move(0, d)
}

// Sideways scrolls a view that has columns; it opens and folds nothing.
func (p *Pane) Sideways(d int) {
	if p.onTable() != nil || p.HasAnswer() && p.current().name() == "Raw" {
		p.Move(d, 0)
	}
}

// Click moves the cursor to a cell of the view, picks a tab or opens the filter in force.
func (p *Pane) Click(x, y int, double bool) intent.Intent {
	switch {
	case !p.HasAnswer() || y < 0:
		return nil
	case y == 0 && p.onChip(x):
		p.OpenLine()
		return nil
	}
	ended := p.EndLine()
	if y == 0 {
		return intent.All{ended, p.clickTab(x)}
	}
	return intent.All{ended, p.current().click(p, x, y-1, double)}
}

// onChip tells whether a cell of the line of tabs is on the filter in force.
func (p *Pane) onChip(x int) bool {
	n := text.Width(p.chip(chipRoom(p.width, p.tabsWidth())))
	return n > 0 && x >= p.width-n-3
}

// Select moves the cursor to a cell of the view, and does nothing with it.
func (p *Pane) Select(x, y int) {
	if !p.HasAnswer() || y < 1 {
		return
	}
	if v := p.onTable(); v != nil {
		v.point(p, x, y-1)
	} else if t := p.tree(); t != nil {
		t.point(y - 1)
	} else {
		p.current().click(p, x, y-1, false)
	}
}

func (p *Pane) clickTab(x int) intent.Intent {
	at := 1
	for _, v := range p.views {
		if !v.fits(p) {
			continue
		}
		n := text.Width(v.tab(p)) + 2
		if x >= at && x < at+n {
			p.ShowView(v.name())
			return p.Examine()
		}
		at += n + 1
	}
	return nil
}

// Grab takes hold of the border of a column at a cell of the pane; a double
// click gives the column the width of what it holds. False without a border.
func (p *Pane) Grab(x, y int, double bool) bool {
	v := p.onTable()
	if v == nil || y != 1 {
		return false
	}
	col := v.borderAt(x, p.width)
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

// borderAt is the column whose right border stands at a cell of the header, or
// beside it: one cell is hard to hit. -1 without one.
func (v *tableView) borderAt(x, w int) int {
	at := v.gutter()
	for _, i := range v.shown(w) {
		at += v.columns[i].width + 1
		if x == at-1 || x == at-2 {
			return i
		}
	}
	return -1
}

// point puts the cursor on the row and the column under a cell below the tabs;
// false when there is no row.
func (v *tableView) point(p *Pane, x, y int) bool {
	i := v.scroll.Top + y - 1
	if y < 1 || i >= v.count() || y > v.scroll.Height {
		return false
	}
	v.scroll.Cursor = i
	if col := v.columnAt(x, p.width); col >= 0 {
		v.col = col
	}
	v.follow(p)
	return true
}

func (v *tableView) wheel(p *Pane, d int) {
	v.load(p)
	v.scroll.Wheel(d, v.count())
	v.follow(p)
}

func (v *recordView) wheel(p *Pane, d int) {
	v.load(p)
	v.tree.scroll.Wheel(d, v.tree.len())
}

func (v *jsonView) wheel(p *Pane, d int) {
	v.load(p)
	v.tree.scroll.Wheel(d, v.tree.len())
	v.follow(p)
}

func (v *rawView) wheel(p *Pane, d int) { v.scroll.Wheel(d, v.rows(p)) }

// WheelAside scrolls the record beside the view.
func (p *Pane) WheelAside(d int) { p.aside.wheel(p, d) }

// ClickAside folds or unfolds the value at a line of the record beside the view.
func (p *Pane) ClickAside(y int) {
	if !p.HasRecords() {
		return
	}
	p.aside.load(p)
	if p.aside.tree.point(y) {
		p.aside.tree.toggle()
	}
}

// point puts the cursor on the line that is drawn at row y of the window, which
// long texts shift; false when there is none.
func (t *tree) point(y int) bool {
	if y < 0 || y >= len(t.drawn) {
		return false
	}
	t.scroll.Cursor = t.drawn[y]
	return true
}

// clickTree puts the cursor on a line. The mark of a value that folds works at
// once, else it takes a second click.
func clickTree(t *tree, x, y int, double bool) intent.Intent {
	before := t.scroll.Cursor
	if t.t == nil || !t.point(y) {
		return nil
	}
	l, _ := t.current()
	onMark := x >= 2*l.Depth && x <= 2*l.Depth+2
	if double {
		if !t.clicked {
			t.toggle()
		}
		return nil
	}
	if t.clicked = onMark || before == t.scroll.Cursor; t.clicked {
		t.toggle()
	}
	return nil
}
