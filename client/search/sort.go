package search

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Sorter orders records by sort keys. It is made once and safe for several goroutines.
type Sorter struct{ keys []sortPath }

type sortPath struct {
	path path
	desc bool
}

// CompileSort prepares sort keys.
func CompileSort(keys []SortKey) *Sorter {
	s := &Sorter{keys: make([]sortPath, len(keys))}
	for i, k := range keys {
		s.keys[i] = sortPath{parsePath(k.Field), k.Desc}
	}
	return s
}

// Compare orders two records, JSON values: numbers by value, times as instants,
// texts by bytes. Records without a value come last in either direction.
func (s *Sorter) Compare(a, b []byte) int {
	for _, k := range s.keys {
		if c := compareKeys(k.key(a), k.key(b), k.desc); c != 0 {
			return c
		}
	}
	return 0
}

// Order returns the indexes of the records in sorted order; equal records keep their order.
func (s *Sorter) Order(records [][]byte) []int {
	order := make([]int, len(records))
	keys := make([]*operandValue, 0, len(records)*len(s.keys))
	for i, r := range records {
		order[i] = i
		for _, k := range s.keys {
			keys = append(keys, k.key(r))
		}
	}
	n := len(s.keys)
	slices.SortStableFunc(order, func(a, b int) int {
		for i, k := range s.keys {
			if c := compareKeys(keys[a*n+i], keys[b*n+i], k.desc); c != 0 {
				return c
			}
		}
		return 0
	})
	return order
}

// key is the first value at the path.
func (k *sortPath) key(record []byte) *operandValue {
	var v []byte
	k.path.values(record, func(found []byte) bool {
		v = found
		return false
	})
	return newOperand(v)
}

func compareKeys(a, b *operandValue, desc bool) int {
	switch {
	case a.kind == 'n' && b.kind == 'n':
		return 0
	case a.kind == 'n':
		return 1
	case b.kind == 'n':
		return -1
	}
	c, ok := b.compare(a.raw)
	if !ok {
		c = bytes.Compare(a.raw, b.raw)
	}
	if desc {
		return -c
	}
	return c
}

// Slice returns the half-open range of a page of n results that starts at
// offset; limit 0 stands for DefaultLimit. more tells whether results follow.
func Slice(n, offset, limit int) (from, to int, more bool) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	from = min(max(offset, 0), n)
	to = min(from+limit, n)
	return from, to, to < n
}

const cursorMark = "offset:"

// EncodeCursor makes an opaque cursor for the result at offset.
func EncodeCursor(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorMark + strconv.Itoa(offset)))
}

// DecodeCursor returns the offset of a cursor made by EncodeCursor; "" is the start.
func DecodeCursor(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	digits, ok := strings.CutPrefix(string(raw), cursorMark)
	if n, e := strconv.Atoi(digits); err == nil && ok && e == nil && n >= 0 {
		return n, nil
	}
	return 0, fmt.Errorf("the cursor %q was not made by this service: send meta.cursor of the page before, unchanged", short(cursor))
}
