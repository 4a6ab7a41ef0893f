package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.yaml", "kind: good\ntitle: Good\nsystem: Good\nconnector_type: good\nentities: {things: {actions: {list: {}}}}\n")
	bad := write("bad.yaml", "kind: bad\n")
	out := filepath.Join(dir, "out.bin")
	for _, test := range []struct {
		name string
		args []string
		want int
	}{
		{"check good", []string{"-check", good}, 0},
		{"check bad", []string{"-check", good, bad}, 1},
		{"missing file", []string{"-check", filepath.Join(dir, "none.yaml")}, 1},
		{"bad folder", []string{"-from", dir, "-to", out}, 1},
		{"compile", []string{"-to", out, good}, 0},
		{"nowhere to write", []string{"-to", filepath.Join(dir, "no", "out.bin"), good}, 1},
	} {
		if got := run(test.args); got != test.want {
			t.Errorf("%s: exit code %d, want %d", test.name, got, test.want)
		}
	}
	if info, err := os.Stat(out); err != nil || info.Size() == 0 {
		t.Errorf("nothing was compiled: %v", err)
	}
}
