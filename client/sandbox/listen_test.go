package sandbox

import (
	"errors"
	"io"
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
		req, err := http.NewRequest("POST", server.URL+"/api/v1/integrations/connectors/"+r.connector(workspace, name)+"/execute", strings.NewReader(`{"entity":"customers","action":"list"}`))
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
	if err != nil || len(listIn(parse(t, whole).value("result"))) != 10 {
		t.Errorf("a plain list: %v", err)
	}
	if _, err := call("faults", FaultCut); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut body: %v", err)
	}
	if body, err := call("faults", FaultGzip); err != nil || len(listIn(parse(t, body).value("result"))) != 10 {
		t.Errorf("a compressed body: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	logged := strings.Join(lines, "\n")
	if !strings.Contains(logged, "payments customers.list") || strings.Contains(logged, Token) || strings.Count(logged, "\n") != len(lines)-1 {
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
	for _, p := range New(Options{}).Env() {
		if p[1] == "" {
			t.Errorf("%s is empty", p[0])
		}
		names = append(names, p[0])
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("variables: %s", got)
	}
}
