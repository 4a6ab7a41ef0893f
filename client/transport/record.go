package transport

import (
	"cmp"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
)

// keptBody is how much of a request body an attempt keeps.
const keptBody = 64 << 10

// record fills an Attempt while its exchange happens. Trace hooks come from
// other goroutines, and may come after the exchange was given up.
type record struct {
	c  *Client
	a  client.Attempt
	mu sync.Mutex
	t  timings
}

type timings struct {
	dnsFrom, connectFrom, tlsFrom time.Time
	wrote                         time.Time
	dns, connect, tls, first      time.Duration
	reused                        bool
	asked, connected              bool // whether a connection was wanted, and had
	remote                        string
}

func (c *Client) newRecord(call Call, req *http.Request, n int) *record {
	red := c.o.Redactor
	a := client.Attempt{
		N: n, Started: c.o.Now(), Method: req.Method, URL: red.URL(req.URL.String()),
		Purpose: cmp.Or(call.Purpose, "call"), RequestHeaders: shown(red, req.Header),
		RequestBytes: int64(len(call.Body)),
	}
	if len(call.Body) > 0 {
		body := red.Body(req.Header.Get("Content-Type"), call.Body)
		a.RequestBody = slices.Clone(body[:min(len(body), keptBody)])
	}
	return &record{c: c, a: a}
}

// shown lists headers by name, secrets replaced.
func shown(red *secret.Redactor, h http.Header) []client.Header {
	out := make([]client.Header, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			out = append(out, client.Header{Name: red.Text(name), Value: red.Header(name, v)})
		}
	}
	slices.SortStableFunc(out, func(a, b client.Header) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// traced returns the request with hooks that take the times of its phases.
func (r *record) traced(req *http.Request) *http.Request {
	trace := &httptrace.ClientTrace{
		DNSStart:          func(httptrace.DNSStartInfo) { r.begin(&r.t.dnsFrom) },
		DNSDone:           func(httptrace.DNSDoneInfo) { r.end(&r.t.dns, &r.t.dnsFrom) },
		ConnectStart:      func(_, _ string) { r.begin(&r.t.connectFrom) },
		ConnectDone:       func(_, _ string, _ error) { r.end(&r.t.connect, &r.t.connectFrom) },
		TLSHandshakeStart: func() { r.begin(&r.t.tlsFrom) },
		TLSHandshakeDone:  func(tls.ConnectionState, error) { r.end(&r.t.tls, &r.t.tlsFrom) },
		WroteRequest:      func(httptrace.WroteRequestInfo) { r.begin(&r.t.wrote) },
		GetConn: func(string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.t.asked = true
		},
		GotFirstResponseByte: func() { r.end(&r.t.first, &r.t.wrote) },
		GotConn: func(info httptrace.GotConnInfo) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.t.connected, r.t.reused, r.t.remote = true, info.Reused, info.Conn.RemoteAddr().String()
		},
	}
	return req.WithContext(httptrace.WithClientTrace(req.Context(), trace))
}

func (r *record) begin(at *time.Time) {
	now := r.c.o.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	*at = now
}

func (r *record) end(took *time.Duration, from *time.Time) {
	now := r.c.o.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !from.IsZero() {
		*took = now.Sub(*from)
	}
}

// unconnected reports that no connection came about to send the request over. A
// transport that tells nothing of connections may have sent it.
func (r *record) unconnected() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.t.asked && !r.t.connected
}

// arrived notes the head of an answer, and the first byte where no hook told of
// it: a transport without connections has none.
func (r *record) arrived(res *http.Response) {
	now := r.c.o.Now()
	r.a.Status, r.a.Proto = res.StatusCode, res.Proto
	r.a.ResponseHeaders = shown(r.c.o.Redactor, res.Header)
	r.a.Server = serverTime(res.Header)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.t.first == 0 && r.t.wrote.IsZero() {
		r.t.first = now.Sub(r.a.Started)
	}
}

// ended is the attempt when its exchange is over, well or not.
func (r *record) ended(err error) client.Attempt {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.a.DNS, r.a.Connect, r.a.TLS, r.a.FirstByte = r.t.dns, r.t.connect, r.t.tls, r.t.first
	if r.a.Reused = r.t.reused; r.a.Reused {
		r.a.DNS, r.a.Connect, r.a.TLS = 0, 0, 0
	}
	r.a.Remote = r.t.remote
	r.a.Total = r.c.o.Now().Sub(r.a.Started)
	if err != nil {
		r.a.Error = r.c.o.Redactor.Text(Classify(err, r.a.URL).Message)
	}
	return r.a
}
