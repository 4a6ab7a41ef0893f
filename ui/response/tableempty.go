package response

import (
	"strconv"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// bounds are the words of members that bound a value: of numbers, and of times.
var bounds = map[string][2]string{"gt": {"above", "after"}, "gte": {"from", "from"}, "lt": {"below", "before"},
	"lte": {"up to", "until"}}

// inWords says in words what params ask for: "limit 20, created after 2026-01-01".
func inWords(params []byte) string {
	var parts []string
	for name, value := range rawjson.Parse(params).Children() {
		key := name.Text()
		if value.Kind() != rawjson.Object {
			parts = append(parts, key+" "+scalar(value))
			continue
		}
		for member, v := range value.Children() {
			word, bound := bounds[member.Text()]
			switch when, is := unix(v); {
			case bound && is:
				parts = append(parts, key+" "+word[1]+" "+when)
			case bound:
				parts = append(parts, key+" "+word[0]+" "+scalar(v))
			default:
				parts = append(parts, key+"."+member.Text()+" "+scalar(v))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// scalar is a value as it is read: texts without quotes, the rest as JSON.
func scalar(n rawjson.Node) string {
	if n.Kind() == rawjson.String && n.Text() != "" {
		return n.Text()
	}
	return string(n.Raw())
}

// unix is the day, or the moment, that a number of seconds in this century means.
func unix(n rawjson.Node) (string, bool) {
	if n.Kind() != rawjson.Number {
		return "", false
	}
	seconds, err := strconv.ParseInt(string(n.Raw()), 10, 64)
	const from2001, to2100 = 978307200, 4102444800
	if err != nil || seconds < from2001 || seconds > to2100 {
		return "", false
	}
	t := time.Unix(seconds, 0).UTC()
	if t.Truncate(24 * time.Hour).Equal(t) {
		return t.Format(time.DateOnly), true
	}
	return t.Format(time.DateTime), true
}

// emptyLines tell in the middle of h lines why there is no row, what was asked, and what
// to try.
func (v *tableView) emptyLines(in Input, w, h int, s *style.Styles) []text.Safe {
	said := []string{string(v.emptyText(in))}
	if page := in.Page(); page.Document == nil && page.Action != nil && !in.growing() && !v.filtered() {
		asked := "Asked: " + page.Op.Entity + " " + page.Op.Action
		if words := inWords(page.Op.Params); words != "" {
			asked += " with " + words
		}
		said = append([]string{"No records."}, append([]string{asked + "."}, said...)...)
	}
	var lines []text.Safe
	for i, t := range said {
		st := &s.Muted
		if i == 0 {
			st = &s.Strong
		}
		for _, line := range text.Wrap(text.Sanitize(t), max(w-4, 8)) {
			lines = append(lines, text.Spaces(max((w-text.Width(line))/2, 1))+st.Render(line))
		}
	}
	lines = lines[:min(len(lines), max(h, 0))]
	return append(make([]text.Safe, max((h-len(lines))/2, 0)), lines...)
}
