package jq

import "testing"

func TestUnfinish(t *testing.T) {
	for text, want := range map[string]struct{ base, name string }{
		".":                        {".", ""},
		".na":                      {".", "na"},
		".result[0].na":            {".result[0]", "na"},
		".result[] | .met":         {".result[]", "met"},
		".result[] | .metadata.te": {".result[] | .metadata", "te"},
		`."odd name".x`:            {`."odd name"`, "x"},
		`.["a|b"].x`:               {`.["a|b"]`, "x"},
		"select(.na":               {".", "na"},
		".result[] | select(.id == \"x\" and .na": {".result[]", "na"},
		".result[] | select(.ok) | .na":           {".result[] | select(.ok)", "na"},
		"{a: .b, c: .d.":                          {".d", ""},
		"[.result[] | .i":                         {".result[]", "i"},
		"map(.customer.":                          {".[]? | .customer", ""},
		"(.a, .b) | .c":                           {"(.a, .b)", "c"},
		"reduce .[] as $x (0; . + $x.am":          {"$x", "am"},
		".a.b?.c":                                 {".a.b?", "c"},
	} {
		u, ok := Unfinish(text)
		if !ok || u.Base != want.base || u.Name != want.name || text[u.At:] != want.name {
			t.Errorf("%s gives %+v %v, want %+v", text, u, ok, want)
		}
	}
	for _, text := range []string{"", "na", `"a text .na`, ".a |", "1 + 2", "# .na"} {
		if u, ok := Unfinish(text); ok {
			t.Errorf("%s gives %+v", text, u)
		}
	}
}

// Whatever is typed, the end of it is looked for and found in bounds.
func FuzzUnfinish(f *testing.F) {
	for _, s := range []string{`.a["b"].c`, "((.", "]].x", `"\".`, "{a:.b|=.c", ";;.x", "[(\"].x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if u, ok := Unfinish(text); ok && text[u.At:] != u.Name {
			t.Errorf("%q: %+v", text, u)
		}
	})
}
