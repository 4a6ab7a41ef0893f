package data

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 4, 5, 0, time.UTC) // a Saturday
	for word, want := range map[string][2]string{
		"today": {"2026-03-14", "2026-03-14"}, "yesterday": {"2026-03-13", "2026-03-13"},
		"last_3d": {"2026-03-11", "2026-03-13"}, "last_90d": {"2025-12-14", "2026-03-13"},
		"this_month": {"2026-03-01", "2026-03-14"}, "last_month": {"2026-02-01", "2026-02-28"},
		"this_quarter": {"2026-01-01", "2026-03-14"}, "last_quarter": {"2025-10-01", "2025-12-31"},
		"this_year": {"2026-01-01", "2026-03-14"}, "last_year": {"2025-01-01", "2025-12-31"},
		"this_week_mon_today": {"2026-03-09", "2026-03-14"}, "this_week_sun_today": {"2026-03-08", "2026-03-14"},
		"last_week_mon_sun": {"2026-03-02", "2026-03-08"}, "last_week_sun_sat": {"2026-03-01", "2026-03-07"},
		"maximum": {}, "": {},
	} {
		if from, to := Span(word, now); from != want[0] || to != want[1] {
			t.Errorf("%s lasts from %s to %s, want %v", word, from, to, want)
		}
	}
}
