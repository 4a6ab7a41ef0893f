package catalog

import (
	"strconv"
	"strings"
)

// TypeWords is the type of the field for people: "array of string", "integer or null".
func (f *Field) TypeWords() string {
	text := strings.ReplaceAll(f.Type, "|", " or ")
	if f.Type == "array" && f.Items != nil {
		text = "array of " + f.Items.TypeWords()
	}
	if f.Type == "object" && f.Values != nil {
		text = "map of " + f.Values.TypeWords()
	}
	if f.Nullable {
		text += " or null"
	}
	return text
}

// Marks are the short facts about a field: required, default, limits, values.
func (f *Field) Marks() []string {
	var marks []string
	add := func(set bool, text string) {
		if set {
			marks = append(marks, text)
		}
	}
	add(f.Injected, "filled by the service")
	add(f.Required && !f.Injected, "required")
	add(f.OneOf, "exactly one member")
	add(f.Const != nil, "always "+string(f.Const))
	add(len(f.Enum) > 0, f.enumWords())
	if f.Items != nil {
		add(len(f.Items.Enum) > 0, "each "+f.Items.enumWords())
	}
	add(f.Default != nil, f.defaultWords())
	number := func(x *float64) string { return strconv.FormatFloat(*x, 'f', -1, 64) }
	switch {
	case f.Min == nil && f.Max == nil:
	case f.Max == nil:
		add(true, "at least "+number(f.Min))
	case f.Min == nil:
		add(true, "at most "+number(f.Max))
	default:
		add(true, number(f.Min)+" to "+number(f.Max))
	}
	add(f.MaxItems > 0, "at most "+strconv.Itoa(f.MaxItems)+" entries")
	add(f.Format != "", f.Format)
	add(f.Separator != "", "joined with "+strconv.Quote(f.Separator))
	add(f.Secret, "secret")
	add(f.Alias != "", "on the wire "+f.Alias)
	add(f.Ref != "", "refers to "+f.Ref)
	add(len(f.Omitted) > 0, "left out by "+strings.Join(f.Omitted, ", "))
	return marks
}

// defaultWords is what becomes of the default when the field is left out; a field that
// must be given has it as an example.
func (f *Field) defaultWords() string {
	switch {
	case f.Send:
		return "a local call sends " + string(f.Default) + " by default"
	case f.Required:
		return "for example " + string(f.Default)
	}
	return "default " + string(f.Default)
}

func (f *Field) enumWords() string {
	words := make([]string, len(f.Enum))
	for i, v := range f.Enum {
		words[i] = strings.Trim(string(v), `"`)
		if words[i] == "" {
			words[i] = `""`
		}
	}
	if f.Open {
		words = append(words, "or others")
	}
	return "one of " + strings.Join(words, ", ")
}
