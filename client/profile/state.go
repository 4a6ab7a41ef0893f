package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"patchbay/client"
	"patchbay/client/records"
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
	// CardDone is set once the card of the first run was dismissed.
	CardDone bool `json:"card_done,omitempty"`
	// Places are the last places by profile.
	Places map[string]Place `json:"places,omitempty"`
	// Columns are the chosen columns by "kind.entity", in order.
	Columns map[string][]string `json:"columns,omitempty"`
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

// Same tells whether both are the same action of the same connector.
func (p Place) Same(o Place) bool {
	return p.Entity == o.Entity && p.Action == o.Action && p.Connector.ID == o.Connector.ID && p.Connector.Name == o.Connector.Name
}

// LoadState reads the state; a file that is missing or damaged gives the zero
// state, and the error of a damaged one says so.
func LoadState(path string) (State, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	var s State
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return State{}, fmt.Errorf("%s, what the screen remembers, cannot be read and is begun anew: %w", path, err)
	}
	return s, nil
}

// SaveState writes the state whole or not at all.
func SaveState(path string, s State) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = writeFile(path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write what the screen remembers: %w", err)
	}
	return nil
}
