package search

import (
	"slices"
	"strings"

	"patchbay/catalog"
)

// Operators returns the documented operators that suit a field, the likeliest
// first. A field of unknown type takes all of them.
func Operators(f catalog.Field) []string {
	switch {
	case f.Type == "" || hasType(f, "any"):
		return slices.Clone(documented[:])
	case f.Type == "boolean":
		return []string{Eq, Neq}
	case f.Type == "integer" || f.Type == "number" || f.Type == "integer|number":
		return []string{Eq, Neq, Gt, Gte, Lt, Lte, In}
	case f.Type == "object":
		return []string{Eq, Neq, Like, Fuzzy, Keyword}
	case f.Type == "array":
		return []string{Eq, Neq, In, Like, Fuzzy, Keyword}
	}
	return stringOperators(f)
}

func stringOperators(f catalog.Field) []string {
	switch {
	case strings.HasPrefix(f.Format, "date"):
		return []string{Gte, Lt, Gt, Lte, Eq, Neq, In, Like}
	case len(f.Enum) > 0:
		return []string{Eq, In, Neq, Like, Fuzzy, Keyword, Gt, Gte, Lt, Lte}
	}
	return []string{Eq, Like, In, Neq, Fuzzy, Keyword, Gt, Gte, Lt, Lte}
}

func hasType(f catalog.Field, name string) bool {
	return slices.Contains(strings.Split(f.Type, "|"), name)
}

// FindField returns the searchable field that a typed name refers to: the
// field itself, or the object or array that a dot path starts in (exact is then
// false and the members' types unknown unless the catalog lists them).
func FindField(e *catalog.Entity, name string) (f catalog.Field, exact, ok bool) {
	for _, f := range e.Search {
		if f.Name == name {
			return f, true, true
		}
	}
	for _, f := range e.Search {
		rest, inside := strings.CutPrefix(name, f.Name)
		rest = strings.TrimPrefix(rest, "[]")
		if inside && strings.HasPrefix(rest, ".") && len(rest) > 1 {
			if f, exact, ok := findMember(f, rest[1:]); ok {
				return f, exact, true
			}
		}
	}
	return catalog.Field{}, false, false
}

func findMember(f catalog.Field, rest string) (catalog.Field, bool, bool) {
	if f.Items != nil {
		f = *f.Items
	}
	nested := hasType(f, "object") || hasType(f, "array") || hasType(f, "any")
	if !nested {
		return f, false, false
	}
	for _, m := range f.Members {
		if m.Name == rest {
			return m, true, true
		}
		after := strings.TrimPrefix(strings.TrimPrefix(rest, m.Name), "[]")
		if strings.HasPrefix(rest, m.Name) && strings.HasPrefix(after, ".") {
			return findMember(m, after[1:])
		}
	}
	return catalog.Field{Name: rest, Type: "any"}, false, true
}
