package transport

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// serverTime is how long the server says that it worked on an answer; 0 when
// it does not say.
func serverTime(h http.Header) time.Duration {
	if d := serverTiming(h.Values("Server-Timing")); d > 0 {
		return d
	}
	if d := millisecondsOf(h.Get("X-Envoy-Upstream-Service-Time")); d > 0 {
		return d
	}
	if v := h.Get("X-Response-Time"); v != "" {
		if d, err := time.ParseDuration(strings.ReplaceAll(v, " ", "")); err == nil && d > 0 {
			return d
		}
		return millisecondsOf(v)
	}
	return 1000 * millisecondsOf(h.Get("X-Runtime"))
}

// serverTiming reads "db;dur=53, app;dur=47.2;desc=Rails": the metric that is
// called total, else the longest one, because metrics may hold each other.
func serverTiming(values []string) time.Duration {
	var longest time.Duration
	for _, value := range values {
		for metric := range strings.SplitSeq(value, ",") {
			name, params, _ := strings.Cut(metric, ";")
			var took time.Duration
			for param := range strings.SplitSeq(params, ";") {
				key, v, _ := strings.Cut(param, "=")
				if strings.EqualFold(strings.TrimSpace(key), "dur") {
					took = millisecondsOf(v)
				}
			}
			if took > 0 && strings.EqualFold(strings.TrimSpace(name), "total") {
				return took
			}
			longest = max(longest, took)
		}
	}
	return longest
}

// longestServerTime bounds what is believed: a day.
const longestServerTime = 24 * 60 * 60 * 1000

func millisecondsOf(v string) time.Duration {
	ms, err := strconv.ParseFloat(strings.Trim(v, " \""), 64)
	if err != nil || !(ms > 0 && ms <= longestServerTime) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}
