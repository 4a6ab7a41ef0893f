package form

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// read takes a typed text as the value of an input; err says why it cannot be sent.
func (in *input) read(text string) {
	in.clear()
	in.state = Value
	kinds := in.candidates()
	var firstErr string
	var read []byte // what the text is, although it may not be that
	for _, kind := range kinds {
		raw, problem := in.parse(kind, text)
		if problem == "" {
			if problem = wrong(in.field, raw); firstErr == "" {
				read = raw
			}
		}
		switch {
		case problem == "" && (kind == "object" || kind == "array"):
			in.load(rawjson.Parse(raw))
			return
		case problem == "":
			in.setRaw(kind, raw)
			if in.splitRows(); in.isJoined() {
				in.rowError()
			}
			return
		}
		if firstErr == "" {
			firstErr = problem
		}
	}
	if kind := kinds[0]; read != nil && kind != "object" && kind != "array" {
		in.setRaw(kind, read)
		in.err = firstErr
		return
	}
	in.kind = kinds[0]
	in.text, in.bad, in.err = text, true, firstErr
}

// candidates are the types to try, the narrowest first.
func (in *input) candidates() []string {
	if in.forced != "" {
		return []string{in.forced}
	}
	if slices.Contains(in.types, "any") {
		return []string{"object", "array", "boolean", "number", "string"}
	}
	kinds := slices.Clone(in.types)
	rank := map[string]int{"object": 0, "array": 1, "boolean": 2, "integer": 3, "number": 4, "string": 5}
	slices.SortFunc(kinds, func(a, b string) int { return rank[a] - rank[b] })
	return kinds
}

// parse reads a text as one type: the JSON value, or what is wrong with it.
func (in *input) parse(kind, text string) (raw []byte, problem string) {
	f := in.field
	switch kind {
	case "string":
		if isTimeFormat(f.Format) {
			sent, problem := in.form.moment(f.Format, text)
			return rawjson.AppendQuoted(nil, sent), problem
		}
		return rawjson.AppendQuoted(nil, text), ""
	case "integer", "number":
		return in.parseNumber(kind, text)
	case "boolean":
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "yes", "y", "t", "on":
			return []byte("true"), ""
		case "false", "no", "n", "f", "off":
			return []byte("false"), ""
		}
		return nil, "wants true or false"
	case "object":
		if f.Format == "document" && !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return Document(text), ""
		}
	}
	trimmed := strings.TrimSpace(text)
	open := "{"
	if kind == "array" {
		open = "["
	}
	if !strings.HasPrefix(trimmed, open) {
		return nil, "wants " + catalog.TypeInWords(kind) + " as JSON"
	}
	if err := checkJSON([]byte(trimmed)); err != nil {
		return nil, err.Error()
	}
	return []byte(trimmed), ""
}

// wrong is why the value of a scalar field will be refused; "" where it will not.
func wrong(f *catalog.Field, raw []byte) string {
	for _, v := range catalog.CheckValue(f, raw) {
		if v.Severity == catalog.SeverityError && raw[0] != '{' && raw[0] != '[' {
			return v.Message
		}
	}
	return ""
}

func (in *input) parseNumber(kind, text string) ([]byte, string) {
	f := in.field
	text = strings.TrimSpace(text)
	if isTimeFormat(f.Format) && !rawjson.IsNumber(text) {
		sent, problem := in.form.moment(f.Format, text)
		return []byte(sent), problem
	}
	if !rawjson.IsNumber(text) {
		return nil, "wants " + catalog.TypeInWords(kind)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && kind == "integer" && n != math.Trunc(n) {
		return nil, "wants a whole number"
	}
	return []byte(text), ""
}

func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func isTimeFormat(format string) bool {
	return slices.Contains([]string{"date-time", "date", "time", "unix", "unix-ms"}, format)
}

// moment reads a date or time as people write it, and returns it the way the
// format sends it: RFC 3339, a date, a time of day, Unix seconds or milliseconds.
func (f *Form) moment(format, text string) (sent, problem string) {
	text = strings.TrimSpace(text)
	// A text that already is what the format sends goes out unchanged.
	for _, layout := range map[string][]string{"time": {time.TimeOnly, "15:04"}, "date-time": {time.RFC3339}}[format] {
		if _, err := time.Parse(layout, text); err == nil {
			return text, ""
		}
	}
	if format == "time" {
		return "", "is no time of day: write 15:04 or 15:04:05"
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

func (f *Form) parseMoment(text string) (time.Time, bool) {
	now := f.options.Now().In(f.options.Zone)
	if strings.EqualFold(text, "now") {
		return now.Truncate(time.Second), true
	}
	if days, ok := map[string]int{"yesterday": -1, "today": 0, "tomorrow": 1}[strings.ToLower(text)]; ok {
		return time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, f.options.Zone), true
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
	if unit := (map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour})[digits]; unit > 0 {
		return now.Add(time.Duration(n) * unit), true
	}
	unit, ok := map[string][3]int{"d": {0, 0, 1}, "w": {0, 0, 7}, "mo": {0, 1, 0}, "y": {1, 0, 0}}[digits]
	return now.AddDate(n*unit[0], n*unit[1], n*unit[2]), ok
}
