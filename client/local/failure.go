package local

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// failure turns an answer with a bad status into an error with the next step.
func (p *plan) failure(x *exchange, call transport.Call, res *transport.Result) *client.Error {
	e := p.c.t.Failure(call, res)
	x.env.Warning = ""
	readLimits(e, res.Header, p.c.t.Now())
	if e.Layer == client.LayerProxy {
		switch e.Class { // vendors send web pages, too: for an account that does not exist, or refused credentials
		case client.ClassAuth, client.ClassScope, client.ClassNotFound:
			e.Next += fmt.Sprintf(" If the page is one of %s, check %s.%s", p.kind.System, x.a.origin(), p.elsewhere())
		}
		return e
	}
	e.Layer = client.LayerThirdParty
	p.words(e, res)
	p.limited(e, res.Header)
	if said := strings.ToLower(e.Server); e.Status == http.StatusBadRequest && e.Class == client.ClassInvalid {
		switch {
		case transport.Mentions(said, refusedWords...):
			e.Class = client.ClassAuth
		case transport.Mentions(said, forbiddenWords...):
			e.Class = client.ClassScope
		}
	}
	if x.a.refused(res) {
		e.Class = client.ClassAuth
	}
	p.advise(e, x)
	return e
}

// Servers report failures of credentials and permissions as invalid requests, and
// limits with another status than 429: these are their words for them.
var (
	refusedWords = []string{"validating access token", "invalid oauth", "malformed access token",
		"access token has expired", "invalid access token", "invalid api key", "token expired", "token is expired"}
	forbiddenWords = []string{"missing permission", "does not have permission", "must be granted before"}
	limitWords     = []string{"rate limit", "ratelimit", "too many requests", "request_limit_exceeded",
		"too many calls", "request limit reached"}
)

// words reads the error where the kind's file says, else keeps what the tolerant
// reader found.
func (p *plan) words(e *client.Error, res *transport.Result) {
	shape := p.kind.Local.Errors
	if shape == nil {
		return
	}
	root := rawjson.Parse(res.Body.Slice(0, min(res.Body.Len(), readBody)))
	if n := at(root, shape.Message); n.Kind() == rawjson.String {
		if said := transport.Clip(p.c.t.Redactor().Text(n.Text())); !strings.Contains(e.Server, said) {
			e.Server = said
		}
	}
	if code := transport.Clip(text(at(root, shape.Code))); e.Server != "" && !strings.Contains(e.Server, code) {
		e.Server += " [" + p.c.t.Redactor().Text(code) + "]"
	}
	if shape.RetryAfter != "" && e.RetryAfter == 0 {
		e.RetryAfter = transport.RetryAfter(res.Header, p.c.t.Now(), shape.RetryAfter)
	}
}

// at is the value at a place that the kind's file names; none for no place.
func at(root rawjson.Node, place string) rawjson.Node {
	path, err := rawjson.ParsePath(place)
	if err != nil || place == "" {
		return rawjson.Node{}
	}
	n, _ := root.Lookup(path)
	return n
}

// limitHeaders tell when a limit ends, beside Retry-After; the best first.
var limitHeaders = []string{"RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset",
	"X-RateLimit-Retry-After", "X-Retry-After", "X-Sentry-Rate-Limit-Reset", "RateLimit"}

// limits are the headers that tell when a limit ends: the one that the kind
// names, then those that servers use for it.
func (p *plan) limits() []string {
	if own := p.kind.Local.Errors; own != nil && own.RetryAfter != "" {
		return append([]string{own.RetryAfter}, limitHeaders...)
	}
	return limitHeaders
}

// readLimits reads how long to wait where a limit is reached.
func readLimits(e *client.Error, h http.Header, now time.Time) {
	if e.RetryAfter == 0 && (e.Status == http.StatusTooManyRequests || exhausted(h)) {
		e.RetryAfter = transport.RetryAfter(h, now, limitHeaders...)
	}
}

// exhausted tells that the headers count no calls left.
func exhausted(h http.Header) bool {
	return slices.ContainsFunc([]string{"X-RateLimit-Remaining", "RateLimit-Remaining", "X-Rate-Limit-Remaining",
		"X-Sentry-Rate-Limit-Remaining"}, func(name string) bool { return strings.TrimSpace(h.Get(name)) == "0" }) ||
		transport.Mentions(h.Get("RateLimit"), "r=0", "remaining=0")
}

// limited makes a rate limit of what says so with another status.
func (p *plan) limited(e *client.Error, h http.Header) {
	if e.Class != client.ClassRateLimited && (e.Status != 400 && e.Status != 403 ||
		!transport.Mentions(strings.ToLower(e.Server), limitWords...) && (!exhausted(h) || e.RetryAfter == 0)) {
		return
	}
	e.Class = client.ClassRateLimited
	e.Message = fmt.Sprintf("%s takes no more requests for now (status %d)", p.kind.System, e.Status)
	e.Next = "Wait a moment, or ask for larger pages."
	if e.RetryAfter > 0 {
		e.Next = fmt.Sprintf("Wait %s, then run it again.", e.RetryAfter.Round(time.Second))
	}
}

// unrenewed says why an access token was not renewed where that could be done.
func (p *plan) unrenewed(a *auth) string {
	if a.spec.Refresh == nil || a.fields[accessToken].value.Empty() || !a.fields["refresh_token"].value.Empty() {
		return ""
	}
	return " It is not renewed when it ends, as refresh_token is missing: set " +
		p.environment([]string{"refresh_token"}) + "."
}

// advise says what the person can do, naming the credential in use.
func (p *plan) advise(e *client.Error, x *exchange) {
	switch e.Class {
	case client.ClassAuth:
		e.Message = fmt.Sprintf("%s did not accept the credentials (status %d)", p.kind.System, e.Status)
		used := x.a.used()
		if i := slices.IndexFunc(used, func(name string) bool { return x.a.fields[name].secret }); i >= 0 {
			e.Field = used[i]
		}
		e.Next = "Check " + x.a.origin() + "." + p.unrenewed(x.a) + p.elsewhere()
	case client.ClassScope:
		e.Message = fmt.Sprintf("%s knows the credentials, but they may not do this (status %d)", p.kind.System,
			e.Status)
		e.Next = "In use: " + x.a.origin() + "." + p.scopes(x.a) + p.elsewhere()
	case client.ClassNotFound:
		e.Next = "Check the ids in the params, and that the credentials see that record." + p.elsewhere()
	case client.ClassInvalid, client.ClassRefused:
		if p.bind.Untested {
			e.Next = strings.TrimSpace(e.Next +
				" The request of this action was written from documentation and never tried: it may itself be wrong.")
		}
	}
}

// scopes says what the credential and the action need, as far as the catalog knows.
func (p *plan) scopes(a *auth) string {
	var out strings.Builder
	for _, n := range append(p.action.Notes[:len(p.action.Notes):len(p.action.Notes)], p.entity.Notes...) {
		if lower := strings.ToLower(n.Text); strings.Contains(lower, "scope") ||
			strings.Contains(lower, "token needs") || strings.Contains(lower, "permission") {
			out.WriteString(" " + strings.TrimRight(n.Text, ".") + ".")
		}
	}
	if len(a.method.Scopes) > 0 {
		out.WriteString(" Scopes of this method: " + strings.Join(a.method.Scopes, ", ") + ".")
	}
	return out.String()
}

// elsewhere reminds of the other servers that a kind has: accounts live on one of them.
func (p *plan) elsewhere() string {
	if p.target.BaseURL != "" {
		return ""
	}
	for i := range p.kind.Config {
		f := &p.kind.Config[i]
		if f.ServerVariable {
			return fmt.Sprintf(" The account may live on another server: check %s (%s).", f.Name,
				client.EnvName(p.kind.Name, f.Name))
		}
	}
	if servers := p.kind.Local.Servers; len(servers) > 0 {
		return " The account may live on another server: " + strings.Join(servers, ", ") + " (set base_url)."
	}
	return ""
}

// graphQLErrors reads the errors of an answer with status 200. Beside data they
// are a warning; without data the call has failed.
func (p *plan) graphQLErrors(x *exchange, root rawjson.Node) error {
	problem := root
	if list, _ := root.Get("errors"); list.Kind() == rawjson.Array {
		problem, _ = list.At(0)
	} else if n, _ := root.Get("error_message"); n.Kind() != rawjson.String {
		return nil
	}
	if !problem.Exists() {
		return nil
	}
	e := p.c.t.InGoodStatus(p.doing, fmt.Sprintf("%s refused the query (status %d)", p.kind.System, x.env.Status),
		x.env, x.header, problem.Raw())
	if !x.env.Records.Empty() {
		x.env.Warning = strings.TrimPrefix(x.env.Warning+"; ", "; ") + e.Server
		return nil
	}
	e.Class, e.Next = client.ClassInvalid, "Compare the request with the catalog's docs."
	for _, place := range []string{"extensions.code", "type", "extensions.type", "error_code", "code"} {
		if code := at(problem, place); code.Kind() == rawjson.String && code.Text() != "" {
			e.Class = transport.ClassOfCode(code.Text())
			break
		}
	}
	if e.Class == client.ClassRateLimited {
		e.RetryAfter = transport.RetryAfter(x.header, p.c.t.Now(), limitHeaders...)
	}
	p.limited(e, x.header)
	p.advise(e, x)
	return e
}
