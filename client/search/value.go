package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// operandValue is the right side of a condition, decoded once.
type operandValue struct {
	raw    []byte
	kind   byte // first byte of raw: " { [ t f n or a digit ('0')
	text   string
	number float64
	// isNumber is set for numbers and for texts that read as one.
	isNumber bool
	time     time.Time
	isTime   bool
	deep     any
}

func newOperand(raw []byte) *operandValue {
	o := &operandValue{raw: compact(raw), kind: kindOf(raw)}
	switch o.kind {
	case '"':
		o.text = text(o.raw)
		o.number, o.isNumber = number(o.text)
		o.time, o.isTime = instant(o.text)
	case '0':
		o.number, o.isNumber = number(string(o.raw))
	case '{', '[':
		o.deep = decoded(o.raw)
	}
	return o
}

func kindOf(raw []byte) byte {
	if len(raw) == 0 {
		return 'n'
	}
	switch c := raw[0]; c {
	case '"', '{', '[', 't', 'f', 'n':
		return c
	}
	return '0'
}

// equal reports whether a raw value equals the operand.
func (o *operandValue) equal(v []byte) bool {
	if o.kind == 'n' {
		return isNull(v)
	}
	if isNull(v) {
		return false
	}
	kind := kindOf(v)
	switch {
	case kind == '{' || kind == '[':
		return kind == o.kind && reflect.DeepEqual(decoded(v), o.deep)
	case kind == '"' && o.kind == '"':
		if !o.isTime && bytes.IndexByte(v, '\\') < 0 {
			return string(v[1:len(v)-1]) == o.text
		}
		s := text(v)
		t, ok := instant(s)
		return s == o.text || o.isTime && ok && t.Equal(o.time)
	case kind == 't' || kind == 'f' || o.kind == 't' || o.kind == 'f':
		return bytes.Equal(unquoted(v), unquoted(o.raw))
	}
	n, ok := number(string(unquoted(v)))
	return ok && o.isNumber && n == o.number
}

// compare orders a raw value against the operand: below 0 when the value is
// smaller. ok is false when the two cannot be ordered.
func (o *operandValue) compare(v []byte) (c int, ok bool) {
	if isNull(v) {
		return 0, false
	}
	kind := kindOf(v)
	if kind != '"' && kind != '0' {
		return 0, false
	}
	s := string(unquoted(v))
	texts := kind == '"' && o.kind == '"'
	if texts {
		s = text(v)
	}
	// As times, then numbers, then bytes, whichever both sides are.
	if texts && o.isTime {
		if t, ok := instant(s); ok {
			return t.Compare(o.time), true
		}
	}
	if o.isNumber {
		if n, ok := number(s); ok {
			return cmp.Compare(n, o.number), true
		}
	}
	return strings.Compare(s, o.text), texts
}

func unquoted(v []byte) []byte {
	if len(v) >= 2 && v[0] == '"' {
		return v[1 : len(v)-1]
	}
	return v
}

// number reads a text as a number the way JSON writes them; "" and names like Inf are none.
func number(s string) (float64, bool) {
	if s == "" || (s[0] != '-' && (s[0] < '0' || s[0] > '9')) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.ContainsAny(s, "xX_pPnNiI") {
		return 0, false
	}
	return n, true
}

// instant reads the ways in which the services write dates and times; a time
// without a zone is UTC.
func instant(s string) (time.Time, bool) {
	if len(s) < 10 || len(s) > 40 || s[4] != '-' || s[7] != '-' {
		return time.Time{}, false
	}
	for _, layout := range instantLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

var instantLayouts = [...]string{time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00"}

func decoded(raw []byte) any {
	var v any
	_ = json.Unmarshal(raw, &v) // what is no JSON is equal to nothing
	return v
}

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

// Order returns the indexes of the records in sorted order; equal records keep their order.
func (s *Sorter) Order(records [][]byte) []int {
	order := make([]int, len(records))
	keys := make([]*operandValue, 0, len(records)*len(s.keys))
	for i, r := range records {
		order[i] = i
		for _, k := range s.keys {
			var first []byte
			k.path.values(r, func(v []byte) bool {
				first = v
				return false
			})
			keys = append(keys, newOperand(first))
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

// compareKeys orders two keys as times, as numbers, as texts, whichever both are;
// a missing one comes last in both directions.
func compareKeys(a, b *operandValue, desc bool) int {
	switch {
	case a.kind == 'n' && b.kind == 'n':
		return 0
	case a.kind == 'n':
		return 1
	case b.kind == 'n':
		return -1
	case desc:
		a, b = b, a
	}
	texts := a.kind == '"' && b.kind == '"'
	switch {
	case texts && a.isTime && b.isTime:
		return a.time.Compare(b.time)
	case a.isNumber && b.isNumber:
		return cmp.Compare(a.number, b.number)
	case texts:
		return strings.Compare(a.text, b.text)
	}
	return bytes.Compare(a.raw, b.raw)
}
