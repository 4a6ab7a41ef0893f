package local

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// Execute implements client.Executor.
func (c *Client) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	return c.run(ctx, t, op, nil)
}

// Download implements client.Executor. The Envelope's attempts hold those of
// every step; its FileName is what the server suggests.
func (c *Client) Download(
	ctx context.Context, t client.Target, op client.Operation, w io.Writer,
) (*client.Envelope, error) {
	return c.run(ctx, t, op, w)
}

// run makes the call, and the second one of a download in two steps.
func (c *Client) run(
	ctx context.Context, t client.Target, op client.Operation, out io.Writer,
) (env *client.Envelope, err error) {
	defer func() { client.Hide(env, err, c.t.Redactor().Text) }()
	p, err := c.plan(t, op)
	if err != nil {
		return nil, err
	}
	if file, is := out.(client.FileWriter); is {
		part := file.Missing()
		p.part = &part
	}
	a, err := p.auth()
	if err != nil {
		return nil, err
	}
	file := p.bind.Download
	x := &exchange{p: p, a: a, session: c.session(p, a), out: out, build: p.request}
	if file != nil && file.Steps > 1 {
		x.out = nil
	}
	if err := x.send(ctx); err != nil {
		return x.env, err
	}
	switch {
	case file != nil && file.Steps > 1:
		x, err = p.fetchFile(ctx, x, out)
		return x.env, err
	case file == nil && out == nil:
		return p.judged(x)
	}
	return x.env, nil
}

// judged reads an answer of status 2xx. Unless it says that a write was refused,
// nobody knows whether one that failed so was carried out.
func (p *plan) judged(x *exchange) (*client.Envelope, error) {
	x.env.Body = named(x.env.Body, x.request.aliases)
	env, err := p.read(x)
	if err == nil {
		return env, nil
	}
	if e := client.AsError(err); p.writes() && e.Doubtful() {
		e.Fate = client.FateUnknown
	}
	return env, transport.Settle(err, p.kind, p.target, p.op)
}

// fetchFile gets the file whose address the first answer names. Credentials go
// along only when it is an address of the API itself.
func (p *plan) fetchFile(ctx context.Context, first *exchange, out io.Writer) (*exchange, error) {
	address, err := p.fileAddress(first)
	if err != nil {
		return first, err
	}
	next := &exchange{p: p, a: first.a, session: first.session, out: out, before: first.env.Attempts,
		started: first.env.Started}
	next.build = func(s *settings) (*request, error) {
		base, err := s.base()
		if err != nil {
			return nil, err
		}
		u, err := base.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != base.Scheme {
			return nil, first.unread("the address of the file that the third party gave is not usable", "")
		}
		r := &request{method: http.MethodGet, base: base, absolute: u.String(), header: http.Header{},
			trusted: below(u, base)}
		p.asFile(r, s)
		return r, nil
	}
	err = next.send(ctx)
	if e := client.AsError(err); err != nil && (e.Status == 401 || e.Status == 403 || e.Status == 404) {
		e.Next = "Addresses of files end after a while: run it again. " + e.Next
	}
	return next, err
}

// fileAddress reads the address at the place that the binding names.
func (p *plan) fileAddress(x *exchange) (string, error) {
	place := p.bind.Download.URLAt
	for i := range p.action.Params {
		f := &p.action.Params[i]
		if n, ok, err := p.given(f, &settings{p: p, a: x.a}); err == nil && ok {
			place = strings.ReplaceAll(place, "{"+f.Name+"}", text(n))
		}
	}
	where, err := rawjson.ParsePath(place)
	if err != nil {
		return "", x.unread("the place of the file in the answer is not usable: "+place, "")
	}
	n, _ := rawjson.Root(x.env.Body).Lookup(where)
	if n.Kind() != rawjson.String || n.Text() == "" {
		e := x.fail("the answer names no file at "+place,
			"Look at the record itself: it may have no such file, or the file may not have been asked for.")
		e.Class = client.ClassNotFound
		return "", e
	}
	return n.Text(), nil
}

// call turns a request into a signed call of the transport.
func (p *plan) call(r *request, a *auth, s *settings, token secret.Secret, out io.Writer) transport.Call {
	var query []keyValue
	header := r.header.Clone()
	if r.trusted { // a template whose optional field is missing is left out
		setHeaders(header, a.spec.Headers, a.get(s, token))
		query = fill(a.spec.Query, a.get(s, token))
	}
	return transport.Call{
		Method: r.method, URL: r.address(query), Header: header, Body: r.body, Write: p.writes(),
		Purpose: r.purpose, Doing: p.doing, Layer: client.LayerThirdParty, Out: out, Limits: p.limits(),
		File: r.purpose == forFile,
	}
}

// exchange is one signed request and its answer.
type exchange struct {
	p       *plan
	a       *auth
	session *session // nil for methods without tokens that are renewed
	build   func(*settings) (*request, error)
	out     io.Writer
	// before are attempts that led here.
	before  []client.Attempt
	started time.Time

	request *request
	header  http.Header // of the answer
	env     *client.Envelope
}

// send makes the call; a token that is not accepted is renewed once. It returns
// an error for everything but an answer of status 2xx.
func (x *exchange) send(ctx context.Context) error {
	res, _, call, err := x.p.c.t.DoSigned(ctx, transport.Signed{
		Doing: x.p.doing, Before: x.before,
		Token: func(ctx context.Context) (transport.Token, []client.Attempt, error) {
			return x.session.token(ctx, x.p, x.a)
		},
		Call: func(token transport.Token) (call transport.Call, err error) {
			sets, _ := x.session.learned()
			s := &settings{p: x.p, a: x.a, sets: sets}
			if x.request, err = x.build(s); err != nil {
				return call, err
			}
			return x.p.call(x.request, x.a, s, token.Value, x.out), nil
		},
		Renews: func(res *transport.Result, used transport.Token) bool {
			own, err := url.Parse(res.URL) // what another host says is no word on the credentials
			return err == nil && sameOrigin(own, x.request.base) && x.request.trusted && x.a.refused(res) &&
				x.session.renews(used)
		},
	})
	if res != nil {
		x.header = res.Header
		x.env = x.envelope(res)
	}
	if err == nil && !res.OK() {
		err = x.p.failure(x, call, res)
	}
	if err == nil {
		return nil
	}
	e := transport.Settle(err, x.p.kind, x.p.target, x.p.op)
	if e.Envelope != nil && x.env != nil {
		e.Envelope = x.env
		x.env.Attempts = e.Attempts
	}
	x.env = e.Envelope
	return e
}

func (x *exchange) envelope(res *transport.Result) *client.Envelope {
	notes := slices.Clip(x.p.notes)
	if _, note := x.session.learned(); note != "" {
		notes = append(notes, note)
	}
	env := &client.Envelope{
		Body: res.Body, Shape: client.ShapeOther, Names: client.Wire,
		Status: res.Status, ContentType: res.Header.Get("Content-Type"),
		Started: res.Started, Took: res.Took, Attempts: res.Attempts, FileName: transport.FileName(res.Header),
		Warning: strings.Join(notes, "; "),
	}
	if !x.started.IsZero() {
		env.Took += env.Started.Sub(x.started)
		env.Started = x.started
	}
	return env
}

// fail is an error of the answer: it cannot be used, or tells of a failure itself.
func (x *exchange) fail(message, next string) *client.Error {
	return &client.Error{Class: client.ClassBadResponse, Layer: client.LayerThirdParty, Doing: x.p.doing,
		Status: x.env.Status, Message: message, Next: next, Attempts: x.env.Attempts, Envelope: x.env}
}

// unread is fail for an answer that says more by itself.
func (x *exchange) unread(message, next string) *client.Error {
	e := x.fail(message, next)
	e.More = "The Raw view shows the whole answer."
	return e
}
