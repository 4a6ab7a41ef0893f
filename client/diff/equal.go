package diff

import (
	"bytes"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// Equal tells whether two values mean the same: members in any order, numbers
// by value (1.0 is 1, 1e2 is 100), texts however they are escaped.
func Equal(a, b rawjson.Node) bool { return equal(a, b, 0) }

func equal(a, b rawjson.Node, depth int) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Size() == b.Size() && bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	if depth > deepest {
		x, _ := a.AppendCompact(nil, 0)
		y, _ := b.AppendCompact(nil, 0)
		return bytes.Equal(x, y)
	}
	switch a.Kind() {
	case rawjson.Number:
		return normal(string(a.Raw())) == normal(string(b.Raw()))
	case rawjson.String:
		return a.Text() == b.Text()
	case rawjson.Array:
		return equalArrays(a, b, depth)
	case rawjson.Object:
		return equalObjects(a, b, depth)
	}
	return false
}

func equalArrays(a, b rawjson.Node, depth int) bool {
	var right []rawjson.Node
	for e := range b.Elems() {
		right = append(right, e)
	}
	i := 0
	for e := range a.Elems() {
		if i == len(right) || !equal(e, right[i], depth+1) {
			return false
		}
		i++
	}
	return i == len(right)
}

func equalObjects(a, b rawjson.Node, depth int) bool {
	left, right := membersOf(a, nil), membersOf(b, nil)
	if len(left.list) != len(right.list) {
		return false
	}
	for _, m := range left.list {
		k, ok := right.at[m.name]
		if !ok || !equal(m.value, right.list[k].value, depth+1) {
			return false
		}
	}
	return true
}

// decimal is a number as digits without zeros around them and an exponent.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// String writes the number with an exponent only where it has one.
func (d decimal) String() string {
	text := d.digits
	if d.negative {
		text = "-" + text
	}
	if d.exponent != 0 {
		text += "e" + strconv.Itoa(d.exponent)
	}
	return text
}

// normal brings a JSON number into the one form that all its spellings share.
// What is no number is its own form.
func normal(text string) decimal {
	rest, negative := strings.CutPrefix(text, "-")
	mantissa, power := rest, 0
	if e := strings.IndexAny(rest, "eE"); e >= 0 {
		n, err := strconv.Atoi(rest[e+1:])
		if err != nil {
			return decimal{digits: text}
		}
		mantissa, power = rest[:e], n
	}
	before, after, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(before+after, "0")
	power -= len(after)
	trimmed := strings.TrimRight(digits, "0")
	power += len(digits) - len(trimmed)
	if trimmed == "" {
		return decimal{}
	}
	return decimal{negative, trimmed, power}
}

// keyText is the text of a value that identifies a record: 1.0 identifies the
// same as 1. ok is false for what identifies nothing.
func keyText(v rawjson.Node) (text string, ok bool) {
	if v.Kind() != rawjson.String && v.Kind() != rawjson.Number || v.Size() > 4096 {
		return "", false
	}
	text = v.Text()
	if v.Kind() == rawjson.String || !strings.ContainsAny(text, ".eE-") {
		return text, true
	}
	d := normal(text)
	switch {
	case d == decimal{}:
		return "0", true
	case d.exponent < 0 || d.exponent > 20:
		return d.String(), true
	}
	d.digits += strings.Repeat("0", d.exponent)
	d.exponent = 0
	return d.String(), true
}
