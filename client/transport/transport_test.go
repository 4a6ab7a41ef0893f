package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
)

func quick(o Options) *Client {
	o.Random = func() float64 { return 0.5 }
	o.Sleep = func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) }
	return New(o)
}

func get(url string) Call { return Call{Method: "GET", URL: url, Doing: "try", Purpose: "call"} }

func TestShouldRetry(t *testing.T) {
	base := outcome{attempt: 1, most: 3, random: 0.5}
	with := func(change func(*outcome)) outcome { o := base; change(&o); return o }
	tests := []struct {
		name   string
		o      outcome
		retry  bool
		wait   time.Duration
		reason string
	}{
		{"success", with(func(o *outcome) { o.status = 200 }), false, 0, ""},
		{"429", with(func(o *outcome) { o.status = 429 }), true, 500 * time.Millisecond, "429"},
		{"503 asks to wait", with(func(o *outcome) { o.status = 503; o.retryAfter = 2 * time.Second }), true, 2250 * time.Millisecond, "503"},
		{"asks to wait for long", with(func(o *outcome) { o.status = 429; o.retryAfter = time.Hour }), false, 0, "1h0m0s"},
		{"write", with(func(o *outcome) { o.status = 503; o.write = true }), false, 0, "not repeated"},
		{"last", with(func(o *outcome) { o.status = 502; o.attempt = 3 }), false, 0, "given up"},
		{"waits are bounded", with(func(o *outcome) { o.status = 504; o.attempt, o.most = 40, 99 }), true, 10 * time.Second, "504"},
		{"500", with(func(o *outcome) { o.status = 500 }), false, 0, ""},
		{"400", with(func(o *outcome) { o.status = 400 }), false, 0, ""},
		{"reset", with(func(o *outcome) { o.err = syscall.ECONNRESET }), true, 500 * time.Millisecond, "broke"},
		{"cut", with(func(o *outcome) { o.err = io.ErrUnexpectedEOF; o.status = 200 }), true, 500 * time.Millisecond, "broke"},
		{"refused", with(func(o *outcome) { o.err = syscall.ECONNREFUSED }), false, 0, ""},
		{"no such name", with(func(o *outcome) { o.err = &net.DNSError{IsNotFound: true} }), false, 0, ""},
		{"name server busy", with(func(o *outcome) { o.err = &net.DNSError{IsTemporary: true} }), true, 500 * time.Millisecond, "name server"},
		{"canceled", with(func(o *outcome) { o.status = 503; o.canceled = true }), false, 0, "canceled"},
		{"too large", with(func(o *outcome) { o.err = errTooLarge }), false, 0, ""},
	}
	for _, tt := range tests {
		retry, wait, reason := shouldRetry(tt.o)
		if retry != tt.retry || wait != tt.wait || !strings.Contains(reason, tt.reason) || (tt.reason == "") != (reason == "") {
			t.Errorf("%s: %v after %v because %q", tt.name, retry, wait, reason)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "soon": 0, "NaN": 0, "1e99": 0,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Minute).Format(http.TimeFormat): 0,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestRetriesAreVisible(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n < 3 {
			w.WriteHeader(503)
			return
		}
		_, _ = io.WriteString(w, "fine")
	}))
	defer server.Close()
	var events []client.EventKind
	ctx := client.WithObserver(context.Background(), func(e client.Event) { events = append(events, e.Kind) })
	r, err := quick(Options{}).Do(ctx, get(server.URL))
	if err != nil || string(r.Body.Slice(0, r.Body.Len())) != "fine" || len(r.Attempts) != 3 {
		t.Fatalf("%+v %v", r, err)
	}
	if !r.Attempts[0].Retry || r.Attempts[0].Reason == "" || r.Attempts[2].Retry || r.Attempts[2].Status != 200 || r.Attempts[0].Remote == "" {
		t.Errorf("%+v", r.Attempts)
	}
	if len(events) != 5 || events[1] != client.EventRetry {
		t.Errorf("%v", events)
	}
}

func TestCancelEndsTheWait(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	c := New(Options{Random: func() float64 { return 1 }})
	ctx = client.WithObserver(ctx, func(e client.Event) {
		if e.Kind == client.EventRetry {
			cancel()
		}
	})
	_, err := c.Do(ctx, get(server.URL))
	if client.ExitCode(err) != 130 || len(client.AsError(err).Attempts) != 1 {
		t.Errorf("%v", err)
	}
}

func TestBodiesAreDecodedCountedAndBounded(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(bytes.Repeat([]byte("a"), 10_000))
	_ = z.Close()
	encoding := "gzip"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		_, _ = w.Write(packed.Bytes())
	}))
	defer server.Close()
	r, err := quick(Options{}).Do(context.Background(), get(server.URL))
	if err != nil || r.Body.Len() != 10_000 || r.Attempts[0].ResponseBytes != 10_000 || r.Attempts[0].WireBytes != int64(packed.Len()) {
		t.Errorf("%+v %v", r, err)
	}
	if _, err = quick(Options{MaxBody: 5_000}).Do(context.Background(), get(server.URL)); client.AsError(err).Class != client.ClassBadResponse {
		t.Error(err)
	}
	encoding = "br"
	if _, err = quick(Options{}).Do(context.Background(), get(server.URL)); err == nil || !strings.Contains(err.Error(), "br") {
		t.Error(err)
	}
}

func TestCutBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"half":`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	r, err := quick(Options{MaxAttempts: 2}).Do(context.Background(), get(server.URL))
	e := client.AsError(err)
	if e.Class != client.ClassNetwork || len(e.Attempts) != 2 || r == nil || string(r.Body.Slice(0, r.Body.Len())) != `{"half":` || e.Envelope == nil {
		t.Errorf("%+v %v", r, err)
	}
	var out bytes.Buffer
	call := get(server.URL)
	call.Out = &out
	if _, err = quick(Options{}).Do(context.Background(), call); len(client.AsError(err).Attempts) != 1 || out.String() != `{"half":` {
		t.Errorf("a stream was repeated: %q %v", out.String(), err)
	}
}

func TestRedirectsKeepCredentials(t *testing.T) {
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "X-Api-Key", "Cookie", "Referer", "X-Organization-Id"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s travelled to another host", name)
			}
		}
		_, _ = io.WriteString(w, "far")
	}))
	defer far.Close()
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, far.URL, http.StatusTemporaryRedirect)
	}))
	defer near.Close()
	call := get(near.URL)
	call.Header = http.Header{"Authorization": {"Bearer t0p"}, "X-Api-Key": {"k"}, "Cookie": {"c=d"}, "X-Organization-Id": {"o"}}
	r, err := quick(Options{}).Do(context.Background(), call)
	if err != nil || string(r.Body.Slice(0, r.Body.Len())) != "far" || len(r.Attempts) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	call.Method, call.Body = "POST", []byte(`{"client_secret":"x"}`)
	if _, err = quick(Options{}).Do(context.Background(), call); client.AsError(err).Class != client.ClassConfig {
		t.Errorf("a body followed a redirect: %v", err)
	}
}

func TestRedirectLoopEnds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) }))
	defer server.Close()
	if _, err := quick(Options{}).Do(context.Background(), get(server.URL)); client.AsError(err).Class != client.ClassBadResponse {
		t.Error(err)
	}
}

func TestAttemptsHideSecrets(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "s=hidden-cookie")
		w.WriteHeader(400)
		_, _ = io.WriteString(w, `{"message":"bad value known-secret"}`)
	}))
	defer server.Close()
	red := &secret.Redactor{}
	red.Add(secret.New("known-secret"))
	c := quick(Options{Redactor: red})
	call := Call{Method: "POST", URL: server.URL + "/?api_key=hidden-query&x=known-secret", Header: http.Header{"Authorization": {"Bearer hidden-token"}, "Content-Type": {"application/json"}}, Body: []byte(`{"password":"hidden-body","note":"known-secret"}`)}
	r, err := c.Do(context.Background(), call)
	if err != nil {
		t.Fatal(err)
	}
	e := c.Failure(call, r)
	a := r.Attempts[0]
	text := a.URL + string(a.RequestBody) + e.Error()
	for _, h := range append(a.RequestHeaders, a.ResponseHeaders...) {
		text += h.Value
	}
	if strings.Contains(text, "hidden") || strings.Contains(text, "known-secret") {
		t.Error(text)
	}
}

func TestFailuresOfTheNetwork(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	address := closed.URL
	closed.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	tests := []struct {
		name, url string
		class     client.Class
		text      string
	}{
		{"refused", address, client.ClassNetwork, "nothing listens"},
		{"unknown authority", secure.URL, client.ClassTLS, "does not trust"},
		{"no TLS there", "https" + strings.TrimPrefix(plain.URL, "http"), client.ClassTLS, "does not speak TLS"},
		{"silence", silent.URL, client.ClassTimeout, "no answer came in time"},
		{"not an address", "http://[::1", client.ClassNetwork, "failed"},
	}
	for _, tt := range tests {
		patience := time.Minute
		if tt.url == silent.URL {
			patience = 20 * time.Millisecond
		}
		_, err := quick(Options{FirstByte: patience}).Do(context.Background(), get(tt.url))
		e := client.AsError(err)
		if e.Class != tt.class || !strings.Contains(e.Error(), tt.text) || e.Next == "" || len(e.Attempts) == 0 {
			t.Errorf("%s: %s %v", tt.name, e.Class, e)
		}
	}
	if e := Classify(&net.DNSError{Name: "x.example", IsNotFound: true}, "http://x.example"); !strings.Contains(e.Message, "not known") {
		t.Error(e)
	}
	if e := Classify(&net.OpError{Op: "proxyconnect", Err: errors.New("no")}, "http://x"); e.Layer != client.LayerProxy {
		t.Error(e)
	}
}

func TestWritesOfUnknownFateSaySo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	_, err := quick(Options{}).Do(context.Background(), Call{Method: "POST", URL: server.URL, Write: true, Body: []byte("{}")})
	if e := client.AsError(err); !strings.Contains(e.Next, "not known whether") || len(e.Attempts) != 1 {
		t.Errorf("%q after %d attempts", e.Next, len(e.Attempts))
	}
}

func TestReadProblem(t *testing.T) {
	tests := []struct {
		body  string
		want  Problem
		types string
	}{
		{`{"message":"no"}`, Problem{Message: "no"}, ""},
		{`{"error":"invalid_grant","error_description":"token is old"}`, Problem{Message: "token is old", Code: "invalid_grant"}, ""},
		{`{"error":"plain words"}`, Problem{Message: "plain words"}, ""},
		{`{"error":{"message":"deep","code":"c1","param":"limit"}}`, Problem{Message: "limit: deep", Code: "c1", Field: "limit"}, ""},
		{`{"errors":["a","b"]}`, Problem{Message: "a; b"}, ""},
		{`{"message":"Invalid","errors":[{"field":"body","message":"need one","error_code":"value_error"}]}`, Problem{Message: "Invalid; need one", Code: "value_error"}, ""},
		{`{"errors":[{"field":"name","userPresentableMessage":"too long","message":"x"}]}`, Problem{Message: "name: too long", Field: "name"}, ""},
		{`{"detail":"missing"}`, Problem{Message: "missing"}, ""},
		{`{"detail":[{"loc":["body","a","b"],"msg":"wrong"}]}`, Problem{Message: "a.b: wrong", Field: "a.b"}, ""},
		{`{"type":"about:blank","title":"Not found","detail":"no such thing"}`, Problem{Message: "Not found; no such thing", Code: "about:blank"}, ""},
		{`{"errors":{"limit":"is too large"}}`, Problem{Message: "limit: is too large", Field: "limit"}, ""},
		{`{"message":"x","failure_reason":{"failure_origin":"source","external_message":"key revoked"}}`, Problem{Message: "x; key revoked", ThirdParty: true}, ""},
		{`{"message":"x","details":{"upstream_status":403}}`, Problem{Message: "x", ThirdParty: true, UpstreamStatus: 403}, ""},
		{"<html><head><title>Log\n in</title>", Problem{Message: "", HTML: true}, ""},
		{"<html><h1>502 &lt;x&gt;</h1>", Problem{Message: "502 <x>", HTML: true}, "text/html"},
		{"just\x00 text\n\nof lines", Problem{Message: "just\x00 text of lines"}, ""},
		{"", Problem{}, ""},
		{"null", Problem{}, ""},
	}
	for _, tt := range tests {
		got := ReadProblem(tt.types, []byte(tt.body))
		if tt.want.HTML && tt.want.Message == "" {
			tt.want.Message = "Log in"
		}
		if got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.body, got, tt.want)
		}
	}
}

func FuzzReadProblem(f *testing.F) {
	for _, seed := range []string{`{"errors":[{"message":"a"}],"detail":[{"loc":["a"],"msg":"b"}]}`, `<title>x</title>`, `[[[["a"]]]]`, "\xff\xfe", `{"errors":{"a":"b"}}`} {
		f.Add("", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		p := ReadProblem(contentType, body)
		if len(p.Message) > longestText+3 || len(p.Field) > longestText+3 || strings.ContainsAny(p.Message, "\n\r\t") {
			t.Fatalf("%+v", p)
		}
	})
}

func benchServer() *httptest.Server {
	body := []byte(`{"data":[{"id":1}]}`)
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
}

func BenchmarkCall(b *testing.B) {
	server := benchServer()
	defer server.Close()
	c := New(Options{})
	for b.Loop() {
		if _, err := c.Do(context.Background(), Call{Method: "POST", URL: server.URL, Body: []byte(`{"entity":"a"}`), Header: http.Header{"Authorization": {"Bearer x"}}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlainNetHTTP(b *testing.B) {
	server := benchServer()
	defer server.Close()
	for b.Loop() {
		res, err := http.Post(server.URL, "application/json", strings.NewReader(`{"entity":"a"}`))
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

// TestEveryStatusHasWords: whatever status arrives, the error says what is wrong
// and what to do, and the exit code follows from the class.
func TestEveryStatusHasWords(t *testing.T) {
	known := map[int]struct {
		class client.Class
		exit  int
	}{
		400: {client.ClassInvalid, 4}, 401: {client.ClassAuth, 2}, 402: {client.ClassScope, 2}, 403: {client.ClassScope, 2}, 404: {client.ClassNotFound, 3},
		405: {client.ClassRefused, 4}, 407: {client.ClassAuth, 2}, 408: {client.ClassTimeout, 6}, 409: {client.ClassRefused, 4}, 410: {client.ClassNotFound, 3},
		413: {client.ClassInvalid, 4}, 415: {client.ClassInvalid, 4}, 416: {client.ClassInvalid, 4}, 422: {client.ClassInvalid, 4}, 429: {client.ClassRateLimited, 5},
		500: {client.ClassUpstream, 1}, 501: {client.ClassRefused, 4}, 502: {client.ClassUpstream, 1}, 503: {client.ClassUpstream, 1}, 504: {client.ClassUpstream, 1},
	}
	c := quick(Options{})
	for status := 300; status < 600; status++ {
		e := c.Failure(Call{Doing: "try"}, &Result{Status: status, Header: http.Header{}, Body: client.Bytes(`{"message":"because"}`)})
		want, told := known[status]
		if told && (e.Class != want.class || client.ExitCode(e) != want.exit) {
			t.Errorf("%d: %s, exit code %d", status, e.Class, client.ExitCode(e))
		}
		if e.Message == "" || e.Next == "" || !strings.Contains(e.Error(), "because") || e.Layer == "" {
			t.Errorf("%d: %+v", status, e)
		}
	}
}

func TestStreamsThatThePeerEnded(t *testing.T) {
	for text, want := range map[string]bool{
		"stream error: stream ID 3; INTERNAL_ERROR; received from peer": true, "http2: server sent GOAWAY and closed the connection": true,
		"http2: client connection lost": true, "something else": false,
	} {
		if retry, _, _ := shouldRetry(outcome{attempt: 1, most: 3, err: errors.New(text)}); retry != want {
			t.Errorf("%s: %v", text, retry)
		}
	}
}
