package transport

import (
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"slices"
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
	remote                        string
}

func (c *Client) newRecord(call Call, req *http.Request, n int) *record {
	red := c.o.Redactor
	purpose := call.Purpose
	if purpose == "" {
		purpose = "call"
	}
	return &record{c: c, a: client.Attempt{
		N: n, Started: c.o.Now(), Method: req.Method, URL: red.URL(req.URL.String()), Purpose: purpose,
		RequestHeaders: shown(red, req.Header),
		RequestBody:    shownBody(red, req.Header.Get("Content-Type"), call.Body),
		RequestBytes:   int64(len(call.Body)),
	}}
}

// shown lists headers by name, secrets replaced.
func shown(red *secret.Redactor, h http.Header) []client.Header {
	out := make([]client.Header, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			out = append(out, client.Header{Name: name, Value: red.Header(name, v)})
		}
	}
	slices.SortStableFunc(out, func(a, b client.Header) int {
		if a.Name < b.Name {
			return -1
		}
		if a.Name > b.Name {
			return 1
		}
		return 0
	})
	return out
}

func shownBody(red *secret.Redactor, contentType string, body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	out := red.Body(contentType, body)
	if len(out) > keptBody {
		out = out[:keptBody:keptBody]
	}
	return slices.Clone(out)
}

// traced returns the request with hooks that take the times of its phases.
func (r *record) traced(req *http.Request) *http.Request {
	mark := func(f func(now time.Time)) {
		now := r.c.o.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		f(now)
	}
	trace := &httptrace.ClientTrace{
		DNSStart:     func(httptrace.DNSStartInfo) { mark(func(now time.Time) { r.t.dnsFrom = now }) },
		DNSDone:      func(httptrace.DNSDoneInfo) { mark(func(now time.Time) { r.t.dns = now.Sub(r.t.dnsFrom) }) },
		ConnectStart: func(_, _ string) { mark(func(now time.Time) { r.t.connectFrom = now }) },
		ConnectDone: func(_, _ string, err error) {
			mark(func(now time.Time) { r.t.connect = now.Sub(r.t.connectFrom) })
		},
		TLSHandshakeStart: func() { mark(func(now time.Time) { r.t.tlsFrom = now }) },
		TLSHandshakeDone: func(tls.ConnectionState, error) {
			mark(func(now time.Time) { r.t.tls = now.Sub(r.t.tlsFrom) })
		},
		GotConn: func(info httptrace.GotConnInfo) {
			mark(func(time.Time) { r.t.reused, r.t.remote = info.Reused, info.Conn.RemoteAddr().String() })
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { mark(func(now time.Time) { r.t.wrote = now }) },
		GotFirstResponseByte: func() {
			mark(func(now time.Time) {
				if !r.t.wrote.IsZero() {
					r.t.first = now.Sub(r.t.wrote)
				}
			})
		},
	}
	return req.WithContext(httptrace.WithClientTrace(req.Context(), trace))
}

// arrived notes the first byte where no hook told of it: a transport without
// connections has none.
func (r *record) arrived() {
	now := r.c.o.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.t.first == 0 && r.t.wrote.IsZero() {
		r.t.first = now.Sub(r.a.Started)
	}
}

func (r *record) failed(err error) client.Attempt {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.a.DNS, r.a.Connect, r.a.TLS, r.a.FirstByte = r.t.dns, r.t.connect, r.t.tls, r.t.first
	if r.a.Reused = r.t.reused; r.a.Reused {
		r.a.DNS, r.a.Connect, r.a.TLS = 0, 0, 0
	}
	r.a.Remote = r.t.remote
	r.a.Total = r.c.o.Now().Sub(r.a.Started)
	if err != nil {
		r.a.Error = r.c.o.Redactor.Text(err.Error())
	}
	return r.a
}

func (r *record) done(res *http.Response, err error) client.Attempt {
	r.a.Status, r.a.Proto = res.StatusCode, res.Proto
	r.a.ResponseHeaders = shown(r.c.o.Redactor, res.Header)
	r.a.Server = serverTime(res.Header)
	return r.failed(err)
}
