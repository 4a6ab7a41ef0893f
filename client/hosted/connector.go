package hosted

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

type createBody struct {
	WorkspaceName     string          `json:"workspace_name"`
	ConnectorType     string          `json:"connector_type,omitempty"`
	Name              string          `json:"name,omitempty"`
	Credentials       json.RawMessage `json:"credentials,omitempty"`
	ReplicationConfig json.RawMessage `json:"replication_config,omitempty"`
}

func connectorPath(id string) string {
	return apiPath + "/integrations/connectors/" + url.PathEscape(id)
}

func createRequest(n client.NewConnector) (request, error) {
	r := request{method: http.MethodPost, path: apiPath + "/integrations/connectors", write: true, doing: "create the connector " + n.Name}
	b := createBody{WorkspaceName: n.Workspace, ConnectorType: n.ConnectorType, Name: n.Name}
	wrong := func(field, message string) (request, error) {
		return r, &client.Error{Class: client.ClassInvalid, Layer: client.LayerProgram, Doing: r.doing, Field: field, Message: message, Next: "Complete the form or the payload."}
	}
	var err error
	if b.Credentials, err = object(n.Credentials); err != nil {
		return wrong("credentials", "the credentials are not a JSON object")
	}
	if b.ReplicationConfig, err = object(n.ReplicationConfig); err != nil {
		return wrong("replication_config", "replication_config is not a JSON object")
	}
	switch {
	case n.Workspace == "":
		return wrong("workspace_name", "no workspace is given")
	case n.ConnectorType == "":
		return wrong("connector_type", "no connector type is given")
	case b.Credentials == nil && b.ReplicationConfig == nil:
		return wrong("credentials", "neither credentials nor replication_config are given")
	}
	r.body = b
	return r, nil
}

// CreateConnector creates a connector. The credentials are tried by the service
// only when it is used: check it afterwards.
func (c *Client) CreateConnector(ctx context.Context, n client.NewConnector) (client.Connector, error) {
	r, err := createRequest(n)
	if err == nil {
		err = c.allowed(r)
	}
	if err != nil {
		return client.Connector{}, err
	}
	c.learn(n.Credentials)
	res, err := c.send(ctx, r)
	if err != nil {
		return client.Connector{}, refineCreate(err, n)
	}
	body := res.Body.Slice(0, res.Body.Len())
	id := findID(body)
	if id == "" {
		return client.Connector{}, c.sure(r, c.unreadable(r.doing, res, body, nil))
	}
	made, err := c.connector(body, n.Workspace)
	if err != nil {
		made = client.Connector{Workspace: n.Workspace, Raw: body}
	}
	made.ID, made.Name, made.Type = id, first(made.Name, n.Name), first(made.Type, n.ConnectorType)
	if k := c.kind(made.Type); made.Kind == "" && k != nil {
		made.Kind = k.Name
	}
	return made, nil
}

// learn teaches the redactor the values of credentials before they travel.
func (c *Client) learn(credentials json.RawMessage) {
	for _, m := range pairs(credentials) {
		var text string
		if json.Unmarshal(m.value, &text) == nil {
			c.t.Redactor().Add(secret.New(text))
		} else {
			c.learn(m.value)
		}
	}
}

func refineCreate(err error, n client.NewConnector) error {
	e := client.AsError(err)
	if e.Status == http.StatusNotFound && e.Layer == client.LayerHosted && (e.Server == "" || strings.Contains(strings.ToLower(e.Server), "workspace")) {
		e.Message = fmt.Sprintf("there is no workspace %q", n.Workspace)
		e.Next = "patchbay workspaces list shows those of the organization."
		e.Field = "workspace_name"
	}
	return e
}

// findID finds the new connector's id in the answer, whatever its shape: at the
// usual names of the root, else of an object within it.
func findID(body json.RawMessage) string {
	return idWithin(body, 0)
}

func idWithin(raw json.RawMessage, depth int) string {
	var members map[string]json.RawMessage
	if depth > 3 || json.Unmarshal(raw, &members) != nil {
		return ""
	}
	for _, name := range []string{"id", "connector_id", "connectorId", "source_id", "sourceId", "uuid"} {
		var id string
		if json.Unmarshal(members[name], &id) == nil && id != "" {
			return id
		}
	}
	for _, name := range []string{"connector", "data", "result", "source"} {
		if id := idWithin(members[name], depth+1); id != "" {
			return id
		}
	}
	return ""
}

// PreviewCreate returns the exact request of CreateConnector; each credential
// stands in it as the name of an environment variable.
func (c *Client) PreviewCreate(n client.NewConnector) (*client.Request, error) {
	hidden := n
	var env []client.EnvVar
	hidden.Credentials, env = hideCredentials(n)
	r, err := createRequest(hidden)
	if err == nil {
		err = r.encode()
	}
	if err == nil && c.broken != nil {
		err = c.broken
	}
	if err != nil {
		return nil, err
	}
	p := c.preview(r)
	p.Env = append(p.Env, env...)
	if len(env) > 0 {
		p.Notes = append(p.Notes, "The credentials stand in the body as ${NAME}; replace them where the request is sent.")
	}
	return p, nil
}

func hideCredentials(n client.NewConnector) (json.RawMessage, []client.EnvVar) {
	members := pairs(n.Credentials)
	if members == nil {
		return n.Credentials, nil
	}
	var env []client.EnvVar
	for i, m := range members {
		name := client.EnvWord(n.ConnectorType + "_" + m.name)
		members[i].value, _ = encodeJSON("${" + name + "}")
		env = append(env, client.EnvVar{Name: name, Meaning: "credential " + m.name})
	}
	return objectOf(members), env
}

// DeleteConnector deletes a connector. The service does that in the background
// and tells the id of the job; empty when it does not.
func (c *Client) DeleteConnector(ctx context.Context, id string) (job string, err error) {
	r := request{method: http.MethodDelete, path: connectorPath(id), write: true, doing: "delete the connector " + id}
	if err := c.allowed(r); err != nil {
		return "", err
	}
	res, err := c.send(ctx, r)
	if err != nil {
		e := client.AsError(err)
		refineExecute(e, client.Target{ConnectorID: id}, client.Operation{})
		return "", e
	}
	var answer struct {
		JobID string `json:"job_id"`
	}
	// An answer without a job is as good: the status says that it was accepted.
	_ = json.Unmarshal(res.Body.Slice(0, res.Body.Len()), &answer)
	return answer.JobID, nil
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

// CheckConnector lets the service try the connector's credentials. It changes nothing.
func (c *Client) CheckConnector(ctx context.Context, id string) (client.Check, error) {
	r := request{method: http.MethodPost, path: connectorPath(id) + "/check", body: struct{}{}, doing: "check the connector " + id}
	var a checkAnswer
	if _, err := c.ask(ctx, r, &a); err != nil {
		e := client.AsError(err)
		refineExecute(e, client.Target{ConnectorID: id}, client.Operation{})
		return client.Check{}, e
	}
	red := c.t.Redactor()
	out := client.Check{Status: a.Status, Message: red.Text(a.ErrorMessage)}
	if a.FailureReason != nil && out.Message == "" {
		out.Message = red.Text(first(a.FailureReason.ExternalMessage, a.FailureReason.FailureType))
	}
	for _, e := range a.Entities {
		one := client.EntityCheck{Entity: e.Entity, Status: e.Status, HTTPStatus: e.StatusCode, Message: red.Text(e.ErrorMessage)}
		one.Next = nextOfCheck(e.Status, e.StatusCode)
		out.Entities = append(out.Entities, one)
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
