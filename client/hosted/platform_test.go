package hosted_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

func jwt(ends time.Time) string {
	claims := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"exp":%d}`, ends.Unix()))
	return "e30." + claims + ".c2ln"
}

func bearer(want string) func(*testing.T, *http.Request, string) {
	return func(t *testing.T, r *http.Request, _ string) {
		if got := r.Header.Get("Authorization"); got != "Bearer "+want {
			t.Errorf("authorization %q, want %q", got, want)
		}
	}
}

func (s *service) fetching() hosted.Config {
	cfg := s.config()
	cfg.Token, cfg.ClientID, cfg.ClientSecret = secret.Secret{}, secret.New("id-1"), secret.New("secret-1")
	return cfg
}

const tokenRoute = "POST /api/v1/account/applications/token"

func TestTokenIsFetchedOnceForManyCalls(t *testing.T) {
	s := newService(t)
	fetched := 0
	s.on(tokenRoute, answer{body: `{"access_token":"fresh-1","token_type":"bearer","expires_in":900}`, check: func(t *testing.T, r *http.Request, body string) {
		fetched++
		if body != `{"client_id":"id-1","client_secret":"secret-1"}` || r.Header.Get("Authorization") != "" {
			t.Errorf("token request %s", body)
		}
	}})
	s.on("GET /api/v1/workspaces?limit=100", answer{body: `{"data":[]}`, check: bearer("fresh-1")})
	c := hosted.New(s.fetching())
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if _, err := c.Workspaces(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if fetched != 1 {
		t.Errorf("fetched %d times", fetched)
	}
}

func TestTokenIsRenewedOnceAfter401(t *testing.T) {
	s := newService(t)
	s.on(tokenRoute, answer{body: `{"access_token":"one-aaaa","expires_in":900}`}, answer{body: `{"access_token":"two-bbbb","expires_in":900}`})
	s.on(execute, answer{status: 401, body: `{}`, check: bearer("one-aaaa")}, answer{body: `[]`, check: bearer("two-bbbb")})
	env, err := hosted.New(s.fetching()).Execute(context.Background(), orders, client.Operation{Entity: "orders", Action: "delete"})
	if err != nil {
		t.Fatal(err)
	}
	var purposes []string
	for _, a := range env.Attempts {
		purposes = append(purposes, a.Purpose)
		if text := jsonText(a); strings.Contains(text, "aaaa") || strings.Contains(text, "secret-1") || strings.Contains(string(a.RequestBody), "secret-1") {
			t.Errorf("a secret in %s %s", text, a.RequestBody)
		}
	}
	if got := strings.Join(purposes, " "); got != "token call token call" {
		t.Errorf("attempts %s", got)
	}
}

func TestTokenFailuresAreToldApart(t *testing.T) {
	tests := []struct {
		answer answer
		class  client.Class
		text   string
	}{
		{answer{status: 401, body: `{"message":"bad client"}`}, client.ClassAuth, "client secret was not accepted"},
		{answer{status: 404, body: `{}`}, client.ClassConfig, "no token endpoint"},
		{answer{body: `{"token_type":"bearer"}`}, client.ClassBadResponse, "no access_token"},
		{answer{body: `<html>`}, client.ClassBadResponse, "web page"},
	}
	for _, tt := range tests {
		s := newService(t)
		s.on(tokenRoute, tt.answer)
		_, err := hosted.New(s.fetching()).Workspaces(context.Background())
		if e := asError(t, err); e.Class != tt.class || !strings.Contains(e.Error(), tt.text) || e.Doing == "" {
			t.Errorf("%s: %v", e.Class, e)
		}
	}
}

// A right id and secret for a wrong organization are told as that, also where the
// server does not say it; what is wrong with the secret is.
func TestAWrongOrganizationIsNotAWrongSecret(t *testing.T) {
	for _, tt := range []struct {
		said   string
		right  bool // without the organization there is a token
		told   string
		tokens int
		class  client.Class
	}{
		{"The client does not reach organization org-2.", true, "do not reach the organization org-2", 1, client.ClassScope},
		{"Forbidden", true, "do not reach the organization org-2", 2, client.ClassScope},
		{"The secret is wrong for this organization", true, "do not reach the organization org-2", 2, client.ClassScope},
		{"Forbidden", false, "client secret was not accepted", 2, client.ClassAuth},
		{"The client secret is wrong", false, "client secret was not accepted", 1, client.ClassAuth},
	} {
		asked := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case !strings.HasSuffix(r.URL.Path, "/token"):
				fmt.Fprint(w, `{"data":[{"id":"org-1","name":"First"}]}`)
				return
			case r.Header.Get("X-Organization-Id") == "" && tt.right:
				fmt.Fprint(w, `{"access_token":"tok-1234","expires_in":900}`)
			default:
				http.Error(w, `{"message":"`+tt.said+`"}`, http.StatusForbidden)
			}
			asked++
		}))
		defer s.Close()
		c := hosted.New(hosted.Config{BaseURL: s.URL, ClientID: secret.New("id-1"), ClientSecret: secret.New("secret-1"),
			OrganizationID: "org-2", Transport: quick()})
		_, err := c.Workspaces(t.Context())
		if e := asError(t, err); !strings.Contains(e.Error(), tt.told) || e.Class != tt.class || asked != tt.tokens {
			t.Errorf("%s: %s after %d token requests: %v", tt.said, e.Class, asked, e)
		}
		if list, err := c.Organizations(t.Context()); tt.right && (err != nil || len(list) != 1) {
			t.Errorf("%s: there is none to choose: %v, %v", tt.said, list, err)
		}
	}
}

func TestExpiredTokenIsNamedAsSuch(t *testing.T) {
	s := newService(t)
	s.on("GET /api/v1/workspaces?limit=100", answer{status: 401, body: `{}`})
	cfg := s.config()
	cfg.Token = secret.New(jwt(time.Now().Add(-time.Hour)))
	c := hosted.New(cfg)
	_, err := c.Workspaces(context.Background())
	if e := asError(t, err); !strings.Contains(e.Message, "expired") {
		t.Error(e)
	}
	info, err := c.TokenInfo(context.Background())
	if err != nil || info.Ends.IsZero() || info.Renewable || len(info.Hash) != 8 {
		t.Errorf("%+v %v", info, err)
	}
}

func TestNoCredentials(t *testing.T) {
	_, err := hosted.New(hosted.Config{BaseURL: "http://127.0.0.1:1"}).Workspaces(context.Background())
	if e := asError(t, err); e.Class != client.ClassAuth || !strings.Contains(e.Next, "PLATFORM_TOKEN") {
		t.Error(e)
	}
}

func TestWorkspacesFollowPagesOnTheSameHost(t *testing.T) {
	s := newService(t)
	s.on("GET /api/v1/workspaces?limit=100", answer{body: `{"data":[{"id":"1","name":"a"}],"next":"/api/v1/workspaces?cursor=x&limit=100"}`})
	s.on("GET /api/v1/workspaces?cursor=x&limit=100", answer{body: `{"data":[{"id":"2","name":"b"}],"next":"` + s.URL + `/other/api/v1/workspaces?cursor=y"}`})
	s.on("GET /api/v1/workspaces?cursor=y", answer{body: `{"data":[{"id":"3","name":"c"}],"next":"https://elsewhere.example/steal"}`})
	all, err := hosted.New(s.config()).Workspaces(context.Background())
	if e := asError(t, err); len(all) != 3 || !strings.Contains(e.Message, "another host") {
		t.Errorf("%d, %v", len(all), e)
	}
}

func TestListings(t *testing.T) {
	s := newService(t)
	s.on("GET /api/v1/internal/account/organizations", answer{body: `{"organizations":[{"id":"o","organization_name":"Org"}]}`})
	s.on("GET /api/v1/integrations/connectors?workspace_name=demo+one", answer{body: `{"data":[{"id":"c","name":"Shop","summarized_source_template":{"name":"Amazon-Seller"},"created_at":"2026-01-02T03:04:05Z"},{"id":"c"},{"id":"d","name":"shop","connector_type":"odd"}]}`})
	c := hosted.New(s.config())
	orgs, err := c.Organizations(context.Background())
	if err != nil || len(orgs) != 1 || orgs[0].Name != "Org" {
		t.Errorf("%v %v", orgs, err)
	}
	all, err := c.Connectors(context.Background(), "demo one")
	if err != nil || len(all) != 2 || all[0].Kind != "seller" || all[0].CreatedAt.Year() != 2026 || all[1].Type != "odd" {
		t.Errorf("%+v %v", all, err)
	}
	if one, err := hosted.Match(all, "demo one", "ODD"); err != nil || one.ID != "d" {
		t.Errorf("by type: %+v, %v", one, err)
	}
	if _, err := hosted.Match(all, "demo one", "SHOP"); client.AsError(err).Class != client.ClassInvalid {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := hosted.Match(all, "demo one", "none"); client.AsError(err).Class != client.ClassNotFound {
		t.Errorf("none of a name: %v", err)
	}
}

func TestListingUnsupported(t *testing.T) {
	for _, status := range []int{404, 405} {
		s := newService(t)
		s.on("GET /api/v1/integrations/connectors?workspace_name=w", answer{status: status, body: `{}`})
		_, err := hosted.New(s.config()).Connectors(context.Background(), "w")
		if !errors.Is(err, hosted.ErrListingUnsupported) {
			t.Errorf("%d: %v", status, err)
		}
	}
	s := newService(t)
	s.on("GET /api/v1/integrations/connectors?workspace_name=w", answer{status: 404, body: `{"message":"Workspace w not found"}`})
	if _, err := hosted.New(s.config()).Connectors(context.Background(), "w"); errors.Is(err, hosted.ErrListingUnsupported) {
		t.Error("a missing workspace is no missing listing")
	}
}

func TestConnectorMergesLiveAndCatalog(t *testing.T) {
	s := newService(t)
	s.on("GET /api/v1/integrations/connectors/c-1", answer{body: `{"id":"c-1","name":"Shop","source_template":{"name":"amazon-seller"}}`})
	s.on("GET /api/v1/integrations/connectors/c-1/inspect", answer{body: `{"context_store_readiness":{"supported_context_store_entities":[{"entity":"orders","suggested":true}],"configured_cache_entities":[]},"warnings":["stale"]}`})
	s.on(execute, answer{body: `{"result":{"entities":[{"entity_name":"orders","available_actions":["list","export","context_store_search"],"parameters":{"list":[{"name":"limit"},{"name":"page"}]}},{"name":"refunds"}]},"status":"success"}`})
	d, err := hosted.New(s.config()).Connector(context.Background(), "c-1")
	if err != nil || d.Kind != "seller" || !d.Described || d.Store["orders"] != "suggested" || len(d.Warnings) != 1 {
		t.Fatalf("%+v %v", d, err)
	}
	marks := map[string]hosted.Presence{}
	for _, e := range d.Entities {
		marks[e.Name] = e.Presence
		for _, a := range e.Actions {
			marks[e.Name+"."+a.Name] = a.Presence
			if a.Name == "list" && (len(a.OnlyLiveParams) != 1 || a.OnlyLiveParams[0] != "page") {
				t.Errorf("params %+v", a)
			}
		}
	}
	for name, want := range map[string]hosted.Presence{"orders": hosted.Both, "orders.get": hosted.OnlyCatalog, "orders.export": hosted.OnlyLive, "orders.semantic_search": hosted.Both, "refunds": hosted.OnlyLive} {
		if marks[name] != want {
			t.Errorf("%s is %q, want %q", name, marks[name], want)
		}
	}
}

func TestCreateCheckDelete(t *testing.T) {
	s := newService(t)
	s.on("POST /api/v1/integrations/connectors", answer{status: 201, body: `{"data":{"connector":{"connector_id":"new-1"}}}`, check: func(t *testing.T, _ *http.Request, body string) {
		if body != `{"workspace_name":"w","connector_type":"amazon-seller","name":"Shop","credentials":{"api_key":"hush-hush"}}` {
			t.Errorf("create %s", body)
		}
	}})
	s.on("POST /api/v1/integrations/connectors/new-1/check", answer{body: `{"id":"new-1","status":"failed","entity_check_results":[{"entity":"orders","status":"failed","status_code":403,"error_message":"no scope for hush-hush"}]}`})
	s.on("DELETE /api/v1/integrations/connectors/new-1", answer{status: 202, body: `{"job_id":"j"}`})
	c := hosted.New(s.config())
	n := client.NewConnector{Workspace: "w", ConnectorType: "amazon-seller", Name: "Shop", Credentials: json.RawMessage(`{"api_key": "hush-hush"}`)}
	made, err := c.CreateConnector(context.Background(), n)
	if err != nil || made.ID != "new-1" || made.Kind != "seller" || made.Workspace != "w" {
		t.Fatalf("%+v %v", made, err)
	}
	p, err := c.PreviewCreate(n)
	if err != nil || strings.Contains(string(p.Body), "hush") || !strings.Contains(string(p.Body), "${AMAZON_SELLER_API_KEY}") {
		t.Errorf("%s %v", p.Body, err)
	}
	check, err := c.CheckConnector(context.Background(), made.ID)
	if err != nil || len(check.Entities) != 1 || check.Entities[0].Next == "" || strings.Contains(check.Entities[0].Message, "hush") {
		t.Errorf("%+v %v", check, err)
	}
	if job, err := c.DeleteConnector(context.Background(), made.ID); err != nil || job != "j" {
		t.Errorf("%q %v", job, err)
	}
}

func TestCreateIsCheckedBeforeItIsSent(t *testing.T) {
	s := newService(t)
	c := hosted.New(s.config())
	for _, n := range []client.NewConnector{{}, {Workspace: "w"}, {Workspace: "w", ConnectorType: "x"}, {Workspace: "w", ConnectorType: "x", Credentials: json.RawMessage(`[]`)}} {
		if _, err := c.CreateConnector(context.Background(), n); client.AsError(err).Class != client.ClassInvalid {
			t.Errorf("%+v: %v", n, err)
		}
	}
}

func TestCanceledWhileWaitingForAToken(t *testing.T) {
	s := newService(t)
	asked := make(chan struct{})
	s.on(tokenRoute, answer{body: `{"access_token":"late-1"}`, check: func(*testing.T, *http.Request, string) { close(asked) }})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := hosted.New(s.fetching()).Workspaces(ctx)
	if client.ExitCode(err) != 130 {
		t.Error(err)
	}
	<-asked // the renewal continues for others
}

// clocked is a configuration whose clock the test moves.
func (s *service) clocked(now *time.Time) hosted.Config {
	cfg := s.fetching()
	cfg.Transport = transport.New(transport.Options{Now: func() time.Time { return *now }})
	return cfg
}

func TestTokenIsRenewedBeforeItsEnd(t *testing.T) {
	s := newService(t)
	s.on(tokenRoute, answer{body: `{"access_token":"one-aaaa","expires_in":900}`}, answer{body: `{"access_token":"two-bbbb","expires_in":"20"}`}, answer{body: `{"access_token":"three-cccc","expires_in":900}`})
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var used []string
	s.on("GET /api/v1/workspaces?limit=100", answer{body: `{"data":[]}`, check: func(_ *testing.T, r *http.Request, _ string) {
		used = append(used, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}})
	c := hosted.New(s.clocked(&now))
	for _, step := range []time.Duration{0, 839 * time.Second, 2 * time.Second, 9 * time.Second, 2 * time.Second} {
		now = now.Add(step)
		if _, err := c.Workspaces(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	// The second token lives 20 seconds only: it is used for half of that.
	if got := strings.Join(used, " "); got != "one-aaaa one-aaaa two-bbbb two-bbbb three-cccc" {
		t.Errorf("used %s", got)
	}
}

// TestOneRenewalForManyRefusedCalls: calls that are refused at the same time
// wait for one new token.
func TestOneRenewalForManyRefusedCalls(t *testing.T) {
	const callers = 8
	s := newService(t)
	s.on(tokenRoute, answer{body: `{"access_token":"one-aaaa","expires_in":900}`}, answer{body: `{"access_token":"two-bbbb","expires_in":900}`})
	var mu sync.Mutex
	refused := sync.NewCond(&mu)
	waiting := 0
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") == "Bearer one-aaaa" {
			mu.Lock()
			for waiting++; waiting < callers; {
				refused.Wait()
			}
			refused.Broadcast()
			mu.Unlock()
			return &http.Response{StatusCode: 401, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	s.on("GET /api/v1/workspaces?limit=100", answer{body: `{"data":[]}`, check: bearer("two-bbbb")})
	cfg := s.fetching()
	cfg.Transport = transport.New(transport.Options{Base: base})
	c := hosted.New(cfg)
	var wait sync.WaitGroup
	for range callers {
		wait.Go(func() {
			if _, err := c.Workspaces(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := s.used(tokenRoute); n != 2 {
		t.Errorf("%d tokens were fetched", n)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestSecondRefusalIsFinal: a new token that is refused as well is not renewed again.
func TestSecondRefusalIsFinal(t *testing.T) {
	s := newService(t)
	s.on(tokenRoute, answer{body: `{"access_token":"one-aaaa","expires_in":900}`}, answer{body: `{"access_token":"two-bbbb","expires_in":900}`})
	s.on("GET /api/v1/workspaces?limit=100", answer{status: 401, body: `{"message":"no"}`})
	_, err := hosted.New(s.fetching()).Workspaces(context.Background())
	if e := asError(t, err); e.Class != client.ClassAuth || !strings.Contains(e.Message, "new token") || len(e.Attempts) != 4 || s.used(tokenRoute) != 2 {
		t.Errorf("%v after %d attempts", e, len(e.Attempts))
	}
}

// TestChoosingAnOrganizationFetchesAnotherToken: a token may be bound to one.
func TestChoosingAnOrganizationFetchesAnotherToken(t *testing.T) {
	s := newService(t)
	s.on(tokenRoute, answer{body: `{"access_token":"one-aaaa","expires_in":900}`}, answer{body: `{"access_token":"two-bbbb","expires_in":900}`, check: func(t *testing.T, r *http.Request, _ string) {
		if r.Header.Get("X-Organization-Id") != "org-9" {
			t.Errorf("the token was fetched for %q", r.Header.Get("X-Organization-Id"))
		}
	}})
	s.on("GET /api/v1/workspaces?limit=100", answer{status: 400, body: `{"message":"Please specify target organization"}`}, answer{body: `{"data":[]}`, check: bearer("two-bbbb")})
	c := hosted.New(s.fetching())
	if _, err := c.Workspaces(context.Background()); !errors.Is(err, hosted.ErrChooseOrganization) {
		t.Fatal(err)
	}
	c.SetOrganization("org-9")
	if _, err := c.Workspaces(context.Background()); err != nil {
		t.Fatal(err)
	}
}
