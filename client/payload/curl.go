package payload

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"patchbay/client"
)

func curlFormat() Format {
	return Format{Name: "curl", Title: "a curl command", Match: matchCurl, Parse: parseCurl, Render: renderCurl}
}

var errNoRequest = errors.New("the exact request is not known: give the call a connector and a base URL first")

// request returns the request to write, with the body as pieces.
func request(in Input) (*client.Request, []piece, error) {
	if in.Request == nil {
		return nil, nil, errNoRequest
	}
	if in.Create != nil {
		return in.Request, createPayload(in, false), nil
	}
	if len(in.Request.Body) == 0 {
		return in.Request, nil, nil
	}
	return in.Request, []piece{{text: string(in.Request.Body)}}, nil
}

func renderCurl(in Input) (string, error) {
	r, data, err := request(in)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(r.Body, 0) >= 0 {
		return "", errors.New("the body holds a zero byte, which no shell can pass on: save the body to a file instead")
	}
	lines := []string{curlHead(r, data != nil)}
	for _, h := range r.Headers {
		lines = append(lines, "-H "+shellTemplate(headerPieces(h)))
	}
	if r.Basic != nil {
		user := append(split(r.Basic.User), piece{text: ":"})
		lines = append(lines, "-u "+shellTemplate(append(user, split(r.Basic.Password)...)))
	}
	if data == nil {
		for _, q := range r.Query {
			lines = append(lines, "--data-urlencode "+shellTemplate(append([]piece{{text: url.QueryEscape(q.Name) + "="}}, split(q.Value)...)))
		}
	} else {
		lines = append(lines, "--data-raw "+shellTemplate(data))
	}
	return strings.Join(lines, " \\\n  "), nil
}

// curlHead is the first line: method and address.
func curlHead(r *client.Request, hasBody bool) string {
	head := "curl"
	if strings.ContainsAny(r.URL, "[]{}") {
		head += " --globoff"
	}
	secretQuery := len(r.Query) > 0
	switch {
	case secretQuery && !hasBody:
		head += " -G"
		if r.Method != "GET" {
			head += " -X " + shellWord(r.Method)
		}
	case r.Method != "GET" || hasBody:
		head += " -X " + shellWord(r.Method)
	}
	return head + " " + shellTemplate(urlPieces(r, hasBody))
}

// urlPieces is the address; secret query params follow it unless -G carries them.
func urlPieces(r *client.Request, withQuery bool) []piece {
	parts := []piece{{text: r.URL}}
	if !withQuery {
		return parts
	}
	separator := "?"
	if strings.Contains(r.URL, "?") {
		separator = "&"
	}
	for _, q := range r.Query {
		parts = append(parts, piece{text: separator + url.QueryEscape(q.Name) + "="})
		parts = append(parts, split(q.Value)...)
		separator = "&"
	}
	return parts
}

func headerPieces(h client.RequestHeader) []piece {
	value := pieces(h.Value, h.Template)
	if len(value) > 0 && !value[0].env {
		value[0].text = h.Name + ": " + value[0].text
		return value
	}
	return append([]piece{{text: h.Name + ": "}}, value...)
}

func matchCurl(text string) bool {
	for i, w := range strings.Fields(cleanShell(text)) {
		if b := path.Base(w); b == "curl" || b == "curl.exe" {
			return true
		}
		if i > 20 {
			return false
		}
	}
	return false
}

// command is a curl command taken apart.
type command struct {
	url, method, body string
	hasBody           bool
	headers           []client.Header
	notes             []string
}

func parseCurl(text string) (Parsed, error) {
	calls, err := shellCalls(text)
	if err != nil {
		return Parsed{}, err
	}
	for _, words := range calls {
		for i, w := range words {
			if b := path.Base(w); b == "curl" || b == "curl.exe" {
				return curlParsed(words[i+1:])
			}
		}
	}
	return Parsed{}, errors.New("no curl command was found")
}

func curlParsed(words []string) (Parsed, error) {
	var c command
	if err := c.read(words); err != nil {
		return Parsed{}, err
	}
	if !c.hasBody {
		return Parsed{}, errors.New("the curl command sends no body: an execute call needs -d with entity and action")
	}
	org := ""
	for _, h := range c.headers {
		if strings.EqualFold(h.Name, "X-Organization-Id") {
			org = h.Value
		}
	}
	return fromHTTP(c.url, c.body, org, c.notes)
}

// fromHTTP makes a call of an address and a body.
func fromHTTP(address, data, organization string, notes []string) (Parsed, error) {
	id, create, err := connectorOf(address)
	if err != nil {
		return Parsed{}, err
	}
	p, err := parseBody([]byte(strings.TrimSpace(data)))
	if err != nil {
		return Parsed{}, fmt.Errorf("the body: %w", err)
	}
	if create && p.Create == nil || !create && p.Create != nil {
		return Parsed{}, errors.New("address and body do not belong together: .../connectors creates, .../execute runs a call")
	}
	if id != "" {
		p.ConnectorID = id
	}
	if organization != "" {
		p.OrganizationID = organization
	}
	p.Notes = append(notes, p.Notes...)
	return p, nil
}

const connectorsPath = "/integrations/connectors"

// connectorOf reads the connector's id from an execute address; create is set for the address that creates.
func connectorOf(address string) (id string, create bool, err error) {
	rest := address
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	i := strings.LastIndex(rest, connectorsPath)
	if i < 0 {
		return "", false, fmt.Errorf("the address %s is no execute call of the service (.../integrations/connectors/ID/execute)", shorten(withoutUser(address)))
	}
	rest = strings.Trim(rest[i+len(connectorsPath):], "/")
	if rest == "" {
		return "", true, nil
	}
	id, found := strings.CutSuffix(rest, "/execute")
	if !found || id == "" || strings.Contains(id, "/") {
		return "", false, fmt.Errorf("the address ends in %q, not in the connector's id and /execute", shorten(rest))
	}
	id, err = url.PathUnescape(id)
	return id, false, err
}

// withoutUser removes credentials that stand in an address.
func withoutUser(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	host, tail, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	tail, _, _ = strings.Cut(tail, "?")
	return scheme + "://" + host + "/" + tail
}
