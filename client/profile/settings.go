package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/secret"
	"patchbay/client/strictyaml"
	"patchbay/client/wholefile"
)

// Settings are the profiles of the settings file. Changes keep its comments.
type Settings struct {
	// Path of the file.
	Path string
	// Default names the profile in use when none is asked for.
	Default string
	// Local connectors call third parties directly, whatever the profile.
	Local    []LocalConnector
	profiles []Profile
	at       map[string]int // where a profile stands in profiles
	root     *yaml.Node
}

const firstLines = "Settings of patchbay. Credentials never stand here, only the places they are found in."

// Load reads the settings file; one that does not exist gives empty settings.
// What is wrong in it is told with file and line, all of it at once.
func Load(path string) (*Settings, error) {
	data, err := ownfile.Read(path, ownfile.Large)
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
	s, f := &Settings{Path: path}, strictyaml.Read(path, data)
	next := "Correct the file, or move it away to start anew."
	if doc := f.Document(); doc != nil && len(doc.Content) > 0 {
		s.root = doc.Content[0]
		s.root.HeadComment = joined(doc.HeadComment, s.root.HeadComment)
		s.root.FootComment = joined(s.root.FootComment, doc.FootComment)
		s.decode(f)
		next = "Correct the file; patchbay profiles show prints what was understood."
	}
	if err := f.Err(); err != nil {
		return s, client.Misconfigured("%s", err).Advise("%s", next)
	}
	return s, nil
}

func joined(a, b string) string {
	if a == "" || b == "" || a == b {
		return cmp.Or(a, b)
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
	if i := s.index(name); i >= 0 {
		return s.profiles[i], true
	}
	return Profile{}, false
}

func (s *Settings) index(name string) int {
	if i, ok := s.at[name]; ok {
		return i
	}
	return -1
}

// arrange notes where the profiles stand.
func (s *Settings) arrange() {
	s.at = make(map[string]int, len(s.profiles))
	for i := range s.profiles {
		s.at[s.profiles[i].Name] = i
	}
}

// Put adds a profile or replaces the one of its name.
func (s *Settings) Put(p Profile) {
	if i := s.index(p.Name); i >= 0 {
		s.profiles[i] = p
	} else {
		s.profiles = append(s.profiles, p)
		if s.at == nil {
			s.at = map[string]int{}
		}
		s.at[p.Name] = len(s.profiles) - 1
	}
}

// Remove forgets a profile.
func (s *Settings) Remove(name string) {
	s.profiles = slices.DeleteFunc(slices.Clone(s.profiles), func(p Profile) bool { return p.Name == name })
	s.arrange()
	if s.Default == name {
		s.Default = ""
	}
}

// Change changes the settings as the file has them now, since another program may
// have written it, and writes them. A file that is not understood, such as one of
// a newer patchbay, stays as it is.
func (s *Settings) Change(do func(*Settings) error) error {
	var failed error
	err := wholefile.Change(s.Path, func() error {
		now, err := Load(s.Path)
		if err == nil {
			err = do(now)
		}
		if err == nil {
			err = now.Save()
		}
		if failed = err; err == nil {
			*s = *now
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return failed
}

// Save writes the file whole or not at all, readable by its owner only.
func (s *Settings) Save() error {
	data, err := s.Encode()
	if err == nil {
		err = wholefile.Write(s.Path, data)
	}
	if err != nil {
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
			return nil, fmt.Errorf("profile %s: %w", p.Name, err)
		}
		put(profiles, p.Name, &n)
	}
	put(fresh, "profiles", profiles)
	if len(s.Local) > 0 {
		var n yaml.Node
		if err := n.Encode(s.Local); err != nil {
			return nil, fmt.Errorf("local connectors: %w", err)
		}
		put(fresh, "local", &n)
	}
	if s.root == nil || s.root.Kind != yaml.MappingNode {
		fresh.HeadComment = firstLines
		return strictyaml.Encode(fresh)
	}
	plain, err := strictyaml.Encode(fresh)
	if err != nil {
		return nil, err
	}
	merge(s.root, fresh)
	out, err := strictyaml.Encode(s.root)
	// Comments in odd places can come out as something else than comments; then
	// the settings matter more than they do.
	if again, wrong := Parse(s.Path, out); err != nil || wrong != nil || again.Default != s.Default ||
		!slices.Equal(again.Names(), s.Names()) || len(again.Local) != len(s.Local) {
		return plain, nil
	}
	return out, nil
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
	left := map[string]*yaml.Node{}
	for i := 0; i+1 < len(fresh.Content); i += 2 {
		left[fresh.Content[i].Value] = fresh.Content[i+1]
	}
	for i := 0; i+1 < len(old.Content); i += 2 {
		key, value := old.Content[i], old.Content[i+1]
		if n := left[key.Value]; n != nil {
			merge(value, n)
			content = append(content, key, value)
			delete(left, key.Value)
		}
	}
	for i := 0; i+1 < len(fresh.Content); i += 2 {
		if left[fresh.Content[i].Value] != nil {
			content = append(content, fresh.Content[i], fresh.Content[i+1])
		}
	}
	old.Content = content
}

// decode fills the settings from their file.
func (s *Settings) decode(f *strictyaml.File) {
	f.Hooks = map[reflect.Type]func(strictyaml.Node, reflect.Value){
		reflect.TypeFor[[]Profile](): readProfiles,
		// What stands in the place of a credential as a plain text may be the
		// credential itself, so the complaint does not quote it.
		reflect.TypeFor[secret.Ref](): func(n strictyaml.Node, v reflect.Value) {
			if !n.IsMapping() {
				n.Bad("name a place (keyring, file, env or command), never the credential itself")
			} else if n.FillStruct(v); n.Len() != 1 {
				n.Bad("name exactly one place: keyring, file, env or command")
			}
		},
		reflect.TypeFor[Connector](): func(n strictyaml.Node, v reflect.Value) {
			if n.FillStruct(v); v.Interface().(Connector).ID == "" {
				n.Bad("a connector needs an id")
			}
		},
		reflect.TypeFor[LocalConnector](): func(n strictyaml.Node, v reflect.Value) {
			n.FillStruct(v)
			checkURL(n.Child("base_url"))
			if c := v.Interface().(LocalConnector); c.Name == "" || c.Kind == "" {
				n.Bad("a local connector needs a name and a kind")
			}
		},
	}
	var written struct {
		Default  string           `yaml:"default"`
		Profiles []Profile        `yaml:"profiles"`
		Local    []LocalConnector `yaml:"local"`
	}
	f.Decode(&written)
	s.Default, s.profiles, s.Local = written.Default, written.Profiles, written.Local
	s.arrange()
	if _, ok := s.Profile(s.Default); f.Has("default") && !ok {
		f.Bad("default", "names the profile %q, which is not there", s.Default)
	}
}

func readProfiles(n strictyaml.Node, v reflect.Value) {
	var all []Profile
	n.Each(func(name string, value strictyaml.Node) {
		if name == EnvName || strings.TrimSpace(name) == "" {
			value.BadKey("a profile cannot be called %q", name)
		}
		p := Profile{Name: name}
		value.Decode(&p)
		checkURL(value.Child("base_url"))
		if names := value.Child("names"); names.Exists() && p.Names != client.Neutral && p.Names != client.Wire {
			names.Bad("%q is neither neutral nor wire", p.Names)
		}
		all = append(all, p)
	})
	v.Set(reflect.ValueOf(all))
}

func checkURL(n strictyaml.Node) {
	if err := CheckBaseURL(n.Value()); n.Value() != "" && err != nil {
		n.Bad("%s", err)
	}
}

// CheckBaseURL says why an address cannot be the base of calls.
func CheckBaseURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return errors.New("base_url must be an http or https address")
	case u.User != nil:
		return errors.New("base_url holds a user name; credentials do not belong into it")
	}
	return nil
}
