package saved

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/ownfile"
	"patchbay/client/rawjson"
	"patchbay/client/wholefile"
)

// Doubtful says why a call needs a look before it is run from a folder that may be
// somebody else's; empty where it does not. A file can name no host, no profile and no
// command, and what the catalog knows to read from a connector of the service changes
// nothing and goes where the person's own calls go: that needs none. A change does,
// what may be one, what goes past the service to a third party, and an address in the
// params, which somebody else may be sent to.
func (c *Call) Doubtful(cat *catalog.Catalog) string {
	_, _, action, err := cat.Resolve(c.Kind, c.Entity, c.Action)
	if c.Kind == "" || err != nil {
		action = nil
	}
	switch {
	case catalog.Writes(c.Action, action):
		return "it may change data"
	case c.Local:
		return "it goes straight to the third party, with your credentials"
	}
	given := slices.Collect(func(yield func(string) bool) {
		for v := range rawjson.Parse(c.Params).Scalars() {
			if v.Kind() == rawjson.String && !yield(v.Text()) {
				return
			}
		}
	})
	for _, v := range c.Variables {
		if v.Default != nil {
			given = append(given, *v.Default)
		}
	}
	if slices.ContainsFunc(given, address) {
		return "its params hold an address"
	}
	return ""
}

// address reports whether a text holds what programs take for the address of a host.
func address(s string) bool { return strings.Contains(s, "//") || strings.Contains(s, `\\`) }

// Trust is the file that holds which files of working folders somebody looked at and
// let run, by place and content: a file that changes is looked at again.
type Trust struct {
	Path string
	Now  func() time.Time
}

// trusted is a file that was looked at.
type trusted struct {
	Path string    `json:"path"`
	At   time.Time `json:"at"`
}

// mark is what a file is known by.
func (c *Call) mark() (mark, path string, err error) {
	if path, err = filepath.Abs(c.Path); err != nil {
		return "", "", err
	}
	sum := sha256.Sum256([]byte(path + "\x00" + string(c.Content)))
	return hex.EncodeToString(sum[:]), path, nil
}

func (t Trust) read() (all map[string]trusted, err error) {
	data, err := ownfile.Read(t.Path, ownfile.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]trusted{}, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil || all == nil {
		return nil, fmt.Errorf("%s, the files that were trusted, cannot be read: %w", t.Path, err)
	}
	return all, nil
}

// Has reports whether the file of a call was let run as it stands. What cannot be read
// lets nothing run.
func (t Trust) Has(c *Call) bool {
	mark, _, err := c.mark()
	if t.Path == "" || c.Content == nil || err != nil {
		return false
	}
	all, err := t.read()
	_, known := all[mark]
	return err == nil && known
}

// Add lets the file of a call run as it stands.
func (t Trust) Add(c *Call) error {
	if t.Path == "" {
		return errors.New("there is no place to remember that a file is trusted")
	}
	mark, path, err := c.mark()
	if err != nil {
		return err
	}
	return wholefile.Change(t.Path, func() error {
		all, err := t.read()
		if err != nil {
			return err
		}
		for old, one := range all {
			if one.Path == path { // a file has one content
				delete(all, old)
			}
		}
		all[mark] = trusted{path, t.Now().UTC().Truncate(time.Second)}
		data, err := json.MarshalIndent(all, "", "  ")
		if err == nil {
			err = wholefile.Write(t.Path, append(data, '\n'))
		}
		return err
	})
}
