package profile

import (
	"bytes"
	_ "embed" // for Schema
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Schema is the JSON Schema of the settings file, for editors.
//
//go:embed schema.json
var Schema []byte

// Settings are the profiles of the settings file. Changes keep its comments.
type Settings struct {
	// Path of the file.
	Path string
	// Default names the profile in use when none is asked for.
	Default  string
	profiles []Profile
	root     *yaml.Node
}

const firstLines = "Settings of patchbay. Credentials never stand here, only the places they are found in."

// Load reads the settings file; one that does not exist gives empty settings.
// What is wrong in it is told with file and line, all of it at once.
func Load(path string) (*Settings, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Settings{Path: path}, nil
	}
	if err != nil {
		return &Settings{Path: path}, fmt.Errorf("read the settings: %w", err)
	}
	return Parse(path, data)
}

// Parse reads settings from data; path names them in errors.
func Parse(path string, data []byte) (*Settings, error) {
	s := &Settings{Path: path}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return s, missing(fmt.Sprintf("%s: not valid YAML: %v", path, err), "Correct the file, or move it away to start anew.")
	}
	if len(doc.Content) == 0 {
		return s, nil
	}
	s.root = doc.Content[0]
	s.root.HeadComment = joined(doc.HeadComment, s.root.HeadComment)
	s.root.FootComment = joined(s.root.FootComment, doc.FootComment)
	d := &decoder{path: path}
	d.settings(s.root, s)
	return s, d.err()
}

func joined(a, b string) string {
	if a == "" || b == "" || a == b {
		if a == "" {
			return b
		}
		return a
	}
	return a + "\n" + b
}

// Names lists the profiles in the order of the file.
func (s *Settings) Names() []string {
	var out []string
	for _, p := range s.profiles {
		out = append(out, p.Name)
	}
	return out
}

// Profile returns the profile of that name.
func (s *Settings) Profile(name string) (Profile, bool) {
	for _, p := range s.profiles {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// Put adds a profile or replaces the one of its name.
func (s *Settings) Put(p Profile) {
	for i := range s.profiles {
		if s.profiles[i].Name == p.Name {
			s.profiles[i] = p
			return
		}
	}
	s.profiles = append(s.profiles, p)
}

// Remove forgets a profile and tells whether there was one.
func (s *Settings) Remove(name string) bool {
	for i, p := range s.profiles {
		if p.Name == name {
			s.profiles = append(s.profiles[:i:i], s.profiles[i+1:]...)
			if s.Default == name {
				s.Default = ""
			}
			return true
		}
	}
	return false
}

// Save writes the file whole or not at all, readable by its owner only.
func (s *Settings) Save() error {
	data, err := s.Encode()
	if err != nil {
		return err
	}
	if err := writeFile(s.Path, data); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}

// Encode returns the settings as YAML, with the comments of the file that they
// were read from.
func (s *Settings) Encode() ([]byte, error) {
	fresh := &yaml.Node{Kind: yaml.MappingNode}
	if s.Default != "" {
		put(fresh, "default", text(s.Default))
	}
	profiles := &yaml.Node{Kind: yaml.MappingNode}
	for _, p := range s.profiles {
		var n yaml.Node
		if err := n.Encode(p); err != nil {
			return nil, fmt.Errorf("write profile %s: %w", p.Name, err)
		}
		put(profiles, p.Name, &n)
	}
	put(fresh, "profiles", profiles)
	if s.root == nil || s.root.Kind != yaml.MappingNode {
		fresh.HeadComment = firstLines
		return encode(fresh)
	}
	plain, err := encode(fresh)
	if err != nil {
		return nil, err
	}
	merge(s.root, fresh)
	out, err := encode(s.root)
	// Comments in odd places can come out as something else than comments; then
	// the settings matter more than they do.
	if again, wrong := Parse(s.Path, out); err != nil || wrong != nil || !again.same(s) {
		return plain, nil
	}
	return out, nil
}

func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(n); err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	return b.Bytes(), enc.Close()
}

func (s *Settings) same(o *Settings) bool {
	return s.Default == o.Default && slices.Equal(s.Names(), o.Names())
}

func text(s string) *yaml.Node {
	var n yaml.Node
	n.SetString(s)
	return &n
}

func put(m *yaml.Node, key string, value *yaml.Node) {
	m.Content = append(m.Content, text(key), value)
}

// merge makes old say what fresh says, keeping the comments and the order of
// everything that stays. A key that fresh does not have goes.
func merge(old, fresh *yaml.Node) {
	if old.Kind != fresh.Kind {
		head, line, foot := old.HeadComment, old.LineComment, old.FootComment
		*old = *fresh
		old.HeadComment, old.LineComment, old.FootComment = head, line, foot
		return
	}
	switch old.Kind {
	case yaml.MappingNode:
		mergeMapping(old, fresh)
	case yaml.SequenceNode:
		for i, n := range fresh.Content {
			if i < len(old.Content) {
				merge(old.Content[i], n)
				fresh.Content[i] = old.Content[i]
			}
		}
		old.Content = fresh.Content
	default:
		if old.Value != fresh.Value || old.ShortTag() != fresh.ShortTag() {
			old.Value, old.Tag, old.Style = fresh.Value, fresh.Tag, fresh.Style
		}
	}
}

func mergeMapping(old, fresh *yaml.Node) {
	var content []*yaml.Node
	kept := map[string]bool{}
	for i := 0; i+1 < len(old.Content); i += 2 {
		key, value := old.Content[i], old.Content[i+1]
		if n := lookup(fresh, key.Value); n != nil && !kept[key.Value] {
			merge(value, n)
			content = append(content, key, value)
			kept[key.Value] = true
		}
	}
	for i := 0; i+1 < len(fresh.Content); i += 2 {
		if !kept[fresh.Content[i].Value] {
			content = append(content, fresh.Content[i], fresh.Content[i+1])
		}
	}
	old.Content = content
}

func lookup(m *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// writeFile replaces a file whole or not at all; only its owner can read it.
func writeFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// A settings file may be a link into somebody's dotfiles: the link stays.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path, dir = target, filepath.Dir(target)
	}
	tmp, err := os.CreateTemp(dir, ".patchbay-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
