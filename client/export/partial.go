package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"patchbay/client"
	"patchbay/client/ownfile"
)

// Partial is a download to a file that has its name only when it is whole. Until
// then there are NAME.part and, once a byte came, NAME.part.json, by which the same
// call goes on later.
type Partial struct {
	path string
	file *os.File
	n    int64
	kept partialNote
}

// partialNote lies beside the unfinished file.
type partialNote struct {
	// Download is the call that brings the file.
	Download string          `json:"download"`
	Head     client.FileHead `json:"head"`
}

// errOtherDownload says that an unfinished file is of something else.
var errOtherDownload error = &Conflict{"the unfinished file is of another call"}

// OpenPartial opens the unfinished file of a download to path, a new one where there is
// none; head is what the server said of it then.
func OpenPartial(path, call string) (p *Partial, head client.FileHead, err error) {
	p = &Partial{path: path, kept: partialNote{Download: call}}
	p.file, err = openPart(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, head, err
	}
	if err := p.find(); err != nil {
		return nil, head, errors.Join(err, p.file.Close())
	}
	return p, p.kept.Head, nil
}

// find takes up what an earlier try left.
func (p *Partial) find() error {
	if err := lock(p.file); err != nil {
		return err
	}
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	call := p.kept.Download
	note, err := ownfile.Read(checkpointName(p.path), ownfile.Small)
	switch {
	case errors.Is(err, fs.ErrNotExist) && info.Size() == 0:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return ErrNotOurs
	case err != nil:
		return fmt.Errorf("cannot read %s: %w", checkpointName(p.path), Cause(err))
	case json.Unmarshal(note, &p.kept) != nil:
		return ErrDamaged
	case p.kept.Download != call:
		return errOtherDownload
	}
	p.n = info.Size()
	return nil
}

// Size is how many bytes are there.
func (p *Partial) Size() int64 { return p.n }

// Write implements io.Writer.
func (p *Partial) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.n)
	p.n += int64(n)
	if err != nil {
		return n, fmt.Errorf("%s could not be written: %w", Part(p.path), Cause(err))
	}
	return n, nil
}

// Reset forgets the bytes.
func (p *Partial) Reset() error {
	p.n = 0
	return p.file.Truncate(0)
}

// Keep remembers what the server said of the file.
func (p *Partial) Keep(h client.FileHead) error {
	p.kept.Head = h
	return note(p.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(p.kept) })
}

// Stop leaves the unfinished file for later; nothing of one without a byte.
func (p *Partial) Stop() error {
	if p.n == 0 {
		return errors.Join(p.file.Close(), Discard(p.path))
	}
	return errors.Join(p.file.Sync(), p.file.Close())
}

// Finish gives the file its name.
func (p *Partial) Finish() error {
	if err := errors.Join(p.file.Sync(), p.file.Close()); err != nil {
		return fmt.Errorf("%s could not be written: %w", Part(p.path), Cause(err))
	}
	return takeName(p.path)
}
