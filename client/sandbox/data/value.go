// Package data is what the records of the sandbox are made of: ordered JSON
// values and moments, the random stream with its words, records and tables. It
// speaks of no kind and imports nothing of the sandbox.
package data

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// Int reads an integer from a number or a text of digits.
func Int(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v), true
		}
	case json.Number:
		f, _ := Number(v)
		return Int(f)
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// Number reads a number from a number or a text that is one.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case json.Number:
		f, _ := strconv.ParseFloat(string(v), 64)
		return max(min(f, math.MaxFloat64), -math.MaxFloat64), true
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil
	}
	return 0, false
}

// List returns arrays as they are, comma-separated text as its entries and
// any other scalar as the only element.
func List(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	case string:
		out := []any{}
		for p := range strings.SplitSeq(v, ",") {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		}
		return out
	}
	return []any{v}
}

// At follows a dotted path; "[]" after a step, or an array without it, goes
// into every element and gives the list of what was found.
func At(v any, path string) (any, bool) {
	for path != "" {
		step, rest, deeper := strings.Cut(path, ".")
		switch c := v.(type) {
		case *rawjson.Map:
			next, ok := c.Get(strings.TrimSuffix(step, "[]"))
			if !ok && deeper {
				// A member whose own name holds dots.
				return c.Get(path)
			}
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			var out []any
			for _, e := range c {
				found, ok := At(e, path)
				if inner, isList := found.([]any); isList {
					out = append(out, inner...)
				} else if ok {
					out = append(out, found)
				}
			}
			return out, len(out) > 0
		default:
			return nil, false
		}
		path = rest
	}
	return v, true
}

// Parse reads one JSON value, keeping the order of members; integers become
// int64, numbers that would be written otherwise than they were read stay
// json.Number.
func Parse(text []byte) (any, error) {
	v, err := rawjson.Decode(text)
	return numbered(v), err
}

func numbered(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && strconv.FormatInt(n, 10) == string(v) {
			return n
		}
		return v
	case []any:
		for i := range v {
			v[i] = numbered(v[i])
		}
	case *rawjson.Map:
		for i := range v.Vals {
			v.Vals[i] = numbered(v.Vals[i])
		}
	}
	return v
}

// Compare orders two scalars: numbers as numbers, texts of digits beside
// numbers as numbers, everything else as text. Null comes first.
func Compare(a, b any) int {
	if a == nil || b == nil {
		return BoolInt(a != nil) - BoolInt(b != nil)
	}
	as, aText := a.(string)
	bs, bText := b.(string)
	if aText && bText {
		return strings.Compare(as, bs)
	}
	x, okX := Number(a)
	y, okY := Number(b)
	if okX && okY {
		return cmp.Compare(x, y)
	}
	if ab, ok := a.(bool); ok {
		if bb, ok := b.(bool); ok {
			return BoolInt(ab) - BoolInt(bb)
		}
	}
	return strings.Compare(rawjson.TextOf(a), rawjson.TextOf(b))
}

// BoolInt is 1 for true.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Equal compares scalars; the text of a number equals the number. An array
// equals what one of its elements equals, an object the value of its usual
// identifying member.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return Equal(e, b) })
	case *rawjson.Map:
		if p, ok := b.(*rawjson.Map); ok {
			return bytes.Equal(x.JSON(), p.JSON())
		}
		return slices.ContainsFunc(identifyingMembers, func(name string) bool {
			v := x.Value(name)
			return v != nil && Compare(v, b) == 0
		})
	}
	if b == nil {
		return false
	}
	return Compare(a, b) == 0
}

var identifyingMembers = []string{"id", "key", "accountId", "value", "name", "status", "state", "login", "slug",
	"email"}

// Holds reports whether the result of a comparison satisfies gt, gte, lt or lte,
// which may be written as signs.
func Holds(c int, op string) bool {
	switch op {
	case "gt", ">":
		return c > 0
	case "gte", ">=":
		return c >= 0
	case "lt", "<":
		return c < 0
	}
	return c <= 0
}

// Normal lowers a name and drops what joins its words, so that created_at,
// createdAt and created-at compare equal.
func Normal(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '_' || c == '-' || c == '[' || c == ']' || c == ' ' || c == '.':
			return -1
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return c
	}, name)
}

// Singular drops the plural ending of an English word.
func Singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "statuses"), strings.HasSuffix(s, "addresses"), strings.HasSuffix(s, "branches"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "ss"), !strings.HasSuffix(s, "s"):
		return s
	}
	return s[:len(s)-1]
}

// CutLast cuts at the last occurrence of a byte.
func CutLast(s string, sep byte) (before, after string, found bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
