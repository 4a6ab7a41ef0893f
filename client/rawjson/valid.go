package rawjson

import (
	"context"
	"fmt"
	"strconv"
)

// maxDepth is how deep containers may nest, as in encoding/json.
const maxDepth = 10000

// SyntaxError says where a body stops being JSON.
type SyntaxError struct {
	// Offset of the byte that is wrong; the length of the body when it is cut.
	Offset int
	// Line and Column count from 1; Column in bytes.
	Line, Column int
	// Expected says what should stand there, Found what does.
	Expected, Found string
	// Cut is set when the bytes ended too early.
	Cut bool
}

// Error implements error.
func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("byte %d (line %d, column %d)", e.Offset, e.Line, e.Column)
	if e.Cut {
		return fmt.Sprintf("the JSON ends too early, at %s: expected %s", at, e.Expected)
	}
	return fmt.Sprintf("not JSON at %s: expected %s, found %s", at, e.Expected, e.Found)
}

func syntaxError(src Source, offset int, expected string) *SyntaxError {
	e := &SyntaxError{Offset: offset, Expected: expected, Found: "the end"}
	e.Line, e.Column = Position(src, min(offset, src.Len()))
	if offset < src.Len() {
		e.Found = strconv.QuoteToASCII(string(src.Slice(offset, offset+1)))
	}
	return e
}

// Validate reports whether bytes [from, to) are exactly one JSON value, by the
// rules of encoding/json: RFC 8259 with at most 10,000 nested containers, bytes
// that are no UTF-8 let through in strings. The error is a *SyntaxError or that of ctx.
func Validate(ctx context.Context, src Source, from, to int) error {
	return ValidateSeen(ctx, src, from, to, nil)
}

// ValidateSeen is Validate that tells seen now and then how far it is.
func ValidateSeen(ctx context.Context, src Source, from, to int, seen func(at int)) error {
	v := validator{cursor: newCursor(src, from, to)}
	v.ctx, v.seen = ctx, seen
	v.document()
	if v.cursor.err != nil {
		return v.cursor.err
	}
	if v.expected == "" {
		return nil
	}
	e := syntaxError(src, v.pos(), v.expected)
	e.Cut = v.pos() >= to
	return e
}

// Valid reports whether data is one JSON value, like Validate.
func Valid(data []byte) bool {
	return Validate(context.Background(), Bytes(data), 0, len(data)) == nil
}

// validator checks a document with a stack instead of recursion.
type validator struct {
	*cursor
	stack    []bool // the containers around: true for objects
	expected string
	// first is set when whatever follows the first value does not count.
	first bool
}

func (v *validator) fail(expected string) bool {
	v.expected = expected
	return false
}

func (v *validator) push(object bool) bool {
	if len(v.stack) == maxDepth {
		return v.fail("no more than 10,000 values one in another")
	}
	v.stack = append(v.stack, object)
	return true
}

func (v *validator) document() bool {
	for {
		opened, ok := v.open()
		if !ok {
			return false
		}
		if opened {
			continue
		}
		if again, ok := v.after(); !ok || !again {
			return ok
		}
	}
}

// open takes one value, or the start of a container that is not empty.
func (v *validator) open() (opened, ok bool) {
	b, more := v.space()
	switch {
	case !more:
		return false, v.fail("a value")
	case b == '{':
		v.i++
		if !v.push(true) {
			return false, false
		}
		if b, _ := v.space(); b == '}' {
			return false, true
		}
		return true, v.member("a name in double quotes or }")
	case b == '[':
		v.i++
		if !v.push(false) {
			return false, false
		}
		b, _ := v.space()
		return b != ']', true
	}
	switch {
	case b == '"':
		return false, v.string()
	case b == 't':
		return false, v.literal("true")
	case b == 'f':
		return false, v.literal("false")
	case b == 'n':
		return false, v.literal("null")
	case b == '-' || b >= '0' && b <= '9':
		return false, v.number()
	}
	return false, v.fail("a value")
}

// after takes what follows a value: closing brackets, then a comma; again tells that a value must follow.
func (v *validator) after() (again, ok bool) {
	for {
		depth := len(v.stack)
		if v.first && depth == 0 {
			return false, true
		}
		b, more := v.space()
		object := depth > 0 && v.stack[depth-1]
		switch {
		case depth == 0 && !more:
			return false, true
		case depth == 0:
			return false, v.fail("the end of the body")
		case b == ',' && object:
			v.i++
			return true, v.member("a name in double quotes")
		case b == ',':
			v.i++
			return true, true
		case b == '}' && object, b == ']' && !object:
			v.i++
			v.stack = v.stack[:depth-1]
		case object:
			return false, v.fail("a comma or }")
		default:
			return false, v.fail("a comma or ]")
		}
	}
}

// member takes a name and its colon.
func (v *validator) member(expected string) bool {
	if b, _ := v.space(); b != '"' {
		return v.fail(expected)
	}
	if !v.string() {
		return false
	}
	if b, _ := v.space(); b != ':' {
		return v.fail("a colon")
	}
	v.i++
	return true
}

func (v *validator) literal(word string) bool {
	for i := range len(word) {
		if b, ok := v.peek(); !ok || b != word[i] {
			return v.fail(word)
		}
		v.i++
	}
	return true
}

// string takes a string from its opening quote on.
func (v *validator) string() bool {
	v.i++
	for v.more() {
		for v.i < len(v.win) {
			switch b := v.win[v.i]; {
			case b == '"':
				v.i++
				return true
			case b < 0x20:
				return v.fail("no control character inside a string")
			case b == '\\':
				if !v.escape() {
					return false
				}
			default:
				v.i++
			}
		}
	}
	return v.fail("the end of a string")
}

func (v *validator) escape() bool {
	v.i++
	b, _ := v.peek()
	switch b {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		v.i++
		return true
	case 'u':
		v.i++
	default:
		return v.fail("an escape sequence")
	}
	for range 4 {
		b, _ := v.peek()
		if b -= '0'; b > 9 {
			if b = (b + '0') | 0x20; b < 'a' || b > 'f' {
				return v.fail("four hexadecimal digits")
			}
		}
		v.i++
	}
	return true
}

func (v *validator) number() bool {
	if b, _ := v.peek(); b == '-' {
		v.i++
	}
	if b, _ := v.peek(); b == '0' {
		v.i++
	} else if !v.digits() {
		return false
	}
	if b, _ := v.peek(); b == '.' {
		v.i++
		if !v.digits() {
			return false
		}
	}
	if b, _ := v.peek(); b|0x20 == 'e' {
		v.i++
		if b, _ := v.peek(); b == '+' || b == '-' {
			v.i++
		}
		return v.digits()
	}
	return true
}

func (v *validator) digits() bool {
	n := 0
	for {
		b, ok := v.peek()
		if !ok || b < '0' || b > '9' {
			break
		}
		v.i++
		n++
	}
	if n == 0 {
		return v.fail("a digit")
	}
	return true
}
