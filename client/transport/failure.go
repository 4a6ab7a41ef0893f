package transport

import (
	"fmt"
	"net/http"
	"strings"

	"patchbay/client"
)

// Failure turns an answer with a bad status into an error: class, layer, what
// the server said and the next step. The caller may know more and refine it.
func (c *Client) Failure(call Call, r *Result) *client.Error {
	contentType := r.Header.Get("Content-Type")
	p := ReadProblem(contentType, r.Body.Slice(0, min(r.Body.Len(), readBody)))
	e := &client.Error{
		Class: ClassOf(r.Status), Layer: call.Layer, Status: r.Status, Doing: call.Doing,
		Server: c.o.Redactor.Text(p.Message), Field: p.Field,
		RetryAfter: RetryAfter(r.Header, c.o.Now()), RequestID: RequestID(r.Header), Attempts: r.Attempts,
		Envelope: &client.Envelope{
			Body: r.Body, Shape: client.ShapeOther, Status: r.Status, ContentType: contentType,
			Started: r.Started, Took: r.Took, Attempts: r.Attempts,
		},
	}
	if e.Layer == "" {
		e.Layer = client.LayerHosted
	}
	if p.ThirdParty {
		e.Layer = client.LayerThirdParty
	}
	if p.HTML || r.Status == http.StatusProxyAuthRequired {
		e.Layer = client.LayerProxy
	}
	e.Message, e.Next = words(e)
	if p.UpstreamStatus != 0 && p.UpstreamStatus != r.Status {
		e.Message += fmt.Sprintf(" (the third party answered %d)", p.UpstreamStatus)
	}
	return e
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
			"Something between you and the service answered: a proxy, a sign-in page, a wrong base URL. Check the base URL and the network."
	}
	said := fmt.Sprintf("status %d %s", e.Status, strings.ToLower(http.StatusText(e.Status)))
	for _, w := range statusWords {
		if w.status == e.Status {
			return w.message + " (" + strings.TrimSpace(said) + ")", w.next
		}
	}
	if e.Status >= 500 {
		return fmt.Sprintf("the %s failed (%s)", e.Layer, strings.TrimSpace(said)), "Try again later; the request id helps its owner find the reason."
	}
	return fmt.Sprintf("the %s did not accept the request (%s)", e.Layer, strings.TrimSpace(said)), "Compare the request with the catalog's docs."
}

var statusWords = []struct {
	status        int
	message, next string
}{
	{400, "the request is not valid", "Correct the params it names."},
	{401, "the credentials were not accepted", "Sign in again, or check the token."},
	{402, "the plan does not include this", "Ask the owner of the organization about the plan."},
	{403, "the credentials are known but may not do this", "Ask for the missing scope or role, or check the organization."},
	{404, "it does not exist", "Check the id, and that it belongs to this organization."},
	{405, "the server does not offer this", "Its version may be another one than expected."},
	{407, "the proxy wants credentials", "Put user and password into HTTPS_PROXY."},
	{408, "the server waited too long for the request", "Run it again."},
	{409, "it conflicts with what is there", "Read the current state, then decide."},
	{413, "the request is too large", "Send fewer records or less content at a time."},
	{415, "the server does not take this content type", "Check the base URL: another service may be answering."},
	{422, "the request is not valid", "Correct the params it names."},
	{429, "too many requests", "Wait a moment, or ask for larger pages."},
	{504, "the service got no answer in time from behind it", "Try again, or ask for less."},
}
