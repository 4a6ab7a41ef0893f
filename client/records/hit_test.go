package records

import (
	"testing"

	"patchbay/client/rawjson"
)

func TestFilterTellsWhereItHits(t *testing.T) {
	record := rawjson.Parse([]byte(`{"id":"a","name":"Linda","metadata":{"source":["x","list"]},"n":12}`))
	for _, c := range []struct {
		filter Filter
		prefer string
		want   string
	}{
		{Filter{Text: "LI"}, "", "name"},
		{Filter{Text: "li"}, "metadata", "metadata.source[1]"},
		{Filter{Text: "list"}, "name", "metadata.source[1]"},
		{Filter{Text: "^1.$", Mode: Regexp}, "", "n"},
		{Filter{Text: "lnd", Mode: Fuzzy}, "", "name"},
		{Filter{Text: "absent"}, "", ""},
		{Filter{Text: "li", Invert: true}, "", ""},
		{Filter{Text: "("[:1], Mode: Regexp}, "", ""},
	} {
		path, ok := c.filter.Hit(record, func(p rawjson.Path) bool { return p[0].Name == c.prefer })
		if got := path.String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%+v preferring %s hits %q, want %q", c.filter, c.prefer, got, c.want)
		}
	}
}
