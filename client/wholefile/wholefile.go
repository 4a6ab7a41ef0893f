// Package wholefile writes files whole or not at all: whatever ends the program
// in between, the file is the old one or the new one. It is the only way by which
// files of ours are replaced. It is a leaf and imports nothing of ours.
package wholefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Private is the mode of files that only their owner can read.
const Private fs.FileMode = 0o600

// leftFor is how long a hidden file was not written to before it is looked whether a
// killed program left it.
const leftFor = time.Hour

// File is a file on its way to its name. What is written to it stands in a hidden
// file of the same folder until Finish, which is locked as long.
type File struct {
	*os.File
	path string
	mode fs.FileMode
}

// Create begins a file that is to take the name path. A link is followed: what it
// leads to is replaced. A mode of Private holds whatever was there; any other is
// that of a new file, and one that is replaced keeps its own.
func Create(path string, mode fs.FileMode) (*File, error) {
	path = Target(path)
	removeLeft(path, time.Now())
	dir, base := filepath.Split(path)
	for i := 0; ; i++ {
		name := filepath.Join(dir, "."+base+"."+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i)+".partial")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			Lock(f)
			return &File{f, path, mode}, nil
		}
		if !errors.Is(err, fs.ErrExist) || i == 1000 {
			return nil, err
		}
	}
}

// Finish gives the file its name once all of it is on the disk. With an error, of
// the writing or of its own, nothing under the name has changed.
func (f *File) Finish(err error) error {
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		if f.mode != Private {
			KeepMode(f.Name(), f.path)
		}
		err = Rename(f.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Write replaces a file that only its owner can read. Its folder is made when needed.
func Write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no ordinary file", path)
	}
	f, err := Create(path, Private)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return f.Finish(err)
}

// removeLeft removes hidden files of path that killed programs left behind: they
// hold what only the file itself should. One that is still being written is locked.
func removeLeft(path string, now time.Time) {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "."+base+".") || !strings.HasSuffix(e.Name(), ".partial") {
			continue
		}
		name := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > leftFor && !held(name) {
			_ = os.Remove(name)
		}
	}
}

// held reports whether a program has a file locked.
func held(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return !Lock(f)
}

// Target follows a link, so that the file it points to is replaced and not the link.
func Target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// KeepMode gives a file the permissions of the one it is to replace.
func KeepMode(name, path string) {
	if info, err := os.Stat(path); err == nil {
		_ = os.Chmod(name, info.Mode().Perm())
	}
}

// Rename gives a file another name, for good: the folder is synced. That not all
// systems can do that, and that the name is there all the same, makes it no error.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(to)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// Aside gives a file that cannot be used another name, and returns it: nothing of
// it is lost, and the old name is free. What belongs to it, by the ends of its names,
// goes first, so that the next file never finds the rest of this one.
func Aside(path string, belonging ...string) (string, error) {
	var name string
	for i := 1; ; i++ {
		name = path + ".unreadable-" + strconv.Itoa(i)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
	}
	for _, end := range belonging {
		if err := Rename(path+end, name+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return name, Rename(path, name)
}

const (
	// patience is how long a change waits for those of other programs: many of them on a
	// slow disk take turns, in no order.
	patience  = 15 * time.Second
	lookAgain = 5 * time.Millisecond
)

// ErrHeld says that another program changes files in a folder and does not end.
var ErrHeld = errors.New("another program is writing there and does not end")

// Change runs do while no other program changes files in the folder of path: what
// do reads is still so when it writes. Changes must not be nested. The lock ends
// with the program; file systems without locks do without.
func Change(path string, do func() error) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, ErrHeld)
	defer cancel()
	return Alone(ctx, filepath.Dir(Target(path)), do)
}

// Alone runs do while no other program does so with the same folder, which is made
// where it is not there. It waits for others until ctx ends.
func Alone(ctx context.Context, dir string, do func() error) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	for !Lock(folder) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", dir, context.Cause(ctx))
		case <-time.After(lookAgain):
		}
	}
	return do()
}
