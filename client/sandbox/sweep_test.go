package sandbox

import (
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Every entity and action of every kind answers, with params taken from the
// data that the service itself gives.
func TestEveryActionAnswers(t *testing.T) {
	r := newRig(t, Options{Records: 12})
	for _, known := range r.s.opts.Catalog.Kinds() {
		k, err := r.s.opts.Catalog.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				tryAction(t, r, k, &k.Entities[i], &k.Entities[i].Actions[j])
			}
		}
	}
}

// given are params that no rule about names and types can guess.
var given = map[string]map[string]any{
	"issue_tracker.issues.api_search": {"jql": "project = PROJ ORDER BY created DESC"},
	"issue_tracker.users.api_search":  {"query": "@"},
	"issue_tracker.issues.create": {"fields": rawjson.NewMap("project", rawjson.NewMap("key", "PROJ"),
		"issuetype", rawjson.NewMap("name", "Task"), "summary", "s")},
	"issue_tracker.issue_transitions.create": {"transition": rawjson.NewMap("id", "21")},
	"issue_tracker.issue_links.create": {"inwardIssue": rawjson.NewMap("key", "PROJ-96"),
		"outwardIssue": rawjson.NewMap("key", "PROJ-96")},
	"social_advertising.ad_library.list": {"ad_reached_countries": "US"},
	"marketplace_seller.orders.list":     {"CreatedAfter": "2020-01-01T00:00:00Z"},
	"notes_workspace.comments.create":    {"discussion_id": "d"},
}

// states are the payments records that a write needs in a state of its own.
func states(t testing.TB, r *rig, entity string, params *rawjson.Map) {
	find := func(entity, field string, wanted ...string) any {
		for _, v := range r.records("payments", entity, "list", `{"limit":100}`) {
			for _, w := range wanted {
				if o := v.(*rawjson.Map); o.Text(field) == w {
					return o.Value("id")
				}
			}
		}
		t.Fatalf("no record of %s has %s %v", entity, field, wanted)
		return nil
	}
	switch entity {
	case "invoice_finalizations":
		params.Set("id", find("invoices", "status", "draft"))
	case "invoice_sends":
		params.Set("id", find("invoices", "status", "open"))
	case "payment_intent_confirmations":
		params.Set("id", find("payment_intents", "status", "requires_confirmation", "requires_payment_method"))
	case "payment_intent_cancellations":
		params.Set("id", find("payment_intents", "status", "requires_capture", "processing"))
	case "refunds":
		params.Set("charge", find("charges", "refunded", "false"))
	}
}

func tryAction(t *testing.T, r *rig, k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	params := r.actionArguments(k, e, a)
	status, raw := r.execute(k.Name, e.Name, a.Name, string(rawjson.Encode(params)))
	if status != 200 {
		t.Errorf("%s %s.%s %s: %d %.200s", k.Name, e.Name, a.Name, rawjson.Encode(params), status, raw)
	}
}

// actionArguments are params with which an action succeeds.
func (r *rig) actionArguments(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) *rawjson.Map {
	switch a.Name {
	case catalog.ActionContextStoreSearch:
		return rawjson.NewMap("query", &rawjson.Map{})
	case catalog.ActionSemanticSearch:
		return rawjson.NewMap("semantic", rawjson.NewMap("prompt", "customer"))
	}
	params := r.arguments(k, e, a)
	for name, v := range given[k.Name+"."+e.Name+"."+a.Name] {
		params.Set(name, v)
	}
	if k.Name == "payments" && a.Name == catalog.ActionAPISearch {
		params.Set("query", `created>1`)
	}
	if k.Name == "crm" && a.Name == catalog.ActionAPISearch {
		params.Set("q", "FIND {a}")
	}
	if k.Name == "payments" && a.Name == catalog.ActionCreate {
		states(r.t, r, e.Name, params)
	}
	return params
}
