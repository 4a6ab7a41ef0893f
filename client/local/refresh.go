package local

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// session keeps the tokens of one connector while the Client lives.
type session struct {
	tokens *transport.Tokens
	mu     sync.Mutex
	// given is the refresh token that the session began with, and configured the
	// access token.
	given, configured secret.Secret
	// refresh is the one to use next; the third party may have replaced the given one.
	refresh secret.Secret
	sets    map[string]string
	// refused is the access token that was not accepted last.
	refused secret.Secret
	// note tells what became of a replaced refresh token.
	note string
}

// session finds the session of a connector, nil where no tokens are renewed. Another
// refresh token makes another one.
func (c *Client) session(p *plan, a *auth) *session {
	if a.spec.Refresh == nil {
		return nil
	}
	key := strings.Join([]string{p.kind.Name, p.target.Name, p.target.BaseURL, a.spec.Option}, "\x00")
	given, configured := a.fields["refresh_token"].value, a.fields[accessToken].value
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[key]
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	switch {
	case s == nil || given != s.given:
		s = &session{given: given, configured: configured, refresh: given}
		s.tokens = c.t.NewTokens(transport.Token{Value: configured}, "")
		c.sessions[key] = s
	case configured != s.configured && !configured.Empty():
		s.configured = configured
		s.tokens.Set(transport.Token{Value: configured})
	}
	return s
}

// token returns a usable access token, asking for one when there is none; it is
// empty for methods without one.
func (s *session) token(ctx context.Context, p *plan, a *auth) (transport.Token, []client.Attempt, error) {
	if s == nil {
		return transport.Token{}, nil, nil
	}
	return s.tokens.Get(ctx, func(ctx context.Context) (transport.Token, []client.Attempt, error) {
		if a.spec.Refresh.Rotates && p.c.cfg.Keep != nil && !s.given.Empty() {
			return s.shared(ctx, p, a)
		}
		return s.ask(ctx, p, a)
	})
}

// refused reports whether an answer tells that the token was not accepted: by its
// status, or in the third party's own words.
func (a *auth) refused(res *transport.Result) bool {
	if a.spec.Refresh == nil || res.Status != http.StatusForbidden {
		return res.Status == http.StatusUnauthorized
	}
	said := strings.ToLower(string(res.Body.Slice(0, min(res.Body.Len(), readBody))))
	sign := strings.ToLower(a.spec.Refresh.Expired)
	return sign != "" && strings.Contains(said, sign)
}

// renews forgets a token that was not accepted and reports whether another can be had.
func (s *session) renews(used transport.Token) bool {
	if s == nil || used.Value.Empty() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refresh.Empty() {
		return false
	}
	s.refused = used.Value
	s.tokens.Drop(used)
	return true
}

// learned is what the token endpoint told beside the token: values that override
// the configuration, and what the person should know.
func (s *session) learned() (sets map[string]string, note string) {
	if s == nil {
		return nil, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sets, s.note
}

// ask asks the token endpoint for an access token and keeps what else its answer
// holds: a new refresh token, and what overrides the configuration.
func (s *session) ask(ctx context.Context, p *plan, a *auth) (transport.Token, []client.Attempt, error) {
	refresh := s.current()
	call, err := p.renewal(a, refresh)
	if err != nil {
		return transport.Token{}, nil, err
	}
	token, answer, res, err := p.c.t.AskToken(ctx, call, func(e *client.Error, res *transport.Result) {
		p.renewalFailure(a, e, res)
	})
	if err != nil {
		return token, res.Attempts, err
	}
	if !rawjson.Valid(answer.Raw()) || token.Value.Empty() {
		e := p.fail(client.ClassBadResponse, "",
			"Check token_url, and that nothing between here and the third party answers in its place.",
			"the token endpoint's answer holds no access_token")
		e.Layer, e.Status, e.Attempts = client.LayerThirdParty, res.Status, res.Attempts
		return token, res.Attempts, e
	}
	field := func(name string) string {
		if n, _ := answer.Get(name); n.Kind() == rawjson.String {
			return n.Text()
		}
		return ""
	}
	sets, next := map[string]string{}, refresh
	for _, name := range a.spec.Refresh.Sets {
		if v := field(name); v != "" && trustworthy(v, res.URL) {
			sets[name] = strings.TrimRight(v, "/")
		}
	}
	if told := secret.New(field("refresh_token")); a.spec.Refresh.Rotates && !told.Empty() {
		next = told
		p.c.t.Redactor().Add(next)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sets, s.refresh = sets, next
	return token, res.Attempts, nil
}

// renewal is the call of the token endpoint.
func (p *plan) renewal(a *auth, refresh secret.Secret) (transport.Call, error) {
	spec, s := a.spec.Refresh, &settings{p: p, a: a}
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
	if _, why := transport.ParseAddress(address); !ok || why != "" {
		return transport.Call{}, p.fail(client.ClassConfig, "token_url",
			"Correct token_url or the configuration values in it.", "the address of the token endpoint is not usable")
	}
	header := http.Header{"Accept": {"application/json"}}
	setHeaders(header, spec.Headers, current)
	pairs := fill(spec.Body, current)
	body := []byte(encodePairs(pairs, true))
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	if spec.Encoding == "json" {
		object := &rawjson.Map{}
		for _, kv := range pairs {
			object.Add(kv.key, kv.value)
		}
		body = object.JSON()
		header.Set("Content-Type", "application/json")
	}
	return transport.Call{
		Method: spec.Method, URL: address, Header: header, Body: body,
		Purpose: "token", Doing: "renew the access token of " + p.kind.Name, Layer: client.LayerThirdParty,
	}, nil
}

// trustworthy accepts a server address from a token answer: an address is no
// less protected than the endpoint that named it.
func trustworthy(value, endpoint string) bool {
	if !strings.Contains(value, "://") {
		return true
	}
	u, why := transport.ParseAddress(value)
	from, err := url.Parse(endpoint)
	return why == "" && err == nil && (u.Scheme == "https" || from.Scheme == "http")
}

// renewalFailure tells a refused refresh token from other failures.
func (p *plan) renewalFailure(a *auth, e *client.Error, res *transport.Result) {
	readLimits(e, res.Header, p.c.t.Now())
	switch res.Status {
	case 400, 401, 403:
		e.Class, e.Field = client.ClassAuth, "refresh_token"
		e.Message = "the third party gave no access token: the refresh token was revoked or has expired, " +
			"or it belongs to another client id"
		e.Next = "Authorize the connector again and store the new refresh token. In use: " + a.origin() + "."
	case 404, 405:
		e.Class = client.ClassConfig
		e.Message = "there is no token endpoint at this address"
		e.Next = "Check token_url in the configuration of the connector."
	}
}
