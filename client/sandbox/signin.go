package sandbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// A person signs in with a browser: a program opens the authorization endpoint, they
// agree on a page, and the program trades the code that it gets for a token (RFC 6749
// with PKCE, RFC 7636). The realm in a path may have any name.
const (
	realmPath     = "/auth/realms/{id}"
	authorizePath = "/protocol/openid-connect/auth"
	exchangePath  = "/protocol/openid-connect/token"
	// Realm is the address of the sign-in below that of the service.
	Realm = "/auth/realms/sandbox"

	codeLife    = time.Minute
	personLife  = 5 * time.Minute
	refreshLife = 24 * time.Hour
	personEmail = "sandbox@patchbay.example"
)

// grant is what a code stands for until it is traded, once.
type grant struct {
	client, redirect, challenge, scope, nonce string
	ends                                      time.Time
}

// metadata tells programs where a sign-in begins and ends.
func (c *call) metadata() *answer {
	base := c.self() + cmp.Or(strings.TrimSuffix(strings.TrimSuffix(c.r.URL.Path,
		"/.well-known/openid-configuration"), "/.well-known/oauth-authorization-server"), Realm)
	return ok(rawjson.NewMap("issuer", base, "authorization_endpoint", base+authorizePath,
		"token_endpoint", base+exchangePath, "response_types_supported", []any{"code"},
		"grant_types_supported", []any{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported", []any{"S256"}, "token_endpoint_auth_methods_supported", []any{"none"},
		"scopes_supported", []any{"openid", "email", "profile", "offline_access"},
		"subject_types_supported", []any{"public"}, "id_token_signing_alg_values_supported", []any{"HS256"}))
}

// authorize asks a person whether a program may act for them.
func (c *call) authorize() *answer {
	q := c.r.URL.Query()
	client, redirect := q.Get("client_id"), q.Get("redirect_uri")
	if !onLoopback(redirect) {
		// Nobody is sent to an address that is not on this machine, with an error neither.
		return show(http.StatusBadRequest, "This sign-in is not possible",
			"redirect_uri must be an http address of this machine: 127.0.0.1, [::1] or localhost.")
	}
	g := &grant{client: client, redirect: redirect, challenge: q.Get("code_challenge"), scope: q.Get("scope"),
		nonce: q.Get("nonce")}
	state, problem := q.Get("state"), ""
	switch sum, err := base64.RawURLEncoding.DecodeString(g.challenge); {
	case client == "":
		problem = "client_id is missing"
	case q.Get("response_type") != "code":
		return goTo(redirect, "error", "unsupported_response_type", "state", state)
	case q.Get("code_challenge_method") != "S256", err != nil, len(sum) != sha256.Size:
		problem = "code_challenge with code_challenge_method S256 is required"
	}
	if problem != "" {
		return goTo(redirect, "error", "invalid_request", "error_description", problem, "state", state)
	}
	p := page{title: "Sign in to the sandbox", agree: "Sign in", to: redirect, lines: []string{
		"The program " + client + " wants to act for " + personEmail + " in the organizations Northwind and Southwind.",
		"Then your browser goes back to " + redirect + "."}}
	return c.ask(p, func(c *call, agreed bool, _ url.Values) *answer {
		if !agreed {
			return goTo(redirect, "error", "access_denied", "error_description", "The sign-in was refused.",
				"state", state)
		}
		code := c.a.next("code")
		g.ends = c.started.Add(codeLife)
		c.a.grants[code] = g
		return goTo(redirect, "code", code, "state", state)
	})
}

// onLoopback reports whether an address is one of this machine.
func onLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Fragment != "" || u.User != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}

// exchange trades a code, or a token to renew, for a token.
func (c *call) exchange() *answer {
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, 1<<20)
	if err := c.r.ParseForm(); err != nil {
		return refuseGrant("invalid_request", "The form cannot be read.")
	}
	f := c.r.PostForm
	switch f.Get("grant_type") {
	case "authorization_code":
		code := f.Get("code")
		g := c.a.grants[code]
		delete(c.a.grants, code) // a code that was tried counts no more
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		switch {
		case g == nil || c.started.After(g.ends):
			return refuseGrant("invalid_grant", "The code is not one of this service, was used, or has ended.")
		case g.client != f.Get("client_id") || g.redirect != f.Get("redirect_uri"):
			return refuseGrant("invalid_grant", "The code was given to another client_id or redirect_uri.")
		case g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]):
			return refuseGrant("invalid_grant", "The code_verifier does not belong to the code_challenge.")
		}
		return c.personToken(g)
	case "refresh_token":
		claims, valid := readToken(f.Get("refresh_token"))
		if exp, _ := data.Int(claims.Value("exp")); !valid || claims.Text("use") != useRefresh ||
			c.started.Unix() >= exp || claims.Text("client") != f.Get("client_id") {
			return refuseGrant("invalid_grant", "The refresh_token is not valid here, or has ended.")
		}
		return c.personToken(&grant{client: claims.Text("client"), scope: claims.Text("scope")})
	}
	return refuseGrant("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.")
}

// refuseGrant refuses a trade, in the words of RFC 6749.
func refuseGrant(code, why string) *answer {
	return &answer{status: http.StatusBadRequest, header: [][2]string{{"Cache-Control", "no-store"}},
		body: rawjson.Encode(rawjson.NewMap("error", code, "error_description", why))}
}

// personToken is a token for a person; it speaks for every organization of theirs.
func (c *call) personToken(g *grant) *answer {
	claims := func(life time.Duration, more ...any) string {
		return signToken(rawjson.NewMap(append([]any{"iss", "patchbay-sandbox", "sub", personEmail,
			"iat", c.started.Unix(), "exp", c.started.Add(life).Unix()}, more...)...))
	}
	o := rawjson.NewMap("access_token", claims(personLife, "org", nil), "token_type", "Bearer",
		"expires_in", int64(personLife/time.Second), "scope", g.scope)
	scopes := strings.Fields(g.scope)
	if slices.Contains(scopes, "offline_access") {
		o.Set("refresh_token", claims(refreshLife, "use", useRefresh, "client", g.client, "scope", g.scope))
	}
	if slices.Contains(scopes, "openid") {
		o.Set("id_token", claims(personLife, "use", useIdentity, "aud", g.client, "email", personEmail,
			"nonce", orNull(g.nonce)))
	}
	a := ok(o)
	a.header = [][2]string{{"Cache-Control", "no-store"}}
	return a
}

// Signed texts that are no bearer tokens say what they are for.
const (
	useRefresh  = "refresh"
	useIdentity = "identity"
	useConsent  = "consent"
)
