package local

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// selection is a field of a GraphQL document with what is selected below it. A
// name that starts with "... on " is an inline fragment.
type selection struct {
	name     string
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
	for _, c := range s.children {
		if c.name == name {
			return c
		}
	}
	c := &selection{name: name}
	s.children = append(s.children, c)
	return c
}

func (s *selection) write(b *strings.Builder) {
	b.WriteString(s.name)
	for i, a := range s.args {
		b.WriteString([]string{", ", "("}[boolInt(i == 0)])
		b.WriteString(a.Name + ": " + a.Value)
	}
	if len(s.args) > 0 {
		b.WriteByte(')')
	}
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

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// document writes the body of a GraphQL call.
func (p *plan) document(s *settings) ([]byte, error) {
	g := p.bind.GraphQL
	fields, err := p.selected(s)
	if err != nil {
		return nil, err
	}
	root := &selection{}
	for _, a := range g.Args {
		root.at(steps(a.Path)).args = a.Args
	}
	for _, sel := range g.Select {
		p.selectAt(root.at(steps(sel.Path)), sel.Fields, fields)
	}
	root.child(g.Operation)
	var b strings.Builder
	b.WriteString(g.Kind)
	for i, v := range g.Variables {
		b.WriteString([]string{", ", "("}[boolInt(i == 0)])
		b.WriteString("$" + v.Name + ": " + v.Type)
	}
	if len(g.Variables) > 0 {
		b.WriteByte(')')
	}
	root.write(&b)
	variables, err := p.variables(s)
	if err != nil {
		return nil, err
	}
	out := rawjson.AppendQuoted([]byte(`{"query":`), b.String())
	out = append(out, `,"variables":`...)
	return append(append(out, variables...), '}'), nil
}

func (p *plan) selectAt(at *selection, names, fields []string) {
	for _, name := range names {
		if name != "{fields}" {
			at.at(steps(name))
			continue
		}
		p.expandFields(at, fields)
	}
}

// expandFields selects what the caller asked for, else the default fields.
func (p *plan) expandFields(at *selection, fields []string) {
	g := p.bind.GraphQL
	if len(fields) == 0 {
		for _, d := range g.DefaultFields {
			below := at.at(steps(d.Path))
			for _, name := range d.Fields {
				below.child(name)
			}
		}
	}
	for _, field := range fields {
		p.expandField(at, field)
	}
	for _, a := range g.FieldArgs {
		if found := at.find(steps(a.Path)); found != nil {
			found.args = a.Args
		}
	}
}

// expandField selects one field of the caller's. An object without members
// named gets its default ones; types that the default selection names are kept.
func (p *plan) expandField(at *selection, field string) {
	for _, path := range p.typed(nil, steps(field)) {
		here := at.at(path)
		for _, d := range p.bind.GraphQL.DefaultFields {
			inner := steps(d.Path)
			if len(inner) < len(path) || !samePath(inner[:len(path)], path) {
				continue
			}
			below := here.at(inner[len(path):])
			for _, name := range d.Fields {
				below.child(name)
			}
		}
	}
}

// typed adds the inline fragments that the default selection needs for the rest
// of a path: none where a field is selected without, one path for each type else.
func (p *plan) typed(done, rest []string) [][]string {
	if len(rest) == 0 {
		return [][]string{done}
	}
	next := append(done[:len(done):len(done)], rest[0])
	if len(done) == 0 || strings.HasPrefix(rest[0], fragment) || strings.HasPrefix(done[len(done)-1], fragment) || p.selects(next) {
		return p.typed(next, rest[1:])
	}
	var out [][]string
	for _, kind := range p.fragments(done) {
		typed := append(done[:len(done):len(done)], kind, rest[0])
		if p.selects(typed) {
			out = append(out, p.typed(typed, rest[1:])...)
		}
	}
	if kinds := p.fragments(done); out == nil && len(kinds) > 0 {
		return p.typed(append(done[:len(done):len(done)], kinds[0], rest[0]), rest[1:])
	}
	if out == nil {
		return p.typed(next, rest[1:])
	}
	return out
}

// selects tells whether the default selection holds a field, or goes through it.
func (p *plan) selects(path []string) bool {
	last := len(path) - 1
	for _, d := range p.bind.GraphQL.DefaultFields {
		inner := steps(d.Path)
		if len(inner) > last && samePath(inner[:last+1], path) || len(inner) == last && samePath(inner, path[:last]) && slices.Contains(d.Fields, path[last]) {
			return true
		}
	}
	return false
}

// fragments are the types that the default selection tells apart at a path.
func (p *plan) fragments(path []string) []string {
	var out []string
	for _, d := range p.bind.GraphQL.DefaultFields {
		inner := steps(d.Path)
		if len(inner) > len(path) && samePath(inner[:len(path)], path) && strings.HasPrefix(inner[len(path)], fragment) && !slices.Contains(out, inner[len(path)]) {
			out = append(out, inner[len(path)])
		}
	}
	return out
}

func samePath(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func (s *selection) find(path []string) *selection {
	for _, name := range path {
		var next *selection
		for _, c := range s.children {
			if c.name == name {
				next = c
			}
		}
		if next == nil {
			return nil
		}
		s = next
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
			if !isFieldPath(name) {
				return nil, p.fail(client.ClassInvalid, f.Name, "Write names of record fields, dots for nesting: author.login.", "%s holds %q, which is no field name", f.Name, name)
			}
			out = append(out, name)
		}
		return out, nil
	}
	return nil, nil
}

func isFieldPath(path string) bool {
	for _, step := range steps(path) {
		name := strings.TrimPrefix(step, fragment)
		if name == "" || name[0] >= '0' && name[0] <= '9' {
			return false
		}
		for i := range len(name) {
			c := name[i]
			if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
				return false
			}
		}
	}
	return path != "" && !strings.Contains(path, "..") && path[0] != '.' && path[0] != '<' && path[len(path)-1] != '.'
}

// variables writes the variables that have a value.
func (p *plan) variables(s *settings) ([]byte, error) {
	var body jsonBody
	for _, v := range p.bind.GraphQL.Variables {
		value, f, ok, err := p.variable(v.From, s)
		if err != nil {
			return nil, err
		}
		if ok {
			body.put(v.Name, f, value)
		}
	}
	return body.bytes(), nil
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
	filled, ok := expand(from, func(name string) (string, bool) {
		f := catalog.FieldByName(p.action.Params, name)
		if f == nil {
			return "", false
		}
		n, ok, err := p.given(f, s)
		if err != nil {
			failed = err
		}
		return text(n), ok
	})
	return rawjson.Parse(rawjson.AppendQuoted(nil, filled)), nil, ok, failed
}
