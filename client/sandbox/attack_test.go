package sandbox

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client/listen"
	"patchbay/client/rawjson"
)

var (
	attackFor = flag.Duration("attack", time.Second, "how long the listener is attacked")
	attackAt  = flag.String("attack.at", "", "the address of a running sandbox to attack in place of one in this test")
)

// attacker is a client that means no good, on one connection.
type attacker struct {
	net.Conn
	r    *rand.Rand
	host string
	// target is the path of a connector's calls.
	target string
}

// attacks send something broken. What they return tells of an answer that nobody may give.
var attacks = []struct {
	name string
	do   func(*attacker) error
}{
	{"random bytes", func(a *attacker) error { a.send(a.bytes(a.r.IntN(4096))); return a.refused() }},
	{"broken request lines", (*attacker).lines},
	{"another protocol", func(a *attacker) error {
		a.send(a.one("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET /health\r\n",
			"CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n", "\x00\x00\x00\x00", "EHLO evil.test\r\n"))
		return a.refused()
	}},
	{"huge headers", func(a *attacker) error {
		a.send("GET /health HTTP/1.1\r\nHost: " + a.host + "\r\n")
		a.send(a.one("X: "+strings.Repeat("x", 1<<20), strings.Repeat("X: y\r\n", 50_000),
			strings.Repeat("y", 1<<20)+": x", "Cookie: "+strings.Repeat("a=b; ", 100_000)) + "\r\n\r\n")
		return a.refused()
	}},
	{"broken headers", func(a *attacker) error {
		a.send("GET /health HTTP/1.1\r\nHost: " + a.host + "\r\n" + a.one(" folded: x", "a\x00b: c", "no colon",
			": empty", "Content-Length: -1", "Content-Length: 1\r\nContent-Length: 2", "Host: evil.test",
			"Transfer-Encoding: xx", "a: \x1b]0;x\x07\x01", "a b: c") + "\r\n\r\n")
		return a.refused()
	}},
	{"a slow head", func(a *attacker) error {
		a.slowly("GET /health HTTP/1.1\r\nHost: "+a.host+"\r\nX: ", "x")
		return nil
	}},
	{"a slow body", func(a *attacker) error {
		a.slowly(a.post("/api/v1/account/applications/token", "Content-Length: 1000000"), " ")
		return nil
	}},
	{"a body that never comes", func(a *attacker) error {
		a.send(a.post("/api/v1/account/applications/token", "Content-Length: 9223372036854775807"))
		a.send(strings.Repeat(" ", 1<<20))
		return nil
	}},
	{"a body without an end", func(a *attacker) error {
		a.send(a.post("/api/v1/account/applications/token", "Transfer-Encoding: chunked"))
		for range 40 {
			a.send("100000\r\n" + strings.Repeat(" ", 1<<20) + "\r\n")
		}
		return a.refused()
	}},
	{"bad chunks", (*attacker).chunks},
	{"who reads slowly", func(a *attacker) error {
		for range 50 {
			a.send("GET /api/v1/integrations/definitions/sources HTTP/1.1\r\nHost: " + a.host + "\r\nAuthorization: Bearer " +
				Token + "\r\n\r\n")
		}
		_, _ = a.Read(make([]byte, 1))
		return nil
	}},
	{"paths that escape", (*attacker).paths},
	{"a long line of requests", (*attacker).pipeline},
	{"another host", func(a *attacker) error {
		a.send("GET /health HTTP/1.1\r\n" + a.one("Host: evil.test", "Host: 127.0.0.1.evil.test", "Host: evil.test@127.0.0.1",
			"Host:", "X: y", "Host: "+a.host+"\r\nOrigin: https://evil.test", "Host: "+a.host+"\r\nOrigin: null",
			"Host: 127.0.0.1\r\nHost: evil.test", "Host: 10.1.2.3") + "\r\n\r\n")
		return a.refused()
	}},
	{"a request of another host in the line", func(a *attacker) error {
		a.send("GET " + a.one("http://evil.test/health", "//evil.test/health") + " HTTP/1.1\r\nHost: " + a.host + "\r\n\r\n")
		return a.refused()
	}},
	{"bodies that break readers", (*attacker).bodies},
	{"calls of broken bytes", (*attacker).mutated},
	{"questions without an end", (*attacker).ask},
	{"records without an end", (*attacker).fill},
}

func (a *attacker) one(list ...string) string { return list[a.r.IntN(len(list))] }

func (a *attacker) bytes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(a.r.Uint32())
	}
	return string(b)
}

func (a *attacker) send(text string) { _, _ = io.WriteString(a, text) }

// slowly sends the beginning, and then single pieces until it is cut.
func (a *attacker) slowly(head, piece string) {
	a.send(head)
	for range 200 {
		if _, err := io.WriteString(a, piece); err != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// post is the head of a request with a body.
func (a *attacker) post(path, length string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: " + a.host + "\r\nAuthorization: Bearer " + Token +
		"\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n"
}

// answer reads an answer; nil where the connection ended without one.
func (a *attacker) answer(r *bufio.Reader) (*http.Response, []byte) {
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		return nil, nil
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<20))
	if err != nil {
		return nil, nil
	}
	return res, body
}

// refused wants the next answer, if any comes, to be a refusal of the client's making.
func (a *attacker) refused() error {
	res, body := a.answer(bufio.NewReader(a))
	if res != nil && (res.StatusCode < 400 || res.StatusCode >= 500 && res.StatusCode != 501 && res.StatusCode != 505 &&
		res.StatusCode != 503) {
		return fmt.Errorf("status %d: %.200q", res.StatusCode, body)
	}
	return nil
}

func (a *attacker) lines() error {
	a.send(a.one("GET", "get", "", "G\x00T", strings.Repeat("A", 9000), "POST", "DELETE", "\xff") + a.one(" ", "  ", "\t", "") +
		a.one("/\x00", "*", "%", "/%zz", "/"+strings.Repeat("a", 100_000), "\\..\\..", "?") +
		a.one(" HTTP/1.1", " HTTP/9.9", " HTTP/1.1 x", " http/1.1", "") + a.one("\r\n", "\n", "\r") + "Host: " + a.host + "\r\n\r\n")
	return a.refused()
}

func (a *attacker) chunks() error {
	a.send(a.post("/api/v1/account/applications/token", "Transfer-Encoding: chunked"+a.one("", "\r\nContent-Length: 4",
		"\r\nTransfer-Encoding: identity")))
	a.send(a.one("-1\r\n", "ffffffffffffffffff\r\n", "zz\r\n", "5\r\nab", "0\r\nX: y\r\nHost: evil.test\r\n\r\n", "1;"+
		strings.Repeat("e", 1<<20)+"\r\n", "0x5\r\nabcde\r\n0\r\n\r\n", "\r\n\r\n", "5\nabcde\n0\n\n", strings.Repeat("1\r\na\r\n", 10_000)))
	return a.refused()
}

func (a *attacker) paths() error {
	path := a.one("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/....//....//etc/passwd",
		"/api/v1/../../etc/passwd", "/api/v1/workspaces/..%2f..", "/api/v1/workspaces/%00", "/api/v1/integrations/connectors/"+
			strings.Repeat("../", 1000), "/api/v1/organizations/%2e%2e/credentials", "/C:%5cWindows%5cwin.ini", "/CON",
		"/api/v1/workspaces/"+strings.Repeat("%41", 10_000), "/api/v1/workspaces/%1b]0;x%07")
	a.send("GET " + path + " HTTP/1.1\r\nHost: " + a.host + "\r\nAuthorization: Bearer " + Token + "\r\n\r\n")
	res, body := a.answer(bufio.NewReader(a))
	if res != nil && (res.StatusCode < 300 || res.StatusCode >= 500 || bytes.Contains(body, []byte("root:")) ||
		bytes.ContainsAny(body, "\x00\x1b\x07")) {
		return fmt.Errorf("%.100s: status %d: %.200q", path, res.StatusCode, body)
	}
	return nil
}

// pipeline sends many requests at once: each gets its own answer, in order.
func (a *attacker) pipeline() error {
	const n = 200
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "GET /%s HTTP/1.1\r\nHost: %s\r\n\r\n", []string{"health", "nothing"}[i%2], a.host)
	}
	go a.send(b.String())
	r := bufio.NewReader(a)
	for i := range n {
		res, _ := a.answer(r)
		if res == nil || res.StatusCode == http.StatusServiceUnavailable {
			return nil // cut, as whoever sends too much may be
		}
		if want := []int{200, 404}[i%2]; res.StatusCode != want {
			return fmt.Errorf("request %d got status %d", i, res.StatusCode)
		}
	}
	return nil
}

func (a *attacker) bodies() error {
	const path = "/api/v1/account/applications/token"
	body := a.one(strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), `{"client_id":1e999999999999,"client_secret":""}`,
		`{"client_id":`+strings.Repeat("9", 1<<20)+`}`, `{"a":"`+strings.Repeat("\\u0000", 1<<17)+`"}`,
		`{`+strings.Repeat(`"a":{},`, 1<<18)+`"b":1}`, a.members(100_000), strings.Repeat("[", 9000)+strings.Repeat("0,", 1<<20)+"0"+
			strings.Repeat("]", 9000), `{"x":[`+strings.Repeat(`{},`, 1<<19)+`{}]}`, "\xff\xfe{\x00", "\xef\xbb\xbf{}",
		`{"client_id":"`+strings.Repeat("x", 17<<20)+`"}`)
	coding := a.one("", "", "\r\nContent-Encoding: gzip", "\r\nExpect: 100-continue", "\r\nUpgrade: websocket\r\nConnection: upgrade")
	a.send(a.post(path, fmt.Sprintf("Content-Length: %d%s", len(body), coding)))
	a.send(body)
	if strings.Contains(coding, "Expect") {
		return nil
	}
	return a.refused()
}

// members is an object of many names.
func (a *attacker) members(n int) string {
	b := []byte("{")
	for i := range n {
		b = fmt.Appendf(b, `"a%d":0,`, i)
	}
	return string(append(b, `"":0}`...))
}

// callOf sends a call.
func (a *attacker) callOf(body string) {
	a.send(a.post(a.target, fmt.Sprintf("Content-Length: %d", len(body))) + body)
}

// mutated sends calls with bytes that are other ones.
func (a *attacker) mutated() error {
	r := bufio.NewReader(a)
	for range 20 {
		body := []byte(a.one(
			`{"entity":"customers","action":"list","params":{"limit":3,"starting_after":"x"}}`,
			`{"entity":"customers","action":"context_store_search","params":{"query":{"filter":{"and":[{"eq":{"email":"a"}},`+
				`{"like":{"name":"%a%"}},{"not":{"in":{"id":["1"]}}}]},"sort":[{"created":"asc"}]},"limit":2}}`,
			`{"entity":"customers","action":"api_search","params":{"query":"email:\"a\" AND -name~\"b\""}}`))
		for range a.r.IntN(4) {
			body[a.r.IntN(len(body))] = byte(a.r.Uint32())
		}
		a.callOf(string(body))
		if res, text := a.answer(r); res != nil && res.StatusCode == 500 {
			return fmt.Errorf("%q broke the service: %.200q", body, text)
		}
	}
	return nil
}

// ask opens pages that wait for a person, and decides on what nobody asked.
func (a *attacker) ask() error {
	long := strings.Repeat("x", 30_000)
	for range 20 {
		a.send("GET /authorize?response_type=code&client_id=" + long + "&code_challenge_method=S256&code_challenge=" +
			strings.Repeat("A", 43) + "&redirect_uri=" + a.one("http://127.0.0.1/%0d%0aX:y", "http://evil.test/", "javascript:alert(1)",
			"http://127.0.0.1@evil.test/", "http://localhost/"+long) + "&state=%3Cscript%3E HTTP/1.1\r\nHost: " + a.host + "\r\n\r\n")
	}
	r := bufio.NewReader(a)
	for range 20 {
		res, body := a.answer(r)
		if res == nil {
			break
		}
		if to := res.Header.Get("Location"); strings.Contains(to, "evil") || res.Header.Get("X") != "" ||
			bytes.Contains(body, []byte("<script>")) {
			return fmt.Errorf("%q %.200q", to, body)
		}
	}
	form := a.one("ticket=x&decision=agree", "ticket=%zz", strings.Repeat("a=b&", 1<<18), "ticket="+strings.Repeat("x", 2<<20))
	a.send(strings.Replace(a.post("/decide", fmt.Sprintf("Content-Length: %d", len(form))), "/json", "/x-www-form-urlencoded", 1) + form)
	return a.refused()
}

// fill writes as much as it is let.
func (a *attacker) fill() error {
	a.callOf(`{"entity":"customers","action":"create","params":{"email":"a@b.test","name":"` + strings.Repeat("x", 1<<19) + `"}}`)
	if res, text := a.answer(bufio.NewReader(a)); res != nil && res.StatusCode == 500 {
		return fmt.Errorf("%.200q", text)
	}
	return nil
}

// watched is a log that must stay free of panics.
type watched struct {
	mu  sync.Mutex
	bad bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes.Contains(p, []byte("panic")) {
		w.bad.Write(p)
	}
	return len(p), nil
}

// served starts a listener whose patience is short enough for a test.
func served(t *testing.T, w *watched) string {
	l, err := listen.On("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Catalog: catalog.New(), Records: 20}).Server(l.Addr().String())
	s.ErrorLog = log.New(w, "", 0)
	s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout, s.IdleTimeout = time.Second/4, time.Second, time.Second, time.Second/4
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { s.Close() })
	return l.Addr().String()
}

// Whatever is sent to the listener, nothing but a refusal comes back, nothing of it stays,
// and the next honest client is answered.
func TestAttacksOnTheListener(t *testing.T) {
	w, at := &watched{}, *attackAt
	if at == "" {
		at = served(t, w)
	}
	target := "/api/v1/integrations/connectors/" + connectorAt(t, at) + "/execute"
	before := runtime.NumGoroutine()
	var done sync.WaitGroup
	var tried atomic.Int64
	end := time.Now().Add(*attackFor)
	for i := range 16 {
		done.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), uint64(end.UnixNano())))
			for time.Now().Before(end) && !t.Failed() {
				attackOnce(t, at, target, r)
				tried.Add(1)
			}
		})
	}
	for time.Now().Before(end) && !t.Failed() {
		honest(t, at)
		time.Sleep(50 * time.Millisecond)
	}
	done.Wait()
	honest(t, at)
	if w.bad.Len() > 0 {
		t.Errorf("the service panicked: %.2000s", w.bad.String())
	}
	http.DefaultClient.CloseIdleConnections()
	for wait := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(wait); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left, %d there were", n, before)
	}
	t.Logf("%d attacks", tried.Load())
}

// connectorAt finds a connector of the service.
func connectorAt(t *testing.T, at string) string {
	r, _ := http.NewRequest("GET", "http://"+at+"/api/v1/integrations/connectors?workspace_name=demo", nil)
	r.Header.Set("Authorization", "Bearer "+Token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parse(t, raw).Value("data").([]any) {
		if o := c.(*rawjson.Map); o.Text("name") == "payments" {
			return o.Text("id")
		}
	}
	t.Fatalf("no connector in %.300s", raw)
	return ""
}

func attackOnce(t *testing.T, at, target string, r *rand.Rand) {
	c, err := net.Dial("tcp", at)
	if err != nil {
		return // the system lets no more connections in
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	attack := attacks[r.IntN(len(attacks))]
	if err := attack.do(&attacker{c, r, at, target}); err != nil {
		t.Errorf("%s: %v", attack.name, err)
	}
}

// honest wants an answer. A machine that is busy may be slower than the listener's short
// patience of these tests, so it asks again.
func honest(t *testing.T, at string) {
	var res *http.Response
	var err error
	began := time.Now()
	for range 3 {
		began = time.Now()
		if res, err = http.Get("http://" + at + "/health"); err == nil {
			break
		}
	}
	if err != nil {
		t.Errorf("after %s: %v", time.Since(began), err)
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	if res.StatusCode != http.StatusOK || time.Since(began) > 10*time.Second {
		t.Errorf("status %d after %s", res.StatusCode, time.Since(began))
	}
}
