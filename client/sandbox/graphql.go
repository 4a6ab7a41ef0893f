package sandbox

import (
	"regexp"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// selected is a field of a GraphQL text with what is selected below it.
type selected struct {
	name     string
	args     []catalog.Pair
	children []*selected
}

// at finds the field at a path, making what is missing. A step may name the type of what
// is below it, nodes<Issue>.
func (s *selected) at(path string) *selected {
	for step := range strings.SplitSeq(path, ".") {
		name, kind, typed := strings.Cut(step, "<")
		if name != "" {
			s = s.child(name)
		}
		if typed {
			s = s.child("... on " + strings.TrimSuffix(kind, ">"))
		}
	}
	return s
}

func (s *selected) child(name string) *selected {
	for _, c := range s.children {
		if c.name == name {
			return c
		}
	}
	c := &selected{name: name}
	s.children = append(s.children, c)
	return c
}

// text writes the field, its arguments and what is selected below it.
func (s *selected) text() string {
	out := s.name
	for i, a := range s.args {
		sep := ", "
		if i == 0 {
			sep = "("
		}
		out += sep + a.Name + ": " + a.Value
	}
	if len(s.args) > 0 {
		out += ")"
	}
	if len(s.children) > 0 {
		out += " { " + s.inner() + " }"
	}
	return out
}

// inner writes what is selected below the field.
func (s *selected) inner() string {
	parts := make([]string, len(s.children))
	for i, c := range s.children {
		parts[i] = c.text()
	}
	return strings.Join(parts, " ")
}

// named is a param within a template.
var named = regexp.MustCompile(`\$\{(\w+)\}`)

// graphqlBody is the body of a GraphQL operation as a definition has it.
func graphqlBody(g *catalog.GraphQL, a *catalog.Action) *rawjson.Map {
	root, fields := &selected{}, &selected{}
	for _, one := range g.Args {
		root.at(one.Path).args = one.Args
	}
	for _, one := range g.Select {
		at := root.at(one.Path)
		for _, name := range one.Fields {
			if name == "{fields}" {
				name = "{{ fields }}"
			}
			at.at(name)
		}
	}
	root.child(g.Operation)
	for _, one := range g.DefaultFields {
		for _, name := range one.Fields {
			fields.at(one.Path).at(name)
		}
	}
	for _, one := range g.FieldArgs {
		fields.at(one.Path).args = one.Args
	}
	declared, variables := &selected{name: g.Kind}, &rawjson.Map{}
	for _, v := range g.Variables {
		declared.args = append(declared.args, catalog.Pair{Name: "$" + v.Name, Value: v.Type})
		variables.Set(v.Name, named.ReplaceAllStringFunc(v.From, func(name string) string {
			name = named.FindStringSubmatch(name)[1]
			if f := catalog.FieldByName(a.Params, name); f != nil {
				name = f.WireName()
			}
			return "{{ " + name + " }}"
		}))
	}
	declared.children = root.children
	o := rawjson.NewMap("type", "graphql", "query", declared.text(), "variables", variables)
	if len(fields.children) > 0 {
		o.Set("default_fields", fields.inner())
	}
	return o
}
