package definition

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

// kinds are all of the embedded catalog, as their files say.
func kinds(t testing.TB) []*catalog.Kind {
	t.Helper()
	files, err := filepath.Glob("../connectors/*.yaml")
	all, problems := source.Read(files)
	if err != nil || len(problems) > 0 || len(all) < 20 {
		t.Fatal(len(all), err, problems)
	}
	return all
}

func TestExportedKindsReadBackEqual(t *testing.T) {
	for _, k := range kinds(t) {
		t.Run(k.Name, func(t *testing.T) {
			first, err := Export(k)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Import(first, Options{From: k.Name + ".yaml"})
			if err != nil {
				t.Fatal(err)
			}
			want, got := source.Write(k), source.Write(r.Kind)
			if !bytes.Equal(want, got) {
				a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
				for i := range a {
					if i >= len(b) || a[i] != b[i] {
						t.Fatalf("line %d:\n%s\nbecame\n%s", i, strings.Join(a[max(0, i-6):min(len(a), i+3)], "\n"),
							strings.Join(b[max(0, min(len(b), i-6)):min(len(b), i+3)], "\n"))
					}
				}
				t.Fatal("the kind became longer")
			}
			read, problems := source.Parse(k.Name, got)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if second, err := Export(read); err != nil || !bytes.Equal(first, second) {
				t.Errorf("the second export differs from the first: %v", err)
			}
		})
	}
}
