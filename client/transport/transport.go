package transport

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
)

// Limits that hold where Options leave a field zero.
const (
	defaultAttempts  = 4
	defaultMaxBody   = 1 << 30
	defaultFirstByte = 5 * time.Minute
	defaultIdle      = 90 * time.Second
)

// Options configure a Client. The zero value is usable.
type Options struct {
	// Base makes the exchanges; nil for a pooled HTTP transport that honours
	// proxy variables of the process.
	Base http.RoundTripper
	// Now, Random (in [0,1)) and Sleep stand for clock, chance and waiting.
	Now    func() time.Time
	Random func() float64
	Sleep  func(ctx context.Context, d time.Duration) error
	// Version goes into the User-Agent: patchbay/<version>.
	Version string
	// MaxAttempts bounds how often a read is sent, the first time included.
	MaxAttempts int
	// MaxBody is the largest body that is kept, in bytes after decompression. Where it is
	// not set, a body that becomes very much of very little is refused early.
	MaxBody int64
	sized   bool // MaxBody was set
	// FirstByte bounds the wait for the first byte of an answer, Idle the wait
	// between two pieces of its body.
	FirstByte, Idle time.Duration
	// Insecure lets credentials go to other machines over plain http.
	Insecure bool
	// Redactor hides secrets in attempts; nil for one that knows names only.
	Redactor *secret.Redactor
	// Trace is told of every attempt when it is over, from any goroutine, with the body
	// of an answer that was no success; it may be nil.
	Trace func(client.Attempt, client.Body)
}

// Client makes calls. It is safe for concurrent use.
type Client struct {
	o Options
}

// New returns a Client.
func New(o Options) *Client {
	if o.Base == nil {
		o.Base = NewBase()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Redactor == nil {
		o.Redactor = &secret.Redactor{}
	}
	o.MaxAttempts = positive(o.MaxAttempts, defaultAttempts)
	o.sized = o.MaxBody > 0
	o.MaxBody = positive(o.MaxBody, defaultMaxBody)
	o.FirstByte = positive(o.FirstByte, defaultFirstByte)
	o.Idle = positive(o.Idle, defaultIdle)
	return &Client{o}
}

func positive[T int | int64 | time.Duration](v, otherwise T) T {
	if v > 0 {
		return v
	}
	return otherwise
}

// NewBase returns the HTTP transport that a Client uses when given none.
// Compression is left to the Client, which counts the bytes on both sides of it.
func NewBase() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	t.MaxIdleConnsPerHost = 8
	t.MaxResponseHeaderBytes = 1 << 20
	return t
}

// Redactor returns the redactor, so that callers can teach it secrets.
func (c *Client) Redactor() *secret.Redactor { return c.o.Redactor }

// Now is the clock of the Client.
func (c *Client) Now() time.Time { return c.o.Now() }

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Call is one request to make.
type Call struct {
	Method string
	URL    string
	// Header is sent as it is; Content-Type belongs into it.
	Header http.Header
	Body   []byte
	// Write marks a call that changes something: it is sent once, whatever happens.
	Write bool
	// Purpose and Doing go into attempts and errors: "call", "list workspaces".
	Purpose, Doing string
	// Layer is who answers; LayerHosted when empty.
	Layer client.Layer
	// Out receives a successful body as a stream; nil keeps it in memory. A call is
	// not repeated once a byte went there. A client.FileWriter is told of the file
	// first, and is not bound by MaxBody.
	Out io.Writer
	// File is set where a file is asked for, which may lie on another host. A redirect there
	// is followed without what the call was signed with.
	File bool
	// Limits are the headers that tell, the best first, how long a call should wait
	// that was refused with status 429 and without Retry-After.
	Limits []string
}

// Result is an answer, whatever its status.
type Result struct {
	Status int
	// URL is the address that answered in the end, for use in further calls; it may hold secrets.
	URL    string
	Header http.Header
	// Body is what arrived; empty when Out took it.
	Body     client.Body
	Attempts []client.Attempt
	Started  time.Time
	Took     time.Duration
}

// OK reports whether the status is 2xx.
func (r *Result) OK() bool { return r.Status >= 200 && r.Status < 300 }

// Do makes the call and returns the answer of the last attempt, whatever its
// status; Failure turns a bad one into an error. An error of Do is a
// *client.Error: no whole answer arrived. The Result beside it is then nil or
// holds the part of the body that did arrive.
func (c *Client) Do(ctx context.Context, call Call) (*Result, error) {
	started := c.o.Now()
	var attempts []client.Attempt
	for n := 1; ; n++ {
		client.Notify(ctx, client.Event{Kind: client.EventSend, Attempt: n, Purpose: call.Purpose})
		x := c.exchange(ctx, call, n)
		retry, wait, reason := shouldRetry(outcome{
			attempt: n, most: c.o.MaxAttempts, write: call.Write || x.streamed,
			status: x.status(), err: x.err, canceled: ctx.Err() != nil,
			heedsLimits: client.HeedsLimits(ctx), retryAfter: c.askedWait(call, x), random: c.o.Random(),
		})
		last := len(x.attempts) - 1
		x.attempts[last].Retry, x.attempts[last].Reason, x.attempts[last].Wait = retry, reason, wait
		attempts = append(attempts, x.attempts...)
		c.trace(x)
		if !retry {
			return c.finish(call, x, attempts, started)
		}
		client.Notify(ctx, client.Event{Kind: client.EventRetry, Attempt: n, Wait: wait, Reason: reason,
			Purpose: call.Purpose})
		if err := c.o.Sleep(ctx, wait); err != nil {
			x.err = err
			return c.finish(call, x, attempts, started)
		}
	}
}

// trace tells of an exchange, redirects first.
func (c *Client) trace(x *exchange) {
	if c.o.Trace == nil {
		return
	}
	for i, a := range x.attempts {
		if i == len(x.attempts)-1 && a.Status >= 300 {
			c.o.Trace(a, x.body)
		} else {
			c.o.Trace(a, nil)
		}
	}
}

// askedWait is how long the server asks to wait before the next attempt.
func (c *Client) askedWait(call Call, x *exchange) time.Duration {
	if x.status() != http.StatusTooManyRequests {
		return RetryAfter(x.header(), c.o.Now())
	}
	return RetryAfter(x.header(), c.o.Now(), call.Limits...)
}

func (c *Client) finish(call Call, x *exchange, attempts []client.Attempt, started time.Time) (*Result, error) {
	var r *Result
	if x.response != nil {
		r = &Result{
			Status: x.response.StatusCode, Header: x.response.Header, URL: x.url, Body: x.body,
			Attempts: attempts, Started: started, Took: c.o.Now().Sub(started),
		}
		if r.Body == nil {
			r.Body = client.Bytes(nil)
		}
	}
	if x.err == nil {
		return r, nil
	}
	e := c.networkError(call, x)
	e.Attempts = attempts
	return r, e
}

// ParseAddress reads the address of a server: http or https, without credentials
// or a query, and without a slash at its end. why says what is wrong with it.
func ParseAddress(text string) (u *url.URL, why string) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, "is not an http or https address"
	case u.User != nil:
		return nil, "holds a user name; credentials do not belong into it"
	case u.RawQuery != "" || u.Fragment != "":
		return nil, "holds a query or fragment"
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, ""
}
