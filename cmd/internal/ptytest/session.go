//go:build unix

package ptytest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/term"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// Session is a program in a terminal. Use Start.
type Session struct {
	// Cmd is the program.
	Cmd *exec.Cmd

	tb     testing.TB
	tty    *os.File
	before *term.State
	seen   func(s *Session, raw []byte)

	mu    sync.Mutex
	em    *vt.Emulator
	state state
	raw   []byte
	more  chan struct{}
	ended chan struct{}
}

// Options say how a program is started.
type Options struct {
	W, H int
	Args []string
	// Env is added to a small clean environment; Dir is the working folder.
	Env []string
	Dir string
	// Seen is called with all output so far whenever more came.
	Seen func(s *Session, raw []byte)
}

// Start starts a program in a new terminal. It is killed at the end of the test.
func Start(tb testing.TB, program string, o Options) *Session {
	tb.Helper()
	s := &Session{tb: tb, more: make(chan struct{}, 1), ended: make(chan struct{}), seen: o.Seen,
		em: vt.NewEmulator(o.W, o.H)}
	s.state.follow(s.em)
	s.Cmd = exec.Command(program, o.Args...)
	s.Cmd.Dir = o.Dir
	s.Cmd.Env = append([]string{"HOME=" + tb.TempDir(), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color",
		"COLORTERM=truecolor", "LANG=C.UTF-8", "PATCHBAY_NO_KEYRING=1"}, o.Env...)
	master, slave, err := pty.Open()
	if err != nil {
		tb.Fatal(err)
	}
	defer slave.Close()
	if err := pty.Setsize(master, size(o.W, o.H)); err != nil {
		tb.Fatal(err)
	}
	if s.before, err = term.GetState(int(master.Fd())); err != nil {
		tb.Fatal(err)
	}
	s.tty = master
	s.Cmd.Stdin, s.Cmd.Stdout, s.Cmd.Stderr = slave, slave, slave
	s.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // its stdin is its own terminal
	if err := s.Cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	go s.read()
	go s.reply()
	tb.Cleanup(func() { _ = s.Cmd.Process.Kill(); _ = master.Close() })
	return s
}

func size(w, h int) *pty.Winsize { return &pty.Winsize{Cols: uint16(w), Rows: uint16(h)} }

func (s *Session) read() {
	defer s.wake()
	defer close(s.ended)
	buf := make([]byte, 64<<10)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.raw = append(s.raw, buf[:n]...)
		if s.seen != nil {
			s.seen(s, s.raw)
		}
		_, _ = s.em.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
		s.wake()
	}
}

// wake lets who waits look again.
func (s *Session) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// answersKept is how many answers of the terminal may wait for the program.
const answersKept = 4096

// reply hands the terminal's answers to the program. They are taken from the
// terminal at once, although the program may read nothing for a while: a
// terminal that waited would not show what the program writes meanwhile.
func (s *Session) reply() {
	answers := make(chan []byte, answersKept)
	defer close(answers)
	go func() {
		for answer := range answers {
			_, _ = s.tty.Write(answer) // the program may have ended
		}
	}()
	buf := make([]byte, 4096)
	for {
		n, err := s.em.Read(buf)
		if err != nil {
			return
		}
		answers <- bytes.Clone(buf[:n])
	}
}

// Screen is what the terminal shows, as text.
func (s *Session) Screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ansi.Strip(s.em.Render())
}

// Output is everything that the program wrote.
func (s *Session) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.raw)
}

// Until waits for a text on the screen.
func (s *Session) Until(text string) {
	s.tb.Helper()
	s.Wait(text, func() bool { return strings.Contains(s.Screen(), text) })
}

// Answer types a key again and again until the question leaves the screen: one
// that just opened takes no answer.
func (s *Session) Answer(key, question string) {
	s.tb.Helper()
	s.Wait(question, func() bool {
		gone := s.Ended() || !strings.Contains(s.Screen(), question)
		if !gone {
			_ = s.TryType(key) // it may have ended meanwhile
		}
		return gone
	})
}

// Gone waits for a text to leave the screen.
func (s *Session) Gone(text string) {
	s.tb.Helper()
	s.Wait(text, func() bool { return !strings.Contains(s.Screen(), text) })
}

// Wait waits until something is done; text is what a failure tells of.
func (s *Session) Wait(text string, done func() bool) {
	s.tb.Helper()
	deadline, again := time.After(patience), time.NewTicker(patience/200)
	defer again.Stop()
	for !done() {
		select {
		case <-s.more:
		case <-again.C:
		case <-deadline:
			s.tb.Fatalf("waiting for %q to come or go:\n%s", text, s.Screen())
		}
	}
}

// Type sends text as if it were typed.
func (s *Session) Type(text string) {
	s.tb.Helper()
	if err := s.TryType(text); err != nil {
		s.tb.Fatal(err)
	}
}

// TryType is Type for a program that may have ended.
func (s *Session) TryType(text string) error {
	_, err := s.tty.WriteString(text)
	return err
}

// Resize gives the terminal another size.
func (s *Session) Resize(w, h int) {
	s.tb.Helper()
	s.mu.Lock()
	s.em.Resize(w, h)
	s.mu.Unlock()
	if err := pty.Setsize(s.tty, size(w, h)); err != nil {
		s.tb.Fatal(err)
	}
}

// End waits for the program's end and returns its exit code.
func (s *Session) End() int {
	s.tb.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Cmd.Wait() }()
	select {
	case err := <-done:
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			s.tb.Fatal(err)
		}
	case <-time.After(patience):
		s.tb.Fatalf("the program does not end:\n%s", s.Screen())
	}
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.tb.Fatal("something still holds the terminal open")
	}
	return s.Cmd.ProcessState.ExitCode()
}

// Look calls f while nothing is read, so that it may read what Seen wrote.
func (s *Session) Look(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Ended reports whether the program and all that it started let the terminal go.
func (s *Session) Ended() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}
