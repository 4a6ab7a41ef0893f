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
	"patchbay/client/rawjson"
)

// Resumable is an export that can be stopped at any moment, by a crash too, and
// gone on with later. The file has its name only when it is finished; until
// then there are NAME.part and NAME.part.json.
type Resumable struct {
	path string
	file *os.File
	out  *summed
	enc  *Encoder
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
// when there is nothing to go on with. The error is a Conflict where something
// else is there, and ErrBusy while it is being written.
func Look(path string, f Format, call string) (*Checkpoint, error) {
	if !Begun(path) {
		return nil, nil
	}
	r := &Resumable{path: path}
	if err := r.find(f, call); err != nil || r.file == nil {
		return nil, err
	}
	if err := r.file.Close(); err != nil || r.from.Records == 0 {
		return nil, err
	}
	return &r.from, nil
}

// Resume opens the unfinished file of an export to path, a new one where there
// is none; Start tells how far it came. Begin comes next.
func Resume(path string, f Format, call string) (*Resumable, error) {
	r := &Resumable{path: path}
	if err := r.find(f, call); err != nil {
		return nil, err
	}
	if r.file == nil {
		if err := r.create(f, call); err != nil {
			return nil, err
		}
	}
	r.at = r.from
	return r, nil
}

// find opens the unfinished file that is there, if it is of this call and as
// its checkpoint says. It changes nothing.
func (r *Resumable) find(f Format, call string) error {
	file, err := os.OpenFile(Part(r.path), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", Part(r.path), cause(err))
	}
	if err := r.check(file, f, call); err != nil {
		_ = file.Close()
		return err
	}
	r.file = file
	return nil
}

func (r *Resumable) check(file *os.File, f Format, call string) error {
	if err := lock(file); err != nil {
		return err
	}
	cp, err := readCheckpoint(r.path)
	switch {
	case err != nil:
		return err
	case cp == nil:
		return ErrNotOurs
	case cp.Format != f || cp.Call != call:
		return ErrOtherCall
	case cp.Blocked != "":
		return &Conflict{cp.Blocked}
	case cp.Records == 0: // what there is stands before the first record
		cp.Bytes = 0
	}
	r.from = *cp
	return r.verify(file)
}

// verify compares the file with its checkpoint.
func (r *Resumable) verify(file *os.File) error {
	r.out = &summed{file: file, sum: sha256.New(), n: r.from.Bytes}
	n, err := io.Copy(r.out.sum, io.LimitReader(file, r.from.Bytes))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", Part(r.path), cause(err))
	}
	if n < r.from.Bytes || n > 0 && r.out.text() != r.from.Sum {
		return ErrChanged
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", Part(r.path), cause(err))
	}
	r.from.Behind = info.Size() - r.from.Bytes
	return nil
}

func (s *summed) text() string { return hex.EncodeToString(s.sum.Sum(nil)) }

// create makes a new unfinished file. Its checkpoint comes first: a file
// without one is not ours and stays untouched.
func (r *Resumable) create(f Format, call string) error {
	r.from = Checkpoint{Format: f, Call: call}
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
		return fmt.Errorf("cannot write %s: %w", Part(r.path), cause(err))
	}
	r.file, r.out = file, &summed{file: file, sum: sha256.New()}
	if err := lock(file); err != nil {
		_ = file.Close()
		return err
	}
	return nil
}

// Start is the checkpoint that the export goes on from; its Records are 0 for a new one.
func (r *Resumable) Start() Checkpoint { return r.from }

// Begin says how records are written, and drops what was written after the
// checkpoint. An export that goes on takes the options of its checkpoint.
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
	r.enc, err = NewEncoder(r.out, r.from.Format, o)
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
	return fmt.Errorf("%s could not be written: %w", Part(r.path), cause(err))
}

// Records is the number of records in the file, those of earlier runs included.
func (r *Resumable) Records() int {
	if r.enc == nil {
		return r.from.Records
	}
	return r.from.Records + r.enc.Records()
}

// Kept is the number of records that are certain: what a later run goes on after.
func (r *Resumable) Kept() int { return r.at.Records }

// Save makes what was written so far certain; next is what the fetcher needs to
// go on after it. Call it after each page.
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

// Block makes what was written certain, and that it is not gone on with: why says the reason.
func (r *Resumable) Block(why string) error {
	if r.enc == nil {
		return nil
	}
	r.at.Blocked = why
	return r.Save(nil)
}

// keep writes the newest checkpoint.
func (r *Resumable) keep() error {
	return ToFile(checkpointName(r.path), func(w io.Writer) error { return json.NewEncoder(w).Encode(r.at) })
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
	to := target(r.path)
	keepMode(Part(r.path), to)
	part, checkpoint := Part(r.path), checkpointName(r.path)
	if err := os.Rename(part, to); err != nil {
		return fmt.Errorf("%s could not be given its name: %w", part, cause(err))
	}
	if err := os.Remove(checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s could not be removed: %w", checkpoint, cause(err))
	}
	return nil
}
