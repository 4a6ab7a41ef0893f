package hosted

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// renewable reports whether another token can be fetched.
func (c *Client) renewable() bool { return !c.cfg.ClientID.Empty() && !c.cfg.ClientSecret.Empty() }

// token returns a usable token, and the attempts when it was this call that asked for it.
func (c *Client) token(ctx context.Context) (transport.Token, []client.Attempt, error) {
	if current := c.tokens.Current(); !c.renewable() && current.Value.Empty() {
		return current, nil, &client.Error{
			Class: client.ClassAuth, Layer: client.LayerProgram,
			Message: "no token and no client id and secret are configured",
			Next: "Sign in with patchbay login, or set PLATFORM_TOKEN, " +
				"or PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.",
		}
	}
	return c.tokens.Get(ctx, c.fetchToken)
}

// fetchToken asks the token endpoint. Repeating that call does no harm.
func (c *Client) fetchToken(ctx context.Context) (transport.Token, []client.Attempt, error) {
	body := rawjson.NewMap("client_id", c.cfg.ClientID.Reveal(), "client_secret", c.cfg.ClientSecret.Reveal()).JSON()
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if org := c.Organization(); org != "" {
		h.Set("X-Organization-Id", org)
	}
	r := request{doing: "get a token"}
	call := transport.Call{
		Method: http.MethodPost, URL: c.address("/"+strings.TrimLeft(c.cfg.TokenPath, "/"), nil), Header: h, Body: body,
		Purpose: client.PurposeToken, Doing: r.doing, Layer: client.LayerHosted,
	}
	tok, answer, res, err := c.t.AskToken(ctx, call, c.tokenFailure)
	if err != nil {
		return tok, res.Attempts, c.blame(ctx, call, err)
	}
	if !rawjson.Valid(answer.Raw()) || answer.Kind() != rawjson.Object {
		return tok, res.Attempts, c.unreadable(r, res, nil)
	}
	if tok.Value.Empty() {
		return tok, res.Attempts, &client.Error{
			Class: client.ClassBadResponse, Layer: client.LayerHosted, Doing: r.doing, Attempts: res.Attempts,
			Message: "the token endpoint's answer holds no access_token", Next: "Check token_path in the profile.",
		}
	}
	if tok.Ends.IsZero() {
		tok.Ends = expiry(tok.Value)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	org, _ := answer.Get("organization_id")
	if c.tokenOrg = ""; org.Kind() == rawjson.String {
		c.tokenOrg = org.Text()
	}
	return tok, res.Attempts, nil
}

// blame tells a wrong organization from a wrong client id or secret where the server
// does not: without the organization those that are right get a token.
func (c *Client) blame(ctx context.Context, call transport.Call, err error) error {
	e, org := client.AsError(err), call.Header.Get("X-Organization-Id")
	if e.Class != client.ClassAuth || org == "" || names(e, secretWords...) && !names(e, "organi") {
		return err
	}
	call.Header = call.Header.Clone()
	call.Header.Del("X-Organization-Id")
	_, _, res, err := c.t.AskToken(ctx, call, func(*client.Error, *transport.Result) {})
	if err == nil || wantsOrganization(client.AsError(err).Server) {
		wrongOrganization(e, org)
	}
	e.Attempts = append(e.Attempts[:len(e.Attempts):len(e.Attempts)], res.Attempts...)
	return e
}

// secretWords stand in what servers say of a wrong client id or secret.
var secretWords = []string{"secret", "client_id", "client id"}

// names reports whether what the server said has one of the words.
func names(e *client.Error, words ...string) bool {
	return transport.Mentions(strings.ToLower(e.Server), words...)
}

// tokenFailure tells a wrong client id or secret from other failures.
func (c *Client) tokenFailure(e *client.Error, res *transport.Result) {
	switch {
	case wantsOrganization(e.Server):
		chooseOrganization(e)
	case res.Status == 404 || res.Status == 405:
		e.Class = client.ClassConfig
		e.Message = "there is no token endpoint at " + c.cfg.TokenPath
		e.Next = "Check base_url and token_path in the profile."
	case res.Status != 400 && res.Status != 401 && res.Status != 403 && res.Status != 422:
	case c.Organization() != "" && names(e, "organi") && !names(e, secretWords...):
		wrongOrganization(e, c.Organization())
	default:
		e.Class = client.ClassAuth
		e.Message = "the client id or the client secret was not accepted"
		e.Next = "Sign in again with patchbay login; check that both belong to this service."
	}
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
	tok, err := c.aToken(ctx)
	if err != nil {
		return TokenInfo{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return TokenInfo{
		Hash: tok.Value.Hash(), Fetched: tok.Fetched, Ends: tok.Ends, OrganizationID: c.tokenOrg,
		Renewable: c.renewable(),
	}, nil
}

// BearerToken returns a usable token for patchbay token.
func (c *Client) BearerToken(ctx context.Context) (secret.Secret, error) {
	tok, err := c.aToken(ctx)
	return tok.Value, err
}

// aToken is token for those who want nothing else.
func (c *Client) aToken(ctx context.Context) (transport.Token, error) {
	if c.broken != nil {
		return transport.Token{}, c.broken
	}
	tok, _, err := c.token(ctx)
	if err != nil {
		e := *client.AsError(err)
		if e.Doing == "" {
			e.Doing = "get a token"
		}
		return transport.Token{}, &e
	}
	return tok, nil
}
