//go:build unix

package cli

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// noSuspend says why the program cannot be suspended. A program that no shell of its
// terminal controls is never continued: where a multiplexer, ssh or a container runs
// it directly, it leads its session or is in the group of what does.
func noSuspend() string {
	leader, err := unix.Getsid(0)
	if err != nil {
		return ""
	}
	its, gone := unix.Getsid(unix.Getppid())
	switch {
	case stopIgnored():
		return "the program was started so that it cannot be stopped: ctrl+z is left alone"
	case unix.Getpgrp() == leader, gone != nil, its != leader:
		return "no shell here would continue the program: ctrl+z is left alone"
	}
	return ""
}

// stopIgnored reports whether the program was started with the signal ignored that is
// to stop it. Only Linux tells; the runtime does not.
var stopIgnored = sync.OnceValue(func() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(status), "\nSigIgn:")
	line, _, _ := strings.Cut(rest, "\n")
	set, err := strconv.ParseUint(strings.TrimSpace(line), 16, 64)
	return err == nil && set&(1<<(uint(syscall.SIGTSTP)-1)) != 0
})
