//go:build unix

package export

import (
	"os/exec"
	"syscall"
)

// detach gives a command a session of its own: it cannot reach the terminal,
// and is stopped together with all that it started.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
