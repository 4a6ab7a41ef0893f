//go:build unix

package ownfile

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What never ends, and what never begins, is told at once.
func TestReadEndless(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]string{
		pipe: "is a pipe", socket: "is a socket", "/dev/zero": "another device", "/dev/tty": "another device",
		"/dev/null": "another device", "/dev/stdin": "",
	} {
		link := filepath.Join(dir, "link")
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := Read(link, Small)
			ended <- err
		}()
		select {
		case err := <-ended:
			if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: reading hangs", path)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
}

// A file whose stated size is zero is read all the same, up to the limit.
func TestReadWithoutSize(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip(err)
	}
	if data, err := Read("/proc/self/status", Small); err != nil || len(data) == 0 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if _, err := Read("/proc/self/status", 1); err == nil {
		t.Error("the limit does not hold where no size is stated")
	}
}
