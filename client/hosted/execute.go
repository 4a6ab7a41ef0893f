package hosted

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// tokenVariable is the environment variable that copied calls name instead of the token.
const tokenVariable = "PLATFORM_TOKEN"

// executeBody is the body of an execute call in the documented order.
type executeBody struct {
	Entity        string          `json:"entity"`
	Action        string          `json:"action"`
	Params        json.RawMessage `json:"params,omitempty"`
	SelectFields  []string        `json:"select_fields,omitempty"`
	ExcludeFields []string        `json:"exclude_fields,omitempty"`
}

// Execute implements client.Executor.
func (c *Client) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	r, entity, action, err := c.prepare(t, op)
	if err == nil {
		err = c.allowed(r)
	}
	if err != nil {
		return nil, err
	}
	var kept *store
	r.sink = func(int64) transport.Sink { kept = &store{}; return kept }
	res, err := c.send(ctx, r)
	if err != nil {
		return c.broke(t, op, res, kept, entity, action, err)
	}
	env := c.envelope(res)
	if kept == nil || kept.Len() == 0 {
		return env, c.emptyAnswer(r, res)
	}
	kept.scan.finish()
	readEnvelope(env, &kept.scan, entity, action, op.Action)
	if err := c.verdict(r, res, env, &kept.scan, action); err != nil {
		return env, err
	}
	return env, c.errorBody(r, res, env, &kept.scan, entity)
}

// broke refines the error of a call and keeps what arrived of its answer.
func (c *Client) broke(t client.Target, op client.Operation, res *transport.Result, kept *store, entity *catalog.Entity, action *catalog.Action, err error) (*client.Envelope, error) {
	e := client.AsError(err)
	refineExecute(e, t, op)
	if kept != nil && kept.Len() > 0 && res != nil && res.OK() {
		env := c.envelope(res)
		readEnvelope(env, &kept.scan, entity, action, op.Action)
		e.Envelope = env
	}
	if e.Envelope != nil {
		e.Envelope.Names = c.cfg.Names
		e.Envelope.Attempts = e.Attempts
	}
	return e.Envelope, e
}

func (c *Client) envelope(res *transport.Result) *client.Envelope {
	return &client.Envelope{
		Body: res.Body, Shape: client.ShapeOther, Names: c.cfg.Names,
		Status: res.Status, ContentType: res.Header.Get("Content-Type"),
		Started: res.Started, Took: res.Took, Attempts: res.Attempts,
		FileName: fileName(res.Header),
	}
}

// allowed refuses writes of a read-only client.
func (c *Client) allowed(r request) error {
	if !r.write || !c.cfg.ReadOnly {
		return nil
	}
	return &client.Error{
		Class: client.ClassRefused, Layer: client.LayerProgram, Doing: r.doing,
		Message: "the profile is read-only, and this operation changes data",
		Next:    "Use a profile without read_only, or leave out --read-only.",
	}
}

// prepare builds the request of an operation, or says why it cannot be built.
func (c *Client) prepare(t client.Target, op client.Operation) (request, *catalog.Entity, *catalog.Action, error) {
	entity, action := c.lookUp(t.Kind, op)
	doing := fmt.Sprintf("%s %s", op.Action, op.Entity)
	fail := func(class client.Class, message, next string) (request, *catalog.Entity, *catalog.Action, error) {
		return request{}, nil, nil, &client.Error{Class: class, Layer: client.LayerProgram, Doing: doing, Message: message, Next: next}
	}
	writes := op.Writes() || action != nil && action.Writes()
	switch {
	case c.broken != nil:
		e := *c.broken
		e.Doing = doing
		return request{}, nil, nil, &e
	case t.ConnectorID == "":
		return fail(client.ClassInvalid, "the connector has no id", "Choose a connector of a workspace, or give its id.")
	}
	body, err := c.executeBody(t, op, entity, action)
	if err != nil {
		return fail(client.ClassInvalid, err.Error(), "Give the params as one JSON object.")
	}
	raw, err := encodeJSON(body)
	if err != nil {
		return fail(client.ClassInvalid, "the params are not valid JSON: "+err.Error(), "Correct the params.")
	}
	return request{
		method: http.MethodPost, path: apiPath + "/integrations/connectors/" + url.PathEscape(t.ConnectorID) + "/execute",
		raw: raw, write: writes, doing: doing,
	}, entity, action, nil
}

func (c *Client) lookUp(kind string, op client.Operation) (*catalog.Entity, *catalog.Action) {
	k := c.kind(kind)
	if k == nil {
		return nil, nil
	}
	e := k.Entity(op.Entity)
	if e == nil {
		return nil, nil
	}
	return e, e.Action(op.Action)
}

func (c *Client) executeBody(t client.Target, op client.Operation, entity *catalog.Entity, action *catalog.Action) (executeBody, error) {
	b := executeBody{Entity: op.Entity, Action: op.Action, SelectFields: op.SelectFields, ExcludeFields: op.ExcludeFields}
	params, err := object(op.Params)
	if err != nil {
		return b, err
	}
	if op.Action == catalog.ActionSemanticSearch {
		b.Action = catalog.ActionContextStoreSearch
		if params, err = semanticParams(params); err != nil {
			return b, err
		}
	}
	if action != nil && action.SentAs != "" {
		b.Action = action.SentAs
	}
	if c.cfg.Names == client.Wire && action != nil {
		params = catalog.ToWire(c.kind(t.Kind), entity, action, params)
		b.SelectFields, b.ExcludeFields = wirePaths(entity, action, op.SelectFields), wirePaths(entity, action, op.ExcludeFields)
	}
	b.Params = params
	return b, nil
}

// wirePaths writes record fields in wire names. What lies deeper than the record
// tells may be known from the searchable fields.
func wirePaths(entity *catalog.Entity, action *catalog.Action, paths []string) []string {
	var out []string
	for _, path := range paths {
		wire := catalog.WirePath(entity.RecordOf(action), path)
		if wire == path {
			wire = catalog.WirePath(entity.Search, path)
		}
		out = append(out, wire)
	}
	return out
}

// object returns params as compact JSON, nil when there are none.
func object(params json.RawMessage) (json.RawMessage, error) {
	text := bytes.TrimSpace(params)
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	if text[0] != '{' {
		return nil, fmt.Errorf("the params are not a JSON object")
	}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return nil, fmt.Errorf("the params are not valid JSON: %w", err)
	}
	if b.String() == "{}" {
		return nil, nil
	}
	return b.Bytes(), nil
}

// Preview implements client.Executor.
func (c *Client) Preview(t client.Target, op client.Operation) (*client.Request, error) {
	r, _, _, err := c.prepare(t, op)
	if err != nil {
		return nil, err
	}
	return c.preview(r), nil
}

// preview writes a request out with a variable in place of the token.
func (c *Client) preview(r request) *client.Request {
	p := &client.Request{
		Method: r.method, URL: c.address(r.path, r.query), Body: r.raw,
		Headers: []client.RequestHeader{{Name: "Authorization", Value: "Bearer ${" + tokenVariable + "}", Template: true}},
		Env:     []client.EnvVar{{Name: tokenVariable, Meaning: "bearer token of the service; patchbay token --reveal prints one"}},
	}
	if org := c.Organization(); org != "" {
		p.Headers = append(p.Headers, client.RequestHeader{Name: "X-Organization-Id", Value: org})
	}
	if r.raw != nil {
		p.Headers = append(p.Headers, client.RequestHeader{Name: "Content-Type", Value: "application/json"})
	}
	return p
}

// Download implements client.Executor.
func (c *Client) Download(ctx context.Context, t client.Target, op client.Operation, w io.Writer) (*client.Envelope, error) {
	r, _, _, err := c.prepare(t, op)
	if err == nil {
		err = c.allowed(r)
	}
	if err != nil {
		return nil, err
	}
	r.out = w
	res, err := c.send(ctx, r)
	if err != nil {
		e := client.AsError(err)
		refineExecute(e, t, op)
		return e.Envelope, e
	}
	env := c.envelope(res)
	env.Body = client.Bytes(nil)
	if strings.Contains(env.ContentType, "html") {
		env.Warning = "the file is a web page; a proxy or sign-in page may have answered in place of the service"
	}
	if n := len(res.Attempts); n > 0 && res.Attempts[n-1].ResponseBytes == 0 {
		return env, &client.Error{
			Class: client.ClassBadResponse, Layer: client.LayerHosted, Status: res.Status, Doing: r.doing, Attempts: res.Attempts,
			Message: "the service answered with an empty file",
			Next:    "The service is known to do that when the third party has no such file; check the id.",
		}
	}
	return env, nil
}

// fileName reads what a server suggests to call a download: the last part of a
// path, without anything that a file system or a terminal could trip over.
func fileName(h http.Header) string {
	_, params, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(params["filename"], "_"), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || strings.ContainsRune(`<>:"/|?*`, r) || r >= 0x80 && r < 0xa0 ||
			r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f {
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(name, " .")
	const longest = 200
	if len(name) > longest {
		name = strings.ToValidUTF8(name[len(name)-longest:], "")
	}
	return name
}
