package asked

import (
	"strings"
	"testing"

	"patchbay/catalog"
)

var entity = &catalog.Entity{Name: "customers",
	Search: []catalog.Field{{Name: "name", Type: "string"}, {Name: "created", Type: "integer", Format: "unix"}},
	Actions: []catalog.Action{
		{Name: "list", Params: []catalog.Field{
			{Name: "limit", Type: "integer"}, {Name: "since", Type: "string", Format: "date-time"},
			{Name: "amount", Type: "object", Members: []catalog.Field{{Name: "gt", Type: "integer"}}},
			{Name: "created", Type: "object", Members: []catalog.Field{
				{Name: "gte", Type: "integer", Format: "unix"}, {Name: "lt", Type: "integer", Format: "unix"}}}}},
		{Name: catalog.ActionContextStoreSearch}}}

func TestParamsInWords(t *testing.T) {
	for params, want := range map[string]string{
		`{"limit":20,"created":{"gte":1767225600,"lt":1767312061}}`:  "limit 20, created from 2026-01-01, created before 2026-01-02 00:01:01",
		`{"amount":{"gt":1767225600},"customer":"cus_1","empty":""}`: `amount above 1767225600, customer cus_1, empty ""`,
		`{"metadata":{"team":"blue"},"ids":["a","b"],"rows":[{}]}`:   `metadata.team blue, ids a and b, rows [{}]`,
		`{"since":"2026-01-01","name":"a, limit 3","none":null}`:     `since 2026-01-01, name "a, limit 3", none null`,
		`{}`: "", ``: "",
	} {
		if got := InWords(entity, entity.Action("list"), []byte(params)); got != want {
			t.Errorf("%s reads %q, want %q", params, got, want)
		}
	}
}

func TestSearchesInWords(t *testing.T) {
	search := entity.Action(catalog.ActionContextStoreSearch)
	for params, want := range map[string]string{
		`{"query":{"filter":{"and":[{"eq":{"name":"Ada"}},{"or":[{"gt":{"created":1767225600}},{"in":{"name":["a","b"]}}]}]},` +
			`"sort":[{"created":"desc"},{"name":"asc"}]},"limit":5}`: "where name is Ada and (created after 2026-01-01 or name is a or b), " +
			"sorted by created falling, then by name rising, limit 5",
		`{"query":{"filter":{"not":{"like":{"name":"%x%"}}}},"fields":["id","name"],"cursor":"c1"}`: "where not (name is like %x%), only id and name, from a cursor on",
		`{"limit":5}`: "limit 5",
		`{"query":{"filter":{"or":[{"eq":{"name":"a"}},{"neq":{"name":"b"}}]}}}`: "where name is a or name is not b",
		`{"query":{"filter":[]}}`: `query.filter []`, // what cannot be read as a search is told as it stands
		`{}`:                      "",
	} {
		if got := InWords(entity, search, []byte(params)); got != want {
			t.Errorf("%s reads\n%q, want\n%q", params, got, want)
		}
	}
}

// Params of any size are told in a line.
func TestWordsAreFew(t *testing.T) {
	long := `{"text":"` + strings.Repeat("x", 1<<20) + `","list":[` + strings.Repeat("1,", 1<<16) + `1]` + strings.Repeat(`,"a":1`, 10_000) + `}`
	if got := InWords(entity, entity.Action("list"), []byte(long)); len(got) > 1000 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes: %.300s", len(got), got)
	}
}
