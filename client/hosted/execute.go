package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// tokenVariable is the environment variable that copied calls name instead of the token.
const tokenVariable = "PLATFORM_TOKEN"

// Execute implements client.Executor.
func (c *Client) Execute(ctx context.Context, t client.Target, op client.Operation) (
	env *client.Envelope, err error,
) {
	defer func() { client.Hide(env, err, c.t.Redactor().Text) }()
	r, err := c.prepare(t, op)
	if err != nil {
		return nil, err
	}
	res, err := c.send(ctx, r)
	if err != nil {
		return c.broke(r, res, err)
	}
	if r.target.Kind == "" {
		c.Learned(ctx, t.ConnectorID)
		c.resolve(&r)
	}
	x := c.read(r, res)
	if err := x.verdict(); err != nil {
		return x.env, c.doubted(r, client.AsError(err))
	}
	return x.env, nil
}

// broke keeps what arrived of the answer to a call that failed.
func (c *Client) broke(r request, res *transport.Result, err error) (*client.Envelope, error) {
	e := client.AsError(err)
	if res != nil && res.OK() && res.Body.Len() > 0 {
		e.Envelope = c.read(r, res).env
	}
	if e.Envelope != nil {
		e.Envelope.Names = c.cfg.Names
		e.Envelope.Attempts = e.Attempts
	}
	return e.Envelope, e
}

// prepare builds the request of an operation, or says why it cannot be built.
func (c *Client) prepare(t client.Target, op client.Operation) (request, error) {
	r := request{method: http.MethodPost, path: connectorPath(t.ConnectorID) + "/execute", target: t, op: op,
		doing: op.Action + " " + op.Entity}
	c.resolve(&r)
	r.write = catalog.Writes(op.Action, r.action)
	if err := c.usable(r.doing); err != nil {
		return r, err
	}
	if t.ConnectorID == "" {
		return r, r.wrong("", "the connector has no id", "Choose a connector of a workspace, or give its id.")
	}
	params, err := rawjson.CompactObject(op.Params)
	if err != nil {
		return r, r.wrong("", fmt.Sprintf("the params are not a JSON object: %v", err),
			"Give the params as one JSON object.")
	}
	op.Params = params
	r.body = executeBody(Sent(c.wireKind(r.target, op), c.cfg.Names, op))
	return r, nil
}

// wireKind is the kind in whose names an operation is sent: that of its target. Where
// nobody told it yet, a name tells it that only one kind has for something the wire
// calls otherwise; nil where there is none.
func (c *Client) wireKind(t client.Target, op client.Operation) *catalog.Kind {
	all, lists := c.cfg.Catalog.(interface{ Kinds() []catalog.Summary })
	if k := c.kind(t.Kind); k != nil || t.Kind != "" || c.cfg.Names != client.Wire || !lists {
		return k
	}
	written := func(params json.RawMessage) string { return string(rawjson.Encode(rawjson.ParseMap(params))) }
	plain := Sent(nil, client.Wire, op)
	for _, s := range all.Kinds() {
		k := c.kind(s.Name)
		if k == nil || k.Entity(op.Entity) == nil || k.Entity(op.Entity).Action(op.Action) == nil {
			continue
		}
		sent := Sent(k, client.Wire, op)
		if written(sent.Params) != written(plain.Params) || !slices.Equal(sent.SelectFields, plain.SelectFields) ||
			!slices.Equal(sent.ExcludeFields, plain.ExcludeFields) {
			return k
		}
	}
	return nil
}

// executeBody is the body of an execute call in the documented order.
func executeBody(op client.Operation) json.RawMessage {
	body := rawjson.NewMap("entity", op.Entity, "action", op.Action)
	if op.Params != nil {
		body.Add("params", op.Params)
	}
	op.AddShape(body.Add)
	return body.JSON()
}

// Sent is an operation as it goes over the wire to a service that speaks these names;
// k may be nil.
func Sent(k *catalog.Kind, names client.Names, op client.Operation) client.Operation {
	if op.Action == catalog.ActionSemanticSearch {
		op.Params = semanticParams(op.Params)
	}
	var e *catalog.Entity
	var a *catalog.Action
	if k != nil {
		e = k.Entity(op.Entity)
	}
	if e != nil {
		a = e.Action(op.Action)
	}
	if a != nil {
		op.Params = a.WithoutReplaced(op.Params) // the service hands them on
	}
	if names != client.Wire {
		return op
	}
	if a != nil {
		if op.Params != nil {
			op.Params = catalog.ToWire(k, e, a, op.Params)
		}
		op.SelectFields, op.ExcludeFields = wirePaths(e, a, op.SelectFields), wirePaths(e, a, op.ExcludeFields)
	}
	op.Action = sentAs(a, op.Action)
	return op
}

// sentAs is the action that goes over the wire in wire names: the real service has no
// action of the name semantic_search, its search takes the same params.
func sentAs(a *catalog.Action, name string) string {
	switch {
	case a != nil && a.SentAs != "":
		return a.SentAs
	case name == catalog.ActionSemanticSearch:
		return catalog.ActionContextStoreSearch
	}
	return name
}

// semanticParams puts what semantic_search asks for where the service reads it:
// under "semantic", beside limit, cursor and fields.
func semanticParams(params json.RawMessage) json.RawMessage {
	given := rawjson.ParseMap(params)
	if given.Len() == 0 || given.Has("semantic") {
		return params
	}
	inner := &rawjson.Map{}
	outer := rawjson.NewMap("semantic", inner)
	for i, name := range given.Keys {
		switch value := given.Vals[i]; name {
		case "limit", "cursor", "fields":
			outer.Add(name, value)
		case "query", "text":
			inner.Add("prompt", value)
		default:
			inner.Add(name, value)
		}
	}
	if inner.Len() == 0 {
		return params
	}
	return outer.JSON()
}

// wirePaths writes record fields in wire names. What lies deeper than the record
// tells may be known from the searchable fields.
func wirePaths(e *catalog.Entity, a *catalog.Action, paths []string) []string {
	var out []string
	for _, path := range paths {
		wire := catalog.WirePath(e.RecordOf(a), path)
		if wire == path {
			wire = catalog.WirePath(e.Search, path)
		}
		out = append(out, wire)
	}
	return out
}

// Preview implements client.Executor.
func (c *Client) Preview(t client.Target, op client.Operation) (*client.Request, error) {
	r, err := c.prepare(t, op)
	if err != nil {
		return nil, err
	}
	return c.preview(r), nil
}

// preview writes a request out with a variable in place of the token.
func (c *Client) preview(r request) *client.Request {
	reveal := cmp.Or(c.cfg.Reveal, "patchbay token --reveal")
	p := &client.Request{
		Method: r.method, URL: c.address(r.path, r.query), Body: r.body,
		Headers: []client.RequestHeader{{Name: "Authorization", Value: "Bearer ${" + tokenVariable + "}",
			Template: true}},
		Env: []client.EnvVar{{Name: tokenVariable,
			Meaning: "bearer token of the service; " + reveal + " prints one"}},
	}
	if org := c.Organization(); org != "" {
		p.Headers = append(p.Headers, client.RequestHeader{Name: "X-Organization-Id", Value: org})
	}
	if r.body != nil {
		p.Headers = append(p.Headers, client.RequestHeader{Name: "Content-Type", Value: "application/json"})
	}
	if sent := sentAs(r.action, r.op.Action); c.cfg.Names == client.Wire && sent != r.op.Action {
		p.Notes = append(p.Notes, "This service has no action "+r.op.Action+": it is sent as "+sent+
			", which takes the same params, and copied texts say so.")
	}
	return p
}

// Download implements client.Executor.
func (c *Client) Download(
	ctx context.Context, t client.Target, op client.Operation, w io.Writer,
) (env *client.Envelope, err error) {
	defer func() { client.Hide(env, err, c.t.Redactor().Text) }()
	op, header := c.partOf(t, op, w)
	r, err := c.prepare(t, op)
	if err != nil {
		return nil, err
	}
	r.out, r.header = w, header
	res, err := c.send(ctx, r)
	if err != nil {
		return c.broke(r, res, err)
	}
	env = c.read(r, res).env
	if strings.Contains(env.ContentType, "html") {
		env.Warning = "the file is a web page; a proxy or sign-in page may have answered in place of the service"
	}
	if n := len(res.Attempts); n > 0 && res.Attempts[n-1].ResponseBytes == 0 {
		return env, &client.Error{
			Class: client.ClassBadResponse, Layer: client.LayerHosted, Status: res.Status, Doing: r.doing,
			Attempts: res.Attempts,
			Message:  "the service answered with an empty file",
			Next:     "The service is known to do that when the third party has no such file; check the id.",
		}
	}
	return env, nil
}
