package records

import (
	"slices"
	"strconv"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Column is one field of the records, told by the catalog, the data or both.
type Column struct {
	// Name identifies the column: its path in neutral names, dotted.
	Name string
	// Title is what stands above it.
	Title string
	// Path and Wire lead to the value in neutral and in wire names; Wire is nil when both are the same.
	Path rawjson.Path
	Wire rawjson.Path
	// Type is the catalog's type ("integer|string"), or what the data shows; empty when unknown.
	Type string
	// Format is the catalog's format (date-time, date, unix, ...); empty when unknown.
	Format string
	Doc    string
	// Field is the catalog's field; nil for a column that only the data shows.
	Field *catalog.Field
	// Key marks the field that identifies a record.
	Key bool
	// Rank orders columns by use; smaller comes first.
	Rank int
	// Seen and Nulls count the sampled records that hold the field, and those where it is null.
	Seen, Nulls int
	// Derive computes the value from a record instead of Path: a column made by an
	// expression. It is called from several goroutines; the zero Node means absent.
	Derive func(record rawjson.Node) rawjson.Node
	// Program is the jq program that Derive runs; empty for other columns.
	Program string
	// Holds says what kinds of values the sample showed, as a set of bits 1 << rawjson.Kind.
	Holds uint8
}

// Computed is a column that a jq program computes from each record, as it is kept.
type Computed struct {
	Name    string `json:"name"`
	Program string `json:"program"`
}

// Useful reports whether the sample showed a value other than null.
func (c *Column) Useful() bool { return c.Seen > c.Nulls }

// Container reports whether the sample showed only arrays and objects.
func (c *Column) Container() bool {
	return c.Holds != 0 && c.Holds&^(1<<rawjson.Array|1<<rawjson.Object|1<<rawjson.Null) == 0 &&
		c.Holds&(1<<rawjson.Array|1<<rawjson.Object) != 0
}

// wholeName is the name of the column that holds records without members.
const wholeName = "."

// Whole reports whether the column holds the records themselves, where they are
// scalars or arrays.
func (c *Column) Whole() bool { return len(c.Path) == 0 && c.Derive == nil }

// path returns the column's path in the given names.
func (c *Column) path(names client.Names) rawjson.Path {
	if names == client.Wire && c.Wire != nil {
		return c.Wire
	}
	return c.Path
}

// In is the column's path in a record: in the names given, or in the others
// where the record has the field by those alone.
func (c *Column) In(record rawjson.Node, names client.Names) rawjson.Path {
	_, path := c.find(record, names)
	return path
}

// find returns what stands at the column's path in a record, and that path.
func (c *Column) find(record rawjson.Node, names client.Names) (rawjson.Node, rawjson.Path) {
	path := c.path(names)
	n, ok := record.Lookup(path)
	if !ok && c.Wire != nil {
		other := c.path(otherNames(names))
		if m, ok := record.Lookup(other); ok {
			return m, other
		}
	}
	return n, path
}

// value returns the column's value in a record; the zero Node when it has none.
func (c *Column) value(record rawjson.Node, names client.Names) rawjson.Node {
	if c.Derive != nil {
		return c.Derive(record)
	}
	if c.Whole() {
		if record.Kind() == rawjson.Object {
			return rawjson.Node{}
		}
		return record
	}
	n, _ := c.find(record, names)
	return n
}

// Covers reports whether the column holds what stands at a path in a record.
func (c *Column) Covers(at rawjson.Path, names client.Names) bool {
	if c.Derive != nil || c.Whole() {
		return c.Derive == nil && len(at) == 0
	}
	for _, path := range []rawjson.Path{c.path(names), c.path(otherNames(names))} {
		if len(path) <= len(at) && slices.Equal(path, at[:len(path)]) {
			return true
		}
	}
	return false
}

// Named finds the column that a person or a file names among those that are
// known, as only they tell both names of a field; any other name is read as a path.
func Named(name string, known []Column) (Column, error) {
	c, err := FromPath(name)
	for i := range known {
		if known[i].Name == name || err == nil && known[i].Name == c.Name {
			return known[i], nil
		}
	}
	return c, err
}

// FromPath makes a column of a dotted path, for a column that a person asks for.
func FromPath(text string) (Column, error) {
	path, err := rawjson.ParsePath(text)
	if err != nil {
		return Column{}, err
	}
	return Column{Name: path.String(), Title: path.String(), Path: path}, nil
}

// State says what stands in a cell.
type State uint8

// The states of a cell; each is drawn in its own way.
const (
	Absent State = iota // the record has no such field
	Null
	Empty // the empty string, array or object
	Value
	Cut // the body ended inside the value, or before it could be seen
)

// String returns a word for the state.
func (s State) String() string {
	return [...]string{"absent", "null", "empty", "value", "cut off"}[s]
}

// Cell is the value of one column in one record. It is not decoded.
type Cell struct {
	State State
	// Node is the value; the zero Node when it is absent.
	Node rawjson.Node
}

// cellOf says what a node is as a cell.
func cellOf(n rawjson.Node) Cell {
	switch {
	case n.Cut():
		return Cell{Cut, n}
	case !n.Exists():
		return Cell{}
	case n.Kind() == rawjson.Null:
		return Cell{Null, n}
	case n.Kind() == rawjson.String && n.Size() == 2, n.Kind() >= rawjson.Array && n.Empty():
		return Cell{Empty, n}
	}
	return Cell{Value, n}
}

// Text returns what a cell shows, of about limit bytes at most: strings
// decoded, numbers as received, arrays and objects as compact JSON, nothing
// for absent. more reports that something was left out. The text is untrusted.
func (c Cell) Text(limit int) (text string, more bool) {
	var out []byte
	switch c.Node.Kind() {
	case rawjson.Array, rawjson.Object:
		out, more = c.Node.AppendCompact(nil, limit)
		if len(out) > limit {
			out = out[:limit]
		}
	default:
		out, more = c.Node.AppendText(nil, limit)
	}
	return string(out), more
}

// timeLayouts are the spellings of times that are read besides RFC 3339.
var timeLayouts = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02"}

// ParseTime reads a time as services write it: RFC 3339 and its relatives, and
// dates. Times without a zone are taken as UTC.
func ParseTime(text []byte) (time.Time, bool) {
	if len(text) < 10 || len(text) > 40 || text[4] != '-' || text[7] != '-' || !isDigit(text[0]) || !isDigit(text[9]) {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, string(text)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Time reads a cell of the column as a point in time: texts as ParseTime, and
// Unix seconds or milliseconds where the format says so, or where the name
// speaks of time and the number lies between 2001 and 2100.
func (c *Column) Time(cell Cell) (time.Time, bool) {
	if cell.State != Value {
		return time.Time{}, false
	}
	switch cell.Node.Kind() {
	case rawjson.String:
		text, more := cell.Node.AppendText(nil, 40)
		if more {
			return time.Time{}, false
		}
		return ParseTime(text)
	case rawjson.Number:
		const from2001, to2100 = 978307200, 4102444800
		f, err := strconv.ParseFloat(string(cell.Node.Raw()), 64)
		switch {
		case err != nil || !c.isTime():
		case f >= from2001 && f < to2100:
			return time.UnixMilli(int64(f * 1000)).UTC(), true
		case f >= from2001*1000 && f < to2100*1000:
			return time.UnixMilli(int64(f)).UTC(), true
		}
	}
	return time.Time{}, false
}

// isTime reports whether numbers in the column are points in time.
func (c *Column) isTime() bool {
	if c.Format != "" || len(c.Path) == 0 {
		return slices.Contains([]string{"unix", "unix-ms", "date-time", "date"}, c.Format)
	}
	rank := rankOf(c.Path[len(c.Path)-1].Name)
	return rank == rankTime || rank == rankLaterTime
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

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
		i := slices.IndexFunc(b.leaves, func(l leaf) bool { return l.name == step.Name })
		if i < 0 {
			i = len(b.leaves)
			b.leaves = append(b.leaves, leaf{name: step.Name})
		}
		l := &b.leaves[i]
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

// byName reports whether a path has only steps to members; the empty path has none.
func byName(path rawjson.Path) bool {
	other := func(s rawjson.Step) bool { return s.IsIndex() || s.Index == rawjson.Any }
	return len(path) > 0 && !slices.ContainsFunc(path, other)
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
