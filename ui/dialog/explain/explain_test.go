package explain

import (
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/search"
)

func TestExplainReadsTheNamesThatTheRecordCarries(t *testing.T) {
	k, e, a, err := catalog.New().Resolve("marketplace_seller", "orders", "context_store_search")
	if err != nil {
		t.Fatal(err)
	}
	asked := search.Group(search.All, search.Where("MarketOrderId", search.Eq, []byte(`"701-1"`)),
		search.Where("OrderStatus", search.Eq, []byte(`"Shipped"`)))
	page := &answer.Page{Env: &client.Envelope{}}
	page.Kind, page.Entity, page.Action = k, e, a
	for _, c := range []struct {
		names  client.Names
		record string
		want   search.State
	}{
		{client.Wire, `{"AmazonOrderId":"701-1","OrderStatus":"Shipped"}`, search.Met},
		{client.Wire, `{"AmazonOrderId":"701-2","OrderStatus":"Shipped"}`, search.NotMet},
		{client.Neutral, `{"MarketOrderId":"701-1","OrderStatus":"Shipped"}`, search.Met},
	} {
		page.Env.Names = c.names
		got := explained(page, []byte(c.record), asked)
		if got[0].State != c.want || got[1].State != c.want || got[2].State != search.Met {
			t.Errorf("%s names: %v, %v, %v; want %v", c.names, got[0].State, got[1].State, got[2].State, c.want)
		}
		if got[1].Node.Field != "MarketOrderId" || len(got[1].Values) != 1 {
			t.Errorf("%s names: shown as %s with %d values", c.names, got[1].Node.Field, len(got[1].Values))
		}
	}
}
