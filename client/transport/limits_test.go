package transport

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestLimitsDecideTheWait(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.Header().Set("X-RateLimit-Reset", "7")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Write([]byte(`{}`))
	}))
	defer server.Close()
	var waited time.Duration
	c := New(Options{Random: func() float64 { return 0 }, Sleep: func(_ context.Context, d time.Duration) error { waited = d; return nil }})
	_, err := c.Do(context.Background(), Call{Method: "GET", URL: server.URL, Limits: []string{"RateLimit-Reset", "X-RateLimit-Reset"}})
	if err != nil || waited != 7*time.Second || calls != 2 {
		t.Errorf("waited %s in %d calls, %v", waited, calls, err)
	}
}

func FuzzWait(f *testing.F) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, v := range []string{"7", "1e9", "t=1", "r=0;t=-1", "Sun, 01 Mar 2026 12:00:05 GMT", "reset=reset=1", "t=t=t=5"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if d := wait(value, now); d < 0 {
			t.Errorf("%q: %v", value, d)
		}
	})
}
