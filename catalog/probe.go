package catalog

import (
	"fmt"
	"strings"
	"time"
)

// ProbeTime writes a relative time of ProbeParams, "now-P730D as RFC3339" or
// "now as YYYYMMDD", in UTC. Other texts stay as they are.
func ProbeTime(text string, now time.Time) string {
	when, layout, ok := strings.Cut(text, " as ")
	rest, isNow := strings.CutPrefix(when, "now")
	if !ok || !isNow {
		return text
	}
	at := now.UTC()
	if rest != "" {
		var days int
		if n, err := fmt.Sscanf(rest, "-P%dD", &days); n != 1 || err != nil {
			return text
		}
		at = at.AddDate(0, 0, -days)
	}
	switch layout {
	case "RFC3339":
		return at.Format(time.RFC3339)
	case "YYYYMMDD":
		return at.Format("20060102")
	case "YYYY-MM-DD":
		return at.Format(time.DateOnly)
	}
	return text
}
