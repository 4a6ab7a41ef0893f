package ui

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// A file that is cut short while it is open stays on the screen as far as it is
// there, and nothing of it is written out as if it were whole.
func TestAFileThatShrinksIsToldOfAndNotExported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "export.json")
	data := customers(130_000) // more than what a source keeps of it in memory
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := answer.OpenDocument(t.Context(), rawjson.NewFile(f, int64(len(data))), answer.Reading{Name: "export.json", Size: int64(len(data))})
	d.WaitWhole(t.Context())
	p := play(t, Deps{Document: d}, 120, 36)
	p.send(tickMsg{})
	p.wants("cus_0000", "130,000 rows")
	if err := f.Truncate(1000); err != nil {
		t.Fatal(err)
	}
	for _, e := range p.m.res.Exports() {
		if err := e.Write(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "open it again") {
			t.Errorf("%s: %v", e.Title, err)
		}
	}
	p.wants("changed since it was opened", "not what it was", "open it again")
}
