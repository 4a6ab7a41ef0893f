package local

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// upstream is a recorded expectation of one kind: what its vendor's API is sent and answers.
type upstream struct {
	Kind        string            `json:"kind"`
	Credentials map[string]string `json:"credentials"`
	Config      map[string]string `json:"config"`
	Token       *struct {
		URL    string            `json:"url"`
		Form   map[string]string `json:"form"`
		Answer json.RawMessage   `json:"answer"`
	} `json:"token"`
	Calls []recorded `json:"calls"`
}

type recorded struct {
	Entity  string          `json:"entity"`
	Action  string          `json:"action"`
	Params  json.RawMessage `json:"params"`
	Request wanted          `json:"request"`
	Answer  struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	} `json:"answer"`
	File *struct {
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
		Content string            `json:"content"`
		Name    string            `json:"name"`
	} `json:"file"`
	Records struct {
		Path string            `json:"path"`
		Rows []json.RawMessage `json:"rows"`
		One  json.RawMessage   `json:"one"`
	} `json:"records"`
	Meta json.RawMessage `json:"meta"`
	Next json.RawMessage `json:"next"`
}

type wanted struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Query   [][2]string       `json:"query"`
	Headers map[string]string `json:"headers"`
	JSON    json.RawMessage   `json:"json"`
	Form    [][2]string       `json:"form"`
	GraphQL *struct {
		Query     string          `json:"query"`
		Variables json.RawMessage `json:"variables"`
	} `json:"graphql"`
}

// script answers requests in order and remembers what was wrong with them.
type script struct {
	steps []step
	wrong []string
	seen  []string
}

type step struct {
	want   func(r *http.Request, body []byte) error
	status int
	header http.Header
	body   []byte
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	if len(s.steps) == 0 {
		s.wrong = append(s.wrong, "unexpected request "+r.Method+" "+r.URL.String())
		return nil, fmt.Errorf("unexpected request")
	}
	next := s.steps[0]
	s.steps, s.seen = s.steps[1:], append(s.seen, r.Method+" "+r.URL.Path)
	if err := next.want(r, body); err != nil {
		s.wrong = append(s.wrong, err.Error())
	}
	header := next.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		StatusCode: next.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, Request: r,
		Body: io.NopCloser(bytes.NewReader(next.body)), ContentLength: int64(len(next.body)),
	}, nil
}

func (s *script) check(t *testing.T) {
	t.Helper()
	for _, w := range s.wrong {
		t.Error(w)
	}
	if len(s.steps) > 0 {
		t.Errorf("%d expected requests were never made", len(s.steps))
	}
}

// told holds the attempts that are shown against the requests that were made: those
// for a token and both of a download among them.
func (s *script) told(t *testing.T, attempts []client.Attempt) {
	t.Helper()
	var shown []string
	for _, a := range attempts {
		u, err := url.Parse(a.URL)
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, a.Method+" "+u.Path)
	}
	if !slices.Equal(shown, s.seen) {
		t.Errorf("the wire shows %v of %v", shown, s.seen)
	}
}

func TestEveryActionAgainstItsUpstream(t *testing.T) {
	cat := catalog.New()
	for _, summary := range cat.Kinds() {
		t.Run(summary.Name, func(t *testing.T) {
			kind, err := cat.Kind(summary.Name)
			if err != nil {
				t.Fatal(err)
			}
			up := readUpstream(t, summary.Name)
			covered := map[string]int{}
			for i, call := range up.Calls {
				name := call.Entity + "." + call.Action
				covered[name]++
				t.Run(fmt.Sprintf("%d_%s", i, name), func(t *testing.T) { up.run(t, cat, kind, call) })
			}
			for i := range kind.Entities {
				e := &kind.Entities[i]
				for j := range e.Actions {
					name := e.Name + "." + e.Actions[j].Name
					if e.Actions[j].Binding != nil && covered[name] == 0 {
						t.Errorf("%s has a binding and no recorded expectation", name)
					}
					delete(covered, name)
				}
			}
			for name := range covered {
				t.Errorf("%s is expected, but the catalog does not have it", name)
			}
		})
	}
}

func readUpstream(t *testing.T, kind string) *upstream {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "upstream", kind+".json"))
	if err != nil {
		t.Fatal(err)
	}
	up := &upstream{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(up); err != nil {
		t.Fatal(err)
	}
	if up.Kind != kind {
		t.Fatalf("the file says it is of %q", up.Kind)
	}
	return up
}

func (up *upstream) client(cat *catalog.Catalog, s http.RoundTripper) *Client {
	return New(Config{
		Catalog: cat, Transport: wire(s, transport.Options{}),
		Credentials: func(_, _, field string) (secret.Secret, string, bool, error) {
			v, ok := up.Credentials[field]
			return secret.New(v), "the test", ok, nil
		},
		Values: func(_, _, name string) (string, bool) { v, ok := up.Config[name]; return v, ok },
	})
}

func (up *upstream) run(t *testing.T, cat *catalog.Catalog, kind *catalog.Kind, call recorded) {
	s := &script{}
	if up.Token != nil {
		s.steps = append(s.steps, step{want: up.tokenRequest, status: 200, body: up.Token.Answer})
	}
	first := step{want: call.Request.check, status: call.Answer.Status, header: http.Header{"Content-Type": {"application/json"}}, body: call.Answer.Body}
	for name, value := range call.Answer.Headers {
		first.header.Set(name, value)
	}
	file := call.File
	if file != nil && file.URL == "" {
		first.status, first.body = 200, []byte(file.Content)
		first.header = http.Header{"Content-Disposition": {`attachment; filename="` + file.Name + `"`}}
	}
	s.steps = append(s.steps, first)
	if file != nil && file.URL != "" {
		s.steps = append(s.steps, step{
			want:   wanted{Method: "GET", URL: strings.Split(file.URL, "?")[0], Query: queryOf(file.URL), Headers: file.Headers}.check,
			status: 206, body: []byte(file.Content), header: http.Header{"Content-Disposition": {`attachment; filename="` + file.Name + `"`}},
		})
	}
	c := up.client(cat, s)
	target := client.Target{Kind: up.Kind, Local: true, Name: "mine"}
	op := client.Operation{Entity: call.Entity, Action: call.Action, Params: call.Params}
	if file != nil {
		var got bytes.Buffer
		env, err := c.Download(context.Background(), target, op, &got)
		s.check(t)
		if err != nil || got.String() != file.Content || env.FileName != file.Name {
			t.Fatalf("downloaded %q as %+v, %v", got.String(), env, err)
		}
		s.told(t, env.Attempts)
		return
	}
	env, err := c.Execute(context.Background(), target, op)
	s.check(t)
	if err != nil {
		t.Fatalf("%v (%s)", err, client.AsError(err).Next)
	}
	s.told(t, env.Attempts)
	call.checkAnswer(t, env, kind.Entity(call.Entity).Action(call.Action), op)
	up.checkSecrets(t, env)
}

func (up *upstream) tokenRequest(r *http.Request, body []byte) error {
	var form [][2]string
	for k, v := range up.Token.Form {
		form = append(form, [2]string{k, v})
	}
	return wanted{Method: "POST", URL: up.Token.URL, Form: form}.check(r, body)
}

// checkSecrets holds attempts against the secrets of the kind.
func (up *upstream) checkSecrets(t *testing.T, env *client.Envelope) {
	shown, err := json.Marshal(env.Attempts)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range up.Credentials {
		if strings.Contains(name, "secret") || strings.Contains(name, "password") || strings.Contains(name, "token") || name == "api_key" {
			if bytes.Contains(shown, []byte(value)) {
				t.Errorf("an attempt shows the credential %s", name)
			}
		}
	}
}

func (w wanted) check(r *http.Request, body []byte) error {
	address := *r.URL
	address.RawQuery = ""
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if r.Method != w.Method || address.String() != w.URL {
		say("sent %s %s, want %s %s", r.Method, address.String(), w.Method, w.URL)
	}
	if got := pairsOf(r.URL.RawQuery); !samePairs(got, w.Query) {
		say("query %v, want %v", got, w.Query)
	}
	w.checkHeaders(r.Header, say)
	w.checkBody(r.Header.Get("Content-Type"), body, say)
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(wrong, "; "))
}

// checkHeaders wants those that are recorded and, beside what every HTTP client
// sends, no others.
func (w wanted) checkHeaders(h http.Header, say func(string, ...any)) {
	for name, value := range w.Headers {
		if got := h.Get(name); got != value {
			say("header %s is %q, want %q", name, got, value)
		}
	}
	for name := range h {
		switch name {
		case "Accept", "Accept-Encoding", "User-Agent", "Content-Type":
			continue
		}
		known := false
		for want := range w.Headers {
			known = known || strings.EqualFold(want, name)
		}
		if !known {
			say("header %s was not expected", name)
		}
	}
}

func (w wanted) checkBody(contentType string, body []byte, say func(string, ...any)) {
	wantType := "application/json"
	switch {
	case w.GraphQL != nil:
		var got struct {
			Query     string          `json:"query"`
			Variables json.RawMessage `json:"variables"`
		}
		if err := json.Unmarshal(body, &got); err != nil {
			say("the body is no GraphQL call: %v", err)
		}
		if a, b := canonicalQuery(got.Query), canonicalQuery(w.GraphQL.Query); a != b {
			say("document\n%s\nwant\n%s", a, b)
		}
		if !sameJSON(got.Variables, w.GraphQL.Variables) {
			say("variables %s, want %s", got.Variables, w.GraphQL.Variables)
		}
	case w.JSON != nil:
		if !sameJSON(body, w.JSON) {
			say("body %s, want %s", body, w.JSON)
		}
	case w.Form != nil:
		wantType = "application/x-www-form-urlencoded"
		if got := pairsOf(string(body)); !samePairs(got, w.Form) {
			say("form %v, want %v", got, w.Form)
		}
	default:
		wantType = ""
		if len(body) > 0 {
			say("body %s, want none", body)
		}
	}
	if v := w.Headers["Content-Type"]; v != "" {
		wantType = v
	}
	if contentType != wantType {
		say("content type %q, want %q", contentType, wantType)
	}
}

// repeated is a credential in the address of another page.
var repeated = regexp.MustCompile(`access_token=[^&"]+`)

func (r recorded) checkAnswer(t *testing.T, env *client.Envelope, a *catalog.Action, op client.Operation) {
	t.Helper()
	// But for what the third party repeats in the addresses of its pages.
	received := repeated.ReplaceAll(r.Answer.Body, []byte("access_token="+secret.Mark))
	if !bytes.Equal(env.Body.Slice(0, env.Body.Len()), received) {
		t.Error("the body is not as received")
	}
	index := records.IndexEnvelope(env)
	if env.Kept != nil {
		var nodes []rawjson.Node
		for _, span := range env.Kept {
			nodes = append(nodes, rawjson.NodeAt(env.Body, span.From, span.To))
		}
		index = rawjson.IndexNodes(env.Body, rawjson.List, nodes...)
	}
	want := r.Records.Rows
	if r.Records.One != nil {
		want = []json.RawMessage{r.Records.One}
		if !env.Single {
			t.Error("one record is not told as one")
		}
	}
	if env.RecordsPath != r.Records.Path {
		t.Errorf("records at %q, want %q", env.RecordsPath, r.Records.Path)
	}
	if index.Len() != len(want) {
		t.Fatalf("%d records, want %d", index.Len(), len(want))
	}
	for i, row := range want {
		if got := index.Record(i).Raw(); !sameJSON(got, row) {
			t.Errorf("record %d is %s, want %s", i, got, row)
		}
	}
	if !sameJSON(env.MetaJSON, r.Meta) {
		t.Errorf("meta %s, want %s", env.MetaJSON, r.Meta)
	}
	if env.Names != client.Wire {
		t.Errorf("names %q", env.Names)
	}
	r.checkNext(t, answer.Following(a, op, env, index), op)
}

func (r recorded) checkNext(t *testing.T, next answer.Next, op client.Operation) {
	t.Helper()
	var word string
	if json.Unmarshal(r.Next, &word) == nil {
		if want := map[string]answer.State{"none": answer.None, "end": answer.End}[word]; next.State != want {
			t.Errorf("the next page: %s (state %d), want %s", next.Text(), next.State, word)
		}
		return
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(r.Next, &want); err != nil {
		t.Fatal(err)
	}
	if next.State != answer.More {
		t.Fatalf("the next page: %s, want %s", next.Text(), r.Next)
	}
	for name, value := range want {
		got := json.RawMessage(rawjson.Parse(next.Op.Params).Raw())
		if name == "@" {
			got = rawjson.AppendQuoted(nil, next.Op.NextURL)
		} else if n, ok := rawjson.Parse(next.Op.Params).Get(name); ok {
			got = n.Raw()
		}
		if !sameJSON(got, value) {
			t.Errorf("the next page sends %s = %s, want %s", name, got, value)
		}
	}
}

func sameJSON(a, b []byte) bool {
	read := func(data []byte) any {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var v any
		if len(data) > 0 && dec.Decode(&v) != nil {
			return "not JSON"
		}
		return v
	}
	return reflect.DeepEqual(read(a), read(b))
}

func pairsOf(query string) [][2]string {
	var out [][2]string
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		k, v, _ := strings.Cut(part, "=")
		out = append(out, [2]string{decoded(k), decoded(v)})
	}
	return out
}

// decoded reads + as a blank, as forms do; a query never holds it unencoded.
func decoded(s string) string {
	u, err := http.NewRequest("GET", "http://h/?"+strings.ReplaceAll(s, "=", "%3D")+"=", nil)
	if err != nil {
		return "undecodable " + s
	}
	for k := range u.URL.Query() {
		return k
	}
	return ""
}

func queryOf(address string) [][2]string {
	_, query, _ := strings.Cut(address, "?")
	return pairsOf(query)
}

// samePairs compares without the order of different keys.
func samePairs(a, b [][2]string) bool {
	sorted := func(in [][2]string) [][2]string {
		out := append([][2]string{}, in...)
		sort.SliceStable(out, func(i, j int) bool { return out[i][0] < out[j][0] })
		return out
	}
	return reflect.DeepEqual(sorted(a), sorted(b))
}
