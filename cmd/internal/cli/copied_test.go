package cli

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/local"
	"patchbay/client/payload"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
)

// copied is a call with the answer that its texts must get.
type copied struct {
	in   payload.Input
	body string
	// records are what the answer holds of them.
	records string
}

// copier makes calls of the sandbox at an address, over all kinds.
type copier struct {
	t       *testing.T
	catalog *catalog.Catalog
	url     string
	service *hosted.Client
	in      map[string]client.Connector
}

func newTexts(t *testing.T, names client.Names) *copier {
	c := catalog.New()
	server := httptest.NewServer(sandbox.New(sandbox.Options{Catalog: c, Records: 40, Names: string(names)}))
	t.Cleanup(server.Close)
	x := &copier{t: t, catalog: c, url: server.URL, in: map[string]client.Connector{}, service: hosted.New(hosted.Config{
		BaseURL: server.URL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: c,
		Names: names})}
	list, err := x.service.Connectors(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range list {
		x.in[known.Kind] = known
	}
	return x
}

// input is an operation of a kind as it is copied.
func (x *copier) input(k *catalog.Kind, op client.Operation) payload.Input {
	x.t.Helper()
	in := payload.Input{Operation: op, Kind: k, Target: x.in[k.Name].Target(""), BaseURL: x.url, Known: known(true)}
	var err error
	if in.Request, err = x.service.Preview(in.Target, op); err != nil {
		x.t.Fatal(err)
	}
	return in
}

// answered is a call with its answer; ok is false where it needs what nobody gave.
func (x *copier) answered(k *catalog.Kind, op client.Operation) (c copied, ok bool) {
	in := x.input(k, op)
	env, err := x.service.Execute(x.t.Context(), in.Target, op)
	if err != nil || env.Records.Empty() {
		return c, false
	}
	records := env.Body.Slice(env.Records.From, env.Records.To)
	return copied{in, string(env.Body.Slice(0, env.Body.Len())), string(records)}, true
}

// sample are reads of every kind that succeed: a list of each entity that needs nothing,
// a record of it, a search of it. It takes about count of them, evenly.
func (x *copier) sample(count int) []copied {
	var all []copied
	for _, s := range x.catalog.Kinds() {
		k, err := x.catalog.Kind(s.Name)
		if err != nil {
			x.t.Fatal(err)
		}
		for i := range k.Entities {
			all = append(all, x.reads(k, &k.Entities[i])...)
		}
	}
	var out []copied
	for i := range count {
		out = append(out, all[i*len(all)/count])
	}
	return out
}

func (x *copier) reads(k *catalog.Kind, e *catalog.Entity) (out []copied) {
	try := func(action string, params *rawjson.Map) {
		if e.Action(action) == nil {
			return
		}
		if c, ok := x.answered(k, client.Operation{Entity: e.Name, Action: action, Params: params.JSON()}); ok {
			out = append(out, c)
		}
	}
	limit := rawjson.NewMap()
	if a := e.Action(catalog.ActionList); a != nil && a.Page != nil && catalog.FieldByName(a.Params, a.Page.Size) != nil {
		limit.Set(a.Page.Size, 3)
	}
	try(catalog.ActionList, limit)
	if get := e.Action(catalog.ActionGet); get != nil && len(out) > 0 && len(get.Params) > 0 {
		first, _ := rawjson.Parse([]byte(out[0].records)).At(0)
		if key, ok := first.Get(e.Key); ok {
			try(catalog.ActionGet, rawjson.NewMap(get.Params[0].Name, key.Value()))
		}
	}
	try(catalog.ActionContextStoreSearch, rawjson.NewMap("query", rawjson.NewMap(), "limit", 2))
	return out
}

// write renders an input, which must work.
func (x *copier) write(format string, in payload.Input) string {
	x.t.Helper()
	f, _ := payload.ByName(format)
	text, err := f.Render(in)
	if err != nil {
		x.t.Fatalf("%s of %s %s %s: %v", format, in.Kind.Name, in.Operation.Entity, in.Operation.Action, err)
	}
	return text
}

// took is what differs recordSeparator two answers to the same call.
var took = regexp.MustCompile(`"(execution_time_ms|took_ms)":\s*\d+`)

// same compares answers to a call, without the time that they took.
func same(t *testing.T, format, got, want string, in payload.Input) {
	t.Helper()
	if took.ReplaceAllString(got, "") != took.ReplaceAllString(want, "") {
		t.Errorf("%s of %s %s %s answers otherwise\ngot  %.300s\nwant %.300s", format, in.Kind.Name, in.Operation.Entity,
			in.Operation.Action, got, want)
	}
}

const recordSeparator = "\x1e"

func TestCopiedShellTextsAnswer(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("THERE IS NO sh HERE: no copied command was run")
	}
	_, noCurl := exec.LookPath("curl")
	x := newTexts(t, client.Neutral)
	sample := x.sample(100)
	tools := t.TempDir()
	own, err := exec.LookPath(binary)
	if err == nil {
		own, err = filepath.Abs(own)
	}
	if err == nil {
		script := "#!" + sh + "\nexec '" + own + "' \"$@\"\n"
		err = os.WriteFile(filepath.Join(tools, "platform-agent"), []byte(script), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"curl", "cli"} {
		t.Run(format, func(t *testing.T) {
			if format == "curl" && noCurl != nil {
				t.Skip("THERE IS NO curl HERE: the copied curl commands were not run")
			}
			var script strings.Builder
			for _, c := range sample {
				script.WriteString(strings.Replace(x.write(format, c.in), "curl ", "curl -sS ", 1) +
					"\nprintf '" + `\036` + "'\n")
			}
			cmd := exec.Command(sh)
			cmd.Stdin = strings.NewReader(script.String())
			cmd.Env = cleanEnv(t, "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_PROXY=127.0.0.1")
			var problems bytes.Buffer
			cmd.Stderr = &problems
			out, err := cmd.Output()
			answers := strings.Split(string(out), recordSeparator)
			if err != nil || len(answers) != len(sample)+1 {
				t.Fatalf("%d answers to %d texts: %v\n%.2000s", len(answers)-1, len(sample), err, problems.String())
			}
			if problems.Len() > 0 {
				t.Errorf("%.2000s", problems.String())
			}
			for i, c := range sample {
				same(t, format, strings.TrimSuffix(answers[i], "\n"), c.body, c.in)
			}
		})
	}
}

// The programs become the files of one, which runs them one after the other: only the
// names of their functions change.
func TestCopiedGoProgramsAnswer(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("THERE IS NO go HERE: the copied Go programs were not run")
	}
	x := newTexts(t, client.Neutral)
	sample := x.sample(100)
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module copied\n\ngo 1.21\n")
	all := "package main\n\nimport \"fmt\"\n\nfunc main() {\n"
	for i, c := range sample {
		text := x.write("go", c.in)
		text = strings.Replace(text, "func main()", fmt.Sprintf("func main%d()", i), 1)
		text = strings.Replace(text, "func run()", fmt.Sprintf("func run%d()", i), 1)
		write(fmt.Sprintf("p%d.go", i), strings.Replace(text, ":= run()", fmt.Sprintf(":= run%d()", i), 1))
		all += fmt.Sprintf("\tmain%d()\n\tfmt.Print(\"\\x1e\")\n", i)
	}
	write("all.go", all+"}\n")
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "NO_PROXY=127.0.0.1")
	out, err := cmd.Output()
	answers := strings.Split(string(out), recordSeparator)
	if err != nil || len(answers) != len(sample)+1 {
		t.Fatalf("%d answers to %d programs: %v", len(answers)-1, len(sample), err)
	}
	for i, c := range sample {
		same(t, "go", answers[i], c.body, c.in)
	}
}

//go:embed testdata/sdk.py
var fakeSDK string

// Python runs against a small module with the SDK's signatures, which does what the SDK
// does on the wire, for each kind: it finds the connector by its type and executes.
func TestCopiedPythonAnswers(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("THERE IS NO python3 HERE: the copied Python was not run")
	}
	for _, names := range []client.Names{client.Neutral, client.Wire} {
		t.Run(string(names), func(t *testing.T) { newTexts(t, names).python(python) })
	}
}

// python runs the Python of a read of each kind, and of a search where it has one, and
// makes a connector of each.
func (x *copier) python(program string) {
	t := x.t
	var programs, registry []string
	var want []copied
	for _, s := range x.catalog.Kinds() {
		k, _ := x.catalog.Kind(s.Name)
		registry = append(registry, k.ConnectorType+"="+k.DefinitionID)
		found := len(want)
		for i := range k.Entities {
			if list := x.reads(k, &k.Entities[i]); len(list) > 0 {
				want = append(want, list[0], list[len(list)-1])
				break
			}
		}
		if len(want) == found {
			t.Errorf("nothing of %s can be read", k.Name)
		}
	}
	for _, c := range want {
		c.in.Preset = payload.Public()
		programs = append(programs, x.write("python", c.in))
		c.in.Create = &client.NewConnector{Workspace: "staging", ConnectorType: c.in.Kind.ConnectorType, Name: "Mine",
			Credentials: credentialsOf(c.in.Kind), ReplicationConfig: configOf(c.in.Kind)}
		programs = append(programs, x.write("python", c.in))
	}
	answers := runPython(t, program, registry, programs)
	for i, c := range want {
		if got := answers[2*i]; value(t, got) != value(t, c.records) {
			t.Errorf("%s answers otherwise\ngot  %.300s\nwant %.300s", c.in.Kind.Name, got, c.records)
		}
		if id := strings.TrimSpace(answers[2*i+1]); len(id) != 36 {
			t.Errorf("%s: the connector made is %q", c.in.Kind.Name, id)
		}
	}
}

// runPython runs programs against the module and returns what each prints.
func runPython(t *testing.T, python string, registry, programs []string) []string {
	t.Helper()
	cmd := exec.Command(python, "-c", fakeSDK)
	cmd.Stdin = strings.NewReader(strings.Join(programs, recordSeparator))
	cmd.Env = append(cleanEnv(t), "REGISTRY="+strings.Join(registry, ","), "NO_PROXY=127.0.0.1",
		"PATH="+os.Getenv("PATH"))
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	answers := strings.Split(string(out), recordSeparator)
	if err != nil || len(answers) != len(programs)+1 {
		t.Fatalf("%d answers to %d programs: %v\n%.3000s", len(answers)-1, len(programs), err, problems.String())
	}
	return answers
}

// Local Python makes the classes that the SDK has for each kind, with the fields that
// they take, and calls with the params of the connector definition.
func TestCopiedLocalPythonRuns(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("THERE IS NO python3 HERE: the copied Python was not run")
	}
	c := catalog.New()
	calls := local.New(local.Config{Catalog: c, Credentials: func(_, _, field string) (secret.Secret, string, bool, error) {
		return secret.Secret{}, "", false, nil
	}, Values: func(_, _, name string) (string, bool) {
		return map[string]string{"subdomain": "ours", "repositories": "o/r", "account_ids": "1", "organization": "o",
			"project": "p"}[name], true
	}})
	var programs, want []string
	for _, s := range c.Kinds() {
		k, _ := c.Kind(s.Name)
		in, ok := localList(calls, k)
		if !ok {
			t.Errorf("no list of %s can be written", k.Name)
			continue
		}
		f, _ := payload.ByName("python")
		text, err := f.Render(in)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, text)
		call := rawjson.NewMap("entity", in.Operation.Entity, "action", in.Operation.Action, "params", nil)
		if in.Request.Signed.Params != nil {
			call.Set("params", in.Request.Signed.Params)
		}
		want = append(want, string(call.JSON()))
	}
	for i, got := range runPython(t, python, []string{"a=b"}, programs)[:len(want)] {
		if value(t, got) != value(t, want[i]) {
			t.Errorf("python calls %s, want %s\n%s", got, want[i], programs[i])
		}
	}
}

// localList is the first list of a kind that can be written as a local call.
func localList(calls *local.Client, k *catalog.Kind) (payload.Input, bool) {
	for i := range k.Entities {
		in := payload.Input{Kind: k, Preset: payload.Public(), Target: client.Target{Kind: k.Name, Local: true},
			Operation: client.Operation{Entity: k.Entities[i].Name, Action: catalog.ActionList}}
		if request, err := calls.Preview(in.Target, in.Operation); err == nil {
			in.Request = request
			return in, true
		}
	}
	return payload.Input{}, false
}

// value is JSON without the space between its parts, its numbers written in one way.
func value(t *testing.T, text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%v: %.200s", err, text)
	}
	return fmt.Sprint(v)
}

// credentialsOf are names of the first credential method of a kind, with values that
// nobody reads.
func credentialsOf(k *catalog.Kind) json.RawMessage {
	at := slices.IndexFunc(k.Credentials, func(m catalog.Method) bool { return !m.Unavailable })
	given := &rawjson.Map{}
	for _, f := range k.Credentials[at].Fields {
		if f.Required {
			given.Add(f.Name, "x")
		}
	}
	return given.JSON()
}

// configOf are values for the configuration that a kind needs.
func configOf(k *catalog.Kind) json.RawMessage {
	given := &rawjson.Map{}
	for _, f := range k.Config {
		switch {
		case !f.Required:
		case f.Default != nil:
			given.Add(f.Name, f.Default)
		case len(f.Enum) > 0:
			given.Add(f.Name, f.Enum[0])
		case f.Type == "array":
			given.Add(f.Name, []string{"owner/repo"})
		case f.Format == "date-time":
			given.Add(f.Name, "2026-01-01T00:00:00Z")
		default:
			given.Add(f.Name, "x")
		}
	}
	if given.Len() == 0 {
		return nil
	}
	return given.JSON()
}
