package secret

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// shortest is the length below which a value is not searched for in free text:
// replacing "ab" everywhere would destroy the text and hide nothing.
const shortest = 4

// Redactor replaces the secrets it knows, in every spelling in which they travel,
// and whatever stands under a name that holds secrets. The zero value knows no
// values and still redacts by name. It is safe for concurrent use.
type Redactor struct {
	mu     sync.Mutex
	forms  map[string]struct{}
	values []string
	known  atomic.Pointer[matcher]
}

// Add makes the redactor know more secrets.
func (r *Redactor) Add(secrets ...Secret) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.forms)
	if r.forms == nil {
		r.forms = map[string]struct{}{}
	}
	for _, s := range secrets {
		if len(s.value) < shortest {
			continue
		}
		if !slices.Contains(r.values, s.value) {
			r.values = append(r.values, s.value)
		}
		for _, form := range formsOf(s.value) {
			r.forms[form] = struct{}{}
		}
	}
	if len(r.forms) > before {
		r.known.Store(newMatcher(r.forms, r.values))
	}
}

// find lists where known secrets stand in s, in order and apart.
func (r *Redactor) find(s string) []span {
	if r == nil {
		return nil
	}
	return r.known.Load().find(s)
}

// Holds reports whether a known secret stands in a text, in any spelling.
func (r *Redactor) Holds(text []byte) bool { return len(r.find(string(text))) > 0 }

// Text replaces known secrets in s, and the values of secret parameters of the
// addresses in it.
func (r *Redactor) Text(s string) string {
	s = parameters(s)
	return apply(s, r.find(s))
}

// Known replaces the known secrets in s and nothing else: data stays what it is.
func (r *Redactor) Known(s string) string { return apply(s, r.find(s)) }

// span is a piece of a text, and what takes its place.
type span struct {
	from, to int
	with     string
}

// apply puts the marks in.
func apply(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, p := range spans {
		b.WriteString(s[at:p.from])
		b.WriteString(p.with)
		at = p.to
	}
	b.WriteString(s[at:])
	return b.String()
}

// apart sorts spans and joins those that overlap; the first says what takes their place.
func apart(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return a.from - b.from })
	out := spans[:0]
	for _, p := range spans {
		if n := len(out); n > 0 && p.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, p.to)
			continue
		}
		out = append(out, p)
	}
	return out
}

// Header returns the value of a header as it may be shown. The scheme of an
// Authorization header stays.
func (r *Redactor) Header(name, value string) string {
	switch strings.ToLower(name) {
	case "location", "content-location", "referer":
		return r.URL(value)
	}
	if !SensitiveHeader(name) {
		return r.Text(value)
	}
	scheme, _, found := strings.Cut(value, " ")
	if found && slices.Contains(schemes, strings.ToLower(scheme)) {
		return scheme + " " + Mark
	}
	return Mark
}

var schemes = []string{"bearer", "basic", "token", "digest", "apikey", "negotiate"}

// URL returns an address as it may be shown: no password, no secret query
// value, no known secret. An address that cannot be parsed loses its query.
func (r *Redactor) URL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		before, _, _ := strings.Cut(address, "?")
		return r.Text(before)
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "secret")
	}
	u.RawQuery = query(u.RawQuery)
	return r.Text(u.String())
}

// query keeps the order and spelling of a raw query or form body.
func query(raw string) string {
	if raw == "" {
		return raw
	}
	parts := strings.Split(raw, "&")
	for i, part := range parts {
		if name, _, found := strings.Cut(part, "="); found && sensitiveParameter(name) {
			parts[i] = name + "=" + Mark
		}
	}
	return strings.Join(parts, "&")
}

// sensitiveParameter knows a name as an address spells it. One that cannot be read
// may be anything.
func sensitiveParameter(name string) bool {
	plain, err := url.QueryUnescape(name)
	plain = strings.TrimRight(plain, "]") // of a[b][c] c counts
	plain = plain[strings.LastIndexAny(plain, "[]")+1:]
	return err != nil || SensitiveName(plain)
}

// parameters replaces the values of secret parameters of the addresses in a text:
// behind ?, & or # a name and =, up to what cannot stand in a query.
func parameters(s string) string {
	var spans []span
	for at := strings.IndexByte(s, '='); at >= 0; {
		from := strings.LastIndexAny(s[:at], "?&#;, \t\r\n\"'<>=/") + 1
		to := len(s)
		if n := strings.IndexAny(s[at+1:], "&#;, \t\r\n\"'<>"); n >= 0 {
			to = at + 1 + n
		}
		if from > 0 && strings.IndexByte("?&#", s[from-1]) >= 0 && to > at+1 && sensitiveParameter(s[from:at]) {
			spans = append(spans, span{at + 1, to, Mark})
		}
		next := strings.IndexByte(s[at+1:], '=')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return apply(s, spans)
}

// Body returns a request or response body as it may be shown: values of members
// with a sensitive name are replaced in JSON wherever it stands in the body (key order
// and spacing kept) and in form bodies, known secrets everywhere. The argument is
// not changed; a body without secrets is returned as it is.
func (r *Redactor) Body(contentType string, body []byte) []byte {
	s := string(body)
	if strings.Contains(contentType, "x-www-form-urlencoded") {
		return []byte(r.Text(query(s)))
	}
	start := strings.TrimLeft(s, "\ufeff \t\r\n")
	w := &walk{s: s, hits: r.find(s), json: start != "" && strings.IndexByte("{[", start[0]) >= 0}
	w.all()
	if len(w.out) == 0 {
		return body
	}
	return []byte(apply(s, apart(w.out)))
}
