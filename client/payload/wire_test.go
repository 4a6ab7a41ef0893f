package payload

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/rawjson"
)

// searched is a search over every field of an entity, with what the documented
// operators take.
func searched(e *catalog.Entity, g generator) json.RawMessage {
	var conditions, sort, fields []any
	for i := range e.Search {
		f := &e.Search[i]
		value := any(g.text())
		for known := range f.WireValues {
			value = known
		}
		conditions = append(conditions, rawjson.NewMap("eq", rawjson.NewMap(f.Name, value)))
		sort = append(sort, rawjson.NewMap(f.Name, "asc"))
		fields = append(fields, f.Name)
	}
	return rawjson.NewMap("query", rawjson.NewMap("filter", rawjson.NewMap("and", conditions), "sort", sort),
		"fields", fields).JSON()
}

// Every text of every action, as a service of wire names is sent it, has those names and
// reads back to the call as it was.
func TestWireNamesStandInEveryText(t *testing.T) {
	g, count, renamed := generator{rand.New(rand.NewPCG(3, 4))}, 0, 0
	for _, in := range inputs(t) {
		e := in.Kind.Entity(in.Operation.Entity)
		if in.Operation.Action == catalog.ActionContextStoreSearch {
			in.Operation.Params = searched(e, g)
			for i := range e.Record {
				in.Operation.SelectFields = append(in.Operation.SelectFields, e.Record[i].Name)
			}
		}
		in.Preset = Public()
		sent := hosted.Sent(in.Kind, client.Wire, in.Operation)
		m := &rawjson.Map{}
		if err := addOperation(m, sent); err != nil {
			t.Fatal(err)
		}
		in.Request = hostedRequest(in.Target.ConnectorID, m.JSON())
		want, _ := Exact(hosted.Sent(in.Kind, client.Neutral, in.Operation), in.Kind)
		if string(sent.Params) != string(want.Params) {
			renamed++
		}
		for _, f := range Formats() {
			text, err := f.Render(in)
			if err != nil {
				t.Fatalf("%s %s.%s: %v", f.Name, want.Entity, want.Action, err)
			}
			read, err := ReadFor(in.Kind, text)
			if err != nil {
				t.Fatalf("%s %s.%s: %v\n%s", f.Name, want.Entity, want.Action, err, text)
			}
			again := hosted.Sent(in.Kind, client.Wire, read.Operation)
			if canonical(t, again.Params) != canonical(t, sent.Params) || again.Action != sent.Action ||
				strings.Join(again.SelectFields, " ") != strings.Join(sent.SelectFields, " ") {
				t.Fatalf("%s of %s.%s is sent as another call\nwant %s %v\ngot  %s %v", f.Name, want.Entity, want.Action,
					sent.Params, sent.SelectFields, again.Params, again.SelectFields)
			}
			if got := read.Operation; got.Entity != want.Entity || got.Action != want.Action ||
				canonical(t, got.Params) != canonical(t, want.Params) {
				t.Fatalf("%s of %s.%s changed the call\nwant %s %s\ngot  %s %s", f.Name, want.Entity, want.Action,
					want.Action, want.Params, got.Action, got.Params)
			}
			count++
		}
	}
	if renamed < 5 {
		t.Errorf("only %d calls have other names on the wire", renamed)
	}
	t.Logf("%d texts, %d calls with other names", count, renamed)
}
