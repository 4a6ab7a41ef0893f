package sandbox

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Every placeholder of the catalog and of the lists of words is known: a text
// keeps the braces of one that is not.
func TestPlaceholdersAreKnown(t *testing.T) {
	cat := catalog.New()
	for _, known := range cat.Kinds() {
		k, err := cat.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := newDataset(k, 1, 3, newRig(t, Options{Catalog: cat}).s.opts.Now)
		for i := range k.Entities {
			e := &k.Entities[i]
			if d.base(e.Name) != e {
				continue
			}
			for _, r := range d.table(e.Name).Rows {
				if text := string(r.JSON()); strings.Contains(text, `"{`) || strings.Contains(text, `}"`) {
					t.Errorf("%s.%s: %s", k.Name, e.Name, text)
				}
			}
		}
	}
}

func TestTemplates(t *testing.T) {
	k, err := catalog.New().Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	d := newDataset(k, 1, 10, newRig(t, Options{}).s.opts.Now)
	m := d.maker(k.Entity("charges"), 3)
	for template, want := range map[string]string{
		`"{down}"`: `77`, `"no {down:100/5}"`: `"no 00177"`, `"{cycle:a|b}"`: `"b"`, `"{step:3}"`: `1`,
		`"{n}-x"`:                           `"3-x"`,
		`{"first":"a","rest":["b",null,1]}`: `["b",null,1]`, `"{one}"`: `"charge"`, `"{nth:given}"`: `"dmitri-3"`,
		`"{nonsense}"`: `"{nonsense}"`, `"{release}"`: `"v0.7.7"`, `{"pick":["x"]}`: `"x"`,
	} {
		if got := string(rawjson.Encode(m.fill(json.RawMessage(template), nil))); got != want {
			t.Errorf("%s gives %s, want %s", template, got, want)
		}
	}
	same := m.fill(json.RawMessage(`["{=prose}","{=prose}","{customers.id~5}","{customers.id~5}"]`), nil).([]any)
	if same[0] != same[1] || same[2] != same[3] || !strings.HasPrefix(same[2].(string), "cus_") {
		t.Errorf("what is drawn once differs: %v", same)
	}
}
