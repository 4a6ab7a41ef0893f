package sandbox

import (
	"cmp"
	"slices"
	"strings"

	"patchbay/client/search"
)

// sortColumn is one sort key of all matches, decoded: numbers or texts.
type sortColumn struct {
	numbers []float64
	texts   []string
	missing []bool
	desc    bool
}

// compare orders two matches; one without a value comes last in either direction.
func (c *sortColumn) compare(a, b int) int {
	if c.missing[a] || c.missing[b] {
		return boolInt(c.missing[a]) - boolInt(c.missing[b])
	}
	var n int
	if c.numbers != nil {
		n = cmp.Compare(c.numbers[a], c.numbers[b])
	} else {
		n = strings.Compare(c.texts[a], c.texts[b])
	}
	if c.desc {
		return -n
	}
	return n
}

// sortColumns decodes the sort keys of the matches; ok is false when a column
// is mixed, or holds times whose texts do not order as they do.
func sortColumns(t *table, hits []int, keys []search.SortKey) (columns []*sortColumn, ok bool) {
	for _, k := range keys {
		c := &sortColumn{missing: make([]bool, len(hits)), desc: k.Desc}
		for i, n := range hits {
			v, _ := t.rows[n].lookup(k.Field)
			if !c.put(i, len(hits), v) {
				return nil, false
			}
		}
		columns = append(columns, c)
	}
	return columns, true
}

func (c *sortColumn) put(i, size int, v any) bool {
	switch v := v.(type) {
	case nil:
		c.missing[i] = true
		return true
	case string:
		if c.texts == nil {
			c.texts = make([]string, size)
		}
		c.texts[i] = v
		return c.numbers == nil && plainOrder(v)
	case int64, float64:
		if c.numbers == nil {
			c.numbers = make([]float64, size)
		}
		c.numbers[i], _ = asNumber(v)
		return c.texts == nil
	}
	return false
}

// plainOrder tells texts that order by their bytes: all but times that are not
// written to the second in UTC, and numbers.
func plainOrder(s string) bool {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return true
	}
	return len(s) == len("2006-01-02T15:04:05Z") && s[4] == '-' && s[len(s)-1] == 'Z'
}

// ordered sorts matches by the keys, equal ones staying as they are.
func ordered(t *table, docs [][]byte, hits []int, keys []search.SortKey) []int {
	places := make([]int, len(hits))
	columns, ok := sortColumns(t, hits, keys)
	if !ok {
		chosen := make([][]byte, len(hits))
		for i, n := range hits {
			chosen[i] = docs[n]
		}
		places = search.CompileSort(keys).Order(chosen)
	} else {
		for i := range places {
			places[i] = i
		}
		slices.SortFunc(places, func(a, b int) int {
			for _, c := range columns {
				if n := c.compare(a, b); n != 0 {
					return n
				}
			}
			return a - b
		})
	}
	out := make([]int, len(hits))
	for i, p := range places {
		out[i] = hits[p]
	}
	return out
}
