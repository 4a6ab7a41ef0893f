package source

import (
	"fmt"
	"strings"
	"testing"

	"patchbay/catalog"
)

// manyEntities is a kind of n entities that refer to each other.
func manyEntities(n int, ref string) []byte {
	var b strings.Builder
	b.WriteString("kind: many\ntitle: Many\nsystem: Many\nconnector_type: many\ndoc: Very many.\nrelations:\n")
	for i := range n / 2 {
		fmt.Fprintf(&b, "  - {from: e%d, field: id, to: e%d, source: derived}\n", i, i+1)
	}
	b.WriteString("entities:\n")
	for i := range n {
		fmt.Fprintf(&b, "  e%d:\n    doc: One of many.\n    record:\n      id: {type: string, ref: %s%d}\n"+
			"    actions:\n      list: {doc: Lists them.}\n", i, ref, n-1-i)
	}
	return []byte(b.String())
}

// Very many entities are read, and so is a file in which nothing is right.
func TestManyEntitiesAreRead(t *testing.T) {
	readMany(t, 2_000)
	if _, problems := Parse("many.yaml", manyEntities(2_000, "unknown")); len(problems) != 2_000 {
		t.Errorf("%d problems, want 2,000", len(problems))
	}
}

func readMany(t testing.TB, n int) {
	t.Helper()
	kind, problems := Parse("many.yaml", manyEntities(n, "e"))
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	c := catalog.New()
	c.Put(kind)
	if again, err := c.Copy("many"); err != nil || len(again.Entities) != n {
		t.Fatal(err)
	}
}

// Ten times as many entities take about ten times as long, not a hundred times.
func BenchmarkManyEntities(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				readMany(b, n)
			}
		})
	}
}
