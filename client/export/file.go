package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"patchbay/client/wholefile"
)

// ToFile has write fill a file that takes its name only when all went well:
// bytes go to a hidden file in the same folder, which is synced and renamed.
// On an error nothing under the name has changed. Something that is not a
// regular file (a pipe, a device) is written to directly.
func ToFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file in it", path)
	} else if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("cannot write to %s: %w", path, Cause(err))
		}
		return errors.Join(write(f), f.Close())
	}
	path = wholefile.Target(path)
	f, err := wholefile.Create(path, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write in %s: %w; choose another place", filepath.Dir(path), Cause(err))
	}
	if err := f.Finish(write(f)); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

// ours refuses a name that something else than an ordinary file has. Nobody chose the
// names of an unfinished file and its note, so neither is ever a link that somebody laid
// to a file of the person: that one would be written.
func ours(name string) error {
	if there, err := os.Lstat(name); err == nil && !there.Mode().IsRegular() {
		return ErrNotOurs
	}
	return nil
}

// openPart opens the unfinished file of path.
func openPart(path string, flag int) (*os.File, error) {
	name := Part(path)
	if err := ours(name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", name, Cause(err))
	}
	opened, err := f.Stat()
	there, missing := os.Lstat(name)
	if err != nil || missing != nil || !os.SameFile(opened, there) { // it became a link meanwhile
		return nil, errors.Join(ErrNotOurs, f.Close())
	}
	return f, nil
}

// note writes what is kept beside the unfinished file of path.
func note(path string, write func(io.Writer) error) error {
	if err := ours(checkpointName(path)); err != nil {
		return err
	}
	return ToFile(checkpointName(path), write)
}

// lock keeps two programs from writing the same unfinished file.
func lock(f *os.File) error {
	if !wholefile.Lock(f) {
		return ErrBusy
	}
	return nil
}

// Cause leaves the path out of an error, where the sentence around it names it.
func Cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
