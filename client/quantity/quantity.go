// Package quantity writes numbers, sizes and durations for people. It is a leaf
// and imports nothing of ours.
package quantity

import (
	"fmt"
	"time"
)

// Digits writes 1234567 as 1,234,567.
func Digits(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a number of things: 1 page, 1,234 pages.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Digits(n) + " " + many
}

// Plain writes a number of things without separators: 1 page, 1234 pages.
func Plain(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Duration writes how long something took for people: 12 ms, 41.0 s.
func Duration(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// Size writes a number of bytes for people.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}
