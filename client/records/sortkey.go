package records

import (
	"cmp"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"patchbay/client/rawjson"
)

// class is the kind of a value as sorting sees it, in sorting order.
type class uint8

const (
	classNumber class = iota
	classTime
	classText
	classBool
	classContainer
	classNull
	classAbsent
)

const (
	// collateMax is how much of a text decides its place.
	collateMax = 512
	// exactDigits is how long a number may be for float64 to tell it from all others as short.
	exactDigits = 15
)

// sortValue is what a cell sorts by: its class, eight bytes that decide most
// comparisons, and for the rest a text that keyWriter writes.
type sortValue struct {
	first uint64
	class class
}

// compareFirst compares by class and first bytes.
func (v sortValue) compareFirst(o sortValue) int {
	if c := cmp.Compare(v.class, o.class); c != 0 {
		return c
	}
	return cmp.Compare(v.first, o.first)
}

// compareText compares two values of the same class and first bytes by their texts.
func (v sortValue) compareText(a, b string) int {
	if v.class == classNumber && (a != "" || b != "") {
		return compareDecimal(v.digits(a), v.digits(b))
	}
	return strings.Compare(a, b)
}

// digits returns the text of a number. Those short enough were not kept: their float tells them exactly.
func (v sortValue) digits(text string) string {
	if text != "" {
		return text
	}
	bits := v.first
	if bits>>63 == 1 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
}

// keyWriter turns cells into sort values; texts go into one arena.
type keyWriter struct {
	arena []byte
	marks []textMark
	from  int
	buf   []byte
}

type textMark struct{ row, key, from, to int }

// mark notes that what was written since the last mark is the text of a row.
func (w *keyWriter) mark(row, key int) {
	if len(w.arena) > w.from {
		w.marks = append(w.marks, textMark{row, key, w.from, len(w.arena)})
		w.from = len(w.arena)
	}
}

func (w *keyWriter) write(c Cell) sortValue {
	switch c.State {
	case Absent, Cut:
		return sortValue{class: classAbsent}
	case Null:
		return sortValue{class: classNull}
	}
	switch c.Node.Kind() {
	case rawjson.Number:
		return w.number(c.Node.Raw())
	case rawjson.Bool:
		return sortValue{class: classBool, first: uint64(c.Node.Raw()[0])}
	case rawjson.String:
		w.buf, _ = c.Node.AppendText(w.buf[:0], collateMax)
		return w.text(w.buf)
	}
	w.buf, _ = c.Node.AppendCompact(w.buf[:0], 64)
	return w.collate(w.buf, classContainer)
}

// number gives the order of float64; where that cannot tell two numbers apart, the digits do.
func (w *keyWriter) number(raw []byte) sortValue {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || len(raw) > exactDigits || f == 0 && len(raw) > 1 {
		w.arena = append(w.arena, raw...)
	}
	if f == 0 {
		f = 0 // minus zero is zero
	}
	return sortValue{class: classNumber, first: orderedFloat(f)}
}

// orderedFloat maps floats to integers of the same order.
func orderedFloat(f float64) uint64 {
	bits := math.Float64bits(f)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func (w *keyWriter) text(text []byte) sortValue {
	if t, ok := ParseTime(text); ok {
		// Seconds decide; what is below a second is a text of nine digits.
		w.arena = append(w.arena, strconv.Itoa(1e9+t.Nanosecond())...)
		return sortValue{class: classTime, first: uint64(t.Unix()) ^ 1<<63}
	}
	return w.collate(text, classText)
}

// collate writes a text so that comparing bytes compares without case and
// digits by their number: a run of digits is '0', its length, its digits.
func (w *keyWriter) collate(text []byte, class class) sortValue {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isDigit(c):
			i += w.digits(text[i:])
		case c < utf8.RuneSelf:
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			w.arena = append(w.arena, c)
			i++
		default:
			r, n := utf8.DecodeRune(text[i:])
			w.arena = utf8.AppendRune(w.arena, unicode.ToLower(r))
			i += n
		}
	}
	var first [8]byte
	copy(first[:], w.arena[w.from:])
	return sortValue{class: class, first: binary.BigEndian.Uint64(first[:])}
}

func (w *keyWriter) digits(text []byte) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	zeros := 0
	for zeros < n-1 && text[zeros] == '0' {
		zeros++
	}
	w.arena = append(w.arena, '0', byte(min(n-zeros, 255)))
	w.arena = append(w.arena, text[zeros:n]...)
	return n
}
