package sandbox

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

var (
	// namesText are names of fields, params and entities that mean the same in every kind.
	//
	//go:embed names.txt
	namesText string
	// rulesText are templates of values by type, and what else names tell, by what a
	// normalised name is, begins with, ends with or holds; the first line that knows a
	// name wins.
	//
	//go:embed rules.txt
	rulesText string
)

var lists = sync.OnceValue(func() map[string][]string { return data.ReadWords(namesText) })

// among reports whether a name is on one of the lists.
func among(list, name string) bool { return slices.Contains(lists()[list], name) }

// rule is a template for fields whose name one of the words matches.
type rule struct {
	words   []string
	matches func(name, word string) bool
	text    string
}

var matches = map[string]func(name, word string) bool{
	"is":     func(name, word string) bool { return name == word },
	"person": func(name, word string) bool { return name == word || among("persons", name) },
	"begins": strings.HasPrefix, "ends": strings.HasSuffix, "holds": strings.Contains,
}

var rules = sync.OnceValue(func() map[string][]rule {
	all, section := map[string][]rule{}, ""
	for line := range strings.Lines(rulesText) {
		names, text, isRule := strings.Cut(strings.TrimSpace(line), ": ")
		if !isRule {
			section = strings.Trim(names, "[]")
			continue
		}
		words := strings.Fields(names)
		all[section] = append(all[section], rule{words[1:], matches[words[0]], text})
	}
	return all
})

// match finds the first rule that knows a normalised name, and the word by which it
// does; "" when no line does.
func match(section, name string) (text, word string) {
	for _, r := range rules()[section] {
		if r.matches == nil {
			return r.text, ""
		}
		if i := slices.IndexFunc(r.words, func(word string) bool { return r.matches(name, word) }); i >= 0 {
			return r.text, r.words[i]
		}
	}
	return "", ""
}

// text makes a text by the field's format, then its name.
func (m *maker) text(f *catalog.Field) any {
	w := m.word(f.Name)
	role := w.role
	switch f.Format {
	case "uuid":
		return m.r.UUID()
	case "email":
		return m.p.Email(m.n)
	case "uri", "url":
		return m.url(w.normal)
	case "time":
		return fmt.Sprintf("%02d:%02d", m.r.Below(24), m.r.Below(60))
	case "date", "date-time", "datetime", "unix", "unix-ms":
		role = cmp.Or(role, timeLater)
	}
	switch {
	case role != notTime:
		return m.d.writeTime(f, m.moment(role))
	case w.normal == "title" && m.p.Odd == "" && among("peopled", m.e.Name):
		return m.fieldBy(m.word("jobtitle").words, f)
	case w.words != nil:
		return rawjson.TextOf(m.fieldBy(w.words, f))
	}
	return m.r.Label()
}

// host is the address of the third party.
func (d *dataset) host() string {
	return "https://" + strings.ReplaceAll(d.kind.Name, "_", "-") + ".example"
}

// url is an address under the reserved domain .example.
func (m *maker) url(n string) string {
	host := m.d.host() + "/"
	if _, word := match("pictures", n); word != "" {
		return host + "images/" + m.r.Chars(data.Hexadecimals, 8) + ".png"
	}
	return host + m.e.Name + "/" + m.r.Chars(data.Base36, 10)
}

// name is what the record is called.
func (m *maker) name() string {
	switch {
	case among("peopled", m.e.Name):
		return m.p.Name()
	case m.p.Odd != "":
		return m.p.Odd
	case among("companies", m.e.Name):
		return m.p.Company
	}
	return m.r.Label()
}

// heading is a title; some are in other scripts or long.
func (m *maker) heading() string {
	switch {
	case m.p.Odd != "":
		return m.p.Odd
	case m.n%53 == 23:
		return strings.Repeat(m.r.Title()+", ", 12) + "and more"
	}
	return m.r.Title()
}

// id is an identifier of record n of count, as the third party writes it.
// Without a template it counts down, so that the newest record has the highest number.
func (m *maker) id(entity string, n, count int) string {
	t := m.d.ids.of(entity, func() template {
		if text := cmp.Or(m.d.facts.Entities[entity].ID, m.d.facts.ID); text != "" {
			return compileText(text)
		}
		return nil
	})
	if t == nil {
		return strconv.Itoa(10000 + 1000*(len(entity)%7) + count - n)
	}
	return rawjson.TextOf(m.evaluate(t, making{at: n, count: count}))
}

// typedID gives an identifier the type that its field declares.
func typedID(f *catalog.Field, id string, r *data.Random) any {
	if f == nil || !strings.Contains(f.Type, "integer") && !strings.Contains(f.Type, "number") {
		return id
	}
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return n
	}
	if strings.Contains(f.Type, "string") {
		return id
	}
	return int64(r.Next() >> 33)
}

// writeTime gives a moment the form that the field and its kind use.
func (d *dataset) writeTime(f *catalog.Field, t time.Time) any {
	t = t.UTC().Truncate(time.Second)
	integer := f != nil && (strings.Contains(f.Type, "integer") || strings.Contains(f.Type, "number"))
	switch {
	case integer && (f.Format == "unix-ms" || slices.Contains(d.facts.Unix, "integer")):
		return t.UnixMilli()
	case integer:
		return t.Unix()
	case f != nil && (f.Format == "date" || f.Format == "" && among("days", strings.ToLower(f.Name))):
		return t.Format(time.DateOnly)
	case f != nil && (f.Format == "unix-ms" || f.Format == "" && slices.Contains(d.facts.Unix, "string")):
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
	return d.stamp(t)
}

// stamp is a moment as the kind's date-time texts have it.
func (d *dataset) stamp(t time.Time) string {
	return t.Format(cmp.Or(d.facts.Time, "2006-01-02T15:04:05Z"))
}

// timeRole is what a moment means for its record.
type timeRole string

const (
	notTime     timeRole = ""
	timeCreated timeRole = "created"
	timeUpdated timeRole = "updated"
	timeLater   timeRole = "later"  // some time after creation, in the past
	timeFuture  timeRole = "future" // may lie ahead: due dates, ends, trials
)

// roleOf is the role of a field, which its name tells where the kind does not.
func (d *dataset) roleOf(name string) timeRole {
	role, _ := match("times", data.Normal(name))
	switch {
	case slices.Contains(d.facts.Moments, name), role == "" && (strings.HasSuffix(name, "_at") ||
		strings.HasSuffix(name, "At")):
		return timeLater
	case role == "never":
		return notTime
	}
	return timeRole(role)
}
