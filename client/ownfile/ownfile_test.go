package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(file, []byte("12345678"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{file, link} {
		if data, err := Read(path, 8); err != nil || string(data) != "12345678" {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := Read(file, 7); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("a file over the limit: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none"), 8); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Read(dir, 8); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
}
