package preflight

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
)

// shape are the verdicts on the fields that a call selects or leaves out. The service
// refuses none of them: what it cannot find it passes over.
func (c Call) shape(e *catalog.Entity, a *catalog.Action) (out []Verdict) {
	if c.Local {
		return nil
	}
	warn := func(place, text, next string) {
		out = append(out, Verdict{Severity: catalog.SeverityWarning, Place: place, Rule: "shape", Text: text,
			Next: next})
	}
	if len(c.Select) > 0 && len(c.Exclude) > 0 {
		warn("exclude_fields", "the service does not read it beside select_fields", "Leave one of them out.")
	}
	fields := slices.Clone(e.RecordOf(a))
	for _, f := range e.Search {
		fields = catalog.WithPath(fields, f.Name, f)
	}
	for _, list := range []struct {
		place string
		paths []string
	}{{"select_fields", c.Select}, {"exclude_fields", c.Exclude}} {
		for _, path := range list.paths {
			if through := arrayOn(fields, path); through != "" {
				warn(list.place, fmt.Sprintf("%s leads through the array %s, and the service does not go into arrays",
					path, through), "Name "+through+", and pick from it what you need.")
			}
		}
	}
	return out
}

// arrayOn is the array that a path leads through; empty for none.
func arrayOn(fields []catalog.Field, path string) string {
	at := ""
	for catalog.FieldByName(fields, path) == nil {
		first, rest, deeper := strings.Cut(path, ".")
		f := catalog.FieldByName(fields, strings.TrimSuffix(first, "[]"))
		if f == nil || !deeper {
			return ""
		}
		if at += "." + f.Name; strings.Contains(f.Type, "array") {
			return at[1:]
		}
		fields, path = f.Members, rest
	}
	return ""
}
