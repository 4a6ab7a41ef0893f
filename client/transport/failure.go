package transport

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"patchbay/client"
)

// Failure turns an answer with a bad status into an error: class, layer, what
// the server said and the next step. The caller may know more and refine it.
func (c *Client) Failure(call Call, r *Result) *client.Error {
	contentType := r.Header.Get("Content-Type")
	// What is cut off could cut a secret in two, so they are taken out first.
	p := ReadProblem(contentType, c.o.Redactor.Body(contentType, r.Body.Slice(0, min(r.Body.Len(), readBody))))
	e := &client.Error{
		Class: ClassOf(r.Status), Layer: cmp.Or(call.Layer, client.LayerHosted), Status: r.Status, Doing: call.Doing,
		Server: p.Message, Field: p.Field,
		RetryAfter: RetryAfter(r.Header, c.o.Now()), RequestID: RequestID(r.Header), Attempts: r.Attempts,
		Envelope: &client.Envelope{
			Body: r.Body, Shape: client.ShapeOther, Status: r.Status, ContentType: contentType,
			Started: r.Started, Took: r.Took, Attempts: r.Attempts,
		},
	}
	client.Hide(e.Envelope, e, c.o.Redactor.Text)
	if p.ThirdParty {
		e.Layer = client.LayerThirdParty
	}
	if p.HTML || r.Status == http.StatusProxyAuthRequired {
		e.Layer = client.LayerProxy
	}
	if call.Write && (uncertain(r.Status) || uncertain(p.UpstreamStatus)) {
		e.Fate = client.FateUnknown
	}
	e.Message, e.Next = words(e)
	if p.UpstreamStatus != 0 && p.UpstreamStatus != r.Status {
		e.Message += fmt.Sprintf(" (the third party answered %d)", p.UpstreamStatus)
	}
	return e
}

// uncertain reports whether a status leaves open if a write was carried out: the
// server failed while at it, or gave up waiting for the one behind it.
func uncertain(status int) bool {
	switch status {
	case http.StatusRequestTimeout:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported, http.StatusNetworkAuthenticationRequired:
		return false
	}
	return status >= 500
}

// ClassOf maps an HTTP status to a class.
func ClassOf(status int) client.Class {
	switch status {
	case 401, 407:
		return client.ClassAuth
	case 402, 403, 451:
		return client.ClassScope
	case 404, 410:
		return client.ClassNotFound
	case 400, 411, 413, 414, 415, 422, 428, 431:
		return client.ClassInvalid
	case 405, 406, 409, 412, 423, 501:
		return client.ClassRefused
	case 429:
		return client.ClassRateLimited
	case 408:
		return client.ClassTimeout
	}
	switch {
	case status >= 500:
		return client.ClassUpstream
	case status >= 400:
		return client.ClassInvalid
	}
	return client.ClassBadResponse
}

// words gives the message and the next step of a status.
func words(e *client.Error) (message, next string) {
	if e.Layer == client.LayerProxy && e.Status != http.StatusProxyAuthRequired {
		return fmt.Sprintf("a web page came back instead of an answer (status %d)", e.Status),
			"Something between you and the service answered: a proxy, a sign-in page, a wrong base URL. Check the " +
				"base URL and the network."
	}
	status := strings.TrimSpace(fmt.Sprintf("status %d %s", e.Status, strings.ToLower(http.StatusText(e.Status))))
	w, known := statusWords[e.Status]
	switch {
	case known:
	case e.Status >= 500:
		w.message = fmt.Sprintf("the %s failed", e.Layer)
		w.next = "Try again later; the request id helps its owner find the reason."
	default:
		w.message = fmt.Sprintf("the %s did not accept the request", e.Layer)
		w.next = "Compare the request with the catalog's docs."
	}
	switch {
	case e.Class == client.ClassInvalid && w.next == "":
		w.next = correct(e)
	case e.RetryAfter > patience:
		w.next = waitFirst(e.RetryAfter)
	}
	return w.message + " (" + status + ")", w.next
}

// correct says what to do about a request that is not valid.
func correct(e *client.Error) string {
	switch {
	case e.Field != "":
		return "Correct the params it names."
	case e.Server != "":
		return "Compare the request with what the server said and with the catalog's docs."
	}
	return "The server does not say what is wrong: compare the request with the catalog's docs."
}

// waitFirst is the next step where the server asks to wait longer than a moment.
func waitFirst(wait time.Duration) string {
	told := wait.Round(time.Second).String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(told, none) {
			told = told[:len(told)-2]
		}
	}
	return "Wait " + told + ", as the server asks, then run it again."
}

var statusWords = map[int]struct{ message, next string }{
	400: {"the request is not valid", ""},
	401: {"the credentials were not accepted", "Sign in again, or check the token."},
	402: {"the plan does not include this", "Ask the owner of the organization about the plan."},
	403: {"the credentials are known but may not do this",
		"Ask for the missing scope or role, or check the organization."},
	404: {"it does not exist", "Check the id, and that it belongs to this organization."},
	405: {"the server does not offer this", "Its version may be another one than expected."},
	407: {"the proxy wants credentials", "Put user and password into HTTPS_PROXY."},
	408: {"the server waited too long for the request", "Run it again."},
	409: {"it conflicts with what is there", "Read the current state, then decide."},
	413: {"the request is too large", "Send fewer records or less content at a time."},
	415: {"the server does not take this content type", "Check the base URL: another service may be answering."},
	422: {"the request is not valid", ""},
	429: {"too many requests", "Wait a moment, or ask for larger pages."},
	504: {"the service got no answer in time from behind it", "Try again, or ask for less."},
}

// InGoodStatus is the error of a failure that came with a good status, as a part
// of the answer's body tells it.
func (c *Client) InGoodStatus(doing, message string, env *client.Envelope, h http.Header, part []byte) *client.Error {
	p := ReadProblem("application/json", c.o.Redactor.Body("application/json", part))
	e := &client.Error{
		Class: client.ClassUpstream, Layer: client.LayerThirdParty, Status: env.Status, Doing: doing,
		Message: message, Server: p.Message, Field: p.Field,
		Next: "See what the answer tells of the reason.", More: "The Raw view shows the whole answer.",
		RequestID: RequestID(h),
		Attempts:  env.Attempts, Envelope: env,
	}
	if p.UpstreamStatus != 0 {
		e.Class = ClassOf(p.UpstreamStatus)
	}
	client.Hide(env, e, c.o.Redactor.Text)
	return e
}

// NoRecords is the message of a body that tells of an error where records belong.
const NoRecords = "an error came instead of records, with a status that says all is well"

// ClassOfCode reads the class of a GraphQL error from a server's code, or from
// a text in which codes stand.
func ClassOfCode(text string) client.Class {
	folded := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(text))
	for _, known := range codes {
		if Mentions(folded, known.words...) {
			return known.class
		}
	}
	return client.ClassInvalid
}

var codes = []struct {
	class client.Class
	words []string
}{
	{client.ClassRateLimited, []string{"ratelimit", "throttle", "complexity", "minutelimit", "concurrency"}},
	{client.ClassAuth, []string{"unauthenticated", "notauthenticated"}},
	{client.ClassScope, []string{"unauthorized", "forbidden", "scope", "permission"}},
	{client.ClassNotFound, []string{"notfound"}},
	{client.ClassUpstream, []string{"internal", "timeout", "serviceunavailable"}},
}
