// Package payload writes an operation, or the creation of a connector, the way
// people run it elsewhere (JSON, the service's CLI, curl, Python, Go) and reads
// such texts back. No secret is ever written: a text names an environment
// variable in its place. Only what everybody knows (Known) stands there itself.
//
// It may import catalog, client and rawjson; it sends nothing.
package payload

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Input is what is written out.
type Input struct {
	// Operation and its Target; the action "describe" of no entity asks what the connector
	// supports.
	Operation client.Operation
	Target    client.Target
	// Kind is that of the connector, or of the one to create; nil when it is not known.
	Kind *catalog.Kind
	// ConnectorType is the connector's type ("stripe") where the kind is not known.
	ConnectorType string
	// Twin is set where another connector of the workspace has the same type.
	Twin bool
	// OrganizationID is set where one is chosen.
	OrganizationID string
	// BaseURL is the address of the service where its tools know another one.
	BaseURL string
	// Create is set for the creation of a connector, in place of Operation.
	Create *client.NewConnector
	// Request is the call as Executor.Preview gives it. curl, Go and local Python are made
	// from it, and what a hosted one sends is what the other texts say.
	Request *client.Request
	// Preset holds the service's names; the zero value stands for Neutral.
	Preset Preset
	// Known are credentials that stand in the text; nil names environment variables.
	Known *Known
}

// HasTwin reports whether another connector of a listing has the type of this one, in
// its workspace.
func HasTwin(list []client.Connector, c client.Connector) bool {
	return slices.ContainsFunc(list, func(o client.Connector) bool {
		return o.ID != c.ID && o.Type == c.Type && o.Workspace == c.Workspace
	})
}

// Describe is the action, of no entity, that asks what a connector supports.
const Describe = "describe"

// slug is the type of the connector as the SDK's factory takes it.
func (in Input) slug() string {
	if in.Kind != nil && in.Kind.ConnectorType != "" {
		return in.Kind.ConnectorType
	}
	if in.Create != nil {
		return in.Create.ConnectorType
	}
	return in.ConnectorType
}

// rendered are the formats' writers over an input that is complete.
func rendered(write func(in Input) (string, error)) func(in Input) (string, error) {
	return func(in Input) (string, error) { return write(in.complete()) }
}

// complete fills in what follows from the rest: the names, the operation as it is sent,
// known credentials in place of variables.
func (in Input) complete() Input {
	in.Preset = cmp.Or(in.Preset, Neutral())
	if in.Request == nil || in.Target.Local {
		return in
	}
	if in.Create == nil {
		if sent, err := parseBody(in.Request.Body); err == nil {
			in.Operation = sent.Operation
		}
	}
	for _, h := range in.Request.Headers {
		if strings.EqualFold(h.Name, organizationHeader) && in.OrganizationID == "" {
			in.OrganizationID = h.Value
		}
	}
	if in.Known != nil {
		in.Request = in.Known.sign(in.Request)
	}
	return in
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
	// Match reports whether a text looks like this format.
	Match func(text string) bool
	// Parse reads a text; errors say what is wrong and where.
	Parse func(text string) (Parsed, error)
	// Render writes a call; an error says why it cannot be written this way.
	Render func(in Input) (string, error)
}

// Formats returns the formats in the order in which they are offered; the
// first that matches a text reads it.
func Formats() []Format {
	return []Format{
		{"json", "request JSON", matchJSON, parseJSON, rendered(renderJSON)},
		{"cli", "a CLI command", matchCLI, parseCLI, rendered(renderCLI)},
		{"curl", "a curl command", matchCurl, parseCurl, rendered(renderCurl)},
		{"python", "a Python program", matchPython, parsePython, rendered(renderPython)},
		{"go", "a Go program", matchGo, parseGo, rendered(renderGo)},
	}
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
	for _, f := range append(readers(), Formats()...) {
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
	return Parsed{}, errors.New("the text is no call that patchbay knows: paste request JSON, a curl, HTTPie or CLI " +
		"command, Python, a Go program that patchbay wrote, a fetch of JavaScript or an entry of a HAR file")
}

// addText adds a text that is not empty.
func addText(m *rawjson.Map, name, value string) {
	if value != "" {
		m.Add(name, value)
	}
}

// addOperation adds the parts of an operation; params are left out when there are none.
func addOperation(m *rawjson.Map, op client.Operation) error {
	m.Add("entity", op.Entity)
	m.Add("action", op.Action)
	params, err := rawjson.CompactObject(op.Params)
	if err != nil {
		return fmt.Errorf("the params of %s.%s are no JSON object: correct them first", op.Entity, op.Action)
	}
	if params != nil {
		m.Add("params", params)
	}
	op.AddShape(m.Add)
	return nil
}

// place is the payload of the service's CLI that says which connector is meant:
// workspace and name, or id.
func place(in Input) *rawjson.Map {
	m := &rawjson.Map{}
	if !in.Target.Local {
		addText(m, "workspace", in.Target.Workspace)
	}
	if in.Target.Name != "" {
		m.Add("name", in.Target.Name)
	} else {
		addText(m, "id", in.Target.ConnectorID)
	}
	return m
}

// call is the payload of a call: its place, then the operation.
func call(in Input) ([]byte, error) {
	m := place(in)
	err := addOperation(m, in.Operation)
	return m.JSON(), err
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
