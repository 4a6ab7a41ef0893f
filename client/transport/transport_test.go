package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
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
		{"heeds limits", with(func(o *outcome) { o.status = 429; o.heedsLimits = true }), false, 0, "fewer requests"},
		{"heeds limits, 503", with(func(o *outcome) { o.status = 503; o.heedsLimits = true }), true, 500 * time.Millisecond, "503"},
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

// Nothing follows a redirect to another host, whatever the method and the status.
func TestRedirectsToAnotherHostAreNotFollowed(t *testing.T) {
	far := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another host was asked") }))
	defer far.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, far.URL, status)
		}))
		for _, method := range []string{"GET", "POST", "DELETE"} {
			call := get(near.URL)
			call.Method, call.Write = method, method != "GET"
			r, err := quick(Options{}).Do(context.Background(), call)
			e := client.AsError(err)
			if e == nil || e.Class != client.ClassConfig || !strings.Contains(e.Message, far.URL) || r.Body.Len() > 0 || len(e.Attempts) != 1 {
				t.Errorf("%s %d: %+v %v", method, status, r, err)
			}
		}
		near.Close()
	}
	for from, same := range map[string]bool{"https://a.example/x": true, "https://A.example:443": true, "http://a.example": false, "https://a.example:8443": false,
		"https://b.a.example": false} {
		if to, _ := url.Parse("https://a.example/y"); sameHost(from, to) != same {
			t.Errorf("%s and %s: %v", from, to, !same)
		}
	}
}

// A file may lie on another host, which is asked without anything that the call was signed with.
func TestFilesMayLieElsewhere(t *testing.T) {
	var asked http.Header
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Clone()
		_, _ = io.WriteString(w, "the file"+r.URL.RawQuery)
	}))
	defer far.Close()
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, far.URL+"/file?signed=1", http.StatusFound)
	}))
	defer near.Close()
	call := get(near.URL)
	call.File, call.Header = true, http.Header{"Authorization": {"Bearer hidden"}, "X-Api-Key": {"hidden"}, "Cookie": {"a=hidden"},
		"Range": {"bytes=0-9"}, "Accept": {"*/*"}}
	r, err := quick(Options{}).Do(context.Background(), call)
	if err != nil || string(r.Body.Slice(0, r.Body.Len())) != "the filesigned=1" || len(r.Attempts) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	if asked.Get("Range") != "bytes=0-9" || asked.Get("Accept") != "*/*" {
		t.Errorf("asked with %v", asked)
	}
	for name, values := range asked {
		if strings.Contains(strings.Join(values, ""), "hidden") {
			t.Errorf("%s went to another host", name)
		}
	}
	call.Method, call.Write = "POST", true
	if _, err := quick(Options{}).Do(context.Background(), call); client.AsError(err) == nil {
		t.Error("a change was sent to another host")
	}
	for _, c := range []struct {
		from, to string
		follows  bool
	}{{"https://a.example/x", "https://b.example/y", true}, {"https://a.example/x", "http://b.example/y", false},
		{"http://a.example/x", "http://b.example/y", true}, {"https://a.example/x", "https://user:word@b.example/y", false},
		{"https://a.example/x", "ftp://b.example/y", false}} {
		to, _ := url.Parse(c.to)
		if err := mayFollow(Call{Method: "GET", File: true}, 302, c.from, to); (err == nil) != c.follows {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
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

// closedPort is where nothing listens; the port of a server that was closed may soon be another's.
const closedPort = "http://127.0.0.1:1"

func TestFailuresOfTheNetwork(t *testing.T) {
	address := closedPort
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

// A write that was sent and not answered may have been carried out; one that never
// had a connection was not.
func TestWritesKnowWhatBecameOfThem(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	mute, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing, so that no handshake ends
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	status := func(code int) string {
		return serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	tests := []struct {
		name, url string
		fate      client.Fate
	}{
		{"cut before the answer", serve(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), client.FateUnknown},
		{"cut in the answer", serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		}), client.FateUnknown},
		{"silence", serve(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}), client.FateUnknown},
		{"500", status(500), client.FateUnknown}, {"502", status(502), client.FateUnknown},
		{"503", status(503), client.FateUnknown}, {"504", status(504), client.FateUnknown},
		{"501", status(501), ""}, {"400", status(400), ""}, {"403", status(403), ""}, {"429", status(429), ""},
		{"refused", closedPort, client.FateUnsent},
		{"no such host", "http://nowhere.invalid", client.FateUnsent},
		{"unknown authority", secure.URL, client.FateUnsent},
		{"no TLS there", "https" + strings.TrimPrefix(status(200), "http"), client.FateUnsent},
		{"no handshake", "https://" + mute.Addr().String(), client.FateUnsent},
		{"not an address", "http://[::1", client.FateUnsent},
	}
	for _, tt := range tests {
		for _, write := range []bool{true, false} {
			c := quick(Options{FirstByte: 200 * time.Millisecond, MaxAttempts: 1})
			call := Call{Method: "POST", URL: tt.url, Write: write, Body: []byte("{}")}
			r, err := c.Do(context.Background(), call)
			e := client.AsError(err)
			if e == nil {
				e = c.Failure(call, r)
			}
			if want := map[bool]client.Fate{true: tt.fate}[write]; e.Fate != want {
				t.Errorf("%s, write %v: %q, want %q (%v)", tt.name, write, e.Fate, want, e)
			}
			if tt.fate == client.FateUnknown && e.Retryable() == write {
				t.Errorf("%s, write %v: retryable %v", tt.name, write, e.Retryable())
			}
		}
	}
}

// What a server sends broken is its fault, and told in words of ours.
func TestBrokenAnswersAreTheServers(t *testing.T) {
	packed := func(body []byte) string {
		return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + string(body)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = io.WriteString(w, strings.Repeat(`{"a":1}`, 500))
	_ = w.Close()
	wrong := bytes.Clone(zipped.Bytes())
	wrong[len(wrong)-6] ^= 0xff
	tests := []struct{ name, answer, text string }{
		{"no gzip", packed([]byte(`{"data":[]}`)), "gzip encoding cannot be read"},
		{"gzip that ends early", packed(zipped.Bytes()[:20]), "gzip encoding cannot be read"},
		{"gzip with a wrong sum", packed(wrong), "gzip encoding cannot be read"},
		{"cut chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n", "chunks"},
		{"malformed chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", "chunks"},
		{"status line", "HTTP/1.1 OK fine\r\n\r\n", "not proper HTTP"},
		{"no HTTP at all", "220 mail.example ESMTP\r\n", "not proper HTTP"},
		{"header", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}", "not proper HTTP"},
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}", "not proper HTTP"},
	}
	for _, tt := range tests {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = http.ReadRequest(bufio.NewReader(conn))
				_, _ = io.WriteString(conn, tt.answer)
				_ = conn.Close()
			}
		}()
		call := get("http://" + l.Addr().String())
		call.Layer = client.LayerThirdParty
		_, err = quick(Options{MaxAttempts: 2}).Do(context.Background(), call)
		_ = l.Close()
		e := client.AsError(err)
		if e == nil || e.Class != client.ClassBadResponse || e.Layer != client.LayerThirdParty || !strings.Contains(e.Message, tt.text) {
			t.Errorf("%s: %+v", tt.name, err)
			continue
		}
		for _, said := range []string{e.Error(), e.Next, e.Attempts[len(e.Attempts)-1].Error} {
			for _, word := range []string{"connection", "unexpected EOF", "gzip: ", "malformed", "flate", "net/http", "invalid"} {
				if strings.Contains(strings.ReplaceAll(said, "they are malformed", ""), word) {
					t.Errorf("%s: %q says %q", tt.name, said, word)
				}
			}
		}
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

// The next step is true of this answer: a wait that the server asks for, params that
// it names.
func TestNextStepsFitTheAnswer(t *testing.T) {
	c := New(Options{})
	for _, tt := range []struct {
		status      int
		after, body string
		want        string
	}{
		{429, "", `{}`, "Wait a moment"},
		{429, "20", `{}`, "Wait a moment"},
		{429, "3600", `{}`, "Wait 1h, as the server asks"},
		{503, "5400", `{}`, "Wait 1h30m, as the server asks"},
		{400, "", `{"errors":[{"field":"limit","message":"is too large"}]}`, "Correct the params it names."},
		{400, "", `{"message":"Bad request"}`, "Compare the request with what the server said"},
		{422, "", ``, "The server does not say what is wrong"},
	} {
		h := http.Header{}
		if tt.after != "" {
			h.Set("Retry-After", tt.after)
		}
		e := c.Failure(Call{Doing: "try"}, &Result{Status: tt.status, Header: h, Body: client.Bytes(tt.body)})
		if !strings.Contains(e.Next, tt.want) {
			t.Errorf("%d %s %s: %s", tt.status, tt.after, tt.body, e.Next)
		}
	}
}
