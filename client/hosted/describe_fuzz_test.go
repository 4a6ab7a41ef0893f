package hosted

import (
	"testing"

	"patchbay/catalog"
)

// Whatever a service says of a connector: the catalog's entities come first, each
// entity and action once, and a connector has a name or an id.
func FuzzDescribed(f *testing.F) {
	for _, s := range []string{`{"entities":[{"entity_name":"customers","available_actions":["list","list","x"],"parameters":{"list":["limit","y"]}},{"name":"x"}]}`,
		`[{"name":"x"},{"name":"x"},{"entity":1}]`, `{"id":"1","source_template":{"name":"Stripe"}}`, `{"entities":{"a":[]}}`, `[[]]`} {
		f.Add([]byte(s))
	}
	cat := catalog.New()
	k, err := cat.Kind("payments")
	if err != nil {
		f.Fatal(err)
	}
	c := New(Config{Catalog: cat})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if one, err := c.connector(raw, ""); err == nil && one.ID == "" && one.Name == "" {
			t.Fatalf("%q is a connector without a name", raw)
		}
		entities, _ := merge(k, raw)
		seen := map[string]bool{}
		for i, e := range entities {
			if i < len(k.Entities) && e.Name != k.Entities[i].Name || seen[e.Name] || e.Name == "" {
				t.Fatalf("%q: entity %d is %q", raw, i, e.Name)
			}
			seen[e.Name] = true
			actions := map[string]bool{}
			for _, a := range e.Actions {
				if actions[a.Name] {
					t.Fatalf("%q: %s.%s comes twice", raw, e.Name, a.Name)
				}
				actions[a.Name] = true
			}
		}
	})
}
