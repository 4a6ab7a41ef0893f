package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/sandbox"
)

// recorded is the sandbox behind an address that notes every request; refuse answers
// one in its place.
type recorded struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string
	refuse func(w http.ResponseWriter, r *http.Request) bool
}

func record(t *testing.T) *recorded {
	t.Helper()
	s, service := &recorded{}, sandbox.New(sandbox.Options{Catalog: catalog.New()})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		if s.refuse == nil || !s.refuse(w, r) {
			service.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// requests are what was asked for since the last look.
func (s *recorded) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// person is somebody with folders of their own who signs in with id and secret.
func (s *recorded) person(t *testing.T) []string {
	dir := t.TempDir()
	return []string{"HOME=" + dir, "PATCHBAY_NO_KEYRING=1", "PLATFORM_BASE_URL=" + s.URL,
		"PLATFORM_CLIENT_ID=" + sandbox.ClientID, "PLATFORM_CLIENT_SECRET=" + sandbox.ClientSecret,
		"PLATFORM_ORGANIZATION_ID=" + sandbox.OrganizationID}
}

func runAs(t *testing.T, env []string, args ...string) (code int, out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), args, env, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// aConnector is the id of a connector of the sandbox.
func aConnector(t *testing.T, env []string, kind string) string {
	t.Helper()
	_, out, said := runAs(t, env, "connectors", "list", "--workspace", "demo")
	var list []client.Connector
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v: %s%s", err, out, said)
	}
	for _, c := range list {
		if c.Kind == kind {
			return c.ID
		}
	}
	t.Fatalf("no %s in %s", kind, out)
	return ""
}

const (
	tokenRequest = "POST /api/v1/account/applications/token"
	listRequest  = "GET /api/v1/integrations/connectors"
)

func TestACallByIDSendsTheTokenRequestAndTheCall(t *testing.T) {
	s := record(t)
	kind, first := catalog.New().First()
	id := aConnector(t, s.person(t), kind)
	call := "POST /api/v1/integrations/connectors/" + id + "/execute"
	s.refuse = func(w http.ResponseWriter, r *http.Request) bool { // a token that may do nothing but call
		if refused := r.Method == http.MethodGet; refused {
			http.Error(w, `{"message":"not allowed"}`, http.StatusForbidden)
			return true
		}
		return false
	}
	t.Chdir(t.TempDir())
	for name, connector := range map[string]string{"byflag": "", "byconnector": "connector: " + id + "\n"} {
		text := fmt.Sprintf("name: %s\n%sentity: %s\naction: list\n", name, connector, first.Entity)
		if err := os.MkdirAll("patchbay.d", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("patchbay.d", name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	payload := fmt.Sprintf(`"entity":%q,"action":"list"`, first.Entity)
	for _, args := range [][]string{
		{"execute", "--json", `{"id":"` + id + `",` + payload + `}`},
		{"connectors", "execute", "--json", `{"workspace":"demo","id":"` + id + `",` + payload + `}`},
		{"execute", "--id", id, "--json", `{` + payload + `}`},
		{"run", "byflag", "--id", id},
		{"run", "byconnector"},
	} {
		s.requests()
		code, out, said := runAs(t, s.person(t), args...)
		if got := s.requests(); code != 0 || strings.Join(got, ", ") != tokenRequest+", "+call {
			t.Errorf("%q: exit code %d, sent %q: %.200s%s", args, code, got, out, said)
		}
	}
	// What the reading of pages needs to know is asked for beside the call, and does without.
	s.requests()
	code, _, said := runAs(t, s.person(t), "execute", "--id", id, "--max", "3", "--json", `{`+payload+`}`)
	got := s.requests()
	if n := counts(got, call, tokenRequest); code != 0 || n[0] == 0 || n[1] != 1 {
		t.Errorf("pages without a look-up: exit code %d, sent %q: %s", code, got, said)
	}
}

// counts counts how often each text is there.
func counts(list []string, texts ...string) []int {
	out := make([]int, len(texts))
	for _, one := range list {
		for i, text := range texts {
			if one == text {
				out[i]++
			}
		}
	}
	return out
}

func TestWhatIsLearnedOfAConnectorIsAskedOnce(t *testing.T) {
	s := record(t)
	kind, first := catalog.New().First()
	id := aConnector(t, s.person(t), kind)
	look := "GET /api/v1/integrations/connectors/" + id
	env := s.person(t)
	args := []string{"execute", "--id", id, "--all", "--format", "csv", "--json",
		fmt.Sprintf(`{"entity":%q,"action":"list"}`, first.Entity)}
	s.requests()
	code, unknown, said := runAs(t, env, args...)
	if n := counts(s.requests(), look, tokenRequest); code != 0 || n[0] != 1 || n[1] != 1 {
		t.Errorf("the first time %d look-ups and %d tokens, exit code %d: %s", n[0], n[1], code, said)
	}
	code, known, said := runAs(t, env, args...)
	if n := counts(s.requests(), look); code != 0 || n[0] != 0 {
		t.Errorf("the second time %d look-ups, exit code %d: %s", n[0], code, said)
	}
	if unknown != known || !strings.Contains(known, "\n") {
		t.Errorf("the answer depends on what was known before: %.300s\n%.300s", unknown, known)
	}
}

func TestACallByNameNeedsOneListing(t *testing.T) {
	s := record(t)
	kind, first := catalog.New().First()
	payload := fmt.Sprintf(`{"workspace":"demo","name":%q,"entity":%q,"action":"list"}`, kind, first.Entity)
	code, _, said := runAs(t, s.person(t), "execute", "--json", payload)
	got := s.requests()
	if len(got) != 3 || got[0] != tokenRequest || got[1] != listRequest || code != 0 {
		t.Errorf("exit code %d, sent %q: %s", code, got, said)
	}
}

func TestWaitingIsToldOfTokensAndListings(t *testing.T) {
	s := record(t)
	busy := map[string]int{}
	s.refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if busy[r.URL.Path]++; busy[r.URL.Path] > 1 {
			return false
		}
		http.Error(w, `{"message":"busy"}`, http.StatusServiceUnavailable)
		return true
	}
	code, _, said := runAs(t, s.person(t), "connectors", "list", "--workspace", "demo")
	if code != 0 || strings.Count(said, "Waiting ") != 2 ||
		!strings.Contains(said, "to try again to get a token: 503 service unavailable.") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestAttemptsAreThoseOfTheCall(t *testing.T) {
	s := record(t)
	s.refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/token") {
			return false
		}
		http.Error(w, `{"message":"no"}`, http.StatusBadRequest)
		return true
	}
	args := []string{"execute", "--json", `{"id":"x","entity":"e","action":"list"}`}
	code, _, said := runAs(t, s.person(t), args...)
	if code != 4 || strings.Contains(said, "attempts") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if _, _, said = runAs(t, s.person(t), append(args, "--json-errors")...); !strings.Contains(said, `"attempts":1`) {
		t.Errorf("as JSON: %s", said)
	}
}

func TestNothingSecretLeavesUnchecked(t *testing.T) {
	s := record(t)
	kind, err := catalog.New().Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	for payload, told := range map[string]string{
		`"credentials":{"api_kee":"` + typed + `"},"replication_config":{"account_id":"a"}`: "no credential",
		`"credentials":{"api_key":"` + typed + `"}`:                                         "lacks account_id",
		`"credentials":{"api_key":"x"},"replication_config":{"api_key":"` + typed + `"}`:    "no replication_config",
	} {
		file := filepath.Join(t.TempDir(), "create.json")
		text := `{"workspace":"staging","connector_type":"` + kind.ConnectorType + `","name":"mine",` + payload + `}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, said := runAs(t, s.person(t), "connectors", "create", "--yes", "--json", "@"+file)
		if asked := s.requests(); code != 4 || len(asked) > 0 || !strings.Contains(said, told) ||
			strings.Contains(out+said, typed) {
			t.Errorf("%s: exit code %d, sent %q: %s", told, code, asked, said)
		}
		runAs(t, s.person(t), "connectors", "create", "--yes", "--force", "--json", "@"+file)
		if asked := s.requests(); len(asked) == 0 {
			t.Errorf("%s: --force sends nothing", told)
		}
	}
}

func TestCreatePrintsAnObject(t *testing.T) {
	s := record(t)
	file := filepath.Join(t.TempDir(), "create.json")
	if err := os.WriteFile(file, []byte(`{"workspace":"staging","connector_type":"stripe","name":"mine",`+
		`"credentials":{"api_key":"x"},"replication_config":{"account_id":"a"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, said := runAs(t, s.person(t), "connectors", "create", "--yes", "--json", "@"+file)
	var made client.Connector
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.ID == "" || made.Name != "mine" {
		t.Errorf("%v: %s%s", err, out, said)
	}
}

// Where there is no screen, hints name commands, and those work.
func TestHintsNameCommands(t *testing.T) {
	s := record(t)
	s.refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/token") {
			return false
		}
		fmt.Fprint(w, "[{]")
		return true
	}
	env := s.person(t)
	_, _, said := runAs(t, env, "execute", "--json", `{"id":"x","entity":"e","action":"list"}`)
	if strings.Contains(said, "view") || !strings.Contains(said, "patchbay history show 1 --body prints what came.") {
		t.Errorf("said %s", said)
	}
	if _, out, said := runAs(t, env, "history", "show", "1", "--body"); strings.TrimSpace(out) != "[{]" {
		t.Errorf("the command prints %q %s", out, said)
	}
	if _, _, said = runAs(t, env, "workspaces", "list"); strings.Contains(said, "view") {
		t.Errorf("said %s", said)
	}
}

// A session that is read-only does not tell to say yes.
func TestReadOnlyAsksForNoYes(t *testing.T) {
	s := record(t)
	for _, args := range [][]string{
		{"execute", "--json", `{"id":"x","entity":"e","action":"create"}`},
		{"connectors", "delete", "--json", `{"id":"x"}`},
	} {
		code, _, said := runAs(t, s.person(t), append(args, "--read-only")...)
		if code != 4 || strings.Contains(said, "--yes") || !strings.Contains(said, "read-only") || len(s.requests()) > 0 {
			t.Errorf("%q: exit code %d: %s", args, code, said)
		}
	}
}
