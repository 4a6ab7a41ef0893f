package sandbox

import (
	"testing"

	"patchbay/client/rawjson"
)

// held reports which tables of a connector in the workspace demo are in memory.
func held(r *rig, kind string) map[string]bool {
	for _, c := range r.s.keeper.owners {
		if c.name == kind && c.ws.name == "demo" {
			names := map[string]bool{}
			for name := range c.data.tables {
				names[name] = true
			}
			return names
		}
	}
	return nil
}

// Tables that were asked for longest ago go, and come back as they were; what somebody
// wrote stays, and so does the last one, whatever its size.
func TestKeeperForgetsWhatCanBeMadeAgain(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	r.s.keeper.most = 1
	list := func(entity string) string {
		t.Helper()
		return string(rawjson.Encode(r.records("payments", entity, "list", `{"limit":20}`)))
	}
	customers := list("customers")
	list("customers")
	if !held(r, "payments")["customers"] {
		t.Error("the only table does not stay")
	}
	list("invoices")
	list("products")
	if got := held(r, "payments"); got["customers"] || !got["products"] {
		t.Errorf("in memory are %v", got)
	}
	if list("customers") != customers {
		t.Error("a table comes back as another one")
	}
	made, _ := r.good("payments", "products", "create", `{"name":"Kept"}`)
	list("customers")
	list("invoices")
	list("customers")
	got, _ := r.good("payments", "products", "get", `{"id":"`+text(t, made, "id")+`"}`)
	if text(t, got, "name") != "Kept" {
		t.Error("what was written is forgotten")
	}
}
