package sandbox

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// tokenLife is how long a fetched token is valid.
const tokenLife = 15 * time.Minute

// signingKey signs the tokens of the sandbox; it protects nothing.
const signingKey = "patchbay sandbox"

// token trades the client's id and secret for an access token.
func (c *call) token() *answer {
	if c.in.Text("client_id") != ClientID || c.in.Text("client_secret") != ClientSecret {
		panic(refuse(http.StatusForbidden, "The client id or the client secret is wrong."))
	}
	org := c.chosenOrganization("client", "")
	text := signToken(rawjson.NewMap("iss", "patchbay-sandbox", "sub", ClientID, "org", orNull(org),
		"iat", c.started.Unix(), "exp", c.started.Add(tokenLife).Unix()))
	return ok(rawjson.NewMap("access_token", text, "token_type", "bearer", "expires_in", int64(tokenLife/time.Second),
		"organization_id", orNull(org)))
}

// chosenOrganization is the one that a header of the request chooses, if not the one
// to which the credentials are bound.
func (c *call) chosenOrganization(credentials, bound string) string {
	chosen := strings.ToLower(c.r.Header.Get("X-Organization-Id"))
	switch {
	case chosen == "":
		return bound
	case !isUUID(chosen):
		panic(invalid("x-organization-id", "X-Organization-Id must be a UUID."))
	case chosen != OrganizationID && chosen != SecondOrganizationID, bound != "" && bound != chosen:
		panic(refuse(http.StatusForbidden, "The %s does not reach organization %s.", credentials, chosen))
	}
	return chosen
}

func signToken(claims *rawjson.Map) string {
	enc := base64.RawURLEncoding
	head := enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc.EncodeToString(rawjson.Encode(claims))
	return head + "." + enc.EncodeToString(sign(head))
}

func sign(text string) []byte {
	h := hmac.New(sha256.New, []byte(signingKey))
	h.Write([]byte(text))
	return h.Sum(nil)
}

// readToken returns the claims of a token that this service signed.
func readToken(token string) (claims *rawjson.Map, valid bool) {
	head, signature, _ := data.CutLast(token, '.')
	given, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(given, sign(head)) {
		return nil, false
	}
	_, payload, _ := strings.Cut(head, ".")
	raw, _ := base64.RawURLEncoding.DecodeString(payload)
	v, _ := data.Parse(raw)
	claims, valid = v.(*rawjson.Map)
	return claims, valid
}

// authenticate reads the bearer token and the organization of a request.
func (c *call) authenticate() {
	scheme, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "bearer") || token == "" {
		panic(unauthorized("The Authorization header with a bearer token is missing."))
	}
	bound := OrganizationID
	if token != Token {
		claims, valid := readToken(token)
		if !valid || claims.Text("use") != "" {
			panic(unauthorized("The bearer token is not valid."))
		}
		if exp, _ := data.Int(claims.Value("exp")); c.started.Unix() >= exp {
			panic(unauthorized("The bearer token has expired."))
		}
		c.workspace, bound = claims.Text("workspace"), claims.Text("org")
	}
	c.org = c.chosenOrganization("token", bound)
}

func unauthorized(message string) *answer {
	a := refuseField(http.StatusUnauthorized, "", "unauthorized", "%s", message)
	a.header = [][2]string{{"WWW-Authenticate", "Bearer"}}
	return a
}

// organizations lists what the credentials reach, whichever organization is in
// use: a client that has chosen one must still find the other. The fixed token
// and the token of a workspace reach one only.
func (c *call) organizations() *answer {
	list := []any{}
	reach := ""
	if _, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " "); c.workspace != "" ||
		strings.TrimSpace(token) == Token {
		reach = c.org
	}
	for _, org := range []struct{ id, name string }{{OrganizationID, "Northwind"},
		{SecondOrganizationID, "Southwind"}} {
		if reach == "" || reach == org.id {
			list = append(list, rawjson.NewMap("id", org.id, "organization_name", org.name, "name", org.name))
		}
	}
	return ok(rawjson.NewMap("data", list, "organizations", list, "is_instance_admin", false))
}

// enrollment says that the person who signed in has an organization.
func (c *call) enrollment() *answer {
	return ok(rawjson.NewMap("is_enrolled", true, "organization_id", cmp.Or(c.org, OrganizationID)))
}

// application gives the client id and secret of a person in an organization, the same
// ones each time.
func (c *call) application() *answer {
	if c.workspace != "" {
		panic(refuse(http.StatusForbidden, "The token speaks for one workspace and may not make an application."))
	}
	return ok(rawjson.NewMap("client_id", ClientID, "client_secret", ClientSecret, "organization_id", c.org))
}

// scopedToken gives a token for one workspace, which it makes when it is new.
func (c *call) scopedToken() *answer {
	name := c.in.Text("workspace_name")
	if name == "" {
		panic(invalid("workspace_name", "workspace_name must not be empty."))
	}
	c.a.ensureWorkspace(c.org, name)
	return ok(rawjson.NewMap("token", c.workspaceToken(name)))
}

// scopedTokenInfo says which workspace a token speaks for.
func (c *call) scopedTokenInfo() *answer {
	if c.workspace == "" {
		panic(refuse(http.StatusForbidden, "The token speaks for a whole organization, not for one workspace."))
	}
	ws := c.a.ensureWorkspace(c.org, c.workspace)
	return ok(rawjson.NewMap("organization_id", c.org, "workspace_id", ws.id, "workspace_name", ws.name))
}

// workspaceToken is a token for one workspace.
func (c *call) workspaceToken(name string) string {
	return signToken(rawjson.NewMap("iss", "patchbay-sandbox", "org", c.org, "workspace", name,
		"iat", c.started.Unix(), "exp", c.started.Add(20*time.Minute).Unix()))
}

// fixedUUID derives a UUID from a name, always the same one.
func fixedUUID(name string) string {
	sum := sha1.Sum([]byte("patchbay sandbox " + name))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func isUUID(s string) bool { return uuidForm.MatchString(s) }
