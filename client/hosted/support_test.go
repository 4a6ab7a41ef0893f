package hosted_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

const prefix = "/below/here"

// stub answers the requests of one method and path, in order; the last answer repeats.
type stub struct {
	route   string
	answers []answer
	used    int
}

type answer struct {
	status int
	header map[string]string
	body   string
	check  func(t *testing.T, r *http.Request, body string)
}

// service is a fake server below a path prefix that fails on unknown requests and unused stubs.
type service struct {
	t     *testing.T
	mu    sync.Mutex
	stubs []*stub
	*httptest.Server
}

func newService(t *testing.T) *service {
	s := &service{t: t}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		for _, stub := range s.stubs {
			if stub.used == 0 {
				t.Errorf("nobody asked for %s", stub.route)
			}
		}
	})
	return s
}

func (s *service) on(route string, answers ...answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stubs = append(s.stubs, &stub{route: route, answers: answers})
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	route := r.Method + " " + strings.TrimPrefix(r.URL.RequestURI(), prefix)
	s.mu.Lock()
	var found *answer
	for _, stub := range s.stubs {
		if stub.route == route && strings.HasPrefix(r.URL.Path, prefix) {
			found = &stub.answers[min(stub.used, len(stub.answers)-1)]
			stub.used++
		}
	}
	s.mu.Unlock()
	if found == nil {
		s.t.Errorf("unexpected request: %s", route)
		http.Error(w, "unexpected", http.StatusTeapot)
		return
	}
	if found.check != nil {
		found.check(s.t, r, string(body))
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range found.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(max(found.status, 0) + map[bool]int{true: 200}[found.status == 0])
	_, _ = io.WriteString(w, found.body)
}

// used says how often a route was asked for.
func (s *service) used(route string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, stub := range s.stubs {
		if stub.route == route {
			n += stub.used
		}
	}
	return n
}

// quick is a transport that neither waits nor rolls dice.
func quick() *transport.Client {
	return transport.New(transport.Options{
		Version: "test", Random: func() float64 { return 0.5 },
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
}

func (s *service) config() hosted.Config {
	return hosted.Config{BaseURL: s.URL + prefix + "/", Token: secret.New("tok-given"), Transport: quick(), Catalog: kinds{}}
}

// kinds is a catalog of one kind.
type kinds struct{}

func (kinds) Kind(name string) (*catalog.Kind, error) {
	switch strings.ToLower(name) {
	case "seller", "amazon-seller":
		return sellerKind(), nil
	}
	return nil, fmt.Errorf("no kind %s", name)
}

func sellerKind() *catalog.Kind {
	order := catalog.Field{Name: "MarketOrderId", Alias: "AmazonOrderId", Type: "string"}
	return &catalog.Kind{Name: "seller", ConnectorType: "amazon-seller", Entities: []catalog.Entity{{
		Name: "orders", Key: "MarketOrderId", Record: []catalog.Field{order, {Name: "state", Type: "string"}},
		Search: []catalog.Field{order},
		Actions: []catalog.Action{
			{Name: "list", Params: []catalog.Field{{Name: "limit", Type: "integer"}}, Page: &catalog.Page{Size: "limit"},
				Binding: &catalog.Binding{Method: "GET", Path: "/o", RecordsInBody: "payload.Orders", Meta: []catalog.Pair{{Name: "next", Value: "payload.NextToken"}}}},
			{Name: "get", Params: []catalog.Field{order}},
			{Name: "delete"},
			{Name: "context_store_search"},
			{Name: "semantic_search", SentAs: "context_store_search"},
		},
	}}}
}

var orders = client.Target{Kind: "seller", ConnectorID: "c-1", Name: "Shop"}

func asError(t *testing.T, err error) *client.Error {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	return client.AsError(err)
}

func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
