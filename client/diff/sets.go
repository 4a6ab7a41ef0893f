package diff

import (
	"context"
	"fmt"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Row is one record of several sets, found in them by its key.
type Row struct {
	// Key is the text of the key; with By "place" the number of the record. Untrusted.
	Key string
	// Rows are the record's row in each set; -1 where it is not there.
	Rows []int
}

// In tells whether the record is in a set.
func (r Row) In(set int) bool { return r.Rows[set] >= 0 }

// Join pairs the records of several sets.
type Join struct {
	// By is "key", or "place" when no key tells the records apart.
	By string
	// Key is the neutral name of the key field.
	Key string
	// Rows hold every record once, those of the first set first.
	Rows []Row
	// NoKey and Twice count the records per set that have no key, and those whose
	// key an earlier record of the set had. The former are left out, the latter
	// are paired in the order they come.
	NoKey, Twice []int
}

// SetOptions say what is known about the records.
type SetOptions struct {
	Options
	// Key is the neutral name of the field that identifies a record; "id" when
	// empty. Where not a single record has it, records are paired by place.
	Key string
}

// ByKey pairs the records of several sets by their key. The error is that of ctx.
func ByKey(ctx context.Context, o SetOptions, sets ...*records.Set) (*Join, error) {
	if o.Key == "" {
		o.Key = "id"
	}
	j := &Join{By: "key", Key: o.Key, NoKey: make([]int, len(sets)), Twice: make([]int, len(sets))}
	key := newKeyOf(o)
	at := map[string]int{}
	for s, set := range sets {
		seen := map[string]int{}
		for row := range set.Len() {
			if row%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			text, ok := key.text(set.Record(row))
			if !ok {
				j.NoKey[s]++
				continue
			}
			if seen[text]++; seen[text] > 1 {
				j.Twice[s]++
				text = fmt.Sprintf("%s (%d)", text, seen[text])
			}
			j.put(at, text, s, row, len(sets))
		}
	}
	if len(j.Rows) == 0 {
		j.byPlace(sets)
	}
	return j, nil
}

func (j *Join) put(at map[string]int, key string, set, row, sets int) {
	k, ok := at[key]
	if !ok {
		k = len(j.Rows)
		at[key] = k
		j.Rows = append(j.Rows, newRow(key, sets))
	}
	j.Rows[k].Rows[set] = row
}

func newRow(key string, sets int) Row {
	r := Row{Key: key, Rows: make([]int, sets)}
	for i := range r.Rows {
		r.Rows[i] = -1
	}
	return r
}

func (j *Join) byPlace(sets []*records.Set) {
	j.By = "place"
	for s, set := range sets {
		j.NoKey[s] = 0
		for row := range set.Len() {
			if row == len(j.Rows) {
				j.Rows = append(j.Rows, newRow(fmt.Sprint(row+1), len(sets)))
			}
			j.Rows[row].Rows[s] = row
		}
	}
}

// keyReader reads the key of records under its neutral or its wire name.
type keyReader struct {
	names []string
	paths []rawjson.Path
}

func newKeyOf(o SetOptions) keyReader {
	r := keyReader{names: []string{o.Key}}
	if f := catalog.FieldAt(o.Fields, o.Key); f != nil && f.Alias != "" {
		r.names = append(r.names, f.Alias)
	}
	if path, err := rawjson.ParsePath(o.Key); err == nil && len(path) > 1 {
		r.paths = append(r.paths, path)
	}
	return r
}

func (r keyReader) text(rec rawjson.Node) (string, bool) {
	for _, name := range r.names {
		if v, ok := rec.Get(name); ok {
			return keyText(v)
		}
	}
	for _, path := range r.paths {
		if v, ok := rec.Lookup(path); ok {
			return keyText(v)
		}
	}
	return "", false
}

// Pair is one record of two sets that is not the same in both.
type Pair struct {
	Key string
	// A and B are the rows; -1 where the record is not there.
	A, B int
	Result
}

// Kind tells whether the record was added, removed or changed.
func (p Pair) Kind() Kind {
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
	Pairs                         []Pair
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
		out.pair(ctx, row, a, b, o.Options)
	}
	return out, ctx.Err()
}

func (s *SetResult) pair(ctx context.Context, row Row, a, b *records.Set, o Options) {
	p := Pair{Key: row.Key, A: row.Rows[0], B: row.Rows[1]}
	switch {
	case p.A < 0:
		s.Added++
	case p.B < 0:
		s.Removed++
	default:
		p.Result, _ = Diff(ctx, a.Record(p.A), b.Record(p.B), o)
		if len(p.Changes) == 0 {
			s.Same++
			return
		}
		s.Changed++
	}
	s.Pairs = append(s.Pairs, p)
}
