package relate

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// shop is a kind of three entities that refer to each other.
func shop() *catalog.Kind {
	id := func(name, ref string) catalog.Field {
		return catalog.Field{Name: name, Type: "string", Required: true, Ref: ref}
	}
	get := catalog.Action{Name: catalog.ActionGet, Params: []catalog.Field{id("id", "")}}
	limit, most := catalog.Field{Name: "limit", Type: "integer"}, 50.0
	limit.Max = &most
	return &catalog.Kind{Name: "shop",
		Relations: []catalog.Relation{{From: "orders", Field: "buyer", To: "customers", Key: "id"}},
		Entities: []catalog.Entity{
			{Name: "customers", Key: "id", Actions: []catalog.Action{get,
				{Name: catalog.ActionDelete, Params: []catalog.Field{id("customer", "")}},
				{Name: catalog.ActionUpdate, Params: []catalog.Field{id("id", ""), id("name", "")}},
				{Name: catalog.ActionList, Params: []catalog.Field{limit}, Page: &catalog.Page{Size: "limit"}}}},
			{Name: "orders", Key: "id", Record: []catalog.Field{{Name: "lines",
				Items: &catalog.Field{Ref: "products"}}},
				Actions: []catalog.Action{get, {Name: catalog.ActionList, Params: []catalog.Field{
					{Name: "buyers", Type: "array", Ref: "customers"}, id("shop_id", "")}}}},
			{Name: "products", Key: "sku", Actions: []catalog.Action{{Name: catalog.ActionGet,
				Params: []catalog.Field{{Name: "sku", Type: "integer", Required: true}, id("depot", "")}}}},
		}}
}

func takerOf(t *testing.T, entity, record string, form map[string]json.RawMessage) *Taker {
	t.Helper()
	k := shop()
	e := k.Entity(entity)
	page := &answer.Page{Question: answer.Question{Kind: k, Entity: e, Action: e.Action(catalog.ActionGet)}}
	taker := Of(page, rawjson.Parse([]byte(record)), form)
	if taker == nil {
		t.Fatal("nothing takes the record")
	}
	return taker
}

func TestLinksAreFollowed(t *testing.T) {
	form := map[string]json.RawMessage{"depot": json.RawMessage(`"north"`)}
	taker := takerOf(t, "orders", `{"id":"o1","buyer":"c1","lines":["7",8,null,{}]}`, form)
	var got []string
	for _, l := range taker.Links() {
		call, why := taker.Follow(l)
		if why != "" {
			t.Fatalf("%+v: %s", l, why)
		}
		got = append(got, l.Field+": "+call.Entity.Name+" "+call.Action.Name+" "+string(call.Params))
	}
	want := `buyer: customers get {"id":"c1"}
lines: products get {"sku":7,"depot":"north"}
lines: products get {"sku":8,"depot":"north"}`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	for field, n := range map[string]int{"lines[1]": 2, "buyer": 1, "id": 3} {
		if at := taker.LinksAt(field); len(at) != n {
			t.Errorf("at %s are %v", field, at)
		}
	}
	taker = takerOf(t, "orders", `{"lines":[7]}`, nil)
	if _, why := taker.Follow(taker.Links()[0]); why != "products get also needs depot, which this record does not tell" {
		t.Error(why)
	}
}

func TestActionsThatTakeARecord(t *testing.T) {
	var got []string
	for _, c := range takerOf(t, "customers", `{"id":"c1","name":"Ada"}`, nil).Calls() {
		got = append(got, strings.TrimSpace(c.Entity.Name+" "+c.Action.Name+" "+string(c.Params)+" "+strings.Join(c.Missing, ",")))
	}
	want := `customers get {"id":"c1"}
customers delete {"customer":"c1"}
customers update {"id":"c1","name":"Ada"}
orders list {"buyers":["c1"]} shop_id`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if calls := takerOf(t, "customers", `{"name":"Ada"}`, nil).Calls(); calls != nil {
		t.Errorf("without a key there are %v", calls)
	}
}

func TestListing(t *testing.T) {
	k := shop()
	call, why := Listing(k.Entity("customers"), nil, false)
	if why != "" || string(call.Params) != `{"limit":50}` {
		t.Errorf("%s, %q", call.Params, why)
	}
	if _, why = Listing(k.Entity("orders"), nil,
		false); why != "Listing orders needs shop_id, which the form does not hold yet." {
		t.Error(why)
	}
	if _, why = Listing(k.Entity("products"), nil, false); why != "products cannot be listed." {
		t.Error(why)
	}
	call, _ = Listing(k.Entity("orders"), map[string]json.RawMessage{"shop_id": json.RawMessage("1")}, false)
	if string(call.Params) != `{"shop_id":1}` {
		t.Errorf("%s", call.Params)
	}
}

func TestNamesOfARecord(t *testing.T) {
	rec := rawjson.Parse([]byte(`{"id":1,"title":"T","email":"","status":"open","created":5}`))
	if got := strings.Join(Names(rec.Get, "id"), "|"); got != "T|open" {
		t.Error(got)
	}
}
