package local

import (
	"regexp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// selection is a field of a GraphQL document with what is selected below it. A
// name that starts with "... on " is an inline fragment. The answer calls the field
// by its alias, where it has one.
type selection struct {
	name     string
	alias    string
	args     []catalog.Pair
	children []*selection
}

const fragment = "... on "

// steps takes "nodes<Issue>.author" apart: nodes, ... on Issue, author.
func steps(path string) []string {
	var out []string
	for step := range strings.SplitSeq(path, ".") {
		name, kind, typed := strings.Cut(step, "<")
		if name != "" {
			out = append(out, name)
		}
		if typed {
			out = append(out, fragment+strings.TrimSuffix(kind, ">"))
		}
	}
	return out
}

// at finds the selection at a path below s, making what is missing.
func (s *selection) at(path []string) *selection {
	for _, name := range path {
		s = s.child(name)
	}
	return s
}

func (s *selection) child(name string) *selection {
	if found := s.find([]string{name}); found != nil {
		return found
	}
	c := &selection{name: name}
	s.children = append(s.children, c)
	return c
}

func (s *selection) write(b *strings.Builder) {
	if s.alias != "" {
		b.WriteString(s.alias + ": ")
	}
	b.WriteString(s.name)
	args := make([]string, len(s.args))
	for i, a := range s.args {
		args[i] = a.Name + ": " + a.Value
	}
	b.WriteString(inParentheses(args))
	if len(s.children) == 0 {
		return
	}
	b.WriteString(" {")
	for _, c := range s.children {
		b.WriteByte(' ')
		c.write(b)
	}
	b.WriteString(" }")
}

func inParentheses(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// document writes the body of a GraphQL call. The answer has aliases for names.
func (p *plan) document(s *settings) (body []byte, aliases map[string]string, err error) {
	g := p.bind.GraphQL
	if g.Document != "" {
		body, err = p.written(s)
		return body, nil, err
	}
	fields, err := p.selected(s)
	if err != nil {
		return nil, nil, err
	}
	root := &selection{}
	for _, a := range g.Args {
		root.at(steps(a.Path)).args = a.Args
	}
	for _, sel := range g.Select {
		at := root.at(steps(sel.Path))
		for _, name := range sel.Fields {
			if name == "{fields}" {
				p.expandFields(at, fields)
			} else {
				at.at(steps(name))
			}
		}
	}
	root.child(g.Operation)
	aliases = map[string]string{}
	root.tellApart(aliases)
	var b strings.Builder
	b.WriteString(g.Kind)
	declared := make([]string, len(g.Variables))
	for i, v := range g.Variables {
		declared[i] = "$" + v.Name + ": " + v.Type
	}
	b.WriteString(inParentheses(declared))
	root.write(&b)
	variables, err := p.variables(s)
	if err != nil {
		return nil, nil, err
	}
	out := rawjson.AppendQuoted([]byte(`{"query":`), b.String())
	out = append(out, `,"variables":`...)
	return append(append(out, variables...), '}'), aliases, nil
}

// expandFields selects what the caller asked for, else the default fields.
func (p *plan) expandFields(at *selection, fields []string) {
	var defaults [][]string
	for _, d := range p.bind.GraphQL.DefaultFields {
		for _, name := range d.Fields {
			defaults = append(defaults, append(steps(d.Path), name))
		}
	}
	chosen := [][]string{nil} // the record itself: all that is below it
	if len(fields) > 0 {
		chosen = nil
	}
	for _, field := range fields {
		chosen = append(chosen, typed(defaults, nil, steps(field))...)
	}
	for _, path := range chosen {
		// An object without members named gets its default ones.
		at.at(path)
		for _, d := range defaults {
			if starts(d, path) {
				at.at(d)
			}
		}
	}
	for _, a := range p.bind.GraphQL.FieldArgs {
		if found := at.find(steps(a.Path)); found != nil {
			found.args = a.Args
		}
	}
}

func starts(path, with []string) bool {
	return len(path) >= len(with) && slices.Equal(path[:len(with)], with)
}

// typed adds the inline fragments that the default selection needs for the rest
// of a path: none where a field is selected without, one path for each type else.
func typed(defaults [][]string, done, rest []string) [][]string {
	if len(rest) == 0 {
		return [][]string{done}
	}
	// types are those that the default selection tells apart here.
	var types, out [][]string
	for _, d := range defaults {
		if n := len(done); starts(d, done) && len(d) > n && strings.HasPrefix(d[n], fragment) &&
			!slices.ContainsFunc(types, func(t []string) bool { return t[n] == d[n] }) {
			types = append(types, d[:n+1])
		}
	}
	selects := func(path []string) bool {
		return slices.ContainsFunc(defaults, func(d []string) bool { return starts(d, path) })
	}
	next := append(slices.Clip(done), rest[0])
	if len(done) == 0 || strings.HasPrefix(rest[0], fragment) || strings.HasPrefix(done[len(done)-1], fragment) ||
		len(types) == 0 || selects(next) {
		return typed(defaults, next, rest[1:])
	}
	for _, t := range types {
		if path := append(slices.Clip(t), rest[0]); selects(path) {
			out = append(out, typed(defaults, path, rest[1:])...)
		}
	}
	if out == nil {
		return typed(defaults, append(slices.Clip(types[0]), rest[0]), rest[1:])
	}
	return out
}

// find is the selection at a path below s; nil when there is none.
func (s *selection) find(path []string) *selection {
	for _, name := range path {
		i := slices.IndexFunc(s.children, func(c *selection) bool { return c.name == name })
		if i < 0 {
			return nil
		}
		s = s.children[i]
	}
	return s
}

// selected reads the caller's list of fields. Its names become part of the
// document, so nothing but names is let through.
func (p *plan) selected(s *settings) ([]string, error) {
	for i := range p.action.Params {
		f := &p.action.Params[i]
		if f.In != "selection" {
			continue
		}
		n, ok, err := p.given(f, s)
		if err != nil || !ok {
			return nil, err
		}
		var out []string
		for e := range n.Elems() {
			name := e.Text()
			if !fieldPath.MatchString(name) {
				return nil, p.fail(client.ClassInvalid, f.Name,
					"Write names of record fields, dots for nesting: author.login.",
					"%s holds %q, which is no field name", f.Name, name)
			}
			out = append(out, name)
		}
		return out, nil
	}
	return nil, nil
}

// fieldPath is a path of fields, which may name their types: nodes<Issue>.author.
var fieldPath = regexp.MustCompile(`^[A-Za-z_]\w*(<[A-Za-z_]\w*>?)?(\.[A-Za-z_]\w*(<[A-Za-z_]\w*>?)?)*$`)

// variables writes the variables that have a value.
func (p *plan) variables(s *settings) ([]byte, error) {
	body := &rawjson.Map{}
	for _, v := range p.bind.GraphQL.Variables {
		value, f, ok, err := p.variable(v.From, s)
		if err != nil {
			return nil, err
		}
		if ok {
			body.Add(v.Name, sent(f, value))
		}
	}
	return body.JSON(), nil
}

// variable fills a template over params. One name alone keeps its JSON type.
func (p *plan) variable(from string, s *settings) (rawjson.Node, *catalog.Field, bool, error) {
	needed := names(from)
	if len(needed) == 1 && from == "${"+needed[0]+"}" {
		f := catalog.FieldByName(p.action.Params, needed[0])
		if f == nil {
			return rawjson.Node{}, nil, false, nil
		}
		n, ok, err := p.given(f, s)
		return n, f, ok, err
	}
	var failed error
	filled, ok := expand(from, p.param(s, &failed))
	return rawjson.Parse(rawjson.AppendQuoted(nil, filled)), nil, ok, failed
}
