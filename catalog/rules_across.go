package catalog

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// rule checks one rule of an action across its params.
func (p *paramCheck) rule(a *Action, r *Rule, values map[string]any) {
	object := values
	if r.In != "" {
		inner, ok := lookup(values, r.In).(map[string]any)
		if !ok {
			return
		}
		object = inner
	}
	p.status = r.Status
	defer func() { p.status = 0 }()
	switch r.Rule {
	case "at_least_one":
		if countGiven(object, r.Params) == 0 {
			p.add(r.place(), r.Rule, "%s", r.Text)
		}
	case "exactly_one":
		if countGiven(object, r.Params) != 1 {
			p.forget(r.In, "one_of")
			p.add(r.place(), r.Rule, "%s", r.Text)
		}
	case "required_unless":
		if len(r.Params) == 2 && countGiven(object, r.Params) == 0 {
			p.add(join(r.In, r.Params[0]), r.Rule, "%s", r.Text)
		}
	default:
		p.ruleOnValue(a, r, object)
	}
}

// forget drops what a rule of the action says better.
func (p *paramCheck) forget(path, rule string) {
	p.found = slices.DeleteFunc(p.found, func(v Violation) bool { return v.Path == path && v.Rule == rule })
}

// place is where a form shows what a rule over several params has to say: at the
// object that holds them, else at the first of them.
func (r *Rule) place() string {
	if r.In != "" || len(r.Params) == 0 {
		return r.In
	}
	return r.Params[0]
}

// ruleOnValue checks the rules that speak of one param's own value.
func (p *paramCheck) ruleOnValue(a *Action, r *Rule, object map[string]any) {
	if len(r.Params) == 0 {
		return
	}
	path := join(r.In, r.Params[0])
	value := lookup(object, r.Params[0])
	switch r.Rule {
	case "bounded_jql":
		text, _ := value.(string)
		if ok, reason := BoundedJQL(text); !ok {
			p.add(path, r.Rule, "%s (%s)", r.Text, reason)
		}
	case "max_entries":
		if n := len(entriesOf(a.Param(path), value)); n > r.Max {
			p.add(path, r.Rule, "%s (found %d)", r.Text, n)
		}
	case "no_prefix":
		for _, entry := range entriesOf(a.Param(path), value) {
			if strings.HasPrefix(entry, r.Value) {
				p.add(path, r.Rule, "%s", r.Text)
				return
			}
		}
	case "one_of_values":
		f := a.Param(path)
		for _, entry := range entriesOf(f, value) {
			if f != nil && !f.lists(entry) {
				p.add(path, r.Rule, "%s (found %s)", r.Text, entry)
				return
			}
		}
	}
}

// lookup finds a value by its dotted path; nil when it is not there.
func lookup(values map[string]any, path string) any {
	if v, ok := values[path]; ok {
		return v
	}
	head, rest, dotted := strings.Cut(path, ".")
	inner, ok := values[head].(map[string]any)
	if !dotted || !ok {
		return nil
	}
	return lookup(inner, rest)
}

// countGiven counts the params that carry something: null and "" do not.
func countGiven(values map[string]any, names []string) int {
	n := 0
	for _, name := range names {
		if v := lookup(values, name); v != nil && v != "" {
			n++
		}
	}
	return n
}

// entriesOf are the texts of a list: an array's, or those joined in one string.
func entriesOf(f *Field, value any) []string {
	switch v := value.(type) {
	case string:
		separator := ","
		if f != nil && f.Separator != "" {
			separator = f.Separator
		}
		var entries []string
		for entry := range strings.SplitSeq(v, separator) {
			if entry = strings.TrimSpace(entry); entry != "" {
				entries = append(entries, entry)
			}
		}
		return entries
	case []any:
		entries := make([]string, 0, len(v))
		for _, e := range v {
			s, _ := e.(string)
			entries = append(entries, s)
		}
		return entries
	}
	return nil
}

// lists tells whether text is one of the enum of the field or of its elements.
func (f *Field) lists(text string) bool {
	enum := f.Enum
	if enum == nil && f.Items != nil {
		enum = f.Items.Enum
	}
	for _, allowed := range enum {
		if sameJSON(allowed, text) {
			return true
		}
	}
	return len(enum) == 0
}

// format warns about text that does not look like what it should be. Services
// read more forms than these, so it never refuses.
func (p *paramCheck) format(path string, f *Field, s string) {
	if s == "" {
		return
	}
	switch f.Format {
	case "date-time":
		if !parsesAs(s, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999Z0700", "2006-01-02T15:04:05Z0700", "2006-01-02") {
			p.warn(path, "format", "%q is no ISO 8601 date and time, such as 2026-03-01T09:30:00Z", s)
		}
	case "date":
		if !parsesAs(s, time.DateOnly, time.RFC3339, "20060102") {
			p.warn(path, "format", "%q is no date, such as 2026-03-01", s)
		}
	case "email":
		if at := strings.LastIndexByte(s, '@'); at < 1 || at == len(s)-1 {
			p.warn(path, "format", "%q is no e-mail address", s)
		}
	case "uri":
		if u, err := url.Parse(s); err != nil || u.Scheme == "" {
			p.warn(path, "format", "%q is no complete address, such as https://example.com", s)
		}
	}
}

func parsesAs(s string, layouts ...string) bool {
	for _, layout := range layouts {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// unix warns about a moment in the wrong unit: seconds reach 1e11 in the year
// 5138, milliseconds passed it in 1973.
func (p *paramCheck) unix(path string, f *Field, x float64) {
	const border = 1e11
	switch {
	case f.Format == "unix" && (x >= border || x <= -border):
		p.warn(path, "format", "%.0f looks like milliseconds: this is a Unix time in seconds", x)
	case f.Format == "unix-ms" && x > 0 && x < border:
		p.warn(path, "format", "%.0f looks like seconds: this is a Unix time in milliseconds", x)
	}
}
