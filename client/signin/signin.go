// Package signin signs a person in to a service with their browser: it opens the
// service's own page, waits on this machine for the browser to come back, and trades the
// code that it brings for a token (RFC 8252, with PKCE, RFC 7636). It keeps nothing.
//
// It may import client and the packages below it (transport, rawjson, secret, crew).
package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// Patience is how long a person has for the pages of a sign-in.
const Patience = 3 * time.Minute

// callback is the path to which the browser comes back; services that list the
// addresses they send people to list this one.
const callback = "/callback"

// Service is where a person signs in.
type Service struct {
	// Authorize is the page of the service, Token where its codes are traded.
	Authorize, Token string
	// ClientID names this program, Scope what it asks for.
	ClientID, Scope string
}

// scope asks for who the person is; more is a matter of the service.
const scope = "openid email profile"

// AtRealm is the sign-in of a service with the paths of OpenID Connect below an address.
func AtRealm(address, clientID string) Service {
	below := strings.TrimRight(address, "/") + "/protocol/openid-connect"
	return Service{Authorize: below + "/auth", Token: below + "/token", ClientID: clientID, Scope: scope}
}

// Discover asks a service where people sign in (RFC 8414).
func Discover(ctx context.Context, t *transport.Client, baseURL string) (Service, error) {
	call := transport.Call{Method: http.MethodGet, Header: http.Header{"Accept": {"application/json"}},
		URL:   strings.TrimRight(baseURL, "/") + "/.well-known/oauth-authorization-server",
		Doing: "find the sign-in of the service", Purpose: "call"}
	res, err := t.Do(ctx, call)
	if err != nil {
		return Service{}, err
	}
	n := rawjson.Root(res.Body)
	text := func(name string) string { v, _ := n.Get(name); return v.Text() }
	s := Service{Authorize: text("authorization_endpoint"), Token: text("token_endpoint"), ClientID: "patchbay",
		Scope: scope}
	if !res.OK() || safe(s.Authorize) == nil || safe(s.Token) == nil {
		return Service{}, &client.Error{Class: client.ClassConfig, Layer: client.LayerHosted, Doing: call.Doing,
			Status: res.Status, Attempts: res.Attempts, Message: "this service offers no sign-in by browser",
			Next: "Sign in with patchbay login, with client id and secret or with --token."}
	}
	return s, nil
}

// safe is an address that a browser may be sent to: over https, or on this machine.
func safe(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil ||
		u.Scheme != "https" && (u.Scheme != "http" || !transport.Loopback(u.Hostname())) {
		return nil
	}
	return u
}

// Flow is one sign-in.
type Flow struct {
	Service   Service
	Transport *transport.Client
	// Show shows the person an address to open; it must not wait for them.
	Show func(address string)
}

// Run waits for the person and returns their token. It ends with the context, and when
// their patience is over.
func (f *Flow) Run(ctx context.Context) (secret.Secret, error) {
	const doing = "sign in with a browser"
	page := safe(f.Service.Authorize)
	if page == nil || safe(f.Service.Token) == nil {
		return secret.Secret{}, client.Misconfigured("the sign-in of the service is not at an https address")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return secret.Secret{}, client.Misconfigured("this machine cannot wait for the browser: %v", err)
	}
	d := &door{state: rand.Text(), came: make(chan url.Values, 1)}
	defer d.open(l)()
	verifier, redirect := rand.Text()+rand.Text(), "http://"+l.Addr().String()+callback
	f.Show(f.question(page, redirect, d.state, verifier))

	waiting, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	select {
	case got := <-d.came:
		if why := got.Get("error"); why != "" {
			return secret.Secret{}, refused(doing, why, got.Get("error_description"))
		}
		return f.trade(ctx, url.Values{"grant_type": {"authorization_code"}, "code": {got.Get("code")},
			"redirect_uri": {redirect}, "client_id": {f.Service.ClientID}, "code_verifier": {verifier}})
	case <-waiting.Done():
		if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return secret.Secret{}, &client.Error{Class: client.ClassCanceled, Layer: client.LayerProgram, Doing: doing,
				Message: "stopped before it was finished"}
		}
		return secret.Secret{}, &client.Error{Class: client.ClassAuth, Layer: client.LayerProgram, Doing: doing,
			Message: "nobody came back from the browser in time",
			Next:    "Begin again, and sign in on the page that opens."}
	}
}

// question is the address of the page that asks the person.
func (f *Flow) question(page *url.URL, redirect, state, verifier string) string {
	sum, q := sha256.Sum256([]byte(verifier)), page.Query()
	for name, value := range map[string]string{"response_type": "code", "client_id": f.Service.ClientID,
		"redirect_uri": redirect, "scope": f.Service.Scope, "state": state, "code_challenge_method": "S256",
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:])} {
		q.Set(name, value)
	}
	page.RawQuery = q.Encode()
	return page.String()
}

// refused is the error of a sign-in that the page ended.
func refused(doing, why, more string) error {
	e := &client.Error{Class: client.ClassAuth, Layer: client.LayerHosted, Doing: doing, Server: more,
		Message: "the service did not let you in: " + why, Next: "Begin again."}
	if why == "access_denied" {
		e.Message = "the sign-in was refused in the browser"
	}
	return e
}

// trade gets a token for a code.
func (f *Flow) trade(ctx context.Context, form url.Values) (secret.Secret, error) {
	call := transport.Call{Method: http.MethodPost, URL: f.Service.Token, Body: []byte(form.Encode()),
		Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Accept": {"application/json"}},
		Write:  true, // a code counts once
		Doing:  "get a token for the code of the browser", Purpose: client.PurposeToken}
	token, _, res, err := f.Transport.AskToken(ctx, call, func(e *client.Error, _ *transport.Result) {
		e.Class, e.Message, e.Next = client.ClassAuth, "the code of the browser was not accepted", "Begin again."
	})
	if err == nil && token.Value.Empty() {
		err = &client.Error{Class: client.ClassBadResponse, Layer: client.LayerHosted, Doing: call.Doing,
			Attempts: res.Attempts, Message: "the answer holds no access_token"}
	}
	return token.Value, err
}
