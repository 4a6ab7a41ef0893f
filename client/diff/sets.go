package diff

import (
	"context"
	"fmt"
	"slices"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Row is one record of several sets, found in them by its key.
type Row struct {
	// Key is the text of the key; with By "content" the beginning of the record. Untrusted.
	Key string
	// Rows are the record's row in each set; -1 where it is not there.
	Rows []int
}

// In reports whether the record is in a set.
func (r Row) In(set int) bool { return r.Rows[set] >= 0 }

// Join pairs the records of several sets.
type Join struct {
	// By is "key", or "content" when no field tells the records apart: then those that are
	// the same are paired.
	By string
	// Key is the neutral name of the key field.
	Key string
	// Rows hold every record once, those of the first set first.
	Rows []Row
	// NoKey counts the records per set that have no key: these are left out. Those
	// whose key an earlier record of the set had are paired in the order they come.
	NoKey []int
}

// SetOptions say what is known about the records.
type SetOptions struct {
	Options
	// Key is the neutral name of the field that identifies a record; "id" when
	// empty. Where not a single record has it, another field that tells them apart is taken.
	Key string
}

// ByKey pairs the records of several sets by their key. The error is that of ctx.
func ByKey(ctx context.Context, o SetOptions, sets ...*records.Set) (*Join, error) {
	if o.Key == "" {
		o.Key = "id"
	}
	j := &Join{By: "key", Key: o.Key, NoKey: make([]int, len(sets))}
	paths, at := keyPaths(o), map[string]int{}
	for s, set := range sets {
		seen := map[string]int{}
		for row := range set.Len() {
			if row%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			text, ok := keyIn(set.Record(row), paths...)
			if !ok {
				j.NoKey[s]++
				continue
			}
			if seen[text]++; seen[text] > 1 {
				text = fmt.Sprintf("%s (%d)", text, seen[text])
			}
			k, ok := at[text]
			if !ok {
				k = j.add(text)
				at[text] = k
			}
			j.Rows[k].Rows[s] = row
		}
	}
	if len(j.Rows) > 0 {
		return j, nil
	}
	field, err := telling(ctx, sets)
	if err != nil {
		return nil, err
	}
	if field != "" {
		o.Key = field
		return ByKey(ctx, o, sets...)
	}
	return j, j.byContent(ctx, sets)
}

// add adds a record that is in no set yet, and returns its place.
func (j *Join) add(key string) int {
	j.Rows = append(j.Rows, Row{Key: key, Rows: slices.Repeat([]int{-1}, len(j.NoKey))})
	return len(j.Rows) - 1
}

// keyPaths are where records have their key: under its neutral or its wire name,
// or where its name leads as a path.
func keyPaths(o SetOptions) []rawjson.Path {
	paths := []rawjson.Path{{rawjson.Name(o.Key)}}
	if f := catalog.FieldAt(o.Fields, o.Key); f != nil && f.Alias != "" {
		paths = append(paths, rawjson.Path{rawjson.Name(f.Alias)})
	}
	if path, err := rawjson.ParsePath(o.Key); err == nil && len(path) > 1 {
		paths = append(paths, path)
	}
	return paths
}

// Unequal is one record of two sets that is not the same in both.
type Unequal struct {
	Key string
	// A and B are the rows; -1 where the record is not there.
	A, B int
	Result
}

// Kind reports whether the record was added, removed or changed.
func (p Unequal) Kind() Kind {
	switch {
	case p.A < 0:
		return Added
	case p.B < 0:
		return Removed
	}
	return Changed
}

// SetResult lists the differences of two sets: pages, or runs.
type SetResult struct {
	Join *Join
	// Pairs are the records that differ; Same counts the others, Added, Removed and Changed these.
	Pairs                         []Unequal
	Same, Added, Removed, Changed int
}

// Sets lists what differs from a to b, record by record. progress may be nil.
// The error is that of ctx.
func Sets(ctx context.Context, a, b *records.Set, o SetOptions, progress records.Progress) (*SetResult, error) {
	j, err := ByKey(ctx, o, a, b)
	if err != nil {
		return nil, err
	}
	out := &SetResult{Join: j}
	for i, row := range j.Rows {
		if i%1024 == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if progress != nil {
				progress(i, len(j.Rows))
			}
		}
		p := Unequal{Key: row.Key, A: row.Rows[0], B: row.Rows[1]}
		switch p.Kind() {
		case Added:
			out.Added++
		case Removed:
			out.Removed++
		default:
			p.Result, _ = Diff(ctx, a.Record(p.A), b.Record(p.B), o.Options)
			if len(p.Changes) == 0 {
				out.Same++
				continue
			}
			out.Changed++
		}
		out.Pairs = append(out.Pairs, p)
	}
	return out, ctx.Err()
}
