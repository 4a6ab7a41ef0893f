package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/secret/canary"
	"patchbay/client/session"
	"patchbay/client/wirelog"
)

// echoes answers calls with what it is told, in one way after another.
var echoes = map[string]func(w http.ResponseWriter, r *http.Request, echo string){
	"body": func(w http.ResponseWriter, _ *http.Request, echo string) {
		fmt.Fprintf(w, `{"status":"success","result":[{"id":"1","note":%s}],"warning":%s}`, quoted(echo), quoted(echo))
	},
	"raw text in JSON": func(w http.ResponseWriter, _ *http.Request, echo string) {
		fmt.Fprintf(w, `{"status":"success","result":[{"id":"1","note":"%s"}]}`, echo)
	},
	"header": func(w http.ResponseWriter, _ *http.Request, echo string) {
		for _, name := range []string{"X-Echo", "X-Request-Id", "Link", "Etag"} {
			w.Header().Set(name, strings.NewReplacer("\n", " ", "\r", " ").Replace(echo))
		}
		w.Header().Set("Content-Disposition", `attachment; filename="`+url.QueryEscape(echo)+`"`)
		io.WriteString(w, `{"status":"success","result":[]}`)
	},
	"error": func(w http.ResponseWriter, _ *http.Request, echo string) {
		w.Header().Set("X-Request-Id", url.QueryEscape(echo))
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintf(w, `{"error":{"message":%s,"field":%[1]s,"code":%[1]s,"param":%[1]s}}`, quoted("no "+echo))
	},
	"detail": func(w http.ResponseWriter, _ *http.Request, echo string) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"detail":[{"loc":["body",%s],"msg":%[1]s}]}`, quoted(echo))
	},
	"web page": func(w http.ResponseWriter, _ *http.Request, echo string) {
		w.Header().Set("Content-Type", "text/html; x="+url.QueryEscape(echo))
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "<html><title>"+echo+"</title>"+echo)
	},
	"redirect": func(w http.ResponseWriter, r *http.Request, echo string) {
		if strings.HasPrefix(r.URL.Path, "/else") {
			io.WriteString(w, `{"status":"success","result":[]}`)
			return
		}
		w.Header().Set("Location", "http://other.invalid/else/"+url.PathEscape(echo)+"?token=abcdef&q="+url.QueryEscape(echo)+"#"+url.QueryEscape(echo))
		w.WriteHeader(http.StatusTemporaryRedirect)
	},
	"stream": func(w http.ResponseWriter, _ *http.Request, echo string) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		fmt.Fprintf(w, "{\"a\":1}\n{\"password\":%s}\n{\"b\":%[1]s}\n", quoted(echo))
	},
	"byte order mark": func(w http.ResponseWriter, _ *http.Request, echo string) {
		fmt.Fprintf(w, "\ufeff{\"status\":\"success\",\"result\":[{\"access_token\":%s}]}", quoted(echo))
	},
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

// TestNoCanaryStays has a server echo a secret in every encoding and place, and then
// reads all that was shown, written and kept. Standard output has bodies as received.
func TestNoCanaryStays(t *testing.T) {
	secretValue := canary.Secrets[0]
	var answer func(w http.ResponseWriter, r *http.Request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer(w, r)
	}))
	defer server.Close()
	home := t.TempDir()
	environ := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"PLATFORM_BASE_URL=" + server.URL, "PLATFORM_TOKEN=" + secretValue, "PLATFORM_ORGANIZATION_ID=o"}
	log := filepath.Join(home, "wire.log")
	payload := `{"id":"c1","entity":"notes","action":"list","params":{"q":` + quoted(secretValue) + `}}`
	clean := func(where, text string) {
		t.Helper()
		if way := canary.Find(text, secretValue); way != "" {
			t.Fatalf("%s: found %s in %.3000s", where, way, text)
		}
	}
	a := newApp(environ, strings.NewReader(""), io.Discard, io.Discard)
	s, err := a.Service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var op client.Operation
	if err := json.Unmarshal([]byte(payload), &op); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for place, tell := range echoes {
		for _, e := range canary.Encodings {
			echo := e.Write(secretValue)
			answer = func(w http.ResponseWriter, r *http.Request) { tell(w, r, echo) }
			where := place + ", " + e.Name
			var out, errs bytes.Buffer
			cmd := exec.Command(binary, "execute", "--json-errors", "--log", log, "--json", payload)
			cmd.Env, cmd.Stdout, cmd.Stderr = environ, &out, &errs
			ended := cmd.Run()
			clean(where, errs.String())
			told := strings.Contains(errs.String(), client.SecretSeen)
			if held := canary.Find(out.String(), secretValue) != ""; ended == nil && held {
				seen++
				if !told {
					t.Fatalf("%s: nothing says that the answer holds a secret: %s", where, &errs)
				}
			}
			clean(where+", live", live(t, a, s, op))
		}
	}
	if seen < len(canary.Encodings) {
		t.Errorf("only %d bodies held the secret", seen)
	}
	store := history.New(filepath.Join(home, "patchbay", history.FileName), history.Options{})
	defer store.Close()
	runs, err := store.Find(t.Context(), history.Query{Limit: 1000})
	if err != nil || len(runs) != len(echoes)*len(canary.Encodings) {
		t.Fatalf("%d runs are kept, %v", len(runs), err)
	}
	for _, run := range runs {
		entry, env, err := store.Get(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		clean("history", rendered(t, entry, env))
	}
	err = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			if bytes.HasPrefix(data, []byte("SQLite")) { // what it holds is packed, and was read above
				data = data[:0:0]
			}
			for line := range strings.Lines(string(data)) {
				clean(path, line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// live is what a call in this process tells beside its body: the error, and the call
// written out for other tools.
func live(t *testing.T, a *app, s *session.Session, op client.Operation) string {
	t.Helper()
	target := client.Target{Profile: s.Name, ConnectorID: "c1"}
	env, err := s.Execute(t.Context(), target, op)
	e := client.AsError(err)
	var told bytes.Buffer
	var attempts []client.Attempt
	if e != nil {
		fmt.Fprintln(&told, e.Error(), e.Field, e.Next, e.RequestID, e.Server)
		attempts = e.Attempts
	} else {
		fmt.Fprintln(&told, env.Warning, env.FileName, env.ContentType)
		attempts = env.Attempts
	}
	fmt.Fprintf(&told, "%+v", attempts)
	calls := []wirelog.Call{{Attempts: attempts, Envelope: env}}
	options := wirelog.Options{Redactor: a.Redactor}
	if err := wirelog.HAR(&told, calls, options); err != nil {
		t.Fatal(err)
	}
	if err := wirelog.Text(&told, calls, options); err != nil {
		t.Fatal(err)
	}
	request, err := s.Preview(target, op)
	if err != nil {
		t.Fatal(err)
	}
	request.Body = nil // the params are what somebody typed
	fmt.Fprintf(&told, "%+v", *request)
	return told.String()
}

func rendered(t *testing.T, entry *history.Entry, env *client.Envelope) string {
	t.Helper()
	b, err := json.Marshal(struct {
		*history.Entry
		Env *client.Envelope
	}{entry, env})
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if env != nil && env.Body != nil {
		text += "\n" + string(env.Body.Slice(0, env.Body.Len()))
	}
	return text
}
