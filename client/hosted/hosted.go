package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// DefaultTokenPath is where a client id and secret are exchanged for a bearer
// token unless the profile says otherwise.
const DefaultTokenPath = "/api/v1/account/applications/token"

const apiPath = "/api/v1"

// Kinds is where catalog kinds come from; *catalog.Catalog is one. The name may
// be a kind's name, connector type, system or title.
type Kinds interface {
	Kind(name string) (*catalog.Kind, error)
}

// Config says which service to speak to, as whom and how.
type Config struct {
	// Profile names the profile, for texts.
	Profile string
	// BaseURL of the service, with or without a path prefix.
	BaseURL string
	// Token is a bearer token; ClientID and ClientSecret fetch one when it is
	// empty or not accepted any more.
	Token        secret.Secret
	ClientID     secret.Secret
	ClientSecret secret.Secret
	// TokenPath of the token endpoint; DefaultTokenPath when empty.
	TokenPath string
	// OrganizationID goes into X-Organization-Id; empty until one is chosen.
	OrganizationID string
	// Names that the service speaks; neutral when empty.
	Names client.Names
	// ReadOnly refuses writes before anything is sent.
	ReadOnly bool
	// Catalog may be nil: kinds are unknown then.
	Catalog Kinds
	// Reveal is the command that prints the token, for texts; that of patchbay alone when empty.
	Reveal string
	// Transport makes the calls; nil for one with default options.
	Transport *transport.Client
}

// Client is the hosted service. It implements client.Executor and is safe for
// concurrent use.
type Client struct {
	cfg    Config
	base   *url.URL
	broken *client.Error // what is wrong with the configuration
	t      *transport.Client
	tokens *transport.Tokens

	mu       sync.Mutex
	org      string
	tokenOrg string // the organization that the token endpoint told
	lookups  map[string]*lookup
}

var _ client.Executor = (*Client)(nil)

// New returns a client. What is wrong with the configuration is told by the
// first call.
func New(cfg Config) *Client {
	if cfg.TokenPath == "" {
		cfg.TokenPath = DefaultTokenPath
	}
	if cfg.Names == "" {
		cfg.Names = client.Neutral
	}
	if cfg.Transport == nil {
		cfg.Transport = transport.New(transport.Options{})
	}
	c := &Client{cfg: cfg, t: cfg.Transport, org: cfg.OrganizationID, lookups: map[string]*lookup{}}
	c.base, c.broken = parseBase(cfg.BaseURL)
	c.t.Redactor().Add(cfg.Token, cfg.ClientSecret)
	c.tokens = c.t.NewTokens(transport.Token{Value: cfg.Token, Ends: expiry(cfg.Token)}, c.BaseURL())
	return c
}

func parseBase(text string) (*url.URL, *client.Error) {
	wrong := &client.Error{Class: client.ClassConfig, Layer: client.LayerProgram, Field: "base_url",
		Next: "Set base_url in the profile, or PLATFORM_BASE_URL."}
	if strings.TrimSpace(text) == "" {
		wrong.Message = "no base URL is configured"
		return nil, wrong
	}
	u, why := transport.ParseAddress(text)
	if why != "" {
		wrong.Message = "the base URL " + why
		return nil, wrong
	}
	// Some clients are configured with the version segment, which is part of each path here.
	u.Path = strings.TrimSuffix(u.Path, apiPath)
	u.RawPath = ""
	return u, nil
}

// BaseURL returns the address in use, without a trailing slash; empty when the
// configuration holds none.
func (c *Client) BaseURL() string {
	if c.base == nil {
		return ""
	}
	return c.base.String()
}

// Organization returns the id that calls carry; empty when none is chosen.
func (c *Client) Organization() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.org
}

// SetOrganization chooses the organization of all further calls.
func (c *Client) SetOrganization(id string) {
	c.mu.Lock()
	changed := c.org != id
	c.org = id
	c.mu.Unlock()
	if used := c.tokens.Current(); changed && used.Fetched {
		c.tokens.Drop(used) // it may be bound to the organization before
	}
}

// Now is the clock of the client.
func (c *Client) Now() time.Time { return c.t.Now() }

// Profile is the name the client was configured with.
func (c *Client) Profile() string { return c.cfg.Profile }

// request is a call before token and headers are added.
type request struct {
	method string
	// path below the base URL, each segment escaped.
	path  string
	query url.Values
	body  json.RawMessage
	write bool
	doing string
	// purpose is "call" when empty.
	purpose string
	out     io.Writer
	// header is added to what every call has.
	header http.Header
	// target and op are what the call is about, as far as they are known.
	target client.Target
	op     client.Operation
	entity *catalog.Entity
	action *catalog.Action
}

// wrong is the error of a request that cannot be made.
func (r request) wrong(field, message, next string) *client.Error {
	return &client.Error{Class: client.ClassInvalid, Layer: client.LayerProgram, Doing: r.doing, Field: field,
		Message: message, Next: next}
}

func (c *Client) address(path string, query url.Values) string {
	u := strings.TrimRight(c.base.String(), "/") + path
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	return u
}

// send makes the call with a token, renewing the token once when it is not
// accepted, and returns an answer of status 2xx or an error. Attempts of token
// calls stand before those of the call.
func (c *Client) send(ctx context.Context, r request) (*transport.Result, error) {
	if err := c.usable(r.doing); err != nil {
		return nil, err
	}
	if r.write && c.cfg.ReadOnly {
		return nil, &client.Error{
			Class: client.ClassRefused, Layer: client.LayerProgram, Doing: r.doing,
			Message: "the profile is read-only, and this operation changes data, or may",
			Next:    "Use a profile without read_only, or leave out --read-only.",
		}
	}
	res, tok, call, err := c.t.DoSigned(ctx, transport.Signed{
		Doing: r.doing, Token: c.token,
		Call: func(tok transport.Token) (transport.Call, error) { return c.call(r, tok), nil },
		Renews: func(res *transport.Result, used transport.Token) bool {
			if res.Status != http.StatusUnauthorized {
				return false
			}
			if c.renewable() {
				c.tokens.Drop(used)
			}
			said := res.Body.Slice(0, min(res.Body.Len(), readBody))
			return c.renewable() && !transport.ReadProblem(res.Header.Get("Content-Type"), said).ThirdParty
		},
	})
	if err == nil && !res.OK() {
		err = c.failure(r, call, res, tok)
	}
	if err != nil {
		err = c.settled(r, client.AsError(err))
	}
	return res, err
}

// usable tells what is wrong with the configuration.
func (c *Client) usable(doing string) error {
	if c.broken == nil {
		return nil
	}
	e := *c.broken
	e.Doing = doing
	return &e
}

func (c *Client) call(r request, tok transport.Token) transport.Call {
	h := http.Header{"Authorization": {"Bearer " + tok.Value.Reveal()}, "Accept": {"application/json"}}
	if r.out != nil {
		h.Set("Accept", "*/*")
	}
	if r.body != nil {
		h.Set("Content-Type", "application/json")
	}
	if org := c.Organization(); org != "" {
		h.Set("X-Organization-Id", org)
	}
	maps.Copy(h, r.header)
	return transport.Call{
		Method: r.method, URL: c.address(r.path, r.query), Header: h, Body: r.body, Write: r.write,
		Purpose: cmp.Or(r.purpose, "call"), Doing: r.doing, Layer: client.LayerHosted, Out: r.out,
	}
}

// shape reports whether the answer to a call is one of its kind.
type shape func(rawjson.Node) bool

// ask makes a call and decodes its JSON answer into v, if it has the shape: anything
// else is not believed to say that nothing is there.
func (c *Client) ask(ctx context.Context, r request, v any, has shape) (*transport.Result, error) {
	res, err := c.send(ctx, r)
	if err != nil {
		return res, err
	}
	if !has(rawjson.Root(res.Body)) {
		return res, c.unreadable(r, res, nil)
	}
	if err := json.Unmarshal(res.Body.Slice(0, res.Body.Len()), v); err != nil {
		return res, c.unreadable(r, res, err)
	}
	return res, nil
}

// listOf is an object with an array at one of the names; each element is an object
// that tells one of the words.
func listOf(names, words []string) shape {
	return func(n rawjson.Node) bool {
		for _, name := range names {
			list, _ := n.Get(name)
			if list.Kind() != rawjson.Array {
				continue
			}
			for e := range list.Elems() {
				if first(e, words...) == "" {
					return false
				}
			}
			return true
		}
		return false
	}
}

// kind finds the catalog kind of a target; nil when it is not known.
func (c *Client) kind(name string) *catalog.Kind {
	if c.cfg.Catalog == nil || name == "" {
		return nil
	}
	k, err := c.cfg.Catalog.Kind(name)
	if err != nil {
		return nil
	}
	return k
}
