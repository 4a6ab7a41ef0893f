package session

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
)

// A connector that is called directly is never ok by an answer that is none, of
// whatever kind it is.
func TestLocalChecksBelieveNoUntruth(t *testing.T) {
	answers := map[string]func(http.ResponseWriter){
		"401":            func(w http.ResponseWriter) { http.Error(w, `{"message":"who are you"}`, http.StatusUnauthorized) },
		"403":            func(w http.ResponseWriter) { http.Error(w, `{"message":"not you"}`, http.StatusForbidden) },
		"500":            func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"null":           func(w http.ResponseWriter) { _, _ = io.WriteString(w, "null") },
		"another object": func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"hello":"world"}`) },
		"an error":       func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"status":"error","message":"it broke"}`) },
		"a page":         func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>sign in</html>") },
	}
	known := catalog.New()
	checked := map[string]bool{}
	for name, answer := range answers {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
		for _, summary := range known.Kinds() {
			k, err := known.Kind(summary.Name)
			if err != nil || k.Local == nil {
				continue
			}
			env := map[string]string{client.EnvName(k.Name, "base_url"): server.URL, client.EnvName(k.Name, "token_url"): server.URL}
			for _, m := range k.Credentials {
				for _, f := range m.Fields {
					env[client.EnvName(k.Name, f.Name)] = "secret-" + f.Name
				}
			}
			o := newOpener(t, env)
			s := must(o.LocalOnly())
			c := must(s.Subject(t.Context(), client.Connector{Name: "local " + k.Name, Kind: k.Name, Local: true})).Check(t.Context(), nil)
			checked[k.Name] = true
			if c.Verdict == client.VerdictOK || c.Status == "succeeded" || c.Message == "" {
				t.Errorf("%s, %s: %s, %s: %s", k.Name, name, c.Status, c.Verdict, c.Message)
			}
			if strings.Contains(c.Message+c.Next, "secret-") {
				t.Errorf("%s, %s tells a secret: %s", k.Name, name, c.Message)
			}
		}
		server.Close()
	}
	if len(checked) < 20 {
		t.Errorf("only %d kinds were checked", len(checked))
	}
}
