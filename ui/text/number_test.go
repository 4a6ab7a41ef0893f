package text

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
