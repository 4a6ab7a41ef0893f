package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/form"
	"patchbay/client/preflight"
	"patchbay/client/search"
)

// wrongCall is a line of testdata/wrong/calls.txt.
type wrongCall struct {
	kind        string
	op          client.Operation
	place, rule string
}

func (c wrongCall) String() string {
	return fmt.Sprintf("%s %s %s %s", c.kind, c.op.Entity, c.op.Action, c.op.Params)
}

// payload is the call on a connector that is named as its kind; local calls know no workspace.
func (c wrongCall) payload(t *testing.T, local bool) string {
	t.Helper()
	call := map[string]any{"workspace": "demo", "name": c.kind, "entity": c.op.Entity, "action": c.op.Action,
		"params": c.op.Params}
	if local {
		delete(call, "workspace")
		delete(call, "name")
	}
	text, err := json.Marshal(call)
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return string(text)
}

func wrongCalls(t *testing.T) (list []wrongCall) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "wrong", "calls.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		call, verdict, told := strings.Cut(line, " -> ")
		words := strings.SplitN(call, " ", 4)
		place, rule, both := strings.Cut(verdict, " ")
		if !told || !both || len(words) != 4 || !json.Valid([]byte(words[3])) {
			t.Fatalf("%q is not: kind entity action params -> place rule", line)
		}
		list = append(list, wrongCall{words[0], client.Operation{Entity: words[1], Action: words[2],
			Params: json.RawMessage(words[3])}, place, rule})
	}
	return list
}

// TestWrongCallsAreRefusedOnEveryPath: the checks, the form, every command and the
// sandbox refuse the same calls in the same words, and none of them is sent.
func TestWrongCallsAreRefusedOnEveryPath(t *testing.T) {
	s := record(t)
	executed := 0
	s.refuse = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/execute") {
			executed++
		}
		return false
	}
	calls := wrongCalls(t)
	t.Chdir(t.TempDir())
	if err := os.Mkdir("patchbay.d", 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(s.person(t), "PATCHBAY_PAYMENTS_API_KEY=x")
	for _, c := range calls {
		first := firstVerdict(t, c)
		for path, args := range c.commands(t) {
			code, out, said := runAs(t, env, args...)
			if strings.HasPrefix(path, "check") {
				said, out = out+said, ""
			}
			if code != 4 || !strings.Contains(said, first.Text) || out != "" {
				t.Errorf("%s: %s: exit code %d, want %q: %s%s", c, path, code, first.Text, said, out)
			}
			if executed > 0 {
				t.Errorf("%s: %s sent it", c, path)
				executed = 0
			}
		}
		code, _, said := runAs(t, env, "execute", "--sandbox", "--yes", "--force", "--json", c.payload(t, false))
		if code == 0 || !strings.Contains(said, first.Text) || !strings.Contains(said, "status 4") {
			t.Errorf("%s: the sandbox, forced: exit code %d, want %q: %s", c, code, first.Text, said)
		}
	}
}

// firstVerdict is what the checks say of a call, held against the line and the form.
func firstVerdict(t *testing.T, c wrongCall) preflight.Verdict {
	t.Helper()
	k, err := catalog.New().Kind(c.kind)
	if err != nil {
		t.Fatal(err)
	}
	list := preflight.Errors(preflight.Check(preflight.Call{Kind: k, Entity: c.op.Entity, Action: c.op.Action,
		Params: c.op.Params}))
	if len(list) == 0 {
		t.Errorf("%s: nothing is wrong with it", c)
		return preflight.Verdict{Text: "nothing is wrong"}
	}
	first := list[0]
	if first.Place != c.place || first.Rule != c.rule {
		t.Errorf("%s: %s %s, want %s %s", c, first.Place, first.Rule, c.place, c.rule)
	}
	e := k.Entity(c.op.Entity)
	if e == nil || e.Action(c.op.Action) == nil {
		return first // there is no form of it
	}
	if said := formSays(t, e, e.Action(c.op.Action), c.op.Params); !strings.Contains(said, first.Text) {
		t.Errorf("%s: the form says %q and not %q", c, said, first.Text)
	}
	return first
}

// formSays is what keeps the form of an action from being sent.
func formSays(t *testing.T, e *catalog.Entity, a *catalog.Action, params json.RawMessage) string {
	t.Helper()
	var said []string
	if a.Name == catalog.ActionContextStoreSearch {
		q, err := search.Decode(params)
		if err != nil {
			return err.Error()
		}
		if !strings.Contains(string(params), "query") {
			return "query is required" // not by this form, which always writes one
		}
		for _, v := range preflight.Errors(preflight.Query(q, e, "")) {
			said = append(said, v.Text)
		}
		return strings.Join(said, "\n")
	}
	f := form.ForAction(a, form.Options{})
	if err := f.SetJSON(params); err != nil {
		return err.Error()
	}
	for _, p := range f.Problems() {
		if !p.Warning {
			said = append(said, p.Text)
		}
	}
	return strings.Join(said, "\n")
}

// commands are those that could send the call, or write it for others to send.
func (c wrongCall) commands(t *testing.T) map[string][]string {
	t.Helper()
	call := fmt.Sprintf("name: wrong\nkind: %s\nworkspace: demo\nentity: %s\naction: %s\nparams: %s\n", c.kind, c.op.Entity,
		c.op.Action, c.op.Params)
	if err := os.WriteFile(filepath.Join("patchbay.d", "wrong.yaml"), []byte(call), 0o600); err != nil {
		t.Fatal(err)
	}
	local, hosted := c.payload(t, true), c.payload(t, false)
	return map[string][]string{
		"check":         {"check", "--kind", c.kind, "--json", local},
		"execute":       {"execute", "--yes", "--json", hosted},
		"run":           {"run", "wrong", "--yes", "--trust"},
		"payload":       {"payload", "--json", hosted},
		"execute local": {"execute", "--local", c.kind, "--yes", "--json", local},
		"payload local": {"payload", "--local", c.kind, "--as", "curl", "--json", local},
	}
}
