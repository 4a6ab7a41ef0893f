package definition

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
)

// longestChain is how many references may lead from one to the next.
const longestChain = 64

// pages are the files of a definition as values, by name; "" is the definition itself.
type pages map[string]*yaml.Node

// openPages reads the files beside a definition.
func openPages(root *yaml.Node, files fs.FS) pages {
	all := pages{"": resolved(root)}
	if files == nil {
		return all
	}
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		var n yaml.Node
		if err == nil && yaml.Unmarshal(data, &n) == nil {
			all[name] = resolved(&n)
		}
		return nil
	})
	return all
}

// unloop takes out references that lead to nothing but references and back to
// themselves: no value stands behind them, and a reader would follow them for ever.
func (p pages) unloop() (told []string) {
	known := map[string]bool{}
	for name, root := range p {
		walkNodes(root, 0, func(n *yaml.Node) {
			ref := refOf(n)
			if ref == nil {
				return
			}
			key := name + " " + ref.Value
			circles, looked := known[key]
			if !looked {
				circles = p.circles(name, ref.Value)
				known[key] = circles
			}
			if !circles {
				return
			}
			told = append(told, fmt.Sprintf("%sline %d: the reference %s leads back to itself", prefix(name), ref.Line,
				ref.Value))
			n.Content = nil
		})
	}
	return told
}

func prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ", "
}

// walkNodes visits every mapping below a value; aliases are values elsewhere.
func walkNodes(n *yaml.Node, depth int, do func(*yaml.Node)) {
	if n == nil || depth > 1000 {
		return
	}
	if n.Kind == yaml.MappingNode {
		do(n)
	}
	for _, c := range n.Content {
		walkNodes(c, depth+1, do)
	}
}

// refOf is the text of the reference that a mapping is; nil where it is none.
func refOf(n *yaml.Node) *yaml.Node {
	if n = resolved(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if v := n.Content[i+1]; n.Content[i].Value == "$ref" && v.Kind == yaml.ScalarNode {
			return v
		}
	}
	return nil
}

// circles reports whether references from here lead on without end.
func (p pages) circles(name, ref string) bool {
	for range longestChain {
		file, pointer, _ := strings.Cut(ref, "#")
		if file != "" {
			name = path.Join(path.Dir(name), file)
		}
		at := p[name]
		for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			if step == "" || at == nil {
				continue
			}
			if through := refOf(at); through != nil { // a pointer into what is a reference itself
				break
			}
			at = childAt(at, step)
		}
		next := refOf(at)
		if next == nil {
			return false
		}
		ref = next.Value
	}
	return true
}

func childAt(n *yaml.Node, step string) *yaml.Node {
	step = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}").Replace(step)
	if n = resolved(n); n != nil && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	return node{n}.child(step).yaml
}
