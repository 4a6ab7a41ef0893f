// Package saved keeps calls that people come back to as small YAML files that
// a team can commit: an operation with a name, a note, and variables that are
// asked for when it is run.
package saved

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patchbay/client"
)

// Folder is the folder for saved calls in the working folder, and in the
// user's config folder.
const Folder = "patchbay.d"

// Call is a saved call.
type Call struct {
	// Name is what people call it; the file's name without its ending when the file gives none.
	Name string
	// Note is a sentence or two about it.
	Note string
	// Kind is the catalog kind; Connector and Workspace name the connector. Empty
	// ones are taken from where the call is run.
	Kind, Connector, Workspace string
	// Local is set on calls that go straight to the third party.
	Local          bool
	Entity, Action string
	// Params is a JSON object in the catalog's names; texts in it may hold
	// ${NAME}. nil for none.
	Params                      json.RawMessage
	SelectFields, ExcludeFields []string
	// Variables are the declared ones, in the order of the file.
	Variables []Variable
	// Path is the file it was read from; empty for a new one.
	Path string
}

// Variable is a value that is asked for when a call is run.
type Variable struct {
	Name        string
	Description string
	// Default is used when no value is given; nil makes one necessary.
	Default *string
	// Type is string, integer, number, boolean or json: what a value that fills a
	// whole param is sent as. Empty leaves that to the catalog.
	Type string
}

// Operation returns the call as it is, variables not filled in.
func (c *Call) Operation() client.Operation {
	return client.Operation{Entity: c.Entity, Action: c.Action, Params: c.Params, SelectFields: c.SelectFields, ExcludeFields: c.ExcludeFields}
}

// FileName is the name of the file that the call is saved in: its name in
// letters that every file system takes.
func (c *Call) FileName() string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(c.Name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
	}
	if b.Len() == 0 {
		b.WriteString("call")
	}
	return b.String()[:min(b.Len(), 80)] + ".yaml"
}

// Load reads the calls of folders, those of the first folder first, by file
// name. A folder that is not there is empty. Files that are wrong are left out
// and told in the error, all of them, one a line. Of two calls with one name
// the first wins.
func Load(folders ...string) ([]Call, error) {
	var calls []Call
	var problems []error
	seen := map[string]string{}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) || folder == "" {
			continue
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("saved calls: %w", err))
			continue
		}
		for _, e := range entries {
			if e.IsDir() || strings.HasPrefix(e.Name(), ".") || !isYAML(e.Name()) {
				continue
			}
			path := filepath.Join(folder, e.Name())
			c, err := Read(path)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			if _, taken := seen[fold(c.Name)]; taken {
				continue
			}
			seen[fold(c.Name)] = path
			calls = append(calls, *c)
		}
	}
	return calls, errors.Join(problems...)
}

func isYAML(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// largest is the size of a file that is still taken for a saved call.
const largest = 1 << 20

// Read reads one file. Its error names file and line.
func Read(path string) (*Call, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("saved call: %w", err)
	}
	if info.Size() > largest {
		return nil, fmt.Errorf("saved call: %s is larger than 1 MiB", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("saved call: %w", err)
	}
	return Parse(path, data)
}

// Find returns the call of a name, or of a file's name without its ending. The
// error lists names that are near, or all when there are few.
func Find(calls []Call, name string) (*Call, error) {
	for i := range calls {
		if fold(calls[i].Name) == fold(name) {
			return &calls[i], nil
		}
	}
	for i := range calls {
		if stem(calls[i].Path) == name {
			return &calls[i], nil
		}
	}
	var names []string
	for i := range calls {
		if n := calls[i].Name; len(calls) <= 10 || strings.Contains(fold(n), fold(name)) {
			names = append(names, n)
		}
	}
	if len(calls) == 0 {
		return nil, fmt.Errorf("no call is saved as %q: there are no saved calls in %s or the config folder; ctrl+s in the explorer saves one", name, Folder)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no call is saved as %q", name)
	}
	return nil, fmt.Errorf("no call is saved as %q; there is %s", name, strings.Join(names, ", "))
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Save writes a call into a folder, whole or not at all, and returns the path.
// A call that was read from a file of that folder goes back to it; another one
// never replaces a file unless replace is set. Calls that hold a credential
// are refused.
func Save(folder string, c *Call, replace bool) (string, error) {
	data, err := Encode(c)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, c.FileName())
	own := c.Path != "" && filepath.Clean(filepath.Dir(c.Path)) == filepath.Clean(folder)
	if own {
		path = c.Path
	}
	if _, err := os.Stat(path); err == nil && !own && !replace {
		return "", fmt.Errorf("save the call: %s is there already; choose another name, or replace it", path)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("save the call: %w", err)
	}
	if err := writeFile(path, data); err != nil {
		return "", fmt.Errorf("save the call: %w", err)
	}
	return path, nil
}

func writeFile(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".patchbay-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Delete removes the file of a call.
func Delete(c *Call) error {
	if c.Path == "" {
		return errors.New("delete the call: it was never saved")
	}
	if err := os.Remove(c.Path); err != nil {
		return fmt.Errorf("delete the call: %w", err)
	}
	return nil
}

var types = []string{"string", "integer", "number", "boolean", "json"}

func knownType(t string) bool { return t == "" || slices.Contains(types, t) }
