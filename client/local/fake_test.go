package local

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// server answers requests in memory and remembers them.
type server struct {
	mu     sync.Mutex
	answer func(r *http.Request, body string) (status int, header map[string]string, answer string)
	seen   []*http.Request
	bodies []string
	cut    bool // breaks the connection after the body's first half
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(data)
	}
	s.mu.Lock()
	s.seen, s.bodies = append(s.seen, r), append(s.bodies, body)
	s.mu.Unlock()
	status, header, answer := s.answer(r, body)
	h := http.Header{"Content-Type": {"application/json"}}
	for k, v := range header {
		h.Set(k, v)
	}
	var reader io.Reader = strings.NewReader(answer)
	if s.cut {
		reader = io.MultiReader(strings.NewReader(answer[:len(answer)/2]), broken{})
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: h, Body: io.NopCloser(reader), ContentLength: -1, Request: r}, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func (s *server) paths() string {
	var out []string
	for _, r := range s.seen {
		out = append(out, r.Method+" "+r.URL.Host+r.URL.Path)
	}
	return strings.Join(out, "\n")
}

// always answers every request the same.
func always(status int, header map[string]string, body string) *server {
	return &server{answer: func(*http.Request, string) (int, map[string]string, string) { return status, header, body }}
}

// env configures a client from variables without the PATCHBAY_ before their names.
func env(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out["PATCHBAY_"+pairs[i]] = pairs[i+1]
	}
	return out
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func wire(s http.RoundTripper, o transport.Options) *transport.Client {
	o.Base = s
	return transport.New(o)
}

func testClient(s http.RoundTripper, variables map[string]string, change ...func(*Config)) *Client {
	cfg := Config{Catalog: catalog.New(), Transport: wire(s, transport.Options{Now: newClock().Now, MaxAttempts: 1})}
	cfg.Credentials, cfg.Values = FromEnv(variables)
	for _, f := range change {
		f(&cfg)
	}
	return New(cfg)
}

func execute(t *testing.T, c *Client, kind, entity, action, params string) (*client.Envelope, *client.Error) {
	t.Helper()
	envelope, err := c.Execute(t.Context(), client.Target{Kind: kind, Local: true}, client.Operation{Entity: entity, Action: action, Params: []byte(params)})
	var e *client.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("a foreign error: %v", err)
	}
	return envelope, e
}

// hasNo fails when a secret stands in any text of an error.
func hasNo(t *testing.T, e *client.Error, secrets ...string) {
	t.Helper()
	texts := e.Error() + e.Next + e.Server + e.Message
	for _, a := range e.Attempts {
		texts += a.URL + a.Error + string(a.RequestBody)
		for _, h := range append(a.RequestHeaders, a.ResponseHeaders...) {
			texts += h.Value
		}
	}
	for _, s := range secrets {
		if strings.Contains(texts, s) {
			t.Errorf("the error tells the secret %q: %s", s, texts)
		}
	}
}
