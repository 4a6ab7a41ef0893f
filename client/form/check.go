package form

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
)

// Problem is a reason not to send the form.
type Problem struct {
	// Path is the input that is wrong; "" for a rule across several.
	Path Path
	Text string
}

// Problems returns everything that is wrong, rules across inputs first.
func (f *Form) Problems() []Problem {
	var out []Problem
	for i := range f.options.Rules {
		if p, broken := f.rule(&f.options.Rules[i]); broken {
			out = append(out, p)
		}
	}
	return f.root.problems("", out)
}

func (in *input) problems(p Path, out []Problem) []Problem {
	for i, c := range in.children {
		at := p + "/" + Path(fmt.Sprint(i))
		if !in.isList() {
			at = p.Child(c.name)
		}
		if text := c.problem(); text != "" {
			out = append(out, Problem{at, text})
		}
		if c.state == Value && !c.isJoined() {
			out = c.problems(at, out)
		}
	}
	return out
}

// rule checks one rule across inputs. Kinds that this package does not know
// hold; they are the service's to check.
func (f *Form) rule(r *catalog.Rule) (Problem, bool) {
	given := 0
	for _, name := range r.Params {
		if f.given(r.In, name) {
			given++
		}
	}
	broken := false
	switch r.Rule {
	case "at_least_one":
		broken = given == 0
	case "exactly_one":
		broken = given != 1 && f.inPresent(r.In)
	case "required_unless":
		return f.requiredUnless(r)
	case "max_entries", "no_prefix", "one_of_values", "bounded_jql":
		return f.valueRule(r)
	}
	return Problem{Text: r.Text}, broken
}

func (f *Form) inPresent(in string) bool {
	if in == "" {
		return true
	}
	o := f.at(rulePath("", in))
	return o != nil && o.state == Value
}

func rulePath(in, name string) Path {
	var p Path
	for _, n := range strings.Split(strings.Trim(in+"."+name, "."), ".") {
		p = p.Child(n)
	}
	return p
}

func (f *Form) given(in, name string) bool {
	i := f.at(Path("").Child(name))
	if in != "" || i == nil {
		i = f.at(rulePath(in, name))
	}
	return i != nil && i.state == Value && !(i.kind == "string" && i.shown() == "" && !i.bad)
}

func (f *Form) requiredUnless(r *catalog.Rule) (Problem, bool) {
	if len(r.Params) < 2 || f.given(r.In, r.Params[0]) || f.given(r.In, r.Params[1]) {
		return Problem{}, false
	}
	return Problem{Path: rulePath(r.In, r.Params[0]), Text: r.Text}, true
}

// valueRule checks a rule about the value of one input.
func (f *Form) valueRule(r *catalog.Rule) (Problem, bool) {
	if len(r.Params) == 0 {
		return Problem{}, false
	}
	p := rulePath(r.In, r.Params[0])
	in := f.at(p)
	if in == nil || in.state != Value {
		return Problem{}, false
	}
	broken := false
	switch r.Rule {
	case "max_entries":
		broken = r.Max > 0 && in.entries() > r.Max
	case "no_prefix":
		broken = r.Value != "" && strings.HasPrefix(in.shown(), r.Value)
	case "one_of_values":
		broken = slices.ContainsFunc(in.parts(), func(s string) bool { return enumProblem(in.field, s) != "" })
	case "bounded_jql":
		broken = !boundedJQL(in.shown())
	}
	return Problem{Path: p, Text: r.Text}, broken
}

func (in *input) entries() int {
	if in.kind == "object" {
		return len(in.order)
	}
	return len(in.parts())
}

func (in *input) parts() []string {
	if in.isList() {
		var out []string
		for _, c := range in.children {
			out = append(out, strings.TrimSpace(c.shown()))
		}
		return out
	}
	if text := in.shown(); strings.Contains(text, ",") {
		parts := strings.Split(text, ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		return parts
	}
	return []string{in.shown()}
}

// boundedJQL tells whether a query names one of the restrictions that the
// specification lists, outside its quoted texts.
func boundedJQL(query string) bool {
	words := strings.FieldsFunc(strings.ToLower(withoutQuoted(query)), func(r rune) bool {
		return !(r == '_' || r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	for i, w := range words {
		if w == "order" && i+1 < len(words) && words[i+1] == "by" {
			break
		}
		switch w {
		case "project", "assignee", "reporter", "key", "issuekey", "issue", "id", "sprint", "parent", "filter":
			return true
		}
	}
	return false
}

func withoutQuoted(s string) string {
	var b strings.Builder
	quote := rune(0)
	for _, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
