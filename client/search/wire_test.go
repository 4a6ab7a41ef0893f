package search

import (
	"testing"

	"patchbay/catalog"
)

func TestInWireNamesKeepsTheShape(t *testing.T) {
	k, e, _, err := catalog.New().Resolve("marketplace_seller", "orders", "context_store_search")
	if err != nil {
		t.Fatal(err)
	}
	n, err := DecodeFilter(raw(`{"and":[{"eq":{"MarketOrderId":"1"}},{"not":{"eq":{"OrderStatus":"Shipped"}}},{"like":{"unknown.part":"x"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	n.Children[0].Disabled = true
	before := string(EncodeFilter(n))
	got := InWireNames(k, e, n)
	if !got.Children[0].Disabled || got.Children[0].Field != "AmazonOrderId" || got.Children[1].Children[0].Field != "OrderStatus" || got.Children[2].Field != "unknown.part" {
		t.Errorf("got %s, first condition on %s", EncodeFilter(got), got.Children[0].Field)
	}
	if after := string(EncodeFilter(n)); after != before || n.Children[0].Field != "MarketOrderId" {
		t.Errorf("the filter itself has changed: %s", after)
	}
	if InWireNames(k, e, nil) != nil {
		t.Error("no filter became one")
	}
}
