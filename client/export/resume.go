package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Checkpoint is how far a resumable export has come. It lies beside the
// unfinished file and is replaced after each page.
type Checkpoint struct {
	Format Format `json:"format"`
	// Call identifies what is fetched, so that a file never mixes two calls.
	Call string `json:"call"`
	// Columns are the names of the columns of a CSV file.
	Columns []string `json:"columns,omitempty"`
	// Records and Bytes are what the unfinished file holds for certain.
	Records int   `json:"records"`
	Bytes   int64 `json:"bytes"`
	// Next is what the fetcher needs to go on; its own business.
	Next json.RawMessage `json:"next,omitempty"`
}

// ErrOtherCall says that an unfinished file belongs to another call or other columns.
var ErrOtherCall = errors.New("the unfinished file belongs to another call")

// Resumable is an export that can be stopped at any moment, by a crash too, and
// gone on with later. The file has its name only when it is finished; until
// then there are NAME.part and NAME.part.json.
type Resumable struct {
	path    string
	file    *os.File
	counted *counter
	enc     *Encoder
	base    Checkpoint
}

// counter counts what reaches the file.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// ReadCheckpoint returns the checkpoint of an unfinished export to path; nil when there is none.
func ReadCheckpoint(path string) (*Checkpoint, error) {
	data, err := os.ReadFile(path + ".part.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the checkpoint of %s: %w", path, cause(err))
	}
	var c Checkpoint
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%s.part.json is damaged: remove it to start over: %w", path, err)
	}
	return &c, nil
}

// Resume starts an export to path, or goes on with an unfinished one of the
// same call; Start tells where. Formats are NDJSON and CSV.
func Resume(path string, f Format, call string, o Options) (*Resumable, error) {
	if f != NDJSON && f != CSV {
		return nil, fmt.Errorf("an export to %s cannot be resumed: use ndjson or csv", f)
	}
	r := &Resumable{path: path, base: Checkpoint{Format: f, Call: call, Columns: names(o.Columns)}}
	old, err := ReadCheckpoint(path)
	if err != nil {
		return nil, err
	}
	if old != nil {
		if old.Format != f || old.Call != call || !slices.Equal(old.Columns, r.base.Columns) {
			return nil, fmt.Errorf("%s.part: %w: remove it and its .json, or choose another name", path, ErrOtherCall)
		}
		r.base, o.Append = *old, true
	}
	return r, r.open(o)
}

func names(columns []records.Column) []string {
	var out []string
	for i := range columns {
		out = append(out, columns[i].Name)
	}
	return out
}

// open opens the unfinished file and drops what was written after the checkpoint.
func (r *Resumable) open(o Options) error {
	f, err := os.OpenFile(r.path+".part", os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write %s.part: %w", r.path, cause(err))
	}
	r.file = f
	if info, err := f.Stat(); err != nil || info.Size() < r.base.Bytes {
		_ = f.Close()
		return fmt.Errorf("%s.part is shorter than its checkpoint says: remove both to start over", r.path)
	}
	if err := f.Truncate(r.base.Bytes); err != nil {
		_ = f.Close()
		return fmt.Errorf("cannot go on with %s.part: %w", r.path, cause(err))
	}
	if _, err := f.Seek(r.base.Bytes, io.SeekStart); err != nil {
		_ = f.Close()
		return fmt.Errorf("cannot go on with %s.part: %w", r.path, cause(err))
	}
	r.counted = &counter{w: f}
	r.enc, err = NewEncoder(r.counted, r.base.Format, o)
	if err != nil {
		_ = f.Close()
	}
	return err
}

// Start is the checkpoint that the export goes on from; its Records are 0 for a new one.
func (r *Resumable) Start() Checkpoint { return r.base }

// Record writes one record.
func (r *Resumable) Record(n rawjson.Node, names client.Names) error { return r.enc.Record(n, names) }

// Records is the number of records in the file, those of earlier runs included.
func (r *Resumable) Records() int { return r.base.Records + r.enc.Records() }

// Save makes what was written so far certain; next is what the fetcher needs to
// go on after it. Call it after each page.
func (r *Resumable) Save(next json.RawMessage) error {
	if err := r.enc.Flush(); err != nil {
		return fmt.Errorf("%s.part could not be written: %w", r.path, err)
	}
	if err := r.file.Sync(); err != nil {
		return fmt.Errorf("%s.part could not be written: %w", r.path, err)
	}
	c := r.base
	c.Records, c.Bytes, c.Next = r.Records(), r.base.Bytes+r.counted.n, next
	return ToFile(r.path+".part.json", func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
}

// Stop closes the unfinished file; it and its last checkpoint stay.
func (r *Resumable) Stop() error { return r.file.Close() }

// Finish gives the file its name and removes the checkpoint.
func (r *Resumable) Finish() error {
	if err := errors.Join(r.enc.Close(), r.file.Sync(), r.file.Close()); err != nil {
		return fmt.Errorf("%s could not be finished: %w", r.path, err)
	}
	if err := os.Rename(r.path+".part", r.path); err != nil {
		return fmt.Errorf("%s could not be finished: %w", r.path, cause(err))
	}
	if err := os.Remove(r.path + ".part.json"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the checkpoint of %s could not be removed: %w", r.path, cause(err))
	}
	return nil
}

// Discard removes what an unfinished export to path left.
func Discard(path string) error {
	for _, name := range [...]string{path + ".part.json", path + ".part"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s could not be removed: %w", name, cause(err))
		}
	}
	return nil
}
