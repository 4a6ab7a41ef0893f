package hosted_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// answering makes a RoundTripper of what answers each request.
func answering(f func(r *http.Request) string) roundTripper {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
			Body: io.NopCloser(strings.NewReader(f(r)))}, nil
	}
}

// A connector whose kind nobody can tell, or not in time, is called all the same, and
// nobody waits for it twice.
func TestALookUpDelaysNoCall(t *testing.T) {
	for name, test := range map[string]struct {
		look, waits time.Duration
		path        string
	}{
		"in time": {10 * time.Millisecond, 0, "result.payload.Orders"},
		"late":    {time.Hour, 2 * time.Second, "result"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var called time.Duration
				began := time.Now()
				wire := transport.New(transport.Options{Base: answering(func(r *http.Request) string {
					if r.Method == http.MethodGet {
						time.Sleep(test.look)
						return `{"id":"c-1","connector_type":"amazon-seller"}`
					}
					called = time.Since(began)
					time.Sleep(20 * time.Millisecond)
					return `{"status":"success","connector_metadata":{},"result":{"payload":{"Orders":[{"state":"a"}]}}}`
				})})
				c := hosted.New(hosted.Config{BaseURL: "https://x", Token: secret.New("tok"), Transport: wire,
					Catalog: kinds{}})
				target := client.Target{ConnectorID: "c-1"}
				c.Look(t.Context(), "c-1")
				for range 3 {
					env, err := c.Execute(t.Context(), target, client.Operation{Entity: "orders", Action: "list"})
					if err != nil || env.RecordsPath != test.path {
						t.Fatalf("records at %q, %v", env.RecordsPath, err)
					}
				}
				if called > time.Millisecond+test.waits+2*20*time.Millisecond {
					t.Errorf("the third call went out after %s", called)
				}
				if took := time.Since(began); took != test.waits+60*time.Millisecond {
					t.Errorf("three calls took %s", took)
				}
				time.Sleep(test.look) // it ends by itself
			})
		})
	}
}
