package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/wholefile"
)

// Resumable is an export that can be stopped at any moment, by a crash too, and
// continued later. The file has its name only when it is finished; until
// then there are NAME.part and NAME.part.json.
type Resumable struct {
	path   string
	format Format
	file   *os.File
	out    *summed
	enc    *Encoder
	// from is the checkpoint that it began with, at is the newest one.
	from, at Checkpoint
}

// summed counts what reaches a file and adds it up.
type summed struct {
	file *os.File
	sum  hash.Hash
	n    int64
}

func (s *summed) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.sum.Write(p[:n])
	s.n += int64(n)
	return n, err
}

// Look returns the checkpoint of an unfinished export of a call to path; nil
// when there is nothing to continue. The error is a Conflict where something
// else is there, and ErrBusy while it is being written.
func Look(path string, f Format, call string) (*Checkpoint, error) {
	if !Begun(path) {
		return nil, nil
	}
	r := &Resumable{path: path, format: f}
	if err := r.find(call); err != nil || r.file == nil {
		return nil, err
	}
	if err := r.file.Close(); err != nil || r.from.Records == 0 {
		return nil, err
	}
	return &r.from, nil
}

// Resume opens the unfinished file of an export to path, a new one where there
// is none; Start says how far it came. Begin comes next.
func Resume(path string, f Format, call string) (*Resumable, error) {
	r := &Resumable{path: path, format: f}
	if err := r.find(call); err != nil {
		return nil, err
	}
	if r.file == nil {
		if err := r.create(call); err != nil {
			return nil, err
		}
	}
	r.at = r.from
	return r, nil
}

// find opens the unfinished file that is there, if it is of this call and as
// its checkpoint says. It changes nothing.
func (r *Resumable) find(call string) error {
	file, err := openPart(r.path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := r.check(file, call); err != nil {
		_ = file.Close()
		return err
	}
	r.file = file
	return nil
}

// check compares a file with the call and with its checkpoint.
func (r *Resumable) check(file *os.File, call string) error {
	if err := lock(file); err != nil {
		return err
	}
	cp, err := readCheckpoint(r.path)
	switch {
	case err != nil:
		return err
	case cp == nil:
		return ErrNotOurs
	case cp.Format != r.format.String() || cp.Call != call:
		return ErrOtherCall
	case cp.Blocked != "":
		return &Conflict{cp.Blocked}
	case cp.Records == 0: // what there is stands before the first record
		cp.Bytes = 0
	}
	r.from = *cp
	r.out = &summed{file: file, sum: sha256.New(), n: cp.Bytes}
	n, err := io.Copy(r.out.sum, io.LimitReader(file, cp.Bytes))
	if err == nil && (n < cp.Bytes || n > 0 && r.out.text() != cp.Sum) {
		return ErrChanged
	}
	info, unread := file.Stat()
	if err = errors.Join(err, unread); err != nil {
		return fmt.Errorf("cannot read %s: %w", Part(r.path), Cause(err))
	}
	r.from.Behind = info.Size() - cp.Bytes
	return nil
}

func (s *summed) text() string { return hex.EncodeToString(s.sum.Sum(nil)) }

// create makes a new unfinished file. Its checkpoint comes first: a file
// without one is not ours and stays untouched.
func (r *Resumable) create(call string) error {
	r.from = Checkpoint{Format: r.format.String(), Call: call}
	r.at = r.from
	if err := r.keep(); err != nil {
		return err
	}
	file, err := os.OpenFile(Part(r.path), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) { // another began in this moment
		return ErrBusy
	}
	if err != nil {
		_ = os.Remove(checkpointName(r.path))
		return fmt.Errorf("cannot write %s: %w", Part(r.path), Cause(err))
	}
	r.file, r.out = file, &summed{file: file, sum: sha256.New()}
	if err := lock(file); err != nil {
		_ = file.Close()
		return err
	}
	return nil
}

// Start is the checkpoint that the export continues from; its Records are 0 for a new one.
func (r *Resumable) Start() Checkpoint { return r.from }

// Begin says how records are written, and drops what was written after the
// checkpoint. An export that continues takes the options of its checkpoint.
func (r *Resumable) Begin(o Options) error {
	err := r.file.Truncate(r.from.Bytes)
	if err == nil {
		_, err = r.file.Seek(r.from.Bytes, io.SeekStart)
	}
	if err != nil {
		return r.unwritten(err)
	}
	o.After = r.from.Records
	r.from.with(o)
	r.at.with(o)
	r.enc, err = NewEncoder(r.out, r.format, o)
	return err
}

// Record writes one record.
func (r *Resumable) Record(n rawjson.Node, names client.Names) error {
	if err := r.enc.Record(n, names); err != nil {
		return r.unwritten(err)
	}
	return nil
}

func (r *Resumable) unwritten(err error) error {
	return fmt.Errorf("%s could not be written: %w", Part(r.path), Cause(err))
}

// Records is the number of records in the file, those of earlier runs included.
func (r *Resumable) Records() int {
	if r.enc == nil {
		return r.from.Records
	}
	return r.from.Records + r.enc.Records()
}

// Kept is the number of records that are certain: what a later run continues after.
func (r *Resumable) Kept() int { return r.at.Records }

// Save makes what was written so far certain; next is what the fetcher needs to
// continue after it. Call it after each page.
func (r *Resumable) Save(next json.RawMessage) error {
	if err := errors.Join(r.enc.Flush(), r.file.Sync()); err != nil {
		return r.unwritten(err)
	}
	before := r.at
	r.at.Records, r.at.Bytes, r.at.Sum, r.at.Next = r.Records(), r.out.n, r.out.text(), next
	err := r.keep()
	if err != nil {
		r.at = before
	}
	return err
}

// Block makes what was written certain, and that it is not continued: why says the reason.
func (r *Resumable) Block(why string) error {
	if r.enc == nil {
		return nil
	}
	r.at.Blocked = why
	return r.Save(nil)
}

// keep writes the newest checkpoint.
func (r *Resumable) keep() error {
	return note(r.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(r.at) })
}

// Leave closes the unfinished file as it was found.
func (r *Resumable) Leave() error { return r.file.Close() }

// Stop closes the unfinished file. What is certain stays; without any record
// nothing is left behind.
func (r *Resumable) Stop() error {
	if r.at.Records == 0 {
		return errors.Join(r.file.Close(), Discard(r.path))
	}
	return errors.Join(r.file.Truncate(r.at.Bytes), r.file.Close())
}

// Finish gives the file its name and removes the checkpoint. Where that fails
// the unfinished file stays, as with Stop.
func (r *Resumable) Finish() error {
	if r.enc == nil {
		return errors.Join(errors.New("there is no page to write"), r.Stop())
	}
	if err := errors.Join(r.enc.Close(), r.file.Sync()); err != nil {
		return errors.Join(r.unwritten(err), r.Stop())
	}
	if err := r.file.Close(); err != nil {
		return r.unwritten(err)
	}
	return takeName(r.path)
}

// takeName gives an unfinished file its name and removes the checkpoint.
func takeName(path string) error {
	to := wholefile.Target(path)
	wholefile.KeepMode(Part(path), to)
	part, checkpoint := Part(path), checkpointName(path)
	if err := wholefile.Rename(part, to); err != nil {
		return fmt.Errorf("%s could not be given its name: %w", part, Cause(err))
	}
	if err := os.Remove(checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s could not be removed: %w", checkpoint, Cause(err))
	}
	return nil
}

// Checkpoint is how far a resumable export has come. It lies beside the
// unfinished file and is replaced after each page.
type Checkpoint struct {
	// Format is its name.
	Format string `json:"format"`
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
	// Next is what the fetcher needs to continue; its own business.
	Next json.RawMessage `json:"next,omitempty"`
	// Blocked says why nothing can be added any more; empty when it can.
	Blocked string `json:"blocked,omitempty"`
	// Behind is how many bytes stand behind what is certain. They go away.
	Behind int64 `json:"-"`
}

// Conflict says why an unfinished file is in the way: it cannot be continued
// and has to go first.
type Conflict struct{ Why string }

// Error implements error.
func (c *Conflict) Error() string { return c.Why }

var (
	// ErrOtherCall says that an unfinished file belongs to another call or is of another format.
	ErrOtherCall error = &Conflict{"the unfinished file is of another call or format"}
	// ErrNotOurs says that an unfinished file of that name is not one of ours.
	ErrNotOurs error = &Conflict{"a file of this name is there, and nothing says what it is"}
	// ErrDamaged says that the checkpoint of an unfinished file cannot be read.
	ErrDamaged error = &Conflict{"the checkpoint of the unfinished file is damaged"}
	// ErrChanged says that somebody else wrote to an unfinished file.
	ErrChanged error = &Conflict{"the unfinished file is not as it was left"}
	// ErrBusy says that an unfinished file is being written at the moment.
	ErrBusy = errors.New("another patchbay is writing it at the moment")
)

// Part is the name of the unfinished file of an export to path. A link is
// followed, as what it leads to is what gets replaced.
func Part(path string) string { return wholefile.Target(path) + ".part" }

func checkpointName(path string) string { return Part(path) + ".json" }

// readCheckpoint returns the checkpoint of an unfinished export to path; nil when there is none.
func readCheckpoint(path string) (*Checkpoint, error) {
	data, err := ownfile.Read(checkpointName(path), ownfile.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", checkpointName(path), Cause(err))
	}
	var c Checkpoint
	err = json.Unmarshal(data, &c)
	if leads := len(c.Next) > 0 || c.Blocked != ""; err != nil || c.Records < 0 || c.Bytes < 0 || c.Records > 0 &&
		!leads {
		return nil, ErrDamaged
	}
	return &c, nil
}

// with notes what decides how records are written.
func (c *Checkpoint) with(o Options) {
	c.Columns, c.Programs = nil, nil
	for _, column := range o.Columns {
		c.Columns = append(c.Columns, column.Name)
		if column.Program != "" {
			if c.Programs == nil {
				c.Programs = map[string]string{}
			}
			c.Programs[column.Name] = column.Program
		}
	}
	c.SafeFormulas = o.SafeFormulas
}

// Options are those to continue, where columns are what the checkpoint names.
func (c *Checkpoint) Options(columns []records.Column) Options {
	return Options{Columns: columns, SafeFormulas: c.SafeFormulas}
}

// Begun reports whether something is there of an export to path that was not finished.
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
			return fmt.Errorf("%s could not be removed: %w", name, Cause(err))
		}
	}
	return nil
}
