package quantity

import (
	"math"
	"strings"
	"testing"
)

// A size that is read is one, and is about the same when it was written for people.
func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"4GB", "512 MiB", "1e3k", "0x10", "nan", "inf", "-1", "1_000", "9223372036854775807", " .5 kb "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseSize(text)
		if err != nil {
			if !strings.Contains(err.Error(), "is no size") {
				t.Fatal(err)
			}
			return
		}
		if n < 1 {
			t.Fatalf("%q is %d bytes", text, n)
		}
		back, err := ParseSize(Size(n))
		if err != nil || math.Abs(float64(back-n)) > 0.05*float64(n)+1 {
			t.Errorf("%q is %d bytes, written %s, read as %d (%v)", text, n, Size(n), back, err)
		}
	})
}
