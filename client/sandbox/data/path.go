package data

import (
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// Path is a dotted path, as At takes it, cut once to be followed in many records. It
// remembers where it found each step, because the records of a table are made alike;
// so one Path serves one goroutine.
type Path struct {
	text  string
	steps []step
}

// step is one name on a path.
type step struct {
	name string
	// rest is the path from this step on.
	rest string
	// place is where an object had the member last.
	place int
}

// NewPath cuts a path.
func NewPath(text string) *Path {
	p := &Path{text: text}
	for rest, deeper := text, true; deeper && rest != ""; {
		s := step{rest: rest}
		s.name, rest, deeper = strings.Cut(rest, ".")
		s.name = strings.TrimSuffix(s.name, "[]")
		p.steps = append(p.steps, s)
	}
	return p
}

// In follows the path in a record's own object.
func (p *Path) In(o *rawjson.Map) (any, bool) {
	v := any(o)
	for i := range p.steps {
		s := &p.steps[i]
		m, isObject := v.(*rawjson.Map)
		if !isObject || m == nil {
			return At(v, s.rest)
		}
		if s.place >= len(m.Keys) || m.Keys[s.place] != s.name {
			place := slices.Index(m.Keys, s.name)
			if place < 0 { // a member whose own name holds dots, or none
				return At(v, s.rest)
			}
			s.place = place
		}
		v = m.Vals[s.place]
	}
	return v, true
}

// Of finds the value in a record, then among what it hides, then in its replica.
func (p *Path) Of(r *Record) any {
	if v, ok := p.In(r.Obj); ok {
		return v
	}
	if v, ok := At(r.Hidden, p.text); ok {
		return v
	}
	v, _ := At(r.Extra, p.text)
	return v
}
