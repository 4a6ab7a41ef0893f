//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package export

import (
	"errors"
	"path/filepath"
	"testing"
)

// Two programs do not write the same unfinished file.
func TestAnUnfinishedFileHasOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	r := begin(t, path, JSON)
	r.put(t, 0, 2)
	r.saved(t)
	if _, err := Look(path, JSON, "call"); !errors.Is(err, ErrBusy) {
		t.Errorf("a look says %v", err)
	}
	if _, err := Resume(path, JSON, "call"); !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
	r.put(t, 2, 6)
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, whole[JSON])
}
