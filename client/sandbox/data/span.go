package data

import (
	"strconv"
	"strings"
	"time"
)

// Span are the first and the last day of a time that advertisers name: yesterday,
// last_30d, this_quarter. Both are empty for one without ends, and for any other word.
func Span(word string, now time.Time) (from, to string) {
	today := now.UTC().Truncate(24 * time.Hour)
	month := today.AddDate(0, 0, 1-today.Day())
	quarter := month.AddDate(0, -(int(month.Month())-1)%3, 0)
	year := month.AddDate(0, 1-int(month.Month()), 0)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	sunday := today.AddDate(0, 0, -int(today.Weekday()))
	between := func(first, end time.Time) (string, string) {
		return first.Format(time.DateOnly), end.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	tomorrow := today.AddDate(0, 0, 1)
	switch word {
	case "today":
		return between(today, tomorrow)
	case "yesterday":
		return between(today.AddDate(0, 0, -1), today)
	case "this_month":
		return between(month, tomorrow)
	case "last_month":
		return between(month.AddDate(0, -1, 0), month)
	case "this_quarter":
		return between(quarter, tomorrow)
	case "last_quarter":
		return between(quarter.AddDate(0, -3, 0), quarter)
	case "this_year":
		return between(year, tomorrow)
	case "last_year":
		return between(year.AddDate(-1, 0, 0), year)
	case "this_week_mon_today":
		return between(monday, tomorrow)
	case "this_week_sun_today":
		return between(sunday, tomorrow)
	case "last_week_mon_sun":
		return between(monday.AddDate(0, 0, -7), monday)
	case "last_week_sun_sat":
		return between(sunday.AddDate(0, 0, -7), sunday)
	}
	if days, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(word, "last_"), "d")); err == nil {
		return between(today.AddDate(0, 0, -days), today)
	}
	return "", ""
}
