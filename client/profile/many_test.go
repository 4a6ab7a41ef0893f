package profile

import (
	"bytes"
	"fmt"
	"testing"
)

// manyProfiles are the settings of n profiles.
func manyProfiles(n int) []byte {
	var b bytes.Buffer
	b.WriteString("default: p1\nprofiles:\n")
	for i := range n {
		fmt.Fprintf(&b, "  p%d:\n    base_url: https://h%d.example.test\n", i, i)
	}
	return b.Bytes()
}

// Very many profiles are read, looked up, changed and written.
func TestManyProfilesAreRead(t *testing.T) { readMany(t, 2_000) }

func readMany(t testing.TB, n int) {
	t.Helper()
	s, err := Parse("settings.yaml", manyProfiles(n))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range s.Names() {
		p, _ := s.Profile(name)
		s.Put(p)
	}
	if data, err := s.Encode(); err != nil || len(s.Names()) != n || len(data) == 0 {
		t.Fatal(err)
	}
}

// Ten times as many profiles take about ten times as long, not a hundred times.
func BenchmarkManyProfiles(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				readMany(b, n)
			}
		})
	}
}
