package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a string decoded, and the received text of any other value.
// Invalid UTF-8 and lone surrogates become U+FFFD, as in encoding/json.
func (n Node) Text() string {
	if n.kind != String {
		return string(n.Raw())
	}
	raw := inside(n.Raw())
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

// escapedAt tells whether an odd number of backslashes stands before raw[i].
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
	var r rune
	for _, c := range raw[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// AppendQuoted appends text as a JSON string: control characters, quotes and
// backslashes escaped, everything else as it is, invalid UTF-8 as U+FFFD.
func AppendQuoted(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r < 0x20 || r == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
