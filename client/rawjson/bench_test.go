package rawjson

import (
	"bytes"
	"context"
	"testing"
)

func BenchmarkIndex115MB(b *testing.B) {
	data := bigBody()
	for name, src := range sources(data) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				x, err := BuildIndex(context.Background(), src)
				if err != nil || x.Len() < 100_000 {
					b.Fatalf("%d records, error %v", x.Len(), err)
				}
			}
		})
	}
}

// sources are the ways a body may be held.
func sources(data []byte) map[string]Source {
	var buffer Buffer
	_, _ = buffer.Write(data)
	buffer.Close(nil)
	return map[string]Source{"bytes": Bytes(data), "buffer": &buffer, "file": NewFile(bytes.NewReader(data), int64(len(data)))}
}

func BenchmarkIndexNDJSON(b *testing.B) {
	data := bytes.ReplaceAll(bigBody()[2:], []byte("\n,"), []byte("\n"))
	data = data[:len(data)-2]
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if x, err := BuildIndex(context.Background(), Bytes(data)); err != nil || x.Shape() != Lines {
			b.Fatalf("shape %d, error %v", x.Shape(), err)
		}
	}
}

func BenchmarkValidate115MB(b *testing.B) {
	data := bigBody()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if err := Validate(context.Background(), Bytes(data), 0, len(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch115MB(b *testing.B) {
	data := bigBody()
	for _, q := range []Query{
		{Text: "cus_00099990"},
		{Text: "CUS_00099990", Fold: true},
		{Text: "MÜLLER", Fold: true},
		{Text: `cus_0009999\d`, Regexp: true},
	} {
		p, err := q.Compile()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(q.Text, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if n, err := p.Search(context.Background(), Bytes(data), SearchOptions{}); err != nil || n == 0 {
					b.Fatalf("%d matches, error %v", n, err)
				}
			}
		})
	}
}

func BenchmarkRecordAndGet(b *testing.B) {
	x, err := BuildIndex(context.Background(), Bytes(customers(1000)))
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, ok := x.Record(i % 1000).Get("notes"); !ok {
			b.Fatal("no notes")
		}
	}
}

func BenchmarkTreeScreen(b *testing.B) {
	x, err := BuildIndex(context.Background(), Bytes(bigBody()))
	if err != nil {
		b.Fatal(err)
	}
	tree := NewTree(Root(x.Source()), x, 1)
	lines := make([]Line, 0, 60)
	for i := 0; b.Loop(); i++ {
		lines = tree.Lines(i*7919%100_000, 60, lines[:0])
	}
	if len(lines) == 0 {
		b.Fatal("no lines")
	}
}
