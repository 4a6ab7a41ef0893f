package records

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

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
		{Filter{Text: "li", Columns: fromPaths("id", "metadata")}, "name", "metadata.source[1]"},
		{Filter{Text: "li", Columns: fromPaths("id")}, "", ""},
	} {
		path, ok := c.filter.Hit(record, func(p rawjson.Path) bool { return p[0].Name == c.prefer })
		if got := path.String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%+v preferring %s hits %q, want %q", c.filter, c.prefer, got, c.want)
		}
	}
}

func TestExcerptsShowTheHit(t *testing.T) {
	long := strings.Repeat("before ", 2000) + "é the needle " + strings.Repeat("behind ", 2000)
	for _, c := range []struct {
		filter Filter
		value  string
		want   string
	}{
		{Filter{Text: "NEEDLE"}, "the needle", "the needle"},
		{Filter{Text: "needle"}, long, "…efore é the needle behind"},
		{Filter{Text: "n.e+dle", Mode: Regexp}, long, "…efore é the needle behind"},
		{Filter{Text: "bfr", Mode: Fuzzy}, long, "before before"},
		{Filter{Text: "12"}, "", "12"},
	} {
		n := rawjson.Parse([]byte("12"))
		if c.value != "" {
			n = rawjson.Parse([]byte(strconv.Quote(c.value)))
		}
		got := c.filter.Excerpt(n)
		if !strings.HasPrefix(got, c.want) || len(got) > excerptBytes+20 || !utf8.ValidString(got) {
			t.Errorf("%+v: %.80q of %d bytes, want %q", c.filter, got, len(got), c.want)
		}
	}
}

func fromPaths(paths ...string) []Column {
	out := make([]Column, len(paths))
	for i, path := range paths {
		out[i], _ = FromPath(path) // the paths are right
	}
	return out
}

func TestFilterLooksAtTheColumnsOnly(t *testing.T) {
	set := setOf(`[{"id":"a","name":"Linda"},{"id":"li","name":"Bo"},{"id":"c","m":{"s":"list"}},{"id":"d"}]`)
	shout := Column{Name: "shout", Derive: func(r rawjson.Node) rawjson.Node {
		if id, _ := r.Get("id"); string(id.Raw()) == `"d"` {
			return rawjson.Parse([]byte(`"li!"`))
		}
		return rawjson.Node{}
	}}
	for _, c := range []struct {
		filter Filter
		want   []int32
	}{
		{Filter{Text: "li"}, []int32{0, 1, 2}},
		{Filter{Text: "li", Columns: fromPaths("id", "m")}, []int32{1, 2}},
		{Filter{Text: "li", Columns: fromPaths("id"), Invert: true}, []int32{0, 2, 3}},
		{Filter{Text: "^li", Mode: Regexp, Columns: fromPaths("name", "m.s")}, []int32{0, 2}},
		{Filter{Text: "li", Columns: []Column{shout}}, []int32{3}},
	} {
		got, err := Filtered(t.Context(), set, nil, []Filter{c.filter}, nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v keeps %v (%v), want %v", c.filter, got, err, c.want)
		}
	}
}

// A name that the body ends in is no field.
func TestCutNamesAreNoColumns(t *testing.T) {
	for body, want := range map[string]int{`[{"id":1},{"i`: 1, `[{"id":1},{"name"`: 2, `[{"id":1},{"name":`: 2} {
		set := setOf(body)
		if columns := Columns(set, ColumnOptions{}); len(columns) != want {
			t.Errorf("%s has the columns %v, want %d", body, columns, want)
		}
	}
}
