package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/agent"
	"patchbay/client/listen"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/session"
)

// canary is a secret that no agent may see.
var canary = "canary-" + strings.Repeat("S3cret", 4)

// bench is a server over the sandbox, and the calls that it recorded.
type bench struct {
	mu    sync.Mutex
	calls []Call
	o     Options
}

// newBench serves the connectors of the sandbox's demo workspace that are named; all
// of them where none is.
func newBench(t testing.TB, names ...string) *bench {
	t.Helper()
	dir, kinds, redactor := t.TempDir(), catalog.New(), &secret.Redactor{}
	redactor.Add(secret.New(canary))
	folders := profile.Folders{Config: dir, State: dir, Cache: dir}
	opener := &session.Opener{Env: map[string]string{"HOME": dir, "PATCHBAY_NO_KEYRING": "1"}, Folders: folders,
		Redactor: redactor, Now: time.Now, Version: "test", Choice: session.Choice{Sandbox: true},
		Settings: func() (*profile.Settings, error) { return profile.Load(folders.Settings()) },
		Kinds:    func() *catalog.Catalog { return kinds },
		World: func() *sandbox.Service {
			return sandbox.New(sandbox.Options{Catalog: kinds, Records: 30, Names: sandbox.NamesNeutral})
		},
		Watch: func(base http.RoundTripper) (http.RoundTripper, error) { return base, nil }}
	s, err := opener.Service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := s.ConnectorsOf(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{}
	for _, c := range list {
		k, err := kinds.Kind(c.Kind)
		if err != nil {
			continue
		}
		if len(names) == 0 || slices.Contains(names, c.Name) {
			b.o.Connectors = append(b.o.Connectors, Connector{Name: c.Name, Kind: k, Target: c.Target(s.Name), Service: s})
		}
	}
	b.o.Now, b.o.Version = time.Now, "test"
	b.o.Hide = func(text []byte) []byte { return redactor.Body("application/json", text) }
	b.o.Record = func(c Call) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.calls = append(b.calls, c)
	}
	return b
}

func (b *bench) recorded() []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.calls)
}

// connect starts a server and an agent that speaks with it.
func (b *bench) connect(t testing.TB, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	s, err := New(b.o)
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	served, err := s.sdk.Connect(context.Background(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, options).Connect(context.Background(), here,
		nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = c.Close(), served.Close() })
	return c
}

func tool(t testing.TB, c *sdk.ClientSession, name, arguments string) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

func TestToolsOfOneAndOfMany(t *testing.T) {
	for _, c := range []struct {
		names  []string
		shared bool
		want   string
	}{
		{[]string{"payments"}, false, "execute inspect_connector read_skill_docs"},
		{[]string{"payments", "crm"}, false, "crm__execute crm__inspect_connector crm__read_skill_docs " +
			"payments__execute payments__inspect_connector payments__read_skill_docs"},
		{nil, true, "execute inspect_connector read_skill_docs"},
	} {
		b := newBench(t, c.names...)
		b.o.Shared = c.shared
		list, err := b.connect(t, nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range list.Tools {
			names = append(names, one.Name)
			if !one.Annotations.ReadOnlyHint || *one.Annotations.DestructiveHint {
				t.Errorf("%s: a server that only reads says %+v", one.Name, one.Annotations)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("tools %s, want %s", got, c.want)
		}
	}
}

// The order that a model is told: inspect, documents, a section, a call, the next page.
func TestAModelsWay(t *testing.T) {
	c := newBench(t, "payments").connect(t, nil)
	if text, failed := tool(t, c, agent.InspectTool, `{}`); failed || !strings.Contains(text, `"payments"`) {
		t.Errorf("inspect: %s", text)
	}
	text, failed := tool(t, c, agent.DocsTool, `{}`)
	if failed || !strings.Contains(text, "`actions.charges.list`") {
		t.Errorf("overview: %s", text)
	}
	text, failed = tool(t, c, agent.DocsTool, `{"section":"actions.charges.list"}`)
	if failed || !strings.Contains(text, "| limit |") {
		t.Errorf("section: %s", text)
	}
	text, failed = tool(t, c, agent.ExecuteTool, `{"entity":"charges","action":"list","params":{"limit":2}}`)
	var page struct {
		Data []struct{ ID string }
		Meta map[string]any
	}
	if err := json.Unmarshal([]byte(text), &page); err != nil || failed || len(page.Data) != 2 || len(page.Meta) == 0 {
		t.Fatalf("list: %v %s", err, text)
	}
	text, failed = tool(t, c, agent.ExecuteTool, fmt.Sprintf(`{"entity":"charges","action":"get","params":{"id":%q},`+
		`"select_fields":["id","amount"]}`, page.Data[0].ID))
	var record map[string]any
	if err := json.Unmarshal([]byte(text), &record); err != nil || failed || len(record) != 2 ||
		record["id"] != page.Data[0].ID {
		t.Errorf("get: %v %s", err, text)
	}
}

// What is wrong is told with its field and the next step, and nothing is sent.
func TestWrongCalls(t *testing.T) {
	b := newBench(t, "payments")
	c := b.connect(t, nil)
	for arguments, want := range map[string]string{
		`{"entity":"nope","action":"list"}`:                                     "nope",
		`{"entity":"charges","action":"nope"}`:                                  "nope",
		`{"entity":"charges","action":"get"}`:                                   "id",
		`{"entity":"charges","action":"list","params":{"limit":"x"}}`:           "limit",
		`{"entity":"charges","action":"list","params":[]}`:                      "params",
		`{"entity":"charges","action":"list","select_fields":"id"}`:             "select_fields",
		`{"entity":"charges"}`:                                                  "action",
		`{"entity":"charges","action":"list","parms":{}}`:                       "parms",
		`{"entity":7,"action":"list"}`:                                          "entity",
		`{"entity":"customers","action":"create","params":{}}`:                  "only reads",
		`{"entity":"customers","action":"delete","params":{"id":"cus_1"}}`:      "only reads",
		`{"entity":"charges","action":"context_store_search","params":{"x":1}}`: "query",
	} {
		if text, failed := tool(t, c, agent.ExecuteTool, arguments); !failed || !strings.Contains(text, want) {
			t.Errorf("%s: failed %v: %s", arguments, failed, text)
		}
	}
	if sent := b.recorded(); len(sent) != 0 {
		t.Errorf("%d calls were sent", len(sent))
	}
}

const aCreate = `{"entity":"customers","action":"create","params":{"name":"Ada"}}`

// A write goes out only where the person says yes to it, by clients of both protocols.
func TestConsent(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer *sdk.ElicitResult
		sent   bool
	}{
		{"no way to ask", nil, false},
		{"yes", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"send": true}}, true},
		{"an empty yes", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"send": false}}, false},
		{"no", &sdk.ElicitResult{Action: "decline"}, false},
		{"gone", &sdk.ElicitResult{Action: "cancel"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, "payments")
			b.o.AllowWrites = true
			options, asked := &sdk.ClientOptions{}, ""
			if c.answer != nil {
				options.ElicitationHandler = func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked = r.Params.Message
					return c.answer, nil
				}
			}
			text, failed := tool(t, b.connect(t, options), agent.ExecuteTool, aCreate)
			if sent := b.recorded(); failed == c.sent || len(sent) == 1 != c.sent {
				t.Errorf("%d calls were sent: %s", len(sent), text)
			}
			if c.answer != nil && (!strings.Contains(asked, "create customers") || !strings.Contains(asked, "Ada")) {
				t.Errorf("asked %q", asked)
			}
		})
	}
}

// An answer to one question is none to another, and none a second time.
func TestConsentIsForOneCall(t *testing.T) {
	var c consents
	one := c.add("a")
	if c.take(one, "b") || c.take(one, "a") || c.take("", "") {
		t.Error("an agreement counted for another call, or twice")
	}
	if two := c.add("a"); !c.take(two, "a") || c.take(two, "a") {
		t.Error("an agreement did not count once")
	}
	first := c.add("old")
	for range mostOpen {
		c.add("x")
	}
	if c.take(first, "old") || len(c.open) > mostOpen {
		t.Errorf("%d questions are kept", len(c.open))
	}
}

var randomWrites = flag.Int("writes", 300, "how many writes are tried without a yes")

// No write goes out in any number of calls without a person who agrees.
func TestNoWriteInRandomCalls(t *testing.T) {
	b := newBench(t)
	b.o.Shared, b.o.AllowWrites = true, true
	c := b.connect(t, &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (
		*sdk.ElicitResult, error,
	) {
		return &sdk.ElicitResult{Action: "decline"}, nil
	}})
	random := rand.New(rand.NewPCG(1, 2))
	writes := 0
	for writes < *randomWrites {
		on := b.o.Connectors[random.IntN(len(b.o.Connectors))]
		e := on.Kind.Entities[random.IntN(len(on.Kind.Entities))]
		a := &e.Actions[random.IntN(len(e.Actions))]
		if !a.Writes() {
			if random.IntN(40) > 0 { // a read costs time and proves little
				continue
			}
		} else {
			writes++
		}
		params := map[string]any{}
		for _, p := range a.Params {
			if p.Required || random.IntN(4) == 0 {
				params[p.Name] = []any{"x", 1, true, nil, map[string]any{"a": canary}}[random.IntN(5)]
			}
		}
		arguments, _ := json.Marshal(map[string]any{"connector": on.Name, "entity": e.Name, "action": a.Name,
			"params": params})
		if text, failed := tool(t, c, agent.ExecuteTool, string(arguments)); a.Writes() && !failed ||
			strings.Contains(text, canary) {
			t.Fatalf("%s: %s", arguments, text)
		}
	}
	for _, sent := range b.recorded() {
		if catalog.Writes(sent.Op.Action, sent.Connector.Kind.Entity(sent.Op.Entity).Action(sent.Op.Action)) {
			t.Errorf("a write was sent: %+v", sent.Op)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, l := range []struct {
		limits       Limits
		params, want string
	}{
		{Limits{Calls: 2}, `{}`, "limit of 2 calls"}, {Limits{Tokens: 50}, `{"limit":1}`, "limit of 50 tokens"},
		{Limits{Pages: 1}, `{"starting_after":"ch_1"}`, "limit of 1 further pages"},
	} {
		b := newBench(t, "payments")
		b.o.Limits = l.limits
		c, last := b.connect(t, nil), ""
		for range 4 {
			last, _ = tool(t, c, agent.ExecuteTool, `{"entity":"charges","action":"list","params":`+l.params+`}`)
		}
		if !strings.Contains(last, l.want) {
			t.Errorf("%+v: %.300s", l.limits, last)
		}
	}
}

func TestSecretsAndLongResults(t *testing.T) {
	b := newBench(t, "payments")
	b.o.AllowWrites = true
	asked := ""
	c := b.connect(t, &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (
		*sdk.ElicitResult, error,
	) {
		asked = r.Params.Message
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"send": true}}, nil
	}})
	text, failed := tool(t, c, agent.ExecuteTool, fmt.Sprintf(
		`{"entity":"customers","action":"create","params":{"name":"Ada","description":%q}}`, "x "+canary))
	if failed || strings.Contains(text+asked, canary) {
		t.Errorf("asked %s, got %s", asked, text)
	}
	long := strings.Repeat("é", agent.MostOutput)
	text, failed = tool(t, c, agent.ExecuteTool, fmt.Sprintf(
		`{"entity":"customers","action":"create","params":{"name":%q}}`, long))
	if !failed || len(text) > 2000 || !strings.Contains(text, "select_fields") {
		t.Errorf("a long result: %d bytes: %.300s", len(text), text)
	}
}

func TestResourcesAndCompletion(t *testing.T) {
	c := newBench(t, "payments", "crm").connect(t, nil)
	read := func(address string) (string, error) {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: address})
		if err != nil {
			return "", err
		}
		return r.Contents[0].Text, nil
	}
	list, err := c.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 2 {
		t.Fatalf("%v: %d resources", err, len(list.Resources))
	}
	for _, r := range list.Resources {
		if text, err := read(r.URI); err != nil || !strings.Contains(text, "## Outline") {
			t.Errorf("%s: %v %s", r.URI, err, text)
		}
	}
	if text, err := read("patchbay://payments/actions/charges/get"); err != nil || !strings.Contains(text, "| id |") {
		t.Errorf("a section: %v %s", err, text)
	}
	for _, address := range []string{"patchbay://payments/actions/charges/nope", "patchbay://nope/docs",
		"patchbay://payments/nope", "patchbay://payments/records/charges/%zz", "patchbay://payments/records/nope/1",
		"patchbay://payments/records/charges/ch_nope", "file:///etc/passwd"} {
		if text, err := read(address); err == nil {
			t.Errorf("%s: %s", address, text)
		}
	}
	text, _ := tool(t, c, "payments__execute", `{"entity":"charges","action":"list","params":{"limit":3}}`)
	var page struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	complete := func(template, name, value string, chosen map[string]string) []string {
		r, err := c.Complete(t.Context(), &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/resource",
			URI: template}, Argument: sdk.CompleteParamsArgument{Name: name, Value: value},
			Context: &sdk.CompleteContext{Arguments: chosen}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Completion.Values
	}
	of := map[string]string{"connector": "payments", "entity": "charges"}
	if got := complete(recordTemplate, "id", "ch_", of); len(got) != 3 || got[0] != page.Data[0].ID {
		t.Errorf("ids %v", got)
	}
	if got := complete(sectionTemplate, "action", "g", of); !slices.Equal(got, []string{"get"}) {
		t.Errorf("actions %v", got)
	}
	if got := complete(sectionTemplate, "connector", "P", nil); !slices.Equal(got, []string{"payments"}) {
		t.Errorf("connectors %v", got)
	}
	if got := complete(sectionTemplate, "entity", "char", of); !slices.Equal(got, []string{"charges"}) {
		t.Errorf("entities %v", got)
	}
	if text, err := read("patchbay://payments/records/charges/" + page.Data[0].ID); err != nil ||
		!strings.Contains(text, page.Data[0].ID) {
		t.Errorf("a record: %v %s", err, text)
	}
}

// withToken adds a bearer token to requests.
type withToken string

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(w))
	return http.DefaultTransport.RoundTrip(r)
}

func TestOverHTTP(t *testing.T) {
	b := newBench(t, "payments")
	s, err := New(b.o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := listen.On("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.HTTP(ctx, l, l.Addr().String(), canary, nil) }()
	address := "http://" + l.Addr().String() + Path
	c, err := sdk.NewClient(&sdk.Implementation{Name: "tester"}, nil).Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: address, HTTPClient: &http.Client{Transport: withToken(canary)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, failed := tool(t, c, agent.ExecuteTool, `{"entity":"charges","action":"list","params":{"limit":1}}`); failed ||
		!strings.Contains(text, `"ch_`) {
		t.Errorf("list: %s", text)
	}
	if got := b.recorded(); len(got) != 1 || got[0].Client != "tester" {
		t.Errorf("recorded %+v", got)
	}
	for _, h := range []map[string]string{{}, {"Authorization": "Bearer no"},
		{"Authorization": "Bearer " + canary, "Origin": "https://evil.test"}} {
		r, _ := http.NewRequest(http.MethodPost, address, strings.NewReader(`{}`))
		for name, value := range h {
			r.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		_, _ = body.ReadFrom(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusUnauthorized && res.StatusCode != http.StatusForbidden {
			t.Errorf("%v: status %d: %s", h, res.StatusCode, body.String())
		}
	}
	_ = c.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestNothingToServe(t *testing.T) {
	if _, err := New(Options{}); client.AsError(err).Next == "" {
		t.Errorf("%v", err)
	}
}

// BenchmarkCalls is how many calls a second an agent can make.
func BenchmarkCalls(b *testing.B) {
	bench := newBench(b, "payments")
	c := bench.connect(b, nil)
	var took []time.Duration
	for b.Loop() {
		at := time.Now()
		tool(b, c, agent.ExecuteTool, `{"entity":"charges","action":"list","params":{"limit":10}}`)
		took = append(took, time.Since(at))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
