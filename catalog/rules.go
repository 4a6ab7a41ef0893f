package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
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
// for. Violations come in the order of the params, rules last.
func CheckParams(k *Kind, e *Entity, a *Action, params []byte) []Violation {
	p := &paramCheck{}
	values, ok := p.parse(params)
	if !ok {
		return p.found
	}
	if !a.ParamsUnknown {
		p.object("", a.Params, values, a.FreeBody)
	}
	for i := range a.Rules {
		p.rule(a, &a.Rules[i], values)
	}
	return p.found
}

// Refused tells whether one of the violations is an error.
func Refused(violations []Violation) bool {
	for _, v := range violations {
		if v.Severity == SeverityError {
			return true
		}
	}
	return false
}

type paramCheck struct {
	found  []Violation
	status int // documented answer to breaking the rule at hand; 0 when there is none
}

func (p *paramCheck) add(path, rule, format string, args ...any) {
	p.found = append(p.found, Violation{Path: path, Rule: rule, Message: fmt.Sprintf(format, args...), Severity: SeverityError, Status: p.status})
}

func (p *paramCheck) warn(path, rule, format string, args ...any) {
	p.found = append(p.found, Violation{Path: path, Rule: rule, Message: fmt.Sprintf(format, args...), Severity: SeverityWarning})
}

func (p *paramCheck) parse(params []byte) (map[string]any, bool) {
	if len(bytes.TrimSpace(params)) == 0 {
		return nil, true
	}
	dec := json.NewDecoder(bytes.NewReader(params))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		p.add("", "json", "the params are not JSON: %v", err)
		return nil, false
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		p.add("", "json", "something follows the params: remove what stands after the closing brace")
		return nil, false
	}
	if value == nil {
		return nil, true
	}
	object, ok := value.(map[string]any)
	if !ok {
		p.add("", "json", "the params must be a JSON object, found %s", article(typeOf(value)))
	}
	return object, ok
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// given finds a member by its neutral or wire name.
func given(f *Field, values map[string]any) (any, bool) {
	if v, ok := values[f.Name]; ok {
		return v, true
	}
	if f.Alias == "" {
		return nil, false
	}
	v, ok := values[f.Alias]
	return v, ok
}

// object checks the members of an object; free ones may have unknown names.
func (p *paramCheck) object(path string, fields []Field, values map[string]any, free bool) {
	for i := range fields {
		f := &fields[i]
		value, ok := given(f, values)
		if ok {
			p.value(join(path, f.Name), f, value)
		} else if f.Required && !f.Injected && !f.Send {
			p.add(join(path, f.Name), "required", "%s is required", f.Name)
		}
	}
	if free {
		return
	}
	var unknown []string
	for name := range values {
		if FieldByName(fields, name) == nil {
			unknown = append(unknown, name)
		}
	}
	sort.Strings(unknown)
	for _, name := range unknown {
		p.warn(join(path, name), "unknown", "not in the catalog%s", suggestion(name, namesOf(fields)))
	}
}

func (p *paramCheck) value(path string, f *Field, value any) {
	t := typeOf(value)
	if t == "null" {
		if !f.Nullable && !f.Accepts("null") {
			p.add(path, "type", "%s cannot be null: give %s or leave it out", f.Name, article(spokenType(f)))
		}
		return
	}
	if !f.Accepts(t) {
		p.add(path, "type", "expected %s, found %s", article(spokenType(f)), article(t))
		return
	}
	switch v := value.(type) {
	case json.Number:
		p.limits(path, f, v)
	case string:
		p.text(path, f, v)
	case []any:
		p.array(path, f, v)
		return
	case map[string]any:
		p.members(path, f, v)
		return
	}
	p.constant(path, f, value)
	if f.Separator == "" {
		p.enum(path, f, value)
	}
}

func (p *paramCheck) limits(path string, f *Field, n json.Number) {
	x, err := n.Float64()
	if err != nil {
		p.add(path, "type", "%s is too large a number", n)
		return
	}
	if f.Min != nil && x < *f.Min {
		p.add(path, "min", "%s is below the least value %v", n, *f.Min)
	}
	if f.Max != nil && x > *f.Max {
		p.add(path, "max", "%s is above the largest value %v", n, *f.Max)
	}
	p.unix(path, f, x)
}

func (p *paramCheck) text(path string, f *Field, s string) {
	if f.Separator == "" {
		p.format(path, f, s)
		return
	}
	if s == "" {
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

func (p *paramCheck) array(path string, f *Field, values []any) {
	if f.MaxItems > 0 && len(values) > f.MaxItems {
		p.add(path, "max_items", "%d elements are more than the allowed %d", len(values), f.MaxItems)
	}
	for i, v := range values {
		at := fmt.Sprintf("%s[%d]", path, i)
		if f.Items != nil {
			p.value(at, f.Items, v)
		}
		p.enum(at, f, v)
	}
}

func (p *paramCheck) members(path string, f *Field, values map[string]any) {
	if f.OneOf {
		p.oneOf(path, f, values)
	}
	if f.Members != nil {
		p.object(path, f.Members, values, f.Values != nil)
	}
	if f.Values == nil {
		return
	}
	names := make([]string, 0, len(values))
	for name := range values {
		if FieldByName(f.Members, name) == nil {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		p.value(join(path, name), f.Values, values[name])
	}
}

func (p *paramCheck) oneOf(path string, f *Field, values map[string]any) {
	count := 0
	for i := range f.Members {
		if v, ok := given(&f.Members[i], values); ok && v != nil {
			count++
		}
	}
	if count != 1 {
		p.add(path, "one_of", "give exactly one of %s, found %d", strings.Join(namesOf(f.Members), ", "), count)
	}
}

func (p *paramCheck) constant(path string, f *Field, value any) {
	if f.Const != nil && !sameJSON(f.Const, value) {
		p.add(path, "const", "the only value is %s", f.Const)
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
		words[i] = strings.Trim(string(allowed), `"`)
		if s, ok := value.(string); ok && f.WireValues[words[i]] == s && s != "" {
			return
		}
	}
	p.add(path, "enum", "%v is not one of %s", value, strings.Join(words, ", "))
}

func sameJSON(want json.RawMessage, value any) bool {
	dec := json.NewDecoder(bytes.NewReader(want))
	dec.UseNumber()
	var parsed any
	if dec.Decode(&parsed) != nil {
		return false
	}
	switch parsed.(type) {
	case string, bool, json.Number, nil:
		return parsed == value
	}
	return false
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
		if f, err := v.Float64(); err == nil && f == float64(int64(f)) {
			return "integer"
		}
		if !strings.ContainsAny(v.String(), ".eE") {
			return "integer"
		}
		return "number"
	}
	return "object"
}

// spokenType writes a union for people: "integer or string".
func spokenType(f *Field) string {
	text := strings.ReplaceAll(f.Type, "|", " or ")
	if f.Nullable {
		text += " or null"
	}
	return text
}

func article(noun string) string {
	switch {
	case strings.HasPrefix(noun, "null"), strings.HasPrefix(noun, "any"):
		return noun
	case strings.IndexByte("aeio", noun[0]) >= 0:
		return "an " + noun
	}
	return "a " + noun
}
