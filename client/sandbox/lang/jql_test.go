package lang

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func TestRelativeDates(t *testing.T) {
	for in, want := range map[string]time.Time{"-7d": noon.AddDate(0, 0, -7), "2w": noon.AddDate(0, 0, 14),
		"-30m": noon.Add(-30 * time.Minute)} {
		if got, ok := relative(noon, in); !ok || !got.Equal(want) {
			t.Errorf("%s: %v", in, got)
		}
	}
	if _, ok := relative(noon, "soon"); ok {
		t.Error("soon is a date")
	}
}
