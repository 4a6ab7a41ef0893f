package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/testdata/hostile"
)

// nasty are texts that break careless quoting; what no JSON text can hold is not among them.
var nasty = slices.DeleteFunc(slices.Clone(hostile.Texts), func(s string) bool { return !utf8.ValidString(s) })

type generator struct{ r *rand.Rand }

func (g generator) text() string {
	s := nasty[g.r.IntN(len(nasty))]
	if g.r.IntN(3) == 0 {
		s += nasty[g.r.IntN(len(nasty))]
	}
	return s
}

func (g generator) value(f *catalog.Field, depth int) json.RawMessage {
	kind, _, _ := strings.Cut(f.Type, "|")
	switch {
	case kind == "integer":
		return json.RawMessage(fmt.Sprint(g.r.Int64()))
	case kind == "number":
		return json.RawMessage([]string{"-1.50", "1e400", "0", "12345678901234567890.10"}[g.r.IntN(4)])
	case kind == "boolean":
		return json.RawMessage([]string{"true", "false", "null"}[g.r.IntN(3)])
	case kind == "array" && depth < 4:
		item := f.Items
		if item == nil {
			item = &catalog.Field{Type: "string"}
		}
		return json.RawMessage("[" + string(g.value(item, depth+1)) + "," + string(g.value(item, depth+1)) + "]")
	case kind == "object" && depth < 4:
		return g.object(f.Members, depth+1)
	}
	return rawjson.AppendQuoted(nil, g.text())
}

func (g generator) object(fields []catalog.Field, depth int) json.RawMessage {
	m := &rawjson.Map{}
	for i := range fields {
		if g.r.IntN(4) > 0 {
			m.Add(fields[i].Name, g.value(&fields[i], depth))
		}
	}
	if len(fields) == 0 || depth == 0 {
		m.Add("free "+g.text(), g.text())
	}
	return m.JSON()
}

// kinds are all kinds of the catalog.
func kinds(t testing.TB) []*catalog.Kind {
	t.Helper()
	c := catalog.New()
	var out []*catalog.Kind
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k)
	}
	if len(out) < 20 {
		t.Fatalf("only %d kinds in the catalog", len(out))
	}
	return out
}

// inputs returns one call with nasty values for every action of the catalog.
func inputs(t testing.TB) []Input {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	var out []Input
	for _, k := range kinds(t) {
		for _, e := range k.Entities {
			for i := range e.Actions {
				in := Input{
					Operation: client.Operation{Entity: e.Name, Action: e.Actions[i].Name, Params: g.object(e.Actions[i].Params, 0)},
					Kind:      k,
					Target:    client.Target{Kind: k.Name, Workspace: "w " + g.text(), Name: "n" + g.text(), ConnectorID: "0b8f1f7e-7a0e-4d52-8d3f-1c8c2f1d9f11"},
				}
				body := &rawjson.Map{}
				if err := addOperation(body, in.Operation); err != nil {
					t.Fatal(err)
				}
				in.Request = hostedRequest(in.Target.ConnectorID, body.JSON())
				out = append(out, in)
			}
		}
	}
	return out
}

func hostedRequest(id string, raw []byte) *client.Request {
	return &client.Request{Method: "POST", URL: "https://svc.example/base/api/v1/integrations/connectors/" + id + "/execute", Body: raw,
		Headers: []client.RequestHeader{{Name: "Authorization", Value: "Bearer ${PLATFORM_TOKEN}", Template: true},
			{Name: "Content-Type", Value: "application/json"}, {Name: "X-Organization-Id", Value: "org-1"}},
		Env: []client.EnvVar{{Name: "PLATFORM_TOKEN", Meaning: "bearer token of the service; patchbay token prints one"}}}
}

// write renders an input in a format.
func write(format string, in Input) (string, error) {
	f, _ := ByName(format)
	return f.Render(in)
}

// canonical writes JSON in one way for comparison, keeping order and number text.
func canonical(t testing.TB, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		tok, err := d.Token()
		if err != nil {
			return b.String()
		}
		fmt.Fprintf(&b, "%T:%v\x00", tok, tok)
	}
}

func TestRoundTripEveryAction(t *testing.T) {
	count := 0
	for _, in := range inputs(t) {
		for _, f := range Formats() {
			text, err := f.Render(in)
			if err != nil {
				t.Fatalf("%s %s.%s: %v", f.Name, in.Operation.Entity, in.Operation.Action, err)
			}
			got, err := Parse(text)
			if err != nil {
				t.Fatalf("%s %s.%s: %v\n%s", f.Name, in.Operation.Entity, in.Operation.Action, err, text)
			}
			if got.Format != f.Name {
				t.Fatalf("%s was read as %s:\n%s", f.Name, got.Format, text)
			}
			want := in.Operation
			if got.Operation.Entity != want.Entity || got.Operation.Action != want.Action ||
				canonical(t, got.Operation.Params) != canonical(t, want.Params) {
				t.Fatalf("%s of %s.%s changed the call\nwant %s\ngot  %s\n%s", f.Name, want.Entity, want.Action, want.Params, got.Operation.Params, text)
			}
			checkPlace(t, f.Name, in, got)
			count++
		}
	}
	t.Logf("%d texts", count)
}

func checkPlace(t *testing.T, format string, in Input, got Parsed) {
	t.Helper()
	if format == "python" && in.Operation.Action == catalog.ActionDownload { // it is a request, as curl's is
		format = "curl"
	}
	switch format {
	case "curl", "go":
		if got.ConnectorID != in.Target.ConnectorID || got.OrganizationID != "org-1" {
			t.Fatalf("%s lost the place: %+v", format, got)
		}
	default:
		name := in.Target.Name
		if format == "python" {
			name = in.Kind.ConnectorType
		}
		if got.Name != name || got.Workspace != in.Target.Workspace {
			t.Fatalf("%s lost the place: %q %q, want %q %q", format, got.Name, got.Workspace, name, in.Target.Workspace)
		}
	}
}

// The shell text of every call goes through a real shell whose curl and
// platform-agent write their arguments, zero bytes between them.
func TestShellAgrees(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("THERE IS NO sh HERE: the quoting was not tried in a real shell")
	}
	dir := t.TempDir()
	for _, name := range []string{"curl", "platform-agent"} {
		script := "#!" + sh + "\nprintf '%s\\0' \"$@\" CALL\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var script strings.Builder
	var want []string
	for _, in := range inputs(t) {
		raw, _ := call(in)
		cli, err := write("cli", in)
		if err != nil {
			t.Fatal(err)
		}
		curl, err := write("curl", in)
		if err != nil {
			t.Fatal(err)
		}
		script.WriteString(cli + "\n" + curl + "\n")
		want = append(want, "connectors", "execute", "--json", string(raw), "CALL",
			"-X", "POST", in.Request.URL, "-H", "Authorization: Bearer s3cr$t`'\"", "-H", "Content-Type: application/json",
			"-H", "X-Organization-Id: org-1", "--data-raw", string(in.Request.Body), "CALL")
	}
	cmd := exec.Command(sh)
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = []string{"PATH=" + dir, "PLATFORM_TOKEN=s3cr$t`'\""}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the shell failed: %v", err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("argument %d differs\nwant %q\ngot  %q", i, want[i], got[min(i, len(got)-1)])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d arguments, want %d", len(got), len(want))
	}
}

const pythonStub = `
import json, sys, types
class Connector:
    def __init__(self, *a, **k): self.place = [a, k]
    async def __aenter__(self): return self
    async def __aexit__(self, *a): return False
    async def execute(self, entity, action, params=None):
        seen.append([self.place[0][0], self.place[1].get("workspace_name") or self.place[1]["auth_config"]["workspace_name"], entity, action, params])
seen = []
stub = types.ModuleType("platform_agent_sdk")
stub.connect = Connector
stub.PlatformAuthConfig = lambda **k: k
sys.modules["platform_agent_sdk"] = stub
import os
os.environ["PLATFORM_CLIENT_ID"] = os.environ["PLATFORM_CLIENT_SECRET"] = "x"
import builtins
show, builtins.print = builtins.print, lambda *a: None
sys.stdin.reconfigure(encoding="utf-8", newline="\n")
for text in sys.stdin.read().split("\0"):
    exec(compile(text, "payload", "exec"), {"__name__": "__main__"})
show(json.dumps(seen, ensure_ascii=True))
`

func TestPythonAgrees(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("THERE IS NO python3 HERE: the Python texts were not run")
	}
	var texts []string
	all := slices.DeleteFunc(inputs(t), func(in Input) bool { return in.Operation.Action == catalog.ActionDownload })
	for i, in := range all {
		if i%2 == 0 {
			in.Request = nil
		}
		text, err := write("python", in)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	cmd := exec.Command(python, "-c", pythonStub)
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\x00"))
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python: %v\n%s", err, problems.String())
	}
	var seen [][]json.RawMessage
	if err := json.Unmarshal(out, &seen); err != nil || len(seen) != len(all) {
		// Python writes numbers out of range as Infinity, which is no JSON.
		out = bytes.ReplaceAll(out, []byte("Infinity"), []byte("1e400"))
		if err := json.Unmarshal(out, &seen); err != nil || len(seen) != len(all) {
			t.Fatalf("python saw %d calls of %d: %v", len(seen), len(all), err)
		}
	}
	for i, in := range all {
		want := fmt.Sprintf("%q %q %q %q", in.Kind.ConnectorType, in.Target.Workspace, in.Operation.Entity, in.Operation.Action)
		var place [4]string
		for j := range place {
			_ = json.Unmarshal(seen[i][j], &place[j])
		}
		if got := fmt.Sprintf("%q %q %q %q", place[0], place[1], place[2], place[3]); got != want {
			t.Fatalf("python saw %s, want %s", got, want)
		}
		if got, want := texts2(t, seen[i][4]), texts2(t, in.Operation.Params); got != want {
			t.Fatalf("python changed the params\ngot  %s\nwant %s", got, want)
		}
	}
}

// texts2 keeps the texts and the structure: Python has its own way to write numbers.
func texts2(t *testing.T, raw []byte) string {
	s := canonical(t, raw)
	parts := strings.Split(s, "\x00")
	for i, p := range parts {
		if strings.HasPrefix(p, "json.Number:") {
			parts[i] = "number"
		}
	}
	return strings.Join(parts, "\x00")
}

func TestGoPrograms(t *testing.T) {
	all := inputs(t)
	for _, in := range all {
		text, err := write("go", in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.AllErrors); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	local := localInput()
	for name, in := range map[string]Input{"hosted": all[0], "local": local} {
		text, err := write("go", in)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
			t.Fatalf("%s does not compile: %v\n%s\n%s", name, err, out, text)
		}
	}
}

func localInput() Input {
	return Input{
		Operation: client.Operation{Entity: "customers", Action: "list"},
		Target:    client.Target{Kind: "payments", Local: true, Name: "stripe"},
		Request: &client.Request{Method: "GET", URL: "https://api.example/v1/customers?page[size]=1&q=%27",
			Query:   []client.Header{{Name: "api_key", Value: "${KEY}"}},
			Basic:   &client.BasicAuth{User: "${USER_ID}", Password: "${PASS}x"},
			Headers: []client.RequestHeader{{Name: "X-Key", Value: "a$b ${KEY}!", Template: true}}},
	}
}

func TestLocalTexts(t *testing.T) {
	in := localInput()
	curl, err := write("curl", in)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"--globoff -G ", `-u "$USER_ID:${PASS}x"`, `--data-urlencode "api_key=$KEY"`, `-H 'X-Key: a$b '"$KEY"'!'`} {
		if !strings.Contains(curl, part) {
			t.Errorf("%q is missing in\n%s", part, curl)
		}
	}
	py, err := write("python", in)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`auth=(os.environ["USER_ID"], os.environ["PASS"] + "x")`, `params={"api_key": os.environ["KEY"], }`} {
		if !strings.Contains(py, part) {
			t.Errorf("%q is missing in\n%s", part, py)
		}
	}
	if _, err := write("cli", in); err == nil {
		t.Error("the CLI has no local calls")
	}
}

func TestCreateNeverShowsSecrets(t *testing.T) {
	k, err := catalog.New().Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Kind: k, Target: client.Target{Kind: "payments"}, Request: &client.Request{Method: "POST", URL: "https://h/api/v1/integrations/connectors",
		Body: []byte(`{"credentials":{"api_key":"TOPSECRET"}}`), Headers: []client.RequestHeader{{Name: "Authorization", Value: "Bearer ${PLATFORM_TOKEN}", Template: true}}},
		Create: &client.NewConnector{Workspace: "it's", ConnectorType: "stripe", Name: "S", Credentials: json.RawMessage(`{"api_key":"TOPSECRET","account_id":"TOPSECRET"}`)}}
	for _, f := range Formats() {
		text, err := f.Render(in)
		if strings.Contains(text, "TOPSECRET") || err != nil && strings.Contains(err.Error(), "TOPSECRET") {
			t.Fatalf("%s shows the secret:\n%s", f.Name, text)
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		// The CLI names no connector but its type, the SDK the id of its definition.
		name, kind := "S", "stripe"
		switch f.Name {
		case "cli":
			name = kind
		case "python":
			kind = k.DefinitionID
		}
		p, err := Parse(text)
		if err != nil || p.Create == nil || p.Create.ConnectorType != kind || p.Create.Workspace != "it's" || p.Create.Name != name {
			t.Fatalf("%s: %+v %v\n%s", f.Name, p, err, text)
		}
		if f.Name != "cli" && !strings.Contains(string(p.Create.Credentials), "${PATCHBAY_PAYMENTS_API_KEY}") {
			t.Fatalf("%s does not name the variable:\n%s\n%s", f.Name, text, p.Create.Credentials)
		}
	}
	in.Create.ReplicationConfig = json.RawMessage(`{"instance_url":"x"}`)
	if _, err := write("cli", in); err == nil || !strings.Contains(err.Error(), "replication_config") {
		t.Fatalf("a create with configuration must be refused: %v", err)
	}
}

const executeURL = "https://h/api/v1/integrations/connectors/c-1/execute"

func TestHandWritten(t *testing.T) {
	want := `{"id":"it's \"x\"\n"}`
	doc := "{\n \"entity\":\"customers\",\"action\":\"get\",\"params\":{\"id\":\"it's \\\"x\\\"\\n\"}}\n"
	good := map[string]string{
		"curl here-document": "curl " + executeURL + " -H 'A: b' -d @- <<'EOF'\n" + doc + "EOF\n",
		"cli here-document":  "platform-agent connectors execute --json - <<EOF\n" + strings.ReplaceAll(doc, `\`, `\\`) + "EOF\n",
		"cli here-string":    "platform-agent connectors execute --json - <<<'" + strings.ReplaceAll(doc, "'", `'\''`) + "'",
		"curl continued":     "$ curl -sS -XPOST \\\n  --url " + executeURL + " \\   \n -H'Content-Type: application/json' -H \"Authorization: Bearer $T\" \\\r\n -d '{\"entity\":\"customers\",\"action\":\"get\",\n\"params\":{\"id\":\"it'\\''s \\\"x\\\"\\n\"}}' | jq .",
		"curl double":        "curl " + executeURL + " --json \"{\\\"entity\\\":\\\"customers\\\",\\\"action\\\":\\\"get\\\",\\\"params\\\":{\\\"id\\\":\\\"it's \\\\\\\"x\\\\\\\"\\n\\\"}}\"",
		"curl ansi":          "curl --request POST " + executeURL + " --data-raw $'{\"entity\":\"customers\",\"action\":\"get\",\"params\":{\"id\":\"it\\'s \\\\\"x\\\\\"\\\\n\"}}' --compressed",
		"cli":                "TOKEN=1 platform-agent connectors execute --json='{\"workspace\":\"w\",\"name\":\"s\",\"entity\":\"customers\",\"action\":\"get\",\"params\":{\"id\":\"it'\"'\"'s \\\"x\\\"\\n\"}}'",
		"cli other name":     "airbyte-agent connectors execute --json \"{\\\"entity\\\":\\\"customers\\\",\\\"action\\\":\\\"get\\\",\\\"params\\\":{\\\"id\\\":\\\"it's \\\\\\\"x\\\\\\\"\\\\n\\\"}}\" # note",
		"json":               " \ufeff{\"entity\":\"customers\",\"action\":\"get\",\"params\":{\"id\":\"it's \\\"x\\\"\\n\"},\"skip_truncation\":true}",
		"python by hand":     "import x\nasync with connect('s', workspace_name='w') as c:\n  r = await c.execute('customers', 'get', {'id': 'it\\'s \"x\"\\n',})",
		"cli flags":          `airbyte-agent connectors execute --id c-1 --entity customers --action get --params '{"id":"it'\''s \"x\"\n"}' --verbose`,
		"cli flags, joined":  `AIRBYTE_API_HOST=x airbyte-agent connectors execute --name=s --workspace w --entity=customers --action=get --params="{\"id\":\"it's \\\"x\\\"\\n\"}" --skip-truncation`,
		"a lone line":        `    result = await connector.execute("customers", "get", params={"id": "it's \"x\"\n"})  # note`,
		"a config":           `r = await c.execute(ExecutionConfig(entity="customers", action="get", params={"id": 'it\'s "x"\n'}))`,
		"requests":           "import requests\nr = requests.post(\n    '" + executeURL + "',\n    headers={'Authorization': f'Bearer {token}'},\n    json={'entity': 'customers', 'action': 'get', 'params': {'id': 'it\\'s \"x\"\\n'}},\n    timeout=30,\n)",
		"requests, named":    "url = \"" + executeURL + "\"\n\npayload = json.dumps({\n  \"entity\": \"customers\",\n  \"action\": \"get\",\n  \"params\": {\"id\": \"it's \\\"x\\\"\\n\"}\n})\nheaders = {\n  'Authorization': 'Bearer ' + os.environ['T'],\n  'Content-Type': 'application/json'\n}\n\nresponse = requests.request(\"POST\", url, headers=headers, data=payload)",
		"httpx":              "BASE = 'https://h/api/v1'\nasync with httpx.AsyncClient(timeout=30) as client:\n  params = {\"id\": \"it's \\\"x\\\"\\n\"}\n  r = await client.post(f\"{BASE}/integrations/connectors/c-1/execute\", content=json.dumps(dict_of), json={\"entity\": \"customers\", \"action\": \"get\", \"params\": params})",
		"fetch":              "const body = {entity: 'customers', action: 'get', params: {id: 'it\\'s \"x\"\\n'}};\nconst r = await fetch(`https://h/api/v1/integrations/connectors/c-1/execute`, {\n  method: 'POST', // run it\n  headers: {Authorization: `Bearer ${process.env.T}`, ...more},\n  body: JSON.stringify(body),\n  signal: controller.signal,\n});",
		"fetch, copied":      "fetch(\"" + executeURL + "\", {\n  \"headers\": {\n    \"accept\": \"*/*\"\n  },\n  \"body\": \"{\\\"entity\\\":\\\"customers\\\",\\\"action\\\":\\\"get\\\",\\\"params\\\":{\\\"id\\\":\\\"it's \\\\\\\"x\\\\\\\"\\\\n\\\"}}\",\n  \"method\": \"POST\"\n});",
		"httpie":             `http POST ` + executeURL + ` Authorization:"Bearer $T" entity=customers action=get params:='{"id":"it'\''s \"x\"\n"}'`,
		"httpie, nested":     "https -v --print=HhBb " + executeURL + " X-Organization-Id:o entity=customers action=get 'params[id]='$'it\\'s \"x\"\\n'",
		"httpie, a pipe":     `echo '{"entity":"customers","action":"get","params":{"id":"it'\''s \"x\"\n"}}' | http POST ` + executeURL,
		"httpie, input":      "http POST " + executeURL + " <<'EOF'\n" + doc + "EOF\n",
		"har":                `{"log":{"entries":[{"request":{"method":"GET","url":"https://h/x"}},{"request":{"method":"POST","url":"` + executeURL + `","headers":[{"name":"x-organization-id","value":"o"}],"postData":{"mimeType":"application/json","text":"{\"entity\":\"customers\",\"action\":\"get\",\"params\":{\"id\":\"it's \\\"x\\\"\\n\"}}"}}}]}}`,
		"python keywords":    "import x\nasync with connect('s') as c:\n  r = await c.execute(entity='customers', action='get', params={'id': 'it\\'s ' '\"x\"\\n'})",
	}
	for name, text := range good {
		p, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if p.Operation.Entity != "customers" || p.Operation.Action != "get" || canonical(t, p.Operation.Params) != canonical(t, []byte(want)) {
			t.Errorf("%s: %+v %s", name, p, p.Operation.Params)
		}
		_, elsewhere := map[string]bool{"cli": true, "cli here-document": true}[name]
		if strings.Contains(text, "c-1") && p.ConnectorID != "c-1" && !elsewhere {
			t.Errorf("%s: connector %q", name, p.ConnectorID)
		}
	}
	bad := map[string]string{
		"curl " + executeURL + " -d @body.json":             "body.json",
		"curl " + executeURL:                                "no body",
		"curl https://api.example/v1/customers -d '{}'":     "no execute call",
		"curl " + executeURL + " -d '{\"entity\":'":         "line 1, column",
		"curl " + executeURL + " -d '{\"entity\":\"a\"":     "quotes",
		"curl " + executeURL + " -d \"$(cat body)\"":        "only a shell",
		"platform-agent connectors execute --json @f":       "not part of the text",
		"platform-agent connectors delete --json '{}'":      "only connectors execute",
		"{\"entity\":\"a\"}":                                "action",
		"{\"entity\":\"a\",\"action\":\"b\",\"params\":[]}": "params",
		"hello": "no call",
		"requests.post('" + executeURL + "', data={'entity': 'a'})":              "sends a form",
		"requests.post('" + executeURL + "', json=load())":                       "no literal",
		"requests.post(url, json={})":                                            "no call of the service",
		"fetch('" + executeURL + "', {method: 'POST', body: made})":              "no literal body",
		"fetch('https://h/x')":                                                   "no execute call",
		"http POST " + executeURL:                                                "no body",
		"http -f POST " + executeURL + " entity=a":                               "form",
		"http POST " + executeURL + " params:=@file":                             "not part of the text",
		"http POST " + executeURL + " params:={":                                 "line 1",
		`{"log":{"entries":[{"request":{"method":"GET","url":"https://h/x"}}]}}`: "no entry calls",
		"airbyte-agent connectors execute --entity a --action b --params []":     "params",
		"airbyte-agent connectors execute --entity a --unheard b":                "not one of",
		"connector.execute(entity, action)":                                      "name no entity",
		"{\"entity\":\"a\",\"action\":\"b\",\"connector_type\":\"c\"}":           "both|kind",
		"import x\nc.execute('a', 'b', params={'id': foo()})":                    "no literal",
		"package main // net/http\nfunc {":                                       "cannot be read",
		"curl https://user:hunter2@h/x?token=hunter2 -d '{}'":                    "no execute call",
		"{\n \"entity\": \"a\",\n \"action\": }":                                 "line 3",
	}
	for text, want := range bad {
		_, err := Parse(text)
		ok := err != nil && !strings.Contains(err.Error(), "hunter2")
		found := false
		for part := range strings.SplitSeq(want, "|") {
			found = found || ok && strings.Contains(err.Error(), part)
		}
		if !found {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestReadingKeepsTruncation(t *testing.T) {
	for _, text := range []string{`{"entity":"a","action":"list","skip_truncation":false}`,
		"airbyte-agent connectors execute --entity a --action list --skip-truncation=false",
		`await c.execute("a", "list", skip_truncation=False)`} {
		p, err := Parse(text)
		if err != nil || !p.Operation.Truncate || len(p.Notes) > 0 {
			t.Errorf("%s: %+v, %v", text, p, err)
			continue
		}
		for _, name := range []string{"json", "cli", "python"} {
			in := Input{Operation: p.Operation, ConnectorType: "stripe", Target: client.Target{Workspace: "w", Name: "n"}}
			again, err := write(name, in)
			if back, _ := Parse(again); err != nil || !back.Operation.Truncate {
				t.Errorf("%s loses it: %v\n%s", name, err, again)
			}
		}
	}
}

// Texts that go on and on end in an error, and soon.
func TestEndlessTexts(t *testing.T) {
	for _, piece := range []string{"json.dumps(", "a.post(", "x.execute(", "fetch(", "{'a':", "[", "(", "f'{a}' + ", "'a'.encode(", "a[", "{a:"} {
		for _, start := range []string{"requests.post(", "fetch(", "c.execute("} {
			if _, err := Parse(start + strings.Repeat(piece, 20000)); err == nil {
				t.Errorf("%s%s is read", start, piece)
			}
		}
	}
}

// staysItself writes a call that was read and reads it again.
func staysItself(t *testing.T, p Parsed) {
	t.Helper()
	in := Input{Operation: p.Operation, Target: client.Target{Workspace: p.Workspace, Name: p.Name, ConnectorID: p.ConnectorID}}
	for _, format := range []string{"json", "cli"} {
		text, err := write(format, in)
		if err != nil {
			continue // what this format cannot say
		}
		again, err := Parse(text)
		if err != nil || again.Operation.Entity != p.Operation.Entity || again.Operation.Action != p.Operation.Action ||
			paramsOf(again.Operation) != paramsOf(p.Operation) || !slices.Equal(again.Operation.SelectFields, p.Operation.SelectFields) {
			t.Fatalf("%+v\nwritten as %s\nis %+v: %v", p, text, again, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("fetch(`/integrations/connectors`+{A000:J(ON.stringify({y:'\xa9'})})")
	for _, s := range nasty {
		f.Add("fetch(`" + executeURL + "`, {body: JSON.stringify({entity: '" + s + "'})})")
		f.Add("http POST " + executeURL + " entity=" + s + " params[" + s + "]:=1")
		f.Add("a = " + s + "\nrequests.post('" + executeURL + "', json={'entity': a, 'action': f'{a}" + s + "'})")
		f.Add(`{"request":{"method":"POST","url":"` + executeURL + `","postData":{"text":"` + s + `"}}}`)
		f.Add("curl " + executeURL + " -d '" + s + "'")
		f.Add(`{"entity":"` + s + `"}`)
		f.Add("import x\nc.execute(" + s + ")")
		f.Add("platform-agent connectors execute --json " + s)
		f.Add("package main \"net/http\" " + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err == nil && p.Create == nil && p.Operation.Action == "" {
			t.Fatalf("a call without an action: %+v", p)
		}
		if err == nil && p.Create == nil {
			staysItself(t, p)
		}
	})
}
