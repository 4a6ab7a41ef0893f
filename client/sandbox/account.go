package sandbox

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"
)

// tokenLife is how long a fetched token is valid.
const tokenLife = 15 * time.Minute

// signingKey signs the tokens of the sandbox; it protects nothing.
const signingKey = "patchbay sandbox"

// token trades the client's id and secret for an access token.
func (c *call) token() (*answer, error) {
	body, err := c.read(tokenMembers)
	if err != nil {
		return nil, err
	}
	if body.text("client_id") != ClientID || body.text("client_secret") != ClientSecret {
		return nil, refuse(http.StatusForbidden, "The client id or the client secret is wrong.")
	}
	org := strings.ToLower(c.r.Header.Get("X-Organization-Id"))
	if org != "" && !isUUID(org) {
		return nil, invalid("x-organization-id", "X-Organization-Id must be a UUID.")
	}
	if org != "" && !knownOrganization(org) {
		return nil, refuse(http.StatusForbidden, "The client does not reach organization %s.", org)
	}
	var organization any
	if org != "" {
		organization = org
	}
	now := c.s.opts.Now()
	text := signToken(newObject("iss", "patchbay-sandbox", "sub", ClientID, "org", organization, "iat", now.Unix(), "exp", now.Add(tokenLife).Unix()))
	return ok(newObject("access_token", text, "token_type", "bearer", "expires_in", int64(tokenLife/time.Second), "organization_id", organization)), nil
}

func signToken(claims *object) string {
	enc := base64.RawURLEncoding
	head := enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc.EncodeToString(appendObject(nil, claims))
	return head + "." + enc.EncodeToString(sign(head))
}

func sign(text string) []byte {
	h := hmac.New(sha256.New, []byte(signingKey))
	h.Write([]byte(text))
	return h.Sum(nil)
}

// readToken returns the claims of a token that this service signed.
func readToken(token string) (*object, bool) {
	head, signature, found := cutLast(token, '.')
	if !found {
		return nil, false
	}
	given, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(given, sign(head)) {
		return nil, false
	}
	_, payload, _ := strings.Cut(head, ".")
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return nil, false
	}
	v, err := parseJSON(raw)
	claims, isObject := v.(*object)
	return claims, err == nil && isObject
}

func cutLast(s string, sep byte) (before, after string, found bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// authenticate reads the bearer token and the organization of a request.
func (c *call) authenticate() error {
	scheme, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || token == "" {
		return unauthorized("The Authorization header with a bearer token is missing.")
	}
	bound, err := c.tokenOrganization(strings.TrimSpace(token))
	if err != nil {
		return err
	}
	chosen := strings.ToLower(c.r.Header.Get("X-Organization-Id"))
	switch {
	case chosen == "":
		c.org = bound
	case !isUUID(chosen):
		return invalid("x-organization-id", "X-Organization-Id must be a UUID.")
	case !knownOrganization(chosen), bound != "" && bound != chosen:
		return refuse(http.StatusForbidden, "The token does not reach organization %s.", chosen)
	default:
		c.org = chosen
	}
	return nil
}

func (c *call) tokenOrganization(token string) (string, error) {
	if token == Token {
		return OrganizationID, nil
	}
	claims, valid := readToken(token)
	if !valid {
		return "", unauthorized("The bearer token is not valid.")
	}
	if exp, _ := asInt(claims.value("exp")); c.s.opts.Now().Unix() >= exp {
		return "", unauthorized("The bearer token has expired.")
	}
	c.workspace = claims.text("workspace")
	return claims.text("org"), nil
}

func unauthorized(message string) *refusal {
	r := refuse(http.StatusUnauthorized, "%s", message)
	r.code = "unauthorized"
	r.header = [][2]string{{"WWW-Authenticate", "Bearer"}}
	return r
}

func knownOrganization(id string) bool { return id == OrganizationID || id == SecondOrganizationID }

// organizations lists what the credentials reach, whichever organization is in
// use: a client that has chosen one must still find the other. The fixed token
// and the token of a workspace reach one only.
func (c *call) organizations() (*answer, error) {
	list := []any{}
	reach := ""
	if _, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " "); c.workspace != "" || strings.TrimSpace(token) == Token {
		reach = c.org
	}
	for _, org := range []struct{ id, name string }{{OrganizationID, "Northwind"}, {SecondOrganizationID, "Southwind"}} {
		if reach == "" || reach == org.id {
			list = append(list, newObject("id", org.id, "organization_name", org.name, "name", org.name))
		}
	}
	return ok(newObject("data", list, "organizations", list)), nil
}

// scopedToken gives a token for one workspace, which it makes when it is new.
func (c *call) scopedToken() (*answer, error) {
	body, err := c.read(scopedTokenMembers)
	if err != nil {
		return nil, err
	}
	if body.text("workspace_name") == "" {
		return nil, invalid("workspace_name", "workspace_name must not be empty.")
	}
	c.s.start().ensureWorkspace(c.org, body.text("workspace_name"))
	return ok(newObject("token", c.workspaceToken(body.text("workspace_name")))), nil
}

// scopedTokenInfo tells which workspace a token speaks for.
func (c *call) scopedTokenInfo() (*answer, error) {
	if c.workspace == "" {
		return nil, refuse(http.StatusForbidden, "The token speaks for a whole organization, not for one workspace.")
	}
	ws := c.s.start().ensureWorkspace(c.org, c.workspace)
	return ok(newObject("organization_id", c.org, "workspace_id", ws.id, "workspace_name", ws.name)), nil
}

// fixedUUID derives a UUID from a name, always the same one.
func fixedUUID(name string) string {
	sum := sha1.Sum([]byte("patchbay sandbox " + name))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	b := make([]byte, 0, 36)
	for i, x := range sum[:16] {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b = append(b, '-')
		}
		b = append(b, hexDigits[x>>4], hexDigits[x&15])
	}
	return string(b)
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f'):
			return false
		}
	}
	return true
}
