package compare

import (
	"context"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/diff"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Differences are what several sides have otherwise, their records paired by key.
type Differences struct {
	Join *diff.Join
	// Summaries are the sides in their order.
	Summaries []SideSummary
	// Records are those that are not on every side, or differ between sides, in
	// the order of the first side. Same counts the others.
	Records []Compared
	Same    int
	// Fields counts per field how many records differ in it, in the order met.
	Fields []FieldCount
}

// Compared is one record as the sides have it.
type Compared struct {
	diff.Row
	// Fields are the fields, by neutral name, that are on several sides with
	// different values.
	Fields []string
}

// FieldCount is how many records differ in a field.
type FieldCount struct {
	Name string `json:"field"`
	N    int    `json:"records"`
}

// SideSummary is one side for itself and against the others.
type SideSummary struct {
	Name string
	Rows int
	// Only counts records that no other side has, Missing those that another has
	// and this one lacks.
	Only, Missing int
	// OnlyFields are fields that no other side shows in any record.
	OnlyFields []string
	// Newest is the newest update among the side's records, NewestRow its row (-1
	// where no record tells) and NewestField the field that tells.
	Newest      time.Time
	NewestRow   int
	NewestField string
}

// Compare joins the sides by the entity's key and compares the fields that
// they share. e and a may be nil. progress may be nil. The error is that of ctx.
func Compare(
	ctx context.Context, e *catalog.Entity, a *catalog.Action, sides []*Side, progress records.Progress,
) (*Differences, error) {
	o := diff.SetOptions{Key: answer.KeyOf(e)}
	if e != nil {
		o.Fields = e.RecordOf(a)
	}
	sets := make([]*records.Set, len(sides))
	for i := range sides {
		sets[i] = sides[i].Set
	}
	join, err := diff.ByKey(ctx, o, sets...)
	if err != nil {
		return nil, err
	}
	c := &comparer{sides: sides, fields: o.Fields, out: &Differences{Join: join,
		Summaries: make([]SideSummary, len(sides))},
		shown: map[string]uint64{}, at: map[string]int{}}
	for i := range sides {
		c.out.Summaries[i] = SideSummary{Name: sides[i].Name, Rows: sides[i].Set.Len(), NewestRow: -1}
		c.newest(i)
	}
	for i, row := range join.Rows {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if progress != nil {
				progress(i, len(join.Rows))
			}
		}
		c.row(row)
	}
	for _, name := range c.order {
		for s := range sides {
			if sum := &c.out.Summaries[s]; len(sides) > 1 && c.shown[name] == 1<<(s%64) {
				sum.OnlyFields = append(sum.OnlyFields, name)
			}
		}
	}
	return c.out, ctx.Err()
}

type comparer struct {
	sides  []*Side
	fields []catalog.Field
	out    *Differences
	// shown has a bit per side that shows a field; order lists the fields as met.
	shown map[string]uint64
	order []string
	at    map[string]int // place of a field in out.Fields
}

func (c *comparer) row(row diff.Row) {
	there := 0
	for s := range c.sides {
		if row.In(s) {
			there++
		}
	}
	for s := range c.sides {
		switch {
		case row.In(s) && there == 1:
			c.out.Summaries[s].Only++
		case !row.In(s):
			c.out.Summaries[s].Missing++
		}
	}
	fields := c.differing(row)
	if there == len(c.sides) && len(fields) == 0 {
		c.out.Same++
		return
	}
	c.out.Records = append(c.out.Records, Compared{row, fields})
	for _, name := range fields {
		k, ok := c.at[name]
		if !ok {
			k = len(c.out.Fields)
			c.at[name] = k
			c.out.Fields = append(c.out.Fields, FieldCount{Name: name})
		}
		c.out.Fields[k].N++
	}
}

// differing lists the fields whose values are not the same on all sides that have them.
func (c *comparer) differing(row diff.Row) []string {
	first := map[string]rawjson.Node{}
	differs := map[string]bool{}
	var out []string
	for s, side := range c.sides {
		if !row.In(s) {
			continue
		}
		for m := range side.Set.Record(row.Rows[s]).Members() {
			name := diff.Neutral(c.fields, m.Key())
			if c.shown[name] == 0 {
				c.order = append(c.order, name)
			}
			c.shown[name] |= 1 << (s % 64)
			before, ok := first[name]
			if !ok {
				first[name] = m.Value
			} else if !differs[name] && !sameValue(before, m.Value) {
				differs[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// sameValue also takes two spellings of one point in time for the same, and an object or
// list that a side keeps as a text.
func sameValue(a, b rawjson.Node) bool {
	if diff.Equal(a, b) || sameAsText(a, b) || sameAsText(b, a) {
		return true
	}
	if a.Kind() != rawjson.String || b.Kind() != rawjson.String || a.Size() > 64 || b.Size() > 64 {
		return false
	}
	x, okA := records.ParseTime([]byte(a.Text()))
	y, okB := records.ParseTime([]byte(b.Text()))
	return okA && okB && x.Equal(y)
}

// sameAsText reports whether a text holds a value as JSON.
func sameAsText(text, value rawjson.Node) bool {
	if text.Kind() != rawjson.String || value.Kind() < rawjson.Array {
		return false
	}
	held := []byte(text.Text())
	return rawjson.Valid(held) && diff.Equal(rawjson.Parse(held), value)
}

// updates are the fields that tell when a record was updated, else created.
var updates = strings.Fields(`updated_at updatedAt updated last_modified lastModified LastModifiedDate SystemModstamp
	last_edited_time LastUpdateDate lastUpdatedDate dateUpdated lastSeen modified_at modified last_activity_at
	updated_time created_at createdAt created CreatedDate created_time dateCreated`)

// newest finds the newest update on a side: by the first column, in the order
// of these names, that holds times.
func (c *comparer) newest(side int) {
	set, sum := c.sides[side].Set, &c.out.Summaries[side]
	for _, name := range updates {
		column, err := records.FromPath(name)
		if err != nil {
			continue
		}
		column.Field = catalog.FieldAt(c.fields, name)
		if column.Field != nil {
			column.Format = column.Field.Format
		}
		for row := range set.Len() {
			at, ok := column.Time(records.CellOf(set, row, &column))
			if ok && (sum.NewestRow < 0 || at.After(sum.Newest)) {
				sum.Newest, sum.NewestRow, sum.NewestField = at, row, name
			}
		}
		if sum.NewestRow >= 0 {
			return
		}
	}
}
