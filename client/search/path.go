package search

import (
	"bytes"
	"strings"
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

func newStep(name string) step { return step{name: name, quoted: quote(name)} }

func parsePath(field string) path {
	var p path
	for _, s := range strings.Split(field, ".") {
		if s = strings.TrimSuffix(s, "[]"); s != "" {
			p.steps = append(p.steps, newStep(s))
		}
	}
	if len(p.steps) != 1 || p.steps[0].name != field {
		whole := newStep(field)
		p.whole = &whole
	}
	return p
}

// any tells whether holds is true for one of the values at the path; a path
// that leads nowhere is asked once with nil.
func (p path) any(record []byte, holds func([]byte) bool) bool {
	seen, found := false, false
	p.values(record, func(v []byte) bool {
		seen = true
		found = holds(v)
		return !found
	})
	if !seen {
		return holds(nil)
	}
	return found
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
	i := skipSpace(v, 0)
	if i >= len(v) {
		return true
	}
	if v[i] == '[' {
		goOn := true
		eachElement(v, i, func(from, to int) bool {
			goOn = visit(v[from:to], steps, f)
			return goOn
		})
		return goOn
	}
	member := steps[0].find(v)
	if member == nil {
		return true
	}
	return visit(member, steps[1:], f)
}

// find returns the value of the member named by the step, or nil.
func (s *step) find(object []byte) []byte {
	var out []byte
	eachMember(object, 0, func(key []byte, from, to int) bool {
		if !s.is(key) {
			return true
		}
		out = object[from:to]
		return false
	})
	return out
}

func (s *step) is(key []byte) bool {
	if bytes.Equal(key, s.quoted) {
		return true
	}
	return bytes.IndexByte(key, '\\') >= 0 && text(key) == s.name
}
