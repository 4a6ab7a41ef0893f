package saved

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/strictyaml"
)

// Parse reads a call; path names the file in errors. Everything that is wrong
// is reported at once, each with its line.
func Parse(path string, data []byte) (*Call, error) {
	c, f := &Call{Path: path, Name: stem(path)}, strictyaml.Read(path, data)
	f.NoAliases = true // a call is read by people: what is sent stands where it is sent
	f.Hooks = map[reflect.Type]func(strictyaml.Node, reflect.Value){
		reflect.TypeFor[Variables](): readVariables,
		reflect.TypeOf(c.Params): func(n strictyaml.Node, v reflect.Value) {
			if !n.IsMapping() && !n.IsNull() {
				n.Bad("expected keys and values")
			} else if n.Len() > 0 {
				v.SetBytes(n.JSON())
			}
		},
	}
	f.Decode(c)
	if !f.Root().IsMapping() {
		if f.Err() == nil {
			f.Bad("", "the file is empty; a saved call needs entity and action")
		}
		return c, f.Err()
	}
	for _, need := range [...]struct{ name, value string }{
		{"name", strings.TrimSpace(c.Name)}, {"entity", c.Entity}, {"action", c.Action},
	} {
		if need.value == "" {
			f.Bad("", "%s is missing", need.name)
		}
	}
	for _, name := range used(c.Params) {
		if !validName(name) {
			f.Bad("params", "the variable %q: names have letters, digits and _ (write $${ for a literal ${)", name)
		}
	}
	return c, f.Err()
}

// readVariables takes a description behind each name, or a mapping that has one.
func readVariables(n strictyaml.Node, v reflect.Value) {
	var all Variables
	n.Each(func(name string, value strictyaml.Node) {
		one := Variable{Name: name}
		if !validName(name) {
			value.BadKey("a variable cannot be called %q; names have letters, digits and _", name)
		}
		switch {
		case value.IsNull():
		case value.IsScalar():
			one.Description = value.Value()
		default:
			value.Decode(&one)
		}
		if !knownType(one.Type) {
			value.Child("type").Bad("type is one of %s", strings.Join(types, ", "))
		}
		all = append(all, one)
	})
	v.Set(reflect.ValueOf(all))
}

var validName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`).MatchString

// Encode writes a call as YAML that people like to read.
func Encode(c *Call) ([]byte, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	written, params := *c, rawjson.Parse(c.Params)
	if params.Len() == 0 {
		written.Params = nil
	}
	var root yaml.Node
	if err := root.Encode(written); err != nil {
		return nil, fmt.Errorf("save the call: %w", err)
	}
	for i, n := range root.Content {
		if i%2 == 0 && n.Value == "params" {
			root.Content[i+1] = value(params)
		}
	}
	data, err := strictyaml.Encode(&root)
	if err != nil {
		return nil, fmt.Errorf("save the call: %w", err)
	}
	return data, nil
}

func check(c *Call) error {
	switch {
	case strings.TrimSpace(c.Name) == "":
		return errors.New("save the call: give it a name")
	case strings.Contains(c.Name, "${"):
		return fmt.Errorf("save the call: the name %q holds a variable, and names are taken as they are; "+
			"write it without ${, variables belong into the params", c.Name)
	case c.Entity == "" || c.Action == "":
		return errors.New("save the call: it has no entity or no action")
	case len(c.Params) > 0 && (!rawjson.Valid(c.Params) || rawjson.Parse(c.Params).Kind() != rawjson.Object):
		return errors.New("save the call: its params are not a JSON object")
	}
	for _, v := range c.Variables {
		if !validName(v.Name) || !knownType(v.Type) {
			return fmt.Errorf("save the call: variable %q of type %q: names have letters, digits and _, types are %s",
				v.Name, v.Type, strings.Join(types, ", "))
		}
	}
	return credentials(rawjson.Parse(c.Params), 0)
}

// deepest is the nesting of params that is saved; reading goes a little deeper.
const deepest = 100

// credentials refuses a param that holds a credential instead of a variable.
func credentials(n rawjson.Node, depth int) error {
	if depth > deepest {
		return fmt.Errorf("save the call: its params are nested more than %d levels deep", deepest)
	}
	for name, v := range n.Children() {
		given := v.Kind() == rawjson.String && v.Text() != "" && !strings.Contains(v.Text(), "${")
		if given && name.Exists() && secret.SensitiveName(name.Text()) {
			return fmt.Errorf("save the call: %s looks like a credential; put a variable such as ${%s} in its place",
				name.Text(), unnamed.ReplaceAllString(name.Text(), "_"))
		}
		if err := credentials(v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// unnamed is what names of variables do not take.
var unnamed = regexp.MustCompile(`[^a-zA-Z0-9]`)

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

// text is a string; the encoder quotes it where it would read as something else.
func text(s string) *yaml.Node {
	n := &yaml.Node{}
	_ = n.Encode(s) // a string always encodes
	return n
}

// MarshalYAML writes the variables by name, in their order.
func (list Variables) MarshalYAML() (any, error) {
	out := mapping()
	for _, v := range list {
		n := &yaml.Node{}
		if err := n.Encode(v); err != nil {
			return nil, err
		}
		out.Content = append(out.Content, text(v.Name), n)
	}
	return out, nil
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
		// YAML reads some of JSON's numbers (1e5) as texts, so those carry their tag.
		number := &yaml.Node{Kind: yaml.ScalarNode, Value: string(n.Raw())}
		if tag := number.ShortTag(); tag != "!!int" && tag != "!!float" {
			number.Tag, number.Style = "!!float", yaml.TaggedStyle
		}
		return number
	case rawjson.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: string(n.Raw())}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
}
