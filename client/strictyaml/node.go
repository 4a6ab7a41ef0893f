package strictyaml

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Node is one value in a file. The zero value of a missing key does not exist
// and answers every question with no.
type Node struct {
	// Context is what the reader of an outer value left for the inner ones.
	Context any

	file  *File
	yaml  *yaml.Node
	path  string
	depth int
}

// With is the node with another context, which all values inside inherit.
func (n Node) With(context any) Node {
	n.Context = context
	return n
}

// Exists reports whether the file holds the value.
func (n Node) Exists() bool { return n.yaml != nil }

// Bad reports a problem at the node.
func (n Node) Bad(format string, args ...any) { n.file.report(n.yaml.Line, n.path, format, args...) }

// BadKey reports a problem at the key that the node stands behind.
func (n Node) BadKey(format string, args ...any) { n.file.Bad(n.path, format, args...) }

// IsMapping reports whether the node holds keys and values.
func (n Node) IsMapping() bool { return n.kind() == yaml.MappingNode }

// IsList reports whether the node holds a list.
func (n Node) IsList() bool { return n.kind() == yaml.SequenceNode }

// IsScalar reports whether the node holds a single value, or nothing.
func (n Node) IsScalar() bool { return n.kind() == yaml.ScalarNode }

// IsNull reports whether the key stands there without a value.
func (n Node) IsNull() bool { return n.IsScalar() && n.resolved().ShortTag() == "!!null" }

// Value is the text of a scalar as it is written, without quotes.
func (n Node) Value() string {
	if n.yaml == nil {
		return ""
	}
	return n.resolved().Value
}

// Len counts the entries of a mapping or list.
func (n Node) Len() int {
	switch n.kind() {
	case yaml.MappingNode:
		return len(n.resolved().Content) / 2
	case yaml.SequenceNode:
		return len(n.resolved().Content)
	}
	return 0
}

// pairs iterates over the keys and values of a mapping.
func (n Node) pairs() iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		content := n.resolved().Content
		for i := 0; i+1 < len(content) && yield(content[i], content[i+1]); i += 2 {
		}
	}
}

func (n Node) kind() yaml.Kind {
	if n.yaml == nil {
		return 0
	}
	return n.resolved().Kind
}

// resolved follows an alias. The parser refuses an alias of an alias.
func (n Node) resolved() *yaml.Node {
	if n.yaml.Kind == yaml.AliasNode {
		return n.yaml.Alias
	}
	return n.yaml
}

func (n Node) inner(path string, value *yaml.Node) Node {
	return Node{Context: n.Context, file: n.file, yaml: value, path: path, depth: n.depth + 1}
}

func (n Node) pathTo(key string) string {
	if n.path == "" {
		return key
	}
	return n.path + "." + key
}

// Child is the value of a key; it does not exist where the key does not.
func (n Node) Child(key string) Node {
	if n.IsMapping() {
		for name, value := range n.pairs() {
			if name.Value == key {
				return n.inner(n.pathTo(key), value)
			}
		}
	}
	return Node{file: n.file, path: n.pathTo(key)}
}

// Without is the mapping without some keys.
func (n Node) Without(keys ...string) Node {
	rest := *n.resolved()
	rest.Content = nil
	for name, value := range n.pairs() {
		if !slices.Contains(keys, name.Value) {
			rest.Content = append(rest.Content, name, value)
		}
	}
	n.yaml = &rest
	return n
}

// enter notes the line of the node and enforces the bounds; false stops.
func (n Node) enter() bool {
	f := n.file
	if n.yaml.Kind == yaml.AliasNode && f.NoAliases {
		n.Bad("aliases are not read here: write the value out")
		return false
	}
	if !f.Has(n.path) {
		f.lines[n.path] = n.yaml.Line
	}
	f.nodes++
	if f.nodes < maxNodes && n.depth > maxDepth {
		f.nodes = maxNodes
	}
	if f.nodes == maxNodes {
		n.Bad("the file nests or repeats too much: more than %d values or %d levels, or aliases that expand without "+
			"end", maxNodes, maxDepth)
	}
	return f.nodes < maxNodes
}

// Each calls f once per key in the order of the file. Keys that stand twice or
// are no plain text are reported and left out.
func (n Node) Each(f func(key string, value Node)) {
	if !n.IsMapping() {
		if !n.IsNull() {
			n.Bad("expected keys and values, found %s", n.shape())
		}
		return
	}
	first := map[string]int{}
	for key, value := range n.pairs() {
		if !n.checkKey(key) {
			continue
		}
		path := n.pathTo(key.Value)
		if line, again := first[key.Value]; again {
			n.file.report(key.Line, path, "the key stands twice, first in line %d", line)
			continue
		}
		first[key.Value] = key.Line
		n.file.lines[path] = key.Line
		f(key.Value, n.inner(path, value))
	}
}

func (n Node) checkKey(key *yaml.Node) bool {
	reason := ""
	switch {
	case key.Kind != yaml.ScalarNode:
		reason = "a key must be plain text"
	case key.Tag == "!!merge":
		reason = "merge keys (<<) are not YAML 1.2: repeat the entries or use an alias for the whole value"
	case n.file.Portable && !quoted(key) && (key.ShortTag() != "!!str" || misread(key.Value)):
		reason = fmt.Sprintf("YAML readers may take the key %s for something else: write %q", key.Value, key.Value)
	default:
		return true
	}
	n.file.report(key.Line, n.path, "%s", reason)
	return false
}

func quoted(n *yaml.Node) bool { return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 }

// misread reports whether YAML 1.1 readers take an unquoted word for a boolean.
func misread(word string) bool {
	return slices.Contains([]string{"y", "n", "yes", "no", "on", "off"}, strings.ToLower(word))
}

// Items lists the elements of a list; anything else but nothing is a problem.
func (n Node) Items() []Node {
	if !n.IsList() {
		if !n.IsNull() {
			n.Bad("expected a list, found %s", n.shape())
		}
		return nil
	}
	content := n.resolved().Content
	items := make([]Node, len(content))
	for i, item := range content {
		items[i] = n.inner(n.path+"["+strconv.Itoa(i)+"]", item)
	}
	return items
}

// describe names what stands at the node for the text of a problem.
func (n Node) describe() string {
	if n.IsScalar() && !n.IsNull() {
		return strconv.Quote(n.Value())
	}
	return n.shape()
}

// shape is describe without the value: what stands where keys are expected may
// be a credential.
func (n Node) shape() string {
	switch {
	case n.IsMapping():
		return "keys and values"
	case n.IsList():
		return "a list"
	case n.IsNull():
		return "nothing"
	}
	return "a single value"
}
