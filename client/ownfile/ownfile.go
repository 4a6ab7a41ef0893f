// Package ownfile reads the files that people keep for patchbay and that patchbay
// keeps for itself: settings, kinds, themes, keys, saved calls, state. All of them
// are read here, so that none can stop the program: a pipe that nobody writes to,
// a terminal, a device without an end, a file that is too large is told instead.
//
// It is a leaf and imports nothing of ours.
package ownfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

const (
	// Small bounds a file that a person writes by hand.
	Small = 1 << 20
	// Large bounds a file that grows with use, or that a program may write.
	Large = 16 << 20
)

// Error says why a file is not read although it is there.
type Error struct {
	Path string
	// Reason says what is wrong with it.
	Reason string
}

// Error implements error.
func (e *Error) Error() string { return e.Path + " " + e.Reason }

// Read returns what a regular file of at most limit bytes holds. A link is
// followed. The size that the system states is not believed: some files that
// have none never end.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path) // first, because to open a device may already do something
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, err
	}
	// What the name leads to may be another file by now: to open a pipe must not wait,
	// and a terminal must not become ours.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &Error{path, fmt.Sprintf("is larger than %d MiB", limit>>20)}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// regular says what a file is that cannot be read to its end.
func regular(path string, info fs.FileInfo) error {
	is := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		is = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		is = "a pipe"
	case mode&fs.ModeSocket != 0:
		is = "a socket"
	case mode&fs.ModeCharDevice != 0:
		is = "a terminal or another device"
	default:
		is = "a device"
	}
	return &Error{path, "is " + is + ": only regular files are read here"}
}
