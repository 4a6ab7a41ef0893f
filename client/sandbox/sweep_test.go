package sandbox

import (
	"testing"

	"patchbay/catalog"
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

func tryAction(t *testing.T, r *rig, k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	params := r.arguments(k, e, a)
	switch k.Name + "." + e.Name + "." + a.Name {
	case "issue_tracker.issues.api_search":
		params.set("jql", "project = PROJ ORDER BY created DESC")
	case "marketplace_seller.orders.list":
		params.set("CreatedAfter", "2020-01-01T00:00:00Z")
	case "issue_tracker.issues.create":
		params = newObject("fields", newObject("project", newObject("key", "PROJ"), "issuetype", newObject("name", "Task"), "summary", "s"))
	}
	switch a.Name {
	case catalog.ActionContextStoreSearch:
		params = newObject("query", &object{})
	case catalog.ActionSemanticSearch:
		params = newObject("semantic", newObject("prompt", "customer"))
	}
	status, data := r.execute(k.Name, e.Name, a.Name, string(appendObject(nil, params)))
	if status != 200 {
		t.Errorf("%s %s.%s %s: %d %.200s", k.Name, e.Name, a.Name, appendObject(nil, params), status, data)
	}
}
