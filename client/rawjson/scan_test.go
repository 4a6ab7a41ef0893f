package rawjson

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestScannerGivesWhatTheIndexDoes(t *testing.T) {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 300 {
		size := i * 20
		if i%100 == 50 {
			size = windowSize + i // too long for the window
		}
		fmt.Fprintf(&b, `{"id":%d,"text":"%s","nested":{"a":[1,{"b":null}]}},`, i, strings.Repeat("x", size))
	}
	b.WriteString(`{"last":true}]`)
	body := b.String()
	for name, src := range map[string]Source{"file": NewFile(strings.NewReader(body), int64(len(body))), "bytes": Bytes(body)} {
		x, err := BuildIndex(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		order := rand.New(rand.NewPCG(1, 2)).Perm(x.Len())
		for i := range x.Len() {
			order = append(order, i)
		}
		s := x.Scan()
		for _, i := range order {
			want, got := x.Record(i), s.Record(i)
			if string(got.Raw()) != string(want.Raw()) || got.Kind() != want.Kind() || got.Cut() != want.Cut() {
				t.Fatalf("%s: record %d differs", name, i)
			}
			a, _ := want.Lookup(MustPath("nested.a"))
			c, _ := got.Lookup(MustPath("nested.a"))
			if string(a.Raw()) != string(c.Raw()) {
				t.Fatalf("%s: in record %d %s is %s", name, i, a.Raw(), c.Raw())
			}
		}
		if s.Record(-1).Exists() || s.Record(x.Len()).Exists() {
			t.Errorf("%s: records that are not there exist", name)
		}
	}
}
