package answer

import (
	"encoding/json"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

type someRecords int

func (n someRecords) Len() int                { return int(n) }
func (n someRecords) Record(int) rawjson.Node { return rawjson.Parse([]byte(`{}`)) }

// What nobody documented pages by what its answers carry.
func TestPagesOfDescribedActions(t *testing.T) {
	known := func(names ...string) *catalog.Action {
		a := &catalog.Action{Name: "list", Source: catalog.Live}
		for _, n := range names {
			a.Params = append(a.Params, catalog.Field{Name: n, Type: "any"})
		}
		return a
	}
	unknown := &catalog.Action{Name: "list", Source: catalog.Live, ParamsUnknown: true}
	for name, c := range map[string]struct {
		a            *catalog.Action
		params, meta string
		state        State
		want         string
	}{
		"cursor":             {known("cursor"), ``, `{"next_cursor":"c2","has_more":true}`, More, "next page sends cursor = \"c2\""},
		"cursor, last":       {known("cursor"), ``, `{"next_cursor":null}`, End, "last page"},
		"flag says last":     {known("cursor"), ``, `{"next_cursor":"c2","has_more":false}`, End, "last page"},
		"another name":       {known("page_token"), ``, `{"nextPageToken":"t"}`, More, "next page sends page_token = \"t\""},
		"unknown params":     {unknown, ``, `{"nextPageToken":"t"}`, More, "next page sends pageToken = \"t\""},
		"given beside":       {unknown, `{"after":"x"}`, `{"end_cursor":"y"}`, More, "next page sends after = \"y\""},
		"no param takes it":  {known("limit"), ``, `{"next_cursor":"c2"}`, Unknown, "next page unknown"},
		"page number":        {known("page"), `{"page":2}`, `{"next_page":3}`, More, "next page sends page = 3"},
		"no further page":    {known("page"), `{"page":2}`, `{"next_page":null}`, End, "last page"},
		"offset":             {known("offset"), ``, `{"next_offset":50}`, More, "next page sends offset = 50"},
		"counted":            {known("offset"), `{"offset":5}`, `{"has_more":true}`, More, "next page sends offset = 8"},
		"pages counted":      {known("page"), ``, `{"has_next_page":true}`, More, "next page sends page = 2"},
		"an address":         {known("cursor"), ``, `{"next":"https://x.example/a?limit=3&cursor=zz"}`, More, "next page sends cursor = \"zz\""},
		"nothing":            {known("cursor"), ``, `{"took":3}`, None, "this action has no pages"},
		"no meta":            {known("cursor"), ``, ``, None, "this action has no pages"},
		"it writes":          {&catalog.Action{Name: "sweep", Source: catalog.Live}, ``, `{"next_cursor":"c"}`, None, "this action has no pages"},
		"documented of none": {&catalog.Action{Name: "list"}, ``, `{"next_cursor":"c"}`, None, "this action has no pages"},
	} {
		env := &client.Envelope{MetaJSON: json.RawMessage(c.meta)}
		op := client.Operation{Entity: "boats", Action: c.a.Name}
		if c.params != "" {
			op.Params = json.RawMessage(c.params)
		}
		n := Following(c.a, op, env, someRecords(3))
		if n.State != c.state || n.Short() != c.want {
			t.Errorf("%s: %d %q (%s), want %d %q", name, n.State, n.Short(), n.Why, c.state, c.want)
		}
	}
}
