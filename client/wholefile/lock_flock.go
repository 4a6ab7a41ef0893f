//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package wholefile

import (
	"errors"
	"os"
	"syscall"
)

// Lock keeps others from what a file or folder stands for, and reports false where
// another one has it. It is held until the file is closed, by a crash too. File
// systems without locks do without.
func Lock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
