//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"patchbay/client/ownfile"
	"patchbay/cmd/internal/ptytest"
)

// neverEnding are things that a name of a file can lead to and that never end, or
// never begin; each is made at a path.
var neverEnding = map[string]func(path string) error{
	"pipe":     func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"device":   func(path string) error { return os.Symlink("/dev/zero", path) },
	"terminal": func(path string) error { return os.Symlink("/dev/tty", path) },
	"large":    func(path string) error { return os.WriteFile(path, make([]byte, ownfile.Large+1), 0o600) },
	"folder":   func(path string) error { return os.Mkdir(path, 0o700) },
}

// ownFiles are the files that are read at some time, each with a command that
// reads it, and whether that command goes on without it.
var ownFiles = []struct {
	path, command string
	goesOn        bool
}{
	{"config/patchbay/settings.yaml", "profiles list", false},
	{"config/patchbay/keys.yaml", "keys", false},
	{"config/patchbay/themes/mine.yaml", "themes", true},
	{"config/patchbay/catalog/mine.yaml", "catalog", true},
	{"config/patchbay/patchbay.d/mine.yaml", "run", true},
	{"patchbay.d/mine.yaml", "run", true},
	{"config/patchbay/secrets.json", "--profile work connectors list", false},
	{"cache/patchbay/connectors.json", "connectors list --sandbox --workspace demo", true},
}

// place makes a folder with the one file at path, and the environment that uses it.
func place(t *testing.T, path string, make func(string) error) (dir string, env []string) {
	dir = t.TempDir()
	file := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := make(file); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(dir, "config/patchbay/settings.yaml")
	if settings != file {
		if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
			t.Fatal(err)
		}
		text := "profiles:\n  work:\n    base_url: http://127.0.0.1:1\n    credentials:\n      token:\n        file: work\n"
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir + "/config", "XDG_STATE_HOME=" + dir + "/state",
		"XDG_CACHE_HOME=" + dir + "/cache", "PATCHBAY_NO_KEYRING=1", "TERM=xterm-256color"}
}

// Whatever a file of settings is, every command ends by itself in little memory,
// and says which file is meant.
func TestFilesThatNeverEnd(t *testing.T) {
	for _, f := range ownFiles {
		for what, make := range neverEnding {
			t.Run(filepath.Base(filepath.Dir(f.path))+"/"+filepath.Base(f.path)+"/"+what, func(t *testing.T) {
				dir, env := place(t, f.path, make)
				var out bytes.Buffer
				cmd := exec.Command(binary, strings.Fields(f.command)...)
				cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
				err := cmd.Wait()
				if !timer.Stop() {
					t.Fatal("it does not end by itself")
				}
				if f.goesOn && err != nil {
					t.Errorf("one bad file stops it: %v\n%s", err, out.String())
				}
				cached := strings.HasPrefix(f.path, "cache/") // losing it loses nothing but the asking
				left := what == "folder" && strings.Contains(f.path, "patchbay.d")
				if !cached && !left && !strings.Contains(out.String(), filepath.Base(f.path)) {
					t.Errorf("it does not name the file:\n%s", out.String())
				}
				if most := peak(cmd); most > 300<<20 {
					t.Errorf("it takes %d MiB", most>>20)
				}
			})
		}
	}
}

// peak is the most memory that an ended program had, in bytes.
func peak(cmd *exec.Cmd) int64 {
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}

// The explorer starts over each of them, and ends when it is asked to.
func TestStartOverFilesThatNeverEnd(t *testing.T) {
	own, err := exec.LookPath(binary)
	if err != nil {
		t.Fatal(err)
	}
	files := append(ownFiles[1:6:6], ownFiles[7])
	files = append(files, struct {
		path, command string
		goesOn        bool
	}{path: "state/patchbay/ui.json"})
	for _, f := range files {
		for _, what := range []string{"pipe", "device", "terminal"} {
			t.Run(filepath.Base(f.path)+"/"+what, func(t *testing.T) {
				dir, env := place(t, f.path, neverEnding[what])
				s := ptytest.Start(t, own, ptytest.Options{W: 100, H: 40, Dir: dir, Env: env, Args: []string{"--sandbox"}})
				s.Until("customers / list")
				if err := s.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				if code := s.End(); code != 128+int(syscall.SIGTERM) {
					t.Errorf("exit code %d", code)
				}
			})
		}
	}
}

// Input that is a pipe on purpose is waited for, until a signal comes.
func TestWaitingForInputCanBeInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"payload", "--json", "@" + pipe}, {"payload", "--from", pipe},
		{"payload", "--json", "-"}, {"connectors", "execute", "--sandbox", "--json", "-"}} {
		cmd := exec.Command(binary, args...)
		cmd.Env = cleanEnv(t)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if args[len(args)-1] != "-" {
			if in, err = os.OpenFile(pipe, os.O_WRONLY, 0); err != nil { // waits until it is read
				t.Fatal(err)
			}
		}
		// More than a pipe holds: once it is taken, somebody reads.
		if _, err := in.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		in.Close()
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%s: exit code %d: %s", args, code, stderr.String())
		}
	}
}
