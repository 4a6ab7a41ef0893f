package local

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

const (
	// renewBefore is how long before its end a token is renewed.
	renewBefore = time.Minute
	// tokenPatience bounds the call of a token endpoint.
	tokenPatience = 30 * time.Second
)

// session keeps the tokens of one connector while the Client lives.
type session struct {
	mu sync.Mutex
	// given is the refresh token that the session began with.
	given secret.Secret
	// refresh is the one to use next; the third party may have replaced the given one.
	refresh secret.Secret
	access  secret.Secret
	issued  time.Time
	ends    time.Time // zero when unknown
	// refused is a configured access token that the third party did not accept.
	refused secret.Secret
	sets    map[string]string
	flight  *flight
	// unsaved says that a replaced refresh token could not be kept.
	unsaved string
}

// flight is one renewal; all who need a token meanwhile wait for it.
type flight struct {
	done     chan struct{}
	attempts []client.Attempt
	err      error
}

// session finds the session of a connector; other credentials make another one.
func (c *Client) session(p *plan, a *auth) *session {
	key := strings.Join([]string{p.kind.Name, p.target.Name, p.target.BaseURL, a.spec.Option}, "\x00")
	given := a.fields["refresh_token"].value
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[key]
	if s == nil || s.stale(given) {
		s = &session{given: given, refresh: given}
		c.sessions[key] = s
	}
	return s
}

// stale tells that another refresh token was configured; the one that this
// session stored itself is not another one.
func (s *session) stale(given secret.Secret) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return given != s.given && given != s.refresh
}

// token returns a usable access token, asking for one when there is none.
func (s *session) token(ctx context.Context, c *Client, p *plan, a *auth) (secret.Secret, map[string]string, []client.Attempt, error) {
	s.mu.Lock()
	if tok := s.usable(a, c.t.Now()); !tok.Empty() {
		defer s.mu.Unlock()
		return tok, s.sets, nil, nil
	}
	f, mine := s.flight, false
	if f == nil {
		f, mine = &flight{done: make(chan struct{})}, true
		s.flight = f
		go s.fly(context.WithoutCancel(ctx), c, p, a, f)
	}
	s.mu.Unlock()
	client.Notify(ctx, client.Event{Kind: client.EventToken})
	select {
	case <-f.done:
	case <-ctx.Done():
		e := transport.Classify(context.Cause(ctx), "")
		e.Doing = p.doing
		return secret.Secret{}, nil, nil, e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !mine {
		return s.access, s.sets, nil, f.err
	}
	return s.access, s.sets, f.attempts, f.err
}

// usable is the renewed token while it lasts, else a configured one.
func (s *session) usable(a *auth, now time.Time) secret.Secret {
	if !s.access.Empty() {
		margin := min(renewBefore, s.ends.Sub(s.issued)/2)
		if s.ends.IsZero() || now.Before(s.ends.Add(-margin)) {
			return s.access
		}
		return secret.Secret{}
	}
	if configured := a.fields[accessToken].value; configured != s.refused {
		return configured
	}
	return secret.Secret{}
}

// drop forgets a token that was not accepted and tells whether another can be had.
func (s *session) drop(used secret.Secret, a *auth) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refresh.Empty() {
		return false
	}
	switch used {
	case s.access:
		s.access = secret.Secret{}
	case a.fields[accessToken].value:
		s.refused = used
	}
	return true
}

// fly renews the token for everybody who waits. It outlives the caller that
// started it, so that a canceled call does not fail the others.
func (s *session) fly(ctx context.Context, c *Client, p *plan, a *auth, f *flight) {
	ctx, cancel := context.WithTimeout(ctx, tokenPatience)
	defer cancel()
	s.mu.Lock()
	refresh := s.refresh
	s.mu.Unlock()
	answer, attempts, err := c.renew(ctx, p, a, refresh)
	unsaved := ""
	if err == nil && !answer.refresh.Empty() && answer.refresh != refresh && c.cfg.SaveToken != nil {
		if wrong := c.cfg.SaveToken(p.kind.Name, p.target.Name, "refresh_token", answer.refresh); wrong != nil {
			unsaved = "the third party replaced the refresh token, and the new one could not be stored: " + c.t.Redactor().Text(wrong.Error())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.access, s.issued, s.ends, s.sets, s.unsaved = answer.access, answer.issued, answer.ends, answer.sets, unsaved
		if !answer.refresh.Empty() {
			s.refresh = answer.refresh
		}
	}
	f.attempts, f.err = attempts, err
	s.flight = nil
	close(f.done)
}

// renewed is the answer of a token endpoint.
type renewed struct {
	access, refresh secret.Secret
	issued, ends    time.Time
	sets            map[string]string
}

// renew asks the token endpoint for an access token.
func (c *Client) renew(ctx context.Context, p *plan, a *auth, refresh secret.Secret) (*renewed, []client.Attempt, error) {
	call, err := p.renewal(a, refresh)
	if err != nil {
		return nil, nil, err
	}
	started := c.t.Now()
	res, err := c.t.Do(ctx, call)
	if err != nil {
		return nil, client.AsError(err).Attempts, err
	}
	if !res.OK() {
		return nil, res.Attempts, p.renewalFailure(a, call, res)
	}
	answer, err := c.readRenewed(p, a, res, started)
	return answer, res.Attempts, err
}

// renewal is the call of the token endpoint.
func (p *plan) renewal(a *auth, refresh secret.Secret) (transport.Call, error) {
	spec, s := a.spec.Refresh, p.settings(a, nil)
	get := a.get(s, secret.Secret{})
	current := func(name string) (string, bool) {
		if name == "refresh_token" && !refresh.Empty() {
			return refresh.Reveal(), true
		}
		return get(name)
	}
	address, ok := expand(spec.URL, current)
	if own := s.value("token_url"); own != "" {
		address, ok = own, true
	}
	if _, why := parseAddress(address); !ok || why != "" {
		return transport.Call{}, p.fail(client.ClassConfig, "token_url", "Correct token_url or the configuration values in it.", "the address of the token endpoint is not usable")
	}
	header := http.Header{"Accept": {"application/json"}}
	for _, h := range spec.Headers {
		if v, ok := expand(h.Value, current); ok {
			header.Set(h.Name, headerText(v))
		}
	}
	body, contentType := renewalBody(spec.Encoding, fill(spec.Body, current))
	header.Set("Content-Type", contentType)
	return transport.Call{
		Method: spec.Method, URL: address, Header: header, Body: body,
		Purpose: "token", Doing: "renew the access token of " + p.kind.Name, Layer: client.LayerThirdParty,
	}, nil
}

func renewalBody(encoding string, pairs []pair) ([]byte, string) {
	if encoding == "json" {
		var body jsonBody
		for _, kv := range pairs {
			body.put(kv.key, nil, rawjson.Parse(rawjson.AppendQuoted(nil, kv.value)))
		}
		return body.bytes(), "application/json"
	}
	return []byte(encodePairs(pairs, true)), "application/x-www-form-urlencoded"
}

// readRenewed reads access_token, refresh_token, expires_in and what overrides
// the configuration. The body is nobody's to look at.
func (c *Client) readRenewed(p *plan, a *auth, res *transport.Result, started time.Time) (*renewed, error) {
	body := bytes.TrimSpace(res.Body.Slice(0, res.Body.Len()))
	root := rawjson.Parse(body)
	field := func(name string) string {
		if n, ok := root.Get(name); ok && n.Kind() == rawjson.String {
			return n.Text()
		}
		return ""
	}
	out := &renewed{access: secret.New(field(accessToken)), issued: started, sets: map[string]string{}}
	if !rawjson.Valid(body) || out.access.Empty() {
		e := p.fail(client.ClassBadResponse, "", "Check token_url, and that nothing between here and the third party answers in its place.", "the token endpoint's answer holds no access_token")
		e.Layer, e.Status, e.Attempts = client.LayerThirdParty, res.Status, res.Attempts
		return nil, e
	}
	c.t.Redactor().Add(out.access)
	if a.spec.Refresh.Rotates {
		out.refresh = secret.New(field("refresh_token"))
		c.t.Redactor().Add(out.refresh)
	}
	if n, ok := root.Get("expires_in"); ok {
		var seconds float64
		if json.Unmarshal([]byte(n.Text()), &seconds) == nil && seconds > 0 && seconds < 1e9 {
			out.ends = started.Add(time.Duration(seconds * float64(time.Second)))
		}
	}
	for _, name := range a.spec.Refresh.Sets {
		if v := field(name); v != "" && trustworthy(v, res.URL) {
			out.sets[name] = strings.TrimRight(v, "/")
		}
	}
	return out, nil
}

// trustworthy accepts a server address from a token answer: an address is no
// less protected than the endpoint that named it.
func trustworthy(value, endpoint string) bool {
	if !strings.Contains(value, "://") {
		return true
	}
	u, why := parseAddress(value)
	from, err := url.Parse(endpoint)
	return why == "" && err == nil && (u.Scheme == "https" || from.Scheme == "http")
}

// renewalFailure tells a refused refresh token from other failures.
func (p *plan) renewalFailure(a *auth, call transport.Call, res *transport.Result) *client.Error {
	e := p.c.t.Failure(call, res)
	e.Envelope = nil
	if e.Layer != client.LayerProxy {
		e.Layer = client.LayerThirdParty
	}
	if e.Layer == client.LayerProxy {
		return e
	}
	readLimits(e, res.Header, p.c.t.Now())
	switch res.Status {
	case 400, 401, 403:
		e.Class, e.Field = client.ClassAuth, "refresh_token"
		e.Message = "the third party gave no access token: the refresh token was revoked or has expired, or it belongs to another client id"
		e.Next = "Authorize the connector again and store the new refresh token. In use: " + a.origin() + "."
	case 404, 405:
		e.Class = client.ClassConfig
		e.Message = "there is no token endpoint at this address"
		e.Next = "Check token_url in the configuration of the connector."
	}
	return e
}
