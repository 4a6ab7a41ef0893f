package saved

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/client/rawjson"
)

// Parse reads a call; path names the file in errors. Everything that is wrong
// is told at once, each with its line.
func Parse(path string, data []byte) (*Call, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	p := &parser{path: path, call: &Call{Path: path, Name: stem(path)}}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("%s: the file is empty; a saved call needs entity and action", path)
	}
	p.file(doc.Content[0])
	if len(p.problems) > 0 {
		return nil, errors.New(strings.Join(p.problems, "\n"))
	}
	return p.call, nil
}

type parser struct {
	path     string
	call     *Call
	problems []string
}

func (p *parser) bad(n *yaml.Node, format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf("%s:%d: ", p.path, n.Line)+fmt.Sprintf(format, args...))
}

// pairs calls f for each key and value of a mapping, telling keys that stand twice.
func (p *parser) pairs(n *yaml.Node, what string, f func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.bad(n, "%s must hold keys and values", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.bad(key, "%s has a key that is no text", what)
		case seen[key.Value]:
			p.bad(key, "%q stands twice in %s", key.Value, what)
		default:
			seen[key.Value] = true
			f(key, n.Content[i+1])
		}
	}
}

var keys = []string{"name", "note", "kind", "connector", "workspace", "local", "entity", "action", "params", "select_fields", "exclude_fields", "variables"}

func (p *parser) file(n *yaml.Node) {
	c := p.call
	p.pairs(n, "a saved call", func(key, v *yaml.Node) {
		switch key.Value {
		case "name":
			p.text(v, "name", &c.Name)
		case "note":
			p.text(v, "note", &c.Note)
		case "kind":
			p.text(v, "kind", &c.Kind)
		case "connector":
			p.text(v, "connector", &c.Connector)
		case "workspace":
			p.text(v, "workspace", &c.Workspace)
		case "local":
			if v.ShortTag() != "!!bool" || v.Decode(&c.Local) != nil {
				p.bad(v, "local must be true or false")
			}
		case "entity":
			p.text(v, "entity", &c.Entity)
		case "action":
			p.text(v, "action", &c.Action)
		case "params":
			p.params(v)
		case "select_fields":
			c.SelectFields = p.texts(v, "select_fields")
		case "exclude_fields":
			c.ExcludeFields = p.texts(v, "exclude_fields")
		case "variables":
			p.pairs(v, "variables", func(name, v *yaml.Node) { p.variable(name, v) })
		default:
			p.bad(key, "a saved call has no key %q; it has: %s", key.Value, strings.Join(keys, ", "))
		}
	})
	p.needed(n)
}

func (p *parser) needed(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for _, need := range [...]struct{ name, value string }{{"name", strings.TrimSpace(p.call.Name)}, {"entity", p.call.Entity}, {"action", p.call.Action}} {
		if need.value == "" {
			p.bad(n, "%s is missing", need.name)
		}
	}
	for _, name := range used(p.call.Params) {
		if !validName(name) {
			p.bad(n, "params use the variable %q; names have letters, digits and _ (write $${ for a literal ${)", name)
		}
	}
}

func (p *parser) text(n *yaml.Node, what string, into *string) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		p.bad(n, "%s must be a text", what)
		return
	}
	*into = n.Value
}

func (p *parser) texts(n *yaml.Node, what string) []string {
	if n.Kind != yaml.SequenceNode {
		p.bad(n, "%s must be a list of field names", what)
		return nil
	}
	out := make([]string, len(n.Content))
	for i, item := range n.Content {
		p.text(item, "an entry of "+what, &out[i])
	}
	return out
}

func (p *parser) variable(name, v *yaml.Node) {
	out := Variable{Name: name.Value}
	if !validName(name.Value) {
		p.bad(name, "a variable cannot be called %q; names have letters, digits and _", name.Value)
	}
	switch {
	case v.Kind == yaml.ScalarNode && v.ShortTag() == "!!null":
	case v.Kind == yaml.ScalarNode:
		out.Description = v.Value
	default:
		p.pairs(v, "variable "+name.Value, func(key, v *yaml.Node) {
			switch key.Value {
			case "description":
				p.text(v, "description", &out.Description)
			case "type":
				if p.text(v, "type", &out.Type); !knownType(out.Type) {
					p.bad(v, "type is one of %s", strings.Join(types, ", "))
				}
			case "default":
				var text string
				p.text(v, "default", &text)
				out.Default = &text
			default:
				p.bad(key, "variable %s has no key %q; it has: description, default, type", name.Value, key.Value)
			}
		})
	}
	p.call.Variables = append(p.call.Variables, out)
}

func validName(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

func (p *parser) params(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		p.bad(n, "params must hold keys and values")
		return
	}
	if out := p.json(nil, n, 0); len(p.problems) == 0 && len(n.Content) > 0 {
		p.call.Params = json.RawMessage(out)
	}
}

// deepest is the nesting of params that is still read.
const deepest = 100

// json appends a YAML value as JSON, keeping the order of keys and the text of numbers.
func (p *parser) json(dst []byte, n *yaml.Node, depth int) []byte {
	switch {
	case depth > deepest:
		p.bad(n, "params are nested more than %d levels deep", deepest)
	case n.Kind == yaml.AliasNode:
		p.bad(n, "params cannot hold aliases; write the value out")
	case n.Kind == yaml.MappingNode:
		dst = append(dst, '{')
		first := true
		p.pairs(n, "an object of params", func(key, v *yaml.Node) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(rawjson.AppendQuoted(dst, key.Value), ':')
			dst = p.json(dst, v, depth+1)
		})
		return append(dst, '}')
	case n.Kind == yaml.SequenceNode:
		dst = append(dst, '[')
		for i, item := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = p.json(dst, item, depth+1)
		}
		return append(dst, ']')
	case n.Kind == yaml.ScalarNode:
		return p.scalar(dst, n)
	}
	return dst
}

func (p *parser) scalar(dst []byte, n *yaml.Node) []byte {
	switch n.ShortTag() {
	case "!!null":
		return append(dst, "null"...)
	case "!!bool":
		var v bool
		if n.Decode(&v) != nil {
			p.bad(n, "%q is neither true nor false", n.Value)
		}
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case "!!int", "!!float":
		if isNumber(n.Value) {
			return append(dst, n.Value...)
		}
		var v any
		if n.Decode(&v) == nil {
			if text, err := json.Marshal(v); err == nil {
				return append(dst, text...)
			}
		}
		p.bad(n, "%q is no number that JSON can hold; quote it to send a text", n.Value)
		return dst
	case "!!str", "!!timestamp":
		return rawjson.AppendQuoted(dst, n.Value)
	}
	p.bad(n, "params cannot hold a value of type %s", n.ShortTag())
	return dst
}

// isNumber tells whether a text is a number as JSON writes it.
func isNumber(text string) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && rawjson.Valid([]byte(text)) && !slices.Contains([]byte{' ', '\n', '\t', '\r'}, text[len(text)-1])
}
