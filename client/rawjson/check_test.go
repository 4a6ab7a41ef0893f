package rawjson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCheckFindsTheRecordsThatAreNoJSON(t *testing.T) {
	long := strings.Repeat("a", windowSize)
	lines := []string{`{"a":1}`, `{"a":}`, `oops`, `{"long":"` + long + `"}`, `{"long":"` + long + `",}`, `{"b":"x"}`, `{"c" 1}`, `[1]`}
	for len(lines) < 3000 {
		lines = append(lines, `{"id":"some text to fill windows with","n":[1,2,{"x":null}]}`)
	}
	lines = append(lines, `{"cut":`)
	data := []byte(strings.Join(lines, "\n"))
	for _, src := range []Source{Bytes(data), NewFile(bytes.NewReader(data), int64(len(data))), chunked{data, 1000}} {
		x, _ := BuildIndex(t.Context(), src)
		var got, want []int
		for i := range x.Len() {
			if !json.Valid(x.Record(i).Raw()) {
				want = append(want, i)
			}
		}
		last := 0
		if err := x.Check(t.Context(), func(i int) { got = append(got, i) }, func(n int) { last = n }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || len(want) != 5 || last != x.Len() {
			t.Errorf("%T: records %v of %d, want %v; %d seen", src, got, x.Len(), want, last)
		}
	}
}

func TestCheckStopsWithItsContext(t *testing.T) {
	x, err := BuildIndex(t.Context(), Bytes(strings.Repeat("{\"a\":}\n{\"a\":1}\n", 40_000)))
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	n := 0
	if err := x.Check(stopped, func(int) { n++; cancel() }, nil); !errors.Is(err, context.Canceled) || n == 0 || n >= x.Len()/2 {
		t.Errorf("%d found, %v", n, err)
	}
}

func BenchmarkCheckNDJSON(b *testing.B) {
	data := bytes.ReplaceAll(bigBody()[2:], []byte("\n,"), []byte("\n"))
	data = data[:len(data)-2]
	x, err := BuildIndex(context.Background(), NewFile(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if err := x.Check(context.Background(), func(i int) { b.Fatal(i) }, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestValidateTellsHowFarItIs(t *testing.T) {
	body := `["` + strings.Repeat("x", 5*windowSize) + `"]`
	var at []int
	if err := ValidateSeen(context.Background(), NewFile(strings.NewReader(body), int64(len(body))), 0, len(body), func(n int) { at = append(at, n) }); err != nil {
		t.Fatal(err)
	}
	if len(at) < 5 || !slices.IsSorted(at) || at[len(at)-1] > len(body) {
		t.Errorf("told %v of %d bytes", at, len(body))
	}
}
