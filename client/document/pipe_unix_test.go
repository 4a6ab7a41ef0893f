//go:build unix

package document

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"patchbay/client/answer"
)

// A named pipe that nobody writes into yet is opened at once.
func TestANamedPipeDoesNotHoldTheScreen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	d, _, err := Open(t.Context(), path, answer.Question{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{\"id\":1}\n{\"id\":2}\n"), 0); err != nil {
		t.Fatal(err)
	}
	if d.WaitWhole(t.Context()); d.Index.Len() != 2 || d.Index.Err() != nil {
		t.Errorf("%d records, %v", d.Index.Len(), d.Index.Err())
	}
}
