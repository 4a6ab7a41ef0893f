package records

import (
	"slices"

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
	// Holds tells what kinds of values the sample showed, as a set of bits 1 << rawjson.Kind.
	Holds uint8
}

// Computed is a column that a jq program computes from each record, as it is kept.
type Computed struct {
	Name    string `json:"name"`
	Program string `json:"program"`
}

// Useful tells whether the sample showed a value other than null.
func (c *Column) Useful() bool { return c.Seen > c.Nulls }

// Container tells whether the sample showed only arrays and objects.
func (c *Column) Container() bool {
	return c.Holds != 0 && c.Holds&^(1<<rawjson.Array|1<<rawjson.Object|1<<rawjson.Null) == 0 &&
		c.Holds&(1<<rawjson.Array|1<<rawjson.Object) != 0
}

// wholeName is the name of the column that holds records without members.
const wholeName = "."

// Whole tells whether the column holds the records themselves, where they are
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
	path := c.path(names)
	if _, ok := record.Lookup(path); ok || c.Wire == nil {
		return path
	}
	if _, ok := record.Lookup(c.path(otherNames(names))); ok {
		return c.path(otherNames(names))
	}
	return path
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
	n, ok := record.Lookup(c.path(names))
	if !ok && c.Wire != nil {
		n, _ = record.Lookup(c.path(otherNames(names)))
	}
	return n
}

// Covers tells whether the column holds what stands at a path in a record.
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
