package local

import (
	"strings"

	"patchbay/client/rawjson"
)

// written is the body of a GraphQL call whose document stands in the catalog as text.
func (p *plan) written(s *settings) ([]byte, error) {
	g := p.bind.GraphQL
	fields, err := p.selected(s)
	if err != nil {
		return nil, err
	}
	selected := g.Fields
	if len(fields) > 0 {
		root, b := &selection{}, strings.Builder{}
		for _, f := range fields {
			root.at(steps(f))
		}
		for _, c := range root.children {
			c.write(&b)
			b.WriteByte(' ')
		}
		selected = strings.TrimSpace(b.String())
	}
	out := rawjson.AppendQuoted([]byte(`{"query":`), strings.ReplaceAll(g.Document, "{fields}", selected))
	variables := &rawjson.Map{}
	for m := range rawjson.Parse(g.Values).Members() {
		value, given, err := p.filled(m.Value, s)
		if err != nil {
			return nil, err
		}
		if given {
			variables.Add(m.Key(), value)
		}
	}
	out = append(out, `,"variables":`...)
	return append(append(out, variables.JSON()...), '}'), nil
}

// filled is a template of variables with the params in it; what has no value is left out.
func (p *plan) filled(n rawjson.Node, s *settings) (value any, given bool, err error) {
	switch n.Kind() {
	case rawjson.Object:
		out := &rawjson.Map{}
		for m := range n.Members() {
			inner, ok, err := p.filled(m.Value, s)
			if err != nil {
				return nil, false, err
			}
			if ok {
				out.Add(m.Key(), inner)
			}
		}
		return out, out.Len() > 0 || n.Len() == 0, nil
	case rawjson.Array:
		out := []any{}
		for e := range n.Elems() {
			inner, ok, err := p.filled(e, s)
			if err != nil {
				return nil, false, err
			}
			if ok {
				out = append(out, inner)
			}
		}
		return out, len(out) > 0 || n.Len() == 0, nil
	case rawjson.String:
		v, f, ok, err := p.variable(n.Text(), s)
		return sent(f, v), ok, err
	}
	return sent(nil, n), true, nil
}
