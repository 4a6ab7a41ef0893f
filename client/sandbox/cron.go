package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// cronField is a field of a Quartz schedule: its name, its range, and the words that
// stand for numbers.
type cronField struct {
	name     string
	min, max int
	words    []string
}

// cronFields are the fields in their order; the year may be left out.
var cronFields = []cronField{
	{"second", 0, 59, nil}, {"minute", 0, 59, nil}, {"hour", 0, 23, nil}, {"day of the month", 1, 31, nil},
	{"month", 1, 12, strings.Fields("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC")},
	{"day of the week", 1, 7, strings.Fields("SUN MON TUE WED THU FRI SAT")}, {"year", 1970, 2099, nil},
}

// describeSchedule says in words when a Quartz schedule runs.
func describeSchedule(text string) (string, error) {
	parts := strings.Fields(strings.ToUpper(text))
	if len(parts) != 6 && len(parts) != 7 {
		return "", fmt.Errorf("a Quartz schedule has 6 or 7 fields, this one has %d", len(parts))
	}
	if (parts[3] == "?") == (parts[5] == "?") {
		return "", fmt.Errorf("exactly one of day of the month and day of the week must be ?")
	}
	for i, part := range parts {
		if err := cronFields[i].check(part); err != nil {
			return "", err
		}
	}
	said := []string{timeOfDay(parts)}
	for i, part := range parts[3:] {
		if part != "*" && part != "?" {
			said = append(said, "on "+cronFields[i+3].name+" "+strings.ReplaceAll(part, ",", ", "))
		}
	}
	if len(said) == 1 {
		said = append(said, "every day")
	}
	return strings.Join(said, ", "), nil
}

// timeOfDay says when within a day a schedule runs.
func timeOfDay(parts []string) string {
	second, errSecond := strconv.Atoi(parts[0])
	minute, errMinute := strconv.Atoi(parts[1])
	hour, errHour := strconv.Atoi(parts[2])
	if errSecond == nil && errMinute == nil && errHour == nil {
		return fmt.Sprintf("At %02d:%02d:%02d", hour, minute, second)
	}
	var said []string
	for i, part := range parts[:3] {
		if _, step, stepped := strings.Cut(part, "/"); stepped {
			said = append(said, "every "+step+" "+cronFields[i].name+"s")
		} else if part == "*" {
			said = append(said, "every "+cronFields[i].name)
		} else if part != "0" {
			said = append(said, "at "+cronFields[i].name+" "+strings.ReplaceAll(part, ",", ", "))
		}
	}
	words := strings.Join(said, ", ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// check refuses what a field cannot hold.
func (f cronField) check(part string) error {
	for one := range strings.SplitSeq(part, ",") {
		if !f.holds(one) {
			return fmt.Errorf("%q is no %s", one, f.name)
		}
	}
	return nil
}

// holds reports whether one entry of a field is well formed: *, ?, a value, a range or
// a step, and L, W and # where they belong.
func (f cronField) holds(one string) bool {
	day := strings.HasPrefix(f.name, "day")
	if one == "?" || one == "L" || one == "LW" {
		return day
	}
	one, step, stepped := strings.Cut(one, "/")
	if n, err := strconv.Atoi(step); stepped && (err != nil || n < 1 || n > f.max) {
		return false
	}
	if one == "*" {
		return true
	}
	if day && !stepped {
		one, _, _ = strings.Cut(one, "#")
		if len(one) > 1 {
			one = strings.TrimRight(one, "LW")
		}
	}
	from, to, ranged := strings.Cut(one, "-")
	return f.has(from) && (!ranged || f.has(to))
}

// has reports whether a text is a value of the field.
func (f cronField) has(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= f.min && n <= f.max || slices.Contains(f.words, text)
}
