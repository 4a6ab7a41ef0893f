package local

import (
	"context"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// Execute implements client.Executor.
func (c *Client) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	p, err := c.plan(t, op)
	if err != nil {
		return nil, err
	}
	return p.run(ctx, nil)
}

// Download implements client.Executor. The Envelope's attempts hold those of
// every step; its FileName is what the server suggests.
func (c *Client) Download(ctx context.Context, t client.Target, op client.Operation, w io.Writer) (*client.Envelope, error) {
	p, err := c.plan(t, op)
	if err != nil {
		return nil, err
	}
	return p.run(ctx, w)
}

// run makes the call, and the second one of a download in two steps.
func (p *plan) run(ctx context.Context, out io.Writer) (*client.Envelope, error) {
	a, err := p.auth()
	if err != nil {
		return nil, err
	}
	file := p.bind.Download
	first := out
	if file != nil && file.Steps > 1 {
		first = nil
	}
	x := &exchange{p: p, a: a, out: first, build: p.first}
	if err := x.send(ctx); err != nil {
		return x.env, err
	}
	if file == nil {
		if out != nil {
			return x.env, nil
		}
		return p.read(x)
	}
	if file.Steps > 1 {
		if x, err = p.fetchFile(ctx, x, out); err != nil {
			return x.env, err
		}
	}
	return x.env, nil
}

// first builds the operation's own request.
func (p *plan) first(s *settings) (*request, error) {
	r, err := p.request(s)
	if err == nil && p.bind.Download != nil && p.bind.Download.Steps <= 1 {
		p.fileHeaders(r, s)
	}
	return r, err
}

// fileHeaders are those of the request that answers with the file.
func (p *plan) fileHeaders(r *request, s *settings) {
	for _, h := range p.bind.Download.Headers {
		v, ok := expand(h.Value, func(name string) (string, bool) {
			f := catalog.FieldByName(p.action.Params, name)
			if f == nil {
				return "", false
			}
			n, ok, err := p.given(f, s)
			return text(n), ok && err == nil && text(n) != ""
		})
		if ok {
			r.header.Set(h.Name, headerText(v))
		}
	}
	r.purpose = "file"
}

// fetchFile gets the file whose address the first answer names. Credentials go
// along only when it is an address of the API itself.
func (p *plan) fetchFile(ctx context.Context, first *exchange, out io.Writer) (*exchange, error) {
	address, err := p.fileAddress(first)
	if err != nil {
		return first, err
	}
	next := &exchange{p: p, a: first.a, out: out, before: first.env.Attempts, started: first.started}
	next.build = func(s *settings) (*request, error) {
		base, err := s.base()
		if err != nil {
			return nil, err
		}
		u, err := base.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != base.Scheme {
			return nil, p.badFile(first, "the address of the file that the third party gave is not usable")
		}
		r := &request{method: http.MethodGet, base: base, absolute: u.String(), header: http.Header{}, trusted: below(u, base)}
		p.fileHeaders(r, s)
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
		if n, ok, err := p.given(f, p.settings(x.a, nil)); err == nil && ok {
			place = strings.ReplaceAll(place, "{"+f.Name+"}", text(n))
		}
	}
	where, err := rawjson.ParsePath(place)
	if err != nil {
		return "", p.badFile(x, "the place of the file in the answer is not usable: "+place)
	}
	n, ok := rawjson.Root(x.env.Body).Lookup(where)
	if !ok || n.Kind() != rawjson.String || n.Text() == "" {
		e := p.badFile(x, "the answer names no file at "+place)
		e.Class = client.ClassNotFound
		e.Next = "Look at the record itself: it may have no such file, or the file may not have been asked for."
		return "", e
	}
	return n.Text(), nil
}

func (p *plan) badFile(x *exchange, message string) *client.Error {
	e := p.fail(client.ClassBadResponse, "", "Look at the answer in the Raw view.", "%s", message)
	e.Layer, e.Attempts, e.Envelope = client.LayerThirdParty, x.env.Attempts, x.env
	return e
}

// fileName is what Content-Disposition suggests, without any folder.
func fileName(h http.Header) string {
	_, params, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if err != nil || params["filename"] == "" {
		return ""
	}
	name := path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	if name == "." || name == "/" || name == ".." {
		return ""
	}
	return name
}

// call turns a request into a signed call of the transport.
func (p *plan) call(r *request, a *auth, s *settings, token secret.Secret, out io.Writer) transport.Call {
	var query []pair
	header := r.header.Clone()
	if r.trusted {
		query = a.sign(header, s, token)
	}
	call := transport.Call{
		Method: r.method, URL: r.address(query), Header: header, Body: r.body, Write: p.writes(),
		Purpose: r.purpose, Doing: p.doing, Layer: client.LayerThirdParty, Out: out, LimitEnds: p.limitEnds,
	}
	if out == nil {
		call.NewSink = func(int64) transport.Sink { return &rawjson.Buffer{} }
	}
	return call
}
