package data

import (
	"encoding/json"
	"strconv"
	"time"
)

// timeLayouts are tried in turn when a text may be a moment.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.000-0700", "2006-01-02T15:04:05-0700",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02", "20060102"}

// Moment reads a point in time from what records and params hold: ISO texts in
// the spellings of the kinds, Unix seconds, Unix milliseconds, as number or text.
func Moment(v any) (time.Time, bool) {
	switch v := v.(type) {
	case int64:
		return unixMoment(v), true
	case float64:
		return unixMoment(int64(v)), true
	case json.Number:
		f, _ := Number(v)
		return unixMoment(int64(f)), true
	case string:
		if len(v) == 0 || v[0] < '0' || v[0] > '9' {
			return time.Time{}, false
		}
		if t, ok := usualMoment(v); ok {
			return t, true
		}
		if n, err := strconv.ParseInt(v, 10, 64); err == nil && len(v) != 8 {
			return unixMoment(n), true
		}
		for _, layout := range timeLayouts {
			if t, err := time.Parse(layout, v); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// usualMoment reads the spelling that most texts have, 2006-01-02T15:04:05 with any
// fraction and zone, at a tenth of what a layout costs. What it does not know it leaves
// to the layouts.
func usualMoment(s string) (time.Time, bool) {
	const form = "dddd-dd-ddTdd:dd:dd"
	if len(s) < len(form) {
		return time.Time{}, false
	}
	for i := range len(form) {
		if digit := s[i] >= '0' && s[i] <= '9'; digit != (form[i] == 'd') || !digit && s[i] != form[i] {
			return time.Time{}, false
		}
	}
	number := func(at, digits int) (n int) {
		for _, c := range []byte(s[at : at+digits]) {
			n = 10*n + int(c-'0')
		}
		return n
	}
	nanos, zone := 0, s[len(form):]
	if len(zone) > 1 && zone[0] == '.' && zone[1] >= '0' && zone[1] <= '9' {
		unit := 100_000_000
		for zone = zone[1:]; zone != "" && zone[0] >= '0' && zone[0] <= '9' && unit > 0; zone = zone[1:] {
			nanos += unit * int(zone[0]-'0')
			unit /= 10
		}
	}
	if zone != "" && zone != "Z" && zone != "+0000" && zone != "+00:00" {
		return time.Time{}, false
	}
	month, day, hour, minute, second := number(5, 2), number(8, 2), number(11, 2), number(14, 2), number(17, 2)
	t := time.Date(number(0, 4), time.Month(month), day, hour, minute, second, nanos, time.UTC)
	return t, month >= 1 && month <= 12 && t.Day() == day && hour < 24 && minute < 60 && second < 60
}

// unixMoment takes numbers above 10^11 as milliseconds: as seconds they would
// lie three thousand years ahead.
func unixMoment(n int64) time.Time {
	if n > 1e11 || n < -1e11 {
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// CompareMoments compares as points in time where both are, else as values.
func CompareMoments(a, b any) int {
	x, okX := Moment(a)
	y, okY := Moment(b)
	if okX && okY {
		return x.Compare(y)
	}
	return Compare(a, b)
}
