package hosted_test

import (
	"context"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// TestEveryListOfTheSandboxIsRead runs the cheapest list of each entity of each
// kind through the client and looks for its records.
func TestEveryListOfTheSandboxIsRead(t *testing.T) {
	cat := catalog.New()
	for _, shape := range []string{sandbox.ShapeDocumented, sandbox.ShapeAPI} {
		s := sandbox.New(sandbox.Options{Catalog: cat, Records: 5, Shape: shape})
		c := hosted.New(hosted.Config{
			BaseURL: sandbox.BaseURL, ClientID: secret.New(sandbox.ClientID), ClientSecret: secret.New(sandbox.ClientSecret),
			OrganizationID: sandbox.OrganizationID, Catalog: cat, Transport: transport.New(transport.Options{Base: s.RoundTripper()}),
		})
		all, err := c.Connectors(context.Background(), "demo")
		if err != nil || len(all) == 0 {
			t.Fatalf("%d connectors, %v", len(all), err)
		}
		ran := 0
		for _, one := range all {
			ran += readLists(t, c, cat, one)
		}
		if ran < 50 {
			t.Errorf("only %d lists could be run", ran)
		}
	}
}

// The server's own time is told by the answer's body, else by its headers, and
// the attempt and the answer say the same.
func TestServerTimeIsKnown(t *testing.T) {
	cat := catalog.New()
	clock := time.Unix(1_700_000_000, 0)
	tick := func() time.Time { clock = clock.Add(5 * time.Millisecond); return clock }
	s := sandbox.New(sandbox.Options{Catalog: cat, Records: 5, Now: tick})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: cat,
		Transport: transport.New(transport.Options{Base: s.RoundTripper()})})
	all, err := c.Connectors(context.Background(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if one.Kind != "payments" {
			continue
		}
		for _, op := range []client.Operation{{Entity: "customers", Action: "list"}, {Entity: "customers", Action: catalog.ActionContextStoreSearch, Params: []byte(`{"query":{}}`)}} {
			env, err := c.Execute(context.Background(), one.Target(""), op)
			if err != nil {
				t.Fatal(err)
			}
			if last := env.Attempts[len(env.Attempts)-1]; env.ServerTime <= 0 || last.Server != env.ServerTime {
				t.Errorf("%s: the answer says %v, its attempt %v", op.Action, env.ServerTime, last.Server)
			}
		}
	}
}

func readLists(t *testing.T, c *hosted.Client, cat *catalog.Catalog, one client.Connector) int {
	k, err := cat.Kind(one.Kind)
	if err != nil {
		t.Errorf("%s has no kind: %v", one.Name, err)
		return 0
	}
	ran := 0
	for i := range k.Entities {
		e := &k.Entities[i]
		ops := []client.Operation{}
		if probe := (&doctor.Prober{Kind: k, Now: c.Now()}).Of(e); probe.Ready() && probe.Op.Action == catalog.ActionList {
			ops = append(ops, probe.Op)
		}
		if e.Action(catalog.ActionContextStoreSearch) != nil {
			ops = append(ops, client.Operation{Entity: e.Name, Action: catalog.ActionContextStoreSearch, Params: []byte(`{"query":{},"limit":2}`)})
		}
		for _, op := range ops {
			env, err := c.Execute(context.Background(), one.Target("p"), op)
			if err != nil {
				t.Errorf("%s %s %s: %v", one.Kind, e.Name, op.Action, err)
				continue
			}
			if env.Records.Empty() {
				t.Errorf("%s %s %s: no records in %.200s", one.Kind, e.Name, op.Action, env.Body.Slice(0, env.Body.Len()))
			}
			ran++
		}
	}
	return ran
}
