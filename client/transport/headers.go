package transport

import (
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
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

// RetryAfter reads how long a server asks to wait: what the first header says
// that says something, Retry-After before the others. 0 when it does not ask.
func RetryAfter(h http.Header, now time.Time, others ...string) time.Duration {
	if d := wait(h.Get("Retry-After"), now); d > 0 {
		return d
	}
	for _, name := range others {
		if d := wait(h.Get(name), now); d > 0 {
			return d
		}
	}
	return 0
}

// wait reads seconds, a Unix time in seconds or milliseconds, an HTTP or ISO
// date, or the t= of a structured RateLimit header. 0 when it tells nothing.
func wait(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' }) {
		for _, name := range [...]string{"t=", "reset="} {
			if v, ok := strings.CutPrefix(strings.TrimSpace(part), name); ok {
				return wait(v, now)
			}
		}
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		const longest, unix, milliseconds = 366 * 24 * 3600, 1e9, 1e12
		switch {
		case n >= milliseconds && n < 1e14:
			n = n/1000 - float64(now.UnixMilli())/1000
		case n >= unix && n < milliseconds:
			n -= float64(now.UnixMilli()) / 1000
		}
		if !(n > 0 && n <= longest) {
			return 0
		}
		return time.Duration(n * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		at, err = time.Parse(time.RFC3339, value)
	}
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}

// RequestID is the server's name for a request, for a support ticket; empty when it tells none.
func RequestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Trace-Id",
		"Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return Clip(id)
		}
	}
	return ""
}

// FileName reads what a server suggests to call a download: the last part of a
// path, without anything that a file system or a terminal could trip over.
func FileName(h http.Header) string {
	_, params, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(params["filename"], "_"), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) ||
			strings.ContainsRune(`<>:"/|?*`, r) {
			return '_'
		}
		return r
	}, name)
	const longest = 200
	if len(name) > longest {
		name = strings.ToValidUTF8(name[len(name)-longest:], "")
	}
	name = strings.Trim(name, " .")
	// A program would take a leading dash for an option, Windows some names for devices.
	if strings.HasPrefix(name, "-") || device(name) {
		name = "_" + name
	}
	return name
}

// device reports whether Windows opens a device under a name, whatever its ending.
func device(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	runes := []rune(stem)
	return len(runes) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) &&
		strings.ContainsRune("0123456789¹²³", runes[3])
}
