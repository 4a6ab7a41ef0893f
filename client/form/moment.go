package form

import (
	"strconv"
	"strings"
	"time"
)

func isTimeFormat(format string) bool {
	switch format {
	case "date-time", "date", "time", "unix", "unix-ms":
		return true
	}
	return false
}

// moment reads a date or time as people write it, and returns it the way the
// format sends it: RFC 3339, a date, a time of day, Unix seconds or milliseconds.
func (f *Form) moment(format, text string) (sent, problem string) {
	text = strings.TrimSpace(text)
	if format == "time" {
		return timeOfDay(text)
	}
	// A text that already is what the format sends goes out unchanged.
	if format == "date-time" {
		if _, err := time.Parse(time.RFC3339, text); err == nil {
			return text, ""
		}
	}
	t, ok := f.parseMoment(text)
	if !ok {
		return "", "not a date: write 2026-01-31, 2026-01-31 15:04, today, now, -7d or +2h"
	}
	switch format {
	case "date":
		return t.Format(time.DateOnly), ""
	case "unix":
		return strconv.FormatInt(t.Unix(), 10), ""
	case "unix-ms":
		return strconv.FormatInt(t.UnixMilli(), 10), ""
	}
	return t.Format(time.RFC3339), ""
}

func timeOfDay(text string) (string, string) {
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		if _, err := time.Parse(layout, text); err == nil {
			return text, ""
		}
	}
	return "", "is no time of day: write 15:04 or 15:04:05"
}

func (f *Form) parseMoment(text string) (time.Time, bool) {
	now := f.options.Now().In(f.options.Zone)
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, f.options.Zone)
	switch strings.ToLower(text) {
	case "now":
		return now.Truncate(time.Second), true
	case "today":
		return day, true
	case "yesterday":
		return day.AddDate(0, 0, -1), true
	case "tomorrow":
		return day.AddDate(0, 0, 1), true
	}
	if t, ok := relative(now.Truncate(time.Second), text); ok {
		return t, true
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly, "2006-01-02 15:04", "2006-01-02T15:04",
		time.DateTime, "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, f.options.Zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// relative reads -7d, +2h, 30m: a signed number and one of s, m, h, d, w, mo, y.
func relative(now time.Time, text string) (time.Time, bool) {
	if len(text) < 3 || text[0] != '-' && text[0] != '+' {
		return now, false
	}
	digits := strings.TrimLeft(text[1:], "0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(digits)])
	if err != nil || n > 1_000_000 || n < -1_000_000 {
		return now, false
	}
	switch digits {
	case "s":
		return now.Add(time.Duration(n) * time.Second), true
	case "m":
		return now.Add(time.Duration(n) * time.Minute), true
	case "h":
		return now.Add(time.Duration(n) * time.Hour), true
	case "d":
		return now.AddDate(0, 0, n), true
	case "w":
		return now.AddDate(0, 0, 7*n), true
	case "mo":
		return now.AddDate(0, n, 0), true
	case "y":
		return now.AddDate(n, 0, 0), true
	}
	return now, false
}
