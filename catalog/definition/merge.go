package definition

import (
	"bytes"
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// Merge puts three forms of a connector file together: base is what the last import made,
// mine what a person made of that, theirs what a newer definition makes. A person's own
// edits stay. changes are what is different in the definition, kept the person's edits,
// by their places.
func Merge(base, mine, theirs []byte) (text []byte, changes, kept []string, err error) {
	var trees [3]yaml.Node
	for i, data := range [][]byte{base, mine, theirs} {
		if err := yaml.Unmarshal(data, &trees[i]); err != nil {
			return nil, nil, nil, err
		}
		if trees[i].Kind != yaml.DocumentNode || len(trees[i].Content) != 1 {
			return nil, nil, nil, fmt.Errorf("it holds no kind")
		}
	}
	m := &merger{}
	trees[1].Content[0] = m.merge("", trees[0].Content[0], trees[1].Content[0], trees[2].Content[0])
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&trees[1]); err != nil {
		return nil, nil, nil, err
	}
	return b.Bytes(), m.changes, m.kept, enc.Close()
}

type merger struct{ changes, kept []string }

// mostLines bounds how many places are told.
const mostLines = 1000

func told(list *[]string, format string, args ...any) {
	if len(*list) < mostLines {
		*list = append(*list, fmt.Sprintf(format, args...))
	}
}

// merge gives the node that stands at a place; nil for none. Any of the three may be nil.
func (m *merger) merge(at string, base, mine, theirs *yaml.Node) *yaml.Node {
	switch {
	case same(base, theirs):
		for _, edit := range differences(nil, at, base, mine) {
			told(&m.kept, "%s", edit[2:])
		}
		return mine
	case same(base, mine):
		m.change(at, base, theirs)
		return theirs
	case same(mine, theirs):
		return mine
	case isMapping(mine) && isMapping(theirs) && (base == nil || isMapping(base)):
		return m.mapping(at, base, mine, theirs)
	}
	m.change(at, base, theirs)
	told(&m.kept, "%s, which the definition changed too", at)
	return mine
}

// change tells what became of a place in the definition, part by part.
func (m *merger) change(at string, base, theirs *yaml.Node) {
	m.changes = differences(m.changes, at, base, theirs)
}

// differences adds a line for every place that another form has more (+), less (-) or
// otherwise (~).
func differences(list []string, at string, from, to *yaml.Node) []string {
	switch {
	case same(from, to):
	case from == nil:
		told(&list, "+ %s", at)
	case to == nil:
		told(&list, "- %s", at)
	case isMapping(from) && isMapping(to):
		for _, key := range keys(from, to) {
			list = differences(list, below(at, key), child(from, key), child(to, key))
		}
	default:
		told(&list, "~ %s", at)
	}
	return list
}

// mapping merges key by key, in the person's order and with the person's comments.
func (m *merger) mapping(at string, base, mine, theirs *yaml.Node) *yaml.Node {
	out := *mine
	out.Content = nil
	for _, key := range keys(mine, theirs, base) {
		value := m.merge(below(at, key), child(base, key), child(mine, key), child(theirs, key))
		if value == nil {
			continue
		}
		name := keyNode(mine, key)
		if name == nil {
			name = keyNode(theirs, key)
		}
		if name == nil {
			name = keyNode(base, key)
		}
		out.Content = append(out.Content, name, value)
	}
	return &out
}

func below(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func isMapping(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

func keyNode(n *yaml.Node, key string) *yaml.Node {
	if isMapping(n) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i]
			}
		}
	}
	return nil
}

func child(n *yaml.Node, key string) *yaml.Node {
	if isMapping(n) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// keys are those of several mappings, each once.
func keys(of ...*yaml.Node) (out []string) {
	seen := map[string]bool{}
	for _, n := range of {
		if !isMapping(n) {
			continue
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; !seen[key] {
				seen[key] = true
				out = append(out, key)
			}
		}
	}
	return out
}

// same reports whether two places say the same, whatever their comments and quotes.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	var x, y any
	if a.Decode(&x) != nil || b.Decode(&y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}
