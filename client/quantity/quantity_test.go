package quantity

import (
	"testing"
	"time"
)

func TestDigits(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -100: "-100", -1000: "-1,000"} {
		if got := Digits(n); got != want {
			t.Errorf("%d is written %s, not %s", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{-1: "0 µs", 15 * time.Microsecond: "15 µs", 87 * time.Millisecond: "87 ms", 12 * time.Second: "12.0 s"} {
		if got := Duration(d); got != want {
			t.Errorf("%v is written %s, not %s", d, got, want)
		}
	}
}
func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 45_700: "45.7 KB", 1_500_000: "1.5 MB", 1_146_382_006: "1.15 GB"} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500MB": 5e8, "1.5 GiB": 3 << 29, "4g": 4e9, "12b": 12,
		"": 0, "x": 0, "-1": 0, "0": 0, "NaN": 0, "Inf": 0, "1e30": 0, "MB": 0} {
		if n, err := ParseSize(text); n != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d, %v; want %d", text, n, err, want)
		}
	}
}
