package response

import (
	"strings"
	"testing"

	"patchbay/ui/text"
)

const wideRows = `[{"id":"cus_HGwOErEiPt2c4U","name":"A name that is long enough for any screen there is","total":1234567890123,` +
	`"created_at":"2026-03-01T00:16:39Z"},{"id":"cus_fWleNhLCJ3nac5","name":"Bob","total":2,"created_at":"2026-03-02T10:00:00Z"}]`

// firstRow is the first row of the table in a window of w cells.
func firstRow(t *testing.T, w int) string {
	t.Helper()
	p, v := tableOf(t, wideRows)
	p.Fit(w, 12)
	return strings.Split(seen(t, v, p.Input, w, 10), "\n")[1]
}

func TestColumnsShareTheWidthByNeed(t *testing.T) {
	for w, want := range map[int][]string{
		120: {"cus_HGwOErEiPt2c4U", "A name that is long enough for any screen there is", "1234567890123", "2026-03-01T00:16:39Z"},
		85:  {"cus_HGwOErEiPt2c4U", "A name that is", "1234567890123", "2026-03-01T00:16:39Z"},
		71:  {"cus_HGwOErEiPt2c4U", "A name", "1234567890123", "2026-03-01T00:16:39Z"},
		50:  {"cus_HGwOErEiPt2c4U", "A name"},
	} {
		got := firstRow(t, w)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("at %d cells %q is missing in %q", w, part, got)
			}
		}
		if strings.Contains(got, "2026-03-01T00:16:3…") || strings.Count(got, "…") > 1 {
			t.Errorf("at %d cells the row is %q", w, got)
		}
	}
	for w := 30; w < 130; w++ {
		if got := firstRow(t, w); strings.Contains(got, "12345") && !strings.Contains(got, "1234567890123") {
			t.Errorf("at %d cells the number is cut: %q", w, got)
		}
	}
}

func TestTimesShortenByForm(t *testing.T) {
	for _, c := range []struct {
		t    string
		w, n int
	}{{"2026-03-01 00:16:39", 19, 19}, {"2026-03-01T00:16:39Z", 19, 19}, {"2026-03-01T00:16:39Z", 18, 16}, {"2026-03-01 00:16:39", 12, 10},
		{"2026-03-01", 10, 10}, {"2026-03-01", 9, 0}, {"2026-03-01 report", 12, 0}, {"20260301", 20, 0}, {"", 5, 0}} {
		if got := timeWidth(text.Safe(c.t), c.w); got != c.n {
			t.Errorf("%q in %d cells takes %d, want %d", c.t, c.w, got, c.n)
		}
	}
}
