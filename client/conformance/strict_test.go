package conformance

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// strict is a service that takes nothing but what the definition allows, and
// answers with what the definition promises and nothing more.
type strict struct {
	t      *testing.T
	d      *definition
	server *httptest.Server

	mu   sync.Mutex
	sent []sentRequest
	// answers replace the made-up ones, by method and path.
	answers map[string]string
	// organization is wanted in each request when set.
	organization string
}

type sentRequest struct{ route, body string }

const strictPrefix = "/behind/a/proxy"

func newStrict(t *testing.T) *strict {
	s := &strict{t: t, d: load(t), answers: map[string]string{}}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path, below := strings.CutPrefix(r.URL.EscapedPath(), strictPrefix)
	if !below {
		s.t.Errorf("%s lies outside the base URL", r.URL.Path)
	}
	op, wrong := s.d.request(r, path, body)
	for _, w := range wrong {
		s.t.Errorf("%s %s: %s", r.Method, r.URL, w)
	}
	for _, name := range []string{"User-Agent", "Accept"} {
		if r.Header.Get(name) == "" {
			s.t.Errorf("%s %s: no %s", r.Method, path, name)
		}
	}
	s.mu.Lock()
	if s.organization != r.Header.Get("X-Organization-Id") {
		s.t.Errorf("%s %s: organization %q", r.Method, path, r.Header.Get("X-Organization-Id"))
	}
	s.sent = append(s.sent, sentRequest{r.Method + " " + path, string(body)})
	answer, told := s.answers[r.Method+" "+path]
	s.mu.Unlock()
	status := http.StatusOK
	if r.Method == http.MethodDelete {
		status = http.StatusAccepted
	}
	if !told && op != nil {
		for code, response := range op.Responses {
			if code < "300" {
				answer = string(s.d.example(s.t, response.Content["application/json"].Schema.Ref))
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

// last is the body of the newest request.
func (s *strict) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent[len(s.sent)-1].body
}

func (s *strict) routes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.sent {
		out = append(out, r.route)
	}
	return out
}

type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"`
	Format     string            `json:"format"`
	Const      any               `json:"const"`
	Enum       []any             `json:"enum"`
	AnyOf      []schema          `json:"anyOf"`
	Required   []string          `json:"required"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
}

// example makes the barest value of a type: required members only, null where that is allowed.
func (d *definition) example(t *testing.T, ref string) []byte {
	raw, err := readDefinition()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Schemas map[string]schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(schema{Ref: ref}.example(doc.Components.Schemas))
	if err == nil {
		err = d.check(ref, out)
	}
	if err != nil {
		t.Fatalf("the example of %s: %v", ref, err)
	}
	return out
}

func (s schema) example(all map[string]schema) any {
	switch {
	case s.Ref != "":
		return all[strings.TrimPrefix(s.Ref, "#/components/schemas/")].example(all)
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[len(s.Enum)-1]
	case len(s.AnyOf) > 0 && s.Properties == nil:
		return nil
	}
	kind, _ := s.Type.(string)
	switch kind {
	case "string":
		return map[string]string{"uuid": "11111111-2222-4333-8444-555555555555", "date-time": "2026-01-02T03:04:05Z", "uri": "https://a.example"}[s.Format]
	case "integer", "number":
		return 900
	case "boolean":
		return false
	case "array":
		if s.Items == nil {
			return []any{}
		}
		return []any{s.Items.example(all)}
	case "object":
		o := map[string]any{}
		for _, name := range s.Required {
			o[name] = s.Properties[name].example(all)
		}
		if len(s.AnyOf) > 0 {
			for name, member := range s.Properties {
				o[name] = member.example(all)
			}
		}
		return o
	}
	return nil
}
