package records

import (
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Plan reads the cells of some columns in one pass over a record. It can be
// used by many goroutines.
type Plan struct {
	columns []Column
	neutral *branch
	wire    *branch
}

// branch is what to look for in one object: names that are columns, names that
// lead on to columns, or both.
type branch struct {
	leaves []leaf
	// other are columns whose path does not go by names alone, and derived ones.
	other []int
}

type leaf struct {
	name    string
	columns []int
	below   *branch
}

// NewPlan prepares the reading of columns.
func NewPlan(columns []Column) *Plan {
	return &Plan{columns: columns, neutral: grow(columns, client.Neutral), wire: grow(columns, client.Wire)}
}

// grow makes the tree for pages with the given names. The other name of a
// column is looked for too where it is not the name of a different one.
func grow(columns []Column, names client.Names) *branch {
	root := &branch{}
	for i := range columns {
		if columns[i].Derive != nil {
			root.other = append(root.other, i)
			continue
		}
		root.add(i, columns[i].path(names), true)
	}
	for i := range columns {
		if c := &columns[i]; c.Wire != nil && c.Derive == nil && byName(c.Path) {
			root.add(i, c.path(otherNames(names)), false)
		}
	}
	return root
}

func otherNames(names client.Names) client.Names {
	if names == client.Wire {
		return client.Neutral
	}
	return client.Wire
}

// add puts a column at its path; sure puts it there even beside another one.
func (b *branch) add(column int, path rawjson.Path, sure bool) {
	if !byName(path) {
		b.other = append(b.other, column)
		return
	}
	for k, step := range path {
		l := b.leaf(step.Name)
		if k == len(path)-1 {
			if sure || len(l.columns) == 0 {
				l.columns = append(l.columns, column)
			}
			return
		}
		if l.below == nil {
			l.below = &branch{}
		}
		b = l.below
	}
}

// byName tells whether a path has only steps to members; the empty path has none.
func byName(path rawjson.Path) bool {
	for _, s := range path {
		if s.IsIndex() || s.Index == rawjson.Any {
			return false
		}
	}
	return len(path) > 0
}

func (b *branch) leaf(name string) *leaf {
	for i := range b.leaves {
		if b.leaves[i].name == name {
			return &b.leaves[i]
		}
	}
	b.leaves = append(b.leaves, leaf{name: name})
	return &b.leaves[len(b.leaves)-1]
}

// Cells returns the cells of a record in the order of the columns, in dst when it is large enough.
func (p *Plan) Cells(record rawjson.Node, names client.Names, dst []Cell) []Cell {
	if cap(dst) < len(p.columns) {
		dst = make([]Cell, len(p.columns))
	}
	dst = dst[:len(p.columns)]
	clear(dst)
	root := p.neutral
	if names == client.Wire {
		root = p.wire
	}
	root.read(record, dst)
	for _, i := range root.other {
		dst[i] = cellOf(p.columns[i].value(record, names))
	}
	if record.Cut() {
		for i := range dst {
			if dst[i].State == Absent {
				dst[i].State = Cut
			}
		}
	}
	return dst
}

// read fills the cells found in one object; of duplicate names the first counts.
func (b *branch) read(object rawjson.Node, dst []Cell) {
	left := len(b.leaves)
	var seen uint64 // leaves found; beyond 64 the object is read to its end
	if left == 0 {
		return
	}
	object.Pick(b.index, func(i int, v rawjson.Node) bool {
		if i < 64 {
			if seen>>i&1 == 1 {
				return true
			}
			seen |= 1 << i
			left--
		}
		for _, column := range b.leaves[i].columns {
			if dst[column].State == Absent {
				dst[column] = cellOf(v)
			}
		}
		if below := b.leaves[i].below; below != nil {
			below.read(v, dst)
		}
		return left > 0
	})
}

func (b *branch) index(name []byte) int {
	for i := range b.leaves {
		if string(name) == b.leaves[i].name {
			return i
		}
	}
	return -1
}
