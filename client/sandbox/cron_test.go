package sandbox

import "testing"

func TestSchedulesInWords(t *testing.T) {
	for text, want := range map[string]string{
		"0 0 12 * * ?":         "At 12:00:00, every day",
		"0 30 6 ? * MON-FRI":   "At 06:30:00, on day of the week MON-FRI",
		"0 0/15 * * * ?":       "Every 15 minutes, every hour, every day",
		"* * * * * ?":          "Every second, every minute, every hour, every day",
		"0 0 0 L * ?":          "At 00:00:00, on day of the month L",
		"0 0 8 ? JAN,jul 2#1":  "At 08:00:00, on month JAN, JUL, on day of the week 2#1",
		"0 15 10 15W * ? 2030": "At 10:15:00, on day of the month 15W, on year 2030",
		"0 0 8-10 * * ?":       "At hour 8-10, every day",
	} {
		if got, err := describeSchedule(text); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0 0 12 * *", "0 0 12 * * *", "0 0 12 ? * ?", "60 0 12 * * ?", "0 0 24 * * ?",
		"0 0 12 32 * ?", "0 0 12 ? * NONE", "0 0/0 * * * ?", "0 0 12 * * ? 1900", "a b c d e ?", "0 0 12 ? * MON/"} {
		if got, err := describeSchedule(text); err == nil {
			t.Errorf("%q means %q", text, got)
		}
	}
}
