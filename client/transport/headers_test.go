package transport

import (
	"net/http"
	"testing"
	"time"
)

func TestServerTime(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Server-Timing", "app;dur=12.5", 12500 * time.Microsecond},
		{"Server-Timing", `cache;desc="Cache, read";dur=23.2, db;dur=53`, 53 * time.Millisecond},
		{"Server-Timing", "db;dur=53, total;dur=61;desc=all", 61 * time.Millisecond},
		{"Server-Timing", "miss, db", 0},
		{"Server-Timing", "db;dur=NaN, x;dur=-4, y;dur=1e300", 0},
		{"X-Response-Time", "18ms", 18 * time.Millisecond},
		{"X-Response-Time", "18", 18 * time.Millisecond},
		{"X-Runtime", "0.25", 250 * time.Millisecond},
		{"X-Envoy-Upstream-Service-Time", "7", 7 * time.Millisecond},
		{"Date", "today", 0},
	} {
		if got := serverTime(http.Header{c.name: {c.value}}); got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.name, c.value, got, c.want)
		}
	}
}
