package catalog

import (
	"testing"
	"time"
)

func TestProbeTime(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	for text, want := range map[string]string{
		"now as YYYYMMDD": "20260301", "now-P365D as YYYYMMDD": "20250301", "now-P2D as RFC3339": "2026-02-27T11:00:00Z",
		"now-P1D as YYYY-MM-DD": "2026-02-28", "now": "now", "tomorrow as RFC3339": "tomorrow as RFC3339", "now-x as RFC3339": "now-x as RFC3339",
	} {
		if got := ProbeTime(text, now); got != want {
			t.Errorf("ProbeTime(%q) = %q, want %q", text, got, want)
		}
	}
}
