package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/sandbox"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	if where := os.Getenv(defectEnv); where != "" {
		os.Exit(exploreWithDefect(where))
	}
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "patchbay-cli-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "patchbay")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-o", binary, "patchbay/cmd/patchbay")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// typed is a credential that scripts type in; no output may show it.
const typed = "typed-credential-3141592653"

// script runs one file of testdata/script. Its lines:
//
//	run ARGS...          run the program; it is expected to exit with 0
//	fails CODE ARGS...   run it; it is expected to exit with CODE
//	reveals ARGS...      run it; its stdout may show a secret
//	stdout REGEXP        the last stdout matches; "!stdout" does not
//	stderr REGEXP        the same for stderr
//	file NAME REGEXP     a file matches; "!file" does not; "absent NAME" is not there
//	stdin NAME           the next command reads this file
//	env NAME=VALUE       for all further commands; NAME= unsets it
//
// Words may stand in single quotes. $NAME is replaced by a variable. Files
// stand at the end, each behind a line "-- NAME --".
type script struct {
	t              *testing.T
	name           string
	dir            string
	env            map[string]string
	stdout, stderr string
	stdin          string
}

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	servers := testServers(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			newScript(t, file, servers).play()
		})
	}
}

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
		"DEAD":         "http://127.0.0.1:1",
		"TOKEN":        sandbox.Token,
		"CLIENT":       sandbox.ClientID,
		"SECRET":       sandbox.ClientSecret,
		"ORGANIZATION": sandbox.OrganizationID,
		"TYPED":        typed,
	}
}

func newScript(t *testing.T, file string, servers map[string]string) *script {
	dir := t.TempDir()
	s := &script{t: t, name: file, dir: dir, env: map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": dir, "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_STATE_HOME": filepath.Join(dir, "state"),
		"XDG_CACHE_HOME": filepath.Join(dir, "cache"), "PATCHBAY_NO_KEYRING": "1", "NO_COLOR": "1", "WORK": dir,
	}}
	for name, value := range servers {
		s.env[name] = value
	}
	return s
}

func (s *script) play() {
	data, err := os.ReadFile(s.name)
	if err != nil {
		s.t.Fatal(err)
	}
	commands, files, _ := strings.Cut("\n"+string(data), "\n-- ")
	s.write(files)
	for i, line := range strings.Split(commands, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := s.line(s.expand(line)); err != nil {
			s.t.Fatalf("%s:%d: %s\n%v\nstdout:\n%s\nstderr:\n%s", s.name, i, line, err, cut(s.stdout), cut(s.stderr))
		}
	}
}

func cut(text string) string { return text[:min(len(text), 3000)] }

// write makes the files of a script.
func (s *script) write(files string) {
	for part := range strings.SplitSeq(files, "\n-- ") {
		name, content, ok := strings.Cut(part+"\n", " --\n")
		if !ok {
			continue
		}
		path := filepath.Join(s.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(s.expand(content)), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

func (s *script) expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := s.env[name[1:]]; ok {
			return value
		}
		return name
	})
}

func (s *script) line(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	want := !strings.HasPrefix(word, "!")
	switch strings.TrimPrefix(word, "!") {
	case "run":
		return s.run(0, split(rest), false)
	case "reveals":
		return s.run(0, split(rest), true)
	case "fails":
		code, args, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(code)
		if err != nil {
			return err
		}
		return s.run(n, split(args), false)
	case "stdout":
		return matches(s.stdout, rest, want)
	case "stderr":
		return matches(s.stderr, rest, want)
	case "file":
		name, pattern, _ := strings.Cut(rest, " ")
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return err
		}
		return matches(string(data), pattern, want)
	case "absent":
		if _, err := os.Stat(filepath.Join(s.dir, rest)); err == nil {
			return errors.New("the file is there")
		}
	case "stdin":
		data, err := os.ReadFile(filepath.Join(s.dir, rest))
		s.stdin = string(data)
		return err
	case "env":
		name, value, _ := strings.Cut(rest, "=")
		s.env[name] = value
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

func matches(text, pattern string, want bool) error {
	re, err := regexp.Compile(`(?m)` + pattern)
	if err != nil {
		return err
	}
	if re.MatchString(text) != want {
		return fmt.Errorf("matches %q: %v", pattern, !want)
	}
	return nil
}

// split takes a line apart at spaces outside of single quotes.
func split(line string) []string {
	var words []string
	var b strings.Builder
	quoted, any := false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				words = append(words, b.String())
			}
			b.Reset()
			any = false
		default:
			b.WriteRune(r)
			any = true
		}
	}
	if any {
		words = append(words, b.String())
	}
	return words
}

// run runs the program and looks for secrets in what it prints and writes.
func (s *script) run(want int, args []string, reveals bool) error {
	cmd := exec.Command(binary, args...)
	cmd.Dir = s.dir
	cmd.Env = s.environ()
	cmd.Stdin = strings.NewReader(s.stdin)
	s.stdin = ""
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	s.stdout, s.stderr = stdout.String(), stderr.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		return fmt.Errorf("exit code %d, want %d", got, want)
	}
	shown := s.stderr
	if !reveals {
		shown += s.stdout
	}
	for _, secret := range []string{s.env["TOKEN"], s.env["SECRET"], typed} {
		if strings.Contains(shown, secret) {
			return errors.New("the output shows a secret")
		}
	}
	return nil
}

func (s *script) environ() []string {
	var out []string
	for name, value := range s.env {
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}
