package local

import (
	"encoding/base64"
	"strings"

	"patchbay/catalog"
)

// expand fills the ${names} of a template and encodes what stands in
// base64(...). ok is false when get knows one of the names not.
func expand(template string, get func(name string) (string, bool)) (string, bool) {
	if before, inner, after, found := encoded(template); found {
		head, ok1 := expand(before, get)
		text, ok2 := expand(inner, get)
		tail, ok3 := expand(after, get)
		return head + base64.StdEncoding.EncodeToString([]byte(text)) + tail, ok1 && ok2 && ok3
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "${")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := get(name)
		if !closed || !known {
			return "", false
		}
		b.WriteString(value)
		template = after
	}
}

// encoded splits a template around base64(...).
func encoded(template string) (before, inner, after string, found bool) {
	before, rest, found := strings.Cut(template, "base64(")
	end := strings.LastIndexByte(rest, ')')
	if !found || end < 0 {
		return template, "", "", false
	}
	return before, rest[:end], rest[end+1:], true
}

// fill expands pairs; those with an unknown name are left out.
func fill(templates []catalog.Pair, get func(name string) (string, bool)) []pair {
	var out []pair
	for _, t := range templates {
		if v, ok := expand(t.Value, get); ok {
			out = append(out, pair{t.Name, v})
		}
	}
	return out
}

// names lists the ${names} of a template.
func names(template string) []string {
	var out []string
	for {
		_, rest, found := strings.Cut(template, "${")
		if !found {
			return out
		}
		name, after, _ := strings.Cut(rest, "}")
		out = append(out, name)
		template = after
	}
}
