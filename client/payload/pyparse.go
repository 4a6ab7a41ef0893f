package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

var (
	// sdkCalls are the calls of the SDK that say something of an operation.
	sdkCalls = regexp.MustCompile(`(\w*AuthConfig|\bconnect|\bWorkspace|\.create_connector|\bExecutionConfig|` +
		`\.execute)\s*\(`)
	// webCalls are those of requests and httpx.
	webCalls = regexp.MustCompile(`\b\w+\.(post|request)\s*\(`)
	// sdkDoes are those that do something.
	sdkDoes = regexp.MustCompile(`\.(create_connector|execute)\s*\(`)
)

func matchPython(text string) bool { return sdkDoes.MatchString(text) || webCalls.MatchString(text) }

// parsePython reads a program that calls the SDK, or the service by requests or httpx.
func parsePython(text string) (Parsed, error) {
	if sdkDoes.MatchString(text) {
		return parseSDK(text)
	}
	err := errors.New("the program makes no call of the service: its address ends in .../integrations/connectors, " +
		"or the connector's id and /execute")
	for _, at := range webCalls.FindAllStringSubmatchIndex(text, maxCalls) {
		p := python.at(text, at[1]-1)
		args, wrong := p.call(func(name string) bool { return !slices.Contains([]string{"1", "json", "data"}, name) })
		if wrong != nil {
			return Parsed{}, p.where(wrong)
		}
		first := "0"
		if text[at[2]:at[3]] == "request" {
			first = "1"
		}
		address := args.text("url", first)
		if _, _, wrong = connectorOf(address); wrong != nil {
			if address != "" {
				err = wrong
			}
			continue
		}
		body, wrong := bodyOf(args, first)
		if wrong != nil {
			return Parsed{}, p.where(wrong)
		}
		headers, _ := args.get("headers")
		return fromHTTP(address, body, organizationOf([]byte(headers)))
	}
	return Parsed{}, err
}

// bodyOf is the body that a call of requests or httpx sends.
func bodyOf(args arguments, first string) (string, error) {
	if raw, err := args.get("json"); raw != "" || err != nil {
		return raw, err
	}
	names := []string{"data", "content"}
	if first == "0" {
		names = append(names, "1")
	}
	raw, err := args.get(names...)
	switch {
	case err != nil:
		return "", err
	case raw == "":
		return "", errors.New("the call sends no body: it needs json=... with entity and action")
	case raw[0] == '{':
		return "", errors.New("data= with an object sends a form; the service takes JSON: use json=")
	}
	return rawjson.Parse([]byte(raw)).Text(), nil
}

// organizationOf is the organization that headers choose, which are a JSON object.
func organizationOf(headers []byte) string {
	for m := range rawjson.Parse(headers).Members() {
		if strings.EqualFold(m.Key(), organizationHeader) && m.Value.Kind() == rawjson.String {
			return m.Value.Text()
		}
	}
	return ""
}

// where says in which line something is wrong.
func (p *literals) where(err error) error {
	return fmt.Errorf("line %d: %w", 1+strings.Count(p.s[:min(p.i, len(p.s))], "\n"), err)
}

// parseSDK reads a program that calls the SDK, or a line of one: the arguments of what
// opens the connector, and of what is done with it.
func parseSDK(text string) (Parsed, error) {
	var out Parsed
	done := false
	for _, at := range sdkCalls.FindAllStringSubmatchIndex(text, maxCalls) {
		p := python.at(text, at[1]-1)
		name := text[at[2]:at[3]]
		does := name == ".execute" || name == "ExecutionConfig"
		if does && done {
			break
		}
		args, err := p.call(func(string) bool { return !does && name != ".create_connector" })
		switch {
		case err != nil:
		case does && !(name == ".execute" && args.json["0"] == "" && args.json["entity"] == ""):
			err, done = out.takeExecute(args), true
		case name == ".create_connector":
			out.Create, err = args.create(out.Workspace)
		case name == "connect":
			out.Name = args.text("0", "connector_name")
			fallthrough
		case !does:
			out.takePlace(args)
		}
		if err != nil {
			return Parsed{}, p.where(err)
		}
	}
	if !done && out.Create == nil {
		return Parsed{}, errors.New("the arguments of connector.execute name no entity and no action")
	}
	return out, nil
}

// takePlace takes what the arguments say of where a call goes.
func (p *Parsed) takePlace(a arguments) {
	for name, to := range map[string]*string{"workspace_name": &p.Workspace, "organization_id": &p.OrganizationID,
		"connector_id": &p.ConnectorID} {
		if value := a.text(name); value != "" {
			*to = value
		}
	}
	if p.ConnectorID != "" {
		p.Name = "" // the SDK asks for no type then
	}
}

func (p *Parsed) takeExecute(a arguments) error {
	m := &rawjson.Map{}
	for i, name := range []string{"entity", "action", "params", "select_fields", "exclude_fields", "skip_truncation"} {
		names := []string{name}
		if i < 3 {
			names = append(names, string(rune('0'+i)))
		}
		raw, err := a.get(names...)
		if err != nil {
			return err
		}
		if raw != "" && raw != "null" {
			m.Add(name, json.RawMessage(raw))
		}
	}
	read, err := parseBody(m.JSON())
	p.Operation = read.Operation
	return err
}

// create is the connector that a call makes; its type is the id of a definition.
func (a arguments) create(workspace string) (*client.NewConnector, error) {
	credentials, err := a.get("credentials")
	config, wrong := a.get("replication_config")
	return &client.NewConnector{Workspace: workspace, ConnectorType: a.text("definition_id"), Name: a.text("name"),
		Credentials: json.RawMessage(credentials), ReplicationConfig: json.RawMessage(config)}, errors.Join(err, wrong)
}
