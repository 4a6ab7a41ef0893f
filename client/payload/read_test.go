package payload

import (
	"testing"

	small "patchbay/testdata/catalog"
)

func TestReadFor(t *testing.T) {
	k, err := small.Catalog().Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, format, entity, params string }{
		{` {"limit": 5} `, bareParams, "", `{"limit": 5}`},
		{`{"entity":"mine"}`, bareParams, "", `{"entity":"mine"}`},
		{`{"entity":"customers","action":"list","params":{"limit":1}}`, "json", "customers", `{"limit":1}`},
	} {
		p, err := ReadFor(k, c.text)
		if err != nil || p.Format != c.format || p.Operation.Entity != c.entity || string(p.Operation.Params) != c.params {
			t.Errorf("%s is read as %+v, %v", c.text, p, err)
		}
	}
	if _, err := ReadFor(k, "no call"); err == nil {
		t.Error("a text that is no call is read")
	}
}
