package ui

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ParseKeys reads the person's own keys: a mapping of action ids to one key or
// a list of keys, in place of the built-in ones; an empty list takes the keys
// away. Problems name the file and the line; what is right is used.
func ParseKeys(file string, data []byte) (keys map[string][]string, problems []string) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, []string{fmt.Sprintf("%s: %v", file, err)}
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, []string{fmt.Sprintf("%s:%d: write action: key, such as run: [r, f9]", file, root.Line)}
	}
	keys = map[string][]string{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		id, value := root.Content[i], root.Content[i+1]
		if id.Value == "$schema" {
			continue
		}
		list, problem := keyList(value)
		if _, twice := keys[id.Value]; twice && problem == "" {
			problem = "it is here twice; the first is used"
		}
		if problem != "" {
			problems = append(problems, fmt.Sprintf("%s:%d: %s: %s", file, value.Line, id.Value, problem))
			continue
		}
		keys[id.Value] = list
	}
	return keys, problems
}

func keyList(n *yaml.Node) (list []string, problem string) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	list = []string{}
	for _, it := range items {
		if it.Kind != yaml.ScalarNode || strings.TrimSpace(it.Value) == "" {
			return nil, "write a key such as r, ctrl+r or f9, or a list of them"
		}
		list = append(list, normalKey(it.Value))
	}
	return list, ""
}

// normalKey writes a key the way the terminal names it.
func normalKey(s string) string {
	parts := strings.Fields(s)
	for i, p := range parts {
		mods := strings.Split(p, "+")
		last := mods[len(mods)-1]
		if last == "" && len(mods) > 1 { // ctrl++ or + itself
			last = "+"
			mods = mods[:len(mods)-1]
		}
		for j := range mods[:len(mods)-1] {
			mods[j] = strings.ToLower(mods[j])
		}
		if len([]rune(last)) > 1 {
			last = strings.ToLower(last)
		}
		if name, ok := keyAliases[last]; ok {
			last = name
		}
		parts[i] = ordered(mods[:len(mods)-1], last)
	}
	return strings.Join(parts, " ")
}

// ordered joins a key and its modifiers in the terminal's own order. A letter
// with shift alone is the capital letter.
func ordered(mods []string, key string) string {
	if len(mods) > 0 && len([]rune(key)) == 1 {
		key = strings.ToLower(key)
		if len(mods) == 1 && mods[0] == "shift" {
			return strings.ToUpper(key)
		}
	}
	slices.SortStableFunc(mods, func(a, b string) int { return slices.Index(modOrder, a) - slices.Index(modOrder, b) })
	return strings.Join(append(mods, key), "+")
}

var modOrder = []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}

var keyAliases = map[string]string{"return": "enter", "escape": "esc", "pagedown": "pgdown", "pageup": "pgup", "del": "delete", "plus": "+"}
