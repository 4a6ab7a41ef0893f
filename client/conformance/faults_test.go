package conformance

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// faulty is a client of a sandbox that misbehaves in one way.
func faulty(t testing.TB, f sandbox.Fault, change func(*hosted.Config)) (*hosted.Client, client.Target) {
	t.Helper()
	cat := catalog.New()
	server := httptest.NewServer(sandbox.New(sandbox.Options{Catalog: cat, Records: 20, Faults: []sandbox.Fault{f}}))
	t.Cleanup(server.Close)
	cfg := hosted.Config{
		BaseURL: server.URL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: cat,
		Transport: transport.New(transport.Options{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}),
	}
	if change != nil {
		change(&cfg)
	}
	c := hosted.New(cfg)
	all, err := c.Connectors(context.Background(), "demo")
	if err != nil && change == nil {
		t.Fatal(err)
	}
	one, err := hosted.Match(all, "demo", "payments")
	if err != nil && change == nil {
		t.Fatal(err)
	}
	return c, one.Target("p")
}

// TestFaultsAreToldApart: each way in which a service misbehaves has its class
// and layer, or is read as if nothing were wrong.
func TestFaultsAreToldApart(t *testing.T) {
	for _, tt := range []struct {
		fault    sandbox.Fault
		class    client.Class // empty when the answer is read
		layer    client.Layer
		attempts int
	}{
		{sandbox.Fault{Name: sandbox.FaultExpiredToken}, client.ClassAuth, client.LayerHosted, 1},
		{sandbox.Fault{Name: sandbox.FaultWrongOrg}, client.ClassScope, client.LayerHosted, 1},
		{sandbox.Fault{Name: sandbox.FaultMissingScope, Arg: "customers"}, client.ClassScope, client.LayerHosted, 1},
		{sandbox.Fault{Name: sandbox.FaultRateLimit}, "", "", 2},
		{sandbox.Fault{Name: sandbox.FaultErrorOnce}, client.ClassUpstream, client.LayerHosted, 1},
		{sandbox.Fault{Name: sandbox.FaultSlow, Arg: "1ms"}, "", "", 1},
		{sandbox.Fault{Name: sandbox.FaultCut}, client.ClassNetwork, client.LayerNetwork, 4},
		{sandbox.Fault{Name: sandbox.FaultHTML}, client.ClassBadResponse, client.LayerProxy, 1},
		{sandbox.Fault{Name: sandbox.FaultContentType}, "", "", 1},
		{sandbox.Fault{Name: sandbox.FaultGzip}, "", "", 1},
		{sandbox.Fault{Name: sandbox.FaultInvalidUTF8}, "", "", 1},
		{sandbox.Fault{Name: sandbox.FaultHuge, Arg: "1"}, "", "", 1},
		{sandbox.Fault{Name: sandbox.FaultSchema}, "", "", 1},
		{sandbox.Fault{Name: sandbox.FaultIgnoreLimit}, "", "", 1},
	} {
		t.Run(tt.fault.Name, func(t *testing.T) {
			c, target := faulty(t, tt.fault, nil)
			env, err := c.Execute(context.Background(), target, client.Operation{Entity: "customers", Action: "list"})
			if tt.class == "" {
				if err != nil || env.Records.Empty() || len(env.Attempts) != tt.attempts {
					t.Errorf("%+v, %v", env, err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			e := client.AsError(err)
			if e.Class != tt.class || e.Layer != tt.layer || e.Next == "" || len(e.Attempts) != tt.attempts {
				t.Errorf("%s, %s, %d attempts: %v; %s", e.Class, e.Layer, len(e.Attempts), e, e.Next)
			}
		})
	}
}

// TestWrongCredentialsAreToldApart against the service itself.
func TestWrongCredentialsAreToldApart(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*hosted.Config)
		class  client.Class
	}{
		"wrong token": {func(c *hosted.Config) { c.Token = secret.New("a.b.c") }, client.ClassAuth},
		"wrong secret": {func(c *hosted.Config) {
			c.Token, c.ClientID, c.ClientSecret = secret.Secret{}, secret.New(sandbox.ClientID), secret.New("no")
		}, client.ClassAuth},
		"wrong organization": {func(c *hosted.Config) { c.OrganizationID = sandbox.SecondOrganizationID }, client.ClassScope},
		"no organization": {func(c *hosted.Config) {
			c.Token, c.ClientID, c.ClientSecret, c.OrganizationID = secret.Secret{}, secret.New(sandbox.ClientID), secret.New(sandbox.ClientSecret), ""
		}, client.ClassConfig},
		"no credentials": {func(c *hosted.Config) { c.Token = secret.Secret{} }, client.ClassAuth},
		"wrong token path": {func(c *hosted.Config) {
			c.Token, c.ClientID, c.ClientSecret, c.TokenPath = secret.Secret{}, secret.New("a"), secret.New("b"), "/nothing"
		}, client.ClassConfig},
	} {
		c, _ := faulty(t, sandbox.Fault{Name: sandbox.FaultContentType}, tt.change)
		_, err := c.Workspaces(context.Background())
		if e := client.AsError(err); err == nil || e.Class != tt.class || e.Next == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An execute call takes less than 0.2 ms more than the exchange alone would.
func BenchmarkExecute(b *testing.B) {
	c, target := faulty(b, sandbox.Fault{Name: sandbox.FaultContentType}, nil)
	op := client.Operation{Entity: "customers", Action: "list", Params: []byte(`{"limit":10}`)}
	for b.Loop() {
		if _, err := c.Execute(context.Background(), target, op); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlainExecute(b *testing.B) {
	r := newBench(b, sandbox.Options{Records: 20})
	s := strangers(b, r.url)["cli"]
	s.signIn()
	id := s.idOf("demo", "payments")
	for b.Loop() {
		r.raw("POST", connectorsPath+"/"+id+"/execute", `{"entity":"customers","action":"list","params":{"limit":10}}`)
	}
}
