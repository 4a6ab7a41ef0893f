package wirelog

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"patchbay/client"
)

// Text writes calls the way curl -v tells of an exchange: lines with *
// about the connection, > sent, < received. Control characters are shown as
// visible symbols, so that the text is safe on any terminal.
func Text(w io.Writer, calls []Call, o Options) error {
	t := &telling{b: bufio.NewWriter(w)}
	for n, c := range calls {
		for i := range c.Attempts {
			if n+i > 0 {
				t.b.WriteByte('\n')
			}
			t.attempt(Clean(&c.Attempts[i], o.Redactor), c.body(i, o))
		}
	}
	return t.b.Flush()
}

type telling struct{ b *bufio.Writer }

func (t *telling) line(mark, format string, args ...any) {
	fmt.Fprintf(t.b, "%s %s\n", mark, visible(fmt.Sprintf(format, args...)))
}

func (t *telling) attempt(a *client.Attempt, body []byte) {
	why := purpose(a)
	if why != "" {
		why = " (" + why + ")"
	}
	t.line("*", "Attempt %d%s at %s", a.N, why, a.Started.UTC().Format("2006-01-02T15:04:05.000Z"))
	if a.Reused {
		t.line("*", "Re-using existing connection%s", to(a.Remote))
	} else {
		t.took("Name resolved in", a.DNS)
		t.took("Connected"+to(a.Remote)+" in", a.Connect)
		t.took("TLS handshake finished in", a.TLS)
	}
	t.request(a)
	t.response(a, body)
	t.after(a)
}

// took tells of a phase that took a time.
func (t *telling) took(phase string, d time.Duration) {
	if d > 0 {
		t.line("*", "%s %s", phase, short(d))
	}
}

func to(remote string) string {
	if remote == "" {
		return ""
	}
	return " to " + remote
}

func short(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }

func (t *telling) request(a *client.Attempt) {
	target, hostName := a.URL, ""
	if u, err := url.Parse(a.URL); err == nil && u.Host != "" {
		target, hostName = u.RequestURI(), u.Host
	}
	t.line(">", "%s %s %s", a.Method, target, cmp.Or(a.Proto, "HTTP/1.1"))
	if hostName != "" && header(a.RequestHeaders, "Host") == "" {
		t.line(">", "Host: %s", hostName)
	}
	for _, h := range a.RequestHeaders {
		t.line(">", "%s: %s", h.Name, h.Value)
	}
	t.b.WriteString(">\n")
	t.content(a.RequestBody, a.RequestBytes)
}

func (t *telling) response(a *client.Attempt, body []byte) {
	if a.Status == 0 {
		return
	}
	t.took("First byte after", a.FirstByte)
	t.took("The server says it needed", a.Server)
	t.line("<", "%s %s", cmp.Or(a.Proto, "HTTP/1.1"),
		strings.TrimSpace(fmt.Sprint(a.Status, " ", http.StatusText(a.Status))))
	for _, h := range a.ResponseHeaders {
		t.line("<", "%s: %s", h.Name, h.Value)
	}
	t.b.WriteString("<\n")
	t.content(body, a.ResponseBytes)
}

// content writes a body, and says how much of it is left out.
func (t *telling) content(body []byte, size int64) {
	for line := range strings.Lines(text(body)) {
		t.b.WriteString(visible(strings.TrimRight(line, "\r\n")) + "\n")
	}
	switch {
	case size <= int64(len(body)):
	case len(body) == 0:
		t.line("*", "%d bytes of body, not shown", size)
	default:
		t.line("*", "the body has %d bytes; this is its start", size)
	}
}

func (t *telling) after(a *client.Attempt) {
	if a.WireBytes > 0 && a.WireBytes != a.ResponseBytes {
		t.line("*", "Received %d bytes, %d after decompression", a.WireBytes, a.ResponseBytes)
	}
	if a.Error != "" {
		t.line("*", "Failed after %s: %s", short(a.Total), a.Error)
	} else {
		t.line("*", "Finished after %s", short(a.Total))
	}
	switch {
	case a.Retry:
		t.line("*", "Trying again in %s: %s", short(a.Wait), a.Reason)
	case a.Reason != "":
		t.line("*", "Not trying again: %s", a.Reason)
	}
}

// visible shows control characters, format characters and bytes that are no
// UTF-8 as symbols.
func visible(s string) string {
	hidden := func(r rune) bool { return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
	if utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
