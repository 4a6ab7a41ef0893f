package records

import (
	"strings"

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

// FromPath makes a column of a dotted path, for a column that a person asks for.
func FromPath(text string) (Column, error) {
	path, err := rawjson.ParsePath(text)
	if err != nil {
		return Column{}, err
	}
	return Column{Name: path.String(), Title: path.String(), Path: path}, nil
}

// Ranks of columns; the catalog's order counts within a rank.
const (
	rankKey = iota * 1000
	rankName
	rankMail
	rankStatus
	rankAmount
	rankTime
	rankPlain
	rankNested
	rankContainer
	rankConst
	rankUnused
)

var ranks = []struct {
	rank  int
	words []string // the name is one of these or ends with _ and one of these
}{
	{rankKey, []string{"id", "key", "uuid", "guid"}},
	{rankName, []string{"name", "title", "subject", "summary", "label", "headline", "question", "full_name", "number"}},
	{rankMail, []string{"email", "mail", "username", "login", "handle"}},
	{rankStatus, []string{"status", "state", "stage", "priority", "type", "phase", "active", "archived"}},
	{rankAmount, []string{"amount", "total", "price", "balance", "value", "cost", "revenue", "currency", "quantity", "count"}},
	{rankTime, []string{"created", "updated", "date", "time", "at", "on", "timestamp", "modified", "started", "ended", "due"}},
}

// rankOf guesses the use of a column from its name.
func rankOf(name string) int {
	name = snake(name)
	for _, r := range ranks {
		for _, word := range r.words {
			switch {
			case name == word:
				return r.rank
			case r.rank > rankKey && r.rank < rankTime && strings.HasSuffix(name, "_"+word):
				return r.rank + 300
			case r.rank == rankTime && strings.HasSuffix(name, "_"+word):
				return r.rank
			}
		}
	}
	return rankPlain
}

// snake returns createdAt and CreatedAt as created_at.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z') && name[i-1] != '_' {
			b.WriteByte('_')
		}
		if upper {
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
