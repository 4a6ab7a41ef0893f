package download

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// temporary are files and folders that go when the program ends.
type temporary struct {
	sync.Mutex
	names []string
}

var spooled temporary

func (t *temporary) add(name string) {
	t.Lock()
	defer t.Unlock()
	t.names = append(t.names, name)
}

// Temporary makes a file that only the person can read and that goes when it is used no
// more. It has no name where the system allows it, so that nothing of it is left behind.
func Temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "patchbay-*.part")
	if err == nil && os.Remove(f.Name()) != nil { // not while it is open
		spooled.add(f.Name())
	}
	return f, err
}

// WriteCopy writes what came to a file of that name in a folder of its own, which
// only the person can read, for another program to open.
func (s *Spool) WriteCopy(name string) (path string, err error) {
	dir, err := os.MkdirTemp("", "patchbay-") // 0700
	if err != nil {
		return "", err
	}
	spooled.add(dir)
	path = filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, s.Reader())
	return path, errors.Join(err, f.Close())
}

// RemoveTemporary removes what was written for the time that the program runs.
func RemoveTemporary() error {
	spooled.Lock()
	defer spooled.Unlock()
	var all error
	for _, name := range spooled.names {
		all = errors.Join(all, os.RemoveAll(name))
	}
	spooled.names = nil
	return all
}
