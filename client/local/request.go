package local

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// request is a call to the third party without its credentials.
type request struct {
	method string
	// base is the address of the API; path and query are appended to it.
	base  *url.URL
	path  string
	query []pair
	// absolute is an address that an answer gave, instead of path and query.
	absolute string
	header   http.Header
	body     []byte
	// trusted requests go to the API itself and carry credentials.
	trusted bool
	purpose string
}

// address is the URL with a query that is extended by secret pairs.
func (r *request) address(secrets []pair) string {
	text, query := r.absolute, append(slices.Clip(r.query), secrets...)
	if text == "" {
		text = r.base.String() + r.path
	}
	if len(query) == 0 {
		return text
	}
	separator := "?"
	if strings.Contains(text, "?") {
		separator = "&"
	}
	return text + separator + encodePairs(query, false)
}

// request builds the operation's first request.
func (p *plan) request(s *settings) (*request, error) {
	base, err := s.base()
	if err != nil {
		return nil, err
	}
	r := &request{method: p.bind.Method, base: base, header: p.headers(s), trusted: true, purpose: "call"}
	if p.op.NextURL != "" {
		return r, p.nextAddress(r)
	}
	if r.path, err = p.path(s); err != nil {
		return nil, err
	}
	if p.bind.GraphQL != nil {
		r.body, err = p.document(s)
		setIfMissing(r.header, "Content-Type", "application/json")
		return r, err
	}
	return r, p.place(r, s)
}

// headers are the constant ones: the action's win over the kind's.
func (p *plan) headers(s *settings) http.Header {
	h := http.Header{}
	for _, constant := range [...][]catalog.Pair{p.kind.Local.Headers, p.bind.Headers} {
		for _, pair := range constant {
			if v, ok := expand(pair.Value, func(name string) (string, bool) { v := s.value(name); return v, v != "" }); ok {
				h.Set(pair.Name, v)
			}
		}
	}
	if d := p.bind.Download; d == nil || d.Steps > 1 {
		// Servers that answer in a JSON type of their own refuse one that is not theirs.
		setIfMissing(h, "Accept", "application/json, */*;q=0.5")
	}
	return h
}

func setIfMissing(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}

// nextAddress goes on at an address of an answer: a path of the same server or
// an address below it.
func (p *plan) nextAddress(r *request) error {
	u, err := r.base.Parse(p.op.NextURL)
	if err != nil || !sameOrigin(u, r.base) {
		return p.fail(client.ClassRefused, "", "Run the list again from its first page.",
			"the address of the next page is not one of this server, and credentials stay here")
	}
	r.absolute = u.String()
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && a.User == nil
}

// below tells whether an address belongs to the API at base.
func below(u, base *url.URL) bool {
	root := strings.TrimRight(base.EscapedPath(), "/")
	path := u.EscapedPath()
	if strings.Contains(path, "/../") || strings.HasSuffix(path, "/..") {
		return false
	}
	return sameOrigin(u, base) && (root == "" || path == root || strings.HasPrefix(path, root+"/"))
}

// path fills the {names} of the binding's path.
func (p *plan) path(s *settings) (string, error) {
	var b strings.Builder
	rest := p.bind.Path
	for {
		before, after, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		var name string
		name, rest, _ = strings.Cut(after, "}")
		value, field, err := p.pathValue(name, s)
		if err != nil {
			return "", err
		}
		segment, why := pathSegment(value)
		if why != "" {
			return "", p.fail(client.ClassInvalid, field, "Give "+field+".", "%s stands in the address and cannot be used: %s", field, why)
		}
		b.WriteString(segment)
	}
}

// pathValue is the text for {name}: a param's, else a configuration value's.
func (p *plan) pathValue(name string, s *settings) (value, field string, err error) {
	for i := range p.action.Params {
		f := &p.action.Params[i]
		if f.In != "path" || f.HTTPName() != name && f.Name != name {
			continue
		}
		n, ok, err := p.given(f, s)
		if err != nil {
			return "", f.Name, err
		}
		if !ok {
			return "", f.Name, p.fail(client.ClassInvalid, f.Name, "Give "+f.Name+".", "%s is required: it stands in the address", f.Name)
		}
		return text(n), f.Name, nil
	}
	return s.value(name), name, nil
}

// place puts the params where the binding wants them.
func (p *plan) place(r *request, s *settings) error {
	var form []pair
	var body jsonBody
	hasBody := false
	for i := range p.action.Params {
		f := &p.action.Params[i]
		if p.apart(f) {
			continue
		}
		hasBody = hasBody || f.In == "body"
		n, ok, err := p.given(f, s)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		switch {
		case f.Name == p.bind.BodyParam && p.bind.BodyParam != "":
			r.body = appendValue(nil, f, n)
		case f.In == "query":
			r.query = queryPairs(r.query, f, n)
		case f.In == "header":
			r.header.Set(f.HTTPName(), headerText(text(n)))
		case f.In == "body" && p.bind.Encoding == "form":
			form = formPairs(form, f, n)
		case f.In == "body":
			body.put(f.HTTPName(), f, n)
		}
	}
	p.free(r, &form, &body)
	return p.finishBody(r, form, &body, hasBody)
}

// headerText keeps a value on one line.
func headerText(v string) string {
	return strings.Map(func(c rune) rune {
		if c == '\r' || c == '\n' || c == 0 {
			return -1
		}
		return c
	}, v)
}

// free places members that the catalog does not name, where the action takes them.
func (p *plan) free(r *request, form *[]pair, body *jsonBody) {
	if !p.action.FreeBody && !p.action.ParamsUnknown {
		return
	}
	unknown := &catalog.Field{}
	for m := range p.params.Members() {
		name := m.Key()
		if catalog.FieldByName(p.action.Params, name) != nil || m.Value.Kind() == rawjson.Null {
			continue
		}
		unknown.Name = name
		switch {
		case p.bind.Method == "GET" || p.bind.Method == "DELETE" || p.bind.Method == "HEAD":
			r.query = queryPairs(r.query, unknown, m.Value)
		case p.bind.Encoding == "form":
			*form = formPairs(*form, unknown, m.Value)
		default:
			body.put(name, nil, m.Value)
		}
	}
}

func (p *plan) finishBody(r *request, form []pair, body *jsonBody, wanted bool) error {
	switch {
	case p.bind.BodyParam != "":
	case p.bind.Encoding == "form":
		if len(form) > 0 {
			r.body = []byte(encodePairs(form, true))
			r.header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		return nil
	case wanted || body.out != nil:
		r.body = body.bytes()
	}
	if r.body != nil {
		setIfMissing(r.header, "Content-Type", "application/json")
	}
	return nil
}
