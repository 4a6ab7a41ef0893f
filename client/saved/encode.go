package saved

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/client/rawjson"
	"patchbay/client/secret"
)

// Encode writes a call as YAML that people like to read.
func Encode(c *Call) ([]byte, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	root := mapping()
	put := func(key, value string) {
		if value != "" {
			root.Content = append(root.Content, text(key), text(value))
		}
	}
	put("name", c.Name)
	put("note", c.Note)
	put("kind", c.Kind)
	put("connector", c.Connector)
	put("workspace", c.Workspace)
	if c.Local {
		root.Content = append(root.Content, text("local"), &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	put("entity", c.Entity)
	put("action", c.Action)
	if params := rawjson.Parse(c.Params); params.Len() > 0 {
		root.Content = append(root.Content, text("params"), value(params))
	}
	putList(root, "select_fields", c.SelectFields)
	putList(root, "exclude_fields", c.ExcludeFields)
	if len(c.Variables) > 0 {
		root.Content = append(root.Content, text("variables"), variables(c.Variables))
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, fmt.Errorf("save the call: %w", err)
	}
	return b.Bytes(), enc.Close()
}

func check(c *Call) error {
	switch {
	case strings.TrimSpace(c.Name) == "":
		return errors.New("save the call: give it a name")
	case strings.Contains(c.Name, "${"):
		return fmt.Errorf("save the call: the name %q holds a variable, and names are taken as they are; write it without ${, variables belong into the params", c.Name)
	case c.Entity == "" || c.Action == "":
		return errors.New("save the call: it has no entity or no action")
	case len(c.Params) > 0 && (!rawjson.Valid(c.Params) || rawjson.Parse(c.Params).Kind() != rawjson.Object):
		return errors.New("save the call: its params are not a JSON object")
	}
	for _, v := range c.Variables {
		if !validName(v.Name) || !knownType(v.Type) {
			return fmt.Errorf("save the call: variable %q of type %q: names have letters, digits and _, types are %s", v.Name, v.Type, strings.Join(types, ", "))
		}
	}
	return credentials(rawjson.Parse(c.Params), 0)
}

// credentials refuses a param that holds a credential instead of a variable.
func credentials(n rawjson.Node, depth int) error {
	if depth > deepest {
		return fmt.Errorf("save the call: its params are nested more than %d levels deep", deepest)
	}
	for name, v := range n.Children() {
		if name.Exists() && secret.SensitiveName(name.Text()) && v.Kind() == rawjson.String && v.Text() != "" && !strings.Contains(v.Text(), "${") {
			return fmt.Errorf("save the call: %s looks like a credential; put a variable such as ${%s} in its place", name.Text(), variableName(name.Text()))
		}
		if err := credentials(v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func variableName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

// text is a string; the encoder quotes it where it would read as something else.
func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	if n.Style == 0 && needsQuotes(s) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// needsQuotes tells whether a plain scalar would come back as another text.
func needsQuotes(s string) bool {
	var back yaml.Node
	if err := yaml.Unmarshal([]byte(s), &back); err != nil || len(back.Content) != 1 {
		return true
	}
	got := back.Content[0]
	return got.Kind != yaml.ScalarNode || got.ShortTag() != "!!str" || got.Value != s
}

func putList(root *yaml.Node, key string, list []string) {
	if len(list) == 0 {
		return
	}
	seq := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, s := range list {
		seq.Content = append(seq.Content, text(s))
	}
	root.Content = append(root.Content, text(key), seq)
}

func variables(list []Variable) *yaml.Node {
	out := mapping()
	for _, v := range list {
		m := mapping()
		if v.Description != "" {
			m.Content = append(m.Content, text("description"), text(v.Description))
		}
		if v.Type != "" {
			m.Content = append(m.Content, text("type"), text(v.Type))
		}
		if v.Default != nil {
			m.Content = append(m.Content, text("default"), text(*v.Default))
		}
		if len(m.Content) == 0 {
			m.Style = yaml.FlowStyle
		}
		out.Content = append(out.Content, text(v.Name), m)
	}
	return out
}

// value is a JSON value as YAML, keys in their order and numbers as they were written.
func value(n rawjson.Node) *yaml.Node {
	switch n.Kind() {
	case rawjson.Object:
		m := mapping()
		for member := range n.Members() {
			m.Content = append(m.Content, text(member.Key()), value(member.Value))
		}
		if len(m.Content) == 0 {
			m.Style = yaml.FlowStyle
		}
		return m
	case rawjson.Array:
		seq := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		scalars := true
		for e := range n.Elems() {
			scalars = scalars && e.Kind() < rawjson.Array
			seq.Content = append(seq.Content, value(e))
		}
		if scalars && n.Size() < 60 {
			seq.Style = yaml.FlowStyle
		}
		return seq
	case rawjson.String:
		return text(n.Text())
	case rawjson.Number:
		return number(string(n.Raw()))
	case rawjson.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: string(n.Raw())}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
}

// number keeps the text. YAML reads some of JSON's numbers (1e5) as texts, so
// those carry their tag.
func number(raw string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: raw}
	if n.ShortTag() != "!!int" && n.ShortTag() != "!!float" {
		n.Tag, n.Style = "!!float", yaml.TaggedStyle
	}
	return n
}
