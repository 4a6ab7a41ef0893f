package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// against runs patchbay in an empty home against a service.
func against(t *testing.T, url string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, words bytes.Buffer
	home := t.TempDir()
	code = Run(t.Context(), args, []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home,
		"XDG_CACHE_HOME=" + home, "PLATFORM_BASE_URL=" + url, "PLATFORM_TOKEN=x", "PATCHBAY_PAYMENTS_API_KEY=x"},
		strings.NewReader(""), &out, &words)
	return code, out.String(), words.String()
}

const updated = `"entity":"customers","action":"update","params":{"id":"cus_1","name":"A"}}`

// A write that may have been carried out is never said to be worth repeating, and the
// next step is the command that shows it.
func TestOutcomeOfWritesIsTold(t *testing.T) {
	for _, tt := range []struct {
		name string
		code int
		h    http.HandlerFunc
	}{
		{"cut", 6, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"500", 1, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }},
		{"502", 1, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }},
		{"503", 1, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }},
		{"504", 1, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(504) }},
		{"null", 1, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "null") }},
	} {
		sent := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if r.Method == http.MethodGet || strings.Contains(string(body), "describe") { // what the connector is
				_, _ = io.WriteString(w, `{"id":"c-1","name":"payments","connector_type":"stripe"}`)
				return
			}
			sent++
			tt.h(w, r)
		}))
		hosted := []string{"execute", "--yes", "--json-errors", "--json", `{"id":"c-1",` + updated}
		local := []string{"execute", "--yes", "--json-errors", "--local", "payments", "--base-url", s.URL, "--json", "{" + updated}
		for command, args := range map[string][]string{"--json '{\"id\":\"c-1\",": hosted,
			"--local payments --base-url " + s.URL + " --json '{": local} {
			sent = 0
			code, _, words := against(t, s.URL, args...)
			var e struct {
				Message, Next, Outcome string
				Retryable              bool
			}
			if err := json.Unmarshal([]byte(words[strings.Index(words, "{"):]), &e); err != nil {
				t.Fatalf("%s: %v: %s", tt.name, err, words)
			}
			if code != tt.code || sent != 1 || e.Retryable || e.Outcome != "unknown" || !strings.Contains(e.Message, "it is not known whether the change was made") {
				t.Errorf("%s: code %d, sent %d times: %s", tt.name, code, sent, words)
			}
			if command = "Look before you repeat it: patchbay execute " + command +
				`"entity":"customers","action":"get","params":{"id":"cus_1"}}'`; e.Next != command {
				t.Errorf("%s: next %s, want %s", tt.name, e.Next, command)
			}
			args[2] = "--yes"
			if _, _, words = against(t, s.URL, args...); strings.Contains(words, "again") || !strings.Contains(words, "Look before you repeat it: patchbay execute") {
				t.Errorf("%s: %s", tt.name, words)
			}
		}
		s.Close()
	}
	code, _, words := against(t, "http://127.0.0.1:1", "execute", "--yes", "--json-errors", "--local", "payments", "--base-url", "http://127.0.0.1:1",
		"--json", "{"+updated)
	if code != 6 || !strings.Contains(words, "nothing was sent, so nothing was changed") || !strings.Contains(words, `"retryable":true`) ||
		strings.Contains(words, "Look before") {
		t.Errorf("%d: %s", code, words)
	}
}

// No answer that is not one of the service ends well.
func TestUntrueAnswersAreRefused(t *testing.T) {
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		t.Error("another host was asked")
		_, _ = io.WriteString(w, `{"data":[]}`)
	}))
	defer far.Close()
	head := func(more, body string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + more + "\r\n" + body
	}
	answers := map[string]string{
		"null": head("", "null"), "error": head("", `{"status":"error","message":"it broke"}`), "text": head("", `"hello"`),
		"redirect": "HTTP/1.1 302 Found\r\nLocation: " + far.URL + "/sign-in\r\n\r\n", "page": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>sign in</html>",
		"gzip": head("Content-Encoding: gzip\r\n", `{"data":[]}`), "chunks": head("Transfer-Encoding: chunked\r\n", "5\r\n{\"dat"),
		"status line": "HTTP/1.1 fine\r\n\r\n",
	}
	commands := [][]string{{"workspaces", "list"}, {"organizations", "list"}, {"connectors", "list", "--workspace", "demo"}, {"connectors", "list"},
		{"connectors", "describe", "--json", `{"id":"c-1"}`}, {"connectors", "check", "--json", `{"id":"c-1"}`},
		{"execute", "--json", `{"id":"c-1","entity":"customers","action":"list"}`}, {"execute", "--format", "records", "--json", `{"id":"c-1","entity":"customers","action":"get","params":{"id":"cus_1"}}`}}
	var wait sync.WaitGroup
	for name, answer := range answers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
				_, _ = http.ReadRequest(bufio.NewReader(conn))
				_, _ = io.WriteString(conn, answer)
				_ = conn.Close()
			}
		}()
		own := append([][]string{{"execute", "--local", "payments", "--base-url", "http://" + l.Addr().String(), "--json", `{"entity":"customers","action":"list"}`}},
			commands...)
		for _, args := range own {
			wait.Go(func() {
				code, out, words := against(t, "http://"+l.Addr().String(), args...)
				if want := map[string]int{"redirect": 4}[name]; code == 0 || want != 0 && code != want || want == 0 && code != 1 || out != "" && out != "[]\n" {
					t.Errorf("%s %v: code %d, %q, %s", name, args, code, out, words)
				}
				for _, said := range []string{"no workspaces", "Check this machine's connection", "unexpected EOF", "gzip: ", "malformed H", "net/http", "closed the connection"} {
					if strings.Contains(words+out, said) {
						t.Errorf("%s %v says %q: %s", name, args, said, words)
					}
				}
			})
		}
		t.Cleanup(func() { _ = l.Close() })
	}
	wait.Wait()
}
