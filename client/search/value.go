package search

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
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

// equal tells whether a raw value equals the operand.
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
		return o.equalText(v)
	case kind == 't' || kind == 'f' || o.kind == 't' || o.kind == 'f':
		return bytes.Equal(unquoted(v), unquoted(o.raw))
	}
	n, ok := number(string(unquoted(v)))
	return ok && o.isNumber && n == o.number
}

func (o *operandValue) equalText(v []byte) bool {
	if bytes.Equal(v, o.raw) {
		return true
	}
	escaped := bytes.IndexByte(v, '\\') >= 0
	if !escaped && !o.isTime {
		return string(v[1:len(v)-1]) == o.text
	}
	s := text(v)
	if s == o.text {
		return true
	}
	if !o.isTime {
		return false
	}
	t, ok := instant(s)
	return ok && t.Equal(o.time)
}

// compare orders a raw value against the operand: below 0 when the value is
// smaller. ok is false when the two cannot be ordered.
func (o *operandValue) compare(v []byte) (c int, ok bool) {
	if isNull(v) {
		return 0, false
	}
	kind := kindOf(v)
	if kind == '"' && o.kind == '"' {
		return o.compareText(text(v)), true
	}
	if kind != '"' && kind != '0' || !o.isNumber {
		return 0, false
	}
	n, ok := number(string(unquoted(v)))
	if !ok {
		return 0, false
	}
	return order(n, o.number), true
}

// compareText orders as times, then numbers, then bytes, whichever both sides are.
func (o *operandValue) compareText(s string) int {
	if o.isTime {
		if t, ok := instant(s); ok {
			return t.Compare(o.time)
		}
	}
	if o.isNumber {
		if n, ok := number(s); ok {
			return order(n, o.number)
		}
	}
	return strings.Compare(s, o.text)
}

func order(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
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
	d := json.NewDecoder(bytes.NewReader(raw))
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
