package wirelog

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
)

const hidden = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"

func attempts() []client.Attempt {
	at := time.Date(2024, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	return []client.Attempt{
		{N: 1, Started: at, Method: "POST", URL: "https://api.x.example:8443/v1/token?client_secret=" + hidden, Proto: "HTTP/2.0", Purpose: "token", Status: 200,
			RequestHeaders: []client.Header{{Name: "Authorization", Value: "Basic " + hidden}, {Name: "Content-Type", Value: "application/json"}},
			RequestBody:    []byte(`{"client_secret":"` + hidden + `"}`), RequestBytes: 52, ResponseBytes: 40,
			DNS: 2 * time.Millisecond, Connect: 3 * time.Millisecond, TLS: 5 * time.Millisecond, FirstByte: 10 * time.Millisecond, BodyTime: time.Millisecond, Total: 22 * time.Millisecond, Server: 7 * time.Millisecond, Remote: "[::1]:8443"},
		{N: 2, Started: at.Add(time.Second), Method: "GET", URL: "https://api.x.example/v1/list?a=1&b=%20x", Purpose: "call", Error: "connection reset " + hidden, Retry: true, Reason: "a read may be repeated", Wait: time.Second, Total: time.Second},
		{N: 3, Started: at.Add(2 * time.Second), Method: "GET", URL: "https://api.x.example/v1/list?a=1&b=%20x", Purpose: "call", Status: 200, Reused: true, Remote: "10.0.0.1:443",
			ResponseHeaders: []client.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "Set-Cookie", Value: "sid=" + hidden}, {Name: "X-Evil", Value: "a\x1b[2Jb\xff\u202e"}},
			ResponseBytes:   30, WireBytes: 20, FirstByte: 4 * time.Millisecond, BodyTime: time.Millisecond, Total: 6 * time.Millisecond},
	}
}

func options() Options {
	r := &secret.Redactor{}
	r.Add(secret.New(hidden))
	return Options{Version: "1.2", Redactor: r}
}

// calls are one call that got its answer at the third attempt.
func calls() []Call {
	return []Call{{attempts(), &client.Envelope{ContentType: "application/json", Body: client.Bytes(`{"id":1,"token_echo":"` + hidden + `"}`)}}}
}

func TestHAR(t *testing.T) {
	var b bytes.Buffer
	if err := HAR(&b, calls(), options()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), hidden) {
		t.Error("a secret is written")
	}
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	log := got["log"].(map[string]any)
	if log["version"] != "1.2" || log["creator"].(map[string]any)["version"] != "1.2" {
		t.Errorf("%v", log)
	}
	entries := log["entries"].([]any)
	if len(entries) != 3 {
		t.Fatalf("%d entries", len(entries))
	}
	for _, e := range entries {
		checkEntry(t, e.(map[string]any))
	}
	first, second, third := entries[0].(map[string]any), entries[1].(map[string]any), entries[2].(map[string]any)
	if took := first["timings"].(map[string]any)["_server"]; took != 7.0 {
		t.Errorf("the server's own time is %v", took)
	}
	if first["startedDateTime"] != "2024-01-02T03:04:05.678Z" || first["serverIPAddress"] != "::1" || first["comment"] != "token" {
		t.Errorf("%v", first)
	}
	timings := first["timings"].(map[string]any)
	for name, want := range map[string]float64{"dns": 2, "connect": 8, "ssl": 5, "send": 0, "wait": 10, "receive": 1, "blocked": 1} {
		if timings[name] != want {
			t.Errorf("%s is %v, want %v", name, timings[name], want)
		}
	}
	if response := second["response"].(map[string]any); response["status"] != 0.0 || response["bodySize"] != -1.0 || !strings.Contains(response["_error"].(string), "connection reset") {
		t.Errorf("%v", response)
	}
	if third["timings"].(map[string]any)["dns"] != -1.0 {
		t.Error("a connection that was there has a DNS time")
	}
	query := third["request"].(map[string]any)["queryString"].([]any)
	if len(query) != 2 || query[1].(map[string]any)["value"] != " x" {
		t.Errorf("%v", query)
	}
	content := third["response"].(map[string]any)["content"].(map[string]any)
	if content["size"] != 30.0 || content["compression"] != 10.0 || !strings.HasPrefix(content["text"].(string), `{"id":1`) {
		t.Errorf("%v", content)
	}
}

// checkEntry holds an entry against what HAR 1.2 requires of it.
func checkEntry(t *testing.T, e map[string]any) {
	t.Helper()
	need := func(o map[string]any, names ...string) {
		for _, n := range names {
			if _, ok := o[n]; !ok {
				t.Errorf("%s is missing", n)
			}
		}
	}
	need(e, "startedDateTime", "time", "request", "response", "cache", "timings")
	need(e["request"].(map[string]any), "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize")
	need(e["response"].(map[string]any), "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize")
	need(e["response"].(map[string]any)["content"].(map[string]any), "size", "mimeType")
	timings := e["timings"].(map[string]any)
	need(timings, "send", "wait", "receive")
	sum := 0.0
	for name, v := range timings {
		if v := v.(float64); v > 0 && name != "ssl" && name[0] != '_' {
			sum += v
		}
	}
	if diff := sum - e["time"].(float64); diff > 0.01 || diff < -0.01 {
		t.Errorf("time %v, the phases make %v", e["time"], sum)
	}
}

func TestEmptyHAR(t *testing.T) {
	var b bytes.Buffer
	if err := HAR(&b, nil, Options{}); err != nil || !strings.Contains(b.String(), `"entries": []`) {
		t.Errorf("%s %v", b.String(), err)
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, calls(), options()); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"* Attempt 1 (token) at 2024-01-02T03:04:05.678Z\n* Name resolved in 2ms\n* Connected to [::1]:8443 in 3ms\n* TLS handshake finished in 5ms\n> POST /v1/token?client_secret=",
		"> Host: api.x.example:8443\n", "> Authorization: Basic " + secret.Mark + "\n", ">\n{\"client_secret\":\"" + secret.Mark + "\"}\n",
		"* First byte after 10ms\n* The server says it needed 7ms\n< HTTP/2.0 200 OK\n", "* Failed after 1s: connection reset " + secret.Mark + "\n* Trying again in 1s: a read may be repeated\n",
		"* Re-using existing connection to 10.0.0.1:443\n", "< X-Evil: a␛[2Jb\uFFFD<U+202E>\n", "* Received 20 bytes, 30 after decompression\n", "{\"id\":1,",
		"* 40 bytes of body, not shown\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, hidden) || strings.ContainsAny(got, "\x1b\u202e") {
		t.Error("what must not be shown is")
	}
}

func TestSeveralCallsAreWritten(t *testing.T) {
	var har, text bytes.Buffer
	two := append(calls(), calls()...)
	if err := HAR(&har, two, options()); err != nil || strings.Count(har.String(), `"startedDateTime"`) != 6 || strings.Count(har.String(), `\"id\":1`) != 2 {
		t.Errorf("%v %s", err, har.String())
	}
	if err := Text(&text, two, options()); err != nil || strings.Count(text.String(), "\n\n* Attempt ") != 5 {
		t.Errorf("%v %s", err, text.String())
	}
}

func TestLongBodiesAreCut(t *testing.T) {
	o, list := options(), calls()
	list[0].Envelope.Body = client.Bytes(strings.Repeat("x", 5000))
	o.MaxBody = 100
	list[0].Attempts[2].ResponseBytes = 5000
	var b bytes.Buffer
	if err := Text(&b, list, o); err != nil || b.Len() > 4000 || !strings.Contains(b.String(), "the body has 5000 bytes; this is its start") {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
}

func FuzzWire(f *testing.F) {
	f.Add("https://x.example/a?b=c", "X-A", "v", []byte(`{"a":1}`), int64(5))
	f.Add("%zz?&=&&%", "\x00", "\x1b]0;t\x07", []byte("\xff\xfe"), int64(-9))
	f.Fuzz(func(t *testing.T, address, name, value string, body []byte, took int64) {
		list := []Call{{Attempts: []client.Attempt{{URL: address, RequestHeaders: []client.Header{{Name: name, Value: value}}, ResponseHeaders: []client.Header{{Name: name, Value: value}},
			RequestBody: body, Status: 200, Total: time.Duration(took), Error: value, Reason: name}}}}
		var har, text bytes.Buffer
		if err := HAR(&har, list, Options{}); err != nil || !json.Valid(har.Bytes()) {
			t.Errorf("%v %s", err, har.Bytes())
		}
		if err := Text(&text, list, Options{}); err != nil || bytes.ContainsAny(text.Bytes(), "\x00\x1b\x07\r") {
			t.Errorf("%v %q", err, text.Bytes())
		}
	})
}
