package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"patchbay/client/sandbox"
)

// cleanEnv is an environment without settings of the person who runs the tests.
func cleanEnv(t *testing.T, more ...string) []string {
	dir := t.TempDir()
	return append([]string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "PATCHBAY_NO_KEYRING=1"},
		more...)
}

func TestSandboxServesOtherPrograms(t *testing.T) {
	cmd := exec.Command(binary, "sandbox", "--listen", "127.0.0.1:0", "--records", "5", "--seed", "7")
	cmd.Env = cleanEnv(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		line := lines.Text()
		if name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "="); ok && name != line {
			exports[name] = strings.Trim(value, "'")
		}
		if strings.HasPrefix(line, "# curl") {
			break
		}
	}
	for _, name := range []string{"PLATFORM_TOKEN", "PLATFORM_CLIENT_ID", "PLATFORM_CLIENT_SECRET",
		"PLATFORM_ORGANIZATION_ID"} {
		if exports[name] == "" {
			t.Errorf("%s is not exported", name)
		}
	}
	req, err := http.NewRequest(http.MethodGet, exports["PLATFORM_BASE_URL"]+"/api/v1/workspaces", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+exports["PLATFORM_TOKEN"])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || !bytes.Contains(body, []byte("demo")) {
		t.Errorf("workspaces: %d %s", resp.StatusCode, body)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it did not end in order: %v\n%s", err, stderr.String())
	}
	if log := stderr.String(); !strings.Contains(log, "GET /api/v1/workspaces -> 200") ||
		strings.Contains(log, sandbox.Token) {
		t.Errorf("log: %s", log)
	}
}

// endless answers pages of customers without an end; after as many as good it
// answers only when the caller has gone away.
func endless(t *testing.T, good int32, asked chan<- struct{}) string {
	var calls atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"data":[{"id":%q,"name":"payments","connector_type":"stripe"}]}`, connectorID)
			return
		}
		// The body must be read for the server to notice that the caller left.
		_, _ = io.Copy(io.Discard, r.Body)
		if calls.Add(1) > good {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `{"status":"success","result":[{"id":"cus_1"},{"id":"cus_2"}],`+
			`"connector_metadata":{"has_more":true}}`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestInterruptKeepsWhatCame(t *testing.T) {
	for _, c := range []struct {
		name, format, file string
		kept               string
	}{
		{"to stdout", "ndjson", "", "stdout"},
		{"to an array on stdout", "records", "", "stdout"},
		{"to a file that can be continued", "ndjson", "out.ndjson", "out.ndjson.part"},
		{"to a file with an array", "records", "out.json", "out.json.part"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{}, 1)
			args := []string{"execute", "--all", "--format", c.format, "--json",
				`{"workspace":"w","name":"payments","entity":"customers","action":"list"}`}
			if c.file != "" {
				args = append(args, "-o", c.file)
			}
			cmd := exec.Command(binary, args...)
			cmd.Dir = t.TempDir()
			cmd.Env = cleanEnv(t, "PLATFORM_BASE_URL="+endless(t, 1, asked), "PLATFORM_TOKEN="+typed)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-asked
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the exit code says how it ended
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d, want 130\n%s", code, stderr.String())
			}
			kept := stdout.String()
			if c.kept != "stdout" {
				data, err := os.ReadFile(filepath.Join(cmd.Dir, c.kept))
				if err != nil {
					t.Fatal(err)
				}
				kept = string(data)
			}
			if !strings.Contains(kept, "cus_1") || !strings.Contains(kept, "cus_2") {
				t.Errorf("kept: %q\n%s", kept, stderr.String())
			}
			if c.format == "records" && c.file == "" && !strings.HasSuffix(strings.TrimSpace(kept), "]") {
				t.Errorf("the array has no end: %q", kept)
			}
			if told := strings.Contains(stderr.String(), "an array without its end"); told != (c.file == "out.json") {
				t.Errorf("what is kept is told as %s", stderr.String())
			}
		})
	}
}

func TestInterruptOfOneCall(t *testing.T) {
	asked := make(chan struct{}, 1)
	cmd := exec.Command(binary, "execute", "--json-errors", "--json",
		`{"workspace":"w","name":"payments","entity":"customers","action":"list"}`)
	cmd.Env = cleanEnv(t, "PLATFORM_BASE_URL="+endless(t, 0, asked), "PLATFORM_TOKEN="+typed)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code says how it ended
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(stderr.String(), `"class":"canceled"`) {
		t.Errorf("exit code %d, want 130\n%s", code, stderr.String())
	}
}
