package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"patchbay/catalog"
	"patchbay/client/sandbox"
)

// binary is the name under which the test program is patchbay itself.
const binary = "patchbay"

func TestMain(m *testing.M) {
	if where := os.Getenv(defectEnv); where != "" {
		os.Exit(exploreWithDefect(where))
	}
	testscript.Main(covered{m}, map[string]func(){binary: func() {
		os.Exit(Run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}})
}

// covered lets what the scripts run count as covered.
type covered struct{ *testing.M }

func (m covered) Run() int {
	flag.Parse()
	if dir := flag.Lookup("test.gocoverdir").Value.String(); dir != "" {
		os.Setenv("GOCOVERDIR", dir)
	}
	return m.M.Run()
}

// typed is a credential that scripts type in; no output may show it.
const typed = "typed-credential-3141592653"

// The scripts are those of testscript, with three commands of their own:
//
//	run ARGS...          run patchbay; it is expected to exit with 0
//	fails CODE ARGS...   run it; it is expected to exit with CODE
//	reveals ARGS...      run it; its stdout may show a secret
//
// Files at the end may hold $NAME for the address or the credential of a test server.
func TestScripts(t *testing.T) {
	servers := testServers(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			setEnvironment(e, servers)
			return expandFiles(e)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run":     func(ts *testscript.TestScript, _ bool, args []string) { runCommandLine(ts, 0, args, false) },
			"reveals": func(ts *testscript.TestScript, _ bool, args []string) { runCommandLine(ts, 0, args, true) },
			"fails": func(ts *testscript.TestScript, _ bool, args []string) {
				code, err := strconv.Atoi(args[0])
				ts.Check(err)
				runCommandLine(ts, code, args[1:], false)
			},
		},
	})
}

// runCommandLine runs patchbay and looks for secrets in what it prints.
func runCommandLine(ts *testscript.TestScript, want int, args []string, reveals bool) {
	err := ts.Exec(binary, args...)
	var exit *exec.ExitError
	got := 0
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	shown := ts.ReadFile("stderr")
	if !reveals {
		shown += ts.ReadFile("stdout")
	}
	for _, secret := range []string{sandbox.Token, sandbox.ClientSecret, typed} {
		if strings.Contains(shown, secret) {
			ts.Fatalf("the output shows a secret")
		}
	}
}

func setEnvironment(e *testscript.Env, servers map[string]string) {
	for name, value := range servers {
		e.Setenv(name, value)
	}
	for name, folder := range map[string]string{"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state",
		"XDG_CACHE_HOME": "cache"} {
		e.Setenv(name, filepath.Join(e.WorkDir, folder))
	}
	e.Setenv("PATCHBAY_NO_KEYRING", "1")
	e.Setenv("NO_COLOR", "1")
}

// expandFiles replaces variables in the files of a script.
func expandFiles(e *testscript.Env) error {
	return filepath.WalkDir(e.WorkDir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(variable.ReplaceAllStringFunc(string(data), func(name string) string {
			if value := e.Getenv(name[1:]); value != "" {
				return value
			}
			return name
		})), 0o600)
	})
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

// testServers are the services that scripts reach by variables.
func testServers(t *testing.T) map[string]string {
	service := sandbox.New(sandbox.Options{Catalog: catalog.New()})
	bare := sandbox.New(sandbox.Options{Catalog: catalog.New()})
	start := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	notFound := func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"message":"no such path"}`, http.StatusNotFound)
	}
	return map[string]string{
		"SANDBOX":  start(service.ServeHTTP),
		"STRANGE":  start(sandbox.New(sandbox.Options{Catalog: catalog.New(), Strangers: catalog.Strangers()}).ServeHTTP),
		"PREFIXED": start(http.StripPrefix("/behind/a/prefix", service).ServeHTTP) + "/behind/a/prefix",
		"UNLISTED": start(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				notFound(w, r)
				return
			}
			bare.ServeHTTP(w, r)
		}),
		"HTML": start(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html><title>Sign in</title></html>")
		}),
		"HOSTILE": start(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"data":[{"id":"w1","name":"evil\u001b]0;owned\u0007\u202ename"}]}`)
		}),
		"UPSTREAM": start(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Header.Get("Authorization") != "Bearer "+typed {
				http.Error(w, `{"error":{"message":"Invalid API Key provided"}}`, http.StatusUnauthorized)
				return
			}
			id := "cus_1"
			if r.URL.Query().Get("starting_after") == id {
				id = "cus_2"
			}
			fmt.Fprintf(w, `{"object":"list","data":[{"id":%q,"object":"customer"}],"has_more":%t}`, id, id == "cus_1")
		}),
		"PAGES":        start(mailLists),
		"DEAD":         "http://127.0.0.1:1",
		"TOKEN":        sandbox.Token,
		"CLIENT":       sandbox.ClientID,
		"SECRET":       sandbox.ClientSecret,
		"ORGANIZATION": sandbox.OrganizationID,
		"TYPED":        typed,
	}
}

// mailLists is a third party with 57 lists, of which it gives at most 15 on a page. The
// first word of the path says what is wrong with it: deaf for the offset, short of records,
// or foreign in its shape.
func mailLists(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fault, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	from, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	switch fault {
	case "deaf":
		from = 0
	case "short":
		from *= 57
	case "foreign":
		fmt.Fprint(w, `{"items":[],"total_items":57}`)
		return
	}
	var rows []string
	for i := from; i < min(from+15, 57); i++ {
		rows = append(rows, fmt.Sprintf(`{"id":"l%d"}`, i))
	}
	fmt.Fprintf(w, `{"lists":[%s],"total_items":57}`, strings.Join(rows, ","))
}
