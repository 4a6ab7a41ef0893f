package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"patchbay/client/records"
)

// Checkpoint is how far a resumable export has come. It lies beside the
// unfinished file and is replaced after each page.
type Checkpoint struct {
	Format Format `json:"format"`
	// Call identifies what is fetched, so that a file never mixes two calls.
	Call string `json:"call"`
	// Columns are the names of what each record is written as; none for whole records.
	Columns []string `json:"columns,omitempty"`
	// Programs are the jq programs of those columns that are computed, by name.
	Programs map[string]string `json:"programs,omitempty"`
	// SafeFormulas is the option that a CSV file was begun with.
	SafeFormulas bool `json:"safe_formulas,omitempty"`
	// Records and Bytes are what the unfinished file holds for certain, Sum is the
	// SHA-256 of these bytes.
	Records int    `json:"records"`
	Bytes   int64  `json:"bytes"`
	Sum     string `json:"sha256,omitempty"`
	// Next is what the fetcher needs to go on; its own business.
	Next json.RawMessage `json:"next,omitempty"`
	// Blocked says why nothing can be added any more; empty when it can.
	Blocked string `json:"blocked,omitempty"`
	// Behind is how many bytes stand behind what is certain. They go away.
	Behind int64 `json:"-"`
}

// Conflict says why an unfinished file is in the way: it cannot be gone on with
// and has to go first.
type Conflict struct{ Why string }

// Error implements error.
func (c *Conflict) Error() string { return c.Why }

var (
	// ErrOtherCall says that an unfinished file belongs to another call or is of another format.
	ErrOtherCall error = &Conflict{"the unfinished file is of another call or format"}
	// ErrNotOurs says that nothing tells what an unfinished file is.
	ErrNotOurs error = &Conflict{"a file of this name is there, and nothing tells what it is"}
	// ErrDamaged says that the checkpoint of an unfinished file cannot be read.
	ErrDamaged error = &Conflict{"the checkpoint of the unfinished file is damaged"}
	// ErrChanged says that somebody else wrote to an unfinished file.
	ErrChanged error = &Conflict{"the unfinished file is not as it was left"}
	// ErrBusy says that an unfinished file is being written at the moment.
	ErrBusy = errors.New("another patchbay is writing it at the moment")
)

// Part is the name of the unfinished file of an export to path. A link is
// followed, as what it leads to is what gets replaced.
func Part(path string) string { return target(path) + ".part" }

func checkpointName(path string) string { return Part(path) + ".json" }

// readCheckpoint returns the checkpoint of an unfinished export to path; nil when there is none.
func readCheckpoint(path string) (*Checkpoint, error) {
	data, err := os.ReadFile(checkpointName(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", checkpointName(path), cause(err))
	}
	var c Checkpoint
	if err := json.Unmarshal(data, &c); err != nil || c.Records < 0 || c.Bytes < 0 || c.Records > 0 && len(c.Next) == 0 && c.Blocked == "" {
		return nil, ErrDamaged
	}
	return &c, nil
}

// with notes what decides how records are written.
func (c *Checkpoint) with(o Options) {
	c.Columns, c.Programs = nil, nil
	for i := range o.Columns {
		c.Columns = append(c.Columns, o.Columns[i].Name)
		if program := o.Columns[i].Program; program != "" {
			if c.Programs == nil {
				c.Programs = map[string]string{}
			}
			c.Programs[o.Columns[i].Name] = program
		}
	}
	c.SafeFormulas = o.SafeFormulas && c.Format == CSV
}

// Options are those to go on with, where columns are what the checkpoint names.
func (c *Checkpoint) Options(columns []records.Column) Options {
	return Options{Columns: columns, SafeFormulas: c.SafeFormulas}
}

// Begun tells whether something is there of an export to path that was not finished.
func Begun(path string) bool {
	for _, name := range [...]string{Part(path), checkpointName(path)} {
		if _, err := os.Lstat(name); err == nil {
			return true
		}
	}
	return false
}

// Discard removes what an unfinished export to path left.
func Discard(path string) error {
	for _, name := range [...]string{Part(path), checkpointName(path)} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s could not be removed: %w", name, cause(err))
		}
	}
	return nil
}
