package kindfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"patchbay/catalog"
)

// written puts connector files into a folder of their own.
func written(t testing.TB, n int) (dir, kept string) {
	t.Helper()
	dir = t.TempDir()
	for i := range n {
		text := fmt.Sprintf("kind: own%d\ntitle: Own\nsystem: Own\nconnector_type: own%d\nentities:\n", i, i)
		for j := range 20 {
			text += fmt.Sprintf("  things%d:\n    record: {id: string, name: string|null}\n    actions:\n      list:\n"+
				"        params: {limit: integer, page: integer}\n        http: GET /things%d\n", j, j)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("own%d.yaml", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(t.TempDir(), "kinds.bin")
}

func TestKeptKindsAreThoseOfTheFiles(t *testing.T) {
	dir, kept := written(t, 3)
	fresh := func() *catalog.Catalog {
		c := catalog.New()
		if problems := Load(c, dir, kept); len(problems) > 0 {
			t.Fatal(problems)
		}
		return c
	}
	read, again := fresh(), fresh()
	if len(read.Changed()) != 3 || len(again.Changed()) != 0 {
		t.Fatalf("%d and %d kinds were read from their files", len(read.Changed()), len(again.Changed()))
	}
	var a, b bytes.Buffer
	for _, one := range []struct {
		c   *catalog.Catalog
		out *bytes.Buffer
	}{{read, &a}, {again, &b}} {
		if err := one.c.WriteJSON(one.out, "own2", "", ""); err != nil {
			t.Fatal(err)
		}
		if hits := one.c.Search("things19", 50); len(hits) == 0 {
			t.Error("the search does not find them")
		}
	}
	if a.String() != b.String() || a.Len() == 0 {
		t.Error("a kept kind differs from its file")
	}
	if err := os.Remove(filepath.Join(dir, "own1.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh().Kind("own1"); err == nil {
		t.Error("a kind is known whose file is gone")
	}
	data, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-9] ^= 1
	if err := os.WriteFile(kept, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if c := fresh(); len(c.Changed()) != 2 {
		t.Error("damaged kept kinds are believed")
	}
}

func TestBrokenFilesAreToldEachTime(t *testing.T) {
	dir, kept := written(t, 1)
	if err := os.WriteFile(filepath.Join(dir, "broken.yaml"), []byte("kind: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if problems := Load(catalog.New(), dir, kept); len(problems) != 1 {
			t.Errorf("told: %v", problems)
		}
	}
}

func BenchmarkStartWith(b *testing.B) {
	for _, n := range []int{0, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir, kept := written(b, n)
			Load(catalog.New(), dir, kept)
			for b.Loop() {
				c := catalog.New()
				if problems := Load(c, dir, kept); len(problems) > 0 || len(c.Kinds()) < n {
					b.Fatal(problems)
				}
			}
		})
	}
}
