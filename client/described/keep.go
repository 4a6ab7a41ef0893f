package described

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/ownfile"
	"patchbay/client/wholefile"
)

// Store keeps what services described, a file for each type and version of a service:
// its first line says what it is, the second holds the kind. Only its owner can read
// it, and it holds no records and no credentials. Losing it loses nothing but the asking.
type Store struct {
	// Dir is the folder; an empty one keeps nothing.
	Dir string
}

// kept is the first line of a file.
type kept struct {
	Service string          `json:"service"`
	Type    string          `json:"type"`
	Version string          `json:"version,omitempty"`
	At      time.Time       `json:"described_at"`
	About   catalog.Summary `json:"about"`
	path    string
}

// mostVersions is how many versions of a type are kept.
const mostVersions = 3

// prefix begins the names of the files of a type.
func prefix(service, connectorType string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(service + "\n" + strings.ToLower(connectorType))) // a hash does not fail
	return fmt.Sprintf("%s-%08x-", KindName(connectorType), h.Sum32())
}

// Keep writes what a service described, whole.
func (s Store) Keep(service, version string, at time.Time, k *catalog.Kind) error {
	if s.Dir == "" {
		return nil
	}
	head, err := json.Marshal(kept{Service: service, Type: k.ConnectorType, Version: version, At: at.UTC(),
		About: k.Summary()})
	if err != nil {
		return err
	}
	body, err := json.Marshal(k)
	if err != nil {
		return err
	}
	name := prefix(service, k.ConnectorType) + KindName("v"+version) + ".json"
	data := slices.Concat(head, []byte("\n"), body, []byte("\n"))
	if err := wholefile.Write(filepath.Join(s.Dir, name), data); err != nil {
		return err
	}
	for i, old := range s.list(prefix(service, k.ConnectorType)) {
		if i >= mostVersions {
			_ = os.Remove(old.path) // one that stays is of no harm
		}
	}
	return nil
}

// Load reads the newest description of a type of a service; nil where none is kept.
func (s Store) Load(service, connectorType string) *catalog.Kind {
	if s.Dir == "" {
		return nil
	}
	for _, one := range s.list(prefix(service, connectorType)) {
		if k, err := read(one.path); err == nil && one.Service == service &&
			strings.EqualFold(k.ConnectorType, connectorType) {
			return k
		}
	}
	return nil
}

// Lend adds all that is kept to a catalog; each is read when it is first opened.
func (s Store) Lend(c *catalog.Catalog) {
	if s.Dir == "" {
		return
	}
	for _, one := range s.list("") {
		c.Lend(one.About, func() (*catalog.Kind, error) { return read(one.path) })
	}
}

// list reads the first lines of the files with a prefix, the newest first. What is
// damaged is passed over.
func (s Store) list(begin string) (out []kept) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), begin) || !strings.HasSuffix(e.Name(), ".json") || e.Name()[0] == '.' {
			continue
		}
		one := kept{path: filepath.Join(s.Dir, e.Name())}
		if head := firstLine(one.path); json.Unmarshal(head, &one) == nil && one.About.Name != "" {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b kept) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.path, b.path)) })
	return out
}

// longestHead bounds the first line of a file.
const longestHead = 8 << 10

func firstLine(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	head := make([]byte, longestHead)
	n, _ := f.Read(head) // what is shorter than a line is no head
	line, _, whole := bytes.Cut(head[:n], []byte("\n"))
	if !whole {
		return nil
	}
	return line
}

// read reads the kind of a file.
func read(path string) (*catalog.Kind, error) {
	data, err := ownfile.Read(path, ownfile.Large)
	if err != nil {
		return nil, err
	}
	_, body, _ := bytes.Cut(data, []byte("\n"))
	k := &catalog.Kind{}
	if err := json.Unmarshal(body, k); err != nil || k.Name == "" || k.Source != catalog.Live {
		return nil, errors.Join(fmt.Errorf("%s holds no description: R in the tree asks again", path), err)
	}
	return k, nil
}
