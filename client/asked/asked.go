// Package asked says in words what the params of a call ask for: "limit 20, created
// after 2026-01-01". Words are for a line of a screen: long values are shortened.
//
// It may import catalog and the leaves search and rawjson; it draws nothing.
package asked

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/search"
)

// bounds are the words of members that bound a value: of numbers, and of times.
var bounds = map[string][2]string{"gt": {"above", "after"}, "gte": {"from", "from"}, "lt": {"below", "before"},
	"lte": {"up to", "until"}}

// Limits of what is put into words.
const (
	mostParts  = 40
	valueBytes = 80
)

// InWords says in words what params ask an action of an entity for; "" where they ask
// for nothing.
func InWords(e *catalog.Entity, a *catalog.Action, params []byte) string {
	if a.Name == catalog.ActionContextStoreSearch {
		if q, err := search.Decode(params); err == nil && len(q.Odd) == 0 {
			return ofSearch(e, q)
		}
	}
	return members(rawjson.Parse(params), a.Params)
}

// members says the members of params, of which fields are known.
func members(params rawjson.Node, fields []catalog.Field) string {
	var parts []string
	for name, value := range params.Children() {
		if len(parts) == mostParts {
			return strings.Join(append(parts, "…"), ", ")
		}
		key := name.Text()
		if value.Kind() != rawjson.Object || value.Len() == 0 {
			parts = append(parts, key+" "+text(catalog.FieldAt(fields, key), value))
			continue
		}
		for member, v := range value.Children() {
			of := key + "." + member.Text()
			f := catalog.FieldAt(fields, of)
			if word, bound := bounds[member.Text()]; bound {
				parts = append(parts, key+" "+bounded(word, f, v))
			} else {
				parts = append(parts, of+" "+text(f, v))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// bounded is a bound on a value, as of a time where it is one.
func bounded(word [2]string, f *catalog.Field, v rawjson.Node) string {
	if isTime(f) {
		return word[1] + " " + text(f, v)
	}
	return word[0] + " " + text(f, v)
}

func isTime(f *catalog.Field) bool {
	return f != nil && (strings.HasPrefix(f.Format, "unix") || strings.HasPrefix(f.Format, "date"))
}

// text is a value as it is read: times as such, texts without quotes where they cannot be
// misread, short lists one by one, the rest as JSON.
func text(f *catalog.Field, v rawjson.Node) string {
	switch v.Kind() {
	case rawjson.Number:
		if t, ok := moment(f, v); ok {
			return t
		}
	case rawjson.String:
		b, more := v.AppendText(nil, valueBytes)
		switch t := string(b); {
		case more:
			return strconv.Quote(t + "…")
		case t != "" && !strings.ContainsAny(t, ",\n\"") && strings.TrimSpace(t) == t:
			return t
		}
	case rawjson.Array:
		if list, ok := listed(f, v, " and "); ok {
			return list
		}
	}
	b, more := v.AppendCompact(nil, valueBytes)
	if more {
		b = append(b, "…"...)
	}
	return string(b)
}

// fewValues is how many values of a list are written one by one.
const fewValues = 5

// listed are the values of a short list of plain ones.
func listed(f *catalog.Field, v rawjson.Node, between string) (string, bool) {
	var parts []string
	for one := range v.Elems() {
		if kind := one.Kind(); kind == rawjson.Object || kind == rawjson.Array || len(parts) == fewValues {
			return "", false
		}
		parts = append(parts, text(f, one))
	}
	return strings.Join(parts, between), len(parts) > 0
}

// moment is the day, or the moment, that a number means in a field of times.
func moment(f *catalog.Field, v rawjson.Node) (string, bool) {
	if f == nil {
		return "", false
	}
	t := strings.TrimSuffix(search.Moment(*f, json.RawMessage(v.Raw())), " UTC")
	if day, midnight := strings.CutSuffix(t, " 00:00:00"); midnight {
		t = day
	}
	_, err := time.Parse(time.DateOnly, t[:min(len(t), len(time.DateOnly))])
	return t, err == nil
}
