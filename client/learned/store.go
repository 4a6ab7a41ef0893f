package learned

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"patchbay/catalog"
	"patchbay/client/ownfile"
	"patchbay/client/wholefile"
)

// Store keeps what was learned, a file for each kind that only its owner can read.
type Store struct {
	// Dir is the folder; an empty one keeps nothing.
	Dir string
}

func (s Store) path(kind string) string { return filepath.Join(s.Dir, kind+".json") }

// Load reads what was learned of a kind; nothing where there is no file, or a damaged one.
func (s Store) Load(kind string) Kind {
	var l Kind
	if s.Dir == "" {
		return nil
	}
	data, err := ownfile.Read(s.path(kind), ownfile.Large)
	if err != nil || json.Unmarshal(data, &l) != nil {
		return nil
	}
	for name, e := range l {
		if e == nil || e.Fields == nil || broken(e) {
			delete(l, name)
		}
	}
	return l
}

// broken reports whether a file names fields that it does not have.
func broken(e *Entity) bool {
	for _, path := range e.Order {
		if f := e.Fields[path]; f == nil || f.Types == nil {
			return true
		}
	}
	return len(e.Order) != len(e.Fields)
}

// Add keeps what one more answer showed.
func (s Store) Add(kind, entity string, seen *Entity) error {
	if s.Dir == "" {
		return nil
	}
	return wholefile.Change(s.path(kind), func() error { // another program may keep some at this moment
		l := s.Load(kind)
		if l == nil {
			l = Kind{}
		}
		if l[entity] == nil {
			l[entity] = seen
		} else {
			l[entity].Add(seen)
		}
		data, err := json.Marshal(l)
		if err != nil {
			return err
		}
		return wholefile.Write(s.path(kind), append(data, '\n'))
	})
}

// Amend lets a catalog show what was learned, where its kinds are opened.
func (s Store) Amend(c *catalog.Catalog) {
	if s.Dir == "" {
		return
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if kind, ok := strings.CutSuffix(e.Name(), ".json"); ok && kind != "" && kind[0] != '.' {
			c.Amend(kind, func(k *catalog.Kind) { s.Load(kind).Apply(k) })
		}
	}
}
