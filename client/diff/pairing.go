package diff

import (
	"context"
	"fmt"
	"strings"

	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// sampled is how many records are looked at for fields that could tell all apart.
const sampled = 50

// telling is a field of whole records that has a value of its own in each, in every set,
// and shares the most of them between the first two; "" where there is none.
func telling(ctx context.Context, sets []*records.Set) (field string, err error) {
	best := 0
	for _, name := range candidates(sets[0]) {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if shared, ok := sharedValues(sets, name); ok && shared > best {
			field, best = name, shared
		}
	}
	return field, nil
}

// candidates are the members of the first record that differ in some records behind it.
func candidates(set *records.Set) []string {
	var out []string
	if set.Len() == 0 {
		return nil
	}
	for name, value := range set.Record(0).Children() {
		if value.Kind() != rawjson.String && value.Kind() != rawjson.Number {
			continue
		}
		if _, ok := valuesOf(set, name.Text(), min(set.Len(), sampled)); ok {
			out = append(out, name.Text())
		}
	}
	return out
}

// valuesOf are the values of a member in the first records; ok is false where one has none,
// or two have the same.
func valuesOf(set *records.Set, name string, n int) (values map[string]bool, ok bool) {
	values = make(map[string]bool, n)
	path := rawjson.Path{rawjson.Name(name)}
	for row := range n {
		text, has := keyIn(set.Record(row), path)
		if !has || values[text] {
			return nil, false
		}
		values[text] = true
	}
	return values, true
}

// sharedValues is how many values of a member are in the first two sets.
func sharedValues(sets []*records.Set, name string) (shared int, ok bool) {
	var first map[string]bool
	for i, set := range sets {
		values, ok := valuesOf(set, name, set.Len())
		if !ok {
			return 0, false
		}
		if i == 0 {
			first = values
			continue
		}
		for v := range values {
			if first[v] {
				shared++
			}
		}
	}
	return shared, true
}

// byContent pairs records that are the same; each other one stands for itself.
func (j *Join) byContent(ctx context.Context, sets []*records.Set) error {
	j.By = "content"
	at := map[string]int{}
	for s, set := range sets {
		seen := map[string]int{}
		j.NoKey[s] = 0
		for row := range set.Len() {
			if row%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			b, _ := set.Record(row).AppendCompact(nil, 0)
			text := string(b)
			seen[text]++
			text = fmt.Sprintf("%d %s", seen[text], text)
			k, ok := at[text]
			if !ok {
				k = j.add(shortened(string(b)))
				at[text] = k
			}
			j.Rows[k].Rows[s] = row
		}
	}
	return nil
}

// shownBytes is how much of a record stands for its key.
const shownBytes = 120

func shortened(t string) string {
	if len(t) <= shownBytes {
		return t
	}
	return strings.ToValidUTF8(t[:shownBytes], "") + "…"
}
