package compare

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
)

// users can be searched and listed.
func users() *catalog.Entity {
	return &catalog.Entity{Name: "users", Key: "id", Record: []catalog.Field{{Name: "id", Type: "string"},
		{Name: "live", Type: "boolean"}},
		Search: []catalog.Field{{Name: "live", Type: "boolean"}},
		Actions: []catalog.Action{{Name: catalog.ActionContextStoreSearch}, {Name: catalog.ActionList,
			Params: []catalog.Field{{Name: "limit", Type: "integer"}, {Name: "after", Type: "string"}},
			Page:   &catalog.Page{Style: "cursor", Send: "after", Meta: "next", Size: "limit"}}}}
}

// service answers with the bodies kept by the action asked and its cursor.
type service struct {
	client.Executor
	bodies map[string]string
}

func (s service) Execute(_ context.Context, _ client.Target, op client.Operation) (*client.Envelope, error) {
	var sent struct{ After string }
	_ = json.Unmarshal(op.Params, &sent)
	rows, meta, ok := strings.Cut(s.bodies[op.Action+sent.After], "|")
	if !ok {
		return nil, errors.New("down")
	}
	return &client.Envelope{Body: client.Bytes(rows), Records: client.Span{To: len(rows)},
		MetaJSON: json.RawMessage(meta)}, nil
}

func comparing(t *testing.T, bodies map[string]string) (*Comparison, Asking) {
	t.Helper()
	e := users()
	find := e.Action(catalog.ActionContextStoreSearch)
	from := answer.Question{Kind: &catalog.Kind{Name: "k"}, Entity: e, Action: find,
		Op: client.Operation{Entity: "users", Action: find.Name,
			Params: json.RawMessage(`{"query":{"filter":{"eq":{"live":true}}}}`)}}
	from.Target.Name = "one"
	c := New(from, Ways(from, nil), nil, time.Unix(0, 0))
	a := Asking{Service: service{bodies: bodies}, Limits: answer.Limits{Pages: 1}, Now: time.Now, Came: func(int) {}}
	if err := c.Ask(t.Context(), a, c.Sides); err != nil {
		t.Fatal(err)
	}
	return c, a
}

func TestSidesAreAskedTheSame(t *testing.T) {
	c, a := comparing(t, map[string]string{
		catalog.ActionContextStoreSearch: `[{"id":"a","live":true}]|{}`,
		"list":                           `[{"id":"a","live":true},{"id":"x","live":false}]|{"next":"2"}`,
		"list2":                          `[{"id":"b","live":true}]|{}`,
	})
	find, list := c.Sides[0], c.Sides[1]
	if find.Sent() != `{"query":{"filter":{"eq":{"live":true}}},"limit":100}` || list.Sent() != `{"limit":100}` {
		t.Errorf("asked were %s and %s", find.Sent(), list.Sent())
	}
	if list.Came() != "1 of the first 2 records meet live eq true" || list.Foreign != 1 || c.Same != 1 ||
		!list.Continues() {
		t.Errorf("%s, %d the same", list.Came(), c.Same)
	}
	if got := unsure([]*Side{find}, []*Side{list}); got != " (list has further pages)" {
		t.Error(got)
	}
	next, open := c.Further()
	if err := next.Ask(t.Context(), a, open); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(open, next.Sides[1:]) || len(next.Records) != 1 || next.Summaries[0].Missing != 1 ||
		list.Set.Len() != 1 {
		t.Errorf("%d records differ, %d of the first comparison's side", len(next.Records), list.Set.Len())
	}
}

func TestASideThatFailsIsNotCompared(t *testing.T) {
	c, _ := comparing(t, map[string]string{"list": `[{"id":"a","live":true}]|{}`})
	if len(c.Joined) != 1 || c.Joined[0].Name != "list" || c.Sides[0].Failure() == "" {
		t.Errorf("joined are %s, the other says %q", Names(c.Joined), c.Sides[0].Failure())
	}
	var b strings.Builder
	if err := c.Report().WriteMarkdown(&b); err != nil || !strings.Contains(b.String(), "- failed: ") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

func TestWaysOfAsking(t *testing.T) {
	e := users()
	from := answer.Question{Kind: &catalog.Kind{Name: "k"}, Entity: e, Action: e.Action(catalog.ActionList)}
	others := []client.Connector{{Name: "other", Kind: "x", Local: true}, {Name: "mine", Kind: "k", Local: true},
		{Name: "hosted", Kind: "k"}, {Name: "second", Kind: "k", Local: true}}
	twins := Twins(from, "p", others)
	if len(twins) != 2 || twins[0].Name != "mine" || twins[1].Name != "second" {
		t.Errorf("the twins are %+v", twins)
	}
	if got := named(Ways(from, &twins[1])); got != "search  context_store_search, list  list, local second list" {
		t.Error(got)
	}
	from.Target.Local = true
	if got := Twins(from, "p", others); len(got) != 1 || got[0].Name != "hosted" {
		t.Errorf("the twins are %+v", got)
	}
	if why := TooFew(e, Ways(from, nil)); !strings.HasPrefix(why, "users can only be asked by local here: ") {
		t.Error(why)
	}
	from.Action = &catalog.Action{Name: "get", Binding: &catalog.Binding{}}
	if got := named(Ways(from, &client.Target{Name: "hosted"})); got != "get hosted get, local  get" {
		t.Error(got)
	}
	if why := TooFew(e, nil); why != "users can neither be searched nor listed, so there is nothing to compare" {
		t.Error(why)
	}
}

func named(ways []Way) string {
	var out []string
	for _, w := range ways {
		out = append(out, w.Name+" "+w.Target.Name+" "+w.Action.Name)
	}
	return strings.Join(out, ", ")
}

func TestWhatIsSaidOfSides(t *testing.T) {
	c, _ := comparing(t, map[string]string{
		catalog.ActionContextStoreSearch: `[{"id":"a","live":true,"updated_at":"2024-01-01T00:00:00Z"}]|{}`,
		"list": `[{"id":"a","live":true,"updated_at":"2024-01-01T01:00:00Z"},` +
			`{"id":"x","live":true}]|{"next":"2"}`,
	})
	find, list := c.Sides[0], c.Sides[1]
	if got := c.State(find); got != "1 record · 0 only here, 1 missing · newest updated_at 2024-01-01 00:00:00 UTC, "+
		"1h0m0s behind list" {
		t.Error(got)
	}
	if got := c.State(list); got != "the first 2 records · 1 only here, 0 missing · "+
		"newest updated_at 2024-01-01 01:00:00 UTC" {
		t.Error(got)
	}
	var got []string
	for _, g := range c.Groups() {
		got = append(got, g.Name, g.Records[0].Key)
	}
	if strings.Join(got, ", ") != "Differing, a, Only in list, x" {
		t.Error(got)
	}
	if got := c.Lacks(c.Groups()[1].Records[0], find); got != "search does not have it" || c.PairedBy() != "id" {
		t.Errorf("%s, paired by %s", got, c.PairedBy())
	}
}
