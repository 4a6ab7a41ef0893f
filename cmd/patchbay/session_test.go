//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// binary is the built program.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "patchbay-test-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "patchbay")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// session is the built program in a terminal of its own.
type session struct {
	tb   testing.TB
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	em   *vt.Emulator
	raw  []byte
	more chan struct{}
	// mark is a text whose arrival is timed: used is the CPU time of the process then.
	mark string
	used time.Duration
}

func start(tb testing.TB, w, h int, args ...string) *session {
	tb.Helper()
	home := tb.TempDir()
	s := &session{tb: tb, em: vt.NewEmulator(w, h), more: make(chan struct{}, 1), mark: "demo"}
	s.cmd = exec.Command(binary, args...)
	s.cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATCHBAY_NO_KEYRING=1"}
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)})
	if err != nil {
		tb.Fatal(err)
	}
	s.tty = tty
	go s.read()
	go s.reply()
	tb.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = tty.Close() })
	return s
}

func (s *session) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.raw = append(s.raw, buf[:n]...)
		if s.mark != "" && s.used == 0 && bytes.Contains(s.raw, []byte(s.mark)) {
			s.used = cpu(s.tb, s.cmd.Process.Pid)
		}
		_, _ = s.em.Write(buf[:n])
		s.mu.Unlock()
		select {
		case s.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// reply hands the terminal's answers to the program.
func (s *session) reply() {
	buf := make([]byte, 4096)
	for {
		n, err := s.em.Read(buf)
		if err != nil {
			return
		}
		if _, err := s.tty.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (s *session) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ansi.Strip(s.em.Render())
}

// until waits for a text on the screen, gone for its going away.
func (s *session) until(text string) { s.tb.Helper(); s.wait(text, true) }
func (s *session) gone(text string)  { s.tb.Helper(); s.wait(text, false) }

func (s *session) wait(text string, there bool) {
	s.tb.Helper()
	deadline := time.After(20 * time.Second)
	for strings.Contains(s.screen(), text) != there {
		select {
		case <-s.more:
		case <-deadline:
			s.tb.Fatalf("%q on the screen: want %v\n%s", text, there, s.screen())
		}
	}
}

func (s *session) keys(text string) {
	s.tb.Helper()
	if _, err := s.tty.WriteString(text); err != nil {
		s.tb.Fatal(err)
	}
}

// end waits for the program's end and returns its exit code.
func (s *session) end() int {
	s.tb.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		s.tb.Fatalf("the program does not end:\n%s", s.screen())
	}
	return s.cmd.ProcessState.ExitCode()
}

// restored checks that the program left the terminal as it found it.
func (s *session) restored() {
	s.tb.Helper()
	s.mu.Lock()
	raw := string(s.raw)
	s.mu.Unlock()
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l", "\x1b[?1002h": "\x1b[?1002l"} {
		if strings.LastIndex(raw, on) > strings.LastIndex(raw, off) {
			s.tb.Errorf("%q was switched on and not off again", on)
		}
	}
}

func TestSession(t *testing.T) {
	s := start(t, 120, 36)
	s.until("20 rows")
	s.until("every key")
	s.keys("\x1b")
	s.gone("first time here?")
	s.keys(".")
	s.until("page 2, more")
	s.keys("jj")
	s.until("row 3 of 20")
	s.mu.Lock()
	s.em.Resize(80, 24)
	s.mu.Unlock()
	if err := pty.Setsize(s.tty, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	s.until("SANDBOX │ demo")
	s.keys("q")
	s.until("Leave patchbay?")
	s.keys("y")
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.restored()
}

func TestTerminationRestoresTheTerminal(t *testing.T) {
	s := start(t, 80, 24)
	s.until("20 rows")
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.restored()
}

func TestNoTerminal(t *testing.T) {
	cmd := exec.Command(binary)
	cmd.Env = []string{"HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "needs a terminal") {
		t.Errorf("without a terminal: %v\n%s", err, out)
	}
}

// BenchmarkStart prints the CPU time of the process, all threads, from its
// start to the first useful frame: the tree and the panes.
func BenchmarkStart(b *testing.B) {
	if _, err := os.Stat("/proc/self/task"); err != nil {
		b.Skip("needs /proc")
	}
	var total time.Duration
	for b.Loop() {
		s := start(b, 120, 36, "--sandbox")
		s.until("demo")
		s.mu.Lock()
		total += s.used
		s.mu.Unlock()
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "cpu-ms/start")
}

// cpu is the time that all threads of a process have run.
func cpu(tb testing.TB, pid int) time.Duration {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(tasks) == 0 {
		tb.Fatalf("no threads of process %d: %v", pid, err)
	}
	var sum time.Duration
	for _, t := range tasks {
		data, err := os.ReadFile(t)
		if err != nil {
			continue // a thread that has just ended
		}
		ns, err := strconv.ParseInt(strings.Fields(string(data))[0], 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		sum += time.Duration(ns)
	}
	return sum
}
