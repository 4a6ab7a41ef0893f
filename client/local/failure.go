package local

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// failure turns an answer with a bad status into an error with the next step.
func (p *plan) failure(x *exchange, call transport.Call, res *transport.Result) *client.Error {
	e := p.c.t.Failure(call, res)
	e.Attempts = res.Attempts
	if e.Envelope != nil {
		e.Envelope.Attempts, e.Envelope.Names = res.Attempts, client.Wire
		e.Envelope.Started, e.Envelope.Took = x.env.Started, x.env.Took
	}
	readLimits(e, res.Header, p.c.t.Now())
	if e.Layer == client.LayerProxy {
		p.page(e, x)
		return e
	}
	e.Layer = client.LayerThirdParty
	p.words(e, res)
	p.limited(e, res)
	reclass(e)
	p.advise(e, x)
	return e
}

// reclass finds failures of credentials and permissions that servers report as
// invalid requests, by their words.
func reclass(e *client.Error) {
	if e.Status != http.StatusBadRequest || e.Class != client.ClassInvalid {
		return
	}
	said := strings.ToLower(e.Server)
	for _, known := range []struct {
		words string
		class client.Class
	}{
		{"validating access token", client.ClassAuth}, {"invalid oauth", client.ClassAuth}, {"malformed access token", client.ClassAuth},
		{"access token has expired", client.ClassAuth}, {"invalid access token", client.ClassAuth}, {"invalid api key", client.ClassAuth},
		{"token expired", client.ClassAuth}, {"token is expired", client.ClassAuth},
		{"missing permission", client.ClassScope}, {"does not have permission", client.ClassScope}, {"must be granted before", client.ClassScope},
	} {
		if strings.Contains(said, known.words) {
			e.Class = known.class
			return
		}
	}
}

// page advises on a web page in place of an answer. Vendors send such pages, too:
// for an account that does not exist, or credentials that a gateway refuses.
func (p *plan) page(e *client.Error, x *exchange) {
	switch e.Class {
	case client.ClassAuth, client.ClassScope, client.ClassNotFound:
		e.Next += fmt.Sprintf(" If the page is one of %s, check %s.%s", p.kind.System, x.a.origin(), p.elsewhere())
	}
}

// words reads the error where the kind's file says, else keeps what the tolerant
// reader found.
func (p *plan) words(e *client.Error, res *transport.Result) {
	shape := p.kind.Local.Errors
	if shape == nil {
		return
	}
	const most = 1 << 20
	root := rawjson.Parse(res.Body.Slice(0, min(res.Body.Len(), most)))
	said := ""
	if n, ok := at(root, shape.Message); ok && n.Kind() == rawjson.String {
		said = clip(n.Text())
	}
	if said != "" && !strings.Contains(e.Server, said) {
		e.Server = p.c.t.Redactor().Text(said)
	}
	if n, ok := at(root, shape.Code); ok && shape.Code != "" && e.Server != "" {
		if code := clip(text(n)); code != "" && !strings.Contains(e.Server, code) {
			e.Server += " [" + p.c.t.Redactor().Text(code) + "]"
		}
	}
	if shape.RetryAfter != "" && e.RetryAfter == 0 {
		e.RetryAfter = wait(res.Header.Get(shape.RetryAfter), p.c.t.Now())
	}
}

func at(root rawjson.Node, place string) (rawjson.Node, bool) {
	path, err := rawjson.ParsePath(place)
	if err != nil || place == "" {
		return rawjson.Node{}, false
	}
	return root.Lookup(path)
}

// clip makes one short line of a server's text.
func clip(s string) string {
	const longest = 500
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "..."
	}
	return s
}

// limitHeaders name headers that tell when a limit ends, best first.
func limitHeaders() []string {
	return []string{"Retry-After", "RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset", "X-RateLimit-Retry-After", "X-Retry-After", "X-Sentry-Rate-Limit-Reset", "RateLimit"}
}

// readLimits reads how long to wait from the headers that servers use for it.
func readLimits(e *client.Error, h http.Header, now time.Time) {
	if e.RetryAfter > 0 || e.Status != http.StatusTooManyRequests && !exhausted(h) {
		return
	}
	for _, name := range limitHeaders() {
		if d := wait(h.Get(name), now); d > 0 {
			e.RetryAfter = d
			return
		}
	}
}

// limitEnds reads how long to wait from the header that the kind names, else
// from those that servers use for it.
func (p *plan) limitEnds(h http.Header, now time.Time) time.Duration {
	names := limitHeaders()
	if own := p.kind.Local.Errors; own != nil && own.RetryAfter != "" {
		names = append([]string{own.RetryAfter}, names...)
	}
	for _, name := range names {
		if d := wait(h.Get(name), now); d > 0 {
			return d
		}
	}
	return 0
}

// exhausted tells that the headers count no calls left.
func exhausted(h http.Header) bool {
	for _, name := range []string{"X-RateLimit-Remaining", "RateLimit-Remaining", "X-Rate-Limit-Remaining", "X-Sentry-Rate-Limit-Remaining"} {
		if v := strings.TrimSpace(h.Get(name)); v == "0" {
			return true
		}
	}
	return strings.Contains(h.Get("RateLimit"), "r=0") || strings.Contains(h.Get("RateLimit"), "remaining=0")
}

// wait reads seconds, a Unix time in seconds or milliseconds, an HTTP or ISO
// date, or the t= of a structured RateLimit header. 0 when it tells nothing.
func wait(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' }) {
		for _, name := range [...]string{"t=", "reset="} {
			if v, ok := strings.CutPrefix(strings.TrimSpace(part), name); ok {
				return wait(v, now)
			}
		}
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		return waitNumber(n, now)
	}
	for _, layout := range [...]string{http.TimeFormat, time.RFC3339, time.RFC850, time.ANSIC} {
		if at, err := time.Parse(layout, value); err == nil && at.After(now) {
			return at.Sub(now)
		}
	}
	return 0
}

func waitNumber(n float64, now time.Time) time.Duration {
	const longest, unix, milliseconds = 30 * 24 * 3600, 1e9, 1e12
	switch {
	case n >= milliseconds && n < 1e14:
		n = n/1000 - float64(now.UnixMilli())/1000
	case n >= unix && n < milliseconds:
		n -= float64(now.UnixMilli()) / 1000
	}
	if !(n > 0 && n <= longest) {
		return 0
	}
	return time.Duration(n * float64(time.Second))
}

// limited makes a rate limit of what says so with another status.
func (p *plan) limited(e *client.Error, res *transport.Result) {
	said := strings.ToLower(e.Server)
	named := strings.Contains(said, "rate limit") || strings.Contains(said, "ratelimit") || strings.Contains(said, "too many requests") ||
		strings.Contains(said, "request_limit_exceeded") || strings.Contains(said, "too many calls") || strings.Contains(said, "request limit reached")
	if e.Class == client.ClassRateLimited || (e.Status == 400 || e.Status == 403) && (named || exhausted(res.Header) && e.RetryAfter > 0) {
		e.Class = client.ClassRateLimited
		e.Message = fmt.Sprintf("%s takes no more requests for now (status %d)", p.kind.System, e.Status)
		e.Next = "Wait a moment, or ask for larger pages."
		if e.RetryAfter > 0 {
			e.Next = fmt.Sprintf("Wait %s, then run it again.", e.RetryAfter.Round(time.Second))
		}
	}
}

// advise says what the person can do, naming the credential in use.
func (p *plan) advise(e *client.Error, x *exchange) {
	switch e.Class {
	case client.ClassAuth:
		e.Message = fmt.Sprintf("%s did not accept the credentials (status %d)", p.kind.System, e.Status)
		e.Field = firstSecret(x.a)
		e.Next = "Check " + x.a.origin() + "." + p.elsewhere()
	case client.ClassScope:
		e.Message = fmt.Sprintf("%s knows the credentials, but they may not do this (status %d)", p.kind.System, e.Status)
		e.Next = "In use: " + x.a.origin() + "." + p.scopes(x.a) + p.elsewhere()
	case client.ClassNotFound:
		e.Next = "Check the ids in the params, and that the credentials see that record." + p.elsewhere()
	case client.ClassInvalid, client.ClassRefused:
		if p.bind.Untested {
			e.Next = strings.TrimSpace(e.Next + " The request of this action was written from documentation and never tried: it may itself be wrong.")
		}
	case client.ClassUpstream:
		if p.writes() {
			e.Next = "It is not known whether the change was made: look before you repeat it."
		}
	}
}

func firstSecret(a *auth) string {
	for _, name := range a.used() {
		f := catalog.FieldByName(a.method.Fields, name)
		if !a.fields[name].value.Empty() && (f == nil || f.Secret) {
			return name
		}
	}
	return ""
}

// scopes tells what the credential and the action need, as far as the catalog knows.
func (p *plan) scopes(a *auth) string {
	var out strings.Builder
	for _, n := range append(p.action.Notes[:len(p.action.Notes):len(p.action.Notes)], p.entity.Notes...) {
		if lower := strings.ToLower(n.Text); strings.Contains(lower, "scope") || strings.Contains(lower, "token needs") || strings.Contains(lower, "permission") {
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
			return fmt.Sprintf(" The account may live on another server: check %s (%s).", f.Name, EnvName(p.kind.Name, f.Name))
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
	list, ok := root.Get("errors")
	problem := rawjson.Node{}
	if ok && list.Kind() == rawjson.Array {
		problem, ok = list.At(0)
	} else if n, is := root.Get("error_message"); is && n.Kind() == rawjson.String {
		problem, ok = root, true
	} else {
		ok = false
	}
	if !ok {
		return nil
	}
	said := transport.ReadProblem("application/json", problem.Raw()).Message
	code := graphQLCode(problem)
	if !x.env.Records.Empty() {
		x.env.Warning = strings.TrimPrefix(x.env.Warning+"; ", "; ") + p.c.t.Redactor().Text(said)
		return nil
	}
	e := p.fail(classOfCode(code), "", "Compare the request with the catalog's docs.", "%s refused the query (status %d)", p.kind.System, x.env.Status)
	e.Layer, e.Status, e.Attempts, e.Envelope = client.LayerThirdParty, x.env.Status, x.env.Attempts, x.env
	e.Server, e.RequestID = p.c.t.Redactor().Text(said), transport.RequestID(x.header)
	if e.Class == client.ClassRateLimited {
		e.Status = http.StatusTooManyRequests
		readLimits(e, x.header, p.c.t.Now())
		e.Status = x.env.Status
	}
	p.limited(e, &transport.Result{Header: x.header})
	p.advise(e, x)
	return e
}

// graphQLCode is the word by which a server tells its errors apart.
func graphQLCode(n rawjson.Node) string {
	for _, place := range []string{"extensions.code", "type", "extensions.type", "error_code", "code"} {
		if v, ok := at(n, place); ok && v.Kind() == rawjson.String && v.Text() != "" {
			return v.Text()
		}
	}
	return ""
}

func classOfCode(code string) client.Class {
	folded := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(code))
	for _, known := range []struct {
		word  string
		class client.Class
	}{
		{"ratelimit", client.ClassRateLimited}, {"complexity", client.ClassRateLimited}, {"minutelimit", client.ClassRateLimited}, {"concurrency", client.ClassRateLimited},
		{"unauthenticated", client.ClassAuth}, {"notauthenticated", client.ClassAuth},
		{"unauthorized", client.ClassScope}, {"forbidden", client.ClassScope}, {"insufficientscopes", client.ClassScope}, {"missingrequiredpermissions", client.ClassScope},
		{"notfound", client.ClassNotFound},
		{"internal", client.ClassUpstream}, {"serviceunavailable", client.ClassUpstream},
	} {
		if strings.Contains(folded, known.word) {
			return known.class
		}
	}
	return client.ClassInvalid
}
