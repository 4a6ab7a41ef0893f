package document

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// forever gives the same bytes without an end.
type forever struct{ text string }

func (f forever) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], f.text)
	}
	return n, nil
}

// bomb is a small file that unpacks to size bytes.
func bomb(t *testing.T, size int64, packed int) []byte {
	t.Helper()
	var in io.Reader = io.LimitReader(forever{strings.Repeat(`{"a":1}`+"\n", 1000)}, size)
	var out bytes.Buffer
	for range packed {
		out.Reset()
		z := gzip.NewWriter(&out)
		if _, err := io.Copy(z, in); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		in = bytes.NewReader(bytes.Clone(out.Bytes()))
	}
	return out.Bytes()
}

// What has no end, or becomes much of little, is read up to a bound, and it is said why.
func TestStreamsHaveABound(t *testing.T) {
	const mega = 1_000_000
	small := bomb(t, 300*mega, 1)
	for name, c := range map[string]struct {
		in   io.Reader
		most int64
		kept int
		want string
	}{
		"endless lines":      {forever{`{"a":1}` + "\n"}, 20 * mega, 20 * mega, "is longer than 20.0 MB"},
		"endless text":       {forever{"x"}, 20 * mega, 20 * mega, "is longer than 20.0 MB"},
		"endless table":      {io.MultiReader(strings.NewReader("a,b\n1,2\n"), forever{"3,4\n"}), 20 * mega, 40 * mega, "is longer than 20.0 MB"},
		"endless cell":       {io.MultiReader(strings.NewReader("a,b\n1,2\n\""), forever{"x"}), 20 * mega, 20 * mega, "is longer than 20.0 MB"},
		"bomb":               {bytes.NewReader(small), 0, freely, "more than 200 times its size"},
		"bomb that is asked": {bytes.NewReader(small), 100 * mega, 100 * mega, "is longer than 100.0 MB"},
		"bomb in a bomb":     {bytes.NewReader(bomb(t, 300*mega, 2)), 0, freely, "more than 200 times its size"},
		"layers":             {bytes.NewReader(bomb(t, 1000, 6)), 0, 0, "packed more than 4 times over"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			d := Stream(ctx, c.in, answer.Reading{Name: "stdin"}, c.most)
			d.WaitWhole(ctx)
			err := d.Source.(rawjson.Growing).Err()
			if err == nil || !strings.Contains(err.Error(), c.want) || d.Source.Len() > c.kept+1<<20 {
				t.Errorf("%d bytes are kept, and it says: %v", d.Source.Len(), err)
			}
			runtime.GC()
		})
	}
}

// Data that packs well is no bomb.
func TestWellPackedDataIsRead(t *testing.T) {
	d := Stream(t.Context(), bytes.NewReader(bomb(t, 60_000_000, 1)), answer.Reading{Name: "a.json.gz"}, 0)
	d.WaitWhole(t.Context())
	if err := d.Source.(rawjson.Growing).Err(); err != nil || d.Source.Len() != 60_000_000 {
		t.Errorf("%d bytes, %v", d.Source.Len(), err)
	}
}
