package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patchbay/cmd/internal/ptytest"
)

// BenchmarkCursorMove prints the bytes that the terminal gets for most moves
// of the cursor down a table in which every fourth name has wide characters.
func BenchmarkCursorMove(b *testing.B) {
	const rows = 2000
	var records strings.Builder
	names := []string{"Ada Okafor", "Zoë Dubois", "花子 Silva", "Omar Nguyen"}
	for i := range rows {
		fmt.Fprintf(&records,
			`{"id":"cus_%08d","name":%q,"email":"user%d@example.test","currency":"eur","balance":%d}`+"\n", i,
			names[i%len(names)], i, i*7919%100_000)
	}
	file := filepath.Join(b.TempDir(), "records.ndjson")
	if err := os.WriteFile(file, []byte(records.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	s := ptytest.Start(b, binary, ptytest.Options{W: 120, H: 40, Args: []string{"open", file}})
	s.Until("row 1 of 2,000")
	var sent []int
	before := len(s.Output())
	for b.Loop() {
		key, at := "j", len(sent)%(rows-1)+2
		if len(sent)/(rows-1)%2 == 1 {
			key, at = "k", rows-len(sent)%(rows-1)-1
		}
		s.Type(key)
		s.Until("row " + grouped(at) + " of")
		now := len(s.Output())
		sent, before = append(sent, now-before), now
	}
	slices.Sort(sent)
	b.ReportMetric(float64(sent[len(sent)/2]), "bytes/move(median)")
}

// grouped writes a number below a million as the screen does.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
