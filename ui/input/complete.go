package input

import (
	"slices"
	"strings"
)

// Split is the text before the cursor and behind it.
func (f *Field) Split() (before, after string) {
	r := []rune(f.m.Value())
	at := min(f.m.Position(), len(r))
	return string(r[:at]), string(r[at:])
}

// Put replaces the text and puts the cursor between its parts.
func (f *Field) Put(before, after string) {
	f.Set(before + after)
	f.m.SetCursor(len([]rune(before)))
}

// rest is what the first completion adds to what is typed; "" without one, and where the
// cursor is not at the end.
func (f *Field) rest() string {
	typed := f.m.Value()
	if typed == "" || f.offered || f.Secret || f.m.Position() < len([]rune(typed)) ||
		slices.Contains(f.Completions, typed) {
		return ""
	}
	for _, c := range f.Completions {
		if len(c) > len(typed) && strings.EqualFold(c[:len(typed)], typed) {
			return c[len(typed):]
		}
	}
	return ""
}

// Completing reports whether a completion is proposed.
func (f *Field) Completing() bool { return f.rest() != "" }

// TakeCompletion completes what is typed as it is proposed; false where nothing is.
func (f *Field) TakeCompletion() bool {
	typed, rest := f.m.Value(), f.rest()
	if rest == "" {
		return false
	}
	at := slices.IndexFunc(f.Completions, func(c string) bool {
		return strings.EqualFold(c, typed+rest)
	})
	f.Set(f.Completions[at])
	return true
}

// Step goes to the next (1) or previous (-1) completion that holds what was typed; false
// where there is none.
func (f *Field) Step(d int) bool {
	if !f.stepped {
		f.stem, f.stepped = f.m.Value(), true
		if f.offered || slices.Contains(f.Completions, f.stem) {
			f.stem = ""
		}
	}
	fits := f.Fitting(f.stem)
	if len(fits) == 0 {
		return false
	}
	at := slices.Index(fits, f.m.Value())
	switch {
	case at >= 0:
		at = (at + d + len(fits)) % len(fits)
	case d < 0:
		at = len(fits) - 1
	default:
		at = 0
	}
	f.Set(fits[at])
	return true
}

// Fitting are the completions that hold a text; all for "".
func (f *Field) Fitting(stem string) []string {
	var out []string
	for _, c := range f.Completions {
		if strings.Contains(strings.ToLower(c), strings.ToLower(stem)) {
			out = append(out, c)
		}
	}
	return out
}
