package payload

import (
	"encoding/json"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
)

func TestExact(t *testing.T) {
	k := &catalog.Kind{Entities: []catalog.Entity{{Name: "orders", Actions: []catalog.Action{{Name: "get", Params: []catalog.Field{
		{Name: "orderId"}, {Name: "MarketOrderId", Alias: "AmazonOrderId"}, {Name: "page[size]"}, {Name: "aB"}, {Name: "a_b"}, {Name: "CreatedAfter"}}}}}}}
	op := client.Operation{Entity: "orders", Action: "get",
		Params: json.RawMessage(`{"order_id":1.0,"AmazonOrderId":"x","page_size":2,"a_b":3,"created_after":"y","other_one":4}`)}
	want := `{"orderId":1.0,"MarketOrderId":"x","page[size]":2,"a_b":3,"CreatedAfter":"y","other_one":4}`
	got, notes := Exact(op, k)
	if string(got.Params) != want {
		t.Fatalf("got  %s\nwant %s", got.Params, want)
	}
	if want := "The param order_id is called orderId here."; len(notes) != 3 || notes[0] != want {
		t.Fatalf("notes %q", notes)
	}
}

// Every name of the SDK finds its way back, unless two params share it.
func TestExactEveryParam(t *testing.T) {
	for _, k := range kinds(t) {
		for _, e := range k.Entities {
			for i := range e.Actions {
				a := &e.Actions[i]
				for _, f := range a.Params {
					g, _ := field(a.Params, SnakeCase(f.Name))
					if g != nil && g.Name != f.Name && g.Name != SnakeCase(f.Name) {
						t.Errorf("%s.%s.%s: %s became %s", k.Name, e.Name, a.Name, f.Name, g.Name)
					}
				}
			}
		}
	}
}
