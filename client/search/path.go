package search

import (
	"bytes"
	"iter"
	"strings"

	"patchbay/client/rawjson"
)

// path is a field's way through a record. A step into an array goes to every
// element, whether or not the name says so with [].
type path struct {
	steps []step
	// whole is the name as one key, for records whose keys hold dots; nil without dots.
	whole *step
}

// step is one key, as text and as it stands in JSON when nothing is escaped.
type step struct {
	name   string
	quoted []byte
}

func parsePath(field string) path {
	var p path
	for s := range strings.SplitSeq(field, ".") {
		if s = strings.TrimSuffix(s, "[]"); s != "" {
			p.steps = append(p.steps, step{s, quote(s)})
		}
	}
	if len(p.steps) != 1 || p.steps[0].name != field {
		p.whole = &step{field, quote(field)}
	}
	return p
}

// any reports whether holds is true for one of the values at the path; a path
// that leads nowhere is asked once with nil.
func (p path) any(record []byte, holds func([]byte) bool) bool {
	seen, found := false, false
	p.values(record, func(v []byte) bool {
		seen = true
		found = holds(v)
		return !found
	})
	return found || !seen && holds(nil)
}

// values calls f with each value at the path until f returns false.
func (p path) values(record []byte, f func([]byte) bool) {
	if p.whole == nil {
		visit(record, p.steps, f)
		return
	}
	seen := false
	visit(record, p.steps, func(v []byte) bool {
		seen = true
		return f(v)
	})
	if seen {
		return
	}
	if v := p.whole.find(record); v != nil {
		f(v)
	}
}

func visit(v []byte, steps []step, f func([]byte) bool) bool {
	if len(steps) == 0 {
		return f(v)
	}
	if i := skipSpace(v, 0); i < len(v) && v[i] == '[' {
		for e := range elements(v) {
			if !visit(e, steps, f) {
				return false
			}
		}
		return true
	}
	member := steps[0].find(v)
	return member == nil || visit(member, steps[1:], f)
}

// find returns the value of the member named by the step, or nil.
func (s *step) find(object []byte) []byte {
	for key, value := range children(object) {
		if bytes.Equal(key, s.quoted) || bytes.IndexByte(key, '\\') >= 0 && text(key) == s.name {
			return value
		}
	}
	return nil
}

// The functions below step through JSON bytes without decoding them, in half the
// time that a rawjson.Node takes to find members of a small record. They are only
// as strict as finding members needs: text that is no JSON finds nothing.

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the offset after the string that opens at i, or -1.
func skipString(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		before := b[i : i+n]
		i += n + 1
		if (n-len(bytes.TrimRight(before, `\`)))%2 == 0 {
			return i
		}
	}
	return -1
}

// skipValue returns the offset after the value that starts at i, or -1.
func skipValue(b []byte, i int) int {
	from := i
	switch {
	case i < len(b) && b[i] == '"':
		return skipString(b, i)
	case i < len(b) && (b[i] == '{' || b[i] == '['):
		return skipContainer(b, i)
	}
	for i < len(b) && b[i] > ' ' && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] != ':' {
		i++
	}
	if i == from {
		return -1
	}
	return i
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

// children iterates over the raw names (quotes included; nil in an array) and the
// raw values of what stands in a container.
func children(b []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		i := skipSpace(b, 0)
		if i >= len(b) || b[i] != '{' && b[i] != '[' {
			return
		}
		object := b[i] == '{'
		for more := true; more; more = i < len(b) && b[i] == ',' {
			i = skipSpace(b, i+1)
			var name []byte
			if from := i; object {
				if i >= len(b) || b[i] != '"' {
					return
				}
				if i = skipString(b, i); i < 0 {
					return
				}
				name = b[from:i]
				if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
					return
				}
				i = skipSpace(b, i+1)
			}
			to := skipValue(b, i)
			if to < 0 || !yield(name, b[i:to]) {
				return
			}
			i = skipSpace(b, to)
		}
	}
}

// elements iterates over the raw elements of an array; there are none in any other value.
func elements(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for name, e := range children(b) {
			if name != nil || !yield(e) {
				return
			}
		}
	}
}

// text decodes a raw JSON string; plain ones without a copy through the decoder.
func text(raw []byte) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return rawjson.Parse(raw).Text()
}
