package rawjson

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a string decoded, and the received text of any other value.
// Invalid UTF-8 and lone surrogates become U+FFFD, as in encoding/json.
func (n Node) Text() string {
	if n.kind != String {
		return string(n.Raw())
	}
	return decodedText(inside(n.Raw()))
}

// decodedText decodes the inside of a string.
func decodedText(raw []byte) string {
	if plain(raw) {
		return string(raw)
	}
	return string(appendDecoded(make([]byte, 0, len(raw)), raw, len(raw)*3))
}

// AppendText appends what Text returns, but reads and adds about limit bytes at
// most (never half a rune); more tells that something was left out.
func (n Node) AppendText(dst []byte, limit int) (out []byte, more bool) {
	if n.kind != String {
		raw := n.head(limit)
		return append(dst, trimRune(raw)...), len(raw) < n.Size()
	}
	// An escape takes six bytes for one to three; what was cut off is decoded no more.
	raw := n.head(min(n.Size(), limit*6+8))
	whole := len(raw) == n.Size()
	if whole {
		raw = inside(raw)
	} else {
		raw = trimEscape(raw[1:])
	}
	size := len(dst)
	dst = appendDecoded(dst, raw, limit+1)
	if len(dst)-size <= limit {
		return dst, !whole
	}
	kept := trimRune(dst[size : size+limit])
	return dst[:size+len(kept)], true
}

// inside returns what lies between the quotes; the closing one may be missing.
func inside(raw []byte) []byte {
	if len(raw) == 0 {
		return raw
	}
	raw = raw[1:]
	if k := len(raw); k > 0 && raw[k-1] == '"' && !escapedAt(raw, k-1) {
		return raw[:k-1]
	}
	return trimEscape(raw)
}

// escapedAt reports whether an odd number of backslashes stands before raw[i].
func escapedAt(raw []byte, i int) bool {
	k := i
	for k > 0 && raw[k-1] == '\\' {
		k--
	}
	return (i-k)&1 == 1
}

// trimEscape drops an escape sequence that lost its end.
func trimEscape(raw []byte) []byte {
	i := bytes.LastIndexByte(raw, '\\')
	if i < 0 || escapedAt(raw, i) {
		return raw
	}
	if i+1 >= len(raw) || raw[i+1] == 'u' && i+6 > len(raw) {
		return raw[:i]
	}
	return raw
}

// trimRune drops the bytes of a rune that lost its end.
func trimRune(b []byte) []byte {
	for k := 1; k <= utf8.UTFMax && k <= len(b); k++ {
		c := b[len(b)-k]
		if utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-k:]) {
				return b[:len(b)-k]
			}
			break
		}
	}
	return b
}

func plain(raw []byte) bool { return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) }

// appendDecoded decodes the inside of a string until limit bytes were added.
func appendDecoded(dst, raw []byte, limit int) []byte {
	stop := len(dst) + limit
	for len(raw) > 0 && len(dst) < stop {
		k := bytes.IndexByte(raw, '\\')
		if k < 0 {
			k = len(raw)
		}
		if k > 0 {
			k = min(k, limit+utf8.UTFMax)
			dst = appendValid(dst, raw[:k])
			raw = raw[k:]
			continue
		}
		var n int
		dst, n = appendEscape(dst, raw)
		raw = raw[n:]
	}
	return dst
}

func appendValid(dst, raw []byte) []byte {
	if utf8.Valid(raw) {
		return append(dst, raw...)
	}
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		dst = utf8.AppendRune(dst, r)
		raw = raw[n:]
	}
	return dst
}

// appendEscape decodes the escape at the start of raw and returns its length.
// What is no escape is kept as it stands.
func appendEscape(dst, raw []byte) ([]byte, int) {
	if len(raw) < 2 {
		return append(dst, raw...), len(raw)
	}
	if k := bytes.IndexByte([]byte(`"\/bfnrt`), raw[1]); k >= 0 {
		return append(dst, "\"\\/\b\f\n\r\t"[k]), 2
	}
	r, ok := hex4(raw)
	if !ok {
		return append(dst, raw[0]), 1
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 6
	}
	if low, ok := hex4(raw[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return utf8.AppendRune(dst, both), 12
		}
	}
	return utf8.AppendRune(dst, utf8.RuneError), 6
}

// hex4 reads \uXXXX at the start of raw.
func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	r, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(r), err == nil
}

// IsNumber reports whether a text is a number as JSON writes it, with nothing
// around it.
func IsNumber(text string) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && text[len(text)-1] > ' ' &&
		Valid([]byte(text))
}

// AppendIndent appends the value laid out with two blanks a level: names,
// numbers and strings as received, white space between them replaced. It stops
// after about limit bytes and reports that; limit 0 is no limit.
func (n Node) AppendIndent(dst []byte, limit int) (out []byte, more bool) {
	return n.format(dst, limit, true)
}

// WriteIndent writes the value as AppendIndent lays it out, piece by piece.
func (n Node) WriteIndent(w io.Writer) error {
	f := formatter{indent: true, limit: math.MaxInt, w: w}
	f.run(n.cursor())
	f.flush(0)
	return f.err
}

// AppendCompact appends the value without white space between its tokens, up to about limit bytes; 0 is no limit.
func (n Node) AppendCompact(dst []byte, limit int) (out []byte, more bool) {
	return n.format(dst, limit, false)
}

// formatter copies tokens and writes its own white space; it follows brackets
// by count, so that broken JSON comes out as broken as it came in.
type formatter struct {
	out    []byte
	limit  int
	indent bool
	depth  int
	// w, where it is set, takes what was laid out; err is why it could not.
	w   io.Writer
	err error
}

func (f *formatter) full() bool { return len(f.out) >= f.limit }

func (n Node) format(dst []byte, limit int, indent bool) (out []byte, more bool) {
	f := formatter{out: dst, indent: indent, limit: len(dst) + limit}
	if limit == 0 {
		f.limit = math.MaxInt
	}
	f.run(n.cursor())
	return f.out, f.full()
}

// heldBytes is how much is laid out before it is written.
const heldBytes = 64 << 10

// flush writes what was laid out once it is more than so many bytes.
func (f *formatter) flush(more int) {
	if f.w == nil || f.err != nil || len(f.out) <= more {
		return
	}
	_, f.err = f.w.Write(f.out)
	f.out = f.out[:0]
}

func (f *formatter) run(c cursor) {
	for !f.full() && f.err == nil {
		f.flush(heldBytes)
		b, ok := c.space()
		if !ok {
			break
		}
		switch b {
		case '{', '[':
			c.i++
			f.out = append(f.out, b)
			if next, _ := c.space(); next == b+2 { // nothing lies between
				c.i++
				f.out = append(f.out, next)
				continue
			}
			f.depth++
			f.line()
		case '}', ']':
			c.i++
			f.depth = max(0, f.depth-1)
			f.line()
			f.out = append(f.out, b)
		case ',':
			c.i++
			f.out = append(f.out, b)
			f.line()
		case ':':
			c.i++
			f.out = append(f.out, b)
			if f.indent {
				f.out = append(f.out, ' ')
			}
		default:
			f.token(&c, b)
		}
	}
}

func (f *formatter) line() {
	if !f.indent {
		return
	}
	f.out = append(f.out, '\n')
	for range min(f.depth, 200) {
		f.out = append(f.out, ' ', ' ')
	}
}

// token copies a string or scalar, window by window.
func (f *formatter) token(c *cursor, b byte) {
	f.out = append(f.out, b)
	c.i++
	var s skipState
	for !f.full() && c.more() {
		f.flush(heldBytes)
		w := c.win[c.i:]
		n, done := 0, false
		if b == '"' {
			n, done = s.skipText(w)
		} else if n = bytes.IndexFunc(w, func(r rune) bool { return r < 0x80 && endsScalar(byte(r)) }); n >= 0 {
			done = true
		} else {
			n = len(w)
		}
		if room := f.limit - len(f.out); n > room {
			n, done = room, true
		}
		f.out = append(f.out, w[:n]...)
		c.i += n
		if done {
			return
		}
	}
}
