package transport

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/secret"
)

// counted answers everything and counts.
type counted struct{ n int }

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n++
	return &http.Response{StatusCode: 200, Request: r, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

// A credential leaves this machine over plain http only where that was allowed,
// wherever in the request it stands.
func TestCredentialsOverPlainHTTP(t *testing.T) {
	known := &secret.Redactor{}
	known.Add(secret.New("s3cr3t-value-1"))
	bearer := http.Header{"Authorization": {"Bearer abc"}}
	for _, c := range []struct {
		call     Call
		insecure bool
		sent     bool
	}{
		{Call{URL: "http://far.test/x", Header: bearer}, false, false},
		{Call{URL: "http://far.test/x", Header: bearer}, true, true},
		{Call{URL: "https://far.test/x", Header: bearer}, false, true},
		{Call{URL: "http://far.test/x"}, false, true},
		{Call{URL: "http://far.test/x?page=2"}, false, true},
		{Call{URL: "http://10.0.0.7/x", Header: bearer}, false, false},
		{Call{URL: "http://127.0.0.1.far.test/x", Header: bearer}, false, false},
		{Call{URL: "http://127.0.0.1:1/x", Header: bearer}, false, true},
		{Call{URL: "http://[::1]/x", Header: bearer}, false, true},
		{Call{URL: "http://LOCALHOST/x", Header: bearer}, false, true},
		{Call{URL: "http://far.test/x", Header: http.Header{"X-Own": {"s3cr3t-value-1"}}}, false, false},
		{Call{URL: "http://far.test/x?api_key=abc"}, false, false},
		{Call{URL: "http://far.test/s3cr3t-value-1"}, false, false},
		{Call{URL: "http://far.test/x", Body: []byte(`{"a":"s3cr3t-value-1"}`)}, false, false},
		{Call{URL: "http://far.test/x", Purpose: client.PurposeToken}, false, false},
	} {
		base := &counted{}
		c.call.Method = "GET"
		_, err := New(Options{Base: base, Redactor: known, Insecure: c.insecure}).Do(context.Background(), c.call)
		if (base.n == 1) != c.sent || base.n > 1 || c.sent != (err == nil) {
			t.Errorf("%s: sent %d times, %v", c.call.URL, base.n, err)
		}
		if e := client.AsError(err); !c.sent && (e.Class != client.ClassRefused || !strings.Contains(e.Next, "--insecure")) {
			t.Errorf("%s: %v; %s", c.call.URL, err, e.Next)
		}
	}
}
