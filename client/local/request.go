package local

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// request is a call to the third party without its credentials.
type request struct {
	method string
	// base is the address of the API; path and query are appended to it.
	base  *url.URL
	path  string
	query []keyValue
	// absolute is an address that an answer gave, instead of path and query.
	absolute string
	header   http.Header
	body     []byte
	// aliases are names that the answer has for others.
	aliases map[string]string
	// trusted requests go to the API itself and carry credentials.
	trusted bool
	purpose string
}

// address is the URL with a query that is extended by secret pairs.
func (r *request) address(secrets []keyValue) string {
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
	r := &request{method: p.bind.Method, base: base, header: http.Header{}, trusted: true, purpose: "call"}
	setHeaders(r.header, p.kind.Local.Headers, s.get)
	setHeaders(r.header, p.bind.Headers, s.get)
	if d := p.bind.Download; d == nil || d.Steps > 1 {
		// Servers that answer in a JSON type of their own refuse one that is not theirs.
		setIfMissing(r.header, "Accept", "application/json, */*;q=0.5")
	} else {
		p.asFile(r, s)
	}
	if p.op.NextURL != "" {
		u, err := base.Parse(p.op.NextURL)
		if err != nil || !sameOrigin(u, base) {
			return nil, p.fail(client.ClassRefused, "", "Run the list again from its first page.",
				"the address of the next page is not one of this server, and credentials stay here")
		}
		r.absolute = u.String()
		return r, nil
	}
	if r.path, err = p.path(s); err != nil {
		return nil, err
	}
	if p.bind.GraphQL != nil {
		r.body, r.aliases, err = p.document(s)
		setIfMissing(r.header, "Content-Type", "application/json")
		return r, err
	}
	return r, p.place(r, s)
}

// forFile is the purpose of a request that a file answers.
const forFile = "file"

// asFile makes a request one that is answered with the file.
func (p *plan) asFile(r *request, s *settings) {
	setHeaders(r.header, p.bind.Download.Headers, p.param(s, nil))
	if p.part != nil {
		transport.AskForPart(r.header, *p.part)
	}
	r.purpose = forFile
}

// setHeaders fills headers; those with an unknown name or without a value are left out.
func setHeaders(h http.Header, pairs []catalog.Pair, get lookup) {
	for _, pair := range fill(pairs, get) {
		if pair.value != "" {
			h.Set(pair.key, headerText(pair.value))
		}
	}
}

func setIfMissing(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && a.User == nil
}

// below reports whether an address belongs to the API at base.
func below(u, base *url.URL) bool {
	root := strings.TrimRight(base.EscapedPath(), "/")
	path := u.EscapedPath()
	if slices.Contains(strings.Split(u.Path, "/"), "..") { // however it is written
		return false
	}
	return sameOrigin(u, base) && (root == "" || path == root || strings.HasPrefix(path, root+"/"))
}

// path fills the {names} of the binding's path.
func (p *plan) path(s *settings) (path string, err error) {
	path, _ = expand(strings.ReplaceAll(p.bind.Path, "{", "${"), func(name string) (segment string, ok bool) {
		segment, err = p.segment(name, s)
		return segment, err == nil
	})
	return path, err
}

// segment is the text for {name}: a param's, else a configuration value's.
func (p *plan) segment(name string, s *settings) (string, error) {
	value, field := "", ""
	for i := range p.action.Params {
		f := &p.action.Params[i]
		if f.In != "path" || f.HTTPName() != name && f.Name != name {
			continue
		}
		n, ok, err := p.given(f, s)
		if err != nil {
			return "", err
		}
		if !ok {
			return "", p.fail(client.ClassInvalid, f.Name, "Give "+f.Name+".",
				"%s is required: it stands in the address", f.Name)
		}
		value, field = text(n), f.Name
		break
	}
	if field == "" {
		value, field = s.value(name), name
	}
	segment, why := pathSegment(value)
	if why != "" {
		return "", p.fail(client.ClassInvalid, field, "Give "+field+".",
			"%s stands in the address and cannot be used: %s", field, why)
	}
	return segment, nil
}

// place puts the params where the binding wants them.
func (p *plan) place(r *request, s *settings) error {
	var form []keyValue
	body := &rawjson.Map{}
	hasBody := false
	d := p.bind.Download
	for i := range p.action.Params {
		f := &p.action.Params[i]
		if d != nil && (f.Name == d.RangeParam || strings.Contains(d.URLAt, "{"+f.Name+"}")) {
			continue // it does not stand in the first request of a download
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
			r.body = rawjson.Encode(sent(f, n))
		case f.In == "query":
			r.query = queryPairs(r.query, f, n)
		case f.In == "header":
			r.header.Set(f.HTTPName(), headerText(text(n)))
		case f.In == "body" && p.bind.Encoding == "form":
			form = formPairs(form, f, n)
		case f.In == "body":
			body.Add(f.HTTPName(), sent(f, n))
		}
	}
	p.free(r, &form, body)
	switch {
	case p.bind.BodyParam != "":
	case p.bind.Encoding == "form":
		if len(form) > 0 {
			r.body = []byte(encodePairs(form, true))
		}
		r.header.Set("Content-Type", "application/x-www-form-urlencoded")
		return nil
	case hasBody || body.Len() > 0:
		r.body = body.JSON()
	}
	if r.body != nil {
		setIfMissing(r.header, "Content-Type", "application/json")
	}
	return nil
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
func (p *plan) free(r *request, form *[]keyValue, body *rawjson.Map) {
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
			body.Add(name, sent(nil, m.Value))
		}
	}
}
