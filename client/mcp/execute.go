package mcp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/agent"
	"patchbay/client/preflight"
	"patchbay/client/rawjson"
)

// call is one call of execute.
type call struct {
	s   *Server
	c   *Connector
	op  client.Operation
	act *catalog.Action // nil where the catalog does not know it
	// agent is what the agent calls itself, session the one it speaks in.
	agent, session string
	// asks is set where the agent can ask its person; responses and state are what came
	// back of a question, in the words of the protocol.
	asks      bool
	responses sdk.InputResponseMap
	state     string
	// progress tells the agent what is waited for; nil where it does not want to know.
	progress func(message string)
}

// newCall prepares a call that an agent makes.
func (s *Server) newCall(c *Connector, in *rawjson.Map, session *sdk.ServerSession, info *sdk.Implementation) *call {
	x := &call{s: s, c: c, agent: "agent", op: client.Operation{Entity: in.Text("entity"), Action: in.Text("action"),
		Truncate: in.Value("skip_truncation") == false}}
	if e := c.Kind.Entity(x.op.Entity); e != nil {
		x.act = e.Action(x.op.Action)
	}
	if info != nil {
		x.agent = cmp.Or(info.Title, info.Name, x.agent)
	}
	if session != nil {
		x.session = session.ID()
	}
	return x
}

func (s *Server) execute(
	ctx context.Context, r *sdk.CallToolRequest, c *Connector, in *rawjson.Map,
) *sdk.CallToolResult {
	x := s.newCall(c, in, r.Session, r.ClientInfo())
	can := r.ClientCapabilities()
	x.asks = can != nil && can.Elicitation != nil
	x.responses, x.state = r.Params.InputResponses, r.Params.RequestState
	if token := r.Params.GetProgressToken(); token != nil {
		x.progress = progressTo(ctx, r.Session, token)
	}
	return x.do(ctx, in)
}

// do carries the call out, or says why not.
func (x *call) do(ctx context.Context, in *rawjson.Map) *sdk.CallToolResult {
	for _, step := range []func() error{func() error { return x.read(in) }, x.refused} {
		if err := step(); err != nil {
			return x.s.failed(err)
		}
	}
	question, err := x.consent()
	if question != nil {
		return question
	}
	if err == nil {
		err = x.s.admit(x)
	}
	if err != nil {
		return x.s.failed(err)
	}
	return x.run(ctx)
}

// read takes params and fields out of the arguments.
func (x *call) read(in *rawjson.Map) error {
	switch params := in.Value("params").(type) {
	case nil:
	case *rawjson.Map:
		x.op.Params = params.JSON()
	default:
		return client.Invalid("params: an object is required")
	}
	for name, into := range map[string]*[]string{"select_fields": &x.op.SelectFields,
		"exclude_fields": &x.op.ExcludeFields} {
		switch list := in.Value(name).(type) {
		case nil:
		case []any:
			for _, v := range list {
				text, isText := v.(string)
				if !isText {
					return client.Invalid("%s: a list of texts is required", name)
				}
				*into = append(*into, text)
			}
		default:
			return client.Invalid("%s: a list of texts is required", name)
		}
	}
	if x.c.Target.Local && (len(x.op.SelectFields) > 0 || len(x.op.ExcludeFields) > 0 || x.op.Truncate) {
		return client.Invalid("a local connector cannot shape its answers").
			Advise("Leave out select_fields, exclude_fields and skip_truncation.")
	}
	return nil
}

// refused is why the call is not sent: what the form would say of it, or that it changes
// data and nobody allowed that.
func (x *call) refused() error {
	if e := preflight.Refusal(x.op, x.c.Service.Check(x.c.Target, x.op)); e != nil {
		section := "without a section lists what there is"
		if x.act != nil {
			section = "with the section actions." + x.op.Entity + "." + x.op.Action + " lists what it takes"
		}
		return e.Advise("Nothing was sent. %s %s.", agent.DocsTool, section)
	}
	if x.writes() && !x.s.o.AllowWrites {
		return client.Failf(client.ClassRefused, "%s %s changes data, and this server only reads", x.op.Action,
			x.op.Entity).Advise("Nothing was sent. Tell the person; it is started with --allow-writes to allow it.")
	}
	return nil
}

func (x *call) writes() bool { return catalog.Writes(x.op.Action, x.act) }

// consentID names the question in the protocol.
const consentID = "consent"

// consent asks the person at the agent whether a write may be sent. question is what to
// answer first; both are nil where it may go.
func (x *call) consent() (question *sdk.CallToolResult, err error) {
	if !x.writes() {
		return nil, nil
	}
	what := x.op.Action + " " + x.op.Entity
	given, answered := x.responses[consentID]
	switch said, isAnswer := given.(*sdk.ElicitResult); {
	case !x.asks:
		return nil, client.Failf(client.ClassRefused, "%s changes data, and this client cannot ask the person", what).
			Advise("Nothing was sent. The call can be run in the explorer: patchbay.")
	case !answered:
		return x.question(what), nil
	case !x.s.asked.take(x.state, x.key()):
		return nil, client.Failf(client.ClassRefused, "the agreement is for another call, or was used before").
			Advise("Nothing was sent. Call again, and the person is asked again.")
	case !isAnswer || said.Action != "accept" || said.Content["send"] != true:
		return nil, client.Failf(client.ClassRefused, "the person did not agree to %s", what).
			Advise("Nothing was sent. Do not try it another way.")
	}
	return nil, nil
}

// question asks for a yes to this very call.
func (x *call) question(what string) *sdk.CallToolResult {
	send := rawjson.NewMap("type", "boolean", "title", "Send it", "description", "It is sent once.")
	return &sdk.CallToolResult{RequestState: x.s.asked.add(x.key()),
		InputRequests: sdk.InputRequestMap{consentID: &sdk.ElicitParams{
			Message: fmt.Sprintf("%s on %s (%s) changes data. Params: %s", what, x.c.Name, x.c.Kind.Title,
				x.shownParams()),
			RequestedSchema: rawjson.NewMap("type", "object", "properties", rawjson.NewMap("send", send),
				"required", []string{"send"}).JSON(),
		}}}
}

// mostParams is how many characters of the params stand in the question.
const mostParams = 2000

func (x *call) shownParams() string {
	text := x.s.text([]byte(cmp.Or(string(x.op.Params), "none"))).Text
	if utf8.RuneCountInString(text) > mostParams {
		return string([]rune(text)[:mostParams]) + "..."
	}
	return text
}

// key is the call that a person agrees to.
func (x *call) key() string {
	op, _ := json.Marshal(x.op) // texts and JSON that was read
	return x.c.Name + "\n" + string(op)
}

// consents are the questions that wait for an answer. Each is good for one call.
type consents struct {
	mu   sync.Mutex
	open map[string]string // what was asked, by a word that nobody can guess
	old  []string
}

// mostOpen is how many questions may wait; the oldest is forgotten.
const mostOpen = 100

func (c *consents) add(key string) (state string) {
	word := make([]byte, 16)
	_, _ = rand.Read(word) // it never fails
	state = hex.EncodeToString(word)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[string]string{}
	}
	if len(c.old) == mostOpen {
		delete(c.open, c.old[0])
		c.old = c.old[1:]
	}
	c.open[state], c.old = key, append(c.old, state)
	return state
}

func (c *consents) take(state, key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked, waits := c.open[state]
	delete(c.open, state)
	return waits && asked == key
}

// run sends the call.
func (x *call) run(ctx context.Context) *sdk.CallToolResult {
	s, started := x.s, x.s.o.Now()
	ctx = client.WithObserver(ctx, x.observe)
	var env *client.Envelope
	var err error
	file := &bounded{}
	if x.op.Action == catalog.ActionDownload {
		env, err = x.c.Service.Download(ctx, x.c.Target, x.op, file)
	} else {
		env, err = x.c.Service.Execute(ctx, x.c.Target, x.op)
	}
	if s.o.Record != nil {
		s.o.Record(Call{Client: x.agent, Connector: *x.c, Op: x.op, Env: env, Err: err, Started: started})
	}
	if err != nil {
		return s.failed(err)
	}
	var result []byte
	if x.op.Action == catalog.ActionDownload {
		result = file.result(env)
	} else {
		result = agent.Collection(env)
		s.seen.note(x.c, x.op.Entity, env)
	}
	return x.answer(ctx, result)
}

// answer hands a result on, as text and as structure.
func (x *call) answer(ctx context.Context, result []byte) *sdk.CallToolResult {
	if s := x.s; s.o.Hide != nil {
		result = s.o.Hide(result)
	}
	if why := agent.TooLong(result); why != "" {
		return x.s.failed(client.Invalid("%s", why))
	}
	if x.s.o.Limits.Tokens > 0 {
		if n, err := agent.CountTokens(ctx, result); err == nil {
			x.s.spend(x.session, n)
		}
	}
	out := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(result)}}}
	if rawjson.Valid(result) {
		out.StructuredContent = rawjson.NewMap("result", json.RawMessage(result)).JSON()
	}
	return out
}

// observe passes on what is waited for.
func (x *call) observe(e client.Event) {
	switch {
	case x.progress == nil:
	case e.Kind == client.EventRetry:
		x.progress(x.s.text(fmt.Appendf(nil, "waiting %s: %s", e.Wait.Round(time.Second), e.Reason)).Text)
	case e.Kind == client.EventSend:
		x.progress("sent")
	}
}

// progressTo sends progress to an agent, beside the call: the network must not wait for it.
func progressTo(ctx context.Context, session *sdk.ServerSession, token any) func(string) {
	var mu sync.Mutex
	at := 0.0
	return func(message string) {
		mu.Lock()
		at++
		p := &sdk.ProgressNotificationParams{ProgressToken: token, Progress: at, Message: message}
		mu.Unlock()
		go func() { _ = session.NotifyProgress(ctx, p) }()
	}
}

// mostFile is how much of a download is handed to a model.
const mostFile = 256 << 10

// bounded keeps the beginning of a file.
type bounded struct {
	bytes.Buffer
	all int64
}

// Write keeps what there is room for.
func (b *bounded) Write(p []byte) (int, error) {
	b.all += int64(len(p))
	b.Buffer.Write(p[:min(len(p), max(mostFile-b.Len(), 0))])
	return len(p), nil
}

// result tells of a file, with its text where it is one.
func (b *bounded) result(env *client.Envelope) []byte {
	about := rawjson.NewMap("content_type", env.ContentType, "file_name", env.FileName, "size", b.all)
	if head := b.Bytes(); utf8.Valid(head) && !bytes.ContainsRune(head, 0) {
		text := string(head)
		if runes := []rune(text); len(runes) > agent.MostOutput/2 {
			text = string(runes[:agent.MostOutput/2])
		}
		about.Add("text", text)
		about.Add("whole", int64(len(text)) == b.all)
	} else {
		about.Add("note", "The file is not text; patchbay execute -o FILE writes it.")
	}
	return about.JSON()
}
