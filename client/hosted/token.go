package hosted

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

const (
	// renewBefore is how long before its end a token is renewed.
	renewBefore = time.Minute
	// tokenPatience bounds the call of the token endpoint.
	tokenPatience = 30 * time.Second
)

// token is a bearer token and when it ends (zero when unknown).
type token struct {
	value secret.Secret
	ends  time.Time
	// fetched is set for tokens that this program asked for.
	fetched bool
	issued  time.Time
}

// fresh tells whether the token can still be used. One that was handed to us is
// used to its very end, as nothing is known about a successor.
func (t token) fresh(now time.Time) bool {
	if t.value.Empty() {
		return false
	}
	if t.ends.IsZero() || !t.fetched {
		return true
	}
	// A token that lives less than two margins is renewed after half its life.
	margin := min(renewBefore, t.ends.Sub(t.issued)/2)
	return now.Before(t.ends.Add(-margin))
}

// tokens hands out the token of a client. One renewal serves all who wait.
type tokens struct {
	c       *Client
	mu      sync.Mutex
	current token
	flight  *flight
	org     string // the organization that the token endpoint told
}

type flight struct {
	done     chan struct{}
	token    token
	attempts []client.Attempt
	err      error
}

func (t *tokens) renewable() bool {
	return !t.c.cfg.ClientID.Empty() && !t.c.cfg.ClientSecret.Empty()
}

// get returns a usable token, and the attempts when it was this call that asked for it.
func (t *tokens) get(ctx context.Context) (token, []client.Attempt, error) {
	t.mu.Lock()
	if t.current.fresh(t.c.t.Now()) {
		defer t.mu.Unlock()
		return t.current, nil, nil
	}
	if !t.renewable() {
		t.mu.Unlock()
		return token{}, nil, noCredentials()
	}
	f, mine := t.flight, false
	if f == nil {
		f, mine = &flight{done: make(chan struct{})}, true
		t.flight = f
		go t.fly(context.WithoutCancel(ctx), f)
	}
	t.mu.Unlock()
	client.Notify(ctx, client.Event{Kind: client.EventToken})
	select {
	case <-f.done:
	case <-ctx.Done():
		return token{}, nil, transport.Classify(context.Cause(ctx), t.c.BaseURL())
	}
	if mine {
		return f.token, f.attempts, f.err
	}
	return f.token, nil, f.err
}

func noCredentials() *client.Error {
	return &client.Error{
		Class: client.ClassAuth, Layer: client.LayerProgram,
		Message: "no token and no client id and secret are configured",
		Next:    "Sign in with patchbay login, or set PLATFORM_TOKEN, or PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.",
	}
}

// fly fetches a token for everybody who waits; it outlives the caller that
// started it, so that a cancelled call does not fail the others.
func (t *tokens) fly(ctx context.Context, f *flight) {
	ctx, cancel := context.WithTimeout(ctx, tokenPatience)
	defer cancel()
	tok, org, attempts, err := t.c.fetchToken(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		t.current, t.org = tok, org
	}
	f.token, f.attempts, f.err = tok, attempts, err
	t.flight = nil
	close(f.done)
}

// drop forgets a token that was not accepted and tells whether another one can
// be had.
func (t *tokens) drop(used token) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current.value == used.value && t.renewable() {
		t.current = token{}
	}
	return t.renewable()
}

// forgetFetched drops a fetched token, as it may be bound to an organization.
func (t *tokens) forgetFetched() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current.fetched {
		t.current = token{}
	}
}

type tokenAnswer struct {
	AccessToken    string          `json:"access_token"`
	Token          string          `json:"token"`
	TokenType      string          `json:"token_type"`
	ExpiresIn      json.RawMessage `json:"expires_in"`
	OrganizationID *string         `json:"organization_id"`
}

// fetchToken asks the token endpoint. Repeating that call does no harm.
func (c *Client) fetchToken(ctx context.Context) (token, string, []client.Attempt, error) {
	body, err := encodeJSON(map[string]string{"client_id": c.cfg.ClientID.Reveal(), "client_secret": c.cfg.ClientSecret.Reveal()})
	if err != nil {
		return token{}, "", nil, err
	}
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if org := c.Organization(); org != "" {
		h.Set("X-Organization-Id", org)
	}
	call := transport.Call{
		Method: http.MethodPost, URL: c.address("/"+strings.TrimLeft(c.cfg.TokenPath, "/"), nil), Header: h, Body: body,
		Purpose: "token", Doing: "get a token", Layer: client.LayerHosted,
	}
	started := c.t.Now()
	res, err := c.t.Do(ctx, call)
	if err != nil {
		return token{}, "", client.AsError(err).Attempts, err
	}
	if !res.OK() {
		return token{}, "", res.Attempts, c.tokenFailure(call, res)
	}
	raw := res.Body.Slice(0, res.Body.Len())
	var a tokenAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return token{}, "", res.Attempts, c.unreadable(call.Doing, res, raw, err)
	}
	tok, org, wrong := c.readToken(a, started)
	if wrong != nil {
		wrong.Attempts = res.Attempts
		return token{}, "", res.Attempts, wrong
	}
	return tok, org, res.Attempts, nil
}

func (c *Client) readToken(a tokenAnswer, started time.Time) (token, string, *client.Error) {
	value := secret.New(a.AccessToken)
	if value.Empty() {
		value = secret.New(a.Token)
	}
	if value.Empty() {
		return token{}, "", &client.Error{
			Class: client.ClassBadResponse, Layer: client.LayerHosted, Doing: "get a token",
			Message: "the token endpoint's answer holds no access_token", Next: "Check token_path in the profile.",
		}
	}
	c.t.Redactor().Add(value)
	tok := token{value: value, fetched: true, issued: started, ends: expiry(value)}
	var seconds json.Number
	if json.Unmarshal([]byte(strings.Trim(string(a.ExpiresIn), `"`)), &seconds) == nil {
		if s, err := seconds.Float64(); err == nil && s > 0 && s < 1e9 {
			tok.ends = started.Add(time.Duration(s * float64(time.Second)))
		}
	}
	org := ""
	if a.OrganizationID != nil {
		org = *a.OrganizationID
	}
	return tok, org, nil
}

// tokenFailure tells a wrong client id or secret from other failures.
func (c *Client) tokenFailure(call transport.Call, res *transport.Result) *client.Error {
	e := c.t.Failure(call, res)
	e.Envelope = nil // the body of a token endpoint is nobody's to browse
	if e.Layer == client.LayerProxy {
		return e
	}
	switch {
	case wantsOrganization(e.Server):
		return chooseOrganization(e)
	case res.Status == 404 || res.Status == 405:
		e.Class = client.ClassConfig
		e.Message = "there is no token endpoint at " + c.cfg.TokenPath
		e.Next = "Check base_url and token_path in the profile."
	case res.Status == 400 || res.Status == 401 || res.Status == 403 || res.Status == 422:
		e.Class = client.ClassAuth
		e.Message = "the client id or the client secret was not accepted"
		e.Next = "Sign in again with patchbay login; check that both belong to this service."
	}
	return e
}

// expiry reads the exp claim of a JWT; zero for other tokens. The signature is
// the server's business.
func expiry(s secret.Secret) time.Time {
	parts := strings.Split(s.Reveal(), ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	claims, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return time.Time{}
	}
	var c struct {
		Exp float64 `json:"exp"`
	}
	if json.Unmarshal(claims, &c) != nil || c.Exp <= 0 || c.Exp > 1e11 {
		return time.Time{}
	}
	return time.Unix(int64(c.Exp), 0)
}

// TokenInfo tells about the token in use without telling it.
type TokenInfo struct {
	// Hash is the token's short hash.
	Hash string
	// Fetched is set when it was exchanged for a client id and secret.
	Fetched bool
	// Ends is when it ends; zero when unknown.
	Ends time.Time
	// OrganizationID that the token endpoint told; empty when it told none.
	OrganizationID string
	// Renewable is set when another one can be fetched.
	Renewable bool
}

// TokenInfo returns what is known about the token, fetching one when there is none.
func (c *Client) TokenInfo(ctx context.Context) (TokenInfo, error) {
	if c.broken != nil {
		return TokenInfo{}, c.broken
	}
	tok, _, err := c.tokens.get(ctx)
	if err != nil {
		return TokenInfo{}, told(err, "get a token", nil)
	}
	c.tokens.mu.Lock()
	defer c.tokens.mu.Unlock()
	return TokenInfo{
		Hash: tok.value.Hash(), Fetched: tok.fetched, Ends: tok.ends,
		OrganizationID: c.tokens.org, Renewable: c.tokens.renewable(),
	}, nil
}

// BearerToken returns a usable token for patchbay token.
func (c *Client) BearerToken(ctx context.Context) (secret.Secret, error) {
	if c.broken != nil {
		return secret.Secret{}, c.broken
	}
	tok, _, err := c.tokens.get(ctx)
	if err != nil {
		return secret.Secret{}, told(err, "get a token", nil)
	}
	return tok.value, nil
}
