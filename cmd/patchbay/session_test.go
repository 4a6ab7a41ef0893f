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
	"syscall"
	"testing"
	"time"

	"patchbay/cmd/internal/ptytest"
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

func start(tb testing.TB, w, h int, args ...string) *ptytest.Session {
	tb.Helper()
	return ptytest.Start(tb, binary, ptytest.Options{W: w, H: h, Args: args})
}

func TestSession(t *testing.T) {
	s := start(t, 120, 36)
	s.Until("20 rows")
	s.Until("every key")
	s.Type("\x1b")
	s.Gone("first time here?")
	s.Type(".")
	s.Until("page 2, more")
	s.Type("jj")
	s.Until("row 3 of 20")
	s.Resize(80, 24)
	s.Until("SANDBOX │ demo")
	s.Type("q")
	s.Until("Leave patchbay?")
	s.Answer("y", "Leave patchbay?")
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.Restored()
}

// A program that a signal ends exits as a shell counts it: 128 and its number.
func TestSignalsRestoreTheTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		signal syscall.Signal
		code   int
	}{"SIGTERM": {syscall.SIGTERM, 143}, "SIGHUP": {syscall.SIGHUP, 129}, "SIGINT": {syscall.SIGINT, 130}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, 80, 24)
			s.Until("20 rows")
			s.Type("T") // a theme that is tried out colours the whole terminal
			s.Until("Theme")
			s.Type("j")
			if err := s.Cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if code := s.End(); code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, s.Screen())
			}
			s.Restored()
		})
	}
}

func TestTheEditorHasTheTerminal(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	script := "#!/bin/sh\nif [ -t 0 ] && [ -t 1 ]; then echo '{\"limit\": 7}' > \"$1\"; fi\n"
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	s := ptytest.Start(t, binary, ptytest.Options{W: 120, H: 36, Env: []string{"EDITOR=" + editor}})
	s.Until("20 rows")
	s.Type("2")
	s.Until("ending_before")
	s.Type("e")
	s.Until("limit                    7 ")
	s.Type("\x03\x03")
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.Restored()
}

// The pager reads the text on its standard input, its keys from the terminal, and
// nothing of the text is left behind.
func TestThePagerHasTheTerminal(t *testing.T) {
	dir := t.TempDir()
	pager, temp := filepath.Join(dir, "pager"), filepath.Join(dir, "temp")
	script := "#!/bin/sh\necho \"got $(wc -l) lines, args: $*\"; ls " + temp + "\nread key </dev/tty; echo gone >" + dir + "/ended\n"
	if err := os.WriteFile(pager, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	s := ptytest.Start(t, binary, ptytest.Options{W: 120, H: 36, Env: []string{"PAGER=" + pager + " -x", "TMPDIR=" + temp}})
	s.Until("20 rows")
	s.Type("e")
	s.Until("lines, args: -x")
	if screen := s.Screen(); strings.Contains(screen, "got 0 lines") || strings.Contains(screen, "patchbay-") {
		t.Errorf("the pager shows\n%s", screen)
	}
	s.Type("\n")
	s.Until("20 rows")
	if _, err := os.Stat(filepath.Join(dir, "ended")); err != nil {
		t.Error(err)
	}
	s.Type("\x03\x03")
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.Restored()
}

// What is pasted may hold the beginning of a control sequence: the keys after it still act.
func TestAPasteLeavesTheKeys(t *testing.T) {
	for _, open := range []string{"\x1b]0;x", "\x1bPx", "\x1b_x", "\xff\x9b31m"} {
		t.Run(fmt.Sprintf("%q", open), func(t *testing.T) {
			t.Parallel()
			s := start(t, 120, 36)
			s.Until("20 rows")
			s.Type("/\x1b[200~" + open + strings.Repeat("1", 100_000) + "\x1b[201~")
			s.Until("1111")
			s.Type("\x03\x03")
			if code := s.End(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			s.Restored()
		})
	}
}

// A suspended program leaves the terminal to the shell, and takes it again.
func TestSuspendLeavesTheTerminal(t *testing.T) {
	s := ptytest.Start(t, "/bin/sh", ptytest.Options{W: 80, H: 24,
		Args: []string{"-c", "set -m; " + binary + "; echo the shell is back; read line; fg"}})
	s.Until("20 rows")
	s.Type("\x1a")
	s.Until("the shell is back")
	s.UntilRestored()
	s.Type("\r")
	s.Until("20 rows")
	s.Type("q")
	s.Until("Leave patchbay?")
	s.Answer("y", "Leave patchbay?")
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.Restored()
}

// Where no shell would continue the program, it stays: it leads its session, is in the
// group of what does, or was started so that it cannot be stopped.
func TestSuspendIsRefusedWithoutAShell(t *testing.T) {
	for name, c := range map[string]struct {
		script, why string
	}{
		"leader":  {"exec " + binary, "no shell here"},
		"group":   {binary + "; exit $?", "no shell here"},
		"deeper":  {"sh -c '" + binary + "; exit $?'; exit $?", "no shell here"},
		"ignored": {"set -m; trap '' TSTP; " + binary + "; exit $?", "cannot be stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ptytest.Start(t, "/bin/sh", ptytest.Options{W: 100, H: 24, Args: []string{"-c", c.script}})
			s.Until("20 rows")
			s.Type("\x1a")
			s.Until(c.why)
			s.Type("q")
			s.Until("Leave patchbay?")
			s.Answer("y", "Leave patchbay?")
			if code := s.End(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			s.Restored()
		})
	}
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
		var used time.Duration
		s := ptytest.Start(b, binary, ptytest.Options{W: 120, H: 36, Args: []string{"--sandbox"},
			Seen: func(s *ptytest.Session, raw []byte) {
				if used == 0 && bytes.Contains(raw, []byte("demo")) {
					used = cpu(b, s.Cmd.Process.Pid)
				}
			}})
		s.Until("demo")
		s.Look(func() { total += used })
		_ = s.Cmd.Process.Kill()
		_ = s.Cmd.Wait()
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
