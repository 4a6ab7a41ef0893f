package profile

import (
	"encoding/json"
	"maps"
	"path/filepath"

	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/wholefile"
)

// Seen is what earlier runs learned of connectors, by the address of their service
// and their id. Losing it loses nothing but the asking.
type Seen map[string]map[string]client.Connector

// mostSeen is how many connectors of a service are kept; beyond it the list begins anew.
const mostSeen = 5000

// Seen is the path of what earlier runs learned of connectors.
func (f Folders) Seen() string { return filepath.Join(f.Cache, "connectors.json") }

// LoadSeen reads what was learned; a file that is missing or damaged tells nothing.
func LoadSeen(path string) Seen {
	var s Seen
	if data, err := ownfile.Read(path, ownfile.Large); err != nil || json.Unmarshal(data, &s) != nil {
		return Seen{}
	}
	return s
}

// KeepSeen adds connectors of a service to what was learned, where they tell something new.
func KeepSeen(path, service string, list []client.Connector) error {
	if LoadSeen(path).with(service, list) == nil {
		return nil
	}
	return wholefile.Change(path, func() error { // another program may keep some at this moment
		s := LoadSeen(path).with(service, list)
		if s == nil {
			return nil
		}
		data, err := json.Marshal(s)
		if err != nil {
			return err
		}
		return wholefile.Write(path, append(data, '\n'))
	})
}

// with adds connectors; nil where they tell nothing new.
func (s Seen) with(service string, list []client.Connector) Seen {
	was := s[service]
	next := maps.Clone(was)
	if next == nil || len(next)+len(list) > mostSeen {
		next = map[string]client.Connector{}
	}
	for _, c := range list {
		if c.ID != "" && c.Kind != "" && !c.Local {
			next[c.ID] = client.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Kind: c.Kind, Workspace: c.Workspace}
		}
	}
	same := func(a, b client.Connector) bool {
		return a.Name == b.Name && a.Kind == b.Kind && a.Workspace == b.Workspace
	}
	if maps.EqualFunc(was, next, same) {
		return nil
	}
	if s == nil {
		s = Seen{}
	}
	s[service] = next
	return s
}
