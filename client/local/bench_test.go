package local

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// canned answers every request with the same page of 100 records.
type canned struct{ body []byte }

func newCanned(b *testing.B) *canned {
	type record struct {
		ID    string `json:"id"`
		Email string `json:"email"`
	}
	page := map[string]any{"object": "list", "has_more": true, "data": make([]record, 100)}
	body, err := json.Marshal(page)
	if err != nil {
		b.Fatal(err)
	}
	return &canned{body}
}

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(c.body)), ContentLength: int64(len(c.body)), Request: r}, nil
}

// BenchmarkPlain is what net/http alone needs for the calls of BenchmarkExecute;
// the difference is the engine's overhead, which has to stay under 0.3 ms.
func BenchmarkPlain(b *testing.B) {
	h := &http.Client{Transport: newCanned(b)}
	for b.Loop() {
		req, err := http.NewRequestWithContext(b.Context(), "GET", "https://api.stripe.com/v1/customers?limit=100&created%5Bgte%5D=1700000000", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer sk_test_1")
		res, err := h.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(res.Body); err != nil {
			b.Fatal(err)
		}
		res.Body.Close()
	}
}

func BenchmarkExecute(b *testing.B) {
	benchmark(b, "payments", "customers", `{"limit":100,"created":{"gte":1700000000}}`, env("PAYMENTS_API_KEY", "sk_test_1"))
}

func BenchmarkExecuteGraphQL(b *testing.B) {
	benchmark(b, "code_hosting", "pull_requests", `{"per_page":100}`, env("CODE_HOSTING_TOKEN", "ghp_1", "CODE_HOSTING_REPOSITORIES", "octo/hello"))
}

func benchmark(b *testing.B, kind, entity, params string, variables map[string]string) {
	cfg := Config{Catalog: catalog.New(), Transport: wire(newCanned(b), transport.Options{})}
	cfg.Credentials, cfg.Values = FromEnv(variables)
	c := New(cfg)
	target := client.Target{Kind: kind, Local: true}
	op := client.Operation{Entity: entity, Action: "list", Params: []byte(params)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Execute(b.Context(), target, op); err != nil {
			b.Fatal(err)
		}
	}
}
