// Package hosted speaks the connector service's HTTP API: tokens,
// organizations, workspaces, connectors, and the execution of operations.
package hosted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
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
	tokens *tokens

	mu  sync.Mutex
	org string
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
	c := &Client{cfg: cfg, t: cfg.Transport, org: cfg.OrganizationID}
	c.base, c.broken = parseBase(cfg.BaseURL)
	c.t.Redactor().Add(cfg.Token, cfg.ClientSecret)
	c.tokens = &tokens{c: c, current: token{value: cfg.Token, ends: expiry(cfg.Token)}}
	return c
}

func parseBase(text string) (*url.URL, *client.Error) {
	wrong := &client.Error{Class: client.ClassConfig, Layer: client.LayerProgram, Field: "base_url", Next: "Set base_url in the profile, or PLATFORM_BASE_URL."}
	if strings.TrimSpace(text) == "" {
		wrong.Message = "no base URL is configured"
		return nil, wrong
	}
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		wrong.Message = "the base URL is not an http or https address"
	case u.User != nil:
		wrong.Message = "the base URL holds a user name; credentials do not belong into it"
	case u.RawQuery != "" || u.Fragment != "":
		wrong.Message = "the base URL holds a query or fragment"
	default:
		// Some clients are configured with the version segment, which is part of each path here.
		u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), apiPath)
		u.RawPath = ""
		return u, nil
	}
	return nil, wrong
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
	if changed {
		c.tokens.forgetFetched()
	}
}

// ReadOnly tells whether writes are refused.
func (c *Client) ReadOnly() bool { return c.cfg.ReadOnly }

// Names that the service speaks.
func (c *Client) Names() client.Names { return c.cfg.Names }

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
	body  any
	raw   []byte // the body when it is already encoded
	write bool
	doing string
	sink  func(hint int64) transport.Sink
	out   io.Writer
}

func (c *Client) address(path string, query url.Values) string {
	u := strings.TrimRight(c.base.String(), "/") + path
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	return u
}

func (r *request) encode() error {
	if r.body == nil || r.raw != nil {
		return nil
	}
	var err error
	r.raw, err = encodeJSON(r.body)
	return err
}

// encodeJSON is json.Marshal without the escaping that only web pages need.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// send makes the call with a token, renewing the token once when it is not
// accepted, and returns an answer of status 2xx or an error. Attempts of token
// calls stand before those of the call.
func (c *Client) send(ctx context.Context, r request) (*transport.Result, error) {
	if c.broken != nil {
		e := *c.broken
		e.Doing = r.doing
		return nil, &e
	}
	if err := r.encode(); err != nil {
		return nil, &client.Error{Class: client.ClassInvalid, Layer: client.LayerProgram, Doing: r.doing, Message: "the request cannot be written as JSON: " + err.Error(), Err: err}
	}
	tok, before, err := c.tokens.get(ctx)
	if err != nil {
		return nil, told(err, r.doing, before)
	}
	call := c.call(r, tok)
	res, err := c.t.Do(ctx, call)
	if err == nil && res.Status == http.StatusUnauthorized && c.tokens.drop(tok) && !thirdParty(res) {
		before = append(before, res.Attempts...)
		var more []client.Attempt
		tok, more, err = c.tokens.get(ctx)
		before = append(before, more...)
		if err != nil {
			return nil, told(err, r.doing, before)
		}
		call = c.call(r, tok)
		res, err = c.t.Do(ctx, call)
	}
	if res != nil {
		res.Attempts = append(before, res.Attempts...)
	}
	if err != nil {
		return res, told(err, r.doing, before)
	}
	if !res.OK() {
		return res, c.failure(call, res, tok)
	}
	return res, nil
}

// told adds to a token's or transport's error what was wanted from it.
func told(err error, doing string, before []client.Attempt) error {
	var e *client.Error
	if !errors.As(err, &e) {
		return err
	}
	copied := *e
	if copied.Doing == "" {
		copied.Doing = doing
	}
	if len(before) > 0 && len(copied.Attempts) > 0 && &before[0] != &copied.Attempts[0] {
		copied.Attempts = append(before[:len(before):len(before)], copied.Attempts...)
	} else if len(copied.Attempts) == 0 {
		copied.Attempts = before
	}
	return &copied
}

func (c *Client) call(r request, tok token) transport.Call {
	h := http.Header{"Authorization": {"Bearer " + tok.value.Reveal()}, "Accept": {"application/json"}}
	if r.out != nil {
		h.Set("Accept", "*/*")
	}
	if r.raw != nil {
		h.Set("Content-Type", "application/json")
	}
	if org := c.Organization(); org != "" {
		h.Set("X-Organization-Id", org)
	}
	return transport.Call{
		Method: r.method, URL: c.address(r.path, r.query), Header: h, Body: r.raw, Write: r.write,
		Purpose: "call", Doing: r.doing, Layer: client.LayerHosted, NewSink: r.sink, Out: r.out,
	}
}

// ask makes a call and decodes its JSON answer into v.
func (c *Client) ask(ctx context.Context, r request, v any) (*transport.Result, error) {
	res, err := c.send(ctx, r)
	if err != nil {
		return res, err
	}
	body := res.Body.Slice(0, res.Body.Len())
	if err := json.Unmarshal(body, v); err != nil {
		return res, c.unreadable(r.doing, res, body, err)
	}
	return res, nil
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

// store is the Sink of answers with records: chunks as they come, looked
// through on the way.
type store struct {
	rawjson.Buffer
	scan scan
}

func (s *store) Write(p []byte) (int, error) {
	s.scan.feed(p)
	return s.Buffer.Write(p)
}
