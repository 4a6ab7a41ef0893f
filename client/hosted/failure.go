package hosted

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// ErrChooseOrganization is wrapped by errors of services that want to know the
// organization: the credentials reach several.
var ErrChooseOrganization = errors.New("several organizations are reachable, and none is chosen")

// ErrListingUnsupported is wrapped by errors of services that do not list what
// was asked for; the profile's known connectors stand in.
var ErrListingUnsupported = errors.New("the service does not offer this listing")

func wantsOrganization(said string) bool {
	return strings.Contains(strings.ToLower(said), "specify target organization")
}

func chooseOrganization(e *client.Error) *client.Error {
	e.Class, e.Err = client.ClassConfig, ErrChooseOrganization
	e.Message = "the credentials reach several organizations, and none is chosen"
	e.Next = "Choose one: patchbay organizations list, then patchbay organizations use ID, or set PLATFORM_ORGANIZATION_ID."
	e.Field = "organization_id"
	return e
}

func thirdParty(res *transport.Result) bool {
	p := transport.ReadProblem(res.Header.Get("Content-Type"), res.Body.Slice(0, min(res.Body.Len(), 1<<20)))
	return p.ThirdParty
}

// failure turns a bad status into an error that knows about tokens and organizations.
func (c *Client) failure(call transport.Call, res *transport.Result, tok token) *client.Error {
	e := c.t.Failure(call, res)
	if e.Layer != client.LayerHosted {
		return e
	}
	switch {
	case wantsOrganization(e.Server):
		return chooseOrganization(e)
	case e.Status == http.StatusUnauthorized:
		c.unauthorized(e, tok)
	case e.Status == http.StatusForbidden:
		c.forbidden(e)
	}
	return e
}

// unauthorized tells an expired token from one that was never right.
func (c *Client) unauthorized(e *client.Error, tok token) {
	now := c.t.Now()
	switch {
	case !tok.ends.IsZero() && now.After(tok.ends):
		e.Message = fmt.Sprintf("the token expired %s ago", now.Sub(tok.ends).Round(time.Second))
		e.Next = "Set a new PLATFORM_TOKEN, or sign in with client id and secret, which renew it."
	case tok.fetched:
		e.Message = "a new token was not accepted either"
		e.Next = "Check that base_url and token_path belong to the same service, and the organization: " + c.organizationInWords() + "."
	default:
		e.Message = "the token was not accepted"
		e.Next = "Check that the token belongs to " + c.base.Host + ", or sign in with client id and secret."
	}
}

func (c *Client) forbidden(e *client.Error) {
	if strings.Contains(strings.ToLower(e.Server), "organi") {
		e.Message = "the organization does not allow this"
		e.Next = "The organization in use is " + c.organizationInWords() + "; choose another one with patchbay organizations use ID."
		return
	}
	e.Next = "Ask for the missing scope or role. The organization in use is " + c.organizationInWords() + "."
}

func (c *Client) organizationInWords() string {
	if org := c.Organization(); org != "" {
		return org
	}
	return "the default one of the credentials"
}

// refineExecute adds what is known about the operation that failed.
func refineExecute(e *client.Error, t client.Target, op client.Operation) {
	if e.Layer == client.LayerThirdParty {
		switch e.Class {
		case client.ClassAuth:
			e.Message = "the third party did not accept the connector's credentials"
			e.Next = fmt.Sprintf("Renew the credentials of %s; patchbay doctor checks them.", named(t))
		case client.ClassScope:
			e.Message = fmt.Sprintf("the connector's credentials may not %s %s", op.Action, op.Entity)
			e.Next = "Give them the missing scope in the third party's settings."
		}
		return
	}
	if e.Status != http.StatusNotFound || e.Layer != client.LayerHosted {
		return
	}
	said := strings.ToLower(e.Server)
	switch {
	case strings.Contains(said, "entity") || strings.Contains(said, "action"):
		e.Message = fmt.Sprintf("the service does not know %s %s on this connector", op.Action, op.Entity)
		e.Next = "patchbay connectors describe lists what it knows."
	case strings.Contains(said, "connector"):
		e.Message = "there is no connector " + named(t)
		e.Next = "It may be deleted, or belong to another organization: patchbay connectors list shows those of a workspace."
	default:
		e.Message = fmt.Sprintf("not found: the connector %s, or the record that was asked for", named(t))
		e.Next = "Check the ids in the params, then the connector's id."
	}
}

func named(t client.Target) string {
	if t.Name != "" {
		return t.Name
	}
	return t.ConnectorID
}

// unreadable says why an answer of status 2xx cannot be read.
func (c *Client) unreadable(doing string, res *transport.Result, body []byte, cause error) *client.Error {
	contentType := res.Header.Get("Content-Type")
	e := &client.Error{
		Class: client.ClassBadResponse, Layer: client.LayerHosted, Status: res.Status, Doing: doing, Attempts: res.Attempts, Err: cause,
		RequestID: transport.RequestID(res.Header),
		Envelope:  &client.Envelope{Body: res.Body, Shape: client.ShapeOther, Status: res.Status, ContentType: contentType, Attempts: res.Attempts},
	}
	p := transport.ReadProblem(contentType, body)
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		e.Message = "the answer is empty"
		e.Next = "Run it again; check the base URL if it stays."
	case p.HTML:
		e.Layer, e.Server = client.LayerProxy, c.t.Redactor().Text(p.Message)
		e.Message = "a web page came back instead of an answer"
		e.Next = "A proxy or sign-in page answered, or the base URL is that of a web application. Check both."
	case contentType != "" && !strings.Contains(contentType, "json"):
		e.Message = fmt.Sprintf("the answer is not JSON but %s", contentType)
		e.Next = "Check the base URL. The Raw view shows what came."
	default:
		e.Message = "the answer is not whole or not valid JSON"
		e.Next = "Run it again. The Raw view shows what came."
	}
	return e
}

// emptyAnswer is no error where nothing was to be expected.
func (c *Client) emptyAnswer(r request, res *transport.Result) error {
	if res.Status == http.StatusNoContent || res.Status == http.StatusAccepted || r.write && res.Status == http.StatusResetContent {
		return nil
	}
	return c.sure(r, c.unreadable(r.doing, res, nil, nil))
}

// sure adds that the fate of a write is unknown.
func (c *Client) sure(r request, e *client.Error) *client.Error {
	if r.write {
		e.Next += " It is not known whether the change was made: look before you repeat it."
	}
	return e
}

// verdict checks an answer of status 2xx that has a body.
func (c *Client) verdict(r request, res *transport.Result, env *client.Envelope, s *scan, action *catalog.Action) error {
	if !s.complete() || s.at("").kind == 0 && !looksLikeJSON(env.Body) {
		head := env.Body.Slice(0, min(env.Body.Len(), 64<<10))
		e := c.unreadable(r.doing, res, head, nil)
		e.Envelope = env
		return c.sure(r, e)
	}
	if env.Shape == client.ShapeService {
		if err := c.serviceVerdict(r, res, env, s); err != nil {
			return err
		}
	}
	return c.graphQLErrors(r, res, env, s, action)
}

func looksLikeJSON(b client.Body) bool {
	text := strings.TrimSpace(string(b.Slice(0, min(b.Len(), 64))))
	return text == "null" || text == "true" || text == "false" || strings.IndexByte("-0123456789", text[0]) >= 0
}

// serviceVerdict reads a failure that came with a good status.
func (c *Client) serviceVerdict(r request, res *transport.Result, env *client.Envelope, s *scan) error {
	rd := &reader{s: s, body: env.Body}
	switch status := strings.ToLower(rd.string("status")); status {
	case "error", "failed", "failure":
		p := transport.ReadProblem("application/json", env.Body.Slice(0, min(env.Body.Len(), 1<<20)))
		e := &client.Error{
			Class: client.ClassUpstream, Layer: client.LayerThirdParty, Status: res.Status, Doing: r.doing, Attempts: res.Attempts, Envelope: env,
			Message: "the service reports status " + status, Server: c.t.Redactor().Text(p.Message), Field: p.Field,
			Next: "The Raw view shows the whole answer.", RequestID: transport.RequestID(res.Header),
		}
		if p.UpstreamStatus != 0 {
			e.Class = transport.ClassOf(p.UpstreamStatus)
		}
		return e
	}
	return nil
}
