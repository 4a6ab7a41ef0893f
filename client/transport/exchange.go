package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"patchbay/client"
)

const maxRedirects = 10

var (
	errTooManyRedirects = errors.New("the redirects do not end")
	errFirstByte        = errors.New("no answer came in time")
	errIdle             = errors.New("the answer stopped in the middle")
	errTooLarge         = errors.New("the answer is larger than the limit")
	errSink             = errors.New("what arrived could not be stored")
)

// redirectError tells of a redirect that must not be followed.
type redirectError struct {
	status int
	host   string
	cross  bool
}

func (e *redirectError) Error() string {
	if e.cross {
		return fmt.Sprintf("the server redirects to another host, %s (status %d)", e.host, e.status)
	}
	return fmt.Sprintf("the server redirects the request (status %d), and following would change it", e.status)
}

// exchange is one try of a call: one request, and more only for redirects.
type exchange struct {
	attempts []client.Attempt
	response *http.Response
	url      string
	body     client.Body
	streamed bool // bytes went to Call.Out
	err      error
}

func (x *exchange) status() int {
	if x.response == nil {
		return 0
	}
	return x.response.StatusCode
}

func (x *exchange) header() http.Header {
	if x.response == nil {
		return nil
	}
	return x.response.Header
}

// exchange sends the call once, following redirects, and reads the answer.
func (c *Client) exchange(ctx context.Context, call Call, n int) *exchange {
	x := &exchange{url: call.URL}
	header := call.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	for hop := 0; ; hop++ {
		location := c.hop(ctx, call, header, n, x)
		if location == nil {
			return x
		}
		if hop == maxRedirects {
			x.err = errTooManyRedirects
			return x
		}
		if x.err = mayFollow(call, x.response.StatusCode, x.url, location); x.err != nil {
			return x
		}
		if !sameHost(x.url, location) {
			dropCredentials(header)
		}
		x.url = location.String()
	}
}

// hop makes one request. It returns where the answer redirects to, or nil when
// the exchange is over.
func (c *Client) hop(ctx context.Context, call Call, header http.Header, n int, x *exchange) *url.URL {
	w := c.newWatch(ctx)
	defer w.stop()
	req, err := http.NewRequestWithContext(w.ctx, call.Method, x.url, bytes.NewReader(call.Body))
	if err != nil {
		x.err = err
		x.attempts = append(x.attempts, client.Attempt{N: n, Started: c.o.Now(), Method: call.Method, Purpose: call.Purpose, Error: c.o.Redactor.Text(err.Error())})
		return nil
	}
	if len(call.Body) == 0 {
		req.Body, req.GetBody, req.ContentLength = nil, nil, 0
	}
	req.Header = header
	c.complete(req.Header)
	rec := c.newRecord(call, req, n)
	res, err := c.o.Base.RoundTrip(rec.traced(req))
	w.touch(c.o.Idle)
	x.response, x.err = res, w.cause(err)
	if err != nil {
		x.response = nil
		x.attempts = append(x.attempts, rec.failed(x.err))
		return nil
	}
	defer res.Body.Close()
	rec.arrived()
	location := redirect(res, x.url)
	if location == nil {
		x.err = c.read(w, call, res, rec, x)
	}
	x.attempts = append(x.attempts, rec.done(res, x.err))
	return location
}

// complete adds what every request carries. Compression is asked for by name,
// so that the base transport leaves the body as it came.
func (c *Client) complete(h http.Header) {
	h.Set("User-Agent", c.UserAgent())
	if h.Get("Accept-Encoding") == "" && h.Get("Range") == "" {
		h.Set("Accept-Encoding", "gzip")
	}
}

func redirect(res *http.Response, from string) *url.URL {
	switch res.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil
	}
	base, err := url.Parse(from)
	if err != nil {
		return nil
	}
	location, err := base.Parse(res.Header.Get("Location"))
	if err != nil || res.Header.Get("Location") == "" {
		return nil
	}
	return location
}

// mayFollow refuses redirects that would turn a request into another one, or
// carry a body to a host that it was not meant for.
func mayFollow(call Call, status int, from string, to *url.URL) error {
	cross := !sameHost(from, to)
	read := call.Method == http.MethodGet || call.Method == http.MethodHead
	same := status == 307 || status == 308
	web := to.Scheme == "https" || to.Scheme == "http" && strings.HasPrefix(from, "http:")
	if web && (read || same && !cross) {
		return nil
	}
	return &redirectError{status: status, host: to.Host, cross: cross}
}

func sameHost(from string, to *url.URL) bool {
	u, err := url.Parse(from)
	return err == nil && strings.EqualFold(u.Host, to.Host) && u.Scheme == to.Scheme
}

// dropCredentials leaves the few headers that tell a stranger nothing.
func dropCredentials(h http.Header) {
	for name := range h {
		switch name {
		case "Accept", "Accept-Encoding", "User-Agent", "Range":
		default:
			h.Del(name)
		}
	}
}

// read takes the body of the final answer.
func (c *Client) read(w *watch, call Call, res *http.Response, rec *record, x *exchange) error {
	ok := res.StatusCode >= 200 && res.StatusCode < 300
	var out io.Writer
	var sink Sink
	switch {
	case ok && call.Out != nil:
		out = call.Out
	case ok && call.NewSink != nil:
		sink = call.NewSink(res.ContentLength)
	default:
		sink = &memory{}
	}
	if sink != nil {
		out, x.body = sink, sink
	}
	err := c.copy(w, out, res, rec)
	if done, is := sink.(closer); is {
		done.Close(err)
	}
	x.streamed = call.Out != nil && ok && rec.a.ResponseBytes > 0
	return err
}

// memory is the Sink in one piece.
type memory struct{ bytes.Buffer }

func (m *memory) Slice(from, to int) []byte { return m.Bytes()[from:to:to] }
