package records

import (
	"cmp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// ColumnOptions says what is known about the records and how hard to look.
type ColumnOptions struct {
	// Fields are the catalog's record fields; nil when unknown.
	Fields []catalog.Field
	// Key is the neutral name of the field that identifies a record; empty when unknown.
	Key string
	// Sample is how many records are looked at; 0 is 256. Most are the first, some are spread over all.
	Sample int
}

const (
	defaultSample = 256
	// columnsMax is how many columns there may be at most.
	columnsMax = 400
	// nestedMax is how many members of one nested object become columns: a map with free keys must not flood the table.
	nestedMax = 40
	// membersMax is how many members of one object are looked at: one with more is
	// a map, whose members are no fields.
	membersMax = 4_000
	// nestedDepth is how deep nested objects are opened; wrappers do not count.
	nestedDepth = 2
)

// Columns returns the columns of a set by use: the key, then names, states,
// amounts with their currency, times and mails, then the rest in the catalog's
// and the data's order, nested fields, links and ids of others, arrays and
// objects, constants, and last what no sampled record holds. It looks at a sample and takes milliseconds.
func Columns(set *Set, o ColumnOptions) []Column {
	d := &discovery{opts: o, byName: map[string]int{}, nested: map[string]int{}}
	d.know(o.Fields, bothNames{}, 0)
	for _, row := range sampleRows(set.Len(), cmp.Or(o.Sample, defaultSample)) {
		d.look(set.Record(row))
	}
	d.markKey()
	for i := range d.found {
		c := &d.found[i]
		if c.Type == "" {
			c.Type = c.kinds()
		}
		c.Rank = d.rank(c)
	}
	settle(d.found)
	slices.SortStableFunc(d.found, func(a, b Column) int { return cmp.Compare(a.Rank, b.Rank) })
	return d.found
}

// sampleRows returns three quarters of a sample from the start, the rest spread over all rows.
func sampleRows(n, sample int) []int {
	first := min(n, sample*3/4)
	rows := make([]int, 0, sample)
	for i := range first {
		rows = append(rows, i)
	}
	rest := min(n-first, sample-first)
	for i := range rest {
		rows = append(rows, first+i*(n-first)/rest)
	}
	return rows
}

// discovery gathers columns while records go by.
type discovery struct {
	opts   ColumnOptions
	byName map[string]int
	found  []Column
	nested map[string]int // members made columns, by name of their object
	looked int
}

// bothNames is where members lie: their object's path in both names.
type bothNames struct{ path, wire rawjson.Path }

func (p bothNames) below(neutral, wire string) bothNames {
	return bothNames{p.path.With(rawjson.Name(neutral)), p.wire.With(rawjson.Name(wire))}
}

// know makes columns of the catalog's fields.
func (d *discovery) know(fields []catalog.Field, at bothNames, depth int) {
	for i := range fields {
		f := &fields[i]
		at := at.below(f.Name, f.WireName())
		if d.column(at, f) == nil {
			return
		}
		if len(f.Members) > 0 && depth < nestedDepth {
			d.know(f.Members, at, depth+step(f.Name))
		}
	}
}

// column returns the column of a place, making it when it is new; nil when there are too many.
func (d *discovery) column(at bothNames, f *catalog.Field) *Column {
	name := at.path.String()
	if i, ok := d.byName[name]; ok {
		return &d.found[i]
	}
	parent := at.path[:len(at.path)-1].String()
	if len(d.found) >= columnsMax || parent != "" && d.nested[parent] >= nestedMax {
		return nil
	}
	d.nested[parent]++
	names := make([]string, len(at.path)) // whatever stands in them
	for i, step := range at.path {
		names[i] = step.Name
	}
	c := Column{Name: name, Title: strings.Join(names, "."), Path: at.path, Field: f}
	if at.wire.String() != name {
		c.Wire = at.wire
	}
	if f != nil {
		c.Type, c.Format, c.Doc = f.Type, f.Format, f.Doc
	}
	d.byName[name] = len(d.found)
	d.found = append(d.found, c)
	return &d.found[len(d.found)-1]
}

// look notes what a record holds. Those without members, scalars and arrays, stand
// in one column.
func (d *discovery) look(record rawjson.Node) {
	d.looked++
	if record.Kind() == rawjson.Object {
		d.walk(record, bothNames{}, d.opts.Fields, 0)
		return
	}
	i, ok := d.byName[wholeName]
	if !ok {
		i = len(d.found)
		d.byName[wholeName] = i
		d.found = append(d.found, Column{Name: wholeName, Title: "value"})
	}
	d.found[i].count(record.Kind())
}

func (d *discovery) walk(object rawjson.Node, at bothNames, fields []catalog.Field, depth int) {
	looked := 0
	for m := range object.Members() {
		if looked++; looked > membersMax {
			return
		}
		if m.Name.Cut() {
			continue // the body ended within it, so it is no name
		}
		key := m.Key()
		f := fieldOf(fields, key)
		neutral := key
		if f != nil {
			neutral = f.Name
		}
		at := at.below(neutral, key)
		c := d.column(at, f)
		if c == nil {
			continue
		}
		c.count(m.Value.Kind())
		if m.Value.Kind() == rawjson.Object && depth < nestedDepth {
			var members []catalog.Field
			if f != nil {
				members = f.Members
			}
			d.walk(m.Value, at, members, depth+step(neutral))
		}
	}
}

func (c *Column) count(kind rawjson.Kind) {
	c.Seen++
	c.Holds |= 1 << kind
	if kind == rawjson.Null {
		c.Nulls++
	}
}

// step is how much an object counts towards the depth: one that merely wraps the fields of a record does not.
func step(name string) int {
	if isWrapper(name) {
		return 0
	}
	return 1
}

func isWrapper(name string) bool {
	return slices.Contains([]string{"fields", "properties", "attributes"}, name)
}

// fieldOf finds a field by either of its names; the neutral one counts more.
func fieldOf(fields []catalog.Field, key string) *catalog.Field {
	var wire *catalog.Field
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Name == key:
			return f
		case f.Is(key):
			wire = f
		}
	}
	return wire
}

// markKey marks the key the catalog names, else the first top-level field that
// is called like one and stands in all records seen.
func (d *discovery) markKey() {
	if i, ok := d.byName[d.opts.Key]; ok {
		d.found[i].Key = true
		return
	}
	for _, name := range []string{"id", "key", "uuid", "gid", "_id"} {
		if i, ok := d.byName[name]; ok && d.found[i].Seen == d.looked && !d.found[i].Container() {
			d.found[i].Key = true
			return
		}
	}
}

func (d *discovery) rank(c *Column) int {
	switch {
	case c.Whole() && 2*c.Seen < d.looked: // lines of NDJSON that are no JSON, mostly
		return rankNested
	case c.Whole():
		return rankKey
	}
	rank := rankOf(c.Path[len(c.Path)-1].Name)
	constant := c.Field != nil && len(c.Field.Const) > 0
	nested := len(c.Path) > 1 && !isWrapper(c.Path[len(c.Path)-2].Name)
	switch {
	case c.Key:
		return rankKey
	case d.looked > 0 && !c.Useful():
		return rankUnused
	case constant:
		return rankConst
	case c.Container() || c.Holds == 0 && (c.Type == "object" || c.Type == "array"):
		return rankContainer
	case nested:
		return nestedRank(c.Path, rank)
	case rank/1000*1000 == rankKind && len(c.Path) > 1: // the type of a wrapper says what all share
		return rankNear
	case rank == rankKey: // a second id, such as key beside id
		return rankKey + 100
	}
	return rank
}

// nestedRank is the rank of a member of an object that is no wrapper.
func nestedRank(path rawjson.Path, rank int) int {
	object := path[len(path)-2].Name
	if len(path) == 2 || len(path) == 3 && isWrapper(path[0].Name) {
		if r, ok := within(object, path[len(path)-1].Name); ok {
			return r
		}
	}
	if rank == rankAside {
		return rankAside + near
	}
	return rankNested + rank/100
}

// kinds names the types that the sample showed.
func (c *Column) kinds() string {
	var words []string
	for k := rawjson.Bool; k <= rawjson.Object; k++ {
		if c.Holds>>k&1 == 1 {
			words = append(words, k.String())
		}
	}
	return strings.Join(words, "|")
}
