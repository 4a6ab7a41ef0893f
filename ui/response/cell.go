package response

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Cell is the cell or the value under the cursor. Its texts are made when they
// are asked for, which may take a while for a large one.
type Cell struct {
	// Path is where it lies in the body.
	Path string
	cell records.Cell
}

// Cell is what the cursor is on; false where it is on nothing.
func (p *Pane) Cell() (c Cell, ok bool) {
	if v := p.onTable(); v != nil {
		return v.cell()
	}
	t := p.tree()
	if t == nil {
		return c, false
	}
	l, _ := t.current()
	return Cell{t.path().Dotted(), records.Cell{State: records.Value, Node: l.Node}}, l.Node.Exists()
}

// CurrentField is the dotted path, within the record, of the field under the
// cursor; "" where a view has none.
func (p *Pane) CurrentField() string {
	if v := p.onTable(); v != nil {
		return v.column()
	}
	if v, ok := p.current().(*recordView); ok && p.HasRecords() {
		return v.tree.below().String()
	}
	return ""
}

// cell is the cell under the cursor.
func (v *tableView) cell() (c Cell, ok bool) {
	if v.count() == 0 || len(v.columns) == 0 {
		return c, false
	}
	row := v.rowAt(v.scroll.Cursor)
	return Cell{v.cellPath(row, &v.columns[v.col].Column), v.table.Cell(row, v.col)}, true
}

// Absent reports that the record has no such field.
func (c Cell) Absent() bool { return c.cell.State == records.Absent }

// Size is how many bytes the value has as received.
func (c Cell) Size() int { return c.cell.Node.Size() }

// Shown is the value for reading: containers laid out, strings decoded; more
// reports that it continues.
func (c Cell) Shown() (t string, more bool) {
	n := c.cell.Node
	if container(n) {
		return c.indented()
	}
	b, more := n.AppendText(nil, copyLimit)
	return string(b), more
}

func (c Cell) indented() (t string, more bool) {
	b, more := c.cell.Node.AppendIndent(nil, copyLimit)
	return string(b), more
}

// Text is the value as a text: strings decoded, containers on one line; more
// reports that it continues.
func (c Cell) Text() (t string, more bool) { return c.cell.Text(copyLimit) }

// copies are the ways to copy it.
func (c Cell) copies() []CopyOption {
	return []CopyOption{
		{Title: "Value", What: "value", Text: c.whole(c.Text)},
		{Title: "Value as JSON", What: "value", Text: c.whole(c.indented)},
		fixed("Path  "+c.Path, "path", c.Path),
	}
}

// whole makes a text of the value for the clipboard, unless it is too large.
func (c Cell) whole(write func() (t string, more bool)) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		t, more := write()
		if more {
			return "", fmt.Errorf("the value is %s, too much for a clipboard: E writes to a file",
				quantity.Size(int64(c.Size())))
		}
		return t, nil
	}
}

// laidOut writes a value for people: containers with line breaks, strings decoded.
func laidOut(n rawjson.Node) func(context.Context) (string, error) {
	c := Cell{cell: records.Cell{Node: n}}
	return c.whole(c.Shown)
}

// cutMark stands behind a value whose end never came.
const cutMark = "✂"

// rowsKept is how many decoded rows are kept before all are forgotten: more than
// the tallest screen has.
const rowsKept = 512

// decoded are the cells of the rows that were shown last. The screen mostly shows
// the same rows after a key; a computed cell runs a program.
type decoded struct {
	table *records.Table
	rows  map[int][]records.Cell
}

// row is a row's cells. They are kept only where settled is set: while a page
// still comes its last record may be cut off.
func (d *decoded) row(t *records.Table, row int, settled bool) []records.Cell {
	if t != d.table || !settled || len(d.rows) >= rowsKept {
		d.table, d.rows = t, make(map[int][]records.Cell)
	}
	if cells, ok := d.rows[row]; ok {
		return cells
	}
	cells := t.Row(row, nil)
	if settled {
		d.rows[row] = cells
	}
	return cells
}

// cellText is what a cell shows: the value, times in a readable form.
func cellText(c *records.Column, cell records.Cell, s *style.Styles) text.Safe {
	switch cell.State {
	case records.Absent:
		return "·"
	case records.Null:
		return "null"
	case records.Empty:
		empty, _ := cell.Node.AppendCompact(nil, 8) // without the blanks and line breaks inside
		return text.Sanitize(string(empty))
	}
	if cell.Node.Kind() == rawjson.Number {
		if t, ok := c.Time(cell); ok {
			return text.Sanitize(t.UTC().Format("2006-01-02 15:04:05"))
		}
	}
	value, more := cell.Text(cellBytes)
	t := s.Data(text.Sanitize(value))
	if more {
		t += text.Ellipsis
	}
	if cell.State == records.Cut {
		t += cutMark
	}
	return t
}

// fitted is what a cell shows in w cells. Two ids or long numbers often differ
// only at their end, so both their ends are shown; the mark of a value whose
// end never came stays, as the ellipsis alone says that there is more to see.
func fitted(c *records.Column, cell records.Cell, w int, s *style.Styles) text.Safe {
	t := cellText(c, cell, s)
	switch {
	case text.Width(t) <= w:
		return t
	case timeWidth(t, w) > 0:
		return t[:timeWidth(t, w)]
	case cell.State == records.Cut && w > 2:
		return text.Truncate(t[:len(strings.TrimSuffix(string(t), cutMark))], w-text.Width(cutMark)) + cutMark
	case strings.ContainsRune(string(t), ' '): // prose, or a time, which tells most at its beginning
	case cell.Node.Kind() == rawjson.Number, cell.Node.Kind() == rawjson.String && identifies(c):
		return text.Middle(t, w)
	}
	return t
}

// identifies reports whether a column holds ids, by the catalog or by its name.
func identifies(c *records.Column) bool {
	return c.Key || strings.EqualFold(c.Title, "id") || slices.ContainsFunc([]string{"_id", "Id", "ID", ".id"},
		func(end string) bool { return strings.HasSuffix(c.Title, end) })
}
