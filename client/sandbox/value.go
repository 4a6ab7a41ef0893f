package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JSON object that keeps the order of its members. Values are nil,
// bool, string, int64, float64, []any or *object.
type object struct {
	keys []string
	vals []any
}

// newObject returns an object of alternating names and values.
func newObject(pairs ...any) *object {
	o := &object{keys: make([]string, 0, len(pairs)/2), vals: make([]any, 0, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.keys = append(o.keys, pairs[i].(string))
		o.vals = append(o.vals, pairs[i+1])
	}
	return o
}

func (o *object) index(name string) int {
	if o == nil {
		return -1
	}
	for i, k := range o.keys {
		if k == name {
			return i
		}
	}
	return -1
}

// get returns the member and whether it is present.
func (o *object) get(name string) (any, bool) {
	if i := o.index(name); i >= 0 {
		return o.vals[i], true
	}
	return nil, false
}

// value returns the member, nil when it is absent.
func (o *object) value(name string) any {
	v, _ := o.get(name)
	return v
}

// text returns the member as text; numbers are written out.
func (o *object) text(name string) string { return asText(o.value(name)) }

func (o *object) has(name string) bool { return o.index(name) >= 0 }

func (o *object) set(name string, v any) {
	if i := o.index(name); i >= 0 {
		o.vals[i] = v
		return
	}
	o.keys = append(o.keys, name)
	o.vals = append(o.vals, v)
}

func (o *object) remove(name string) {
	if i := o.index(name); i >= 0 {
		o.keys = append(o.keys[:i:i], o.keys[i+1:]...)
		o.vals = append(o.vals[:i:i], o.vals[i+1:]...)
	}
}

// len is the number of members; a nil object has none.
func (o *object) len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// clone copies the object and everything in it.
func (o *object) clone() *object {
	if o == nil {
		return nil
	}
	c := &object{keys: append([]string(nil), o.keys...), vals: make([]any, len(o.vals))}
	for i, v := range o.vals {
		c.vals[i] = cloneValue(v)
	}
	return c
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case *object:
		return v.clone()
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = cloneValue(v[i])
		}
		return c
	}
	return v
}

// asText writes a scalar as text; null and containers give "".
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// asInt reads an integer from a number or a text of digits.
func asInt(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v), true
		}
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// asNumber reads a number from a number or a text that is one.
func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil
	}
	return 0, false
}

// asList returns arrays as they are, comma-separated text as its entries and
// any other scalar as the only element.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	case string:
		parts := strings.Split(v, ",")
		out := make([]any, 0, len(parts))
		for _, p := range parts {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		}
		return out
	}
	return []any{v}
}

// at follows a dotted path; "[]" after a step, or an array without it, goes
// into every element and gives the list of what was found.
func at(v any, path string) (any, bool) {
	for path != "" {
		step, rest, deeper := strings.Cut(path, ".")
		switch c := v.(type) {
		case *object:
			next, ok := c.get(strings.TrimSuffix(step, "[]"))
			if !ok && deeper {
				// A member whose own name holds dots.
				return c.get(path)
			}
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			return atEach(c, path)
		default:
			return nil, false
		}
		path = rest
	}
	return v, true
}

func atEach(list []any, path string) (any, bool) {
	var out []any
	for _, e := range list {
		found, ok := at(e, path)
		if !ok {
			continue
		}
		if inner, isList := found.([]any); isList {
			out = append(out, inner...)
		} else {
			out = append(out, found)
		}
	}
	return out, len(out) > 0
}

// errTrailing says that a body goes on after its JSON value.
var errTrailing = errors.New("text follows the JSON value")

// parseJSON reads one JSON value, keeping the order of members.
func parseJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errTrailing
	}
	return v, nil
}

// maxDepth bounds the nesting of what a caller may send.
const maxDepth = 200

func decodeValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("the JSON is nested deeper than %d levels", maxDepth)
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return decodeArray(d, depth)
		}
		return decodeObject(d, depth)
	case json.Number:
		return number(string(t)), nil
	}
	return t, nil
}

func decodeArray(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	o := &object{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o.set(k.(string), v)
	}
	_, err := d.Token()
	return o, err
}

// number keeps integers exact and takes everything else as float64.
func number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	f, _ := strconv.ParseFloat(s, 64)
	return max(min(f, math.MaxFloat64), -math.MaxFloat64)
}

// appendJSON writes a value as compact JSON.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case *object:
		return appendObject(b, v)
	case json.RawMessage:
		return append(b, v...)
	}
	return append(b, "null"...)
}

func appendObject(b []byte, o *object) []byte {
	if o == nil {
		return append(b, "null"...)
	}
	b = append(b, '{')
	for i, k := range o.keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, k)
		b = append(b, ':')
		b = appendJSON(b, o.vals[i])
	}
	return append(b, '}')
}

const hexDigits = "0123456789abcdef"

// appendString quotes s; control bytes are escaped, invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[start:i]...), `\ufffd`...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// compare orders two scalars: numbers as numbers, texts of digits beside
// numbers as numbers, everything else as text. Null comes first.
func compare(a, b any) int {
	if a == nil || b == nil {
		return boolInt(a != nil) - boolInt(b != nil)
	}
	as, aText := a.(string)
	bs, bText := b.(string)
	if aText && bText {
		return strings.Compare(as, bs)
	}
	x, okX := asNumber(a)
	y, okY := asNumber(b)
	if okX && okY {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	if ab, ok := a.(bool); ok {
		if bb, ok := b.(bool); ok {
			return boolInt(ab) - boolInt(bb)
		}
	}
	return strings.Compare(asText(a), asText(b))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// equal compares scalars; the text of a number equals the number. An array
// equals what one of its elements equals.
func equal(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case []any:
		for _, e := range x {
			if equal(e, b) {
				return true
			}
		}
		return false
	case *object:
		return sameObject(x, b)
	}
	if b == nil {
		return false
	}
	return compare(a, b) == 0
}

// sameObject compares an object with another, or with the value of its usual
// identifying member.
func sameObject(o *object, b any) bool {
	if p, ok := b.(*object); ok {
		return bytes.Equal(appendObject(nil, o), appendObject(nil, p))
	}
	for _, k := range identifyingMembers {
		if v, ok := o.get(k); ok && v != nil && compare(v, b) == 0 {
			return true
		}
	}
	return false
}

var identifyingMembers = []string{"id", "key", "accountId", "value", "name", "status", "state", "login", "slug", "email"}
