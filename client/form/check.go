package form

import (
	"strconv"

	"patchbay/catalog"
)

// Problem is a reason not to send the form, or to look twice.
type Problem struct {
	// Path is the input that is wrong; "" for a rule across several.
	Path Path
	Text string
	// Warning marks what looks wrong but may be taken.
	Warning bool
}

// Problems returns everything that is wrong: rules across inputs first, then
// inputs in their order. An input has one problem at most, its row's error.
func (f *Form) Problems() []Problem {
	places := map[string]Path{"": ""}
	fields := f.root.problems("", nil, places)
	seen := map[Path]bool{}
	for _, p := range fields {
		seen[p.Path] = true
	}
	var out []Problem
	for _, v := range catalog.CheckParams(nil, nil, &f.action, f.JSON()) {
		at, known := places[v.Path]
		if f.across(v) {
			at = ""
		}
		if !known || at != "" && seen[at] {
			continue
		}
		seen[at] = true
		out = append(out, Problem{Path: at, Text: v.Message, Warning: v.Severity == catalog.SeverityWarning})
	}
	return append(out, fields...)
}

// across tells whether a violation speaks of several params at once, so that
// it belongs to no single input.
func (f *Form) across(v catalog.Violation) bool {
	for i := range f.action.Rules {
		r := &f.action.Rules[i]
		if r.Rule == v.Rule && r.Text == v.Message && r.In == "" && len(r.Params) > 1 {
			return r.Rule == "at_least_one" || r.Rule == "exactly_one"
		}
	}
	return false
}

// Sendable tells whether nothing is wrong, warnings aside.
func (f *Form) Sendable() bool {
	for _, p := range f.Problems() {
		if !p.Warning {
			return false
		}
	}
	return true
}

// problems collects what is wrong with the inputs below in, and notes where
// each of them is under the name that the catalog's checks use for it.
func (in *input) problems(p Path, out []Problem, places map[string]Path) []Problem {
	for i, c := range in.children {
		at := p + "/" + Path(strconv.Itoa(i))
		if !in.isList() {
			at = p.Child(c.name)
		}
		places[at.String()] = at
		if text := c.problem(); text != "" {
			out = append(out, Problem{Path: at, Text: text})
		}
		if c.state == Value && !c.isJoined() {
			out = c.problems(at, out, places)
		}
	}
	return out
}
