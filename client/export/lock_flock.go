//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package export

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps two programs from writing the same unfinished file. It is held
// until the file is closed, by a crash too. File systems without locks do without.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}
