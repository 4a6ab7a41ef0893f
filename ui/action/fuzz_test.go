package action

import (
	"slices"
	"strings"
	"testing"
)

// A key that a person wrote is the one that the terminal names so: what can be pressed
// is found, and to write it as it is kept changes nothing.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("run: [ctrl+r, shift+a, f9]\ncopy: alt+Shift+Return\nquit: []\nhelp: ctrl++\n"))
	f.Add([]byte("run: ctrl+w k\nopen: '+'\nx: Plus\ny: ctrl+plus\nz: meta+del\n"))
	f.Add([]byte("x: [ctrl+ctrl+0, shift+shift+a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, problems := ParseKeys("keys.yaml", data)
		if keys == nil && len(problems) == 0 && strings.Trim(string(data), " \r\n\ufeff") != "" {
			return // a file of comments
		}
		for id, list := range keys {
			for _, name := range list {
				if again := normalKey(name); again != name {
					t.Errorf("%q is kept as %q, and that as %q", id, name, again)
				}
				for _, part := range strings.Fields(name) {
					if k, ok := Press(part); ok && !named(k.String(), part) {
						t.Errorf("%q is pressed as %q", part, k.String())
					}
				}
			}
		}
		NewTable([]Row{{ID: "run", In: InAny, Keys: []string{"r"}}, {ID: "copy", In: InAny, Keys: []string{"y"}}}, keys)
	})
}

// named reports whether a key that is pressed has a name: its modifiers may come in any order.
func named(pressed, name string) bool {
	a, b := strings.Split(pressed, "+"), strings.Split(name, "+")
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
