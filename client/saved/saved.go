// Package saved keeps calls that people come back to as small YAML files that
// a team can commit: an operation with a name, a note, and variables that are
// asked for when it is run.
//
// It may import catalog, client, export, ownfile, rawjson, secret and strictyaml; it runs nothing.
package saved

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/ownfile"
)

// Folder is the folder for saved calls in the working folder, and in the
// user's config folder.
const Folder = "patchbay.d"

// Call is a saved call. As JSON it is what a list of them tells.
type Call struct {
	// Name is what people call it; the file's name without its ending when the file gives none.
	Name string `yaml:"name" json:"name"`
	// Note is a sentence or two about it.
	Note string `yaml:"note,omitempty" json:"note,omitempty"`
	// Kind is the catalog kind; Connector and Workspace name the connector. Empty
	// ones are taken from where the call is run.
	Kind      string `yaml:"kind,omitempty" json:"kind,omitempty"`
	Connector string `yaml:"connector,omitempty" json:"connector,omitempty"`
	Workspace string `yaml:"workspace,omitempty" json:"workspace,omitempty"`
	// Local is set on calls that go straight to the third party.
	Local  bool   `yaml:"local,omitempty" json:"-"`
	Entity string `yaml:"entity" json:"entity"`
	Action string `yaml:"action" json:"action"`
	// Params is a JSON object in the catalog's names; texts in it may hold
	// ${NAME}. nil for none.
	Params        json.RawMessage `yaml:"params,omitempty" json:"-"`
	SelectFields  []string        `yaml:"select_fields,omitempty" json:"-"`
	ExcludeFields []string        `yaml:"exclude_fields,omitempty" json:"-"`
	// Variables are the declared ones, in the order of the file.
	Variables Variables `yaml:"variables,omitempty" json:"-"`
	// Path is the file it was read from, Content what stands in it; empty for a new one.
	Path    string `yaml:"-" json:"-"`
	Content []byte `yaml:"-" json:"-"`
}

// Variable is a value that is asked for when a call is run.
type Variable struct {
	Name        string `yaml:"-"`
	Description string `yaml:"description,omitempty"`
	// Default is used when no value is given; nil makes one necessary.
	Default *string `yaml:"default,omitempty"`
	// Type is string, integer, number, boolean or json: what a value that fills a
	// whole param is sent as. Empty leaves that to the catalog.
	Type string `yaml:"type,omitempty"`
}

// Variables stand in a file as a mapping from name to description.
type Variables []Variable

// device matches the names under which Windows opens devices, whatever their ending.
var device = regexp.MustCompile(`^(con|prn|aux|nul|(com|lpt)[0-9])$`).MatchString

// unfit is what file systems may not take in a name.
var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// FileName is the name of the file that the call is saved in: its name in
// letters that every file system takes.
func (c *Call) FileName() string {
	name := cmp.Or(strings.Trim(unfit.ReplaceAllString(strings.ToLower(c.Name), "-"), "-"), "call")
	if device(name) {
		name += "-call"
	}
	return name[:min(len(name), 80)] + ".yaml"
}

// Suits returns the check of whether a connector is one that the call can be run on.
func (c *Call) Suits(cat *catalog.Catalog) func(client.Connector) bool {
	kind := c.Kind
	if k, err := cat.Kind(c.Kind); err == nil {
		kind = k.Name
	}
	return func(have client.Connector) bool {
		return have.Local == c.Local &&
			(c.Workspace == "" || c.Local || have.Workspace == c.Workspace) &&
			(kind == "" || have.Kind == kind) &&
			(c.Connector == "" || have.Name == c.Connector || have.ID == c.Connector)
	}
}

// Wants says which connector the call is for.
func (c *Call) Wants() string {
	t := "a connector of kind " + c.Kind
	if c.Connector != "" {
		t = "connector " + c.Connector
	}
	if c.Workspace != "" {
		t += " in workspace " + c.Workspace
	}
	return t
}

// Load reads the calls of folders, those of the first folder first, by file
// name. A folder that is not there is empty. Files that are wrong are left out
// and told in the error, all of them, one a line. Of two calls with one name
// the first wins.
func Load(folders ...string) ([]Call, error) {
	var calls []Call
	var problems []error
	seen := map[string]bool{}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) || folder == "" {
			continue
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("saved calls: %w", err))
		}
		for _, e := range entries {
			ext := strings.ToLower(filepath.Ext(e.Name()))
			if e.IsDir() || strings.HasPrefix(e.Name(), ".") || ext != ".yaml" && ext != ".yml" {
				continue
			}
			c, err := Read(filepath.Join(folder, e.Name()))
			if err != nil {
				problems = append(problems, err)
			} else if !seen[fold(c.Name)] {
				seen[fold(c.Name)] = true
				calls = append(calls, *c)
			}
		}
	}
	return calls, errors.Join(problems...)
}

func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Read reads one file. Its error names file and line.
func Read(path string) (*Call, error) {
	data, err := ownfile.Read(path, ownfile.Small)
	if err != nil {
		return nil, fmt.Errorf("saved call: %w", err)
	}
	c, err := Parse(path, data)
	c.Content = data
	return c, err
}

// Foreign reports whether the call stands in the working folder, which may be
// somebody else's.
func (c *Call) Foreign() bool { return filepath.Clean(filepath.Dir(c.Path)) == Folder }

// Find returns the call of a name, or of a file's name without its ending. The
// error lists names that are near, or all when there are few.
func Find(calls []Call, name string) (*Call, error) {
	at := slices.IndexFunc(calls, func(c Call) bool { return fold(c.Name) == fold(name) })
	if at < 0 {
		at = slices.IndexFunc(calls, func(c Call) bool { return stem(c.Path) == name })
	}
	if at >= 0 {
		return &calls[at], nil
	}
	var names []string
	for i := range calls {
		if n := calls[i].Name; len(calls) <= 10 || strings.Contains(fold(n), fold(name)) {
			names = append(names, n)
		}
	}
	switch {
	case len(calls) == 0:
		return nil, fmt.Errorf("no call is saved as %q: there are no saved calls in %s or the config folder; ctrl+s "+
			"in the explorer saves one", name, Folder)
	case len(names) == 0:
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
	if _, err := os.Lstat(path); err == nil && !own && !replace { // a link that leads nowhere yet is a file, too
		return "", fmt.Errorf("save the call: %s is there already; choose another name, or replace it", path)
	}
	if err = os.MkdirAll(folder, 0o755); err == nil {
		err = export.ToFile(path, func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	if err != nil {
		return "", fmt.Errorf("save the call: %w", err)
	}
	return path, nil
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
