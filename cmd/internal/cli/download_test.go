package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// theFile is what the server below sends.
const theFile = "0123456789abcdefghij"

// breaking serves a file and breaks each whole answer off once per tag.
func breaking(t *testing.T, tag *string) string {
	broke := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"data":[{"id":%q,"name":"crm","connector_type":"salesforce"}]}`, connectorID)
			return
		}
		body, _ := io.ReadAll(r.Body)
		h := w.Header()
		if *tag != "" {
			h.Set("ETag", `"`+*tag+`"`)
		}
		if strings.Contains(string(body), `"bytes=10-"`) && r.Header.Get("If-Range") == h.Get("ETag") {
			h.Set("Content-Range", "bytes 10-19/20")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, theFile[10:])
			return
		}
		h.Set("Content-Length", "20")
		if !broke[*tag] {
			broke[*tag] = true
			_, _ = io.WriteString(w, theFile[:10])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, theFile)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTheSameCommandFetchesTheRestOfAFile(t *testing.T) {
	for _, c := range []struct{ name, first, second, says string }{
		{"the same file", "a", "a", "20 bytes"},
		{"another file", "a", "", "from its beginning"},
		{"nothing to know it by", "", "", "from its beginning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tag := c.first
			address := breaking(t, &tag)
			s := fetcher{t, t.TempDir(), cleanEnv(t, "PLATFORM_BASE_URL="+address, "PLATFORM_TOKEN="+typed)}
			if said := s.run(6, "1"); c.first != "" && !strings.Contains(said, "The same command fetches the rest") {
				t.Error(said)
			}
			if got, err := os.ReadFile(filepath.Join(s.dir, "out.part")); err != nil || string(got) != theFile[:10] {
				t.Fatalf("%q %v", got, err)
			}
			if said := s.run(4, "2"); !strings.Contains(said, "of another call") {
				t.Error(said)
			}
			if tag = c.second; c.first != c.second {
				s.run(6, "1") // the other file breaks off too
			}
			if said := s.run(0, "1"); !strings.Contains(said, c.says) && c.first == c.second {
				t.Error(said)
			}
			if got, _ := os.ReadFile(filepath.Join(s.dir, "out")); string(got) != theFile {
				t.Errorf("%q", got)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, "out.*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// fetcher runs the program in one folder against one service.
type fetcher struct {
	t   *testing.T
	dir string
	env []string
}

func (d fetcher) run(want int, id string) string {
	d.t.Helper()
	cmd := exec.Command(binary, "execute", "--json", `{"workspace":"w","name":"crm","entity":"content_versions","action":"download","params":{"id":"`+id+`"}}`, "-o", "out")
	cmd.Dir, cmd.Env = d.dir, d.env
	out, _ := cmd.CombinedOutput() // the exit code says how it ended
	if code := cmd.ProcessState.ExitCode(); code != want {
		d.t.Fatalf("exit code %d, want %d\n%s", code, want, out)
	}
	return string(out)
}
