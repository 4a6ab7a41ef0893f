package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/records"
	"patchbay/client/wholefile"
)

// State is what the screen remembers between runs. It holds no secrets, and
// losing it loses no work.
type State struct {
	Theme string `json:"theme,omitempty"`
	// TreeWidth and RequestHeight are the person's splits in cells; 0 is automatic.
	TreeWidth     int `json:"tree_width,omitempty"`
	RequestHeight int `json:"request_height,omitempty"`
	// ASCII draws without line-drawing characters, Still without motion; Quiet
	// sends no notifications to the desktop.
	ASCII bool `json:"ascii,omitempty"`
	Still bool `json:"still,omitempty"`
	Quiet bool `json:"quiet,omitempty"`
	// Blocks draws images with blocks where the terminal could draw them by itself.
	Blocks bool `json:"blocks,omitempty"`
	// CardDone is set once the card of the first run was dismissed.
	CardDone bool `json:"card_done,omitempty"`
	// Places are the last places by profile.
	Places map[string]Place `json:"places,omitempty"`
	// Columns are the chosen columns by "kind.entity", in order.
	Columns map[string][]string `json:"columns,omitempty"`
	// ColumnSets are columns kept under names, by "kind.entity".
	ColumnSets map[string]map[string][]string `json:"column_sets,omitempty"`
	// Pinned is how many of them stay at the left, Widths are those set by hand in
	// cells, both by "kind.entity".
	Pinned map[string]int            `json:"pinned,omitempty"`
	Widths map[string]map[string]int `json:"widths,omitempty"`
	// Computed are the columns made by jq programs, by "kind.entity".
	Computed map[string][]records.Computed `json:"computed,omitempty"`
	// Queries are the jq programs that were run last, oldest first.
	Queries []string `json:"queries,omitempty"`
	// Commands are the lines typed behind ":", oldest first.
	Commands []string `json:"commands,omitempty"`
}

// Place is an action of a connector: where somebody was, and what the form held.
type Place struct {
	Connector client.Connector `json:"connector"`
	Entity    string           `json:"entity"`
	Action    string           `json:"action"`
	Params    json.RawMessage  `json:"params,omitempty"`
}

// Same reports whether both are the same action of the same connector.
func (p Place) Same(o Place) bool {
	return p.Entity == o.Entity && p.Action == o.Action && p.Connector.ID == o.Connector.ID &&
		p.Connector.Name == o.Connector.Name
}

// Without leaves out what holds a secret, as the two say: the lines that were typed,
// the params and the names of places, the programs of columns. The state it is asked
// of stays as it is.
func (s State) Without(text func(string) bool, params func([]byte) bool) State {
	s.Queries = slices.DeleteFunc(slices.Clone(s.Queries), text)
	s.Commands = slices.DeleteFunc(slices.Clone(s.Commands), text)
	s.Places = maps.Clone(s.Places)
	for name, p := range s.Places {
		if len(p.Params) > 0 && params(p.Params) {
			p.Params = nil
			s.Places[name] = p
		}
		if c := p.Connector; text(strings.Join([]string{c.Name, c.ID, c.Workspace, c.Kind, p.Entity, p.Action}, "\n")) {
			delete(s.Places, name)
		}
	}
	s.Computed = maps.Clone(s.Computed)
	for where, list := range s.Computed {
		s.Computed[where] = slices.DeleteFunc(slices.Clone(list), func(c records.Computed) bool {
			return text(c.Program) || text(c.Name)
		})
	}
	s.Columns = maps.Clone(s.Columns)
	for where, list := range s.Columns {
		s.Columns[where] = slices.DeleteFunc(slices.Clone(list), text)
	}
	s.ColumnSets = maps.Clone(s.ColumnSets)
	for where, sets := range s.ColumnSets {
		sets = maps.Clone(sets)
		for name, list := range sets {
			sets[name] = slices.DeleteFunc(slices.Clone(list), text)
		}
		maps.DeleteFunc(sets, func(name string, _ []string) bool { return text(name) })
		s.ColumnSets[where] = sets
	}
	s.Widths = maps.Clone(s.Widths)
	for where, widths := range s.Widths {
		widths = maps.Clone(widths)
		maps.DeleteFunc(widths, func(column string, _ int) bool { return text(column) })
		s.Widths[where] = widths
	}
	return s
}

// StateFile is the file of a State. Several programs may have it open, newer and
// older ones: each writes what it changed itself and leaves the rest.
type StateFile struct {
	path string
	mu   sync.Mutex
	// was is the state as this program knew it when it last read or wrote.
	was json.RawMessage
	// unread is why the file could not be read; it is not written then.
	unread error
}

// OpenState reads the state; without a file it is the zero state. A file that is
// damaged is kept under another name, and the error says so.
func OpenState(path string) (*StateFile, State, error) {
	f := &StateFile{path: path}
	s, err := f.read()
	if err != nil {
		s = State{}
	}
	var unencoded error
	if f.was, unencoded = json.Marshal(s); err == nil {
		err = unencoded
	}
	return f, s, err
}

func (f *StateFile) read() (s State, err error) {
	data, err := ownfile.Read(f.path, ownfile.Large)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		f.unread = fmt.Errorf("what the screen remembers cannot be read and is not kept: %w", err)
		return s, f.unread
	}
	err = json.Unmarshal(data, &s)
	if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && other.Field != "" {
		return s, nil // a newer program holds it as something else: that stays as it is
	}
	if err != nil {
		aside, moved := wholefile.Aside(f.path)
		if moved != nil {
			f.unread = fmt.Errorf("%s, what the screen remembers, cannot be read and is not kept: %w", f.path, err)
			return s, f.unread
		}
		err = fmt.Errorf("%s, what the screen remembers, cannot be read and is begun anew; the old one is %s: %w",
			f.path, aside, err)
	}
	return s, err
}

// Save writes the state whole or not at all. What this program did not change since
// it read the file stays as the file has it.
func (f *StateFile) Save(s State) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unread != nil {
		return f.unread
	}
	ours, err := json.Marshal(s)
	if err == nil {
		err = wholefile.Change(f.path, func() error { return f.write(ours) })
	}
	if err != nil {
		return fmt.Errorf("write what the screen remembers: %w", err)
	}
	f.was = ours
	return nil
}

func (f *StateFile) write(ours json.RawMessage) error {
	theirs, err := ownfile.Read(f.path, ownfile.Large)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	merged := ours
	if len(theirs) > 0 {
		merged = merge3(f.was, ours, theirs, mergedDeep)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, merged, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	return wholefile.Write(f.path, out.Bytes())
}

// mergedDeep is how deep states are merged: their members, and the entries of those
// that are maps. An entry, such as a place, is taken whole.
const mergedDeep = 2

// merge3 is ours where it differs from what it was, and theirs where it does not,
// member by member. nil stands for a member that is not there.
func merge3(was, ours, theirs json.RawMessage, deep int) json.RawMessage {
	if sameJSON(was, ours) {
		return theirs
	}
	o, t := members(ours), members(theirs)
	if deep == 0 || o == nil || t == nil {
		return ours
	}
	w, out := members(was), map[string]json.RawMessage{}
	for name := range t {
		if _, both := o[name]; !both {
			o[name] = nil // so that the loop sees those that only they have
		}
	}
	for name, value := range o {
		if value = merge3(w[name], value, t[name], deep-1); value != nil {
			out[name] = value
		}
	}
	merged, err := json.Marshal(out)
	if err != nil {
		return ours
	}
	return merged
}

// members are those of an object; nil for anything else.
func members(data json.RawMessage) (m map[string]json.RawMessage) {
	if json.Unmarshal(data, &m) != nil {
		return nil
	}
	return m
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return a == nil && b == nil ||
		json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// linesKept is how many earlier lines, queries or commands, are kept.
const linesKept = 50

// WithNewest puts a line at the end of those typed before, oldest first, each
// of them once. The list it was given stays as it is.
func WithNewest(lines []string, line string) []string {
	out := append(slices.DeleteFunc(slices.Clone(lines), func(old string) bool { return old == line }), line)
	return out[max(len(out)-linesKept, 0):]
}
