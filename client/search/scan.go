package search

import (
	"bytes"
	"encoding/json"
)

// The functions here step through JSON bytes without decoding them. They are
// only as strict as finding members needs: text that is no JSON finds nothing.

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the offset after the string that opens at i, or -1.
func skipString(b []byte, i int) int {
	i++
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		back := 0
		for end-1-back >= i && b[end-1-back] == '\\' {
			back++
		}
		if back%2 == 0 {
			return end + 1
		}
		i = end + 1
	}
	return -1
}

// skipValue returns the offset after the value that starts at i, or -1.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipContainer(b, i)
	}
	start := i
	for i < len(b) && !delimiter(b[i]) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func delimiter(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ':' || c <= ' '
}

func skipContainer(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// eachMember calls f with the raw key (quotes included) and the value's offsets
// for each member of the object at i until f returns false.
func eachMember(b []byte, i int, f func(key []byte, from, to int) bool) {
	i = skipSpace(b, i)
	if i >= len(b) || b[i] != '{' {
		return
	}
	i++
	for {
		i = skipSpace(b, i)
		if i >= len(b) || b[i] != '"' {
			return
		}
		keyFrom := i
		if i = skipString(b, i); i < 0 {
			return
		}
		key := b[keyFrom:i]
		if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
			return
		}
		from := skipSpace(b, i+1)
		to := skipValue(b, from)
		if to < 0 || !f(key, from, to) {
			return
		}
		if i = skipSpace(b, to); i >= len(b) || b[i] != ',' {
			return
		}
		i++
	}
}

// eachElement calls f with the offsets of each element of the array at i until f returns false.
func eachElement(b []byte, i int, f func(from, to int) bool) {
	i = skipSpace(b, i)
	if i >= len(b) || b[i] != '[' {
		return
	}
	i = skipSpace(b, i+1)
	for i < len(b) && b[i] != ']' {
		to := skipValue(b, i)
		if to < 0 || !f(i, to) {
			return
		}
		if i = skipSpace(b, to); i >= len(b) || b[i] != ',' {
			return
		}
		i = skipSpace(b, i+1)
	}
}

// text decodes a raw JSON string; plain ones without a copy through the decoder.
func text(raw []byte) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// typeName names the JSON type of a raw value for people.
func typeName(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}
