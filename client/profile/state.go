package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// State is what the screen remembers between runs. It holds no secrets, and
// losing it loses no work.
type State struct {
	Theme string `json:"theme,omitempty"`
	// Splits are shares of the screen by name, between 0 and 1.
	Splits map[string]float64 `json:"splits,omitempty"`
	// LastProfile and LastPlace are where the last session ended; LastPlace is the
	// tree's own notation.
	LastProfile string `json:"last_profile,omitempty"`
	LastPlace   string `json:"last_place,omitempty"`
	// Dismissed are hints that the person does not want to see again.
	Dismissed []string `json:"dismissed,omitempty"`
	// Columns are the chosen columns by "kind/entity", in order.
	Columns map[string][]string `json:"columns,omitempty"`
	// Extra are further small values by name.
	Extra map[string]string `json:"extra,omitempty"`
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
		return State{}, fmt.Errorf("read what the screen remembers: %w", err)
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
