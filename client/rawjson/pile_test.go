package rawjson

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Bodies of any size stand in one file and are read as they were, with few blocks of
// all of them in memory.
func TestPileKeepsBodies(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "pile"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := NewPile(f)
	var bodies [][]byte
	var files []*File
	for i := range 3 * fileBlocks {
		size := []int{0, 1, 5000, fileBlock, fileBlock + 7, 3*fileBlock - 1}[i%6]
		body := bytes.Repeat(fmt.Appendf(nil, "%d,", i), size)[:size]
		var b Buffer
		_, _ = b.Write(body)
		file, err := p.Add(&b)
		if err != nil || file.Len() != size {
			t.Fatalf("%d bytes, %v", file.Len(), err)
		}
		bodies, files = append(bodies, body), append(files, file)
	}
	for i, file := range files {
		for at := 0; at < file.Len(); at += 100_000 {
			to := min(at+120_000, file.Len())
			if !bytes.Equal(file.Slice(at, to), bodies[i][at:to]) {
				t.Fatalf("body %d differs behind byte %d", i, at)
			}
		}
		if file.Err() != nil {
			t.Error(file.Err())
		}
	}
	if n := len(p.cache.blocks); n > fileBlocks {
		t.Errorf("%d blocks are kept", n)
	}
}
