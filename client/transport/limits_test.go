package transport

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

func TestLimitEndsDecidesTheWait(t *testing.T) {
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
	_, err := c.Do(context.Background(), Call{Method: "GET", URL: server.URL, LimitEnds: func(h http.Header, _ time.Time) time.Duration {
		n, _ := strconv.Atoi(h.Get("X-RateLimit-Reset"))
		return time.Duration(n) * time.Second
	}})
	if err != nil || waited != 7*time.Second || calls != 2 {
		t.Errorf("waited %s in %d calls, %v", waited, calls, err)
	}
}
