package search

import (
	"encoding/json"
	"strconv"
	"time"

	"patchbay/catalog"
)

// Moments tells what the numbers of a filter's conditions mean where they are times:
// "created = 2026-01-31 00:00:00 UTC".
func Moments(filter *Node, e *catalog.Entity) []string {
	var out []string
	filter.Walk(func(_ []int, n *Node) bool {
		if f, exact, _ := FindField(e, n.Field); exact && n.Op == Condition {
			if at := Moment(f, n.Value); at != "" {
				out = append(out, n.Field+" = "+at)
			}
		}
		return true
	})
	return out
}

// Moment is the time that a number stands for, as people read it: of a field that holds
// Unix seconds or milliseconds. It is "" of any other value.
func Moment(f catalog.Field, value json.RawMessage) string {
	n, err := strconv.ParseInt(string(value), 10, 64)
	switch {
	case err != nil:
		return ""
	case f.Format == "unix-ms":
		n /= 1000
	case f.Format != "unix":
		return ""
	}
	at := time.Unix(n, 0).UTC()
	if at.Year() < 1 || at.Year() > 9999 {
		return ""
	}
	return at.Format("2006-01-02 15:04:05 UTC")
}
