//go:build darwin || linux || netbsd || openbsd

package wholefile_test

import (
	"errors"
	"os/signal"
	"strconv"
	"syscall"
)

// limited tells that limitFiles does something.
const limited = true

// limitFiles lets no file of this program become longer than some bytes; empty lets it.
func limitFiles(bytes string) {
	n, err := strconv.ParseUint(bytes, 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ) // else it ends the program
	limit := syscall.Rlimit{Cur: n, Max: n}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
}

// become makes this program run as another user; empty leaves it as it is.
func become(user string) {
	id, err := strconv.Atoi(user)
	if err != nil {
		return
	}
	if err := errors.Join(syscall.Setgid(id), syscall.Setuid(id)); err != nil {
		panic(err)
	}
}
