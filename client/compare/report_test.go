package compare

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/records"
)

func TestReport(t *testing.T) {
	set := func(rows string) *records.Set {
		s := &records.Set{}
		s.AddEnvelope(&client.Envelope{Body: client.Bytes(rows), Records: client.Span{To: len(rows)}})
		return s
	}
	e := &catalog.Entity{Name: "users", Key: "id", Record: []catalog.Field{{Name: "chat", Alias: "slack",
		Type: "string"}}}
	sides := []*Side{
		{Name: "search", Set: set("[{\"id\":1,\"chat\":\"a|b`<i>\",\"updated_at\":\"2024-01-01T00:00:00Z\"},{\"id\":2}]")},
		{Name: "list", Set: set(`[{"id":1,"slack":"x\u001b[2J"},{"id":3,"big":12345678901234567890}]`)},
	}
	c, err := Compare(context.Background(), e, nil, sides, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := Report{Kind: "k", Entity: "users", At: time.Unix(0, 0), Sides: []ReportSide{
		{Name: "search", Action: "context_store_search", Params: []byte(`{"query":{}}`), Whole: true, NotSent: []NotSent{{"owner", "no searchable field says the same"}}},
		{Name: "list", Why: "500 rows were asked for"}, {Name: "local", NotAsked: "it needs org"}}}
	r.Fill(c, sides, e.Record)
	var md, js strings.Builder
	if err := r.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# k users: search, list, local", "- params: `{\"query\":{}}`", "- not sent: owner (no searchable field says the same)", "- there may be more: 500 rows", "- not asked: it needs org",
		"0 the same on every side, 3 not; paired by id.", "| chat | 1 |", "| 1 | chat | \"a\\|b\\`&lt;i>\" | \"x\\\\u001b\\[2J\" |  |", "| 2 | search |", "| 3 | list |", "- newest updated_at: 2024-01-01T00:00:00Z"} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("%s\nlacks %s", md.String(), want)
		}
	}
	if strings.Contains(md.String(), "\x1b") {
		t.Error("an escape sequence reaches the document")
	}
	if err := r.WriteJSON(&js); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal([]byte(js.String()), &back); err != nil || len(back.Records) != 3 ||
		back.Sides[1].Only != 1 {
		t.Errorf("%v: %s", err, js.String())
	}
	if !strings.Contains(js.String(), "12345678901234567890") || string(back.Records[0].Differs[0].Values["search"]) != "\"a|b`<i>\"" {
		t.Error("values are not as received:", js.String())
	}
}
