package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/local"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// fault is an answer to each request, byte by byte, and what is told of it.
type fault struct {
	name   string
	answer string
	// class is that of a read and layer who failed, where that is another one than the
	// server that was asked; unknown is set where a write may have been carried out.
	class   client.Class
	layer   client.Layer
	unknown bool
	// done is set where a third party's answer to a write is taken for one.
	done bool
}

// head is an answer of status 200 with that body.
func head(more, body string) string {
	return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n" + more + "\r\n" + body
}

// sized is head with the length of its body.
func sized(body string) string { return head(fmt.Sprintf("Content-Length: %d\r\n", len(body)), body) }

// status is an answer of that status.
func status(code int, more, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", code,
		http.StatusText(code), len(body), more, body)
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

const (
	said  = `{"message":"because"}`
	page  = "<html><head><title>Sign in</title></head></html>"
	after = "Retry-After: "
)

// faults are those of servers and of what stands before them.
func faults() []fault {
	const proxy = client.LayerProxy
	broken := packed(`{"data":[{"id":"a"}],"meta":{"has_more":false}}`)
	list := []fault{
		{name: "null", answer: sized("null"), class: client.ClassBadResponse, unknown: true},
		{name: "a number", answer: sized("5"), class: client.ClassBadResponse, unknown: true},
		{name: "true", answer: sized("true"), class: client.ClassBadResponse, unknown: true},
		{name: "a text", answer: sized(`"hello"`), class: client.ClassBadResponse, unknown: true},
		{name: "nothing", answer: sized(""), class: client.ClassBadResponse, unknown: true, done: true},
		{name: "blanks", answer: sized(" \n "), class: client.ClassBadResponse, unknown: true, done: true},
		{name: "half an object", answer: sized(`{"data":[`), class: client.ClassBadResponse, unknown: true},
		{name: "two values", answer: sized(`{"data":[]} {"data":[]}`), class: client.ClassBadResponse, unknown: true},
		{name: "no JSON", answer: sized("hello"), class: client.ClassBadResponse, unknown: true},
		{name: "a list of numbers", answer: sized("[1,2]"), class: client.ClassBadResponse, unknown: true, done: true},
		{name: "bytes", answer: sized("\x00\x01\x02\xff"), class: client.ClassBadResponse, unknown: true},
		{name: "an error", answer: sized(`{"status":"error","message":"it broke"}`), class: client.ClassUpstream, layer: client.LayerThirdParty, unknown: true},
		{name: "only an error", answer: sized(`{"error":{"message":"it broke"}}`), class: client.ClassUpstream, layer: client.LayerThirdParty, unknown: true},
		{name: "another server's object", answer: sized(`{"hello":"world"}`), class: client.ClassBadResponse, unknown: true, done: true},
		{name: "a page", answer: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page, class: client.ClassBadResponse, layer: proxy, unknown: true},
		{name: "a page called JSON", answer: sized(page), class: client.ClassBadResponse, layer: proxy, unknown: true},
		{name: "plain text", answer: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nok", class: client.ClassBadResponse, unknown: true},
		{name: "a cut body", answer: head("Content-Length: 100\r\n", `{"data":[`), class: client.ClassNetwork, layer: client.LayerNetwork, unknown: true},
		{name: "no body", answer: head("Content-Length: 100\r\n", ""), class: client.ClassNetwork, layer: client.LayerNetwork, unknown: true},
		{name: "no answer", answer: "", class: client.ClassNetwork, layer: client.LayerNetwork, unknown: true},
		{name: "half a head", answer: "HTTP/1.1 200 OK\r\nContent-", class: client.ClassBadResponse, unknown: true},
		{name: "cut chunks", answer: head("Transfer-Encoding: chunked\r\n", "20\r\n{\"data\""), class: client.ClassBadResponse, unknown: true},
		{name: "chunks without end", answer: head("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n"), class: client.ClassBadResponse, unknown: true},
		{name: "no chunks", answer: head("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"), class: client.ClassBadResponse, unknown: true},
		{name: "no gzip", answer: head("Content-Encoding: gzip\r\n", `{"data":[]}`), class: client.ClassBadResponse, unknown: true},
		{name: "cut gzip", answer: head("Content-Encoding: gzip\r\n", broken[:len(broken)/2]), class: client.ClassBadResponse, unknown: true},
		{name: "gzip of a wrong sum", answer: head("Content-Encoding: gzip\r\n", broken[:len(broken)-8]+"12345678"), class: client.ClassBadResponse, unknown: true},
		{name: "no deflate", answer: head("Content-Encoding: deflate\r\n", "hello"), class: client.ClassBadResponse, unknown: true},
		{name: "brotli", answer: head("Content-Encoding: br\r\n", "hello"), class: client.ClassBadResponse, unknown: true},
		{name: "no status line", answer: "hello\r\n\r\n", class: client.ClassBadResponse, unknown: true},
		{name: "a status of words", answer: "HTTP/1.1 fine\r\n\r\n", class: client.ClassBadResponse, unknown: true},
		{name: "status 20", answer: "HTTP/1.1 20 OK\r\n\r\n", class: client.ClassBadResponse, unknown: true},
		{name: "another protocol", answer: "SSH-2.0-OpenSSH_9.6\r\n", class: client.ClassBadResponse, unknown: true},
		{name: "a broken header", answer: "HTTP/1.1 200 OK\r\nhello\r\n\r\n{}", class: client.ClassBadResponse, unknown: true},
		{name: "a length of words", answer: head("Content-Length: many\r\n", "{}"), class: client.ClassBadResponse, unknown: true},
		{name: "two lengths", answer: head("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), class: client.ClassBadResponse, unknown: true},
		{name: "another encoding of transfer", answer: head("Transfer-Encoding: rot13\r\n", "{}"), class: client.ClassBadResponse, unknown: true},
		{name: "another host", answer: "HTTP/1.1 302 Found\r\nLocation: https://far.example/x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", class: client.ClassConfig, layer: proxy, unknown: true},
		{name: "another host, kept", answer: "HTTP/1.1 307 Temporary Redirect\r\nLocation: https://far.example/x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", class: client.ClassConfig, layer: proxy, unknown: true},
		{name: "no place", answer: "HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", class: client.ClassBadResponse},
		{name: "in circles", answer: "HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", class: client.ClassBadResponse, unknown: true},
	}
	for code, class := range map[int]client.Class{400: client.ClassInvalid, 401: client.ClassAuth, 402: client.ClassScope, 403: client.ClassScope,
		404: client.ClassNotFound, 405: client.ClassRefused, 406: client.ClassRefused, 408: client.ClassTimeout, 409: client.ClassRefused, 410: client.ClassNotFound,
		413: client.ClassInvalid, 415: client.ClassInvalid, 418: client.ClassInvalid, 422: client.ClassInvalid, 423: client.ClassRefused, 429: client.ClassRateLimited,
		451: client.ClassScope, 500: client.ClassUpstream, 501: client.ClassRefused, 502: client.ClassUpstream, 503: client.ClassUpstream, 504: client.ClassUpstream,
		507: client.ClassUpstream, 520: client.ClassUpstream, 599: client.ClassUpstream} {
		unknown := code == 408 || code >= 500 && code != 501
		list = append(list, fault{name: fmt.Sprint(code), answer: status(code, "", said), class: class, unknown: unknown},
			fault{name: fmt.Sprintf("%d without a word", code), answer: status(code, "", ""), class: class, unknown: unknown})
	}
	for _, wait := range []string{"1", "3600", "soon", "-1", "Wed, 21 Oct 2065 07:28:00 GMT"} {
		list = append(list, fault{name: "429 after " + wait, answer: status(429, after+wait+"\r\n", said), class: client.ClassRateLimited},
			fault{name: "503 after " + wait, answer: status(503, after+wait+"\r\n", said), class: client.ClassUpstream, unknown: true})
	}
	return append(list,
		fault{name: "403 as a page", answer: strings.Replace(status(403, "", page), "application/json", "text/html", 1), class: client.ClassScope, layer: proxy},
		fault{name: "502 as a page", answer: strings.Replace(status(502, "", page), "application/json", "text/html", 1), class: client.ClassUpstream, layer: proxy, unknown: true})
}

// sends answers every request with the same bytes, and hangs up.
func sends(t *testing.T, answer string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			go func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
					_, _ = io.WriteString(conn, answer)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// TestFaultsAreTold: whatever a server does, the error says who failed, what became of
// a change and what to do next, in words of ours; a change is asked for once.
func TestFaultsAreTold(t *testing.T) {
	known := catalog.New()
	list := faults()
	if len(list) < 60 {
		t.Fatalf("only %d faults", len(list))
	}
	for _, f := range list {
		t.Run(f.name, func(t *testing.T) {
			url := sends(t, f.answer)
			wire := transport.New(transport.Options{Insecure: true, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
			service := hosted.New(hosted.Config{BaseURL: url, Token: secret.New("tok"), OrganizationID: "org", Catalog: known, Transport: wire})
			third := local.New(local.Config{Catalog: known, Transport: wire,
				Credentials: func(string, string, string) (secret.Secret, string, bool, error) {
					return secret.New("key"), "test", true, nil
				}})
			for name, one := range map[string]struct {
				x     client.Executor
				t     client.Target
				layer client.Layer
			}{
				"hosted": {service, client.Target{Kind: "payments", ConnectorID: "c-1", Name: "payments"}, client.LayerHosted},
				"local":  {third, client.Target{Kind: "payments", Name: "payments", Local: true, BaseURL: url}, client.LayerThirdParty},
			} {
				read := client.Operation{Entity: "customers", Action: "list"}
				write := client.Operation{Entity: "customers", Action: "update", Params: []byte(`{"id":"cus_1"}`)}
				_, err := one.x.Execute(t.Context(), one.t, read)
				f.told(t, name+" read", err, one.layer)
				if _, err = one.x.Execute(t.Context(), one.t, write); err == nil && f.done && one.t.Local {
					continue
				}
				f.toldOfWrite(t, name+" write", err)
			}
		})
	}
}

// theirs are words of Go's packages, not ours.
var theirs = []string{"EOF", "malformed HTTP", "net/http", "gzip: ", "flate: ", "invalid character", "unexpected end", "json: ", "dial tcp",
	"context ", "http2", "%!", "readLoop", "transport connection", "strconv", "<nil>"}

func (f fault) told(t *testing.T, what string, err error, layer client.Layer) {
	t.Helper()
	e := client.AsError(err)
	if e == nil {
		t.Errorf("%s: nothing is wrong", what)
		return
	}
	if f.layer != "" {
		layer = f.layer
	}
	if e.Class != f.class || e.Layer != layer || e.Message == "" || e.Next == "" || e.Fate != "" {
		t.Errorf("%s: %s, %s, fate %q: %v (%s), want %s, %s", what, e.Class, e.Layer, e.Fate, e, e.Next, f.class, layer)
	}
	for _, word := range theirs {
		if strings.Contains(e.Message+e.Next, word) {
			t.Errorf("%s says %q: %v (%s)", what, word, e, e.Next)
		}
	}
	if strings.Contains(e.Next, "Wait a moment") && e.RetryAfter > time.Minute {
		t.Errorf("%s: %s, after %s", what, e.Next, e.RetryAfter)
	}
}

func (f fault) toldOfWrite(t *testing.T, what string, err error) {
	t.Helper()
	e := client.AsError(err)
	if e == nil {
		t.Errorf("%s: it is taken for done", what)
		return
	}
	unknown := e.Fate == client.FateUnknown
	if unknown != f.unknown || unknown != strings.Contains(e.Message, "it is not known whether the change was made") ||
		unknown != strings.Contains(e.Next, "Look before you repeat it: ") || unknown && e.Retryable() || e.Next == "" {
		t.Errorf("%s: fate %q, retryable %v: %v (%s)", what, e.Fate, e.Retryable(), e, e.Next)
	}
	for _, word := range append([]string{"Run it again", "Try again"}, theirs...) {
		if unknown && strings.Contains(e.Message+e.Advice(), word) {
			t.Errorf("%s says %q: %v (%s)", what, word, e, e.Advice())
		}
	}
	if len(e.Attempts) > 1 && !strings.Contains(f.name, "circles") {
		t.Errorf("%s: it was sent %d times", what, len(e.Attempts))
	}
}
