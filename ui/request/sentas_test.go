package request

import "testing"

func TestSentAs(t *testing.T) {
	for _, c := range []struct{ sends, shown, want string }{
		{"1767225600", "1767225600", "  = 2026-01-01 00:00:00 UTC"},
		{"1767225600000", "2026-01-01", "  → 1767225600000  = 2026-01-01 00:00:00 UTC"},
		{`"2026-01-01"`, "2026-01-01", ""},
		{`"2026-01-01T00:00:00Z"`, "today", `  → "2026-01-01T00:00:00Z"`},
	} {
		if got := string(sentAs(c.sends, c.shown)); got != c.want {
			t.Errorf("sentAs(%s, %s) = %q, want %q", c.sends, c.shown, got, c.want)
		}
	}
}
