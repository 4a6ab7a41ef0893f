package result

import (
	"context"
	"fmt"

	"patchbay/client/rawjson"
	"patchbay/client/records"
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
	switch v := p.current().(type) {
	case *recordView:
		return v.tree.cell()
	case *jsonView:
		return v.tree.cell()
	}
	v := p.onTable()
	if v == nil || v.count() == 0 {
		return c, false
	}
	row := v.rowAt(v.scroll.Cursor)
	return Cell{v.cellPath(row, &v.columns[v.col].Column), v.table.Cell(row, v.col)}, true
}

// cell is the value under the cursor.
func (t *tree) cell() (c Cell, ok bool) {
	l, ok := t.current()
	if !ok || !l.Node.Exists() {
		return c, false
	}
	return Cell{t.path().Dotted(), records.Cell{State: records.Value, Node: l.Node}}, true
}

// Absent tells that the record has no such field.
func (c Cell) Absent() bool { return c.cell.State == records.Absent }

// Size is how many bytes the value has as received.
func (c Cell) Size() int { return c.cell.Node.Size() }

// Shown is the value for reading: containers laid out, strings decoded; more
// tells that it goes on.
func (c Cell) Shown() (t string, more bool) { return laid(c.cell.Node) }

func laid(n rawjson.Node) (t string, more bool) {
	write := n.AppendText
	if container(n) {
		write = n.AppendIndent
	}
	b, more := write(nil, copyLimit)
	return string(b), more
}

// Text is the value as a text: strings decoded, containers on one line; more
// tells that it goes on.
func (c Cell) Text() (t string, more bool) { return c.cell.Text(copyLimit) }

// copies are the ways to copy it.
func (c Cell) copies() []CopyOption {
	value := func(make func() (string, bool)) func(context.Context) (string, error) {
		return func(context.Context) (string, error) {
			t, more := make()
			if more {
				return "", tooLarge(c.cell.Node)
			}
			return t, nil
		}
	}
	return []CopyOption{
		{Title: "Value", What: "value", Text: value(c.Text)},
		{Title: "Value as JSON", What: "value", Text: value(func() (string, bool) {
			b, more := c.cell.Node.AppendIndent(nil, copyLimit)
			return string(b), more
		})},
		fixed("Path  "+c.Path, "path", c.Path),
	}
}

func tooLarge(n rawjson.Node) error {
	return fmt.Errorf("the value is %s, too much for a clipboard: E writes to a file", sizeText(n.Size()))
}
