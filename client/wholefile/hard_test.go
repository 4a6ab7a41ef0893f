package wholefile_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// before is how many values a writer wrote before things became hard.
const before = 3

// written is a folder in which a writer wrote some values.
func written(t *testing.T, w writer) string {
	t.Helper()
	dir := t.TempDir()
	for n := range before {
		if err := w.write(dir, n+1); err != nil {
			t.Fatal(err)
		}
	}
	closeRuns(t, dir)
	return dir
}

func closeRuns(t *testing.T, dir string) {
	t.Helper()
	if s := openRuns[dir]; s != nil {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// goOn has another program write on, in files of at most limit bytes, or as another
// user, and returns what it says.
func goOn(name, dir, limit, as string) string {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childWriter+"="+name, childDir+"="+dir, childFrom+"="+strconv.Itoa(before),
		childTo+"="+strconv.Itoa(before+2), childLimit+"="+limit, childUser+"="+as)
	out, err := c.CombinedOutput()
	if err != nil && len(out) == 0 {
		return err.Error()
	}
	return string(out)
}

// stays looks whether all a writer had written is there, that no half of a file is
// left, and that it can go on.
func stays(t *testing.T, w writer, dir, said string) {
	t.Helper()
	there, err := w.read(dir)
	if err != nil || there < before {
		t.Errorf("%d values are there, %v; it said %q", there, err, said)
	}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error {
		if strings.HasSuffix(path, ".partial") || strings.Contains(path, ".unreadable") {
			t.Errorf("left behind: %s", e.Name())
		}
		return nil
	})
	if err := w.write(dir, there+1); err != nil {
		t.Errorf("it does not go on: %v", err)
	}
	closeRuns(t, dir)
	if now, err := w.read(dir); err != nil || now != there+1 {
		t.Errorf("after it went on %d values are there, want %d, %v", now, there+1, err)
	}
}

// On a disk that is full, from any byte on, nothing that was written is lost, and it
// is told.
func TestFullDisk(t *testing.T) {
	if !limited {
		t.Skip("files cannot be bounded here")
	}
	for name, w := range writers {
		t.Run(name, func(t *testing.T) {
			told := 0
			for _, limit := range []int{0, 20, 500, 4096, 16 << 10, 100 << 10} {
				dir := written(t, w)
				said := goOn(name, dir, strconv.Itoa(limit), "")
				if strings.Contains(said, "error") {
					told++
					if !slices.ContainsFunc([]string{"too large", "disk"}, func(w string) bool { return strings.Contains(said, w) }) {
						t.Errorf("it only says %q", said)
					}
				}
				stays(t, w, dir, said)
			}
			if told == 0 {
				t.Error("no limit was ever met")
			}
		})
	}
}

// A folder and files that are somebody else's, or that nobody may write, stay as they
// are, and it is told.
func TestFoldersOfSomebodyElse(t *testing.T) {
	if !limited {
		t.Skip("there are no owners here")
	}
	const nobody = "65534"
	for name, w := range writers {
		for _, mode := range []fs.FileMode{0o755, 0o500} {
			t.Run(name+" "+mode.String(), func(t *testing.T) {
				as := nobody
				if os.Getuid() != 0 { // one's own folder, made so that it cannot be written
					as, mode = "", mode&0o555
				}
				dir := written(t, w)
				if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, mode)); err != nil {
					t.Fatal(err)
				}
				said := goOn(name, dir, "", as)
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(said, "error") {
					t.Errorf("it said %q", said)
				}
				stays(t, w, dir, said)
			})
		}
	}
}
