package compare

import (
	"context"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/records"
)

func TestCompare(t *testing.T) {
	set := func(rows string) *records.Set {
		s := &records.Set{}
		s.AddEnvelope(&client.Envelope{Body: client.Bytes(rows), Records: client.Span{To: len(rows)}})
		return s
	}
	e := &catalog.Entity{Key: "id", Record: []catalog.Field{{Name: "chat", Alias: "slack", Type: "string"}}}
	c, err := Compare(context.Background(), e, nil, []*Side{
		{Name: "search", Set: set(`[{"id":1,"name":"a","chat":"x","updated_at":"2024-01-01T00:00:00Z"},{"id":2,"name":"b"},{"id":3,"n":1.0,"of":"{\"a\":[1]}"}]`)},
		{Name: "list", Set: set(`[{"id":3,"n":1,"of":{"a":[1.0]}},{"id":1,"name":"A","slack":"x","extra":true,"updated_at":"2024-01-01T01:00:00+01:00"},{"id":4,"updated_at":"2025-01-01T00:00:00Z"}]`)},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Same != 1 || len(c.Records) != 3 || c.Records[0].Key != "1" ||
		strings.Join(c.Records[0].Fields, ",") != "name" {
		t.Errorf("%+v", c)
	}
	search, list := c.Summaries[0], c.Summaries[1]
	if search.Only != 1 || search.Missing != 1 || list.Only != 1 || strings.Join(list.OnlyFields, ",") != "extra" ||
		list.NewestRow != 2 || list.NewestField != "updated_at" {
		t.Errorf("%+v\n%+v", search, list)
	}
	if !list.Newest.After(search.Newest) || len(c.Fields) != 1 || c.Fields[0] != (FieldCount{"name", 1}) {
		t.Errorf("%+v", c.Fields)
	}
}
