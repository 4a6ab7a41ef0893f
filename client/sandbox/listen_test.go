package sandbox

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"patchbay/catalog"
)

// The same service behind a real listener: a cut body breaks the connection, a
// compressed one arrives whole, each request is one line of the log, and no
// line holds a secret.
func TestOverLoopback(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	s := New(Options{Catalog: catalog.New(), Records: 20, Log: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}})
	server := httptest.NewServer(s)
	defer server.Close()
	r := &rig{t: t, s: s, http: &http.Client{Transport: s.RoundTripper()}, ids: map[string]string{}}
	call := func(workspace, name string) ([]byte, error) {
		req, err := http.NewRequest("POST", server.URL+"/api/v1/integrations/connectors/"+r.connector(workspace,
			name)+"/execute", strings.NewReader(`{"entity":"customers","action":"list"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+Token)
		req.Header.Set("Content-Type", "application/json")
		res, err := server.Client().Do(req)
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		return io.ReadAll(res.Body)
	}
	whole, err := call("demo", "payments")
	if err != nil || len(listIn(parse(t, whole).Value("result"))) != 10 {
		t.Errorf("a plain list: %v", err)
	}
	if _, err := call("faults", FaultCut); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut body: %v", err)
	}
	if body, err := call("faults", FaultGzip); err != nil || len(listIn(parse(t, body).Value("result"))) != 10 {
		t.Errorf("a compressed body: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	logged := strings.Join(lines, "\n")
	if !strings.Contains(logged, "payments customers.list") || strings.Contains(logged, Token) ||
		strings.Count(logged, "\n") != len(lines)-1 {
		t.Errorf("log:\n%s", logged)
	}
}

// Faults given as options show on every connector.
func TestFaultsAsOptions(t *testing.T) {
	r := newRig(t, Options{Records: 20, Faults: []Fault{{Name: FaultMissingScope, Arg: "customers"}}})
	if status, _ := r.execute("payments", "customers", "list", ""); status != 403 {
		t.Errorf("status %d, want 403", status)
	}
	if status, _ := r.execute("payments", "charges", "list", ""); status != 200 {
		t.Errorf("another entity: status %d, want 200", status)
	}
}

// Every variable of the environment is given, under names that never change.
func TestEnv(t *testing.T) {
	want := "PLATFORM_BASE_URL PLATFORM_TOKEN PLATFORM_CLIENT_ID PLATFORM_CLIENT_SECRET PLATFORM_ORGANIZATION_ID"
	var names []string
	for _, p := range EnvAt(BaseURL, NamesNeutral) {
		if p[1] == "" {
			t.Errorf("%s is empty", p[0])
		}
		names = append(names, p[0])
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("variables: %s", got)
	}
}

// A listener answers to its own address alone: not to a name that was made to lead
// here, and not to a page of another site.
func TestListenerRefusesStrangers(t *testing.T) {
	for _, c := range []struct {
		address, host, origin string
		status                int
	}{
		{"127.0.0.1:8642", "127.0.0.1:8642", "", 200}, {"127.0.0.1:8642", "localhost:8642", "", 200},
		{"127.0.0.1:8642", "[::1]:8642", "", 200}, {"127.0.0.1:8642", "LOCALHOST", "http://localhost:3000", 200},
		{"127.0.0.1:8642", "evil.test:8642", "", 403}, {"127.0.0.1:8642", "127.0.0.1.evil.test", "", 403},
		{"127.0.0.1:8642", "10.0.0.7:8642", "", 403}, {"127.0.0.1:8642", "127.0.0.1", "https://evil.test", 403},
		{"127.0.0.1:8642", "127.0.0.1", "null", 403}, {"127.0.0.1:8642", "127.0.0.1", "http://localhost.evil.test", 403},
		{"0.0.0.0:8642", "10.0.0.7:8642", "", 200}, {"[::]:8642", "10.0.0.7:8642", "", 200},
		{"0.0.0.0:8642", "evil.test", "", 403}, {"box.test:8642", "box.test:8642", "", 200},
	} {
		r := httptest.NewRequest("GET", "/health", nil)
		if r.Host = c.host; c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		New(Options{}).Server(c.address).Handler.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%+v: status %d", c, w.Code)
		}
	}
}

// Whoever sends slowly, or very much, is cut.
func TestListenerHasLimits(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{}).Server(l.Addr().String())
	if s.ReadHeaderTimeout == 0 || s.ReadTimeout == 0 || s.WriteTimeout == 0 || s.IdleTimeout == 0 {
		t.Error("a slow client is not cut")
	}
	go func() { _ = s.Serve(l) }()
	defer s.Close()
	r, _ := http.NewRequest("GET", "http://"+s.Addr+"/health", nil)
	r.Header.Set("X-Long", strings.Repeat("x", 1<<20))
	res, err := http.DefaultClient.Do(r)
	if err == nil {
		res.Body.Close()
	}
	if err == nil && res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("headers of a megabyte: status %d", res.StatusCode)
	}
}
