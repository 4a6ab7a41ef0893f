// Package payload writes an operation, or the creation of a connector, the way
// people run it elsewhere (JSON, the service's CLI, curl, Python, Go) and reads
// such texts back. No secret is ever written: a text names an environment
// variable in its place.
package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"patchbay/client"
)

// Preset are the names that a service gives its own tools.
type Preset struct {
	// Program is the service's CLI, Module the Python module of its SDK.
	Program, Module string
	// AuthConfig is the class of the explicit auth config; its fields for client id
	// and secret start with FieldPrefix ("platform_").
	AuthConfig, FieldPrefix string
	// ClientID and ClientSecret are the environment variables that the SDK reads.
	ClientID, ClientSecret string
}

// Neutral returns the names that the product specification uses.
func Neutral() Preset {
	return Preset{Program: "platform-agent", Module: "platform_agent_sdk", AuthConfig: "PlatformAuthConfig",
		FieldPrefix: "platform_", ClientID: "PLATFORM_CLIENT_ID", ClientSecret: "PLATFORM_CLIENT_SECRET"}
}

// Public returns the names of the public service (source: its SDK and CLI
// documentation). The environment variables stay the neutral ones; the
// rendered Python hands them over explicitly.
func Public() Preset {
	p := Neutral()
	p.Program, p.Module, p.AuthConfig, p.FieldPrefix = "airbyte-agent", "airbyte_agent_sdk", "AirbyteAuthConfig", "airbyte_"
	return p
}

// Input is what is written out.
type Input struct {
	Operation client.Operation
	Target    client.Target
	// OrganizationID is set where one is chosen.
	OrganizationID string
	// Create is set for the creation of a connector, in place of Operation.
	Create *client.NewConnector
	// Request is the call as Executor.Preview gives it; curl, Go and local Python are made from it.
	Request *client.Request
	// Preset holds the service's names; the zero value stands for Neutral.
	Preset Preset
}

func (in Input) preset() Preset {
	if in.Preset.Program == "" {
		return Neutral()
	}
	return in.Preset
}

// Parsed is what a text holds.
type Parsed struct {
	// Format is the name of the format that was read.
	Format    string
	Operation client.Operation
	// Workspace, Name and ConnectorID say where the operation goes, as far as the text tells.
	Workspace, Name, ConnectorID string
	OrganizationID               string
	// Create is set when the text creates a connector. Credentials are as they stand in the text.
	Create *client.NewConnector
	// Notes are things that were found and not used, one sentence each.
	Notes []string
}

// Format is one way to write a call.
type Format struct {
	// Name is the word for the command line, Title for people.
	Name, Title string
	// Match tells whether a text looks like this format.
	Match func(text string) bool
	// Parse reads a text; errors say what is wrong and where.
	Parse func(text string) (Parsed, error)
	// Render writes a call; an error says why it cannot be written this way.
	Render func(in Input) (string, error)
}

// Formats returns the formats in the order in which they are offered; the
// first that matches a text reads it.
func Formats() []Format {
	return []Format{jsonFormat(), cliFormat(), curlFormat(), pythonFormat(), goFormat()}
}

// ByName finds a format by its name.
func ByName(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Parse reads a text of any format.
func Parse(text string) (Parsed, error) {
	for _, f := range Formats() {
		if !f.Match(text) {
			continue
		}
		p, err := f.Parse(text)
		p.Format = f.Name
		if err != nil {
			return Parsed{}, fmt.Errorf("read the text as %s: %w", f.Title, err)
		}
		return p, nil
	}
	return Parsed{}, errors.New("the text is no call that patchbay knows: paste request JSON, a curl or CLI command, or Python or Go that patchbay wrote")
}

// object writes a JSON object with its members in order.
type object struct{ b bytes.Buffer }

func (o *object) raw(name string, value []byte) {
	if o.b.Len() == 0 {
		o.b.WriteByte('{')
	} else {
		o.b.WriteByte(',')
	}
	o.b.Write(quoteJSON(name))
	o.b.WriteByte(':')
	o.b.Write(value)
}

func (o *object) text(name, value string) {
	if value != "" {
		o.raw(name, quoteJSON(value))
	}
}

func (o *object) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	var list bytes.Buffer
	for i, v := range values {
		list.WriteByte("[,"[min(i, 1)])
		list.Write(quoteJSON(v))
	}
	list.WriteByte(']')
	o.raw(name, list.Bytes())
}

func (o *object) bytes() []byte {
	if o.b.Len() == 0 {
		return []byte("{}")
	}
	return append(o.b.Bytes(), '}')
}

func quoteJSON(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// operation writes the parts of an operation into o; params are left out when there are none.
func (o *object) operation(op client.Operation) error {
	o.raw("entity", quoteJSON(op.Entity))
	o.raw("action", quoteJSON(op.Action))
	params := bytes.TrimSpace(op.Params)
	if len(params) > 0 && !bytes.Equal(params, []byte("{}")) {
		var c bytes.Buffer
		if err := json.Compact(&c, params); err != nil || c.Bytes()[0] != '{' {
			return fmt.Errorf("the params of %s.%s are no JSON object: correct them first", op.Entity, op.Action)
		}
		o.raw("params", c.Bytes())
	}
	o.texts("select_fields", op.SelectFields)
	o.texts("exclude_fields", op.ExcludeFields)
	return nil
}

// call is the payload of the service's CLI: workspace, name or id, then the operation.
func call(in Input) ([]byte, error) {
	var o object
	if !in.Target.Local {
		o.text("workspace", in.Target.Workspace)
	}
	if in.Target.Name != "" {
		o.text("name", in.Target.Name)
	} else {
		o.text("id", in.Target.ConnectorID)
	}
	if err := o.operation(in.Operation); err != nil {
		return nil, err
	}
	return o.bytes(), nil
}

// body is the HTTP body of an execute request.
func body(op client.Operation) ([]byte, error) {
	var o object
	err := o.operation(op)
	return o.bytes(), err
}

func indent(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// shorten keeps a piece of foreign text small enough for an error.
func shorten(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}
