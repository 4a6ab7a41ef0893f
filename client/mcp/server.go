// Package mcp serves connectors to agents over the Model Context Protocol: the three
// tools of each, its documents as resources, and completion from the catalog. It reads
// what it may read, and a write only where that was allowed and somebody says yes to it.
package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"patchbay/catalog"
	"patchbay/catalog/skill"
	"patchbay/client"
	"patchbay/client/agent"
	"patchbay/client/preflight"
	"patchbay/client/rawjson"
)

// Connector is one that agents may call.
type Connector struct {
	// Name is unique among those of a server.
	Name   string
	Kind   *catalog.Kind
	Target client.Target
	// Service runs its calls.
	Service Service
}

// Service runs operations, and says what is wrong with one before it is sent.
type Service interface {
	client.Executor
	Check(client.Target, client.Operation) []preflight.Verdict
}

// Call is a call of an agent that was carried out, for the history.
type Call struct {
	// Client is the agent's own name and version; untrusted.
	Client    string
	Connector Connector
	Op        client.Operation
	Env       *client.Envelope
	Err       error
	Started   time.Time
}

// Limits bound what an agent may ask in one session; 0 is no limit.
type Limits struct {
	// Calls counts all calls of execute, Pages those of them that ask for a further page,
	// Tokens those of the results (agent.Encoding).
	Calls, Pages, Tokens int
}

// Options say what is served.
type Options struct {
	Connectors []Connector
	// Inspect and Docs answer what the service itself tells; nil leaves it to the catalog.
	Inspect func(context.Context, Connector) ([]byte, error)
	Docs    func(ctx context.Context, c Connector, section string) (*skill.Docs, error)
	// AllowWrites lets a write be sent once the person at the agent agrees to it.
	AllowWrites bool
	// Shared makes one set of tools that take the connector as an argument; otherwise
	// each connector has its own, with its name before theirs where there are several.
	Shared bool
	Limits Limits
	// Hide takes secrets out of a text before an agent sees it.
	Hide func([]byte) []byte
	// Record takes every call that was sent; nil for nobody.
	Record  func(Call)
	Version string
	Now     func() time.Time
}

// Server serves one set of options to any number of agents.
type Server struct {
	o      Options
	sdk    *sdk.Server
	seen   seenIDs
	asked  consents
	mu     sync.Mutex
	counts map[string]*counts // by session
}

// New makes the server.
func New(o Options) (*Server, error) {
	if len(o.Connectors) == 0 {
		return nil, client.Invalid("there is no connector to serve").
			Advise("Name one with --connector, or add --sandbox.")
	}
	s := &Server{o: o, counts: map[string]*counts{}}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "patchbay", Title: "patchbay", Version: o.Version},
		&sdk.ServerOptions{Instructions: s.instructions(), CompletionHandler: s.complete,
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{},
				Resources: &sdk.ResourceCapabilities{}}})
	s.addTools()
	s.addResources()
	return s, nil
}

func (s *Server) instructions() string {
	names := make([]string, len(s.o.Connectors))
	for i, c := range s.o.Connectors {
		names[i] = c.Name + " (" + c.Kind.Title + ")"
	}
	writes := "Actions that change data are refused."
	if s.o.AllowWrites {
		writes = "The person is asked before an action that changes data."
	}
	return "Connectors: " + strings.Join(names, ", ") + ". Call " + agent.InspectTool + " first, then " +
		agent.DocsTool + ", then " + agent.ExecuteTool + ". " + writes
}

// addTools adds the three tools, for each connector or shared by all.
func (s *Server) addTools() {
	if s.o.Shared {
		s.addSet("", func(arguments *rawjson.Map) (*Connector, error) {
			name := arguments.Text("connector")
			i := slices.IndexFunc(s.o.Connectors, func(c Connector) bool { return c.Name == name })
			if i < 0 {
				return nil, client.Invalid("connector: there is none called %q", name).
					Advise("It is one of %s.", strings.Join(s.names(), ", "))
			}
			return &s.o.Connectors[i], nil
		}, agent.SharedTools(s.names()))
		return
	}
	for i := range s.o.Connectors {
		c := &s.o.Connectors[i]
		prefix := ""
		if len(s.o.Connectors) > 1 {
			prefix = toolName(c.Name) + "__"
		}
		s.addSet(prefix, func(*rawjson.Map) (*Connector, error) { return c, nil }, agent.Tools(c.Kind))
	}
}

func (s *Server) names() []string {
	names := make([]string, len(s.o.Connectors))
	for i, c := range s.o.Connectors {
		names[i] = c.Name
	}
	return names
}

// mostName is how much of a connector's name stands in that of a tool: clients allow 64
// characters in all.
const mostName = 40

// toolName is a name of the characters that the names of tools may have.
func toolName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	return clean[:min(len(clean), mostName)]
}

// handler does what a tool is called for.
type handler func(ctx context.Context, r *sdk.CallToolRequest, c *Connector, arguments *rawjson.Map) *sdk.CallToolResult

// addSet adds three tools; on finds the connector that a call is for.
func (s *Server) addSet(prefix string, on func(*rawjson.Map) (*Connector, error), tools []agent.Tool) {
	handlers := map[string]handler{agent.InspectTool: s.inspect, agent.DocsTool: s.docs, agent.ExecuteTool: s.execute}
	for _, t := range tools {
		do, schema := handlers[t.Name], t.Schema.JSON()
		tool := &sdk.Tool{Name: prefix + t.Name, Description: t.Description, InputSchema: schema,
			Annotations: s.annotations(t)}
		if t.Name == agent.ExecuteTool {
			tool.OutputSchema = resultSchema.JSON()
		}
		s.sdk.AddTool(tool, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			arguments, err := argumentsOf(r.Params.Arguments, t.Schema)
			if err != nil {
				return s.failed(err), nil
			}
			c, err := on(arguments)
			if err != nil {
				return s.failed(err), nil
			}
			return do(ctx, r, c, arguments), nil
		})
	}
}

// resultSchema is that of the structured result of execute.
var resultSchema = rawjson.NewMap("type", "object", "properties", rawjson.NewMap("result",
	rawjson.NewMap("description", "records and meta of a collection, else the record")),
	"required", []string{"result"})

// annotations say what a tool may do: execute reads only unless writes are allowed.
func (s *Server) annotations(t agent.Tool) *sdk.ToolAnnotations {
	reads := t.Reads || !s.o.AllowWrites
	destroys, open := !reads, t.Name == agent.ExecuteTool
	return &sdk.ToolAnnotations{ReadOnlyHint: reads, IdempotentHint: reads, DestructiveHint: &destroys,
		OpenWorldHint: &open}
}

// argumentsOf reads the arguments of a call and refuses names that the tool does not know.
func argumentsOf(raw []byte, schema *rawjson.Map) (*rawjson.Map, error) {
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	v, err := rawjson.Decode(raw)
	arguments, isObject := v.(*rawjson.Map)
	if err != nil || !isObject {
		return nil, client.Invalid("the arguments are not a JSON object")
	}
	known, _ := schema.Value("properties").(*rawjson.Map)
	for _, name := range arguments.Keys {
		if !known.Has(name) {
			return nil, client.Invalid("%s: the tool has no such argument", name).
				Advise("It takes %s.", strings.Join(append([]string{}, known.Keys...), ", "))
		}
	}
	must, _ := schema.Value("required").([]string)
	for _, name := range must {
		if text, isText := arguments.Value(name).(string); !isText || text == "" {
			return nil, client.Invalid("%s: a text is required", name)
		}
	}
	return arguments, nil
}

// failed is an error as the result of a tool: what is wrong, with which field, and what
// to do next.
func (s *Server) failed(err error) *sdk.CallToolResult {
	e := client.AsError(err)
	text := string(e.Class) + ": " + e.Error()
	if e.Field != "" && !strings.Contains(text, e.Field) {
		text += " (field " + e.Field + ")"
	}
	if e.Next != "" {
		text += "\n" + e.Next
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{s.text([]byte(text))}}
}

// text is a text as an agent may see it.
func (s *Server) text(text []byte) *sdk.TextContent {
	if s.o.Hide != nil {
		text = s.o.Hide(text)
	}
	return &sdk.TextContent{Text: strings.ToValidUTF8(string(text), "\uFFFD")}
}

func (s *Server) inspect(
	ctx context.Context, _ *sdk.CallToolRequest, c *Connector, _ *rawjson.Map,
) *sdk.CallToolResult {
	told, err := s.inspected(ctx, c)
	if err != nil {
		return s.failed(err)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{s.text(told)}}
}

func (s *Server) inspected(ctx context.Context, c *Connector) ([]byte, error) {
	if s.o.Inspect != nil && !c.Target.Local {
		return s.o.Inspect(ctx, *c)
	}
	return agent.InspectLocal(c.Name), nil
}

func (s *Server) docs(ctx context.Context, _ *sdk.CallToolRequest, c *Connector, in *rawjson.Map) *sdk.CallToolResult {
	d, err := s.documents(ctx, c, in.Text("section"))
	if err != nil {
		return s.failed(err)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{s.text([]byte(d.Markdown()))}}
}

// documents are those of the service where it has them, else of the catalog.
func (s *Server) documents(ctx context.Context, c *Connector, section string) (*skill.Docs, error) {
	if s.o.Docs != nil && !c.Target.Local {
		return s.o.Docs(ctx, *c, section)
	}
	d, ok := skill.Of(c.Kind, agent.LocalSkill, c.Name, section)
	if !ok {
		return nil, client.Failf(client.ClassNotFound, "section: there is none called %q", section).
			Advise("%s", outlineOf(d))
	}
	return d, nil
}

// outlineOf lists the sections, for whoever named one that does not exist.
func outlineOf(d *skill.Docs) string {
	ids := make([]string, len(d.Outline))
	for i, s := range d.Outline {
		ids[i] = s.ID
	}
	return fmt.Sprintf("Sections: %s.", strings.Join(ids, ", "))
}
