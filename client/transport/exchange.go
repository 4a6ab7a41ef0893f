package transport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

const maxRedirects = 10

var (
	errTooManyRedirects = errors.New("the redirects do not end")
	errFirstByte        = errors.New("no answer came in time")
	errIdle             = errors.New("the answer stopped in the middle")
	errTooLarge         = errors.New("the answer is larger than the limit")
	errBomb             = fmt.Errorf("%w: it unpacks to more than %d times its size", errTooLarge, maxRatio)
	errPlain            = errors.New("credentials would go over plain http, readable to everybody on the way")
	errSink             = errors.New("what arrived could not be stored")
)

// redirectError tells of a redirect that must not be followed; to is where it leads
// if that is another host.
type redirectError struct {
	status int
	to     string
}

func (e *redirectError) Error() string {
	if e.to != "" {
		return fmt.Sprintf("the server redirects to another host, %s (status %d)", e.to, e.status)
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
	sent     bool // a request may have left
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
			header = unsigned(header)
		}
		x.url = location.String()
	}
}

// hop makes one request. It returns where the answer redirects to, or nil when
// the exchange is over.
func (c *Client) hop(ctx context.Context, call Call, header http.Header, n int, x *exchange) *url.URL {
	w := c.newWatch(ctx)
	defer w.cancel(nil)
	defer w.timer.Stop()
	req, err := http.NewRequestWithContext(w.ctx, call.Method, x.url, bytes.NewReader(call.Body))
	if err != nil {
		x.err = err
		x.attempts = append(x.attempts,
			client.Attempt{N: n, Started: c.o.Now(), Method: call.Method, Purpose: call.Purpose,
				Error: c.o.Redactor.Text(err.Error())})
		return nil
	}
	req.Header = header
	header.Set("User-Agent", "patchbay/"+c.o.Version)
	if header.Get("Accept-Encoding") == "" && header.Get("Range") == "" {
		header.Set("Accept-Encoding", "gzip") // asked for by name, so that the base leaves the body as it came
	}
	rec := c.newRecord(call, req, n)
	if !c.o.Insecure && c.exposed(call, req) {
		x.response, x.err = nil, errPlain
		x.attempts = append(x.attempts, rec.ended(x.err))
		return nil
	}
	res, err := c.o.Base.RoundTrip(rec.traced(req))
	w.touch(c.o.Idle)
	x.sent = x.sent || !rec.unconnected()
	x.response, x.err = res, w.cause(err)
	if err != nil {
		x.response = nil
		x.attempts = append(x.attempts, rec.ended(x.err))
		return nil
	}
	defer res.Body.Close()
	rec.arrived(res)
	location := redirect(res, req.URL)
	if location == nil {
		x.err = c.read(w, call, res, rec, x)
	}
	x.attempts = append(x.attempts, rec.ended(x.err))
	return location
}

// redirect is where an answer leads to; nil when it does not.
func redirect(res *http.Response, from *url.URL) *url.URL {
	switch res.StatusCode {
	case 301, 302, 303, 307, 308:
		to, err := from.Parse(res.Header.Get("Location"))
		if err == nil && res.Header.Get("Location") != "" {
			return to
		}
	}
	return nil
}

// unsigned are the headers of a request that any host may have: none that could hold a
// credential.
func unsigned(header http.Header) http.Header {
	out := http.Header{}
	for _, name := range []string{"Accept", "Accept-Encoding", "If-Range", "Range"} {
		if values := header.Values(name); len(values) > 0 {
			out[name] = values
		}
	}
	return out
}

// mayFollow refuses redirects that would turn a request into another one, and those
// that lead to another host: nobody knows what answers there. Only a file may lie
// elsewhere, where the way is no less safe.
func mayFollow(call Call, status int, from string, to *url.URL) error {
	read := call.Method == http.MethodGet || call.Method == http.MethodHead
	elsewhere := call.File && read && to.Host != "" && to.User == nil &&
		(to.Scheme == "https" || strings.HasPrefix(from, to.Scheme+"://"))
	switch {
	case !sameHost(from, to) && elsewhere:
		return nil
	case !sameHost(from, to):
		return &redirectError{status: status, to: (&url.URL{Scheme: to.Scheme, Host: to.Host}).String()}
	case read || status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect:
		return nil
	}
	return &redirectError{status: status}
}

func sameHost(from string, to *url.URL) bool {
	u, err := url.Parse(from)
	return err == nil && u.Scheme == to.Scheme && strings.EqualFold(u.Hostname(), to.Hostname()) && port(u) == port(to)
}

func port(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

// read takes the body of the final answer.
func (c *Client) read(w *watch, call Call, res *http.Response, rec *record, x *exchange) error {
	if call.Out != nil && res.StatusCode >= 200 && res.StatusCode < 300 {
		if file, is := call.Out.(client.FileWriter); is {
			if err := file.Begin(fileHead(res)); err != nil {
				return errors.Join(errSink, err)
			}
		}
		err := c.copy(w, call.Out, res, rec)
		x.streamed = rec.a.ResponseBytes > 0
		return err
	}
	store := &rawjson.Buffer{}
	x.body = store
	err := c.copy(w, store, res, rec)
	store.Close(err)
	return err
}
