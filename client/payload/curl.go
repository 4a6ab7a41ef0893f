package payload

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"patchbay/client"
)

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
		value := pieces(h.Value, h.Template)
		if len(value) == 0 || value[0].env {
			value = append([]piece{{}}, value...)
		}
		value[0].text = h.Name + ": " + value[0].text
		lines = append(lines, "-H "+shellTemplate(value))
	}
	if r.Basic != nil {
		user := append(split(r.Basic.User), piece{text: ":"})
		lines = append(lines, "-u "+shellTemplate(append(user, split(r.Basic.Password)...)))
	}
	if data != nil {
		lines = append(lines, "--data-raw "+shellTemplate(data))
	}
	for _, q := range r.Query {
		if data == nil {
			lines = append(lines, "--data-urlencode "+shellTemplate(queryPieces("", q)))
		}
	}
	return strings.Join(lines, " \\\n  "), nil
}

// curlHead is the first line: method and address. Secret query params follow the
// address unless -G carries them, which it cannot beside a body.
func curlHead(r *client.Request, hasBody bool) string {
	head, address, separator := "curl", []piece{{text: r.URL}}, "?"
	if strings.ContainsAny(r.URL, "[]{}") {
		head += " --globoff"
	}
	if strings.Contains(r.URL, "?") {
		separator = "&"
	}
	for _, q := range r.Query {
		if hasBody {
			address = append(address, queryPieces(separator, q)...)
			separator = "&"
		}
	}
	if len(r.Query) > 0 && !hasBody {
		head += " -G"
	}
	if r.Method != "GET" || hasBody {
		head += " -X " + shellWord(r.Method)
	}
	return head + " " + shellTemplate(address)
}

func queryPieces(separator string, q client.Header) []piece {
	return append([]piece{{text: separator + url.QueryEscape(q.Name) + "="}}, split(q.Value)...)
}

func matchCurl(text string) bool {
	words := strings.Fields(cleanShell(text))
	return slices.ContainsFunc(words[:min(len(words), 22)], isCurl)
}

func isCurl(word string) bool {
	return slices.Contains([]string{"curl", "curl.exe"}, path.Base(word))
}

// command is a curl command taken apart.
type command struct {
	url, body, organization string
	hasBody                 bool
}

func parseCurl(text string) (Parsed, error) {
	words, err := wordsBehind(text, isCurl, "no curl command was found")
	if err != nil {
		return Parsed{}, err
	}
	var c command
	if err := c.read(words); err != nil {
		return Parsed{}, err
	}
	if !c.hasBody {
		return Parsed{}, errors.New("the curl command sends no body: an execute call needs -d with entity and action")
	}
	return fromHTTP(c.url, c.body, c.organization)
}

// fromHTTP makes a call of an address and a body.
func fromHTTP(address, data, organization string) (Parsed, error) {
	id, create, err := connectorOf(address)
	if err != nil {
		return Parsed{}, err
	}
	p, err := parseBody([]byte(strings.TrimSpace(data)))
	if err != nil {
		return Parsed{}, fmt.Errorf("the body: %w", err)
	}
	if create && p.Create == nil || !create && p.Create != nil {
		return Parsed{}, errors.New("address and body do not belong together: .../connectors creates, .../execute " +
			"runs a call")
	}
	p.ConnectorID, p.OrganizationID = cmp.Or(id, p.ConnectorID), cmp.Or(organization, p.OrganizationID)
	return p, nil
}

const (
	connectorsPath     = "/integrations/connectors"
	organizationHeader = "X-Organization-Id"
)

// connectorOf reads the connector's id from an execute address; create is set for the address that creates.
func connectorOf(address string) (id string, create bool, err error) {
	rest := address
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	i := strings.LastIndex(rest, connectorsPath)
	if i < 0 {
		return "", false, fmt.Errorf("the address %s is no execute call of the service "+
			"(.../integrations/connectors/ID/execute)", shorten(withoutUser(address)))
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

// valueFlags are the short options of curl that take a value; those in long
// form are in longValues. Options that are in neither are switches.
const valueFlags = "ACDEFHKMPQTUXYbcdehmortuwxyz"

// longValues are the long options of curl that take a value.
var longValues = strings.Fields(`request header data data-raw data-binary data-ascii data-urlencode json url user
	user-agent output max-time connect-timeout retry retry-delay retry-max-time cookie cookie-jar referer proxy
	cacert cert key resolve form form-string write-out config interface upload-file oauth2-bearer limit-rate
	max-redirs dump-header range unix-socket connect-to`)

// read takes the words behind curl apart.
func (c *command) read(words []string) error {
	for i := 0; i < len(words); i++ {
		name, value, has := words[i], "", false
		switch {
		case strings.HasPrefix(name, "--") && len(name) > 2:
			name, value, has = strings.Cut(name[2:], "=")
			if !slices.Contains(longValues, name) {
				continue
			}
		case strings.HasPrefix(name, "-") && len(name) > 1:
			// A word like sSLX or XPOST: switches, an option with a value, the value.
			at := strings.IndexAny(name[1:], valueFlags) + 1
			if at == 0 {
				continue
			}
			name, value, has = name[at:at+1], name[at+1:], at+1 < len(name)
		default:
			c.url = cmp.Or(c.url, name)
			continue
		}
		if !has {
			if i++; i >= len(words) {
				return fmt.Errorf("the option %s of curl stands without a value", words[i-1])
			}
			value = words[i]
		}
		if err := c.option(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (c *command) option(name, value string) error {
	switch name {
	case "url":
		c.url = value
	case "H", "header":
		if strings.HasPrefix(value, "@") {
			return fmt.Errorf("headers come from %s, a file that is not part of the text: write them out",
				shorten(value[1:]))
		}
		header, v, ok := strings.Cut(value, ":")
		if ok && strings.EqualFold(strings.TrimSpace(header), organizationHeader) {
			c.organization = strings.TrimSpace(v)
		}
	case "d", "data", "data-ascii", "data-binary", "json":
		if strings.HasPrefix(value, "@") {
			return fmt.Errorf("the body comes from %s, a file that is not part of the text: paste its content instead",
				shorten(value[1:]))
		}
		c.data(value, name == "json")
	case "data-raw":
		c.data(value, false)
	case "data-urlencode", "F", "form", "form-string":
		return fmt.Errorf("curl's %s sends a form; the service takes JSON: use --data-raw", name)
	case "K", "config":
		return fmt.Errorf("the command reads %s, a file that is not part of the text: paste the whole command instead",
			shorten(value))
	}
	return nil
}

// data adds a piece of the body the way curl joins them.
func (c *command) data(value string, joined bool) {
	if c.hasBody && !joined {
		c.body += "&"
	}
	c.body += value
	c.hasBody = true
}
