package hosted

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// ErrChooseOrganization is wrapped by errors of services that want to know the
// organization: the credentials reach several.
var ErrChooseOrganization = errors.New("several organizations are reachable, and none is chosen")

// ErrWrongOrganization is wrapped by errors of services that the credentials are right
// for, but not the organization that is chosen.
var ErrWrongOrganization = errors.New("the credentials do not reach the organization that is chosen")

// ErrListingUnsupported is wrapped by errors of services that do not list what
// was asked for; the profile's known connectors stand in.
var ErrListingUnsupported = errors.New("the service does not offer this listing")

func wantsOrganization(said string) bool {
	return strings.Contains(strings.ToLower(said), "specify target organization")
}

func chooseOrganization(e *client.Error) {
	e.Class, e.Err = client.ClassConfig, ErrChooseOrganization
	e.Message = "the credentials reach several organizations, and none is chosen"
	e.Next = "Choose one: patchbay organizations list, then patchbay organizations use ID, or set " +
		"PLATFORM_ORGANIZATION_ID."
	e.Field = "organization_id"
}

func wrongOrganization(e *client.Error, id string) {
	e.Class, e.Err = client.ClassScope, ErrWrongOrganization
	e.Message = "the client id and secret do not reach the organization " + id
	e.Next = "Choose another one: patchbay organizations list, then patchbay organizations use ID, or set " +
		"PLATFORM_ORGANIZATION_ID."
	e.Field = "organization_id"
}

// failure turns a bad status into an error that knows about tokens, organizations
// and the operation.
func (c *Client) failure(
	r request, call transport.Call, res *transport.Result, tok transport.Token,
) *client.Error {
	e := c.t.Failure(call, res)
	switch {
	case e.Layer == client.LayerThirdParty:
		refineThirdParty(e, r)
	case e.Layer != client.LayerHosted:
	case wantsOrganization(e.Server):
		chooseOrganization(e)
	case e.Status == http.StatusUnauthorized:
		c.unauthorized(e, tok)
	case e.Status == http.StatusForbidden && strings.Contains(strings.ToLower(e.Server), "organi"):
		e.Message = "the organization does not allow this"
		e.Next = "The organization in use is " + c.organizationInWords() +
			"; choose another one with patchbay organizations use ID."
	case e.Status == http.StatusForbidden:
		e.Next = "Ask for the missing scope or role. The organization in use is " + c.organizationInWords() + "."
	case e.Status == http.StatusNotFound:
		notFound(e, r)
	}
	return e
}

// unauthorized tells an expired token from one that was never right.
func (c *Client) unauthorized(e *client.Error, tok transport.Token) {
	now := c.t.Now()
	switch {
	case !tok.Ends.IsZero() && now.After(tok.Ends):
		e.Message = fmt.Sprintf("the token expired %s ago", now.Sub(tok.Ends).Round(time.Second))
		e.Next = "Set a new PLATFORM_TOKEN, or sign in with client id and secret, which renew it."
	case tok.Fetched:
		e.Message = "a new token was not accepted either"
		e.Next = "Check that base_url and token_path belong to the same service, and the organization: " +
			c.organizationInWords() + "."
	default:
		e.Message = "the token was not accepted"
		e.Next = "Check that the token belongs to " + c.base.Host + ", or sign in with client id and secret."
	}
}

func (c *Client) organizationInWords() string {
	if org := c.Organization(); org != "" {
		return org
	}
	return "the default one of the credentials"
}

// refineThirdParty says whose credentials were refused, and for what.
func refineThirdParty(e *client.Error, r request) {
	switch {
	case r.target.ConnectorID == "":
	case e.Class == client.ClassAuth:
		e.Message = "the third party did not accept the connector's credentials"
		e.Next = fmt.Sprintf("Renew the credentials of %s; patchbay doctor checks them.", named(r.target))
	case e.Class == client.ClassScope:
		e.Message = fmt.Sprintf("the connector's credentials may not %s %s", r.op.Action, r.op.Entity)
		e.Next = "Give them the missing scope in the third party's settings."
	}
}

// notFound says what is not there: the workspace or the connector, or what is asked of it.
func notFound(e *client.Error, r request) {
	said := strings.ToLower(e.Server)
	switch {
	case r.target.ConnectorID == "":
		if r.target.Workspace != "" && (said == "" || strings.Contains(said, "workspace")) {
			e.Message = fmt.Sprintf("there is no workspace %q", r.target.Workspace)
			e.Next = "patchbay workspaces list shows those of the organization."
			e.Field = "workspace_name"
		}
	case strings.Contains(said, "entity") || strings.Contains(said, "action"):
		e.Message = fmt.Sprintf("the service does not know %s %s on this connector", r.op.Action, r.op.Entity)
		e.Next = "patchbay connectors describe lists what it knows."
	case strings.Contains(said, "connector"):
		e.Message = "there is no connector " + named(r.target)
		e.Next = "It may be deleted, or belong to another organization: patchbay connectors list shows those of a " +
			"workspace."
	default:
		e.Message = fmt.Sprintf("not found: the connector %s, or the record that was asked for", named(r.target))
		e.Next = "Check the ids in the params, then the connector's id."
	}
}

func named(t client.Target) string { return cmp.Or(t.Name, t.ConnectorID) }

// unreadable says why an answer of status 2xx cannot be read.
func (c *Client) unreadable(r request, res *transport.Result, cause error) *client.Error {
	contentType := res.Header.Get("Content-Type")
	e := &client.Error{
		Class: client.ClassBadResponse, Layer: client.LayerHosted, Status: res.Status, Doing: r.doing,
		Attempts: res.Attempts, Err: cause, RequestID: transport.RequestID(res.Header),
		Envelope: &client.Envelope{Body: res.Body, Shape: client.ShapeOther, Status: res.Status,
			ContentType: contentType, Attempts: res.Attempts},
	}
	body := res.Body.Slice(0, min(res.Body.Len(), readBody))
	p := transport.ReadProblem(contentType, c.t.Redactor().Body(contentType, body))
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		e.Message = "the answer is empty"
		e.Next = "Run it again; check the base URL if it stays."
	case p.HTML:
		e.Layer, e.Server = client.LayerProxy, p.Message
		e.Message = "a web page came back instead of an answer"
		e.Next = "A proxy or sign-in page answered, or the base URL is that of a web application. Check both."
	case contentType != "" && !strings.Contains(contentType, "json"):
		e.Message = fmt.Sprintf("the answer is not JSON but %s", contentType)
		e.Next, e.More = "Check the base URL.", seeRaw
	case transport.Failed(member(rawjson.Parse(body), "status")) && rawjson.Valid(body):
		e.Class, e.Server = client.ClassUpstream, p.Message
		e.Message = "an error came instead of the answer, with a status that says all is well"
		e.Next = "Its owner knows what the error means."
	case rawjson.Valid(body):
		e.Server = p.Message
		e.Message = "the answer is not of the form that this call has"
		e.Next, e.More = "Another server may have answered: check the base URL.", seeRaw
	default:
		e.Message = "the answer is not whole or not valid JSON"
		e.Next, e.More = "Run it again.", seeRaw
	}
	return e
}

// seeRaw says where the screen shows an answer that cannot be read.
const seeRaw = "The Raw view shows what came."

// doubted is the error of an answer of status 2xx: unless it says that a write was
// refused, nobody knows whether it was carried out.
func (c *Client) doubted(r request, e *client.Error) *client.Error {
	if r.write && e.Doubtful() {
		e.Fate = client.FateUnknown
	}
	return c.settled(r, e)
}

// settled says of a write what became of it, and how to see that.
func (c *Client) settled(r request, e *client.Error) *client.Error {
	if r.op.Entity != "" {
		return transport.Settle(e, c.kind(r.target.Kind), r.target, r.op)
	}
	return e.Settle(nil, "patchbay connectors list shows the connectors")
}
