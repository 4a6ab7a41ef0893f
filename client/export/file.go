package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// ToFile has write fill a file that takes its name only when all went well:
// bytes go to a hidden file in the same folder, which is synced and renamed.
// On an error nothing under the name has changed. Something that is not a
// regular file (a pipe, a device) is written to directly.
func ToFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return toSpecial(path, info, write)
	}
	path = target(path)
	f, err := createBeside(path)
	if err != nil {
		return fmt.Errorf("cannot write in %s: %w; choose another place", filepath.Dir(path), cause(err))
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		keepMode(f.Name(), path)
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

func toSpecial(path string, info fs.FileInfo, write func(io.Writer) error) error {
	if info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file in it", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", path, cause(err))
	}
	return errors.Join(write(f), f.Close())
}

// target follows a link, so that the file it points to is replaced and not the link.
func target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// createBeside creates a hidden file in the folder of path.
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for i := 0; ; i++ {
		name := filepath.Join(dir, "."+base+"."+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i)+".partial")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return f, err
		}
	}
}

// keepMode gives a new file the permissions of the one it replaces.
func keepMode(name, path string) {
	if info, err := os.Stat(path); err == nil {
		_ = os.Chmod(name, info.Mode().Perm())
	}
}

// cause leaves the path out of an error, where the sentence around it names it.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
