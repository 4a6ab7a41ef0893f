package local

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// exchange is one signed request and its answer.
type exchange struct {
	p     *plan
	a     *auth
	build func(*settings) (*request, error)
	out   io.Writer
	// before are attempts that led here.
	before  []client.Attempt
	started time.Time

	settings *settings
	request  *request
	header   http.Header // of the answer
	env      *client.Envelope
}

// send makes the call; a token that is not accepted is renewed once. It returns
// an error for everything but an answer of status 2xx.
func (x *exchange) send(ctx context.Context) error {
	for again := false; ; again = true {
		token, sets, attempts, err := x.p.c.token(ctx, x.p, x.a)
		if err != nil {
			return x.told(err)
		}
		x.before = append(x.before, attempts...)
		x.settings = x.p.settings(x.a, sets)
		if x.request, err = x.build(x.settings); err != nil {
			return err
		}
		call := x.p.call(x.request, x.a, x.settings, token, x.out)
		res, err := x.p.c.t.Do(ctx, call)
		if err == nil && x.renews(res, token) && !again {
			x.before = append(x.before, res.Attempts...)
			continue
		}
		return x.finish(call, res, err)
	}
}

// renews tells whether the token was refused and another one can be had. What was
// refused was not carried out, so that this holds for writes, too.
func (x *exchange) renews(res *transport.Result, token secret.Secret) bool {
	return res.Status == http.StatusUnauthorized && x.request.trusted && !token.Empty() &&
		x.a.spec.Refresh != nil && x.p.c.session(x.p, x.a).drop(token, x.a)
}

func (x *exchange) finish(call transport.Call, res *transport.Result, err error) error {
	if res != nil {
		res.Attempts = append(x.before[:len(x.before):len(x.before)], res.Attempts...)
		x.header = res.Header
		x.env = x.envelope(res)
	}
	switch {
	case err != nil:
		return x.told(err)
	case !res.OK():
		e := x.p.failure(x, call, res)
		x.env = e.Envelope
		return e
	}
	return nil
}

// told adds to an error of the transport or of a token what was wanted.
func (x *exchange) told(err error) error {
	e := *client.AsError(err)
	if e.Doing == "" {
		e.Doing = x.p.doing
	}
	if len(x.before) > 0 {
		e.Attempts = append(x.before[:len(x.before):len(x.before)], e.Attempts...)
	}
	if e.Envelope != nil && x.env != nil {
		e.Envelope = x.env
		x.env.Attempts = e.Attempts
	} else {
		x.env = e.Envelope
	}
	return &e
}

func (x *exchange) envelope(res *transport.Result) *client.Envelope {
	env := &client.Envelope{
		Body: res.Body, Shape: client.ShapeOther, Names: client.Wire,
		Status: res.Status, ContentType: res.Header.Get("Content-Type"),
		Started: res.Started, Took: res.Took, Attempts: res.Attempts, FileName: fileName(res.Header),
		Warning: strings.Join(x.notes(), "; "),
	}
	if !x.started.IsZero() {
		env.Took += env.Started.Sub(x.started)
		env.Started = x.started
	}
	x.started = env.Started
	return env
}

// notes are what the person should know about a call that went through.
func (x *exchange) notes() []string {
	out := x.p.notes
	if x.a.spec.Refresh == nil {
		return out
	}
	s := x.p.c.session(x.p, x.a)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unsaved != "" {
		out = append(out[:len(out):len(out)], s.unsaved)
	}
	return out
}
