package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"patchbay/client"
	"patchbay/client/preflight"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

func connectorPath(id string) string {
	return apiPath + "/integrations/connectors/" + url.PathEscape(id)
}

// about is a request about one connector; what stands before "the connector" in errors.
func about(method, id, path, what string) request {
	return request{method: method, path: connectorPath(id) + path, doing: what + " the connector " + id,
		target: client.Target{ConnectorID: id}}
}

// createRequest is the request that creates a connector, unless it would be refused.
func (c *Client) createRequest(n client.NewConnector) (request, error) {
	r := request{method: http.MethodPost, path: apiPath + "/integrations/connectors", write: true,
		doing: "create the connector " + n.Name, target: client.Target{Workspace: n.Workspace}}
	wrong := func(field, message string) (request, error) {
		return r, r.wrong(field, message, "Complete the form or the payload.")
	}
	credentials, err := rawjson.CompactObject(n.Credentials)
	if err != nil {
		return wrong("credentials", "the credentials are not a JSON object")
	}
	replication, err := rawjson.CompactObject(n.ReplicationConfig)
	if err != nil {
		return wrong("replication_config", "replication_config is not a JSON object")
	}
	switch {
	case n.Workspace == "":
		return wrong("workspace_name", "no workspace is given")
	case n.ConnectorType == "":
		return wrong("connector_type", "no connector type is given")
	case credentials == nil && replication == nil:
		return wrong("credentials", "neither credentials nor replication_config are given")
	}
	if e := preflight.Create(c.kind(n.ConnectorType), n); e != nil && !n.Unchecked {
		e.Doing = r.doing
		return r, e
	}
	body := rawjson.NewMap("workspace_name", n.Workspace, "connector_type", n.ConnectorType)
	if n.Name != "" {
		body.Add("name", n.Name)
	}
	if credentials != nil {
		body.Add("credentials", credentials)
	}
	if replication != nil {
		body.Add("replication_config", replication)
	}
	r.body = body.JSON()
	return r, nil
}

// CreateConnector creates a connector. The credentials are tried by the service
// only when it is used: check it afterwards.
func (c *Client) CreateConnector(ctx context.Context, n client.NewConnector) (client.Connector, error) {
	r, err := c.createRequest(n)
	if err != nil {
		return client.Connector{}, err
	}
	for v := range rawjson.Parse(n.Credentials).Scalars() {
		if v.Kind() == rawjson.String {
			c.t.Redactor().Add(secret.New(v.Text())) // before it travels
		}
	}
	res, err := c.send(ctx, r)
	if err != nil {
		return client.Connector{}, err
	}
	body := res.Body.Slice(0, res.Body.Len())
	id := idWithin(rawjson.Parse(body), 0)
	if id == "" {
		return client.Connector{}, c.doubted(r, c.unreadable(r, res, nil))
	}
	made, err := c.connector(body, n.Workspace)
	if err != nil {
		made = client.Connector{Workspace: n.Workspace, Raw: body}
	}
	made.ID, made.Name, made.Type = id, cmp.Or(made.Name, n.Name), cmp.Or(made.Type, n.ConnectorType)
	if k := c.kind(made.Type); made.Kind == "" && k != nil {
		made.Kind = k.Name
	}
	return made, nil
}

// idWithin finds the new connector's id in the answer, whatever its shape: at the
// usual names of the root, else of an object within it.
func idWithin(n rawjson.Node, depth int) string {
	id := first(n, "id", "connector_id", "connectorId", "source_id", "sourceId", "uuid")
	for _, name := range []string{"connector", "data", "result", "source"} {
		if inner, ok := n.Get(name); ok && id == "" && depth < 3 {
			id = idWithin(inner, depth+1)
		}
	}
	return id
}

// PreviewCreate returns the exact request of CreateConnector; each credential
// stands in it as the name of an environment variable.
func (c *Client) PreviewCreate(n client.NewConnector) (*client.Request, error) {
	var env []client.EnvVar
	if given := rawjson.ParseMap(n.Credentials); given != nil {
		for i, field := range given.Keys {
			name := client.EnvWord(n.ConnectorType + "_" + field)
			given.Vals[i] = "${" + name + "}"
			env = append(env, client.EnvVar{Name: name, Meaning: "credential " + field})
		}
		n.Credentials = given.JSON()
	}
	r, err := c.createRequest(n)
	if err == nil {
		err = c.usable(r.doing)
	}
	if err != nil {
		return nil, err
	}
	p := c.preview(r)
	p.Env = append(p.Env, env...)
	if len(env) > 0 {
		p.Notes = append(p.Notes, "The credentials stand in the body as ${NAME}; replace them where the request is "+
			"sent.")
	}
	return p, nil
}

// DeleteConnector deletes a connector. The service does that in the background
// and tells the id of the job; empty when it does not.
func (c *Client) DeleteConnector(ctx context.Context, id string) (job string, err error) {
	r := about(http.MethodDelete, id, "", "delete")
	r.write = true
	res, err := c.send(ctx, r)
	if err != nil {
		return "", err
	}
	// An answer without a job is as good: the status says that it was accepted.
	return first(rawjson.Root(res.Body), "job_id"), nil
}

type checkAnswer struct {
	Status        string `json:"status"`
	ErrorMessage  string `json:"error_message"`
	FailureReason *struct {
		ExternalMessage string `json:"external_message"`
		FailureType     string `json:"failure_type"`
	} `json:"failure_reason"`
	Entities []struct {
		Entity       string `json:"entity"`
		Status       string `json:"status"`
		StatusCode   int    `json:"status_code"`
		ErrorMessage string `json:"error_message"`
	} `json:"entity_check_results"`
}

// tellsCheck is an object with the status of a check, or with the id of one that has
// none yet.
func tellsCheck(n rawjson.Node) bool {
	status := first(n, "status")
	return status == "" && first(n, "id") != "" || slices.Contains([]string{"succeeded", "failed", "pending", "running",
		"inconclusive", "skipped", "cancelled"}, status)
}

// CheckConnector lets the service try the connector's credentials. It changes nothing.
func (c *Client) CheckConnector(ctx context.Context, id string) (client.Check, error) {
	r := about(http.MethodPost, id, "/check", "check")
	r.body = json.RawMessage("{}")
	var a checkAnswer
	if _, err := c.ask(ctx, r, &a, tellsCheck); err != nil {
		return client.Check{}, err
	}
	red := c.t.Redactor()
	out := client.Check{Status: a.Status, Message: red.Text(a.ErrorMessage)}
	if a.FailureReason != nil && out.Message == "" {
		out.Message = red.Text(cmp.Or(a.FailureReason.ExternalMessage, a.FailureReason.FailureType))
	}
	for _, e := range a.Entities {
		out.Entities = append(out.Entities, client.EntityCheck{Entity: e.Entity, Status: e.Status,
			HTTPStatus: e.StatusCode, Message: red.Text(e.ErrorMessage), Next: nextOfCheck(e.Status, e.StatusCode)})
	}
	return out, nil
}

// nextOfCheck says what a person does about a status that the third party gave.
func nextOfCheck(status string, code int) string {
	if status == "succeeded" || status == "skipped" {
		return ""
	}
	switch transport.ClassOf(code) {
	case client.ClassAuth:
		return "Renew the connector's credentials."
	case client.ClassScope:
		return "Give the credentials the missing scope in the third party's settings."
	case client.ClassRateLimited:
		return "The third party limits requests; check again later."
	case client.ClassNotFound:
		return "The account may not have this part of the product."
	case client.ClassUpstream:
		return "The third party failed; check again later."
	}
	return "Run the list action of the entity to see the whole answer."
}
