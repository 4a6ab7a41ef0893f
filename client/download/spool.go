package download

import (
	"errors"
	"fmt"
	"io"
	"os"

	"patchbay/client/rawjson"
)

// inMemory is how much of a file is kept in memory, spoolMax how much of it at all.
const (
	inMemory = 1 << 20
	spoolMax = 4 << 30
)

// Spool is a Store in memory that goes on in a temporary file once it is large. That
// file has no name where the system allows it, so that nothing of it is left behind.
// The zero Spool is ready to use.
type Spool struct {
	mem  []byte
	file *os.File
	n    int64
}

// Size implements Store.
func (s *Spool) Size() int64 { return s.n }

// Write implements io.Writer.
func (s *Spool) Write(p []byte) (n int, err error) {
	switch {
	case s.n+int64(len(p)) > spoolMax:
		return 0, errors.New("the file is too large for the screen; patchbay execute -o FILE writes it to a file")
	case s.file == nil && len(s.mem)+len(p) <= inMemory:
		s.mem = append(s.mem, p...)
		s.n += int64(len(p))
		return len(p), nil
	case s.file == nil:
		if err := s.spill(); err != nil {
			return 0, fmt.Errorf("no temporary file could be written: %w", err)
		}
	}
	n, err = s.file.WriteAt(p, s.n)
	s.n += int64(n)
	return n, err
}

// spill moves what is in memory to a file that only the person can read.
func (s *Spool) spill() error {
	f, err := Temporary()
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(s.mem, 0); err != nil {
		return errors.Join(err, f.Close())
	}
	s.file, s.mem = f, nil
	return nil
}

// Reset implements Store.
func (s *Spool) Reset() error {
	*s = Spool{} // what still reads the file keeps it
	return nil
}

// Keep implements Store: a spool does not outlive the program.
func (s *Spool) Keep(Head) error { return nil }

// Source gives access to what came. It may be used while no more is written.
func (s *Spool) Source() rawjson.Source {
	if s.file == nil {
		return rawjson.Bytes(s.mem)
	}
	return rawjson.NewFile(s.file, s.n)
}

// snapshot is the spool as it is: what is written to the other does not change it.
func (s *Spool) snapshot() *Spool {
	return &Spool{mem: s.mem[:len(s.mem):len(s.mem)], file: s.file, n: s.n}
}

// Reader reads what came from its beginning.
func (s *Spool) Reader() *io.SectionReader { return io.NewSectionReader(s, 0, s.n) }

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(p []byte, at int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(p, at)
	}
	if at >= int64(len(s.mem)) {
		return 0, io.EOF
	}
	n := copy(p, s.mem[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
