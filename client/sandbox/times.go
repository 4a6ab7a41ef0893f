package sandbox

import (
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// timeLayouts are tried in turn when a text may be a moment.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.000-0700", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02", "20060102"}

// moment reads a point in time from what records and params hold: ISO texts in
// the spellings of the kinds, Unix seconds, Unix milliseconds, as number or text.
func moment(v any) (time.Time, bool) {
	switch v := v.(type) {
	case int64:
		return unixMoment(v), true
	case float64:
		return unixMoment(int64(v)), true
	case string:
		if len(v) == 0 || v[0] < '0' || v[0] > '9' {
			return time.Time{}, false
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

// unixMoment takes numbers above 10^11 as milliseconds: as seconds they would
// lie three thousand years ahead.
func unixMoment(n int64) time.Time {
	if n > 1e11 || n < -1e11 {
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// timeLayout is how a kind writes date-time texts.
func timeLayout(kind string) string {
	switch kind {
	case "issue_tracker", "crm":
		return "2006-01-02T15:04:05.000-0700"
	case "social_advertising":
		return "2006-01-02T15:04:05-0700"
	case "recruiting", "incident_management", "notes_workspace", "team_wiki":
		return "2006-01-02T15:04:05.000Z"
	}
	return "2006-01-02T15:04:05Z"
}

// writeTime gives a moment the form that the field and its kind use.
func writeTime(kind string, f *catalog.Field, t time.Time) any {
	t = t.UTC().Truncate(time.Second)
	integer := strings.Contains(f.Type, "integer") || strings.Contains(f.Type, "number")
	switch {
	case integer && (f.Format == "unix-ms" || kind == "marketplace_advertising" || kind == "task_management"):
		return t.UnixMilli()
	case integer:
		return t.Unix()
	case f.Format == "date" || f.Format == "" && dateOnly(f.Name):
		return t.Format(time.DateOnly)
	case f.Format == "unix-ms" || kind == "task_management" && f.Format == "":
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
	return t.Format(timeLayout(kind))
}

// dateOnly tells names of calendar days.
func dateOnly(name string) bool {
	switch strings.ToLower(name) {
	case "birthday", "duedate", "closedate", "due_on", "activitydate", "date_start", "date_stop":
		return true
	}
	return false
}

// timeRole is what a moment means for its record.
type timeRole int

const (
	notTime timeRole = iota
	timeCreated
	timeUpdated
	timeLater  // some time after creation, in the past
	timeFuture // may lie ahead: due dates, ends, trials
)

// roleOf reads the role of a time field from its name.
func roleOf(name string) timeRole {
	n := normal(name)
	switch n {
	case "created", "createdat", "createdtime", "createddate", "datecreated", "purchasedate", "createtime", "creationdate", "creationtime",
		"createdon", "firstseen", "started", "scheduled", "datetime", "timestamp", "date", "occurredat", "posteddate", "subscribedat",
		"appliedat", "submittedat", "timestampsignup", "startdate", "starttime", "periodstart", "currentperiodstart", "adcreationtime", "datereceived",
		"financialeventgroupstart", "invoicedate", "publishedat", "addeddate", "adcreationdate", "starredat", "committeddate", "authoreddate", "timestampopt", "processingstarttime":
		return timeCreated
	case "updated", "updatedat", "updatedtime", "lastmodified", "lastediteddate", "lasteditedtime", "modified", "dateupdated", "lastupdatedate",
		"lastupdateddate", "lastmodifieddate", "systemmodstamp", "lastseen", "lastchanged", "pushedat", "lastactivity", "lastactivityat", "updateddate", "lastmod", "lastviewed", "lastcomputed", "updatedatint":
		return timeUpdated
	case "time", "timezone", "times", "updates", "createdby", "updatedby", "timezoneidentifier", "lastmodifiedby":
		return notTime
	}
	switch {
	case strings.Contains(n, "due") && !strings.Contains(n, "amount"), strings.HasPrefix(n, "end") && hasTimeWord(n), strings.Contains(n, "periodend"), strings.Contains(n, "trialend"),
		strings.Contains(n, "expires"), n == "closedate", n == "stoptime", n == "cancelat", n == "arrivaldate", n == "availableon", n == "latestshipdate", n == "latestdeliverydate":
		return timeFuture
	case strings.HasSuffix(n, "at") && (strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "At")), hasTimeWord(n):
		return timeLater
	}
	return notTime
}

func hasTimeWord(n string) bool {
	return strings.HasSuffix(n, "date") || strings.HasSuffix(n, "time") || strings.HasSuffix(n, "timestamp") || strings.HasSuffix(n, "datetime") ||
		strings.HasPrefix(n, "date") && len(n) > 4
}

// normal lowers a name and drops what joins its words, so that created_at,
// createdAt and created-at compare equal.
func normal(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < 'a' || c > 'z' {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	b := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '[' || c == ']' || c == ' ' || c == '.':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}
