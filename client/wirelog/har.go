// Package wirelog writes what happened on the wire for other tools and people:
// HAR 1.2 and text as curl -v prints it. Attempts come redacted; they are
// redacted once more here, because what is written is passed on.
package wirelog

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/secret"
)

// Options say who writes and what else is known.
type Options struct {
	// Version of the program.
	Version string
	// Redactor knows the secrets; nil redacts by name only.
	Redactor *secret.Redactor
	// MaxBody bounds each body; 0 is 1 MiB.
	MaxBody int
}

// Call is one call: what happened on the wire, and what it brought.
type Call struct {
	Attempts []client.Attempt
	// Envelope is the answer that the last successful attempt brought; with it its
	// body is written too. nil leaves the body out.
	Envelope *client.Envelope
}

func (o Options) redactor() *secret.Redactor {
	if o.Redactor == nil {
		return &secret.Redactor{}
	}
	return o.Redactor
}

// The members of a HAR 1.2 log (http://www.softwareishard.com/blog/har-12-spec/).
type (
	harFile struct {
		Log harLog `json:"log"`
	}
	harLog struct {
		Version string     `json:"version"`
		Creator harCreator `json:"creator"`
		Entries []harEntry `json:"entries"`
		Comment string     `json:"comment,omitempty"`
	}
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		ServerIP string      `json:"serverIPAddress,omitempty"`
		Comment  string      `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		Version     string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Query       []harPair `json:"queryString"`
		PostData    *harPost  `json:"postData,omitempty"`
		HeadersSize int64     `json:"headersSize"`
		BodySize    int64     `json:"bodySize"`
	}
	harPost struct {
		MimeType string    `json:"mimeType"`
		Params   []harPair `json:"params"`
		Text     string    `json:"text"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		Version     string     `json:"httpVersion"`
		Cookies     []harPair  `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		Redirect    string     `json:"redirectURL"`
		HeadersSize int64      `json:"headersSize"`
		BodySize    int64      `json:"bodySize"`
		Error       string     `json:"_error,omitempty"`
	}
	harContent struct {
		Size        int64  `json:"size"`
		Compression int64  `json:"compression,omitempty"`
		MimeType    string `json:"mimeType"`
		Text        string `json:"text,omitempty"`
		Comment     string `json:"comment,omitempty"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	// Times are in milliseconds; -1 where a phase did not happen.
	harTimings struct {
		Blocked float64 `json:"blocked"`
		DNS     float64 `json:"dns"`
		Connect float64 `json:"connect"`
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
		SSL     float64 `json:"ssl"`
		// Server is what the server says it needed of the wait.
		Server float64 `json:"_server,omitempty"`
	}
)

// HAR writes calls as an HTTP archive (HAR 1.2).
func HAR(w io.Writer, calls []Call, o Options) error {
	file := harFile{Log: harLog{Version: "1.2", Creator: harCreator{"patchbay", orElse(o.Version, "unknown")}, Entries: []harEntry{},
		Comment: "Secrets are replaced by " + secret.Mark + "."}}
	for _, c := range calls {
		for i := range c.Attempts {
			file.Log.Entries = append(file.Log.Entries, entryOf(clean(&c.Attempts[i], o), c.body(i, o)))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(file)
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// clean is an attempt as it may be shown.
func clean(a *client.Attempt, o Options) *client.Attempt {
	r, out := o.redactor(), *a
	out.URL = r.URL(a.URL)
	out.RequestHeaders, out.ResponseHeaders = headers(r, a.RequestHeaders), headers(r, a.ResponseHeaders)
	out.RequestBody = r.Body(header(a.RequestHeaders, "Content-Type"), a.RequestBody)
	out.Error, out.Reason = r.Text(a.Error), r.Text(a.Reason)
	return &out
}

func headers(r *secret.Redactor, list []client.Header) []client.Header {
	out := make([]client.Header, len(list))
	for i, h := range list {
		value := r.Header(h.Name, h.Value)
		if strings.EqualFold(h.Name, "Location") {
			value = r.URL(value)
		}
		out[i] = client.Header{Name: h.Name, Value: value}
	}
	return out
}

func header(list []client.Header, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// body is what attempt i brought, where it is known: that of the last attempt
// that got an answer.
func (c *Call) body(i int, o Options) []byte {
	if c.Envelope == nil || c.Envelope.Body == nil {
		return nil
	}
	last := -1
	for k := range c.Attempts {
		if p := c.Attempts[k].Purpose; c.Attempts[k].Status != 0 && (p == "call" || p == "") {
			last = k
		}
	}
	if i != last {
		return nil
	}
	most := o.MaxBody
	if most <= 0 {
		most = 1 << 20
	}
	return o.redactor().Body(c.Envelope.ContentType, c.Envelope.Body.Slice(0, min(c.Envelope.Body.Len(), most)))
}

func entryOf(a *client.Attempt, body []byte) harEntry {
	e := harEntry{
		Started: a.Started.UTC().Format("2006-01-02T15:04:05.000Z07:00"), ServerIP: host(a.Remote), Comment: comment(a),
		Request: requestOf(a), Response: responseOf(a, body), Timings: timingsOf(a),
	}
	for _, t := range [...]float64{e.Timings.Blocked, e.Timings.DNS, e.Timings.Connect, e.Timings.Send, e.Timings.Wait, e.Timings.Receive} {
		e.Time += max(t, 0)
	}
	return e
}

func requestOf(a *client.Attempt) harRequest {
	r := harRequest{Method: a.Method, URL: a.URL, Version: orElse(a.Proto, "HTTP/1.1"), Cookies: []harPair{}, Headers: pairs(a.RequestHeaders),
		Query: query(a.URL), HeadersSize: -1, BodySize: a.RequestBytes}
	if len(a.RequestBody) > 0 {
		r.PostData = &harPost{MimeType: header(a.RequestHeaders, "Content-Type"), Params: []harPair{}, Text: text(a.RequestBody)}
	}
	return r
}

func responseOf(a *client.Attempt, body []byte) harResponse {
	wire := a.WireBytes
	if wire == 0 {
		wire = a.ResponseBytes
	}
	r := harResponse{Status: a.Status, StatusText: http.StatusText(a.Status), Version: orElse(a.Proto, "HTTP/1.1"), Cookies: []harPair{},
		Headers: pairs(a.ResponseHeaders), Redirect: header(a.ResponseHeaders, "Location"), HeadersSize: -1, BodySize: wire, Error: a.Error,
		Content: harContent{Size: a.ResponseBytes, MimeType: orElse(header(a.ResponseHeaders, "Content-Type"), "x-unknown"), Text: text(body)}}
	if wire < a.ResponseBytes {
		r.Content.Compression = a.ResponseBytes - wire
	}
	if int64(len(body)) < a.ResponseBytes {
		r.Content.Comment = "the body is left out"
		if len(body) > 0 {
			r.Content.Comment = "the start of the body"
		}
	}
	if a.Status == 0 {
		r.BodySize = -1
	}
	return r
}

// timingsOf splits the time that no phase accounts for off as "blocked". In
// HAR, connect includes ssl.
func timingsOf(a *client.Attempt) harTimings {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	phase := func(d time.Duration) float64 {
		if a.Reused || d <= 0 {
			return -1
		}
		return ms(d)
	}
	t := harTimings{Blocked: -1, DNS: phase(a.DNS), Connect: phase(a.Connect + a.TLS), SSL: phase(a.TLS), Wait: ms(a.FirstByte), Receive: ms(a.BodyTime), Server: ms(a.Server)}
	rest := ms(a.Total) - t.Wait - t.Receive - max(t.DNS, 0) - max(t.Connect, 0)
	if rest > 0 {
		t.Blocked = float64(int64(rest*1000)) / 1000
	}
	return t
}

func comment(a *client.Attempt) string {
	var out []string
	if a.Purpose != "" && a.Purpose != "call" {
		out = append(out, a.Purpose)
	}
	if a.Error != "" {
		out = append(out, a.Error)
	}
	if a.Reason != "" {
		out = append(out, a.Reason)
	}
	return strings.Join(out, "; ")
}

func pairs(list []client.Header) []harPair {
	out := make([]harPair, len(list))
	for i, h := range list {
		out[i] = harPair{text([]byte(h.Name)), text([]byte(h.Value))}
	}
	return out
}

// query lists the parameters of an address in their order.
func query(address string) []harPair {
	out := []harPair{}
	u, err := url.Parse(address)
	if err != nil || u.RawQuery == "" {
		return out
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		n, errName := url.QueryUnescape(name)
		v, errValue := url.QueryUnescape(value)
		if errName != nil || errValue != nil {
			n, v = name, value
		}
		out = append(out, harPair{text([]byte(n)), text([]byte(v))})
	}
	return out
}

// host is an address without its port.
func host(remote string) string {
	if i := strings.LastIndexByte(remote, ':'); i > 0 {
		return strings.Trim(remote[:i], "[]")
	}
	return remote
}

func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
