package definition

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/orderedmap"

	"patchbay/client/rawjson"
)

// Keys of the service's family begin with family, our own with ours.
const (
	family = "x-airbyte-"
	ours   = "x-patchbay-"
)

// extensions are the x- keys of a place in a definition.
type extensions struct {
	keys *orderedmap.Map[string, *yaml.Node]
}

// node is what stands behind a key; the zero value exists not.
func (e extensions) node(key string) node {
	if e.keys == nil {
		return node{}
	}
	n, _ := e.keys.Get(key)
	return node{resolved(n)}
}

// any reports whether a key begins with the prefix.
func (e extensions) any(prefix string) bool {
	if e.keys != nil {
		for key := range e.keys.FromOldest() {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
	}
	return false
}

// node is a value of a definition that has no model.
type node struct{ yaml *yaml.Node }

func resolved(n *yaml.Node) *yaml.Node {
	for range 8 {
		switch {
		case n == nil:
			return nil
		case n.Kind == yaml.AliasNode:
			n = n.Alias
		case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
			n = n.Content[0]
		default:
			return n
		}
	}
	return nil
}

func (n node) exists() bool { return n.yaml != nil }

// child is the value of a key.
func (n node) child(key string) node {
	if n.yaml != nil && n.yaml.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.yaml.Content); i += 2 {
			if n.yaml.Content[i].Value == key {
				return node{resolved(n.yaml.Content[i+1])}
			}
		}
	}
	return node{}
}

// text is a scalar as text; empty for anything else.
func (n node) text() string {
	if n.yaml == nil || n.yaml.Kind != yaml.ScalarNode || n.yaml.Tag == "!!null" {
		return ""
	}
	return n.yaml.Value
}

func (n node) flag() bool { return strings.EqualFold(n.text(), "true") }

// each calls do with the keys and values of a mapping, in order.
func (n node) each(do func(key string, value node)) {
	if n.yaml != nil && n.yaml.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.yaml.Content); i += 2 {
			do(n.yaml.Content[i].Value, node{resolved(n.yaml.Content[i+1])})
		}
	}
}

// items are the elements of a list; a single value is a list of one.
func (n node) items() []node {
	switch {
	case n.yaml == nil:
		return nil
	case n.yaml.Kind != yaml.SequenceNode:
		return []node{n}
	}
	out := make([]node, len(n.yaml.Content))
	for i, c := range n.yaml.Content {
		out[i] = node{resolved(c)}
	}
	return out
}

// texts are the elements of a list as text.
func (n node) texts() (out []string) {
	for _, item := range n.items() {
		if t := item.text(); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// json is the value as JSON; nil where JSON cannot hold it.
func (n node) json() json.RawMessage {
	out, ok := appendJSON(nil, n.yaml, 0)
	if !ok {
		return nil
	}
	return out
}

// deepest bounds how values nest.
const deepest = 60

func appendJSON(dst []byte, n *yaml.Node, depth int) ([]byte, bool) {
	n = resolved(n)
	if n == nil || depth > deepest {
		return nil, false
	}
	ok := true
	switch n.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content) && ok; i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(rawjson.AppendQuoted(dst, n.Content[i].Value), ':')
			dst, ok = appendJSON(dst, n.Content[i+1], depth+1)
		}
		return append(dst, '}'), ok
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, c := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, ok = appendJSON(dst, c, depth+1); !ok {
				return nil, false
			}
		}
		return append(dst, ']'), true
	}
	switch n.ShortTag() {
	case "!!null":
		return append(dst, "null"...), true
	case "!!bool":
		return strconv.AppendBool(dst, strings.EqualFold(n.Value, "true")), true
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return append(dst, n.Value...), true
		}
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return strconv.AppendInt(dst, i, 10), true
		}
		f, err := strconv.ParseFloat(n.Value, 64)
		number, wrong := json.Marshal(f)
		return append(dst, number...), err == nil && wrong == nil
	}
	return rawjson.AppendQuoted(dst, n.Value), true
}
