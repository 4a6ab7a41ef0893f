package records

import (
	"strconv"
	"time"

	"patchbay/client/rawjson"
)

// State tells what stands in a cell.
type State uint8

// The states of a cell; each is drawn in its own way.
const (
	Absent State = iota // the record has no such field
	Null
	Empty // the empty string, array or object
	Value
	Cut // the body ended inside the value, or before it could be seen
)

// String returns a word for the state.
func (s State) String() string {
	return [...]string{"absent", "null", "empty", "value", "cut off"}[s]
}

// Cell is the value of one column in one record. It is not decoded.
type Cell struct {
	State State
	// Node is the value; the zero Node when it is absent.
	Node rawjson.Node
}

// cellOf tells what a node is as a cell.
func cellOf(n rawjson.Node) Cell {
	switch {
	case n.Cut():
		return Cell{Cut, n}
	case !n.Exists():
		return Cell{}
	case n.Kind() == rawjson.Null:
		return Cell{Null, n}
	case n.Kind() == rawjson.String && n.Size() == 2, n.Kind() >= rawjson.Array && isEmpty(n):
		return Cell{Empty, n}
	}
	return Cell{Value, n}
}

func isEmpty(n rawjson.Node) bool {
	for range n.Children() {
		return false
	}
	return true
}

// Text returns what a cell shows, of about limit bytes at most: strings
// decoded, numbers as received, arrays and objects as compact JSON, nothing
// for absent. more tells that something was left out. The text is untrusted.
func (c Cell) Text(limit int) (text string, more bool) {
	var out []byte
	switch c.Node.Kind() {
	case rawjson.Array, rawjson.Object:
		out, more = c.Node.AppendCompact(nil, limit)
		if len(out) > limit {
			out = out[:limit]
		}
	default:
		out, more = c.Node.AppendText(nil, limit)
	}
	return string(out), more
}

// timeLayouts are the spellings of times that are read besides RFC 3339.
var timeLayouts = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02"}

// ParseTime reads a time as services write it: RFC 3339 and its relatives, and
// dates. Times without a zone are taken as UTC.
func ParseTime(text []byte) (time.Time, bool) {
	if len(text) < 10 || len(text) > 40 || text[4] != '-' || text[7] != '-' || !isDigit(text[0]) || !isDigit(text[9]) {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, string(text)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Time reads a cell of the column as a point in time: texts as ParseTime, and
// Unix seconds or milliseconds where the format says so, or where the name
// speaks of time and the number lies between 2001 and 2100.
func (c *Column) Time(cell Cell) (time.Time, bool) {
	if cell.State != Value {
		return time.Time{}, false
	}
	switch cell.Node.Kind() {
	case rawjson.String:
		text, more := cell.Node.AppendText(nil, 40)
		if more {
			return time.Time{}, false
		}
		return ParseTime(text)
	case rawjson.Number:
		f, err := strconv.ParseFloat(string(cell.Node.Raw()), 64)
		if err != nil {
			return time.Time{}, false
		}
		return c.unix(f)
	}
	return time.Time{}, false
}

func (c *Column) unix(f float64) (time.Time, bool) {
	const from2001, to2100 = 978307200, 4102444800
	switch {
	case !c.isTime():
	case f >= from2001 && f < to2100:
		return time.UnixMilli(int64(f * 1000)).UTC(), true
	case f >= from2001*1000 && f < to2100*1000:
		return time.UnixMilli(int64(f)).UTC(), true
	}
	return time.Time{}, false
}

// isTime tells whether numbers in the column are points in time.
func (c *Column) isTime() bool {
	switch c.Format {
	case "unix", "unix-ms", "date-time", "date":
		return true
	case "":
		return len(c.Path) > 0 && isTimeName(c.Path[len(c.Path)-1].Name)
	}
	return false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
