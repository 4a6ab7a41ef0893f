// Package wirelog writes what happened on the wire for other tools and people:
// HAR 1.2 and text as curl -v prints it. Attempts come redacted; they are
// redacted once more here, because what is written is passed on.
//
// It may import client and secret; it records what transport made and sends nothing.
package wirelog

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

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

// The members of a HAR 1.2 log (http://www.softwareishard.com/blog/har-12-spec/).
type (
	harFile struct {
		Log struct {
			Version string            `json:"version"`
			Creator map[string]string `json:"creator"`
			Entries []harEntry        `json:"entries"`
			Comment string            `json:"comment,omitempty"`
		} `json:"log"`
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
		Method      string          `json:"method"`
		URL         string          `json:"url"`
		Version     string          `json:"httpVersion"`
		Cookies     []client.Header `json:"cookies"`
		Headers     []client.Header `json:"headers"`
		Query       []client.Header `json:"queryString"`
		PostData    *harPost        `json:"postData,omitempty"`
		HeadersSize int64           `json:"headersSize"`
		BodySize    int64           `json:"bodySize"`
	}
	harPost struct {
		MimeType string          `json:"mimeType"`
		Params   []client.Header `json:"params"`
		Text     string          `json:"text"`
	}
	harResponse struct {
		Status      int             `json:"status"`
		StatusText  string          `json:"statusText"`
		Version     string          `json:"httpVersion"`
		Cookies     []client.Header `json:"cookies"`
		Headers     []client.Header `json:"headers"`
		Content     harContent      `json:"content"`
		Redirect    string          `json:"redirectURL"`
		HeadersSize int64           `json:"headersSize"`
		BodySize    int64           `json:"bodySize"`
		Error       string          `json:"_error,omitempty"`
	}
	harContent struct {
		Size        int64  `json:"size"`
		Compression int64  `json:"compression,omitempty"`
		MimeType    string `json:"mimeType"`
		Text        string `json:"text,omitempty"`
		Comment     string `json:"comment,omitempty"`
	}
	// harTimings are in milliseconds; -1 where a phase did not happen.
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
	var file harFile
	log := &file.Log
	log.Version, log.Comment, log.Entries = "1.2", "Secrets are replaced by "+secret.Mark+".", []harEntry{}
	log.Creator = map[string]string{"name": "patchbay", "version": cmp.Or(o.Version, "unknown")}
	for _, c := range calls {
		for i := range c.Attempts {
			log.Entries = append(log.Entries, entryOf(Clean(&c.Attempts[i], o.Redactor), c.body(i, o)))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(file)
}

// Clean is an attempt as it may be shown.
func Clean(a *client.Attempt, r *secret.Redactor) *client.Attempt {
	out := *a
	out.URL = r.URL(a.URL)
	for _, list := range []*[]client.Header{&out.RequestHeaders, &out.ResponseHeaders} {
		headers := make([]client.Header, len(*list))
		for i, h := range *list {
			headers[i] = client.Header{Name: r.Text(h.Name), Value: r.Header(h.Name, h.Value)}
		}
		*list = headers
	}
	out.RequestBody = r.Body(header(a.RequestHeaders, "Content-Type"), a.RequestBody)
	out.Error, out.Reason = r.Text(a.Error), r.Text(a.Reason)
	return &out
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
		if c.Attempts[k].Status != 0 && purpose(&c.Attempts[k]) == "" {
			last = k
		}
	}
	if i != last {
		return nil
	}
	return CleanBody(c.Envelope, cmp.Or(max(o.MaxBody, 0), 1<<20), o.Redactor)
}

// beyond is how much of a body is read behind its start, so that a secret at the end
// of the start is whole.
const beyond = 64 << 10

// CleanBody is the start of the body of an answer as it may be shown: so many bytes
// at most.
func CleanBody(env *client.Envelope, most int, r *secret.Redactor) []byte {
	size := env.Body.Len()
	if size <= most {
		return r.Body(env.ContentType, env.Body.Slice(0, size))
	}
	whole := env.Body.Slice(0, min(size, most+beyond))
	clean := r.Body(env.ContentType, whole)
	return clean[:min(len(clean), most)]
}

// purpose is what an attempt was made for; empty for the call itself.
func purpose(a *client.Attempt) string {
	if a.Purpose == "call" {
		return ""
	}
	return a.Purpose
}

func entryOf(a *client.Attempt, body []byte) harEntry {
	notes := slices.DeleteFunc([]string{purpose(a), a.Error, a.Reason}, func(s string) bool { return s == "" })
	e := harEntry{Started: a.Started.UTC().Format("2006-01-02T15:04:05.000Z07:00"), ServerIP: a.Remote,
		Comment: strings.Join(notes, "; "), Response: responseOf(a, body), Timings: timingsOf(a),
		Request: harRequest{Method: a.Method, URL: a.URL, Version: cmp.Or(a.Proto, "HTTP/1.1"),
			Cookies: []client.Header{}, Headers: pairs(a.RequestHeaders), Query: query(a.URL), HeadersSize: -1,
			BodySize: a.RequestBytes}}
	if i := strings.LastIndexByte(a.Remote, ':'); i > 0 { // behind it stands the port
		e.ServerIP = strings.Trim(a.Remote[:i], "[]")
	}
	if len(a.RequestBody) > 0 {
		e.Request.PostData = &harPost{MimeType: header(a.RequestHeaders, "Content-Type"), Params: []client.Header{},
			Text: text(a.RequestBody)}
	}
	for _, t := range [...]float64{e.Timings.Blocked, e.Timings.DNS, e.Timings.Connect, e.Timings.Send,
		e.Timings.Wait, e.Timings.Receive} {
		e.Time += max(t, 0)
	}
	return e
}

func responseOf(a *client.Attempt, body []byte) harResponse {
	wire := cmp.Or(a.WireBytes, a.ResponseBytes)
	r := harResponse{Status: a.Status, StatusText: http.StatusText(a.Status), Version: cmp.Or(a.Proto, "HTTP/1.1"),
		Cookies: []client.Header{}, Headers: pairs(a.ResponseHeaders), Redirect: header(a.ResponseHeaders, "Location"),
		HeadersSize: -1, BodySize: wire, Error: a.Error, Content: harContent{Size: a.ResponseBytes, Text: text(body),
			MimeType: cmp.Or(header(a.ResponseHeaders, "Content-Type"), "x-unknown")}}
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
	t := harTimings{Blocked: -1, DNS: phase(a.DNS), Connect: phase(a.Connect + a.TLS), SSL: phase(a.TLS),
		Wait: ms(a.FirstByte), Receive: ms(a.BodyTime), Server: ms(a.Server)}
	rest := ms(a.Total) - t.Wait - t.Receive - max(t.DNS, 0) - max(t.Connect, 0)
	if rest > 0 {
		t.Blocked = float64(int64(rest*1000)) / 1000
	}
	return t
}

func pairs(list []client.Header) []client.Header {
	out := make([]client.Header, len(list))
	for i, h := range list {
		out[i] = client.Header{Name: text([]byte(h.Name)), Value: text([]byte(h.Value))}
	}
	return out
}

// query lists the parameters of an address in their order.
func query(address string) []client.Header {
	out := []client.Header{}
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
		out = append(out, client.Header{Name: text([]byte(n)), Value: text([]byte(v))})
	}
	return out
}

func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
