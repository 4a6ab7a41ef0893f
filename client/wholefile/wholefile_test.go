package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func holds(t *testing.T, path, want string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != want {
		t.Errorf("%s holds %q, want %q, %v", path, data, want, err)
	}
}

// alone checks that nothing but some files is in a folder.
func alone(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if err != nil || strings.Join(have, " ") != strings.Join(want, " ") {
		t.Errorf("in the folder are %v, want %v, %v", have, want, err)
	}
}

func TestAPrivateFileStaysPrivate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != Private {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	alone(t, dir, "f")
}

// What cannot be written, as on a full disk, leaves the old file and nothing beside it.
func TestAFailedWriteChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path, Private)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(f, "half of")
	full := errors.New("no space left on device")
	if err := f.Finish(full); !errors.Is(err, full) {
		t.Error(err)
	}
	holds(t, path, "old")
	alone(t, dir, "f")
}

// A link is followed, and what is no file is left as it is.
func TestLinksAndDevices(t *testing.T) {
	dir := t.TempDir()
	to, link := filepath.Join(dir, "to"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(to, nil, 0o600), os.Symlink(to, link)); err != nil {
		t.Skip(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, to, "new")
	if got, err := os.Readlink(link); err != nil || got != to {
		t.Errorf("the link leads to %q, %v", got, err)
	}
	if err := Write(dir, nil); err == nil {
		t.Error("a folder is written")
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		full := filepath.Join(dir, "full")
		if err := os.Symlink("/dev/full", full); err != nil {
			t.Fatal(err)
		}
		if err := Write(full, []byte("new")); err == nil || !strings.Contains(err.Error(), "no ordinary file") {
			t.Errorf("a device is written: %v", err)
		}
	}
}

// What a killed program left goes after a while; that of one that still writes stays,
// also where the clock was set back meanwhile, or where it writes nothing for long.
func TestWhatAKilledProgramLeftGoes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	slow, err := Create(path, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]time.Duration{filepath.Base(slow.Name()): 2 * time.Hour, ".f.1-0.partial": 2 * time.Hour,
		".f.2-0.partial": time.Minute, ".f.3-0.partial": -3 * time.Hour, ".g.1-0.partial": 2 * time.Hour}
	for name, age := range left {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE, 0o600)
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(f.Name(), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(path, nil); err != nil {
		t.Fatal(err)
	}
	if err := slow.Finish(nil); err != nil {
		t.Error(err)
	}
	alone(t, dir, ".f.2-0.partial", ".f.3-0.partial", ".g.1-0.partial", "f")
}

// A folder that is not ours to write is told of, and nothing in it changes.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := errors.Join(Write(path, []byte("old")), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	if f, err := os.Create(filepath.Join(dir, "try")); err == nil {
		_ = f.Close()
		t.Skip("this user may write anywhere")
	}
	if err := Write(path, []byte("new")); !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
	holds(t, path, "old")
}

func TestAsideLosesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, want := range []string{path + ".unreadable-1", path + ".unreadable-2"} {
		if err := errors.Join(os.WriteFile(path, []byte(want), 0o600), os.WriteFile(path+"-wal", nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if name, err := Aside(path, "-wal", "-shm"); err != nil || name != want {
			t.Fatalf("%q, %v", name, err)
		}
		holds(t, want, want)
		holds(t, want+"-wal", "")
	}
}

// Who changes waits for who changes already.
func TestOneChangeAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	done := make(chan error, 1)
	err := Change(path, func() error {
		go func() { done <- Change(path, func() error { return Write(path, []byte("second")) }) }()
		time.Sleep(10 * lookAgain)
		return Write(path, []byte("first"))
	})
	if err = errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "second")
}
