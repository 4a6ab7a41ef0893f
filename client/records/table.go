package records

import (
	"patchbay/client/rawjson"
)

// Table is a Set seen through columns. It holds no cells: they are read from
// the records each time. Make a new one when the columns change.
type Table struct {
	Set     *Set
	Columns []Column
	plan    *Plan
}

// NewTable returns the table of a set with the given columns.
func NewTable(set *Set, columns []Column) *Table {
	return &Table{Set: set, Columns: columns, plan: NewPlan(columns)}
}

// Row returns the cells of a row in the order of the columns, in dst when it is large enough.
func (t *Table) Row(row int, dst []Cell) []Cell {
	record, names := t.Set.RecordNames(row)
	return t.plan.Cells(record, names, dst)
}

// Cell returns one cell.
func (t *Table) Cell(row, column int) Cell {
	return CellOf(t.Set, row, &t.Columns[column])
}

// CellOf returns the cell of a column in a row.
func CellOf(set *Set, row int, c *Column) Cell {
	record, names := set.RecordNames(row)
	if n := c.value(record, names); n.Exists() {
		return cellOf(n)
	}
	if record.Cut() {
		return Cell{State: Cut}
	}
	return Cell{}
}

// Key returns the text of the key column in a row; empty when there is no key.
func (t *Table) Key(row int) string {
	for i := range t.Columns {
		if t.Columns[i].Key {
			text, _ := t.Cell(row, i).Text(256)
			return text
		}
	}
	return ""
}

// Record returns the record of a row.
func (t *Table) Record(row int) rawjson.Node { return t.Set.Record(row) }
