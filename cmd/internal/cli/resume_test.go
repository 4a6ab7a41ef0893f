package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/export"
)

const connectorID = "11111111-1111-4111-8111-111111111111"

// refusing serves two pages of customers, and refuses the second one once.
func refusing(t *testing.T) (address string, calls *atomic.Int32) {
	calls = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"data":[{"id":%q,"name":"payments","connector_type":"stripe"}]}`, connectorID)
			return
		}
		body, _ := io.ReadAll(r.Body)
		second := bytes.Contains(body, []byte(`"starting_after":"cus_2"`))
		switch n := calls.Add(1); {
		case n == 2 && second:
			http.Error(w, `{"message":"not now"}`, http.StatusForbidden)
		case second:
			fmt.Fprint(w, `{"status":"success","result":[{"id":"cus_3","name":"=1"}],`+
				`"connector_metadata":{"has_more":false}}`)
		default:
			fmt.Fprint(w, `{"status":"success","result":[{"id":"cus_1"},{"id":"cus_2"}],`+
				`"connector_metadata":{"has_more":true}}`)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

// shell runs the program in one folder against one service.
type shell struct {
	t   *testing.T
	dir string
	env []string
}

func (s shell) execute(want int, args ...string) string {
	s.t.Helper()
	args = append([]string{"execute", "--json",
		`{"workspace":"w","name":"payments","entity":"customers","action":"list", "params": {"limit": 2}}`}, args...)
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, _ := cmd.CombinedOutput() // the exit code says how it ended
	if code := cmd.ProcessState.ExitCode(); code != want {
		s.t.Fatalf("%q: exit code %d, want %d\n%s", args[3:], code, want, out)
	}
	return string(out)
}

func TestResumeGoesOnAfterAFailure(t *testing.T) {
	for format, want := range map[string]string{
		"records":  "[\n{\"id\":\"cus_1\"},\n{\"id\":\"cus_2\"},\n{\"id\":\"cus_3\",\"name\":\"=1\"}\n]\n",
		"ndjson":   "{\"id\":\"cus_1\"}\n{\"id\":\"cus_2\"}\n{\"id\":\"cus_3\",\"name\":\"=1\"}\n",
		"csv":      "id,name\ncus_1,\ncus_2,\ncus_3,=1\n",
		"markdown": "| id | name |\n| --- | --- |\n| cus_1 |  |\n| cus_2 |  |\n| cus_3 | =1 |\n",
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			address, calls := refusing(t)
			s := shell{t, t.TempDir(), cleanEnv(t, "PLATFORM_BASE_URL="+address, "PLATFORM_TOKEN="+typed)}
			args := []string{"--all", "--format", format, "-o", "out"}
			if format == "csv" || format == "markdown" {
				args = append(args, "--columns", "id, name")
			}
			out := s.execute(2, args...)
			array := strings.Contains(out, "an array without its end")
			if !strings.Contains(out, "out.part holds 2 records") || array != (format == "records") {
				t.Errorf("what is left is told as %s", out)
			}
			if _, err := os.Stat(filepath.Join(s.dir, "out")); err == nil {
				t.Error("half a file has the name that was asked for")
			}
			s.execute(0, args...)
			if data, err := os.ReadFile(filepath.Join(s.dir, "out")); err != nil || string(data) != want {
				t.Errorf("out: %q, %v", data, err)
			}
			if n := calls.Load(); n != 3 {
				t.Errorf("%d calls, want 3: the first page must not be fetched again", n)
			}
		})
	}
}

// What the command line began is known by what tells calls apart everywhere:
// the explorer finds it, whatever name its profile has.
func TestAnUnfinishedFileIsKnownByItsCall(t *testing.T) {
	address, _ := refusing(t)
	s := shell{t, t.TempDir(), cleanEnv(t, "PLATFORM_BASE_URL="+address, "PLATFORM_TOKEN="+typed)}
	s.execute(2, "--max", "3", "-o", "out")
	op := client.Operation{Entity: "customers", Action: "list", Params: json.RawMessage(`{"limit":2}`)}
	id := answer.CallID(address, client.Target{Profile: "another", Kind: "payments", Workspace: "w",
		ConnectorID: connectorID, Name: "payments"}, op)
	cp, err := export.Look(filepath.Join(s.dir, "out"), export.JSON, id)
	if err != nil || cp == nil || cp.Records != 2 {
		t.Fatalf("%+v, %v", cp, err)
	}
	for _, args := range [][]string{{"--columns", "id"}, {"--format", "csv"}, {"--max", "1"}, {"--until", "cus_1"}} {
		out := s.execute(4, append([]string{"--all", "-o", "out"}, args...)...)
		if !strings.Contains(out, "out cannot be written: the unfinished file ") ||
			!strings.Contains(out, "Remove or rename out.part") {
			t.Errorf("%q: %s", args, out)
		}
	}
	s.execute(0, "--all", "-o", "out")
}

// A page that came and could not be written is not told as one that did not come.
func TestWhatCannotBeWritten(t *testing.T) {
	address, _ := refusing(t)
	s := shell{t, t.TempDir(), cleanEnv(t, "PLATFORM_BASE_URL="+address, "PLATFORM_TOKEN="+typed)}
	out := s.execute(1, "--all", "-o", "no/such/out")
	if !strings.Contains(out, "cannot write in no/such: ") || strings.Contains(out, "did not come") {
		t.Error(out)
	}
}
