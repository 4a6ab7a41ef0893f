package records_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// firstColumns asks the sandbox for records and returns the useful columns by use.
func firstColumns(t *testing.T) func(kind, entity string) []string {
	t.Helper()
	known := catalog.New()
	s := sandbox.New(sandbox.Options{Catalog: known, Records: 40,
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), Catalog: known,
		Transport: transport.New(transport.Options{Base: s.RoundTripper()})})
	list, err := c.Connectors(context.Background(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]client.Target{}
	for _, connector := range list {
		targets[connector.Kind] = connector.Target("")
	}
	return func(kind, entity string) []string {
		k, _ := known.Kind(kind)
		for i := range k.Entities {
			e := &k.Entities[i]
			if e.Name != entity {
				continue
			}
			probe := (&doctor.Prober{Kind: k, Now: time.Unix(1_700_000_000, 0)}).Of(e)
			op := probe.Op
			if !probe.Ready() { // it wants a repository
				op = client.Operation{Entity: e.Name, Action: catalog.ActionList,
					Params: json.RawMessage(`{"owner":"acme","repo":"web","org":"acme"}`)}
			}
			if op.Params == nil {
				op.Params = json.RawMessage("{}")
			}
			env, err := c.Execute(context.Background(), targets[kind], op)
			if err != nil {
				return []string{err.Error()}
			}
			set := &records.Set{}
			set.AddEnvelope(env)
			var names []string
			for _, col := range records.Columns(set, records.ColumnOptions{Fields: e.RecordOf(e.Action(op.Action)),
				Key: e.Key}) {
				if col.Useful() {
					names = append(names, col.Name)
				}
			}
			return names
		}
		return nil
	}
}

// What a first look at 120 columns shows of each entity.
func TestColumnsInOrderOfUse(t *testing.T) {
	columns := firstColumns(t)
	for entity, want := range map[string]string{
		"payments charges":   "id status amount currency created customer",
		"payments customers": "id name balance created",
		"payments invoices": "id number status total currency amount_due amount_paid created due_date " +
			"customer_email",
		"payments subscriptions":     "id status quantity currency created",
		"payments refunds":           "id status amount currency created reason",
		"payments products":          "id name created updated type active",
		"usage_billing invoices":     "id status total currency amount_due created_at due_date",
		"code_hosting issues":        "id number title state createdAt updatedAt closedAt",
		"code_hosting pull_requests": "id number title state createdAt updatedAt closedAt mergedAt",
		"code_hosting users":         "id name login createdAt updatedAt email company",
		"marketplace_seller orders": "MarketOrderId OrderStatus OrderTotal.Amount OrderTotal.CurrencyCode " +
			"PurchaseDate",
		"email_campaign campaigns":       "id settings.title status delivery_status.status create_time send_time type",
		"email_delivery campaigns":       "id name status created_at updated_at",
		"messaging_automation campaigns": "id name state created updated type active",
		"crm opportunities":              "Id Name StageName Amount CloseDate CreatedDate",
		"crm tasks":                      "Id Subject Status Priority CreatedDate LastModifiedDate",
		"incident_management incidents":  "id name summary incident_status.name",
		"ecommerce_marketing profiles": "id attributes.title attributes.first_name attributes.last_name " +
			"attributes.created attributes.updated attributes.email",
	} {
		kind, name, _ := strings.Cut(entity, " ")
		if got := strings.Join(columns(kind, name), " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s begins with\n%.120s, want\n%s", entity, got, want)
		}
	}
}

func TestColumnsOfFilesInOrderOfUse(t *testing.T) {
	for body, want := range map[string]string{
		`{"expand":"x","id":"1","self":"u","key":"A-1","fields":{"updated":"t","priority":{"id":"3","name":"high"},"summary":"s","status":{"id":"1","name":"open"},"created":"t"}}`: "id key fields.summary fields.status.name fields.priority.name fields.updated fields.created",
		`{"id":"1","custom_id":"c","url":"u","date_created":"1","name":"n","status":{"color":"red","status":"open"},"date_closed":"2"}`:                                             "id name status.status date_created date_closed",
		`{"receipt_number":"1","receipt_url":"u","currency":"usd","note":"n","id":"1","total_amount":5}`:                                                                            "id total_amount currency note receipt_number receipt_url",
		`{"id":1,"owner_id":7,"account_name":"a","currency":"usd"}`:                                                                                                                 "id account_name currency owner_id",
	} {
		set := &records.Set{}
		set.Add(records.Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil)})
		var names []string
		for _, c := range records.Columns(set, records.ColumnOptions{}) {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s\ngives %s\nwant  %s", body, got, want)
		}
	}
}
