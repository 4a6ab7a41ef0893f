package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/strictyaml"
)

// Severity of a Violation.
type Severity string

const (
	// SeverityError marks params that the service or third party will refuse.
	SeverityError Severity = "error"
	// SeverityWarning marks params that look wrong but may be taken.
	SeverityWarning Severity = "warning"
)

// Violation is one thing that is wrong with the params of an action.
type Violation struct {
	// Path leads to the value: "fields.project", "created.gt", "ids[2]"; empty for
	// the params as a whole.
	Path string
	// Rule is json, required, type, min, max, max_items, enum, const, format,
	// unknown, one_of, or the name of a Rule of the action.
	Rule     string
	Message  string
	Severity Severity
	// Status is the HTTP status that the service answers with, where documented; else 0.
	Status int
}

// CheckParams holds the params of an action (a JSON object; empty means none)
// against everything that the catalog knows: required params, types, limits,
// enumerations, formats and the action's rules. Injected params are never asked
// for, nor those that filled says the connector's configuration gives (nil: none), and
// those that are left out beside the token of a page are not looked at.
// Violations come in the order of the params, rules last.
func CheckParams(a *Action, params []byte, filled func(*Field) bool) []Violation {
	p := &paramCheck{filled: filled}
	var values *rawjson.Map
	params = a.WithoutReplaced(params)
	if len(bytes.TrimSpace(params)) > 0 {
		value, err := rawjson.Decode(params)
		if err != nil {
			p.add("", "json", "the params are not JSON: %v", err)
			return p.found
		}
		var ok bool
		if values, ok = value.(*rawjson.Map); !ok && value != nil {
			p.add("", "json", "the params must be a JSON object, not %s", TypeInWords(typeOf(value)))
			return p.found
		}
	}
	if !a.ParamsUnknown {
		p.object("", a.Params, values, a.FreeBody)
	}
	for i := range a.Rules {
		p.rule(a, &a.Rules[i], values)
	}
	if a.Page != nil && a.Page.Back != "" && countGiven(values, []string{a.Page.Send, a.Page.Back}) == 2 {
		p.warn(a.Page.Back, "page", "%s asks for the page before and %s for the next one: give one of them",
			a.Page.Back, a.Page.Send)
	}
	return p.found
}

// CheckValue holds one value (JSON) against what the catalog says of a field alone: its
// type, limits, enumeration and format. The path of the violations is the field's name.
func CheckValue(f *Field, raw []byte) []Violation {
	p := &paramCheck{}
	value, err := rawjson.Decode(raw)
	if err != nil {
		p.add(f.Name, "json", "not valid JSON: %v", err)
	} else {
		p.value(f.Name, f, value)
	}
	return p.found
}

type paramCheck struct {
	found  []Violation
	filled func(*Field) bool
	status int // documented answer to breaking the rule at hand; 0 when there is none
}

func (p *paramCheck) add(path, rule, format string, args ...any) {
	p.found = append(p.found, Violation{Path: path, Rule: rule, Message: fmt.Sprintf(format, args...),
		Severity: SeverityError, Status: p.status})
}

func (p *paramCheck) warn(path, rule, format string, args ...any) {
	p.found = append(p.found, Violation{Path: path, Rule: rule, Message: fmt.Sprintf(format, args...),
		Severity: SeverityWarning})
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// given finds a member by its neutral or wire name.
func given(f *Field, values *rawjson.Map) (any, bool) {
	if v, ok := values.Get(f.Name); ok || f.Alias == "" {
		return v, ok
	}
	return values.Get(f.Alias)
}

// unknown lists the members that no field describes.
func unknown(fields []Field, values *rawjson.Map) []string {
	var names []string
	if values != nil {
		names = slices.Clone(values.Keys)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return FieldByName(fields, name) != nil })
	slices.Sort(names)
	return names
}

// object checks the members of an object; free ones may have unknown names.
func (p *paramCheck) object(path string, fields []Field, values *rawjson.Map, free bool) {
	for i := range fields {
		f := &fields[i]
		value, ok := given(f, values)
		if ok {
			p.value(join(path, f.Name), f, value)
		} else if f.Required && !f.Injected && !f.serviceSends() && (p.filled == nil || path != "" || !p.filled(f)) {
			p.add(join(path, f.Name), "required", "%s is required", f.Name)
		}
	}
	if free {
		return
	}
	for _, name := range unknown(fields, values) {
		p.warn(join(path, name), "unknown", "not in the catalog%s", strictyaml.DidYouMean(name, FieldNames(fields)))
	}
}

// serviceSends reports whether the hosted service, too, sends the default of a field that
// is left out: it does so in bodies, not in queries.
func (f *Field) serviceSends() bool { return f.Send && f.In != "query" }

func (p *paramCheck) value(path string, f *Field, value any) {
	t := typeOf(value)
	if t == "null" {
		if !f.Nullable && !f.Accepts("null") {
			p.add(path, "type", "must not be null: give %s, or leave it out", TypeInWords(f.Type))
		}
		return
	}
	if !f.Accepts(t) {
		wanted := f.Type
		if f.Nullable {
			wanted += "|null"
		}
		p.add(path, "type", "wants %s, not %s", TypeInWords(wanted), TypeInWords(t))
		return
	}
	switch v := value.(type) {
	case json.Number:
		x, err := v.Float64()
		if err != nil {
			p.add(path, "type", "%s is too large a number", v)
			break
		}
		low, high := f.Min != nil && x < *f.Min, f.Max != nil && x > *f.Max
		rule := map[bool]string{true: "min", false: "max"}[low]
		switch {
		case (low || high) && f.Min != nil && f.Max != nil:
			p.add(path, rule, "%s is outside %v to %v", v, *f.Min, *f.Max)
		case low:
			p.add(path, rule, "%s is below %v", v, *f.Min)
		case high:
			p.add(path, rule, "%s is above %v", v, *f.Max)
		}
		p.unix(path, f, x)
	case string:
		p.text(path, f, v)
	case []any:
		if f.MaxItems > 0 && len(v) > f.MaxItems {
			p.add(path, "max_items", "%d elements are more than the allowed %d", len(v), f.MaxItems)
		}
		for i, element := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			if f.Items != nil {
				p.value(at, f.Items, element)
			}
			p.enum(at, f, element)
		}
		return
	case *rawjson.Map:
		p.members(path, f, v)
		return
	}
	if f.Const != nil && !sameJSON(f.Const, value) {
		p.add(path, "const", "the only value is %s", f.Const)
	}
	if f.Separator == "" {
		p.enum(path, f, value)
	}
}

func (p *paramCheck) text(path string, f *Field, s string) {
	if f.Separator == "" {
		p.format(path, f, s)
	}
	if f.Separator == "" || s == "" {
		return
	}
	entries := strings.Split(s, f.Separator)
	if f.MaxItems > 0 && len(entries) > f.MaxItems {
		p.add(path, "max_items", "%d entries are more than the allowed %d", len(entries), f.MaxItems)
	}
	for _, entry := range entries {
		p.enum(path, f, strings.TrimSpace(entry))
	}
}

func (p *paramCheck) members(path string, f *Field, values *rawjson.Map) {
	count := 0
	for i := range f.Members {
		if v, ok := given(&f.Members[i], values); ok && v != nil {
			count++
		}
	}
	if f.OneOf && count != 1 {
		p.add(path, "one_of", "give exactly one of %s, found %d", strings.Join(FieldNames(f.Members), ", "), count)
	}
	if f.Members != nil {
		p.object(path, f.Members, values, f.Values != nil)
	}
	if f.Values == nil {
		return
	}
	for _, name := range unknown(f.Members, values) {
		p.value(join(path, name), f.Values, values.Value(name))
	}
}

// enum accepts the specification's words and those of the wire.
func (p *paramCheck) enum(path string, f *Field, value any) {
	if len(f.Enum) == 0 || f.Open {
		return
	}
	words := make([]string, len(f.Enum))
	for i, allowed := range f.Enum {
		if sameJSON(allowed, value) {
			return
		}
		word := strings.Trim(string(allowed), `"`)
		if s, ok := value.(string); ok && f.WireValues[word] == s && s != "" {
			return
		}
		words[i] = cmp.Or(word, `""`)
	}
	if s, ok := value.(string); ok && s != strings.TrimSpace(s) || s == "" && ok {
		value = strconv.Quote(s)
	}
	p.add(path, "enum", "%v is not one of %s", value, strings.Join(words, ", "))
}

func sameJSON(want json.RawMessage, value any) bool {
	n := rawjson.Parse(want)
	return n.Kind() < rawjson.Array && n.Value() == value
}

// typeOf names the JSON type of a decoded value; 2.0 is an integer.
func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case json.Number:
		f, err := v.Float64()
		if err == nil && f == float64(int64(f)) || !strings.ContainsAny(v.String(), ".eE") {
			return "integer"
		}
		return "number"
	}
	return "object"
}

// TypeInWords names a type, or several joined with |, in the words of people who
// write no code: "a whole number or a text".
func TypeInWords(types string) string {
	words := strings.Split(types, "|")
	for i, t := range words {
		plain := map[string]string{"string": "a text", "integer": "a whole number", "boolean": "true or false",
			"object": "an object", "array": "a list", "null": "null", "any": "any value"}[t]
		words[i] = cmp.Or(plain, "a "+t)
	}
	return strings.Join(words, " or ")
}

// rule checks one rule of an action across its params.
func (p *paramCheck) rule(a *Action, r *Rule, values *rawjson.Map) {
	if r.In != "" {
		if values, _ = lookup(values, r.In).(*rawjson.Map); values == nil {
			return
		}
	}
	p.status = r.Status
	switch r.Rule {
	case "at_least_one":
		if countGiven(values, r.Params) == 0 {
			p.add(r.at(), r.Rule, "%s", r.Text)
		}
	case "exactly_one":
		if countGiven(values, r.Params) != 1 {
			// The rule says better what is wrong with the object.
			p.found = slices.DeleteFunc(p.found, func(v Violation) bool { return v.Path == r.In && v.Rule == "one_of" })
			p.add(r.at(), r.Rule, "%s", r.Text)
		}
	case "required_unless":
		if len(r.Params) == 2 && countGiven(values, r.Params) == 0 {
			p.add(join(r.In, r.Params[0]), r.Rule, "%s", r.Text)
		}
	default:
		p.ruleOnValue(a, r, values)
	}
}

// at is where a form shows what a rule over several params has to say: at the
// object that holds them, else at the first of them.
func (r *Rule) at() string {
	if r.In != "" || len(r.Params) == 0 {
		return r.In
	}
	return r.Params[0]
}

// ruleOnValue checks the rules that speak of one param's own value.
func (p *paramCheck) ruleOnValue(a *Action, r *Rule, values *rawjson.Map) {
	if len(r.Params) == 0 {
		return
	}
	path := join(r.In, r.Params[0])
	f, value := a.Param(path), lookup(values, r.Params[0])
	entries := entriesOf(f, value)
	switch r.Rule {
	case "bounded_jql":
		text, isText := value.(string)
		switch wrong, doubt := CheckJQL(text); {
		case value != nil && !isText: // its type says what is wrong
		case strings.TrimSpace(text) == "":
			p.found = slices.DeleteFunc(p.found, func(v Violation) bool {
				return v.Path == path && v.Rule == "required"
			})
			p.add(path, "required", "%s is required", path)
		case wrong != "":
			p.add(path, r.Rule, "%s", wrong)
		case doubt != "":
			p.warn(path, r.Rule, "%s", doubt)
		}
	case "max_entries":
		if n := len(entries); n > r.Max {
			p.add(path, r.Rule, "%s (found %d)", r.Text, n)
		}
	case "no_prefix":
		if slices.ContainsFunc(entries, func(entry string) bool { return strings.HasPrefix(entry, r.Value) }) {
			p.add(path, r.Rule, "%s", r.Text)
		}
	case "names_one":
		text, ok := value.(string)
		text = strings.ToLower(text)
		named := func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }
		if ok && !slices.ContainsFunc(r.Values, named) {
			p.add(path, r.Rule, "%s", r.Text)
		}
	case "one_of_values":
		if i := slices.IndexFunc(entries, func(entry string) bool { return f != nil && !f.lists(entry) }); i >= 0 {
			p.add(path, r.Rule, "%s (found %s)", r.Text, entries[i])
		}
	}
}

// lookup finds a value by its dotted path; nil when it is not there.
func lookup(values *rawjson.Map, path string) any {
	if v, ok := values.Get(path); ok {
		return v
	}
	head, rest, dotted := strings.Cut(path, ".")
	inner, ok := values.Value(head).(*rawjson.Map)
	if !dotted || !ok {
		return nil
	}
	return lookup(inner, rest)
}

// countGiven counts the params that carry something: null and "" do not.
func countGiven(values *rawjson.Map, names []string) int {
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
	var entries []string
	switch v := value.(type) {
	case string:
		separator := ","
		if f != nil && f.Separator != "" {
			separator = f.Separator
		}
		for entry := range strings.SplitSeq(v, separator) {
			entries = append(entries, nonEmpty(strings.TrimSpace(entry))...)
		}
	case []any:
		for _, e := range v {
			s, _ := e.(string)
			entries = append(entries, s)
		}
	}
	return entries
}

// lists reports whether text is one of the enum of the field or of its elements.
func (f *Field) lists(text string) bool {
	enum := f.Enum
	if enum == nil && f.Items != nil {
		enum = f.Items.Enum
	}
	return len(enum) == 0 || slices.ContainsFunc(enum, func(v json.RawMessage) bool { return sameJSON(v, text) })
}

// format warns about text that does not look like what it should be. Services
// read more forms than these, so it never refuses.
func (p *paramCheck) format(path string, f *Field, s string) {
	at := strings.LastIndexByte(s, '@')
	u, err := url.Parse(s)
	switch {
	case s == "":
	case f.Format == "date-time" && !parsesAs(s, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00",
		"2006-01-02T15:04:05.999Z0700", "2006-01-02T15:04:05Z0700", time.DateOnly):
		p.warn(path, "format", "%q is no ISO 8601 date and time, such as 2026-03-01T09:30:00Z", s)
	case f.Format == "date" && !parsesAs(s, time.DateOnly, time.RFC3339, "20060102"):
		p.warn(path, "format", "%q is no date, such as 2026-03-01", s)
	case f.Format == "email" && (at < 1 || at == len(s)-1):
		p.warn(path, "format", "%q is no e-mail address", s)
	case f.Format == "uuid" && !sameGroups(s, []string{"8", "4", "4", "4", "12"}, "0123456789abcdefABCDEF"):
		p.warn(path, "format", "%q is no UUID: it has 8-4-4-4-12 hexadecimal digits", s)
	case strings.HasPrefix(f.Format, digitGroups) && !sameGroups(s, strings.Split(f.Format, "-")[1:], "0123456789"):
		p.add(path, "format", "%q is not in the form %s digits", s, strings.TrimPrefix(f.Format, digitGroups))
	case f.Format == "uri" && (err != nil || u.Scheme == ""):
		p.warn(path, "format", "%q is no complete address, such as https://example.com", s)
	}
}

// digitGroups begins the formats of ids made of groups of digits: digits-3-7-7.
const digitGroups = "digits-"

// sameGroups reports whether text consists of groups of as many characters of a set.
func sameGroups(text string, lengths []string, set string) bool {
	groups := strings.Split(text, "-")
	return slices.EqualFunc(groups, lengths, func(group, length string) bool {
		return strconv.Itoa(len(group)) == length && strings.Trim(group, set) == ""
	})
}

func parsesAs(s string, layouts ...string) bool {
	return slices.ContainsFunc(layouts, func(layout string) bool {
		_, err := time.Parse(layout, s)
		return err == nil
	})
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
